package dev.trunkline.proxy.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.ongres.scram.common.util.TlsServerEndpoint;
import dev.trunkline.harness.tls.Algorithm;
import dev.trunkline.harness.tls.Authority;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EndpointBindingTest {

    private static X509Certificate certificate(Algorithm algorithm) {
        return Authority.of(algorithm, "ca").issue("host", "localhost").certificate();
    }

    /** The drivers of another house compute the same. */
    @ParameterizedTest
    @EnumSource(names = {"EC", "RSA", "RSA_SHA1", "RSA_SHA384"})
    void agreesWithTheClientsOfOthers(Algorithm algorithm) throws Exception {
        X509Certificate certificate = certificate(algorithm);
        assertThat(EndpointBinding.of(certificate))
                .isEqualTo(TlsServerEndpoint.getChannelBindingData(certificate))
                .hasSize(algorithm == Algorithm.RSA_SHA384 ? 48 : 32);
    }

    @ParameterizedTest
    @EnumSource(names = {"ED25519", "RSA_PSS"})
    void hasNoneWhereTheSignatureNamesNoHashFunction(Algorithm algorithm) {
        assertThat(EndpointBinding.of(certificate(algorithm))).isNull();
    }

    @Test
    void hasNoneWithoutACertificate() {
        assertThat(EndpointBinding.of(null)).isNull();
    }
}
