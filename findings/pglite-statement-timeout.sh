#!/usr/bin/env bash
# PGlite 0.5.17 (npm): statement_timeout is accepted and shown, but no timer runs in the engine: a
# statement of ten times the limit ends normally. It also holds JavaScript's thread, so no timer of
# the program can end it either.
#   show statement_timeout: 100ms
#   pg_sleep(1): ended normally
#   timers of 50 ms that fired during it: 0
. "$(dirname "$0")/lib.sh"
npm_packages @electric-sql/pglite@0.5.17
cat > sleep.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite";
const engine = await PGlite.create();
await engine.exec("set statement_timeout = 100");
console.log((await engine.query("show statement_timeout")).rows[0].statement_timeout);
let fired = 0;
const timer = setInterval(() => fired++, 50);
const ended = await engine.query("select pg_sleep(1)").then(() => "ended normally", (error) => error.message);
const duringStatement = fired;
clearInterval(timer);
console.log(ended);
console.log(duringStatement);
await engine.close();
JS
seen=$(node sleep.mjs)
observe "show statement_timeout" 100ms "$(sed -n 1p <<< "$seen")"
observe "pg_sleep(1)" "ended normally" "$(sed -n 2p <<< "$seen")"
observe "timers of 50 ms that fired during it" 0 "$(sed -n 3p <<< "$seen")"
