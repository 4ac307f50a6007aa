import { assertEquals, assertRejects } from "@std/assert";
import postgres from "postgres";
import { ConnectionLostError } from "../../../src/database/failures.ts";
import { PrimarySearch } from "../../../src/database/primary_search.ts";
import { waitUntil } from "../../support/wait.ts";
import { SilentServer } from "./silent_server.ts";

const FIRST = { name: "first", port: 1 };
const SECOND = { name: "second", port: 2 };

/** By name, with the number of answered queries. */
function searchAmong(answers: Record<string, number>, timeoutMs?: number): PrimarySearch {
  return new PrimarySearch(
    [FIRST, SECOND],
    ({ name }) => (options) => {
      // The driver's types do not declare `socket`.
      const undeclared = { socket: () => new SilentServer(answers[name]) };
      return postgres({
        ...options,
        ...undeclared,
        host: name,
        database: "none",
        username: "nobody",
        fetch_types: false,
      });
    },
    timeoutMs,
  );
}

Deno.test("PrimarySearch chooses the host that answers, not one that only connects", async () => {
  assertEquals(await searchAmong({ first: 0, second: 1 }).find(), SECOND);
  assertEquals(await searchAmong({ first: 1, second: 0 }).find(), FIRST);
});

Deno.test("PrimarySearch fails if none answers, and restarts for the next caller", async () => {
  const answers = { first: 0, second: 0 };
  const search = searchAmong(answers, 200);
  const inVain = [search.find(), search.find()];
  for (const find of inVain) await assertRejects(() => find, ConnectionLostError);
  answers.first = 1;
  // For busy machines.
  await waitUntil("it is found", () => search.find().then((host) => host === FIRST, () => false));
});
