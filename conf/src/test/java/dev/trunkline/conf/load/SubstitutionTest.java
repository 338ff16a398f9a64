package dev.trunkline.conf.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.Configuration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Environment variables stand in for text, numbers and booleans. */
class SubstitutionTest {

    private static final Map<String, String> ENVIRONMENT = Map.of(
            "NAME", "value", "EMPTY", "", "DOLLAR", "${NAME} $1", "PORT", "7000", "YES", "true", "MODE", "session");

    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "${NAME}, value",
        "a-${NAME}-b-${NAME}, a-value-b-value",
        "${UNSET:-other}, other",
        "${NAME:-other}, value",
        "${EMPTY:-other}, other",
        "x${UNSET:-}y, xy",
        "x${EMPTY}y, xy",
        "$${NAME}, ${NAME}",
        "$NAME, $NAME",
        "${DOLLAR}, ${NAME} $1",
        "SCRAM-SHA-256$4096:a, SCRAM-SHA-256$4096:a"
    })
    void replacesReferences(String text, String expected) {
        Faults faults = new Faults();

        assertThat(new Substitution(ENVIRONMENT::get, faults).apply(text, "place"))
                .isEqualTo(expected);
        assertThat(faults.count()).isZero();
    }

    @Test
    void reachesEveryKindOfValue() {
        Configuration configuration = Configurations.parse("""
                {
                  'general': { 'port': '${PORT}', 'workers': '${WORKERS:-3}', 'pooler_mode': '${MODE}',
                               'checkout_timeout': '${WAIT:-250}', 'cross_shard_disabled': '${YES}',
                               'unlisted_tables': '${SHARD:-1}' },
                  'users': [ { 'name': 'app', 'database': 'prod', 'password': '${NAME}' } ],
                  'omnisharded_tables': [ { 'database': 'prod', 'tables': ['${NAME}'] } ],
                  'sharded_tables': [ { 'database': 'prod', 'column': 'id',
                                        'mapping': [ { 'values': ['${PORT}'], 'shard': '${ONE:-1}' } ] } ]
                }
                """, ENVIRONMENT);

        assertThat(configuration.general().port()).isEqualTo(7000);
        assertThat(configuration.general().workers()).isEqualTo(3);
        assertThat(configuration.general().checkoutTimeout()).hasMillis(250);
        assertThat(configuration.general().crossShardDisabled()).isTrue();
        assertThat(configuration.general().unlistedTables().shard()).isEqualTo(1);
        assertThat(configuration.users().get(0).password().get(0).value()).isEqualTo("value");
        assertThat(configuration.omnishardedTables().get(0).tables()).containsExactly("value");
        assertThat(configuration.shardedTables().get(0).mapping().get(0).values())
                .containsExactly("7000");
    }

    @Test
    void anUnsetVariableWithoutDefaultIsAFault() {
        assertThat(faults("{'general': {'host': '${HOST_ADDRESS}'}}"))
                .containsExactly("general.host: the environment variable HOST_ADDRESS is not set and ${HOST_ADDRESS}"
                        + " has no default");
    }

    @Test
    void aReferenceThatDoesNotEndIsAFault() {
        assertThat(faults("{'general': {'host': 'a${NAME'}}"))
                .containsExactly(
                        "general.host: \"${\" must begin ${NAME} or ${NAME:-default}; write $${ for a plain ${");
    }

    @Test
    void whatIsPutInMustFitTheKey() {
        assertThat(faults("{'general': {'port': '${NAME}', 'workers': '${PORT}', 'host': '${EMPTY}'}}"))
                .containsExactly(
                        "general.host: must not be empty",
                        "general.port: must be an integer, not a string",
                        "general.workers: must be between 0 and 1024, not \"7000\"");
    }

    private static List<String> faults(String sections) {
        return Configurations.faults(Configurations.text(sections), ENVIRONMENT);
    }
}
