/** Exports of one account: one at a time, with limited disk space. */

import { assertEquals } from "@std/assert";
import { EXPORTS_WAITING } from "../../src/core/shares.ts";
import { filesUnder } from "../support/attachments.ts";
import { waitUntil } from "../support/wait.ts";
import { type Caller, callerOf, createWorld, sharedWorld } from "../support/world.ts";
import { askForExport } from "./account.ts";

const HOUR_MS = 60 * 60 * 1000;
const world = sharedWorld();

function heldExports() {
  const { database } = world();
  const release = Promise.withResolvers<void>();
  const exports = { begun: 0 };
  const app = world().again({
    database: {
      ...database,
      snapshot: async (use) => {
        exports.begun++;
        await release.promise;
        return await database.snapshot(use);
      },
    },
  });
  return { app, exports, release: release.resolve };
}

Deno.test("An account runs one export at a time, and others do not wait for it", async () => {
  const [ada, ben] = [await world().createCaller(), await world().createCaller()];
  const { app, exports, release } = heldExports();
  const ask = (caller: Caller) => askForExport(world(), callerOf(app, caller));
  const statuses: number[] = [];
  const all = Array.from({ length: 1 + EXPORTS_WAITING + 2 }, async () => {
    const { status, headers } = await ask(ada);
    statuses.push(status);
    if (status === 429) assertEquals(headers.get("Retry-After"), "5");
  });
  await waitUntil("two are refused", () => statuses.length === 2 && exports.begun > 0);
  assertEquals([statuses, exports.begun], [[429, 429], 1]);
  const other = ask(ben);
  await waitUntil("another account's has begun", () => exports.begun === 2);
  release();
  assertEquals((await other).status, 201);
  await Promise.all(all);
  assertEquals(statuses.filter((status) => status === 201).length, 1 + EXPORTS_WAITING);
});

Deno.test("An account whose exports use their share waits until one expires", async () => {
  const share = 8 * 1024 ** 2;
  await using own = await createWorld({ accountSpoolBytes: share });
  const [ada, ben] = [await own.createCaller(), await own.createCaller()];
  assertEquals((await askForExport(own, ada)).status, 201);
  const files = await filesUnder(own.spoolFolder);
  const [file = ""] = files.filter((name) => !name.endsWith(".parts"));
  await Deno.truncate(`${own.spoolFolder}/${file}`, share - 100);
  own.advance(HOUR_MS / 2);
  assertEquals((await askForExport(own, ada)).status, 201);
  const refused = await askForExport(own, ada);
  assertEquals([refused.status, refused.headers.get("Retry-After")], [429, "1800"]);
  assertEquals((await filesUnder(own.spoolFolder)).length, 4);
  assertEquals((await askForExport(own, ben)).status, 201);
  own.advance(HOUR_MS / 2);
  assertEquals((await askForExport(own, ada)).status, 201);
});
