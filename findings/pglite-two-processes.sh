#!/usr/bin/env bash
# PGlite 0.5.17 (npm): two processes can open one data folder at the same time. PostgreSQL would
# refuse the second one because of postmaster.pid; PGlite writes that file, but does not look at it.
#   postmaster.pid while the first one is open: present
#   the second one: 1
. "$(dirname "$0")/lib.sh"
npm_packages @electric-sql/pglite@0.5.17
cat > open.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite";
import { existsSync, writeFileSync } from "node:fs";
const engine = await PGlite.create("data");
const { rows } = await engine.query("select 1 as one");
if (process.argv[2] === "first") {
  writeFileSync("ready.txt", existsSync("data/postmaster.pid") ? "present" : "missing");
  await new Promise((resolve) => setTimeout(resolve, 30_000));
}
console.log(rows[0].one);
process.exit();
JS
serve node open.mjs first
wait_for test -s ready.txt
observe "postmaster.pid while the first one is open" present "$(cat ready.txt)"
observe "the second one" 1 "$(node open.mjs second)"
