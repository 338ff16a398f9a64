#!/usr/bin/env bash
# Installs the drivers that the clients profile runs, in the versions that are named beside their checks, under
# tools/clients/target. What cannot be installed is named; its checks are then skipped, the others run.
#
#   tools/clients/install.sh [node] [python] [pgx]        default: all
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
target=$here/target
mkdir -p "$target"
failed=0

install() {
    local name=$1
    if "$name"; then
        echo "installed: $name"
    else
        echo "not installed: $name" >&2
        failed=1
    fi
}

node() {
    mkdir -p "$target/node" &&
        cp "$here/node/package.json" "$here/node/package-lock.json" "$target/node/" &&
        npm ci --prefix "$target/node" --ignore-scripts --silent
}

python() {
    python3 -m venv "$target/python" &&
        "$target/python/bin/pip" install --quiet --only-binary :all: -r "$here/python/requirements.txt"
}

pgx() {
    (cd "$here/pgx" && go build -mod=readonly -o "$target/pgx" .)
}

for name in "${@:-node python pgx}"; do
    for each in $name; do
        install "$each"
    done
done
exit $failed
