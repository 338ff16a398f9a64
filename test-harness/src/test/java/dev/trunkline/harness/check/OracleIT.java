package dev.trunkline.harness.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.harness.pg.PgShards;
import org.junit.jupiter.api.Test;

@Shards(1)
class OracleIT {

    @Test
    void comparesRowsCountsAndErrors(PgShards subject) {
        String setUp = "CREATE TABLE o (n int PRIMARY KEY); INSERT INTO o VALUES ";
        subject.execute(0, setUp + "(1), (2)");
        try (Oracle oracle = new Oracle()) {
            oracle.execute(setUp + "(2), (1)");
            try (Oracle.Session session = oracle.session(subject.url(0, "app"))) {
                session.same("SELECT * FROM o");
                assertThatThrownBy(() -> session.sameInOrder("SELECT * FROM o"))
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining("rows=[1, 2]")
                        .hasMessageContaining("rows=[2, 1]");
                assertThat(session.same("INSERT INTO o VALUES (?)", 3).updateCount())
                        .isEqualTo(1);
                assertThat(session.same("INSERT INTO o VALUES (?)", 3).sqlState())
                        .isEqualTo("23505");
                oracle.execute("DELETE FROM o WHERE n = 1");
                assertThatThrownBy(() -> session.same("UPDATE o SET n = n + 10"))
                        .hasMessageContaining("updateCount=3")
                        .hasMessageContaining("updateCount=2");
            }
        }
    }

    @Test
    void staysInStepWhenTheSubjectRefuses(PgShards subject) {
        subject.execute(0, """
                CREATE TABLE r (n int);
                CREATE FUNCTION refuse() RETURNS int LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '0A000'; END $$;
                """);
        try (Oracle oracle = new Oracle()) {
            oracle.execute("CREATE TABLE r (n int)");
            try (Oracle.Session session = oracle.session(subject.url(0, "app"))) {
                session.begin();
                session.same("INSERT INTO r VALUES (1)");
                assertThat(session.same("SELECT refuse()").isRefused()).isTrue();
                assertThat(session.same("SELECT * FROM r").sqlState()).isEqualTo("25P02");
                session.rollback();
                session.same("SELECT * FROM r");
                assertThat(session.refused()).isEqualTo(1);
                assertThat(session.statements()).isEqualTo(4);
            }
        }
    }
}
