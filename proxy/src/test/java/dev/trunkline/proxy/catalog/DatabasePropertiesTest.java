package dev.trunkline.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.error.SqlState;
import dev.trunkline.proxy.catalog.DatabaseProperties.CollationProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabasePropertiesTest {

    @ParameterizedTest
    @CsvSource({
        "UTF8, LIBC, C, , true",
        "UTF8, LIBC, POSIX, , true",
        "UTF8, LIBC, C.UTF-8, , true",
        "UTF8, LIBC, en_US.UTF-8, , false",
        "UTF8, ICU, C, und, false",
        "UTF8, BUILTIN, en_US.UTF-8, C.UTF-8, true",
        "UTF8, BUILTIN, C, C, true",
        "LATIN1, LIBC, C, , false"
    })
    void knowsWhetherTextsAreOrderedByTheirBytes(
            String encoding, CollationProvider provider, String collation, String locale, boolean bytewise) {
        DatabaseProperties properties = new DatabaseProperties(180_006, encoding, provider, collation, locale);

        assertThat(properties.comparesBytes()).isEqualTo(bytewise);
    }

    @Test
    void refusesAnOldServerForGood() {
        assertThat(CatalogErrors.serverTooOld(110_022).state()).isEqualTo(SqlState.FEATURE_NOT_SUPPORTED);
        assertThat(CatalogErrors.serverTooOld(110_022).severity()).isEqualTo(Severity.ERROR);
    }
}
