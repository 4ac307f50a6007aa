/** The API keeps what its snapshot promises, unless the changelog says otherwise. */

import { assert } from "@std/assert";
import {
  contractOf,
  narrowings,
  readContract,
  untold,
  writeContract,
} from "../../scripts/api_contract.ts";
import { chapter } from "../support/chapters.ts";
import { assertSnapshot } from "../support/snapshot.ts";
import { sharedWorld } from "../support/world.ts";

const world = sharedWorld();

const ASK =
  "The API promises less. A bullet of the newest entry of .github/CHANGELOG.md must name each " +
  'place in backticks, and say "removed" or "narrowed":';

Deno.test("OpenAPI narrowed without a changelog line", async () => {
  const { body } = await world().call("GET", "/api/v2/openapi.json");
  const contract = contractOf(body);
  const path = "tests/http/contract.snapshot.txt";
  const snapshot = chapter(path);
  const found = narrowings(readContract(snapshot), contract);
  const lost = untold(found, chapter(".github/CHANGELOG.md"));
  assert(lost.length === 0, [ASK, ...lost].join("\n"));
  assertSnapshot(path, writeContract(contract), snapshot);
});
