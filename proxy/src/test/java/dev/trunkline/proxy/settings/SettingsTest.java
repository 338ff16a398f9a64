package dev.trunkline.proxy.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

    private static Settings settings(String list) {
        Map<String, String> values = new TreeMap<>();
        for (String each : list.split(",")) {
            String[] pair = each.strip().split("=", 2);
            if (pair.length == 2) {
                values.put(pair[0], pair[1]);
            }
        }
        return Settings.of(values);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            emptyValue = "",
            value = {
                "''| ''| ''",
                "a=1| a=1| ''",
                "a=1| ''| 'RESET \"a\";'",
                "''| a=1| 'SET \"a\" TO 1;'",
                "'a=1,b=2'| 'b=3,c=4'| 'RESET \"a\";SET \"b\" TO 3;SET \"c\" TO 4;'",
                "role=x| role=y| 'RESET ROLE;SET \"role\" TO y;'",
                // A role that is kept cannot change what its owner may not.
                "role=x| 'a=1,role=x'| 'RESET ROLE;SET \"a\" TO 1;SET \"role\" TO x;'",
                "'session_authorization=x,role=y'| 'session_authorization=x,role=z'| 'RESET ROLE;SET \"role\" TO z;'",
                // Another session authorization takes the role with it.
                "'session_authorization=x,role=r'| 'session_authorization=y,role=r'"
                        + "| 'RESET ROLE;RESET SESSION AUTHORIZATION;SET \"session_authorization\" TO y;SET \"role\" TO r;'",
                "'a=1,session_authorization=x'| 'session_authorization=x'"
                        + "| 'RESET SESSION AUTHORIZATION;RESET \"a\";SET \"session_authorization\" TO x;'",
                "x.y=DEFAULT| ''| ''",
                "x.y=1| x.y=DEFAULT| 'SET \"x\".\"y\" TO DEFAULT;'",
                "datestyle=a| datestyle=b| 'RESET \"datestyle\";SET \"datestyle\" TO b;'"
            })
    void saysWhatTurnsOneIntoTheOther(String from, String to, String sql) {
        assertThat(settings(from).changesTo(settings(to))).isEqualTo(sql);
    }

    @Test
    void anExtensionsParameterStaysKnownWhenItIsReset() {
        assertThat(settings("a=1,x.y=2").resetAll()).isEqualTo(settings("x.y=DEFAULT"));
        assertThat(settings("a=1,x.y=2").reset("x.y")).isEqualTo(settings("a=1,x.y=DEFAULT"));
    }

    @Test
    void aSessionAuthorizationThatEndsTakesTheRoleWithIt() {
        assertThat(settings("role=r,session_authorization=s").reset("session_authorization"))
                .isEqualTo(Settings.NONE);
        assertThat(settings("role=r,session_authorization=s").resetAll())
                .isEqualTo(settings("role=r,session_authorization=s"));
    }
}
