/** Bounds of imports: tries of reading, stop and discard, shares of the disk, disabled accounts. */

import { assert, assertEquals, assertGreater } from "@std/assert";
import { ulid } from "@std/ulid";
import type { Database } from "../../src/database/database.ts";
import type { Sql } from "../../src/database/sql.ts";
import { systemTimer, type Timer } from "../../src/core/timer.ts";
import { newId } from "../../src/core/ids.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { MAX_ITEMS } from "../../src/imports/prepare.ts";
import { waitUntil } from "../support/wait.ts";
import { zip } from "../support/zip.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  fileWorld,
  type Json,
  type World,
} from "../support/world.ts";
import { assertFailure } from "./kernel.ts";
import {
  act,
  IMPORTS,
  itemsFile,
  itemsOf,
  memoryItem,
  planned,
  settled,
  upload,
} from "./imports.ts";

const shared = fileWorld();
const FILE = itemsFile([memoryItem("a"), memoryItem("b")]);

/** A database that calls `meet` before a plan looks up the origins of its items. */
function meeting(real: Database, meet: () => Promise<void> | void): Database {
  return {
    ...real,
    async read(use) {
      try {
        return await real.read((sql) => {
          const watched: Sql = (strings, ...values) => {
            if (strings.join("").includes("import_origins found")) throw new IsJudging();
            return sql(strings, ...values);
          };
          return use(watched);
        });
      } catch (error) {
        if (!(error instanceof IsJudging)) throw error;
        await meet();
        return await real.read(use);
      }
    },
  };
}

class IsJudging extends Error {}

/** An application whose pauses end at once, and their lengths. */
function hastily(world: World, database: Database) {
  const pauses: number[] = [];
  const timer: Timer = (milliseconds, call) => {
    pauses.push(milliseconds);
    return systemTimer(1, call);
  };
  const { importFolder: folder } = world;
  const imports = { folder, maximumBytes: 64 * 1024 ** 2, maximumItems: MAX_ITEMS, timer };
  return { app: world.again({ database, imports }), pauses };
}

async function kept({ importFolder }: World, importId: string): Promise<boolean> {
  return await importFolder.has(importId, "source");
}

async function untilRemoved(world: World, importId: string): Promise<void> {
  await waitUntil("the files are removed", async () => !await kept(world, importId));
}

Deno.test("Reading that fails in an unknown way ends at once, with its place", async () => {
  const world = shared();
  const database = meeting(world.database, () => {
    throw new TypeError("A defect");
  });
  const { app, pauses } = hastily(world, database);
  const caller = callerOf(app, await world.createCaller());
  const { importId, state, refusal } = await planned(caller, "prs-items", FILE);
  assertEquals([state, refusal], ["REFUSED", { rule: "import.failed", place: 3, entry: null }]);
  assertEquals(pauses, []);
  await untilRemoved(world, importId);
  // The account can import again.
  const own = callerOf(world.app, caller);
  assertEquals((await planned(own, "prs-items", FILE)).state, "PLANNED");
});

Deno.test("Reading is tried three times while the database is away, each counted before", async () => {
  const world = shared();
  const tries: number[] = [];
  const database = meeting(world.database, async () => {
    const [row] = await world.rows(
      "select max(tries) as tries from imports where state = 'READING'",
    );
    tries.push(row.tries);
    throw new ServiceError("HTTP_503");
  });
  const { app, pauses } = hastily(world, database);
  const caller = callerOf(app, await world.createCaller());
  const { state, refusal } = await planned(caller, "prs-items", FILE);
  assertEquals([state, refusal], ["REFUSED", { rule: "import.failed", place: 0, entry: null }]);
  assertEquals([tries, pauses], [[1, 2, 3], [1_000, 2_000, 4_000]]);
});

Deno.test("A try that a kill cut off counts, and a new mapping starts a new count", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const { importId } = await planned(caller, "markdown", "A note", { name: "n" });
  const path = `${IMPORTS}/${importId}`;
  const interrupt = (tries: number) =>
    world.raw(`update imports set state = 'READING', tries = ${tries}
                where import_id = '${importId}'`);
  await interrupt(2);
  world.app.resumeImports();
  assertEquals((await settled(caller, importId)).state, "PLANNED");
  assertEquals((await caller.call("PUT", `${path}/mapping`, { body: {} })).status, 200);
  assertEquals((await settled(caller, importId)).state, "PLANNED");
  assertEquals(await world.rows(`select tries from imports where import_id = '${importId}'`), [
    { tries: 1 },
  ]);
  await interrupt(3);
  world.app.resumeImports();
  const { state, refusal } = await settled(caller, importId);
  assertEquals([state, refusal], ["REFUSED", { rule: "import.failed", place: 0, entry: null }]);
});

Deno.test("Words that no statement may have leave their tag out alone", async () => {
  const caller = await shared().createCaller();
  const creationDate = "2020-01-01T00:00:00Z";
  const entries = [{ uuid: "1", creationDate, text: "One", tags: ["\ud800", "a\0b", "Good"] }];
  const content = JSON.stringify({ entries });
  const plan = await planned(caller, "day-one", zip([{ name: "Journal.json", content }]));
  assertEquals([plan.state, plan.rules], ["PLANNED", [{ rule: "tag.invalid", count: 1 }]]);
});

Deno.test("Stop ends reading at once, and the account can import again", async () => {
  const world = shared();
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const database = meeting(world.database, async () => {
    begun.resolve();
    await goOn.promise;
  });
  const { app } = hastily(world, database);
  const caller = callerOf(app, await world.createCaller());
  const { importId } = (await upload(caller, "prs-items", FILE)).body.data;
  await begun.promise;
  assertFailure(await upload(caller, "prs-items", FILE), "HTTP_429");
  const discard = await act(caller, importId, "discard");
  assertEquals(assertFailure(discard, "IMPORT_STATE_CONFLICT"), { rules: ["import.state"] });
  const stopped = await act(caller, importId, "stop");
  assertEquals([stopped.status, stopped.body.data.state], [202, "DISCARDED"]);
  goOn.resolve();
  await untilRemoved(world, importId);
  assertEquals((await settled(caller, importId)).state, "DISCARDED");
  assertEquals((await planned(callerOf(world.app, caller), "prs-items", FILE)).state, "PLANNED");
});

Deno.test("A process whose import another one stops ends at its next batch", async () => {
  const world = shared();
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const database = meeting(world.database, async () => {
    begun.resolve();
    await goOn.promise;
  });
  const { app } = hastily(world, database);
  const caller = callerOf(app, await world.createCaller());
  const items = Array.from({ length: 250 }, (_, index) => memoryItem(`${index}`));
  const { importId } = (await upload(caller, "prs-items", itemsFile(items))).body.data;
  await begun.promise;
  assertEquals((await act(callerOf(world.app, caller), importId, "stop")).status, 202);
  goOn.resolve();
  await untilRemoved(world, importId);
  const [{ state, total }] = await world.rows(
    `select state, total from imports where import_id = '${importId}'`,
  );
  assertEquals([state, total], ["DISCARDED", 0]);
});

Deno.test("A planned import is discarded with its files, once", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const { importId, plan } = await planned(caller, "prs-items", FILE);
  assert(await kept(world, importId));
  const key = ulid();
  const discarded = await act(caller, importId, "discard", {}, { key });
  assertEquals([discarded.status, discarded.body.data.state], [200, "DISCARDED"]);
  assertEquals(await kept(world, importId), false);
  const again = await act(caller, importId, "discard", {}, { key });
  assertEquals([again.status, again.headers.get("Idempotency-Replayed")], [200, "true"]);
  for (const [action, body] of [["discard", {}], ["run", { plan }], ["stop", {}]] as const) {
    const refused = await act(caller, importId, action, body);
    assertEquals(assertFailure(refused, "IMPORT_STATE_CONFLICT"), { rules: ["import.state"] });
  }
  const { body } = await caller.call("GET", "/api/v2/audit");
  const entries = body.data.items.filter((entry: Json) => entry.subjectId === importId);
  assertEquals(entries.map(({ operation }: Json) => operation).sort(), [
    "import.create",
    "import.discard",
  ]);
  const other = await world.createCaller();
  assertFailure(await act(other, importId, "discard"), "RECORD_NOT_FOUND");
});

Deno.test("Account has five planned imports, and the sixth upload is refused before its body", async () => {
  const caller = await shared().createCaller();
  let importId = "";
  for (let count = 0; count < 5; count++) ({ importId } = await planned(caller, "prs-items", FILE));
  let isRead = false;
  const pull = () => {
    isRead = true;
  };
  const raw = new ReadableStream({ pull }, { highWaterMark: 0 });
  const sixth = await upload(caller, "prs-items", FILE, {}, { raw });
  assertEquals(assertFailure(sixth, "IMPORT_STATE_CONFLICT"), { rules: ["import.planned"] });
  assertEquals(isRead, false);
  assertEquals((await act(caller, importId, "discard")).status, 200);
  assertEquals((await planned(caller, "prs-items", FILE)).state, "PLANNED");
});

const SHARE = 1_000_000;

/** Notes that fill their file, in a much smaller archive. */
function inflated(bytes: number): Uint8Array {
  const text = "water the plants ".repeat(1_000);
  const items = Array.from(
    { length: Math.ceil(bytes / text.length) },
    (_, index) =>
      memoryItem(`${index}`, {
        payload: { memoryType: "EVENT", originalContent: text },
      }),
  );
  return zip([{ name: "items.jsonl", content: itemsFile(items) }]);
}

Deno.test("An upload beyond the share of its account's files is refused, also while it arrives", async () => {
  await using world = await createWorld({ accountSpoolBytes: SHARE });
  const [caller, other] = [await world.createCaller(), await world.createCaller()];
  const { importId } = await planned(caller, "csv", `a\n${"b\n".repeat(300_000)}`, { name: "n" });
  const file = `a\n${"b\n".repeat(250_000)}`;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(file.slice(0, 50_000))),
  });
  const announced = { "Content-Type": "application/octet-stream", "Content-Length": "500002" };
  for (const options of [{}, { headers: announced }, { raw: endless }]) {
    const refused = await upload(caller, "csv", file, { name: "n" }, options);
    assertEquals(assertFailure(refused, "ACCOUNT_STORAGE_FULL"), { limit: SHARE });
  }
  const kept = await Array.fromAsync(await world.importFolder.list());
  assertEquals(kept.map((folder) => folder.importId), [importId]);
  assertEquals((await upload(other, "csv", file, { name: "n" })).status, 201);
  assertEquals((await act(caller, importId, "discard")).status, 200);
  assertEquals((await upload(caller, "csv", file, { name: "n" })).status, 201);
});

Deno.test("An import that passes the share while it is read is refused, and its files go", async () => {
  await using world = await createWorld({ accountSpoolBytes: SHARE });
  const caller = await world.createCaller();
  const { importId, state, refusal } = await planned(caller, "prs-items", inflated(2 * SHARE));
  assertEquals([state, refusal.rule], ["REFUSED", "import.spool"]);
  assertGreater(refusal.place, 1);
  await untilRemoved(world, importId);
  assertEquals((await planned(caller, "prs-items", FILE)).state, "PLANNED");
});

Deno.test("An import that would pass the reserve of the disk is refused", async () => {
  let free = 10 * 1024 ** 3;
  await using world = await createWorld({
    readDiskSpace: () => ({ free, total: 20 * 1024 ** 3 }),
  });
  const database = meeting(world.database, () => {
    free = 1_000;
  });
  const { app } = hastily(world, database);
  const caller = callerOf(app, await world.createCaller());
  const { importId, state, refusal } = await planned(caller, "prs-items", FILE);
  assertEquals([state, refusal], ["REFUSED", { rule: "import.disk", place: 3, entry: null }]);
  await untilRemoved(world, importId);
});

Deno.test("Refused items keep no payload in the spool", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const long = { memoryType: "EVENT", originalContent: "a".repeat(200_000) };
  const { importId, counts } = await planned(
    caller,
    "prs-items",
    itemsFile([memoryItem("a", { payload: long })]),
  );
  assertEquals(counts.memory.refused, 1);
  const text = await Deno.readTextFile(world.importFolder.path(importId, "items"));
  assert(text.length < 1_000, `${text.length} characters`);
});

Deno.test("Files without an import, and of imports that have ended, are swept", async () => {
  const world = shared();
  const { importFolder } = world;
  const caller = await world.createCaller();
  const kept = (await planned(caller, "prs-items", FILE)).importId;
  const lost = newId(world.now());
  (await importFolder.make(caller.accountId, lost)).release();
  const arriving = newId(world.now());
  const upload = await importFolder.make(caller.accountId, arriving);
  const ended = (await planned(caller, "prs-items", FILE)).importId;
  await world.raw(`update imports set state = 'DISCARDED' where import_id = '${ended}'`);
  const listed = async () => (await importFolder.list()).map(({ importId }) => importId);
  world.app.resumeImports();
  await waitUntil("files are swept", async () => {
    const ids = await listed();
    return !ids.includes(lost) && !ids.includes(ended);
  });
  assertEquals((await listed()).filter((id) => [kept, arriving].includes(id)).length, 2);
  upload.release();
});

Deno.test("A file of another format is refused by its head, before the rest arrives", async () => {
  const caller = await shared().createCaller();
  const heads: Readonly<Record<string, Uint8Array>> = {
    csv: new Uint8Array(64 * 1024),
    "day-one": new TextEncoder().encode("no archive ".repeat(6_000)),
    "prs-items": new TextEncoder().encode("no items\n".repeat(8_000)),
    "monica-4": new TextEncoder().encode("no export\n".repeat(8_000)),
    vcard: new TextEncoder().encode("no card\n".repeat(9_000)),
  };
  for (const [format, head] of Object.entries(heads)) {
    // The rest never arrives.
    const raw = new ReadableStream({ start: (controller) => controller.enqueue(head) });
    const refused = await upload(caller, format, "", { name: "n" }, { raw });
    assertEquals(assertFailure(refused, "HTTP_415"), { rules: ["import.format"] }, format);
  }
});

/** Disables or enables an account, as an operator does. */
async function setDisabled(world: World, { accountId }: Caller, isDisabled: boolean) {
  await world.raw(`
    update accounts set disabled_at = ${isDisabled ? "now()" : "null"}
     where account_id = '${accountId}'`);
}

Deno.test("No work goes on for a disabled account, and a run goes on once it is enabled", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const { importId } = await planned(caller, "prs-items", FILE);
  await world.raw(`update imports set state = 'RUNNING' where import_id = '${importId}'`);
  await setDisabled(world, caller, true);
  world.app.resumeImports();
  // Another account's import is worked on in the same look.
  await planned(await world.createCaller(), "prs-items", FILE);
  const rows = () => world.rows(`select state, done from imports where import_id = '${importId}'`);
  assertEquals(await rows(), [{ state: "RUNNING", done: 0 }]);
  await setDisabled(world, caller, false);
  world.app.resumeImports();
  await settled(caller, importId);
  assertEquals(await rows(), [{ state: "DONE", done: 2 }]);
});

Deno.test("Reading stops when its account is disabled, and begins again once it is enabled", async () => {
  const world = shared();
  const person = await world.createCaller();
  const disabled = Promise.withResolvers<void>();
  const database = meeting(world.database, async () => {
    await setDisabled(world, person, true);
    disabled.resolve();
  });
  const { app } = hastily(world, database);
  const items = Array.from({ length: 250 }, (_, index) => memoryItem(`${index}`));
  const file = itemsFile(items);
  const { importId } = (await upload(callerOf(app, person), "prs-items", file)).body.data;
  await disabled.promise;
  await waitUntil("the import is let go", async () => {
    const lock = await world.importFolder.hold(importId);
    lock?.release();
    return lock !== null;
  });
  const [row] = await world.rows(`select state from imports where import_id = '${importId}'`);
  assertEquals(row, { state: "READING" });
  await setDisabled(world, person, false);
  world.app.resumeImports();
  assertEquals((await settled(person, importId)).total, 250);
  assertEquals((await itemsOf(person, importId)).length, 100);
});
