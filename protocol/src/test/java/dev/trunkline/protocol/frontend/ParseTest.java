package dev.trunkline.protocol.frontend;

import static dev.trunkline.protocol.Bytes.bytes;
import static dev.trunkline.protocol.MessageCase.assertMalformed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class ParseTest {

    @Test
    void tellsTheTypesGiven() {
        Parse parse = Parse.of("s", "SELECT $1, $2", 20, -1);
        assertThat(parse.typeCount()).isEqualTo(2);
        assertThat(parse.typeOid(0)).isEqualTo(20);
        assertThat(parse.typeOid(1)).isEqualTo(-1);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> parse.typeOid(2));
    }

    @Test
    void keepsTextThatIsNotUtf8AsItIs() {
        byte[] body = bytes("s\0'", 0xe9, "'\0", 0, 0);
        assertThat(Parse.decode(body, 0, body.length).sql().toByteArray()).containsExactly('\'', 0xe9, '\'');
    }

    @Test
    void appearsUnderAnotherName() {
        assertThat(Parse.of("s", "SELECT $1", 20).withStatement("t")).isEqualTo(Parse.of("t", "SELECT $1", 20));
    }

    @Test
    void refusesCountsBeyondTheBody() {
        assertMalformed(() -> Parse.decode(bytes(0, 0, 255, 255), 0, 4));
        assertMalformed(() -> Parse.decode(bytes(0, 0, 0, 1, 0, 0, 0), 0, 7));
    }
}
