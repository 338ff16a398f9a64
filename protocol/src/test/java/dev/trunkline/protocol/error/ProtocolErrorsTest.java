package dev.trunkline.protocol.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Code and severity of each error as the client sees them. */
class ProtocolErrorsTest {

    static Stream<Arguments> errors() {
        return Stream.of(
                Arguments.of(ProtocolErrors.malformedMessage("Bind", "it ends early"), "08P01", Severity.FATAL),
                Arguments.of(ProtocolErrors.invalidLength("Bind", -1), "08P01", Severity.FATAL),
                Arguments.of(ProtocolErrors.messageTooLarge("Query", 300, 200), "54000", Severity.ERROR),
                Arguments.of(ProtocolErrors.unexpectedMessage((byte) 'z'), "08P01", Severity.FATAL),
                Arguments.of(ProtocolErrors.unsupportedProtocol(2 << 16), "0A000", Severity.FATAL),
                Arguments.of(ProtocolErrors.unsupportedAuthentication(7), "0A000", Severity.ERROR),
                Arguments.of(ProtocolErrors.noUserName(), "28000", Severity.FATAL),
                Arguments.of(ProtocolErrors.nameNotUtf8("Parse"), "22021", Severity.ERROR),
                Arguments.of(ProtocolErrors.unknownStatement("s"), "26000", Severity.ERROR),
                Arguments.of(ProtocolErrors.unknownPortal("p"), "34000", Severity.ERROR),
                Arguments.of(ProtocolErrors.duplicateStatement("s"), "42P05", Severity.ERROR),
                Arguments.of(ProtocolErrors.duplicatePortal("p"), "42P03", Severity.ERROR),
                Arguments.of(ProtocolErrors.parameterCountMismatch(1, "s", 2), "08P01", Severity.ERROR),
                Arguments.of(ProtocolErrors.formatCountMismatch(3, 2), "08P01", Severity.ERROR),
                Arguments.of(ProtocolErrors.unsupportedFormat(2), "22023", Severity.ERROR),
                Arguments.of(ProtocolErrors.featureNotBuilt("COPY", "Use INSERT."), "0A000", Severity.ERROR),
                Arguments.of(ProtocolErrors.loginFailed("u", "d"), "28P01", Severity.FATAL),
                Arguments.of(ProtocolErrors.malformedSasl("no nonce"), "08P01", Severity.FATAL),
                Arguments.of(ProtocolErrors.tlsRequired(), "08004", Severity.FATAL),
                Arguments.of(ProtocolErrors.loginTimeout(), "57014", Severity.FATAL),
                Arguments.of(ProtocolErrors.starting("d"), "57P03", Severity.FATAL),
                Arguments.of(ProtocolErrors.stopping(), "57P03", Severity.FATAL),
                Arguments.of(ProtocolErrors.shuttingDown(), "57P01", Severity.FATAL),
                Arguments.of(ProtocolErrors.tooManyClients(), "53300", Severity.FATAL),
                Arguments.of(ProtocolErrors.canceled(), "57014", Severity.ERROR),
                Arguments.of(ProtocolErrors.transactionFailed(), "25P02", Severity.ERROR),
                Arguments.of(ProtocolErrors.internal("7f"), "XX000", Severity.ERROR));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void carriesItsCodeAndSeverity(PgException e, String code, Severity severity) {
        assertThat(e.state().code()).isEqualTo(code);
        assertThat(e.severity()).isEqualTo(severity);
        assertThat(e.text()).isNotEmpty().doesNotEndWith(".");
    }

    @Test
    void showsUnprintableTypesAsNumbers() {
        assertThat(ProtocolErrors.unexpectedMessage((byte) 0xff).text()).endsWith(" 255");
        assertThat(ProtocolErrors.unexpectedMessage((byte) 'z').text()).endsWith(" 'z'");
    }

    @Test
    void namesTheUnnamedStatementAsSuch() {
        assertThat(ProtocolErrors.unknownStatement("").text()).isEqualTo("unnamed prepared statement does not exist");
    }

    @Test
    void tellsWhichStatesEndAServerConnection() {
        assertThat(Stream.of("57P01", "57P02", "08006", "08P01", "25P03")).allMatch(UnusableStates::contains);
        assertThat(Stream.of("40001", "42601", "57014", "0A000", "")).noneMatch(UnusableStates::contains);
    }

    @Test
    void tellsWhichRequestsMayBeSentAgain() {
        assertThat(Stream.of("40001", "40P01", "55P03", "53300", "57P03", "08001"))
                .allMatch(RetryableStates::contains);
        assertThat(Stream.of("08006", "57P01", "40003", "42601", "08004")).noneMatch(RetryableStates::contains);
    }
}
