import { assertEquals, assertRejects } from "@std/assert";
import postgres from "postgres";
import { ConnectionLostError } from "../../../src/database/failures.ts";
import { PrimarySearch } from "../../../src/database/primary_search.ts";
import { waitUntil } from "../../support/wait.ts";
import { SilentServer } from "./silent_server.ts";

const FIRST = { name: "first", port: 1 };
const SECOND = { name: "second", port: 2 };

/** A search among servers that let everybody in and answer so many queries, by their names. */
function searchAmong(answers: Record<string, number>, timeoutMs?: number): PrimarySearch {
  return new PrimarySearch(
    [FIRST, SECOND],
    ({ name }) => (options) =>
      postgres({
        ...options,
        host: name,
        database: "none",
        username: "nobody",
        fetch_types: false,
        ...{ socket: () => new SilentServer(answers[name]) },
      }),
    timeoutMs,
  );
}

Deno.test("PrimarySearch takes the host that answers, and not the one that only lets in", async () => {
  assertEquals(await searchAmong({ first: 0, second: 1 }).find(), SECOND);
  assertEquals(await searchAmong({ first: 1, second: 0 }).find(), FIRST);
});

Deno.test("PrimarySearch gives up where none answers, and begins anew with the next to ask", async () => {
  const answers = { first: 0, second: 0 };
  const search = searchAmong(answers, 200);
  const inVain = [search.find(), search.find()];
  for (const find of inVain) await assertRejects(() => find, ConnectionLostError);
  answers.first = 1;
  // A busy machine may take longer than a search has.
  await waitUntil("it is found", () => search.find().then((host) => host === FIRST, () => false));
});
