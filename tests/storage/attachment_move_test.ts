/** The move of attachments between the folder and the database. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { lossOf } from "../../src/attachments/loss.ts";
import { moveAttachments, type MoveProgress } from "../../src/attachments/move.ts";
import type { PlaceName } from "../../src/attachments/object_store.ts";
import { listObjects } from "../../src/attachments/stored_object.ts";
import { OperatorError } from "../../src/errors/operator_error.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { filesOf, uploaded } from "../support/attachments.ts";
import { type Caller, createWorld, ENGINE, type World } from "../support/world.ts";
import { begin, waitForBlocked } from "./held.ts";
import { refusalOf, servicesOf } from "./operator.ts";

const SIZES = [0, 10, 200_000, 1_048_577];
const BYTES = SIZES.reduce((sum, size) => sum + size, 0);

/** Uploads one file of each size, and the last one twice. Returns the ids. */
async function fill(caller: Caller): Promise<string[]> {
  const ids: string[] = [];
  for (const size of [...SIZES, 1_048_577]) {
    ids.push(await uploaded(caller, new Uint8Array(size).fill(3)));
  }
  return ids;
}

function move(world: World, to: PlaceName, progress: (made: MoveProgress) => void = () => {}) {
  const { database, objectFolder: directory } = world;
  return moveAttachments({ database, directory }, to, 1, progress);
}

async function placesOf(world: World): Promise<{ files: number; chunks: number }> {
  const [{ chunks }] = await world.rows(
    "select count(*)::integer as chunks from attachment_chunks",
  );
  const owners = await world.rows("select account_id from accounts");
  const names = await Promise.all(owners.map(({ account_id }) => filesOf(world, account_id)));
  const [{ objects }] = await world.rows(`
    select count(*)::integer as objects from (select distinct owner_id, sha256 from attachment_chunks) o`);
  return { files: names.flat().length - objects, chunks };
}

async function assertWhole(world: World): Promise<void> {
  for (const object of await world.database.read((sql) => listObjects(sql))) {
    assertEquals(await lossOf(world.objects, object), null);
  }
}

Deno.test("A move brings all objects to the other place and back, and a second one finds them there", async () => {
  await using world = await createWorld();
  await fill(await world.createCaller());
  const seen: number[] = [];
  const there = await move(world, "database", ({ done }) => seen.push(done));
  assertEquals([there.moved, there.bytes, there.unmoved, seen], [4, BYTES, [], [1, 2, 3, 4]]);
  assertEquals(await placesOf(world), { files: 0, chunks: 5 });
  await assertWhole(world);
  assertEquals((await move(world, "database")).moved, 0);
  assertEquals((await move(world, "files")).moved, 4);
  assertEquals(await placesOf(world), { files: 4, chunks: 0 });
  await assertWhole(world);
});

Deno.test("A move that ends at any statement loses nothing, and the next one completes it", async () => {
  for (const to of ["database", "files"] as const) {
    await using world = await createWorld({}, to === "files" ? "database" : "files");
    await fill(await world.createCaller());
    let isComplete = false;
    for (let statements = 1; !isComplete; statements += 5) {
      let left = statements;
      const fail = () => {
        if (left-- <= 0) throw new TypeError("The process ends");
      };
      const { database, objectFolder: directory } = world;
      const ending: typeof database = {
        ...database,
        read: (use) => database.read((sql) => (fail(), use(sql))),
        write: (statement) => database.write((sql) => (fail(), statement(sql))),
        transaction: (use) =>
          database.transaction(async (tx) => {
            fail();
            const result = await use(tx);
            fail();
            return result;
          }),
      };
      try {
        await moveAttachments({ database: ending, directory }, to, 1, () => {});
        isComplete = true;
      } catch (error) {
        assert(error instanceof TypeError, String(error));
      }
      await assertWhole(world);
    }
    await move(world, to);
    const { files, chunks } = await placesOf(world);
    assertEquals([files > 0, chunks > 0], [to === "files", to === "database"]);
  }
});

Deno.test("A missing or different source is named, skipped and not removed", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const [_empty, small, large, ...twins] = await fill(caller);
  const named = async (size: number) => {
    const [{ path }] = await world.rows(`
      select owner_id || '/' || left(encode(sha256, 'hex'), 2) || '/' || encode(sha256, 'hex') as path
        from attachments where size = ${size} limit 1`);
    return `${world.objectFolder}/${path}`;
  };
  await Deno.remove(await named(10));
  await Deno.truncate(await named(200_000), 7);
  await Deno.writeFile(await named(1_048_577), new Uint8Array(1_048_577).fill(4));
  const command = { command: "attachments move", to: "database" } as const;
  const refused = await refusalOf(runAdminCommand(servicesOf(world), command));
  const [line = "", about, ...lines] = refused?.split("\n") ?? [];
  assert(/^moved 1 object with 0 bytes, 0 left, \d+ s$/.test(line), line);
  assertEquals(about, "Not moved: 3 objects");
  const problem = (id = "", reason: string) =>
    `  account ${caller.accountId}, attachment ${id}: ${reason}`;
  assertEquals(
    lines.sort(),
    [
      problem(small, "its file is missing"),
      problem(large, "its file has another size"),
      ...twins.map((id) => problem(id, "its file has other bytes")),
    ].sort(),
  );
  assertEquals(await placesOf(world), { files: 2, chunks: 1 });
});

Deno.test("A second move is refused while one runs", async () => {
  await using world = await createWorld();
  await fill(await world.createCaller());
  let second: Promise<unknown> | undefined;
  await move(world, "database", () => {
    second ??= assertRejects(() => move(world, "files"), OperatorError, "Another move runs");
  });
  await second;
  assertEquals((await placesOf(world)).files, 0);
});

Deno.test("An upload of the same content during a move is stored and can be read", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await fill(caller);
  const moves = async () => {
    for (const to of ["database", "files", "database", "files"] as const) {
      assertEquals((await move(world, to)).unmoved, []);
    }
  };
  const uploads = async () => {
    for (let round = 0; round < 5; round++) {
      await uploaded(caller, new Uint8Array(SIZES[round % 3] ?? 0).fill(3));
      await assertWhole(world);
    }
  };
  await Promise.all([moves(), uploads()]);
  await assertWhole(world);
});

Deno.test("A copy that an upload replaces before its source is removed is made again", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const upload = () => uploaded(caller, new Uint8Array(10).fill(3));
  await upload();
  let transactions = 0;
  const database: World["database"] = {
    ...world.database,
    async transaction(use) {
      // The first one stores the copy, the second one removes the source.
      if (++transactions === 2) await upload();
      return await world.database.transaction(use);
    },
  };
  const { moved, unmoved } = await move({ ...world, database }, "database");
  assertEquals([moved, unmoved, transactions], [1, [], 4]);
  assertEquals(await placesOf(world), { files: 0, chunks: 1 });
  await assertWhole(world);
});

Deno.test({
  name: "A source is not removed before the end of an upload that replaces the copy",
  // The embedded engine has no concurrent transactions.
  ignore: ENGINE === "embedded",
  async fn() {
    await using world = await createWorld();
    const caller = await world.createCaller();
    const content = new Uint8Array(10).fill(3);
    await uploaded(caller, content);
    const { objects } = world;
    const received = await objects.spool(caller.accountId, new Blob([content]).stream(), 10);
    let transactions = 0;
    const database: World["database"] = {
      ...world.database,
      async transaction(use) {
        if (++transactions !== 2) return await world.database.transaction(use);
        const upload = await begin(world.database, ({ sql }) => received.store(sql));
        const removal = world.database.transaction(use);
        await waitForBlocked(world, 1);
        await upload.commit();
        return await removal;
      },
    };
    const { moved, unmoved } = await move({ ...world, database }, "database");
    assertEquals([moved, unmoved, transactions], [1, [], 4]);
    await assertWhole(world);
  },
});

Deno.test("A damaged copy is replaced", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await uploaded(caller, new Uint8Array(10).fill(3));
  await world.raw(`
    insert into attachment_chunks (owner_id, upload_id, number, sha256, bytes)
    select owner_id, '${"0".repeat(26)}', 0, sha256, 'other' from attachments`);
  assertEquals((await move(world, "database")).moved, 1);
  await assertWhole(world);
});

Deno.test("A source that differs from a whole copy is named and not removed", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await uploaded(caller, new Uint8Array(10).fill(3));
  const [path] = await filesOf(world, caller.accountId);
  const file = `${world.objectFolder}/${path}`;
  await Deno.writeFile(file, new Uint8Array(10).fill(4));
  await world.raw(`
    insert into attachment_chunks (owner_id, upload_id, number, sha256, bytes)
    select owner_id, '${"0".repeat(26)}', 0, sha256, decode(repeat('03', 10), 'hex')
      from attachments`);
  const { moved, unmoved } = await move(world, "database");
  assertEquals([moved, unmoved.map(({ loss }) => loss)], [0, ["content"]]);
  assertEquals((await Deno.readFile(file))[0], 4);
});
