#!/usr/bin/env bash
# Deno 2.9.6 (npm): two programs that share a module and have different V8 flags make each other
# slow. Deno keeps one compiled form of a module, whatever the flags, and V8 discards a form that
# was made with others. If such programs run in turns, the shared module is compiled and stored
# again at each start, and only the debug log tells. Some flags do not matter, such as
# --max-semi-space-size.
#   modules that are compiled by the second run of one program: nothing
#   after another program without the flag: shared.mjs
#   after another program with the flag: nothing
#   with another size of the semi-space: nothing
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
echo 'export const one = 1;' > shared.mjs
echo 'import { one } from "./shared.mjs"; console.log("service", one);' > service.mjs
echo 'import { one } from "./shared.mjs"; console.log("helper", one);' > helper.mjs
flag=--v8-flags=--heap-growing-percent=100
# compiled FLAG... FILE: runs a program, and prints the modules that Deno compiles and stores.
compiled() {
  "$deno" run --log-level=debug "$@" 2>&1 |
    sed -n 's|.*Updating V8 code cache for ES module: .*/\([a-z.]*\), .*|\1|p' |
    paste -sd ' ' | sed 's/^$/nothing/'
}
compiled "$flag" service.mjs > /dev/null
observe "the second run of one program" nothing "$(compiled "$flag" service.mjs)"
compiled helper.mjs > /dev/null
observe "after another program without the flag" shared.mjs "$(compiled "$flag" service.mjs)"
compiled "$flag" helper.mjs > /dev/null
observe "after another program with the flag" nothing "$(compiled "$flag" service.mjs)"
observe "with another size of the semi-space" nothing \
  "$(compiled "$flag,--max-semi-space-size=4" service.mjs)"
