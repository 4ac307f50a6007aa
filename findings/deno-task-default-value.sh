#!/usr/bin/env bash
# Deno 2.9.6 (npm): the shell of `deno task` replaces $NAME and $(command), but not
# ${NAME:-default}. It reports no error: the command receives the characters as they are written.
#   ${NAME:-fallback}: ${NAME:-fallback}
#   $(command): fallback
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
cat > deno.json <<'JSON'
{ "tasks": {
  "default": "echo ${NAME:-fallback}",
  "command": "echo $(test -n \"$NAME\" && echo \"$NAME\" || echo fallback)"
} }
JSON
unset NAME
# shellcheck disable=SC2016
observe '${NAME:-fallback}' '${NAME:-fallback}' "$("$deno" task --quiet default)"
# shellcheck disable=SC2016
observe '$(command)' fallback "$("$deno" task --quiet command)"
