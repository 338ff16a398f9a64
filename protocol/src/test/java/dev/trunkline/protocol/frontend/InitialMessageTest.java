package dev.trunkline.protocol.frontend;

import static dev.trunkline.protocol.Bytes.bytes;
import static dev.trunkline.protocol.MessageCase.assertMalformed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.error.SqlState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InitialMessageTest {

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 4, 7, 10_001, Integer.MAX_VALUE})
    void refusesLengthsThatNoOpeningPacketHas(int frameLength) {
        assertMalformed(() -> InitialMessage.bodyBytes(frameLength));
    }

    @Test
    void acceptsLengthsUpToThatOfPostgreSql() {
        assertThat(InitialMessage.bodyBytes(8)).isEqualTo(4);
        assertThat(InitialMessage.bodyBytes(10_000)).isEqualTo(9_996);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x0002_0000, 0x0004_0000, 0, -1, 0x4745_5420})
    void refusesOtherMajorVersionsAndGarbage(int version) {
        byte[] body = bytes(version >>> 24, version >>> 16, version >>> 8, version, 0);
        assertThatThrownBy(() -> InitialMessage.decode(body, 0, body.length))
                .isInstanceOfSatisfying(PgException.class, e -> {
                    assertThat(e.state()).isEqualTo(SqlState.FEATURE_NOT_SUPPORTED);
                    assertThat(e.severity()).isEqualTo(Severity.FATAL);
                });
    }

    @Test
    void acceptsAnyMinorVersionToNegotiateItDown() {
        StartupMessage startup = startup(bytes(0, 3, 0x27, 0x0f, "user\0u\0\0"));
        assertThat(startup.minor()).isEqualTo(9999);
    }

    @Test
    void keepsTheOrderOfParametersAndTheLastOfAName() {
        StartupMessage startup = startup(bytes(0, 3, 0, 0, "b\0001\0a\0002\0b\0003\0\0"));
        assertThat(startup.parameters().keySet()).containsExactly("b", "a");
        assertThat(startup.parameters()).isEqualTo(Map.of("b", "3", "a", "2"));
    }

    @Test
    void callsTheDatabaseAsTheUserByDefault() {
        assertThat(startup(bytes(0, 3, 0, 0, "user\0u\0\0")).database()).isEqualTo("u");
        assertThat(startup(bytes(0, 3, 0, 0, "user\0u\0database\0\0\0")).database())
                .isEqualTo("u");
        assertThat(startup(bytes(0, 3, 0, 0, "user\0u\0database\0d\0\0")).database())
                .isEqualTo("d");
        assertThat(startup(bytes(0, 3, 0, 0, "user\0\0\0")).user()).isNull();
        assertThat(startup(bytes(0, 3, 0, 0, 0)).database()).isNull();
    }

    @Test
    void knowsProtocolOptions() {
        assertThat(StartupMessage.isProtocolOption("_pq_.x")).isTrue();
        assertThat(StartupMessage.isProtocolOption("application_name")).isFalse();
    }

    @Test
    void refusesSecretKeysOutsideTheBounds() {
        assertThat(keyOf(4)).isInstanceOf(CancelRequest.class);
        assertThat(keyOf(256)).isInstanceOf(CancelRequest.class);
        assertMalformed(() -> keyOf(3));
        assertMalformed(() -> keyOf(257));
    }

    @Test
    void doesNotAcceptTheCodeOfAnotherRequest() {
        byte[] cancel = bytes(4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2);
        assertMalformed(() -> SslRequest.decode(cancel, 0, cancel.length));
        assertMalformed(() -> GssEncRequest.decode(cancel, 0, cancel.length));
        byte[] ssl = bytes(4, 210, 22, 47);
        assertMalformed(() -> CancelRequest.decode(ssl, 0, ssl.length));
    }

    @Test
    void keepsSecretsOutOfLogs() {
        assertThat(List.of(
                        new CancelRequest(7, ByteSlice.of("key!")),
                        new PasswordMessage("key!"),
                        new SASLResponse(ByteSlice.of("key!")),
                        new SASLInitialResponse("M", ByteSlice.of("key!"))))
                .allSatisfy(message -> assertThat(message.toString()).doesNotContain("key!"));
    }

    private static InitialMessage keyOf(int length) {
        byte[] body = new byte[8 + length];
        System.arraycopy(bytes(4, 210, 22, 46), 0, body, 0, 4);
        return InitialMessage.decode(body, 0, body.length);
    }

    private static StartupMessage startup(byte[] body) {
        return (StartupMessage) InitialMessage.decode(body, 0, body.length);
    }
}
