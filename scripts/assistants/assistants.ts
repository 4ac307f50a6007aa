/**
 * `deno task test:assistants`: programs of npm sign in to the service as assistants, read, refresh
 * and are refused after the end of their assistant. Needs npm, and a network for its packages.
 *
 * `--only client` runs the programs whose names contain the text.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { print } from "../print.ts";
import type { Check } from "./check.ts";
import { runConformance } from "./conformance.ts";
import { runRemote } from "./mcp_remote.ts";
import { type Owner, startOwner } from "./owner.ts";
import { install, type Installed } from "./packages.ts";
import { runScript } from "./script.ts";

type Program = (owner: Owner, installed: Installed) => Promise<readonly Check[]>;

const CLIENT = "@modelcontextprotocol/client";

const PROGRAMS: Readonly<Record<string, Program>> = {
  "sdk 1.32.2": sdk("@modelcontextprotocol/sdk"),
  "client 2.4.0, legacy": sdk(CLIENT),
  "client 2.4.0, auto": sdk(CLIENT, ["auto"]),
  "client 2.4.0, registering": sdk(CLIENT, [], true),
  "oauth4webapi 3.8.8": async (owner, installed) => {
    const assistant = await owner.lendTo("OTHER", ["http://127.0.0.1/callback"]);
    const script = { name: "oauth_library.ts", args: ["oauth4webapi"] };
    return await runScript(owner, installed, assistant, script);
  },
  "conformance 0.2.0-alpha.12": runConformance,
  "mcp-remote 0.15.1": runRemote,
};

function sdk(name: string, more: readonly string[] = [], registers = false): Program {
  return async (owner, installed) => {
    const assistant = await owner.lendTo("CLAUDE_CODE");
    const script = { name: "mcp_sdk.ts", args: [name, ...more], registers };
    return await runScript(owner, installed, assistant, script);
  };
}

if (import.meta.main) await main();

async function main(): Promise<void> {
  const { values: { only = "" } } = parseArgs({ options: { only: { type: "string" } } });
  const folder = await Deno.makeTempDir({ prefix: "prs-assistants-" });
  let failed = 0;
  let passed = 0;
  try {
    const installed = await install(folder);
    await using owner = await startOwner(`${folder}/data`);
    for (const [name, program] of Object.entries(PROGRAMS)) {
      if (!name.includes(only)) continue;
      for (const check of await program(owner, installed)) {
        print(lineOf(name, check));
        if (check.passed) passed++;
        else failed++;
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  print(`${passed} passed, ${failed} failed`);
  Deno.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

function lineOf(program: string, { name, passed, reason }: Check): string {
  return passed ? `ok: ${program} ${name}` : `FAILED: ${program} ${name}: ${reason}`;
}
