package dev.trunkline.conf.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every fault has its place and its rule, and nothing else is reported with it. */
class BadConfigurationTest {

    record Case(String sections, List<String> faults) {
        @Override
        public String toString() {
            return faults.get(0);
        }
    }

    private static Case bad(String sections, String... faults) {
        return new Case(sections, List.of(faults));
    }

    @ParameterizedTest
    @MethodSource({"keys", "general", "databases", "users", "shardedTables", "mappings", "others", "unbuilt"})
    void reportsExactlyTheFaults(Case bad) {
        assertThat(Configurations.faults(Configurations.text(bad.sections()), Map.of()))
                .containsExactlyElementsOf(bad.faults());
    }

    static Stream<Case> keys() {
        return Stream.of(
                bad("{'generl': {}}", "generl: unknown key, did you mean \"general\"?"),
                bad("{'pooling': {}}", "pooling: unknown key"),
                bad("{'general': {'prot': 1}}", "general.prot: unknown key, did you mean \"port\"?"),
                bad(
                        "{'general': {'chekout_timeout': 1}}",
                        "general.chekout_timeout: unknown key, did you mean \"checkout_timeout\"?"),
                bad("{'general': {'quux': 1}}", "general.quux: unknown key"),
                bad("{'general': null}", "general: must be an object, not null"),
                bad("{'general': []}", "general: must be an object, not a list"),
                bad("{'users': {}}", "users: must be a list, not an object"),
                bad("{'users': ['app']}", "users[0]: must be an object, not a string"),
                bad("{'users': [null]}", "users[0]: must be an object, not null"));
    }

    static Stream<Case> general() {
        return Stream.of(
                bad("{'general': {'port': '6432'}}", "general.port: must be an integer, not a string"),
                bad("{'general': {'port': 6432.5}}", "general.port: must be an integer, not a number"),
                bad("{'general': {'port': true}}", "general.port: must be an integer, not a boolean"),
                bad("{'general': {'port': null}}", "general.port: must not be null"),
                bad("{'general': {'port': 65536}}", "general.port: must be between 0 and 65535, not 65536"),
                bad("{'general': {'port': -1}}", "general.port: must be between 0 and 65535, not -1"),
                bad(
                        "{'general': {'idle_timeout': 99999999999999999999}}",
                        "general.idle_timeout: must be between 0 and 31536000000, not 99999999999999999999"),
                bad(
                        "{'general': {'checkout_timeout': 0}}",
                        "general.checkout_timeout: must be between 1 and 86400000, not 0"),
                bad("{'general': {'checkout_timeout': null}}", "general.checkout_timeout: must not be null"),
                bad("{'general': {'host': 5}}", "general.host: must be a string, not a number"),
                bad("{'general': {'host': ''}}", "general.host: must not be empty"),
                bad(
                        "{'general': {'cross_shard_disabled': 'yes'}}",
                        "general.cross_shard_disabled: must be true or false, not a string"),
                bad(
                        "{'general': {'pooler_mode': 'statement'}}",
                        "general.pooler_mode: must be \"transaction\" or \"session\", not \"statement\""),
                bad(
                        "{'general': {'pooler_mode': 'TRANSACTION'}}",
                        "general.pooler_mode: must be \"transaction\" or \"session\", not \"TRANSACTION\""),
                bad("{'general': {'pooler_mode': 1}}", "general.pooler_mode: must be a string, not a number"),
                bad(
                        "{'general': {'unlisted_tables': 'all'}}",
                        "general.unlisted_tables: must be \"error\", \"omni\" or the number of a shard, not \"all\""),
                bad(
                        "{'general': {'unlisted_tables': 2}}",
                        "general.unlisted_tables: shard 2 does not exist in database \"prod\""),
                bad(
                        "{'general': {'unlisted_tables': -1}}",
                        "general.unlisted_tables: must be \"error\", \"omni\" or the number of a shard, not -1"),
                bad(
                        "{'general': {'openmetrics_namespace': '1-2'}}",
                        "general.openmetrics_namespace: must be letters, digits, underscores and colons, and begin with"
                                + " no digit, not \"1-2\""),
                bad(
                        "{'general': {'instance_id': 'a b'}}",
                        "general.instance_id: must be 1 to 64 letters, digits, points, hyphens and underscores, not"
                                + " \"a b\""),
                bad(
                        "{'general': {'tls_certificate': 'no/such/file'}}",
                        "general: \"tls_certificate\" and \"tls_private_key\" must be set together",
                        "general.tls_certificate: \"no/such/file\": there is no such file"),
                bad(
                        "{'general': {'tls_client_required': true}}",
                        "general.tls_client_required: needs \"tls_certificate\" and \"tls_private_key\""),
                bad(
                        "{'general': {'tls_client_verify': 'verify_full'}}",
                        "general.tls_client_verify: needs \"tls_client_ca_certificate\""),
                bad(
                        "{'general': {'tls_client_ca_certificate': 'no/such/file'}}",
                        "general.tls_client_ca_certificate: needs \"tls_certificate\" and \"tls_private_key\"",
                        "general.tls_client_ca_certificate: \"no/such/file\": there is no such file"),
                bad(
                        "{'general': {'tls_server_ca_certificate': 'no/such/file', 'tls_verify': 'require'}}",
                        "general.tls_server_ca_certificate: means nothing unless \"tls_verify\" is \"verify_ca\" or"
                                + " \"verify_full\"",
                        "general.tls_server_ca_certificate: \"no/such/file\": there is no such file"),
                bad(
                        "{'general': {'auth_query': 'SELECT 1'}}",
                        "general: \"auth_query\" and \"auth_user\" must be set together",
                        "general.auth_query: must name the user by $1"),
                bad(
                        "{'general': {'auth_password': 'x'}}",
                        "general.auth_password: needs \"auth_query\" and \"auth_user\""),
                bad(
                        "{'general': {'passthrough_auth': 'enabled'}}",
                        "general.passthrough_auth: \"enabled\" needs \"tls_certificate\": passwords come in clear;"
                                + " \"enabled_plain\" accepts that"),
                bad(
                        "{'general': {'auth_type': 'trust', 'passthrough_auth': 'enabled_plain'}}",
                        "general.passthrough_auth: means nothing where \"auth_type\" asks for no password"),
                bad(
                        "{'general': {'auth_type': 'cert'}}",
                        "general.auth_type: \"cert\" needs \"tls_client_ca_certificate\""),
                bad(
                        "{'general': {'min_pool_size': 11}}",
                        "general.min_pool_size: must not be greater than \"default_pool_size\" (10)"));
    }

    static Stream<Case> databases() {
        return Stream.of(
                bad("{'databases': [], 'users': []}", "databases: at least one is required"),
                bad("{'databases': [{'name': 'prod'}]}", "databases[0]: \"host\" is required"),
                bad(
                        "{'databases': [{'name': 'prod', 'host': 'a', 'port': 0}]}",
                        "databases[0].port: must be between 1 and 65535, not 0"),
                bad(
                        "{'databases': [{'name': 'prod', 'host': 'a'}, {'name': 'prod', 'host': 'b', 'shard': 3}]}",
                        "databases: the shards of \"prod\" must be numbered from 0 without holes, missing: 1, 2"),
                bad(
                        "{'databases': [{'name': 'prod', 'host': 'a', 'shard': 1}]}",
                        "databases: the shards of \"prod\" must be numbered from 0 without holes, missing: 0"),
                bad(
                        "{'databases': [{'name': 'prod', 'host': 'a'}, {'name': 'prod', 'host': 'b'}]}",
                        "databases[1]: shard 0 of \"prod\" already has a primary (databases[0])"),
                bad(
                        "{'databases': [{'name': 'prod', 'host': 'a'}, {'name': 'prod', 'host': 'a', 'shard': 1}]}",
                        "databases[1]: the same host, port and \"database_name\" as databases[0]"),
                bad(
                        "{'databases': [{'name': 'prod', 'host': 'a'},"
                                + " {'name': 'prod', 'host': 'b', 'shard': 1, 'pooler_mode': 'session'}]}",
                        "databases[1].pooler_mode: must be the same as that of databases[0]"));
    }

    static Stream<Case> users() {
        return Stream.of(
                bad(
                        "{'users': [{'name': 'app', 'database': 'prod', 'password': 'md5" + "0".repeat(32) + "'}]}",
                        "users[0].password: an md5 hash proves nothing by SCRAM: set general.auth_type to \"md5\" or"
                                + " \"plain\""),
                bad(
                        "{'users': [{'name': 'app', 'database': 'prod', 'password': ['" + verifier("c2FsdA==") + "', '"
                                + verifier("c2FsdHNhbHQ=") + "']}]}",
                        "users[0].password: verifiers of one user must have the same salt and iterations: SCRAM names"
                                + " them before it knows which password is meant; give the other as a password, or make"
                                + " it with that salt"),
                bad(
                        "{'users': [{'name': 'app', 'database': 'prd', 'password': 'x'}]}",
                        "users[0].database: there is no database \"prd\", did you mean \"prod\"?"),
                bad(
                        "{'users': [{'name': 'app', 'database': 'sales', 'password': 'x'}]}",
                        "users[0].database: there is no database \"sales\""),
                bad("{'users': [{'database': 'prod', 'password': 'x'}]}", "users[0]: \"name\" is required"),
                bad(
                        "{'users': [{'name': 'app', 'database': 'prod'}]}",
                        "users[0]: \"password\" is required unless general.auth_type is \"trust\" or \"cert\", or"
                                + " general.auth_query or passthrough_auth is set"),
                bad(
                        "{'users': [{'name': 'app', 'database': 'prod', 'password': 5}]}",
                        "users[0].password: must be a string, not a number"),
                bad(
                        "{'users': [{'name': 'app', 'database': 'prod', 'password': 'SCRAM-SHA-256$4096:abc'}]}",
                        "users[0].password: must be a whole verifier, SCRAM-SHA-256$iterations:salt$stored key:server"
                                + " key"),
                bad(
                        "{'users': [{'name': 'app', 'database': 'prod', 'password': 'x'},"
                                + " {'name': 'app', 'database': 'prod', 'password': 'y'}]}",
                        "users[1]: user \"app\" of database \"prod\" is already users[0]"),
                bad(
                        "{'general': {'min_pool_size': 3},"
                                + " 'users': [{'name': 'app', 'database': 'prod', 'password': 'x', 'pool_size': 2}]}",
                        "users[0].pool_size: must not be less than general.min_pool_size (3)"));
    }

    private static final String OMNI = "'omnisharded_tables': [{'database': 'prod', 'tables': ['tenants']}]";

    private static Case badRule(String rule, String... faults) {
        return bad("{" + OMNI + ", 'sharded_tables': [" + rule + "]}", faults);
    }

    private static Case badQuery(String query, String problem) {
        return badRule(
                "{'database': 'prod', 'column': 'id', 'lookup': 'tenants', 'query': '" + query + "'}",
                "sharded_tables[0].query: " + problem);
    }

    static Stream<Case> shardedTables() {
        return Stream.of(
                badRule("{'database': 'prod'}", "sharded_tables[0]: \"column\" is required"),
                badRule(
                        "{'database': 'pro', 'column': 'id'}",
                        "sharded_tables[0].database: there is no database \"pro\", did you mean \"prod\"?"),
                badRule(
                        "{'database': 'prod', 'column': 'id', 'data_type': 'text'}",
                        "sharded_tables[0].data_type: must be \"bigint\" or \"varchar\" or \"uuid\", not \"text\""),
                badRule(
                        "{'database': 'prod', 'column': 'id', 'lookup': 'tenants'}",
                        "sharded_tables[0]: \"lookup\" and \"query\" must be set together"),
                badRule(
                        "{'database': 'prod', 'column': 'id', 'query': 'SELECT 1, 2'}",
                        "sharded_tables[0]: \"lookup\" and \"query\" must be set together"),
                badRule(
                        "{'database': 'prod', 'column': 'id', 'lookup': 'tenant', 'query': 'SELECT 1, 2'}",
                        "sharded_tables[0].lookup: table \"tenant\" must be listed in omnisharded_tables of database"
                                + " \"prod\""),
                badRule(
                        "{'database': 'prod', 'column': 'id'}, {'database': 'prod', 'column': 'id'}",
                        "sharded_tables[1]: the same database, schema, name and column as sharded_tables[0]"),
                badRule(
                        "{'database': 'prod', 'name': 't', 'column': 'a'},"
                                + " {'database': 'prod', 'name': 't', 'column': 'b'}",
                        "sharded_tables[1]: table \"t\" already has the sharding key \"a\" (sharded_tables[0])"),
                badQuery("UPDATE tenants SET id = 1", "must be a SELECT (or begin with WITH, TABLE or VALUES)"),
                badQuery(" -- nothing", "must be a SELECT (or begin with WITH, TABLE or VALUES)"),
                badQuery("SELECT 1, 2; SELECT 3, 4", "must be one statement"),
                badQuery("SELECT id, p FROM tenants WHERE id = $1", "must not have parameters"),
                badQuery("SELECT /* open", "a quoted text or a comment does not end"));
    }

    private static Case badMapping(String type, String mapping, String... faults) {
        return badRule(
                "{'database': 'prod', 'column': 'id', 'data_type': '" + type + "', 'mapping': [" + mapping + "]}",
                faults);
    }

    static Stream<Case> mappings() {
        String mapping = "sharded_tables[0].mapping";
        return Stream.of(
                badMapping("bigint", "{'values': [1]}", mapping + "[0]: \"shard\" is required"),
                badMapping("bigint", "{'values': [], 'shard': 0}", mapping + "[0].values: must not be empty"),
                badMapping("bigint", "{'values': [null], 'shard': 0}", mapping + "[0].values[0]: must not be null"),
                badMapping(
                        "bigint",
                        "{'values': [1.5], 'shard': 0}",
                        mapping + "[0].values[0]: must be a string or an integer, not a number"),
                badMapping(
                        "bigint", "{'values': [1, 'x'], 'shard': 0}", mapping + "[0].values[1]: \"x\" is not a bigint"),
                badMapping(
                        "bigint",
                        "{'values': [9223372036854775808], 'shard': 0}",
                        mapping + "[0].values[0]: \"9223372036854775808\" is not a bigint"),
                badMapping(
                        "uuid",
                        "{'start': '00000000-0000-0000-0000', 'shard': 0}",
                        mapping + "[0].start: \"00000000-0000-0000-0000\" is not a uuid"),
                badMapping(
                        "bigint",
                        "{'values': [7], 'shard': 0}, {'values': ['007'], 'shard': 1}",
                        mapping + "[1].values[0]: value \"007\" is already listed (" + mapping + "[0].values[0])"),
                badMapping(
                        "bigint",
                        "{'start': 5, 'end': 5, 'shard': 0}",
                        mapping + "[0]: the range is empty: \"start\" must be less than \"end\""),
                badMapping(
                        "bigint",
                        "{'start': 100, 'shard': 0}, {'start': 0, 'end': 101, 'shard': 1}",
                        mapping + "[0]: overlaps with " + mapping + "[1]"),
                badMapping(
                        "varchar",
                        "{'end': 'm', 'shard': 0}, {'end': 'z', 'shard': 1}",
                        mapping + "[1]: overlaps with " + mapping + "[0]"),
                badMapping(
                        "bigint",
                        "{'values': [1], 'start': 2, 'shard': 0}",
                        mapping + "[0]: must have either \"values\" or \"start\" and \"end\", not both"),
                badMapping(
                        "bigint",
                        "{'shard': 0}, {'shard': 1}",
                        mapping + "[1]: there is already an entry for all other values (" + mapping + "[0])"),
                badMapping(
                        "bigint",
                        "{'values': [1], 'shard': 2}",
                        mapping + "[0].shard: must be less than the number of shards of \"prod\" (2), not 2"));
    }

    static Stream<Case> others() {
        return Stream.of(
                bad("{'omnisharded_tables': [{'database': 'prod'}]}", "omnisharded_tables[0]: \"tables\" is required"),
                bad(
                        "{'omnisharded_tables': [{'database': 'prod', 'tables': 'tenants'}]}",
                        "omnisharded_tables[0].tables: must be a list, not a string"),
                bad(
                        "{'omnisharded_tables': [{'database': 'prod', 'tables': [1]}]}",
                        "omnisharded_tables[0].tables[0]: must be a string, not a number"),
                bad(
                        "{'omnisharded_tables': [{'database': 'x', 'tables': ['t']}]}",
                        "omnisharded_tables[0].database: there is no database \"x\""),
                bad(
                        "{'omnisharded_tables': [{'database': 'prod', 'tables': ['t', 'u', 't']}]}",
                        "omnisharded_tables[0].tables[2]: table \"t\" is already listed"
                                + " (omnisharded_tables[0].tables[0])"),
                bad(
                        "{'rewrite': {'split_inserts': 'ignore'}}",
                        "rewrite.split_inserts: must be \"rewrite\" or \"error\", not \"ignore\""),
                bad(
                        "{'general': {'two_phase_commit_auto': true}}",
                        "general.two_phase_commit_auto: needs \"two_phase_commit\""),
                bad("{'admin': {'name': 'prod'}}", "admin.name: \"prod\" is already the name of a database"));
    }

    static Stream<Case> unbuilt() {
        return Stream.of(
                unbuiltGeneral("ban_timeout", "1000", "leaving out servers that fail"),
                unbuiltGeneral("prepared_statements", "'extended'", "refusing or ignoring prepared statements"),
                unbuiltGeneral("prepared_statements", "'disabled'", "refusing or ignoring prepared statements"),
                unbuiltGeneral("load_balancing_strategy", "'round_robin'", "several servers for one shard"),
                unbuiltGeneral("read_write_split", "'exclude_primary'", "replicas"),
                unbuiltGeneral("text_order", "'collate_c'", "ordering texts over several shards"),
                unbuiltGeneral("expanded_explain", "true", "EXPLAIN over several shards"),
                unbuiltGeneral("lookup_source", "'round_robin'", "reading lookup maps on other shards than 0"),
                unbuiltGeneral("lazy_transactions", "false", "transactions that begin on every shard"),
                unbuiltGeneral("null_key", "'shard0'", "rows with a NULL sharding key"),
                bad(
                        "{'databases': [{'name': 'prod', 'host': 'a'},"
                                + " {'name': 'prod', 'host': 'b', 'role': 'replica'}]}",
                        "databases[1].role: not supported yet: replicas"),
                bad(
                        "{'rewrite': {'shard_key': 'rewrite'}}",
                        "rewrite.shard_key: not supported yet: moving rows to" + " another shard"));
    }

    private static String verifier(String salt) {
        return "SCRAM-SHA-256$4096:" + salt + "$" + "A".repeat(43) + "=:" + "B".repeat(43) + "=";
    }

    private static Case unbuiltGeneral(String key, String value, String missing) {
        return bad("{'general': {'" + key + "': " + value + "}}", "general." + key + ": not supported yet: " + missing);
    }
}
