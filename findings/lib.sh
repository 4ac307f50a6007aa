# shellcheck shell=bash disable=SC2034
# Sourced by each finding: a temporary folder, pinned packages, and comparisons of observations.
set -euo pipefail

findings=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
servers=()
result=0
cd "$folder"
export NO_COLOR=1 DENO_DIR="$folder/deno" DENO_NO_UPDATE_CHECK=1 DENO_NO_PACKAGE_JSON=1

finish() {
  local status=$? server
  for server in "${servers[@]}"; do
    kill "$server" 2> /dev/null || true
    wait "$server" 2> /dev/null || true
  done
  cd / && rm -rf "$folder"
  exit "$((status > result ? status : result))"
}
trap finish EXIT

# npm_packages NAME@VERSION...: installs them in the temporary folder, without their scripts.
npm_packages() {
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder" "$@" > /dev/null
  echo "packages: $*"
}

# install_deno VERSION: sets `deno` to the program itself, because npm's `deno` starts it by Node.
install_deno() {
  npm_packages "deno@$1"
  deno=$(echo "$folder"/node_modules/@deno/linux-*/deno)
}

# debian NAME VERSION: installs a missing package; VERSION is the one that was seen.
debian() {
  local status
  status=$(dpkg-query --showformat='${db:Status-Status}' --show "$1" 2> /dev/null) || true
  if [ "$status" != installed ]; then
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -y \
      --no-install-recommends "$1" > /dev/null
  fi
  echo "package: $1 $(dpkg-query --showformat='${Version}' --show "$1") (seen with $2)"
}

# serve COMMAND...: runs it until the end of the script.
serve() {
  "$@" > "$folder/server.log" 2>&1 &
  servers+=("$!")
}

# wait_for COMMAND...: waits up to a minute until it succeeds.
wait_for() {
  for _ in $(seq 600); do
    if "$@" > /dev/null 2>&1; then return; fi
    sleep 0.1
  done
  echo "no success within a minute: $*"
  return 1
}

# free_port: prints a free port of this machine.
free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => {
    console.log(s.address().port); s.close(); })'
}

# start_postgres: starts PostgreSQL 15 of Debian on `postgres_port` and in the folder
# `postgres_folder`.
start_postgres() {
  debian postgresql-15 15.18-0+deb12u1
  postgres_port=$(free_port)
  postgres_folder="$folder/postgres"
  local bin=/usr/lib/postgresql/15/bin as=()
  mkdir "$postgres_folder"
  if [ "$(id -u)" = 0 ]; then
    chmod 711 "$folder" && chown postgres "$postgres_folder" && as=(runuser -u postgres --)
  fi
  "${as[@]}" "$bin/initdb" -D "$postgres_folder/data" -A trust -U postgres -E UTF8 \
    --locale=C.UTF-8 > /dev/null
  serve "${as[@]}" "$bin/postgres" -D "$postgres_folder/data" -p "$postgres_port" \
    -h 127.0.0.1 -k "$postgres_folder"
  wait_for "$bin/pg_isready" -h 127.0.0.1 -p "$postgres_port"
}

# observe NAME EXPECTED SEEN: prints what was seen, and lets the script fail if it has changed.
observe() {
  echo "$1: $3"
  if [ "$2" != "$3" ]; then
    echo "  CHANGED, it was: $2"
    result=1
  fi
}
