#!/usr/bin/env bash
# Deno 2.9.6 (npm): Worker.terminate() does not end a Worker that is computing. It returns at once,
# but the Worker computes on, can still print, and the process ends after it. HTML says that
# terminate() aborts the running script; Node's worker_threads do so.
#   deno: the worker finished
#   node: the worker was ended
. "$(dirname "$0")/lib.sh"
install_deno 2.9.6
echo "node: $(node --version)"
cat > worker.mjs <<'JS'
import { writeSync } from "node:fs";
const end = Date.now() + 3000;
postMessage("started");
while (Date.now() < end);
writeSync(1, "the worker finished\n");
JS
cat > deno.mjs <<'JS'
const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
await new Promise((resolve) => worker.onmessage = resolve);
worker.terminate();
JS
cat > node.mjs <<'JS'
import { Worker } from "node:worker_threads";
const code = 'import { parentPort } from "node:worker_threads";' +
  'globalThis.postMessage = (value) => parentPort.postMessage(value);' +
  'await import("file://' + process.cwd() + '/worker.mjs");';
const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(code)));
await new Promise((resolve) => worker.once("message", resolve));
await worker.terminate();
console.log("the worker was ended");
JS
observe deno "the worker finished" "$("$deno" run --allow-all deno.mjs)"
observe node "the worker was ended" "$(node node.mjs)"
