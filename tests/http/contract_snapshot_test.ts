/** The API keeps what its snapshot promises, unless the changelog says otherwise. */

import { assertEquals } from "@std/assert";
import {
  contractOf,
  narrowings,
  readContract,
  untold,
  writeContract,
} from "../../scripts/api_contract.ts";
import { chapter } from "../support/chapters.ts";
import { sharedWorld } from "../support/world.ts";

const world = sharedWorld();

Deno.test("OpenAPI narrowed without a changelog line", async () => {
  const { body } = await world().call("GET", "/api/v2/openapi.json");
  const contract = contractOf(body);
  const snapshot = chapter("tests/http/contract.snapshot.txt");
  const found = narrowings(readContract(snapshot), contract);
  // A bullet of the newest entry names each place in backticks, and says "removed" or "narrowed".
  assertEquals(untold(found, chapter(".github/CHANGELOG.md")), []);
  // `deno task snapshot` updates it.
  assertEquals(writeContract(contract).split("\n"), snapshot.split("\n"));
});
