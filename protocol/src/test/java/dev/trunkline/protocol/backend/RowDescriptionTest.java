package dev.trunkline.protocol.backend;

import static dev.trunkline.protocol.Bytes.bytes;
import static dev.trunkline.protocol.MessageCase.assertMalformed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.backend.RowDescription.Field;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowDescriptionTest {

    private static final Field ID = field("id", 16384, 1, 23, 4, -1, 0);

    @Test
    void hasTheShapeOfTheSameColumnsFromAnotherTable() {
        assertThat(of(ID).hasShapeOf(of(field("id", 99, 2, 23, 4, -1, 0)))).isTrue();
    }

    @Test
    void hasNotTheShapeOfOtherColumns() {
        List<Field> others = List.of(
                field("ID", 16384, 1, 23, 4, -1, 0),
                field("id", 16384, 1, 20, 4, -1, 0),
                field("id", 16384, 1, 23, 8, -1, 0),
                field("id", 16384, 1, 23, 4, 36, 0),
                field("id", 16384, 1, 23, 4, -1, 1));
        assertThat(others)
                .allSatisfy(other -> assertThat(of(ID).hasShapeOf(of(other))).isFalse());
        assertThat(of(ID).hasShapeOf(of(ID, ID))).isFalse();
        assertThat(of(ID).hasShapeOf(of())).isFalse();
    }

    @Test
    void refusesCountsBeyondTheBodyBeforeAnythingIsAllotted() {
        assertMalformed(() -> RowDescription.decode(bytes(255, 255), 0, 2));
        assertMalformed(() -> DataRow.decode(bytes(255, 255), 0, 2));
        assertMalformed(() -> ParameterDescription.decode(bytes(255, 255), 0, 2));
        assertMalformed(() -> CopyInResponse.decode(bytes(0, 255, 255), 0, 3));
        assertMalformed(() -> NegotiateProtocolVersion.decode(bytes(0, 3, 0, 0, 127, 255, 255, 255), 0, 8));
        assertMalformed(() -> NegotiateProtocolVersion.decode(bytes(0, 3, 0, 0, 255, 255, 255, 255), 0, 8));
    }

    @Test
    void refusesNegativeLengthsOfValuesSaveThatOfNull() {
        assertMalformed(() -> DataRow.decode(bytes(0, 1, 255, 255, 255, 254), 0, 6));
        assertMalformed(() -> DataRow.decode(bytes(0, 1, 127, 255, 255, 255), 0, 6));
    }

    private static RowDescription of(Field... fields) {
        return new RowDescription(List.of(fields));
    }

    private static Field field(String name, int table, int column, int type, int size, int modifier, int format) {
        return new Field(ByteSlice.of(name), table, column, type, size, modifier, format);
    }
}
