package dev.trunkline.proxy.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.load.ConfigException;
import dev.trunkline.conf.load.ConfigurationLoader;
import dev.trunkline.conf.load.Fault;
import dev.trunkline.harness.tls.Algorithm;
import dev.trunkline.harness.tls.Authority;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that TLS cannot be had with are faults of the configuration, told all at once and by the names of the settings. */
class CertificateFaultsTest {

    private static final Path KEPT = Path.of("src/test/resources/tls");

    private Certificates certificates;

    @TempDir
    Path folder;

    @BeforeEach
    void makeCertificates() {
        certificates = new Certificates(folder);
    }

    private static List<String> faults(JsonObject general) {
        String text = new JsonObject()
                .put("general", general.put("auth_type", "trust"))
                .put(
                        "databases",
                        new JsonArray().add(new JsonObject().put("name", "db").put("host", "a")))
                .encode();
        try {
            return ConfigurationLoader.parse("test", text, name -> null) == null ? List.of("null") : List.of();
        } catch (ConfigException e) {
            return e.faults().stream().map(Fault::toString).toList();
        }
    }

    private static JsonObject identity(Object certificate, Object key) {
        return new JsonObject().put("tls_certificate", certificate.toString()).put("tls_private_key", key.toString());
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void takesEveryKindOfKey(Algorithm algorithm) {
        certificates.issueProxy(algorithm);
        assertThat(faults(identity(certificates.file("proxy.crt"), certificates.file("proxy.key"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ec", "rsa"})
    void takesTheOlderFormsOfKeys(String name) {
        assertThat(faults(identity(KEPT.resolve(name + ".crt"), KEPT.resolve(name + ".key"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"encrypted.key", "old-encrypted.key"})
    void saysThatAKeyIsEncrypted(String file) {
        Path key = KEPT.resolve(file);
        assertThat(faults(identity(KEPT.resolve("ec.crt"), key)))
                .containsExactly("general.tls_private_key: \"" + key + "\" is encrypted, which is not supported");
    }

    @ParameterizedTest
    @CsvSource({"ec,rsa", "rsa,ec"})
    void saysThatAKeyBelongsToAnotherCertificate(String certificate, String key) {
        Path file = KEPT.resolve(key + ".key");
        assertThat(faults(identity(KEPT.resolve(certificate + ".crt"), file)))
                .containsExactly("general.tls_private_key: \"" + file + "\" is not the key of the certificate");
    }

    @Test
    void saysThatAKeyOfTheSameKindBelongsToAnotherCertificate() {
        String key = certificates.file("proxy.key");
        assertThat(faults(identity(KEPT.resolve("ec.crt"), key)))
                .containsExactly("general.tls_private_key: \"" + key + "\" is not the key of the certificate");
    }

    @Test
    void tellsAllFaultsAtOnce() {
        certificates.write("empty.pem", "");
        certificates.write("broken.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        certificates.write("nokey.pem", Authority.named("ca").own().certificatePem());
        String empty = certificates.file("empty.pem");
        String broken = certificates.file("broken.pem");
        String missing = certificates.file("missing.pem");
        assertThat(faults(identity(broken, missing)
                        .put("tls_client_ca_certificate", empty)
                        .put("tls_verify", "verify_full")
                        .put("tls_server_ca_certificate", missing)))
                .containsExactly(
                        "general.tls_certificate: \"" + broken + "\" holds a certificate that is malformed",
                        "general.tls_client_ca_certificate: \"" + empty + "\" holds no certificate in PEM form",
                        "general.tls_server_ca_certificate: \"" + missing + "\": there is no such file");
        String noKey = certificates.file("nokey.pem");
        assertThat(faults(identity(certificates.file("proxy.crt"), noKey)))
                .containsExactly("general.tls_private_key: \"" + noKey + "\" holds no private key in PEM form");
    }

    /** Whatever a file holds, the fault is told; nothing else is thrown. */
    @Test
    void survivesEveryKindOfDamage() throws IOException {
        Random random = new Random(11);
        byte[] certificate = Files.readAllBytes(folder.resolve("proxy.crt"));
        byte[] key = Files.readAllBytes(folder.resolve("proxy.key"));
        byte[] olderKey = Files.readAllBytes(KEPT.resolve("ec.key"));
        for (int round = 0; round < 300; round++) {
            Files.write(folder.resolve("proxy.crt"), round % 3 == 0 ? damaged(certificate, random) : certificate);
            Files.write(folder.resolve("proxy.key"), damaged(round % 2 == 0 ? key : olderKey, random));
            assertThat(faults(identity(certificates.file("proxy.crt"), certificates.file("proxy.key"))))
                    .allMatch(fault -> fault.startsWith("general.tls_"));
        }
    }

    private static byte[] damaged(byte[] original, Random random) {
        byte[] bytes = Arrays.copyOf(original, original.length - random.nextInt(3) * random.nextInt(40));
        for (int i = 0; i < 3; i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(128);
        }
        return bytes;
    }
}
