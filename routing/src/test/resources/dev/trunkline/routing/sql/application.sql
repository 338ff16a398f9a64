-- Statements as object-relational mappers, drivers, benchmarks and people write them.

-- mappers: one row by key
select o1_0.id,o1_0.created_at,o1_0.customer_id,o1_0.status,o1_0.total from orders o1_0 where o1_0.id=$1;
select u1_0.id,u1_0.email,u1_0.name,u1_0.version from users u1_0 where u1_0.id=$1;
SELECT "users".* FROM "users" WHERE "users"."id" = $1 LIMIT $2;
SELECT "users".* FROM "users" WHERE "users"."tenant_id" = 'a1b2' AND "users"."deleted_at" IS NULL ORDER BY "users"."id" ASC LIMIT 1;
SELECT 1 AS one FROM "users" WHERE "users"."email" = 'a@example.com' LIMIT 1;
SELECT COUNT(*) FROM "orders" WHERE "orders"."user_id" = 42;
SELECT "orders"."id" AS t0_r0, "orders"."total" AS t0_r1, "lines"."id" AS t1_r0 FROM "orders" LEFT OUTER JOIN "lines" ON "lines"."order_id" = "orders"."id" WHERE "orders"."id" IN (1, 2, 3);
SELECT "auth_user"."id", "auth_user"."password", "auth_user"."last_login" FROM "auth_user" WHERE "auth_user"."id" = 1 LIMIT 21;
SELECT (1) AS "a" FROM "polls_question" WHERE "polls_question"."pub_date" <= '2024-01-01T00:00:00+00:00'::timestamptz LIMIT 1;
SELECT COUNT(*) AS "__count" FROM "polls_choice" WHERE ("polls_choice"."votes" > 0 AND NOT ("polls_choice"."question_id" IN (5, 6)));
SELECT "polls_choice"."question_id", COUNT("polls_choice"."id") AS "n" FROM "polls_choice" GROUP BY "polls_choice"."question_id" HAVING COUNT("polls_choice"."id") > 2 ORDER BY "n" DESC;
SELECT users.id AS users_id, users.name AS users_name FROM users WHERE users.id = $1;
SELECT anon_1.users_id, anon_1.users_name, addresses_1.id FROM (SELECT users.id AS users_id, users.name AS users_name FROM users LIMIT 10) AS anon_1 LEFT OUTER JOIN addresses AS addresses_1 ON anon_1.users_id = addresses_1.user_id;
SELECT "public"."User"."id", "public"."User"."email", "public"."User"."createdAt" FROM "public"."User" WHERE ("public"."User"."id" = $1 AND 1=1) LIMIT $2 OFFSET $3;
SELECT "t0"."id", "t0"."title", "User_posts"."__prisma_data__" AS "posts" FROM "public"."User" AS "t0" LEFT JOIN LATERAL (SELECT COALESCE(JSONB_AGG("__prisma_data__"), '[]') AS "__prisma_data__" FROM (SELECT "t3"."__prisma_data__" FROM (SELECT JSONB_BUILD_OBJECT('id', "t2"."id") AS "__prisma_data__" FROM (SELECT "t1".* FROM "public"."Post" AS "t1" WHERE "t0"."id" = "t1"."authorId") AS "t2") AS "t3") AS "t4") AS "User_posts" ON TRUE WHERE "t0"."id" = $1;
SELECT "id", "firstName", "lastName", "createdAt" FROM "Users" AS "User" WHERE "User"."tenantId" = 'x' AND ("User"."age" > 18 OR "User"."vip" = true) ORDER BY "User"."createdAt" DESC LIMIT 20 OFFSET 40;
SELECT count(*) AS "count" FROM "Projects" AS "Project" INNER JOIN "Tasks" AS "Tasks" ON "Project"."id" = "Tasks"."projectId" AND "Tasks"."done" = false;
SELECT "User"."id" AS "User_id", "User"."name" AS "User_name" FROM "user" "User" WHERE ( (("User"."id" = $1)) ) AND ( "User"."deletedAt" IS NULL ) LIMIT 1;
SELECT DISTINCT "distinctAlias"."User_id" AS "ids_User_id" FROM (SELECT "User"."id" AS "User_id" FROM "user" "User") "distinctAlias" ORDER BY "User_id" ASC LIMIT 1;
SELECT b."BlogId", b."Url", p."PostId", p."Title" FROM "Blogs" AS b LEFT JOIN "Posts" AS p ON b."BlogId" = p."BlogId" WHERE b."BlogId" = $1 ORDER BY b."BlogId";
SELECT EXISTS (SELECT 1 FROM "Blogs" AS b WHERE b."Url" LIKE '%x%');
SELECT * FROM "products" WHERE "products"."code" = 'D42' AND "products"."deleted_at" IS NULL ORDER BY "products"."id" LIMIT 1;
select "public"."author"."id", "public"."author"."first_name" from "public"."author" where ("public"."author"."id" = cast($1 as int) and "public"."author"."last_name" like (('%' || replace(replace(replace($2, '!', '!!'), '%', '!%'), '_', '!_')) || '%') escape '!');
select t.*, row_number() over (partition by t.a order by t.b desc nulls last) as rn from t where t.tenant_id = 7;
select distinct on (tenant_id) tenant_id, id, created_at from events order by tenant_id, created_at desc;

-- writes
INSERT INTO orders (tenant_id, total) VALUES ('t1', 9.99);
insert into users (email, name, version, id) values ($1,$2,$3,$4);
INSERT INTO "users" ("email", "name", "created_at", "updated_at") VALUES ('a@example.com', 'O''Brien', '2024-01-01 00:00:00.123456', '2024-01-01 00:00:00.123456') RETURNING "id";
INSERT INTO "users" ("email","name") VALUES ('a', 'x'), ('b', NULL), ('c', DEFAULT) ON CONFLICT ("email") DO UPDATE SET "updated_at"=CURRENT_TIMESTAMP,"name"=excluded."name" RETURNING "id";
INSERT INTO "auth_user" ("password", "last_login", "is_superuser") VALUES ('pbkdf2$1', NULL, false) RETURNING "auth_user"."id";
INSERT INTO t (a, b, c) VALUES ($1, $2, $3), ($4, $5, $6), ($7, $8, $9);
INSERT INTO t SELECT * FROM s WHERE s.id = 5;
INSERT INTO t (a, b) SELECT a, b FROM unnest($1::bigint[], $2::text[]) AS u(a, b);
INSERT INTO t (a) VALUES (1) ON CONFLICT DO NOTHING;
INSERT INTO t (a, b) VALUES (1, 2) ON CONFLICT ON CONSTRAINT t_pkey DO UPDATE SET b = t.b + EXCLUDED.b WHERE t.b < 100;
INSERT INTO t (a, b) VALUES (1, 2) ON CONFLICT (a, lower(b)) WHERE a > 0 DO NOTHING;
INSERT INTO t DEFAULT VALUES RETURNING id;
INSERT INTO public.t AS x (id, n) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET n = x.n + 1 RETURNING x.n, (xmax = 0) AS inserted;
INSERT INTO t (id, doc) VALUES (1, '{"a": [1, 2, {"b": null}]}'::jsonb), (2, $${"x": "it's"}$$::jsonb);
INSERT INTO t (id, a) OVERRIDING SYSTEM VALUE VALUES (1, 2);
INSERT INTO t (id, at) VALUES (1, now() - interval '1 day'), (2, now() - interval '1 day');
INSERT INTO t (id, v) VALUES (nextval('t_id_seq'), (SELECT max(v) FROM s));
INSERT INTO t (id, tags) VALUES (1, ARRAY['a', 'b']), (2, '{c,d}');
update users set email=$1,name=$2,version=$3 where id=$4 and version=$5;
UPDATE "users" SET "name" = 'New', "updated_at" = '2024-01-01' WHERE "users"."id" = 1;
UPDATE "auth_user" SET "last_login" = '2024-01-01T00:00:00+00:00'::timestamptz WHERE "auth_user"."id" = 1;
UPDATE accounts SET balance = balance - 100.00 WHERE id = 1 AND balance >= 100.00 RETURNING balance;
UPDATE t SET (a, b) = (1, 2), c = DEFAULT WHERE id = 5;
UPDATE t SET a = s.a FROM s WHERE t.id = s.id AND t.tenant_id = 7;
UPDATE t SET doc = jsonb_set(doc, '{a,b}', '1'), tags = array_append(tags, 'x') WHERE id = ANY ('{1,2,3}'::int[]);
UPDATE t SET n = n + 1 WHERE id IN (SELECT id FROM t WHERE state = 'new' ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED) RETURNING *;
UPDATE ONLY t AS x SET a = CASE WHEN x.b IS NULL THEN 0 ELSE x.b END WHERE x.id BETWEEN 1 AND 10;
DELETE FROM users WHERE id=$1;
DELETE FROM "users" WHERE "users"."id" IN ('a', 'b', 'c');
DELETE FROM t USING s WHERE t.id = s.id AND s.old RETURNING t.id;
DELETE FROM t WHERE (a, b) IN ((1, 2), (3, 4));
DELETE FROM sessions WHERE expires_at < now() - '1 hour'::interval;
MERGE INTO t USING (SELECT 1 AS id, 2 AS v) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v);

-- reads people write
SELECT * FROM orders WHERE tenant_id = 't1' AND created_at >= date '2024-01-01' AND created_at < timestamp '2024-02-01 00:00:00';
SELECT o.*, t.name FROM orders o JOIN tenants t ON t.id = o.tenant_id WHERE o.tenant_id = 't1';
SELECT o.id FROM orders AS o NATURAL JOIN lines CROSS JOIN LATERAL (SELECT sum(l.n) FROM lines l WHERE l.order_id = o.id) x(total) WHERE o.tenant_id IN ('a', 'b');
SELECT count(*), count(DISTINCT user_id), sum(total)::numeric(10,2), avg(total) FILTER (WHERE total > 0) FROM orders WHERE tenant_id = 't1';
SELECT date_trunc('day', created_at) AS day, count(*) FROM events WHERE tenant_id = 5 GROUP BY 1 ORDER BY 1 DESC LIMIT 30;
SELECT extract(year FROM created_at) y, extract(epoch from now()) FROM events GROUP BY y;
SELECT id, total, sum(total) OVER w, lag(total, 1, 0) OVER w, first_value(id) OVER (PARTITION BY tenant_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders WHERE tenant_id = 'x' WINDOW w AS (ORDER BY id);
SELECT * FROM t WHERE id = 5 OR id = 6;
SELECT * FROM t WHERE id = '5' AND NOT deleted AND (a IS NULL OR a <> 3) AND b IS NOT TRUE AND c IS DISTINCT FROM d;
SELECT * FROM t WHERE id = +5 AND v = -5 AND w = - 5;
SELECT * FROM t WHERE id = $1::bigint AND name = $2::text COLLATE "C";
SELECT * FROM t WHERE id = CAST('5' AS bigint) AND ts = TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00+00';
SELECT * FROM t WHERE id = any(array[1, 2, 3]) AND x <> all('{a,b}'::text[]) AND y = some(SELECT 1);
SELECT * FROM t WHERE doc @> '{"a": 1}' AND doc ? 'b' AND doc ?| array['c', 'd'] AND doc -> 'a' ->> 'b' = 'c' AND doc #>> '{a,b}' = 'x' AND doc @? '$.a[*] ? (@ > 1)';
SELECT * FROM t WHERE name ILIKE 'a%' AND name NOT LIKE '%\_%' ESCAPE '\' AND name ~* '^a.*z$' AND name !~ 'x' AND name SIMILAR TO '(a|b)%';
SELECT * FROM t WHERE tsv @@ to_tsquery('english', 'cat & dog') ORDER BY ts_rank(tsv, to_tsquery('cat')) DESC LIMIT 10;
SELECT * FROM places ORDER BY location <-> point '(1,2)' LIMIT 5;
SELECT * FROM t WHERE r && int4range(1, 5) AND ip <<= inet '10.0.0.0/8' AND a # b = 0 AND bits & 4 = 4 AND |/ x > 2 AND !! q;
SELECT id, embedding <=> '[1,2,3]' AS distance FROM items WHERE tenant_id = 5 ORDER BY embedding <=> '[1,2,3]' LIMIT 5;
SELECT coalesce(a, b, 'x'), nullif(a, ''), greatest(a, b), least(1, 2), a || '-' || b, upper(trim(both ' ' from a)), substring(a from 2 for 3), position('x' in a), overlay(a placing 'x' from 1 for 2) FROM t;
SELECT CASE status WHEN 'a' THEN 1 WHEN 'b' THEN 2 ELSE 0 END, CASE WHEN n > 5 THEN 'many' END AS "how many" FROM t;
SELECT value, key, name, type, source, target, path, first, last, day, year, month, level, role, data, content, position, time, timestamp, user_id, text, zone, at, rows, range, groups, filter, over, start, state FROM t;
SELECT t.user, t.order, t.group, t.end, t.table, t.select FROM t;
SELECT a AS user, b AS order, c AS "group", d AS end, e AS value FROM t AS key;
SELECT key.value, source.target FROM key JOIN source ON key.id = source.id;
SELECT * FROM value WHERE value.id = 5 AND name = 'x';
SELECT * FROM "Order" WHERE "Order"."Id" = 5;
SELECT * FROM s."T t" x WHERE x."Id" = 5;
SELECT max(id) + 1 FROM t WHERE tenant = 5 AND (SELECT count(*) FROM s WHERE s.t_id = t.id) > 3;
SELECT * FROM t WHERE EXISTS (SELECT FROM s WHERE s.id = t.id) AND NOT EXISTS (SELECT 1 FROM u WHERE u.id = t.id);
SELECT * FROM t WHERE (a, b) = (1, 2) AND ROW(c, d) = ROW(3, 4) AND (e, f) > (5, 6);
SELECT * FROM t LEFT JOIN s USING (id) RIGHT JOIN u ON u.id = t.id FULL OUTER JOIN v ON v.id = u.id WHERE t.id = 5;
SELECT * FROM (SELECT id, max(v) AS v FROM t GROUP BY id) x JOIN t ON t.id = x.id AND t.v = x.v WHERE t.id = 5;
SELECT * FROM (t JOIN s ON t.id = s.id) JOIN u ON u.id = s.id WHERE t.id = 5;
SELECT id FROM a WHERE id = 5 UNION ALL SELECT id FROM b WHERE id = 5 ORDER BY id LIMIT 10;
(SELECT id FROM a WHERE id = 5 LIMIT 1) UNION (SELECT id FROM b) EXCEPT SELECT 3 INTERSECT SELECT 4;
VALUES (1, 'a'), (2, 'b') ORDER BY 1;
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (id, name) JOIN t USING (id);
TABLE orders;
WITH q AS (SELECT * FROM t WHERE id = 5) SELECT * FROM q JOIN s ON s.id = q.id;
WITH moved AS (DELETE FROM queue WHERE tenant_id = 7 RETURNING *) INSERT INTO done SELECT * FROM moved;
WITH RECURSIVE tree(id, parent, depth) AS (SELECT id, parent, 0 FROM nodes WHERE id = 1 UNION ALL SELECT n.id, n.parent, depth + 1 FROM nodes n JOIN tree ON n.parent = tree.id) SELECT * FROM tree ORDER BY depth;
WITH a AS MATERIALIZED (SELECT 1), b AS NOT MATERIALIZED (SELECT 2) SELECT * FROM a, b;
WITH upd AS (UPDATE t SET n = n + 1 WHERE id = 5 RETURNING id), ins AS (INSERT INTO log (id) SELECT id FROM upd RETURNING id) SELECT count(*) FROM ins;
SELECT * FROM generate_series(1, 10) AS g(i), unnest(ARRAY[1, 2]) WITH ORDINALITY AS u(v, n);
SELECT * FROM json_to_recordset('[{"a": 1}]') AS x(a int, b text);
SELECT array_agg(id ORDER BY id DESC), string_agg(name, ', ' ORDER BY name), json_agg(t.*), jsonb_object_agg(k, v), percentile_cont(0.5) WITHIN GROUP (ORDER BY v), mode() WITHIN GROUP (ORDER BY v) FROM t WHERE tenant_id = 5;
SELECT a, b, grouping(a), sum(c) FROM t GROUP BY GROUPING SETS ((a), (b), ()) HAVING sum(c) > 5;
SELECT a, sum(c) FROM t GROUP BY ROLLUP (a, b), CUBE (c);
SELECT * FROM t TABLESAMPLE BERNOULLI (10) REPEATABLE (5) WHERE id = 5;
SELECT * FROM ONLY t WHERE id = 5 FETCH FIRST 10 ROWS ONLY;
SELECT * FROM t WHERE id = 5 OFFSET 10 ROWS FETCH NEXT 5 ROWS WITH TIES;
SELECT * FROM t WHERE id = 5 FOR UPDATE OF t NOWAIT;
SELECT * FROM t WHERE id = 5 FOR NO KEY UPDATE SKIP LOCKED;
SELECT * FROM t WHERE id = 5 FOR SHARE;
SELECT * FROM t WHERE created_at AT TIME ZONE 'UTC' > now() - INTERVAL '7' DAY AND x::date = current_date AND u = current_user AND l > localtimestamp(3);
SELECT x[1], x[2:3], (y).z, (f(x)).a, arr[1][2] FROM t WHERE id = 5;
SELECT f(a => 1, b := 2), g(VARIADIC ARRAY[1, 2]), h(*) FROM t;
SELECT E'a\nb\'c', U&'d\0061t\+000061', U&'d!0061' UESCAPE '!', B'0101', X'1F', N'x', $$dollar$$, $q$a $$ b$q$, 'a'
  'b';
SELECT 1_000, 0xFF, 0o17, 0b101, 1.5e10, .5, 5., 1e-3;
SELECT NULL::int IS NULL, true AND NOT false, NULL ISNULL, 1 NOTNULL, x IS UNKNOWN FROM t;
SELECT id::text, id::varchar(10), id::pg_catalog.int8, '{1}'::int[], '1 day'::interval, x::double precision, y::timestamp with time zone, z::character varying(5)[] FROM t;
SELECT DISTINCT a, b FROM t ORDER BY a ASC NULLS FIRST, b DESC NULLS LAST, c USING <;
SELECT * FROM a, b, c WHERE a.id = b.id AND b.id = c.id AND a.id = 5;
SELECT pg_catalog.set_config('search_path', '', false);
SELECT 1;
SELECT version();
SELECT current_schema(), session_user;
SELECT current_setting('server_version_num')::int / 100 AS major;
SELECT nextval('s'), currval('s'), lastval(), setval('s', 5, true);
SELECT pg_try_advisory_lock(1, 2);
SELECT t.oid, t.typname FROM pg_type t JOIN pg_namespace n ON t.typnamespace = n.oid WHERE n.nspname <> 'pg_catalog' AND t.typtype = 'e';
SELECT n.nspname = ANY(current_schemas(true)), n.nspname, t.typname FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON t.typnamespace = n.oid WHERE t.oid = $1;
SELECT a.attname, format_type(a.atttypid, a.atttypmod), pg_get_expr(d.adbin, d.adrelid), a.attnotnull FROM pg_attribute a LEFT JOIN pg_attrdef d ON a.attrelid = d.adrelid AND a.attnum = d.adnum WHERE a.attrelid = '"users"'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum;
SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type LIKE '%TABLE%';
SELECT c.oid::pg_catalog.regclass FROM pg_catalog.pg_class c WHERE c.relname OPERATOR(pg_catalog.~) '^(orders)$' COLLATE pg_catalog.default AND pg_catalog.pg_table_is_visible(c.oid);

-- benchmarks
SELECT abalance FROM pgbench_accounts WHERE aid = 12345;
UPDATE pgbench_accounts SET abalance = abalance + -4321 WHERE aid = 12345;
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (1, 2, 3, -4, CURRENT_TIMESTAMP);
SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse WHERE w_id = 1 AND c_w_id = w_id AND c_d_id = 2 AND c_id = 3;
SELECT count(DISTINCT (s_i_id)) FROM order_line, stock WHERE ol_w_id = 1 AND ol_d_id = 2 AND (ol_o_id < 100) AND ol_o_id >= (100 - 20) AND s_w_id = 1 AND s_i_id = ol_i_id AND s_quantity < 15;
SELECT c FROM sbtest1 WHERE id BETWEEN 100 AND 199 ORDER BY c;
SELECT l_returnflag, l_linestatus, sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge FROM lineitem WHERE l_shipdate <= date '1998-12-01' - interval '90' day GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus;
SELECT s_acctbal, s_name FROM part, supplier, partsupp WHERE p_partkey = ps_partkey AND ps_supplycost = (SELECT min(ps_supplycost) FROM partsupp WHERE p_partkey = ps_partkey) ORDER BY s_acctbal DESC LIMIT 100;
SELECT 100.00 * sum(CASE WHEN p_type LIKE 'PROMO%' THEN l_extendedprice * (1 - l_discount) ELSE 0 END) / sum(l_extendedprice) AS promo_revenue FROM lineitem, part WHERE l_partkey = p_partkey;

-- with comments, as drivers and proxies add them
/* app:web,controller:users */ SELECT * FROM t WHERE id = 5 /* trailing */;
SELECT /* inside */ * -- to the end
FROM t -- more
WHERE id = 5


OR id = 6;
