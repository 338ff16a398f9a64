#!/usr/bin/env bash
# Checks pgbench in all its modes. pgbench.sh session|transaction|sharded
set -uo pipefail
. "$(dirname "$0")/lib.sh"
pgbench --version

# bench NAME TRANSACTIONS ARGUMENTS...: all of them are carried out, none fails
bench() {
    local name=$1 wanted=$2
    shift 2
    if pgbench "$@" >"$scratch/output" 2>&1; then
        holds "$name" "actually processed: $wanted/$wanted" "$(cat "$scratch/output")"
        if grep -q 'failed transactions' "$scratch/output"; then
            holds "$name: none failed" 'failed transactions: 0 ' "$(cat "$scratch/output")"
        fi
    else
        same "$name" "exit status 0" "$(cat "$scratch/output")"
    fi
}

if [ "$place" = sharded ]; then
    cat >"$scratch/tenant.sql" <<'END'
\set id random(1000, 1000000000)
\set cents random(1, 100000)
BEGIN;
INSERT INTO orders VALUES ('acme-tokyo', :id, 1, 'pgbench', :cents);
SELECT cents FROM orders WHERE tenant_id = 'acme-tokyo' AND id = :id;
UPDATE orders SET cents = cents + 1 WHERE tenant_id = 'acme-tokyo' AND id = :id;
COMMIT;
DELETE FROM orders WHERE tenant_id = 'acme-tokyo' AND id = :id;
SELECT name FROM tenants WHERE id = 'wayne';
END
    for mode in simple extended prepared; do
        bench "one tenant's transactions, $mode" 200 -n -M $mode -c 4 -t 50 -f "$scratch/tenant.sql"
    done
    same "nothing is left of them" "0" \
        "$(rows -c "SELECT count(*) FROM orders WHERE tenant_id = 'acme-tokyo' AND item = 'pgbench'")"
    finish
    exit
fi

passes "initialization" pgbench -i -q -s 1
passes "initialization by the server" pgbench -i -q -s 1 -I dtGvp
passes "foreign keys" pgbench -i -q -s 1 -I dtgpf
for mode in simple extended prepared; do
    bench "TPC-B, $mode" 200 -n -M $mode -c 4 -t 50
    bench "selects, $mode" 400 -n -S -M $mode -c 8 -j 2 -t 50
    bench "selects, $mode, a connection for each transaction" 40 -n -S -M $mode -C -c 2 -t 20
done
cat >"$scratch/pipeline.sql" <<'END'
\set aid random(1, 100000)
\startpipeline
BEGIN;
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
UPDATE pgbench_accounts SET abalance = abalance + 0 WHERE aid = :aid;
COMMIT;
SELECT 1;
\endpipeline
END
for mode in extended prepared; do
    bench "a pipeline, $mode" 200 -n -M $mode -c 4 -t 50 -f "$scratch/pipeline.sql"
done
same "the books balance" "t|600" "$(rows <<'END'
SELECT (SELECT sum(abalance) FROM pgbench_accounts) = sum(delta)
    AND (SELECT sum(tbalance) FROM pgbench_tellers) = sum(delta)
    AND (SELECT sum(bbalance) FROM pgbench_branches) = sum(delta), count(*)
    FROM pgbench_history;
END
)"
bench "it empties its tables before" 10 -c 1 -t 10
passes "the tables are dropped" pgbench -i -q -I d
finish
