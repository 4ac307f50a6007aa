#!/usr/bin/env bash
# mcp-remote 0.15.1 (npm): its README limits the wait for the sign-in in the browser to 30 seconds,
# or to `--auth-timeout`. Nothing ends then: a person who allows later is signed in all the same,
# and a program that nobody allows waits on. The option bounds other waits.
#   1 second given, 5 seconds after the address was printed: still waiting
#   Allow after 5 seconds: signed in
. "$(dirname "$0")/lib.sh"
npm_packages mcp-remote@0.15.1
. "$findings/oauth.sh"
start_oauth
cat > late.mjs <<'JS'
import { spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
const [origin] = process.argv.slice(2);
const args = ["--auth-timeout", "1", "--static-oauth-client-info", '{"client_id":"c1"}'];
const program = spawn("./node_modules/.bin/mcp-remote", [`${origin}/mcp`, ...args], {
  env: { ...process.env, MCP_REMOTE_CONFIG_DIR: "./config", BROWSER: "true", DISPLAY: "" },
});
let printed = "";
program.stderr.on("data", (text) => printed += text);
const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "p", version: "1" } };
program.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
const results = [];
program.stdout.on("data", (text) => results.push(JSON.parse(text)));
while (!/visiting:\s+\S+\s/.test(printed)) await setTimeout(50);
await setTimeout(5000);
console.log(program.exitCode === null ? "still waiting" : `ended with ${program.exitCode}`);
const asked = new URL(/visiting:\s+(\S+)/.exec(printed)[1]).searchParams;
const callback = new URL(asked.get("redirect_uri"));
callback.search = new URLSearchParams({ code: "code", state: asked.get("state") });
await fetch(callback);
for (let waited = 0; results.length === 0 && waited < 200; waited++) await setTimeout(50);
console.log(results[0]?.result === undefined ? "no answer" : "signed in");
program.kill();
process.exit();
JS
seen=$(node late.mjs "$origin")
observe "1 second given, 5 seconds after the address was printed" "still waiting" \
  "$(sed -n 1p <<< "$seen")"
observe "Allow after 5 seconds" "signed in" "$(sed -n 2p <<< "$seen")"
