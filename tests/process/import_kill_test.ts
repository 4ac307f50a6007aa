/** An import whose server is killed again and again: each item comes in once, and the counts are right. */

import { assertEquals } from "@std/assert";
import { act, IMPORTS, itemsFile, memoryItem } from "../http/imports.ts";
import { createInstallation } from "../support/installation.ts";
import { seededRandom } from "../support/random.ts";
import { startServer } from "../support/server_process.ts";
import { type Caller, callerOf, type Json } from "../support/world.ts";
import { upload } from "../http/imports.ts";

/** The contract's 200 moments take minutes; `IMPORT_KILLS` sets how many. */
const KILLS = Number(Deno.env.get("IMPORT_KILLS") ?? 3);
const ITEMS = 50 * (KILLS + 5);
const SEED = 20_261_125;

async function stateOf(caller: Caller, importId: string): Promise<Json> {
  return (await caller.call("GET", `${IMPORTS}/${importId}`)).body.data;
}

Deno.test("Import goes on after each kill, and brings every key in once", async () => {
  await using installation = await createInstallation();
  const random = seededRandom(SEED);
  const owner = await installation.settle();
  let server = await startServer(installation.env);
  let caller = callerOf(server.app, owner);
  const items = Array.from(
    { length: ITEMS },
    (_, index) =>
      memoryItem(`k${index}`, { tags: [`Tag ${index % 7}`], archived: index % 50 === 0 }),
  );
  const { body } = await upload(caller, "prs-items", itemsFile(items));
  const { importId } = body.data;
  let isRunning = false;
  for (let kill = 0;; kill++) {
    // The first tenth of the kills meets the reading, the others the run, whatever it has come to.
    const life = kill < KILLS ? random.integer(1, 400) : Infinity;
    let deadline = kill < KILLS / 10 || isRunning ? performance.now() + life : Infinity;
    while (performance.now() < deadline) {
      const { state, plan } = await stateOf(caller, importId);
      if (state === "DONE") break;
      if (state === "PLANNED" && !isRunning) {
        assertEquals((await act(caller, importId, "run", { plan })).status, 202);
        isRunning = true;
        deadline = performance.now() + life;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    if (kill >= KILLS) break;
    server.kill("SIGKILL");
    await server.ended;
    server = await startServer(installation.env);
    caller = callerOf(server.app, caller);
  }
  await using _last = server;
  const done = await stateOf(caller, importId);
  assertEquals([done.state, done.done], ["DONE", ITEMS]);
  assertEquals(done.counts, { memory: { new: ITEMS, unchanged: 0, changed: 0, refused: 0 } });
  const titles: string[] = [];
  for (let cursor = "";;) {
    const query = `archived=include&limit=100${cursor}`;
    const page = await caller.call("GET", `/api/v2/memory/texts?${query}`);
    titles.push(...page.body.data.items.map(({ title }: Json) => title));
    if (page.body.data.nextCursor === null) break;
    cursor = `&cursor=${page.body.data.nextCursor}`;
  }
  assertEquals(titles.sort(), items.map(({ title }) => title).sort());
  const tags = await caller.call("GET", "/api/v2/taxonomy/tags");
  assertEquals(tags.body.data.items.length, 7);
});
