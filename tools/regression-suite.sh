#!/usr/bin/env bash
# Runs PostgreSQL's own regression suite against one PostgreSQL and through Trunkline, and shows where the results
# differ. Each run gets a fresh cluster of its own.
#
#   tools/regression-suite.sh --source DIR [options]
#
#   --source DIR        PostgreSQL's source tree, of the same major version as the server, configured, with the test
#                       library built: ./configure && make -C src/backend generated-headers
#                       && make -C src/test/regress regress.so && make -C contrib/spi refint.so autoinc.so
#   --bin DIR           the server's programs (initdb, pg_ctl, psql); default: pg_config --bindir
#   --pg-regress FILE   the driver; default: beside the server's pgxs, else the source tree's own
#   --proxy COMMAND     starts the proxy when --config FILE is added; default: java -jar proxy/target/trunkline.jar
#   --modes LIST        any of direct,session,transaction; default: all three
#   --schedule FILE     which tests, default: the source tree's parallel_schedule
#   --server-port N     default 17601;  --proxy-port N  default 17602
#   --output DIR        clusters, results and differences; default: ./regression-suite
#   --as USER           who runs the server and the driver when root calls; default: postgres
#
# Prints, per mode, the tests whose output differs from the direct run; the differences lie in DIR/MODE.diff/.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
source="" bin="" driver="" schedule="" proxy="java -jar $here/proxy/target/trunkline.jar"
modes=direct,session,transaction server_port=17601 proxy_port=17602 output=$PWD/regression-suite as=postgres
while [ $# -gt 0 ]; do
    case $1 in
        --source) source=$(cd "$2" && pwd) ;;
        --bin) bin=$2 ;;
        --pg-regress) driver=$2 ;;
        --proxy) proxy=$2 ;;
        --modes) modes=$2 ;;
        --schedule) schedule=$2 ;;
        --server-port) server_port=$2 ;;
        --proxy-port) proxy_port=$2 ;;
        --output) output=$2 ;;
        --as) as=$2 ;;
        *) sed -n '2,/^set/p' "$0" | sed '$d'; exit 2 ;;
    esac
    shift 2
done
[ -n "$source" ] || { echo "--source is required" >&2; exit 2; }
regress=$source/src/test/regress
bin=${bin:-$(pg_config --bindir)}
schedule=${schedule:-$regress/parallel_schedule}
for candidate in "$driver" "$bin/../lib/pgxs/src/test/regress/pg_regress" "$regress/pg_regress"; do
    if [ -z "$driver" ] && [ -x "$candidate" ]; then driver=$candidate; fi
done

as_user() {
    if [ "$(id -u)" = 0 ]; then runuser -u "$as" -- env PATH="$PATH" "$@"; else "$@"; fi
}

mkdir -p "$output"
output=$(cd "$output" && pwd)
if [ "$(id -u)" = 0 ]; then chown "$as" "$output"; fi
libraries=$output/lib
mkdir -p "$libraries"
cp "$regress/regress.so" "$source/contrib/spi/refint.so" "$source/contrib/spi/autoinc.so" "$libraries/"
proxy_pid="" data=""

stop() {
    if [ -n "$proxy_pid" ]; then kill "$proxy_pid" 2>/dev/null || true; wait "$proxy_pid" || true; proxy_pid=""; fi
    if [ -n "$data" ]; then as_user "$bin/pg_ctl" -D "$data" -m immediate -w stop >/dev/null || true; data=""; fi
}
trap stop EXIT

# A cluster with the database that the suite expects, as its driver would create it.
start_server() {
    data=$output/$1.cluster
    rm -rf "$data"
    as_user "$bin/initdb" -D "$data" -A trust -U postgres -E UTF8 --no-locale --no-sync >"$output/$1.initdb.log"
    as_user tee -a "$data/postgresql.conf" >/dev/null <<END
port = $server_port
listen_addresses = '127.0.0.1'
unix_socket_directories = '$data'
fsync = off
autovacuum = off
max_connections = 300
max_prepared_transactions = 2
END
    as_user "$bin/pg_ctl" -D "$data" -l "$output/$1.server.log" -w start >/dev/null
    as_user "$bin/psql" -qX -h 127.0.0.1 -p "$server_port" -U postgres -d postgres <<END
CREATE DATABASE regression TEMPLATE template0;
ALTER DATABASE regression SET lc_messages TO 'C';
ALTER DATABASE regression SET lc_monetary TO 'C';
ALTER DATABASE regression SET lc_numeric TO 'C';
ALTER DATABASE regression SET lc_time TO 'C';
ALTER DATABASE regression SET bytea_output TO 'hex';
ALTER DATABASE regression SET timezone_abbreviations TO 'Default';
END
}

# Every role that a test reconnects as is a user of the proxy.
users() {
    {
        echo postgres
        grep -hoE '^\\c(onnect)? +[^ ]+ +[a-z_0-9]+' "$regress"/sql/*.sql | awk '{ print $3 }'
    } | sort -u
}

start_proxy() {
    local config=$output/$1.json separator=""
    {
        echo "{\"general\": {\"host\": \"127.0.0.1\", \"port\": $proxy_port, \"auth_type\": \"trust\","
        echo "  \"pooler_mode\": \"$1\", \"default_pool_size\": 60, \"min_pool_size\": 0},"
        echo "\"databases\": [{\"name\": \"regression\", \"host\": \"127.0.0.1\", \"port\": $server_port}],"
        echo "\"users\": ["
        for user in $(users); do
            echo "$separator{\"name\": \"$user\", \"database\": \"regression\", \"password\": \"x\"}"
            separator=,
        done
        echo "]}"
    } >"$config"
    $proxy --config "$config" >"$output/$1.proxy.out" 2>"$output/$1.proxy.log" &
    proxy_pid=$!
    for _ in $(seq 100); do
        if grep -q '^trunkline ready' "$output/$1.proxy.out"; then return; fi
        sleep 0.1
    done
    echo "the proxy did not start: see $output/$1.proxy.log" >&2
    exit 1
}

run() {
    local port=$server_port
    start_server "$1"
    if [ "$1" != direct ]; then
        start_proxy "$1"
        port=$proxy_port
    fi
    rm -rf "${output:?}/$1"
    as_user mkdir "$output/$1"
    # The driver ends with an error when a test differs from the suite's expectation: we compare with the direct run.
    (cd "$output/$1" && as_user "$driver" --use-existing --dbname=regression --host=127.0.0.1 --port="$port" \
        --user=postgres --bindir="$bin" --dlpath="$libraries" --inputdir="$regress" --outputdir="$output/$1" \
        --schedule="$schedule" --max-concurrent-tests=20) >"$output/$1.log" 2>&1 || true
    tail -n 4 "$output/$1.log" | sed "s/^/$1: /"
    stop
}

compare() {
    local differing=0 total=0
    rm -rf "${output:?}/$1.diff"
    mkdir "$output/$1.diff"
    for expected in "$output"/direct/results/*.out; do
        local name
        name=$(basename "$expected" .out)
        total=$((total + 1))
        # Where a result names the run's own folder it may do so.
        if ! diff -U3 --label direct --label "$1" <(sed "s|$output/direct|OUTPUT|g" "$expected") \
            <(sed "s|$output/$1|OUTPUT|g" "$output/$1/results/$name.out" 2>&1) >"$output/$1.diff/$name.diff"; then
            differing=$((differing + 1))
            echo "$1: $name ($(grep -c '^[-+][^-+]' "$output/$1.diff/$name.diff" || true) lines)"
        else
            rm "$output/$1.diff/$name.diff"
        fi
    done
    echo "$1: $differing of $total tests differ from the direct run"
}

for mode in ${modes//,/ }; do
    run "$mode"
    if [ "$mode" != direct ] && [ -d "$output/direct/results" ]; then compare "$mode"; fi
done
