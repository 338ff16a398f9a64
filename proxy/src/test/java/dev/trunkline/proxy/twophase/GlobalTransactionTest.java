package dev.trunkline.proxy.twophase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GlobalTransactionTest {

    @Test
    void aNameSaysWhoBeganItAndWhereItIsDecided() {
        GlobalTransaction transaction = new GlobalTransaction("eu-1.a_b", -2L, 11);
        String gid = transaction.gid(3);
        assertThat(gid).isEqualTo("trunkline:eu-1.a_b:fffffffffffffffe:11:3");
        assertThat(GlobalTransaction.parse(gid)).isEqualTo(new GlobalTransaction.Part(transaction, 3));
        assertThat(gid).startsWith(transaction.key());
    }

    @Test
    void theLongestNameFitsIntoPostgres() {
        assertThat(new GlobalTransaction("i".repeat(64), -1L, Integer.MAX_VALUE).gid(Integer.MAX_VALUE))
                .hasSizeLessThan(200);
    }

    @Test
    void namesOfOthersAreNotOurs() {
        for (String gid : List.of(
                "",
                "trunkline",
                "trunkline:a:1:2:3",
                "trunkline:a:00000000000000aa:2",
                "trunkline:a:00000000000000aa:2:x",
                "trunkline:a:00000000000000AA:2:1",
                "x:trunkline:a:00000000000000aa:2:1")) {
            assertThat(GlobalTransaction.parse(gid)).as(gid).isNull();
        }
    }
}
