# What the shell checks share. Sourced, with the place as first argument: session or transaction (one shard), or
# sharded (three shards, transaction mode). The connection stands in PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE.
place=${1:?session, transaction or sharded}
differences=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# same NAME EXPECTED ACTUAL
same() {
    if [ "$2" = "$3" ]; then
        echo "ok: $1"
    else
        echo "DIFFERS: $1"
        echo "  expected: $2"
        echo "  actual:   $3"
        differences=$((differences + 1))
    fi
}

# holds NAME PATTERN ACTUAL: an extended regular expression that the text has to hold
holds() {
    if grep -Eq -- "$2" <<<"$3"; then
        echo "ok: $1"
    else
        echo "DIFFERS: $1"
        echo "  expected to hold: $2"
        echo "  actual:   $3"
        differences=$((differences + 1))
    fi
}

# passes NAME COMMAND...: it ends with 0
passes() {
    local name=$1
    shift
    if "$@" >"$scratch/output" 2>&1; then
        echo "ok: $name"
    else
        echo "DIFFERS: $name (exit status $?)"
        sed 's/^/  /' "$scratch/output"
        differences=$((differences + 1))
    fi
}

# Statements on standard input, through one psql; rows only, fields divided by |
rows() {
    psql -XAtq "$@" 2>&1
}

finish() {
    if [ "$differences" -gt 0 ]; then
        echo "$differences differences"
        exit 1
    fi
}
