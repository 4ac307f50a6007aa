/**
 * Writes `src/client/wire.ts` (the types and routes of the client package) and the snapshot of the
 * API's contract; tests compare them. The contract is written only if the changelog names its
 * breaking changes.
 */

import { readConfig } from "../src/operator/config/config.ts";
import { startService } from "../src/service.ts";
import { breakingChanges, contractOf, missingInChangelog, writeContract } from "./api_contract.ts";
import { clientWire } from "./client_wire.ts";

const CONTRACT = "tests/http/contract.snapshot.json";

const folder = await Deno.makeTempDir({ prefix: "prs-wire-" });
const settings: Readonly<Record<string, string>> = {
  DATA_DIR: folder,
  ASSISTANTS: "true",
  ASSISTANT_REGISTRATION: "true",
  PORT: "0",
  LOG_LEVEL: "silent",
};
const environment = { get: (name: string) => settings[name], readFile: Deno.readTextFileSync };
const service = await startService(readConfig(environment));
try {
  const response = await fetch(`http://127.0.0.1:${service.server.port}/api/v2/openapi.json`);
  const document = await response.json();
  await Deno.writeTextFile("src/client/wire.ts", clientWire(document));
  const contract = contractOf(document);
  const removed = breakingChanges(await Deno.readTextFile(CONTRACT), contract);
  const missing = missingInChangelog(removed, await Deno.readTextFile(".github/CHANGELOG.md"));
  if (missing.length > 0) throw new Error(`Not in the changelog:\n${missing.join("\n")}`);
  await Deno.writeTextFile(CONTRACT, writeContract(contract));
} finally {
  await service.stop();
  await Deno.remove(folder, { recursive: true });
}
