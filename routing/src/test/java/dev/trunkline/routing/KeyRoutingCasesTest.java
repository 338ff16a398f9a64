package dev.trunkline.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.NullKey;
import dev.trunkline.routing.Fixture.Typed;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import dev.trunkline.routing.key.PgType;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Faults that users of sharding proxies have reported, one method each. Of the keys used here, items 5 and 1 live on
 * shard 2, items 6 and 2 on shard 0, -5 and -2 on shard 1; tenants acme and acme-east on shard 2, beta on shard 0.
 */
class KeyRoutingCasesTest {

    private final Fixture db = new Fixture();

    @Test
    void krCrossShardJoinRefused() {
        db.expect("0A000", "SELECT count(*) FROM users u JOIN orders o ON u.email = o.note")
                .expect("0A000", "SELECT * FROM users u JOIN orders o ON u.email = o.note")
                .expect("0A000", "SELECT * FROM users a, users b WHERE a.id = b.id")
                .expect("0A000", "SELECT * FROM orders WHERE id IN (SELECT id FROM users)")
                .expect("0A000", "SELECT * FROM orders o JOIN users u ON o.id = u.id WHERE o.tenant_id = 'acme'")
                .expect("0,1,2", "SELECT * FROM users u JOIN orders o ON u.tenant_id = o.tenant_id")
                .expect("0,1,2", "SELECT * FROM orders o JOIN tenants t ON t.id = o.tenant_id");
    }

    @Test
    void krInListTwoShards() {
        db.expect("0,2", "SELECT * FROM items WHERE id IN (5, 6)")
                .expect("0A000", "SELECT count(*) FROM items WHERE id IN (5, 6)")
                .expect("2", "SELECT count(*) FROM items WHERE id IN (5, 1, 5)")
                .expect("0,2", "SELECT * FROM items WHERE id IN ($1, $2)", "5", "6")
                .expect("0,2", "SELECT * FROM items WHERE id = ANY($1)", "{5,6,5}")
                .expect("0,2", "SELECT * FROM items WHERE id = 5 OR id = 6")
                .expect("0,1,2", "SELECT * FROM items WHERE id IN (5, n)");
    }

    @Test
    void krIntWidthBinary() {
        String sql = "SELECT * FROM items WHERE id = $1";
        db.expect("2", sql, Typed.binary(PgType.INT2, 0, 5))
                .expect("2", sql, Typed.binary(PgType.INT4, 0, 0, 0, 5))
                .expect("2", sql, Typed.binary(PgType.INT8, 0, 0, 0, 0, 0, 0, 0, 5))
                .expect("2", sql, Typed.binary(0, 0, 0, 0, 5))
                .expect("1", sql, Typed.binary(PgType.INT2, 0xFF, 0xFB))
                .expect("1", sql, Typed.binary(PgType.INT8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFB))
                .expect("22P03", sql, Typed.binary(PgType.INT8, 0, 0, 5))
                .expect("22P03", sql, Typed.binary(0, 0, 0, 5));
    }

    @Test
    void krMultirowInsert() {
        db.expect("2", "INSERT INTO items (id, name) VALUES (5, 'a'), (1, 'b'), (5, 'c')")
                .expect("2", "INSERT INTO items (id, name) VALUES ($1, 'a'), ($2, $3), ($1, 'b')", "5", "1", "x")
                .expect("22004", "INSERT INTO items (id, name) VALUES (5, 'a'), (DEFAULT, 'b')")
                .expect("0A000", "INSERT INTO items (id, name) VALUES (5, 'a'), (5 + 1, 'b')");
    }

    @Test
    void krOnConflictSetsKey() {
        String insert = "INSERT INTO items (id, n) VALUES (5, 1) ON CONFLICT (id) DO UPDATE SET ";
        db.expect("0A000", insert + "id = 3")
                .expect("0A000", insert + "id = items.id + 1")
                .expect("0A000", insert + "(id, n) = (SELECT 1, 2)")
                .expect("2", insert + "id = excluded.id")
                .expect("2", insert + "id = 5")
                .expect("2", insert + "n = excluded.n");
    }

    @Test
    void krQuotedAndKeywordIdentifiers() {
        db.table("order", Fixture.int8("select"));
        db.expect("2", "SELECT * FROM \"Users\" WHERE \"Id\" = 5")
                .expect("0", "SELECT * FROM \"Users\" WHERE \"Id\" = 6")
                .expect("0,1,2", "SELECT * FROM users WHERE id = 5")
                .expect("2", "SELECT * FROM ITEMS WHERE iD = 5")
                .expect("2", "SELECT * FROM U&\"\\0069tems\" WHERE id = 5")
                .expect("0", "SELECT * FROM \"order\" WHERE \"select\" = 5");
    }

    @Test
    void krUpdateOfKey() {
        db.expect("0A000", "UPDATE items SET id = 6 WHERE id = 5")
                .expect("0A000", "UPDATE items SET id = 6 WHERE id = 5 RETURNING *")
                .expect("0A000", "UPDATE items SET id = id + 1 WHERE id = 5")
                .expect("2", "UPDATE items SET id = 1 WHERE id = 5")
                .expect("2", "UPDATE items SET n = 1 WHERE id = 5");
        assertThat(db.refusal("UPDATE items SET id = 6 WHERE id = 5")).startsWith("sharding key updates are forbidden");
    }

    @Test
    void krAnyArrayForms() {
        String sql = "SELECT * FROM items WHERE id = ANY($1)";
        Typed int4Array = Typed.binary(
                1007, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 23, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 5, 0xFF, 0xFF,
                0xFF, 0xFF, 0, 0, 0, 4, 0, 0, 0, 6);
        db.expect("2", sql, "{1,5,NULL}")
                .expect("any", sql, "{}")
                .expect("0,2", sql, "{\"5\", 6}")
                .expect("0,2", sql, "{{5},{6}}")
                .expect("0,2", sql, "[2:3]={5,6}")
                .expect("any", sql, (Object) null)
                .expect("0,2", sql, int4Array)
                .expect("0,2", sql, Typed.text(1231, "{5.0,6,7.5}"))
                .expect("0,1,2", sql, Typed.text(1022, "{5}"))
                .expect("22P02", sql, "{5,x}")
                .expect("22P02", sql, "5,6")
                .expect("0,1,2", "SELECT * FROM items WHERE id <> ALL($1)", "{5}")
                .expect("0,1,2", "SELECT * FROM items WHERE id > ANY($1)", "{5}");
    }

    @Test
    void krCatalogQueries() {
        db.expect("sticky", "SELECT relname FROM pg_class WHERE relname = 'orders'")
                .expect("sticky", "SELECT * FROM information_schema.columns")
                .expect(
                        "sticky",
                        "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n"
                                + " ON n.oid = c.relnamespace WHERE c.relkind IN ('r','p','') AND n.nspname !~ '^pg_toast'"
                                + " AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 1,2")
                .expect("sticky", "SELECT oid FROM pg_type WHERE typname = $1", "int4");
    }

    @Test
    void krDeleteUsing() {
        db.expect("2", "DELETE FROM items USING parts p WHERE items.id = p.item_id AND p.item_id = 5")
                .expect("2", "UPDATE items SET n = p.id FROM parts p WHERE items.id = p.item_id AND p.item_id = 5")
                .expect("0,1,2", "DELETE FROM items USING parts p WHERE items.id = p.item_id AND p.id = 5")
                .expect("0A000", "DELETE FROM items USING parts p WHERE items.n = p.id AND p.item_id = 5")
                .expect(
                        "0,1,2",
                        "WITH d AS (DELETE FROM items WHERE n < 0 RETURNING id, n)"
                                + " INSERT INTO items (id, n) SELECT id, n FROM d")
                .expect(
                        "0A000",
                        "WITH n AS (INSERT INTO items (id) VALUES (5) RETURNING *) DELETE FROM items WHERE id < 0");
    }

    @Test
    void krExistsNoShard() {
        db.expect("any", "SELECT EXISTS(SELECT 1 FROM items WHERE id = NULL)")
                .expect("any", "SELECT count(*) FROM items WHERE id IN (NULL)")
                .expect("any", "SELECT count(*) FROM items WHERE id = 4.5")
                .expect("any", "SELECT count(*) FROM items WHERE id = 5 AND id = 6");
    }

    @Test
    void krGeneratedKey() {
        db.add(Fixture.relation("parts", Relation.Kind.TABLE, Fixture.generated("item_id"), Fixture.text("name")));
        db.expect("22004", "INSERT INTO parts (name) VALUES ('a') RETURNING item_id")
                .expect("22004", "INSERT INTO parts VALUES (DEFAULT, 'a')")
                .expect("22004", "INSERT INTO parts (item_id, name) OVERRIDING USER VALUE VALUES (5, 'a')")
                .expect("2", "INSERT INTO parts (item_id, name) OVERRIDING SYSTEM VALUE VALUES (5, 'a')");
    }

    @Test
    void krInsertWithoutColumnList() {
        db.expect("2", "INSERT INTO items VALUES (5, 'a', 1)")
                .expect("2", "INSERT INTO items VALUES (5)")
                .expect("2", "INSERT INTO items SELECT 5, 'a'")
                .expect("2", "INSERT INTO items (name, id) SELECT 'a', 5")
                .expect("22004", "INSERT INTO items DEFAULT VALUES")
                .expect("2", "INSERT INTO orders VALUES (1, 'acme-east')")
                .expect("22004", "INSERT INTO orders VALUES (1)");
        Splice list =
                db.statement("INSERT INTO public.items AS i VALUES (5, 'a')").columnList();
        assertThat(list).isEqualTo(new Splice(29, " (\"id\", \"name\")"));
        assertThat(db.statement("INSERT INTO items (id) VALUES (5)").columnList())
                .isNull();
    }

    @Test
    void krJoinOnKeyWithOmni() {
        db.expect("2", "SELECT * FROM orders o JOIN tenants t ON o.tenant_id = t.id WHERE t.id = 'acme'")
                .expect("2", "SELECT * FROM orders o, tenants t WHERE o.tenant_id = t.id AND t.id = 'acme'")
                .expect("2", "SELECT * FROM tenants t LEFT JOIN orders o ON o.tenant_id = t.id WHERE t.id = 'acme'")
                .expect("0,1,2", "SELECT * FROM orders o LEFT JOIN tenants t ON o.tenant_id = t.id AND t.id = 'acme'")
                .expect("2", "SELECT * FROM orders o LEFT JOIN tenants t ON o.tenant_id = t.id WHERE t.id = 'acme'")
                .expect("0A000", "SELECT * FROM tenants t LEFT JOIN orders o ON o.tenant_id = t.id")
                .expect("0,1,2", "SELECT * FROM orders o JOIN settings s ON o.id = s.id AND s.id = 5")
                .expect("2", "SELECT * FROM items i JOIN settings s USING (id) WHERE id = 5")
                .expect("2", "SELECT * FROM parts p JOIN settings s ON p.item_id = s.id WHERE s.id = 5");
    }

    @Test
    void krListUnmapped() {
        db.expect("0,1,2", "SELECT * FROM events WHERE id = 3")
                .expect("22023", "INSERT INTO events (id) VALUES (3)")
                .expect("22023", "INSERT INTO events (id) VALUES (200)")
                .expect("0", "INSERT INTO events (id) VALUES (2)")
                .expect("1", "INSERT INTO events (id) VALUES (100)")
                .expect("0", "SELECT * FROM events WHERE id = 1");
        assertThat(db.refusal("INSERT INTO events (id) VALUES (3)"))
                .contains("\"id\"")
                .contains("events");
    }

    @Test
    void krNegativeAndSignedLiterals() {
        for (String key : List.of("-5", "- 5", "(-(5))", "-'5'::int", "'-5'", "(-5)")) {
            String outcome = db.outcome("SELECT * FROM items WHERE id = " + key);
            assertThat(outcome).as(key).isIn("1", "0,1,2");
        }
        db.expect("1", "SELECT * FROM items WHERE id = -5")
                .expect("1", "SELECT * FROM items WHERE id = - 5")
                .expect("1", "SELECT * FROM items WHERE id = (-(5))")
                .expect("2", "SELECT * FROM items WHERE id = +5")
                .expect("1", "SELECT * FROM items WHERE id IN (-5, - 2)")
                .expect("1", "INSERT INTO items (id) VALUES (-5)")
                .expect("1", "INSERT INTO items (id) VALUES (-5), (- 2)")
                .expect(Integer.toString(Fixture.hash(-2147483648)), "SELECT * FROM items WHERE id = -2147483648")
                .expect(
                        Integer.toString(Fixture.hash(Long.MIN_VALUE)),
                        "SELECT * FROM items WHERE id = -9223372036854775808");
    }

    @Test
    void krNoKeyStrictMode() {
        db.crossShardDisabled();
        db.expect("0A000", "SELECT * FROM items")
                .expect("0A000", "UPDATE items SET n = 1")
                .expect("0A000", "SELECT * FROM items WHERE id IN (5, 6)")
                .expect("2", "SELECT * FROM items WHERE id = 5")
                .expect("any", "SELECT now()")
                .expect("any", "SHOW search_path")
                .expect("sticky", "SELECT * FROM pg_class")
                .expect("any", "SELECT * FROM tenants");
        assertThat(db.refusal("SELECT * FROM items")).contains("items").contains("\"id\"");
    }

    @Test
    void krOnConflictParams() {
        db.expect(
                "2",
                "INSERT INTO items (id, n) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET n = $3 WHERE items.n < $4"
                        + " RETURNING (xmax = 0)",
                "5",
                "1",
                "2",
                "3");
    }

    @Test
    void krRowInAndOrOfAnds() {
        StringBuilder arms = new StringBuilder("SELECT * FROM items WHERE (id = 5 AND n = 0)");
        for (int i = 1; i < 10; i++) {
            arms.append(" OR (id = 1 AND n = ").append(i).append(')');
            db.expect("2", arms.toString());
        }
        db.expect("0,1,2", arms + " OR n = 4")
                .expect("0,2", arms + " OR id = 6")
                .expect("0,2", "SELECT * FROM items WHERE (id, n) IN ((5, 2), (6, 4))")
                .expect("2", "SELECT * FROM items WHERE (n, id) IN ((1, 5), (2, 1))")
                .expect("2", "SELECT * FROM items WHERE (id, n) = ($1, $2)", "5", "1");
    }

    @Test
    void krSchemaQualifiedSameName() {
        QualifiedName other = new QualifiedName("b", "Users");
        db.add(new Relation(
                        other,
                        Relation.Kind.TABLE,
                        List.of(Fixture.int8("Id")),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        false,
                        false))
                .onlyIn("Users", "public");
        String join = "SELECT * FROM public.\"Users\" JOIN b.\"Users\" ON true WHERE ";
        db.expect("2", "SELECT * FROM public.\"Users\" WHERE \"Users\".\"Id\" = 5")
                .expect("2", "SELECT * FROM public.\"Users\" WHERE public.\"Users\".\"Id\" = 5")
                .expect("0", "SELECT * FROM b.\"Users\" WHERE \"Id\" = 5")
                .expect("0A000", join + "\"Users\".\"Id\" = 6")
                .expect("0A000", join + "b.\"Users\".\"Id\" = 6")
                .expect("0", join + "public.\"Users\".\"Id\" = 6");
        db.context(new RoutingContext(true, List.of("b", "public"), Set.of()))
                .expect("0", "SELECT * FROM \"Users\" WHERE \"Id\" = 5");
    }

    @Test
    void krTemporaryTableHidesShardedTable() {
        db.context(new RoutingContext(true, List.of("public"), Set.of("items")))
                .expect("0A000", "SELECT * FROM items WHERE id = 5")
                .expect("2", "SELECT * FROM public.items WHERE id = 5");
    }

    @Test
    void krScsOffAndEscapeStrings() {
        db.tenant("a'b", "beta").tenant("a\\b", "beta");
        String select = "SELECT * FROM orders WHERE tenant_id = ";
        db.expect("0", select + "E'a\\'b'")
                .expect("0", select + "'a''b'")
                .expect("0", select + "$q$a'b$q$")
                .expect("0", select + "'a\\b'")
                .expect("0", select + "U&'a\\0027b'")
                .expect("0", select + "U&'a!0027b' UESCAPE '!'")
                .expect("2", select + "'ac'\n'me'");
        db.context(new RoutingContext(false, List.of("public"), Set.of()))
                .expect("0", select + "'a\\\\b'")
                .expect("0", select + "'a\\'b'");
    }

    @Test
    void krUpdateKeyExpression() {
        db.expect("0A000", "UPDATE items SET id = id + 1")
                .expect("0A000", "UPDATE items SET (id, n) = (SELECT 1, 2)")
                .expect("2", "UPDATE items SET id = $1, name = now()::text WHERE id = $2", "5", "5")
                .expect("0A000", "UPDATE items SET id = $1, name = now()::text WHERE id = $2", "6", "5");
    }

    @Test
    void krUpdateKeyManyRows() {
        db.expect("0A000", "UPDATE items SET id = 5 WHERE n = 1").expect("0A000", "UPDATE items SET id = 5");
    }

    @Test
    void krUpdateKeyUnchanged() {
        db.expect("2", "UPDATE items SET id = $1, n = $2 WHERE id = $3", "5", "1", "5")
                .expect("2", "UPDATE items SET id = id WHERE id = 5")
                .expect("0,1,2", "UPDATE items SET id = items.id, n = 1")
                .expect("0A000", "UPDATE items SET id = s.id FROM settings s WHERE s.name = items.name");
    }

    @Test
    void krUuidSpellings() {
        for (String spelling : List.of(
                "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
                "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}",
                "a0eebc999c0b4ef8bb6d6bb9bd380a11",
                "a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11")) {
            db.expect("1", "SELECT * FROM docs WHERE id = '" + spelling + "'")
                    .expect("1", "INSERT INTO docs (id) VALUES ($1)", spelling);
        }
        db.expect("0,1,2", "SELECT * FROM docs WHERE id::text = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'")
                .expect("22P02", "SELECT * FROM docs WHERE id = 'a0eebc99'");
    }

    @Test
    void haNullRemainder() {
        db.expect("22004", "INSERT INTO items (id) VALUES (NULL)");
        db.nullKey(NullKey.SHARD0);
        new Fixture()
                .nullKey(NullKey.SHARD0)
                .expect("0", "INSERT INTO items (id) VALUES (NULL)")
                .expect("0", "INSERT INTO items (id) VALUES ($1)", (Object) null)
                .expect("22004", "INSERT INTO items (name) VALUES ('x')")
                .expect("0,1,2", "SELECT * FROM items WHERE id IS NULL");
    }

    @Test
    void haIntWidthEquivalence() {
        for (long value : new long[] {-1, -2147483648L, 2147483647L}) {
            String shard = Integer.toString(Fixture.hash(value));
            db.expect(shard, "SELECT * FROM items WHERE id = " + value)
                    .expect(shard, "SELECT * FROM items WHERE id = $1", Typed.text(PgType.INT4, Long.toString(value)))
                    .expect(shard, "SELECT * FROM items WHERE id = $1", Typed.text(PgType.INT8, Long.toString(value)));
        }
    }

    @Test
    void haVarcharTextBpchar() {
        db.table("orders", Fixture.int8("id"), Fixture.column("tenant_id", PgType.BPCHAR));
        db.expect("2", "SELECT * FROM orders WHERE tenant_id = 'acme  '")
                .expect("2", "INSERT INTO orders (tenant_id) VALUES ('acme ')");
        new Fixture()
                .expect("?acme ", "SELECT * FROM orders WHERE tenant_id = 'acme '")
                .expect("0,1,2", "SELECT * FROM orders WHERE tenant_id = $1", Typed.text(PgType.BPCHAR, "acme "));
    }

    @Test
    void blanksBeyondTheColumnsLengthAreCutWhenStored() {
        db.table("orders", Fixture.int8("id"), Fixture.varchar("tenant_id", 4));
        db.expect("2", "INSERT INTO orders (tenant_id) VALUES ('acme  ')")
                .expect("2", "INSERT INTO orders (tenant_id) VALUES ($1)", "acme  ")
                .expect("?acme  ", "SELECT * FROM orders WHERE tenant_id = 'acme  '");
    }

    @Test
    void lkInListTranslation() {
        db.expect("2", "SELECT * FROM orders WHERE tenant_id IN ('acme', 'acme-east')")
                .expect("0,2", "SELECT * FROM orders WHERE tenant_id = ANY($1)", "{acme,beta}")
                .expect(
                        "2",
                        "SELECT * FROM orders WHERE (tenant_id = 'acme' AND id = 1) OR (tenant_id = 'acme-east' AND id = 2)")
                .expect("?acme,nobody", "SELECT * FROM orders WHERE tenant_id IN ('acme', 'nobody')")
                .expect("?acme,nobody", "DELETE FROM orders WHERE tenant_id IN ('acme', 'nobody')")
                .expect(
                        "?acme,nobody",
                        "SELECT * FROM orders o JOIN users u ON o.id = u.id WHERE o.tenant_id = 'acme'"
                                + " AND u.tenant_id = 'nobody'");
    }

    @Test
    void lkLookupTableQueries() {
        db.expect("any", "SELECT * FROM tenants WHERE id = 'nobody'")
                .expect("all", "INSERT INTO tenants (id) VALUES ('nobody')")
                .expect("2", "SELECT * FROM orders o JOIN tenants t ON t.id = o.tenant_id WHERE o.tenant_id = 'acme'");
    }

    @Test
    void lkExistsWhenMissing() {
        db.expect("?nobody", "SELECT EXISTS(SELECT 1 FROM orders WHERE tenant_id = 'nobody')")
                .expect("?nobody", "SELECT count(*) FROM orders WHERE tenant_id = 'nobody'");
    }

    @Test
    void lkTypeTextVsNumber() {
        db.tenant("7", "beta");
        db.expect("?007", "SELECT * FROM orders WHERE tenant_id = '007'")
                .expect("0", "SELECT * FROM orders WHERE tenant_id = '7'")
                .expect("0", "INSERT INTO orders (tenant_id) VALUES (007)")
                .expect("?007", "INSERT INTO orders (tenant_id) VALUES ('007')")
                .expect("0", "INSERT INTO orders (tenant_id) VALUES ($1)", Typed.binary(PgType.INT4, 0, 0, 0, 7));
    }
}
