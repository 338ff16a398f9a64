package dev.trunkline.protocol.backend;

import static dev.trunkline.protocol.Bytes.bytes;
import static dev.trunkline.protocol.MessageCase.assertMalformed;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandCompleteTest {

    @ParameterizedTest
    @CsvSource({
        "INSERT 0 5, INSERT, 5",
        "INSERT 16384 1, INSERT, 1",
        "SELECT 0, SELECT, 0",
        "SELECT 9223372036854775807, SELECT, 9223372036854775807",
        "UPDATE 3, UPDATE, 3",
        "MERGE 12, MERGE, 12",
        "COPY 1000000, COPY, 1000000",
        "FETCH 1, FETCH, 1",
        "BEGIN, BEGIN, -1",
        "CREATE TABLE, CREATE TABLE, -1",
        "ROLLBACK PREPARED, ROLLBACK PREPARED, -1",
        "'', '', -1",
        "5, 5, -1",
        "'SELECT ', 'SELECT ', -1",
        "SELECT x5, SELECT x5, -1"
    })
    void splitsTheTag(String tag, String verb, long rows) {
        CommandComplete complete = new CommandComplete(tag);
        assertThat(complete.verb()).isEqualTo(verb);
        assertThat(complete.rows()).isEqualTo(rows);
        byte[] body = bytes("  ", tag, 0);
        assertThat(CommandComplete.rows(body, 2, body.length - 2)).isEqualTo(rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"SELECT 9223372036854775808", "SELECT 18446744073709551615", "COPY 99999999999999999999999"})
    void refusesNumbersBeyondALong(String tag) {
        assertMalformed(() -> new CommandComplete(tag).rows());
    }

    @Test
    void refusesTagsWithoutTerminator() {
        assertMalformed(() -> CommandComplete.rows(bytes("SELECT 5"), 0, 8));
        assertMalformed(() -> CommandComplete.rows(new byte[0], 0, 0));
    }

    @Test
    void comparesTheVerbWithoutDecoding() {
        byte[] body = bytes("INSERT 0 5", 0);
        assertThat(CommandComplete.hasVerb(body, 0, body.length, "INSERT")).isTrue();
        assertThat(CommandComplete.hasVerb(body, 0, body.length, "INS")).isFalse();
        assertThat(CommandComplete.hasVerb(body, 0, body.length, "UPDATE")).isFalse();
        byte[] begin = bytes("BEGIN", 0);
        assertThat(CommandComplete.hasVerb(begin, 0, begin.length, "BEGIN")).isTrue();
        assertThat(CommandComplete.hasVerb(begin, 0, begin.length, "BEGINNING")).isFalse();
    }

    @Test
    void buildsTagsAsPostgreSqlDoes() {
        assertThat(CommandComplete.of("INSERT", 5).tag()).isEqualTo("INSERT 0 5");
        assertThat(CommandComplete.of("DELETE", 0).tag()).isEqualTo("DELETE 0");
    }
}
