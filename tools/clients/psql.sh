#!/usr/bin/env bash
# Checks psql. psql.sh session|transaction|sharded
set -uo pipefail
. "$(dirname "$0")/lib.sh"
psql --version

same "a simple query" "2" "$(rows -c 'SELECT 1 + 1')"
same "a string of several statements" $'1\n2' "$(rows -c 'SELECT 1; SELECT 2')"
same "types" "|{1,NULL,3}|{\"a\": [1, 2]}|\\x00ff10|2024-02-29 12:30:00+00|1.50|NaN" "$(rows <<'END'
SET timezone = 'UTC';
SELECT NULL, ARRAY[1, NULL, 3], '{"a": [1,2]}'::jsonb, '\x00ff10'::bytea, '2024-02-29 13:30:00+01'::timestamptz,
    1.50::numeric, 'NaN'::float8;
END
)"
same "what a query returns, by Parse and Describe" $'a|integer\nb|text' "$(rows <<'END'
SELECT 1 AS a, 'x'::text AS b \gdesc
END
)"
same "a value kept and used" "42" "$(rows <<'END'
SELECT 41 AS answer \gset
SELECT :answer + 1;
END
)"
if psql --version | grep -Eq ' (1[6-9]|[2-9][0-9])'; then
    same "parameters" "7|x" "$(rows <<'END'
SELECT $1::int, $2::text \bind 7 x \g
END
)"
fi
same "settings" $'3000\nTokyo' "$(rows <<'END' | sed 's/.*Tokyo/Tokyo/'
SET statement_timeout = 3000;
SET timezone = 'Asia/Tokyo';
SELECT setting FROM pg_settings WHERE name = 'statement_timeout';
SHOW timezone;
END
)"
same "the encoding as a parameter" "UTF8" "$(rows <<'END'
\echo :ENCODING
END
)"
holds "a cancel" "canceling statement due to user request" \
    "$(timeout -s INT 2 psql -XAtq -c 'SELECT pg_sleep(30)' 2>&1)"
same "the session after an error" "1" "$(rows <<'END' | tail -n 1
SELECT 1 / 0;
SELECT 1;
END
)"
for command in '\l' '\dt' '\dn' '\du' '\df pg_catalog.now' '\dx' '\d+ orders' '\d tenants' '\conninfo' '\sf pg_catalog.now'; do
    passes "$command" rows -v ON_ERROR_STOP=1 -c "$command"
done
same "\\c, and all begins anew" "default" "$(rows <<'END' | grep -v '^You are'
SET application_name = 'mine';
\c
SELECT CASE current_setting('application_name') WHEN 'mine' THEN 'kept' ELSE 'default' END;
END
)"
same "a big result" "100000 5888895" "$(rows -c "SELECT repeat('x', 53) || g FROM generate_series(1, 100000) g" |
    wc | awk '{ print $1, $3 }')"

holds "LISTEN and NOTIFY from another session" \
    'Asynchronous notification "psql_news" with payload "hello" received' "$(rows <<'END'
LISTEN psql_news;
\! psql -XAtq -c "NOTIFY psql_news, 'hello'"
SELECT pg_sleep(0.5);
SELECT 1;
END
)"

if [ "$place" = sharded ]; then
    holds "PREPARE is refused" "ERROR:  PREPARE is not supported on a database of several shards" \
        "$(rows -c 'PREPARE sums (int, int) AS SELECT $1 + $2')"
    holds "a cursor, too" "ERROR:  not supported on a database of several shards: FETCH" \
        "$(rows -v FETCH_COUNT=100 -c 'SELECT * FROM generate_series(1, 2000)')"
    same "one tenant's rows" $'1|anvil|1999\n2|rocket skates|3998\n3|giant magnet|5997' \
        "$(rows -c "SELECT id, item, cents FROM orders WHERE tenant_id = 'acme-berlin' ORDER BY id")"
    same "all tenants' rows" "18" "$(rows -c 'SELECT tenant_id, id FROM orders' | wc -l)"
    same "a transaction that is rolled back" $'1\n0' "$(rows <<'END'
BEGIN;
INSERT INTO users VALUES ('wayne', 900, 'psql');
SELECT count(*) FROM users WHERE tenant_id = 'wayne' AND id = 900;
ROLLBACK;
SELECT count(*) FROM users WHERE tenant_id = 'wayne' AND id = 900;
END
)"
    same "savepoints of the client around each statement" "901" "$(rows <<'END' | grep -v -e ERROR -e DETAIL
\set ON_ERROR_ROLLBACK on
BEGIN;
INSERT INTO users VALUES ('wayne', 901, 'psql');
INSERT INTO users VALUES ('wayne', 901, 'psql');
COMMIT;
DELETE FROM users WHERE tenant_id = 'wayne' AND id = 901 RETURNING id;
END
)"
    for tenant in acme wayne-labs initech acme-tokyo wayne; do
        for i in 1 2 3; do
            printf '%s,"copied, %d",%d\n' $tenant $i $((1000 + i))
        done
    done >"$scratch/users.csv"
    same "COPY of a file and back" "$(sort "$scratch/users.csv")" "$(rows <<END | sort
\\copy users (tenant_id, email, id) FROM '$scratch/users.csv' CSV
COPY (SELECT tenant_id, email, id FROM users WHERE id >= 1000) TO STDOUT CSV;
END
)"
    holds "COPY of a row of a tenant that nobody knows" 'COPY users, line 2' "$(rows <<'END'
COPY users FROM STDIN;
wayne	2000	new
nobody	1	unknown
\.
END
)"
    for tenant in acme wayne-labs initech acme-tokyo wayne; do
        rows -c "DELETE FROM users WHERE tenant_id = '$tenant' AND id >= 1000"
    done >"$scratch/made"
    same "a dump that is read in" $'dumped\ndumped-2\n1\n0' "$(rows <<'END' | grep -v '^$'
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

COPY public.tenants (id, parent_tenant_id, name) FROM stdin;
dumped	\N	Dumped
dumped-2	dumped	Dumped too
\.


COPY public.users (tenant_id, id, email) FROM stdin;
dumped	1	one
dumped-2	2	two
wayne	2001	three
acme	2001	four
initech	2001	five
\.

SELECT tenant_id FROM public.users WHERE tenant_id IN ('dumped', 'dumped-2') ORDER BY 1;
SELECT count(*) FROM public.users WHERE tenant_id = 'wayne' AND id = 2001;
DELETE FROM public.users WHERE tenant_id IN ('dumped', 'dumped-2', 'wayne', 'acme', 'initech') AND id IN (1, 2, 2001) AND email IN ('one', 'two', 'three', 'four', 'five');
DELETE FROM public.tenants WHERE id = 'dumped-2';
DELETE FROM public.tenants WHERE id = 'dumped';
SELECT count(*) FROM public.users WHERE tenant_id = 'wayne' AND id = 2001;
END
)"
    holds "a tenant that nobody knows" "ERROR:  sharding key lookup failed" \
        "$(rows -c "SELECT 1 FROM orders WHERE tenant_id = 'nobody'")"
    same "a new tenant, and its first row" "hooli-2|1|gavin" "$(rows <<'END'
INSERT INTO tenants VALUES ('hooli', NULL, 'Hooli');
INSERT INTO tenants VALUES ('hooli-2', 'hooli', 'Hooli 2');
INSERT INTO users VALUES ('hooli-2', 1, 'gavin');
SELECT * FROM users WHERE tenant_id = 'hooli-2';
DELETE FROM users WHERE tenant_id = 'hooli-2';
DELETE FROM tenants WHERE id = 'hooli-2';
DELETE FROM tenants WHERE id = 'hooli';
END
)"
    finish
    exit
fi

rows -c 'DROP TABLE IF EXISTS psql_check; CREATE TABLE psql_check (id int PRIMARY KEY, note text)' >"$scratch/made"
same "a transaction that is rolled back" $'1\n0' "$(rows <<'END'
BEGIN;
INSERT INTO psql_check VALUES (1, 'one');
SELECT count(*) FROM psql_check;
ROLLBACK;
SELECT count(*) FROM psql_check;
END
)"
same "PREPARE and EXECUTE" $'3\n5' "$(rows <<'END'
PREPARE sums (int, int) AS SELECT $1 + $2;
EXECUTE sums (1, 2);
EXECUTE sums (2, 3);
END
)"
same "rows in pieces by a cursor" "2000" "$(rows -v FETCH_COUNT=100 -c 'SELECT * FROM generate_series(1, 2000)' | wc -l)"
same "a failed transaction" $'25P02\nROLLBACK' "$(rows <<'END' | tail -n 2
\set QUIET off
BEGIN;
SELECT 1 / 0;
SELECT 1;
\echo :LAST_ERROR_SQLSTATE
COMMIT;
END
)"
same "savepoints of the client around each statement" "1" "$(rows <<'END' | tail -n 1
\set ON_ERROR_ROLLBACK on
BEGIN;
INSERT INTO psql_check VALUES (1, 'one');
INSERT INTO psql_check VALUES (1, 'again');
COMMIT;
SELECT count(*) FROM psql_check;
END
)"
printf '2,two\n3,"three, quoted"\n' >"$scratch/in.csv"
same "COPY both ways" $'1,one\n2,two\n3,"three, quoted"' "$(rows <<END
\\copy psql_check FROM '$scratch/in.csv' CSV
COPY psql_check TO STDOUT CSV;
END
)"
same "COPY from the script itself" "4" "$(rows <<'END'
COPY psql_check FROM STDIN;
4	four
\.
SELECT count(*) FROM psql_check;
END
)"
holds "COPY of a row that is refused" 'duplicate key' "$(rows <<'END'
COPY psql_check FROM STDIN;
4	again
\.
END
)"
same "a temporary table" "7" "$(rows <<'END'
CREATE TEMP TABLE psql_temp AS SELECT 7 AS n;
SELECT n FROM psql_temp;
END
)"
same "a large object" "hello" "$(rows <<END
$(printf 'hello' >"$scratch/object")
\\lo_import '$scratch/object'
\\lo_export :LASTOID '$scratch/exported'
\\lo_unlink :LASTOID
\\! cat '$scratch/exported'
END
)"
rows -c 'DROP TABLE psql_check' >"$scratch/dropped"
finish
