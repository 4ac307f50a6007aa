#!/usr/bin/env bash
# Deno 2.9.6 (npm): `deno task` sets INIT_CWD to the folder it was called in, but only if it is not
# set. A task that another task starts therefore sees the folder of the outer call, not of its own.
#   outer folder seen by the inner task: outer
#   a value of the caller: /elsewhere
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
mkdir -p outer/inner
cat > outer/deno.json <<'JSON'
{ "tasks": { "nest": "cd inner && deno task --quiet show", "show": "echo $INIT_CWD" } }
JSON
cat > outer/inner/deno.json <<'JSON'
{ "tasks": { "show": "echo $INIT_CWD" } }
JSON
cd outer
PATH="$(dirname "$deno"):$PATH"
unset INIT_CWD
observe "outer folder seen by the inner task" outer "$(basename "$(deno task --quiet nest)")"
observe "a value of the caller" /elsewhere "$(INIT_CWD=/elsewhere deno task --quiet show)"
