#!/usr/bin/env bash
# Deno 2.9.6 (npm): the asynchronous functions of node:zlib compress on the thread of the program,
# where Node uses another one: timers wait until a call of gzip ends.
#   turns of the event loop during a gzip of 64 MB, in Node: some
#   turns of the event loop during a gzip of 64 MB, in Deno: at most one
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
cat > turns.mjs <<'JS'
import { randomFillSync } from "node:crypto";
import { gzip } from "node:zlib";
const bytes = randomFillSync(Buffer.alloc(64_000_000));
let turns = 0;
const timer = setInterval(() => turns++, 1);
gzip(bytes, () => {
  clearInterval(timer);
  console.log(turns > 10 ? "some" : turns < 2 ? "at most one" : turns);
});
JS
observe "turns of the event loop during a gzip of 64 MB, in Node" some "$(node turns.mjs)"
observe "turns of the event loop during a gzip of 64 MB, in Deno" "at most one" \
  "$("$deno" run --no-config turns.mjs)"
