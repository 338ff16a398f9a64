package dev.trunkline.lookup.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryCallsTest {

    private static QueryCalls of(String target) {
        return QueryCalls.of("({QUERY :commandType 1 :utilityStmt <> :hasAggs false :targetList ({TARGETENTRY :expr "
                + target + " :resno 1\n:resname a\\ \\{b})})");
    }

    @Test
    void findsFunctionsAndOperatorsAtAnyDepth() {
        QueryCalls calls = of("{OPEXPR :opno 654 :opfuncid 1258 :args ({FUNCEXPR :funcid 870 :funcresulttype 25 :args"
                + " ({VAR :varno 1 :vartype 25})} {CONST :consttype 25 :constvalue 5 [ 20 0 0 0 65 ]})}");
        assertThat(calls.functions()).containsExactly(870L, 1258L);
        assertThat(calls.operators()).containsExactly(654L);
        assertThat(calls.doubtful()).isEmpty();
    }

    @Test
    void findsTheTypesOfAConversion() {
        QueryCalls calls =
                of("{COERCEVIAIO :arg {COALESCEEXPR :coalescetype 1082 :args ({VAR :vartype 1082})} :resulttype 25}");
        assertThat(calls.typesWritten()).containsExactly(1082L);
        assertThat(calls.typesRead()).containsExactly(25L);
    }

    @Test
    void doubtsWhatItDoesNotKnow() {
        assertThat(of("{NEWEXPR :x 1}").doubtful()).containsExactly("newexpr");
        assertThat(of("{SQLVALUEFUNCTION :op 10 :type 19}").doubtful()).containsExactly("CURRENT_USER");
        assertThat(of("{SQLVALUEFUNCTION :op 99 :type 19}").doubtful()).containsExactly("sqlvaluefunction");
        assertThat(of("{COERCEVIAIO :arg {CURRENTOFEXPR :x 1} :resulttype 25}").doubtful())
                .containsExactly("a conversion from an unknown type", "currentofexpr");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "()", "({QUERY", "({QUERY :a (})", "{QUERY :a 1}}", "({QUERY :a \\"})
    void doubtsWhatIsNoTree(String text) {
        assertThat(QueryCalls.of(text).doubtful()).containsExactly("a query that cannot be looked into");
    }
}
