package dev.trunkline.routing.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The row hash against values computed by PostgreSQL 15: {@code hash<type>extended(key, 8816678312871386365)} and the
 * remainder that {@code satisfies_hash_partition} accepts for 2, 3, 4, 7 and 16 partitions.
 */
class PartitionHashTest {

    private static final int[] MODULI = {2, 3, 4, 7, 16};
    private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern UNICODE_ESCAPE = Pattern.compile("\\\\u([0-9a-fA-F]{4})");

    record Vector(String type, String key, long rowHash, List<Integer> shards) {

        long computed() {
            if (type.endsWith("uuid")) {
                UUID uuid = UUID.fromString(key);
                return PartitionHash.ofUuid(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            }
            if (type.endsWith("int") || type.equals("integer")) {
                return PartitionHash.ofLong(Long.parseLong(key));
            }
            String text = type.equals("char(10)") ? key.stripTrailing() : key;
            byte[] padded = ("##" + text + "#").getBytes(StandardCharsets.UTF_8);
            return PartitionHash.ofBytes(padded, 2, padded.length - 3);
        }
    }

    static List<Vector> vectors() throws IOException {
        try (InputStream in = PartitionHashTest.class.getResourceAsStream("/hash_vectors.json")) {
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void agreesWithPostgres(Vector vector) {
        assertThat(vector.computed()).isEqualTo(vector.rowHash());
        for (int i = 0; i < MODULI.length; i++) {
            assertThat(PartitionHash.shard(vector.computed(), MODULI[i]))
                    .isEqualTo(vector.shards().get(i));
        }
    }

    @Test
    void checksEveryVector() throws IOException {
        assertThat(vectors()).hasSize(500);
    }

    @ParameterizedTest
    @CsvSource({"1,4294967296", "-1,4294967295", "0,-4294967296"})
    void foldsIntegersAsPostgresDoes(long one, long other) {
        assertThat(PartitionHash.ofLong(one)).isEqualTo(PartitionHash.ofLong(other));
    }

    /** The top level is an object of arrays; a vector is [key, h, hex, row hash, [five remainders]]. */
    private static List<Vector> parse(String json) {
        List<Vector> vectors = new ArrayList<>();
        List<String> fields = new ArrayList<>();
        String type = "";
        Matcher string = STRING.matcher(json);
        while (string.find()) {
            if (json.startsWith(":", string.end())) {
                type = string.group(1);
                continue;
            }
            fields.add(unescape(string.group(1)));
            if (fields.size() == 4 + MODULI.length) {
                List<Integer> shards =
                        fields.subList(4, 9).stream().map(Integer::valueOf).toList();
                vectors.add(new Vector(type, fields.get(0), Long.parseUnsignedLong(fields.get(3)), shards));
                fields.clear();
            }
        }
        return vectors;
    }

    private static String unescape(String json) {
        String text = UNICODE_ESCAPE
                .matcher(json)
                .replaceAll(
                        match -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(match.group(1), 16))));
        return text.replace("\\\"", "\"")
                .replace("\\n", "\n")
                .replace("\\t", "\t")
                .replace("\\\\", "\\");
    }
}
