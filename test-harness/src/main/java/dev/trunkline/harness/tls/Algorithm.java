package dev.trunkline.harness.tls;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.HexFormat;

/** Kinds of keys, and how certificates are signed with them. */
public enum Algorithm {
    EC("EC", "SHA256withECDSA", "300a06082a8648ce3d040302"),
    RSA("RSA", "SHA256withRSA", "300d06092a864886f70d01010b0500"),
    RSA_SHA1("RSA", "SHA1withRSA", "300d06092a864886f70d0101050500"),
    RSA_SHA384("RSA", "SHA384withRSA", "300d06092a864886f70d01010c0500"),
    RSA_PSS(
            "RSA",
            "RSASSA-PSS",
            "304106092a864886f70d01010a3034a00f300d06096086480165030402010500a11c301a06092a864886f70d0101083"
                    + "00d06096086480165030402010500a203020120"),
    ED25519("Ed25519", "Ed25519", "300506032b6570");

    private final String keys;
    private final String signature;
    private final String identifier;

    Algorithm(String keys, String signature, String identifier) {
        this.keys = keys;
        this.signature = signature;
        this.identifier = identifier;
    }

    KeyPair generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(keys);
            if (keys.equals("RSA")) {
                generator.initialize(2048);
            } else if (keys.equals("EC")) {
                generator.initialize(256);
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The AlgorithmIdentifier, DER. */
    byte[] identifier() {
        return HexFormat.of().parseHex(identifier);
    }

    byte[] sign(PrivateKey key, byte[] content) {
        try {
            Signature signing = Signature.getInstance(signature);
            if (this == RSA_PSS) {
                signing.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
            }
            signing.initSign(key);
            signing.update(content);
            return signing.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
