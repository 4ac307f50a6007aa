#!/bin/sh
# Runs the command prs with the permissions that its words need, where it was called.
#
#   sh scripts/prs.sh WORDS...

project=$(cd "$(dirname "$0")/.." && pwd) || exit 1
cd "${INIT_CWD:-.}" || exit 1
flags=$(deno run --no-config --no-prompt --allow-read \
  --allow-env=HOME,XDG_CONFIG_HOME,XDG_STATE_HOME,VISUAL,EDITOR "$project/scripts/prs_permissions.ts" "$@") ||
  exit 1
# One flag a line, which may hold blanks.
IFS='
'
set -f
# shellcheck disable=SC2086
exec deno run --no-config $flags "$project/src/prs/main.ts" "$@"
