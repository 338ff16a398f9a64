package dev.trunkline.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which statements may change what the lookup reads: {@code id} and {@code parent_id} of {@code tenants}. */
class LookupMarksTest {

    private final Fixture db = new Fixture();

    private LookupMarksTest marked(String sql) {
        assertThat(db.statement(sql).lookupWrites()).as(sql).isEqualTo(1);
        return this;
    }

    private LookupMarksTest unmarked(String sql) {
        assertThat(db.statement(sql).lookupWrites()).as(sql).isZero();
        return this;
    }

    @Test
    void lkWriteDetectionForms() {
        marked("INSERT INTO tenants (id) VALUES ('x')")
                .marked("INSERT INTO public.\"tenants\" (id) VALUES ($1) ON CONFLICT DO NOTHING")
                .marked("INSERT INTO tenants (id) VALUES ('x') ON CONFLICT (id) DO UPDATE SET parent_id = 'y'")
                .marked("UPDATE tenants SET parent_id = 'y'")
                .marked("DELETE FROM tenants WHERE id = 'x'")
                .marked("WITH t AS (INSERT INTO tenants (id) VALUES ('x') RETURNING *) SELECT * FROM t")
                .marked("MERGE INTO tenants t USING settings s ON t.name = s.name WHEN MATCHED THEN DELETE")
                .marked("TRUNCATE orders, tenants")
                .marked("COPY tenants FROM STDIN")
                .marked("ALTER TABLE tenants RENAME TO clients")
                .marked("ALTER TABLE other INHERIT tenants")
                .marked("DROP TABLE tenants")
                .marked("DROP SCHEMA public CASCADE")
                .marked("LOCK TABLE tenants")
                .marked("EXPLAIN ANALYZE DELETE FROM tenants");
    }

    @Test
    void readsAndOtherTablesAreNotMarked() {
        unmarked("SELECT * FROM tenants FOR UPDATE")
                .unmarked("INSERT INTO orders (tenant_id) VALUES ('acme')")
                .unmarked("INSERT INTO settings (id, serial_no) VALUES (1, 2)")
                .unmarked("TRUNCATE orders")
                .unmarked("CREATE INDEX i ON orders (id)")
                .unmarked("EXPLAIN DELETE FROM tenants")
                .unmarked("VACUUM")
                .unmarked("ANALYZE tenants");
    }

    @Test
    void updatesOfColumnsThatTheQueryDoesNotReadAreNotMarked() {
        unmarked("UPDATE tenants SET name = 'x'")
                .unmarked("UPDATE tenants SET (name, last_seen) = ('x', NULL)")
                .marked("UPDATE tenants SET (name, parent_id) = ('x', NULL)")
                .marked("UPDATE tenants SET id = 'x'");
    }

    /** The query does not name what it reads: by a view, as a whole row, in a column that every UPDATE changes. */
    @Test
    void updatesOfWhatTheQueryReadsUnderAnotherNameAreMarked() {
        db.view("mapping", List.of(Fixture.name("tenants")), Fixture.varchar("id", 36), Fixture.text("root"));
        for (String query : List.of(
                "SELECT id, root FROM mapping",
                "SELECT id, root FROM public.mapping AS m WHERE root <> ''",
                "SELECT t.id, m.root FROM tenants t JOIN mapping m USING (id)",
                "SELECT * FROM tenants",
                "SELECT id, md5(t::text) FROM tenants AS t",
                "SELECT id, md5(tenants::text) FROM tenants",
                "SELECT id, xmin::text FROM tenants",
                "SELECT id, tableoid::text FROM tenants",
                "SELECT id, name FROM unknown_yet")) {
            db.lookupQuery(query);
            marked("UPDATE tenants SET parent_id = 'y'").marked("UPDATE tenants SET name = 'y'");
        }
        db.lookupQuery("SELECT id, name FROM public.tenants AS t");
        marked("UPDATE tenants SET name = 'y'").unmarked("UPDATE tenants SET parent_id = 'y'");
    }

    /** It may set what the query reads. */
    @Test
    void updatesOfPartitionsWithTriggersAreMarked() {
        Relation part = Fixture.relation("tenants_1", Relation.Kind.TABLE, Fixture.varchar("id", 36));
        db.add(new Relation(
                part.name(),
                part.kind(),
                part.columns(),
                List.of(),
                List.of(),
                List.of(Fixture.name("tenants")),
                List.of(),
                List.of(),
                true,
                false));
        marked("UPDATE tenants SET name = 'x'").marked("UPDATE tenants_1 SET name = 'x'");
    }

    // ---- what only adds entries

    private LookupMarksTest grows(String sql) {
        assertThat(db.statement(sql).lookupInsertOnly()).as(sql).isTrue();
        return marked(sql);
    }

    private LookupMarksTest changes(String sql) {
        assertThat(db.statement(sql).lookupInsertOnly()).as(sql).isFalse();
        return marked(sql);
    }

    @Test
    void anInsertOfNewKeysOnlyAddsEntries() {
        grows("INSERT INTO tenants (id) VALUES ('x')")
                .grows("INSERT INTO tenants (id, parent_id) VALUES ($1, $2), ($3, $4)")
                .grows("INSERT INTO tenants (id) VALUES ('x') ON CONFLICT DO NOTHING")
                .grows("INSERT INTO tenants (id, name) SELECT name, lower(name) FROM settings")
                .grows("WITH t AS (INSERT INTO tenants (id) VALUES ('x') RETURNING *) SELECT * FROM t")
                .grows("EXPLAIN ANALYZE INSERT INTO tenants (id) VALUES ('x')")
                .grows("COPY tenants FROM STDIN");
    }

    @Test
    void everyOtherWriteMayChangeEntries() {
        changes("INSERT INTO tenants (id) VALUES ('x') ON CONFLICT (id) DO UPDATE SET parent_id = 'y'")
                .changes("INSERT INTO tenants (id) VALUES (pure('x'))")
                .changes("UPDATE tenants SET parent_id = 'y'")
                .changes("DELETE FROM tenants WHERE id = 'x'")
                .changes("WITH t AS (DELETE FROM tenants RETURNING *) INSERT INTO tenants (id) VALUES ('x')")
                .changes("MERGE INTO tenants t USING settings s ON t.name = s.name WHEN NOT MATCHED THEN INSERT (id)"
                        + " VALUES (s.name)")
                .changes("TRUNCATE tenants")
                .changes("ALTER TABLE tenants ADD COLUMN c int");
    }

    @Test
    void keysThatAnIndexDoesNotKeepApartMayChangeEntries() {
        db.add(Fixture.relation("tenants", Relation.Kind.TABLE, Fixture.varchar("id", 36), Fixture.text("parent_id")));
        changes("INSERT INTO tenants (id) VALUES ('x')");
        // An index over another type than the rule's does not know which keys are equal.
        db.add(Fixture.relation(
                "tenants", Relation.Kind.TABLE, Fixture.unique(Fixture.int8("id")), Fixture.text("parent_id")));
        changes("INSERT INTO tenants (id) VALUES (1)");
    }

    @Test
    void rowsThatCallOrHideOthersMayChangeEntries() {
        Relation plain = Fixture.relation("tenants", Relation.Kind.TABLE, Fixture.unique(Fixture.varchar("id", 36)));
        for (boolean triggers : new boolean[] {true, false}) {
            db.add(new Relation(
                    plain.name(),
                    plain.kind(),
                    plain.columns(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    triggers,
                    !triggers));
            changes("INSERT INTO tenants (id) VALUES ('x')");
        }
    }

    @Test
    void aTableWithChildrenMayHoldAKeyTwice() {
        Relation child = Fixture.relation("tenants_1", Relation.Kind.TABLE, Fixture.unique(Fixture.varchar("id", 36)));
        Relation heir = new Relation(
                child.name(),
                child.kind(),
                child.columns(),
                List.of(),
                List.of(),
                List.of(Fixture.name("tenants")),
                List.of(),
                List.of(),
                false,
                false);
        db.add(heir);
        changes("INSERT INTO tenants (id) VALUES ('x')").changes("INSERT INTO tenants_1 (id) VALUES ('x')");
        db.add(Fixture.relation("tenants", Relation.Kind.PARTITIONED_TABLE, Fixture.unique(Fixture.varchar("id", 36))));
        grows("INSERT INTO tenants (id) VALUES ('x')").changes("INSERT INTO tenants_1 (id) VALUES ('x')");
    }

    @Test
    void foreignKeysCarryMarks() {
        db.add(withKeys("settings", List.of(Fixture.name("tenants")), List.of(Fixture.name("tenants"))))
                .add(withKeys("plans", List.of(), List.of(Fixture.name("tenants"))));
        marked("DELETE FROM settings WHERE id = 1")
                .marked("UPDATE settings SET id = 2")
                .unmarked("INSERT INTO settings (id) VALUES (1)")
                .unmarked("TRUNCATE plans")
                .marked("TRUNCATE plans CASCADE");
    }

    @Test
    void partitionsOfTheLookupTableAreMarked() {
        Relation part = Fixture.relation("tenants_1", Relation.Kind.TABLE, Fixture.varchar("id", 36));
        db.add(new Relation(
                part.name(),
                part.kind(),
                part.columns(),
                List.of(),
                List.of(),
                List.of(Fixture.name("tenants")),
                List.of(),
                List.of(),
                false,
                false));
        marked("DELETE FROM tenants_1");
    }

    private static Relation withKeys(String name, List<QualifiedName> cascadesTo, List<QualifiedName> referencedBy) {
        Relation plain = Fixture.relation(name, Relation.Kind.TABLE, Fixture.int8("id"));
        return new Relation(
                plain.name(),
                plain.kind(),
                plain.columns(),
                List.of(),
                List.of(),
                List.of(),
                cascadesTo,
                referencedBy,
                false,
                false);
    }
}
