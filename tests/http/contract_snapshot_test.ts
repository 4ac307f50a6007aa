/** The API keeps the promises of its snapshot, unless the changelog names the change. */

import { assert } from "@std/assert";
import {
  breakingChanges,
  contractOf,
  missingInChangelog,
  writeContract,
} from "../../scripts/api_contract.ts";
import { chapter } from "../support/chapters.ts";
import { assertSnapshot } from "../support/snapshot.ts";
import { callApp, sharedWorld } from "../support/world.ts";
import { LIMITS } from "./assistants.ts";

const world = sharedWorld();

const RULE =
  "Removed lines are breaking changes. A bullet of the newest entry of .github/CHANGELOG.md must name each " +
  'place in backticks, with "removed", "changed" or "narrowed". Then: deno task snapshot';

Deno.test("The API has no breaking change without a changelog line", async () => {
  const app = world().again({ assistants: { ...LIMITS, registration: true } });
  const { body } = await callApp(app, "GET", "/api/v2/openapi.json");
  const contract = contractOf(body);
  const path = "tests/http/contract.snapshot.json";
  const snapshot = chapter(path);
  const removed = breakingChanges(snapshot, contract);
  const missing = missingInChangelog(removed, chapter(".github/CHANGELOG.md"));
  assert(missing.length === 0, [RULE, ...missing.map((line) => `- ${line}`)].join("\n"));
  assertSnapshot(path, writeContract(contract), snapshot);
});
