package dev.trunkline.protocol.backend;

import static dev.trunkline.protocol.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.error.SqlState;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResponseFieldsTest {

    @Test
    void tellsAllOfAnException() {
        PgException e = new PgException(SqlState.SERIALIZATION_FAILURE, "sharding key lookup failed")
                .withDetail("no row")
                .withHint("retry")
                .withPosition(17)
                .withObject("public", "orders", "tenant_id");
        FrameWriter out = new FrameWriter();
        ErrorResponse.of(e).encode(out);
        assertThat(out.toByteArray())
                .containsExactly(bytes(
                        "E",
                        0,
                        0,
                        0,
                        100,
                        "SERROR\0VERROR\0C40001\0Msharding key lookup failed\0Dno row\0Hretry\0P17\0",
                        "spublic\0torders\0ctenant_id\0\0"));
    }

    @Test
    void leavesOutWhatIsNotKnown() {
        ResponseFields fields = ResponseFields.of(new PgException(SqlState.ADMIN_SHUTDOWN, Severity.FATAL, "bye"));
        assertThat(fields.fields()).extracting(field -> (char) field.letter()).containsExactly('S', 'V', 'C', 'M');
        assertThat(fields.text(ResponseFields.DETAIL)).isNull();
    }

    @Test
    void neverEndsAFieldEarly() {
        ResponseFields fields = ResponseFields.of(new PgException(SqlState.SYNTAX_ERROR, "near \"\0\""));
        assertThat(fields.message()).isEqualTo("near \"?\"");
    }

    @Test
    void changesTheSeverityInBothFieldsAndNothingElse() {
        byte[] body = bytes("SFATAL\0VFATAL\0C57P01\0M", 0xe9, "\0XY\0\0");
        ErrorResponse fatal = ErrorResponse.decode(body, 0, body.length);
        assertThat(fatal.fields().endsSession()).isTrue();
        ErrorResponse error = new ErrorResponse(fatal.fields().withSeverity(Severity.ERROR));
        assertThat(error.fields().endsSession()).isFalse();
        FrameWriter out = new FrameWriter();
        error.encode(out);
        assertThat(out.toByteArray())
                .containsExactly(bytes("E", 0, 0, 0, 32, "SERROR\0VERROR\0C57P01\0M", 0xe9, "\0XY\0\0"));
    }

    @Test
    void addsAFieldThatWasMissing() {
        byte[] body = bytes("C57P01\0\0");
        ResponseFields fields = ErrorResponse.decode(body, 0, body.length).fields();
        assertThat(fields.message()).isEmpty();
        assertThat(fields.sqlState()).isEqualTo("57P01");
        assertThat(fields.with(ResponseFields.MESSAGE, "x").message()).isEqualTo("x");
        assertThat(fields.without(ResponseFields.SQL_STATE).sqlState()).isEmpty();
        assertThat(fields.without(ResponseFields.MESSAGE)).isEqualTo(fields);
        assertThat(new ResponseFields(List.of()).sqlState()).isEmpty();
    }
}
