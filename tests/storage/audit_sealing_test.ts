// engines: postgres
/** Every entry is sealed exactly once under concurrency, and writes do not wait. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { ENTRIES_PER_SEAL, sealTrails, startSealing } from "../../src/audit/sealing.ts";
import { TRAIL_KINDS, type TrailKind } from "../../src/audit/trail.ts";
import { firstIdAt, newId } from "../../src/core/ids.ts";
import { createLog } from "../../src/core/log.ts";
import { COMMITMENT } from "../http/kernel.ts";
import { faultyDatabase } from "../support/faulty_database.ts";
import { seededRandom } from "../support/random.ts";
import { waitUntil } from "../support/wait.ts";
import {
  asTemplate,
  createWorld,
  ENGINE,
  fileWorld,
  type Json,
  type World,
} from "../support/world.ts";
import {
  brokenOf,
  coverOf,
  digestsOf,
  newEntry,
  sealAll,
  SEALED_TABLES,
  untilNothingIsHeldBack,
  verify,
  write,
} from "./audit_trail.ts";
import { begin, type OpenTransaction } from "./held.ts";
import { nodesOf } from "./plans.ts";
import { insertInto, refusal } from "./rows.ts";

const world = fileWorld();

async function idsOf(world: World, kind: TrailKind, account: string): Promise<string[]> {
  const { table, owner, id } = SEALED_TABLES[kind];
  const rows = await world.rows(`select ${id} as id from ${table} where ${owner} = '${account}'`);
  return rows.map((row: Json) => row.id).sort();
}

/** Every entry is in one seal, and seals are valid. */
async function assertSealedOnce(world: World, kind: TrailKind, account: string): Promise<void> {
  const covers = await coverOf(world, kind, account);
  assertEquals(covers.flat().sort(), await idsOf(world, kind, account));
  assertEquals(await brokenOf(world, account), []);
}

Deno.test("Seals cover what was written since, per trail, and are never empty", async () => {
  const [one, other] = [ulid(), ulid()];
  for (const kind of TRAIL_KINDS) {
    const first = await write(world(), kind, one, 2);
    await sealAll(world());
    const second = await write(world(), kind, one, 3);
    await write(world(), kind, other, 1);
    await sealAll(world());
    await sealAll(world());
    assertEquals(await coverOf(world(), kind, one), [first, second]);
    assertEquals((await coverOf(world(), kind, other)).length, 1);
  }
});

Deno.test("The service's writes are sealed: records, files, sign-ins of known and unknown accounts", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await caller.create("commitment", COMMITMENT);
  const body = { email: "nobody@example.org", password: "a password that only tests know" };
  await world.call("POST", "/api/v2/auth/login", { body });
  await sealAll(world);
  assertEquals((await coverOf(world, "audit", caller.accountId)).flat().length, 1);
  assertEquals((await coverOf(world, "access", "0".repeat(26))).flat().length, 1);
  const { broken, entries, waiting } = await verify(world);
  assertEquals({ broken, entries, waiting }, { broken: [], entries: 2, waiting: 0 });
});

Deno.test("A seal has a limited number of entries, and the next one continues", async () => {
  const account = ulid();
  const { table, owner, id } = SEALED_TABLES.audit;
  // Imported entries are far older than their seals, which share a time.
  const start = firstIdAt(new Date(world().now().getTime() - 7_200_000)).slice(0, 10);
  const columns = Object.keys(newEntry(world(), "audit", account)).filter((name) =>
    name !== owner && name !== id
  );
  await world().raw(`
    ${insertInto(table, newEntry(world(), "audit", account, { [id]: `${start}${"0".repeat(16)}` }))}
    insert into ${table} (${owner}, ${id}, ${columns})
    select ${owner}, '${start}' || lpad(i::text, 16, '0'), ${columns}
      from ${table}, generate_series(1, ${2 * ENTRIES_PER_SEAL}) i where ${owner} = '${account}'`);
  await sealAll(world());
  const covers = await coverOf(world(), "audit", account);
  assertEquals(covers.map((ids) => ids.length), [ENTRIES_PER_SEAL, ENTRIES_PER_SEAL, 1]);
  await assertSealedOnce(world(), "audit", account);
});

Deno.test({
  name: "Entries of late transactions are sealed once, in any order",
  ignore: ENGINE !== "postgres",
  fn: async () => {
    for (const seed of [1, 2, 3]) {
      const random = seededRandom(seed);
      const account = ulid();
      let open: OpenTransaction[] = [];
      for (let step = 0; step < 30; step++) {
        world().advance(1_000);
        const at = new Date(world().now().getTime() - random.integer(0, 9_000));
        const columns = { audit_id: newId(at) };
        const entry = insertInto("audit_entries", newEntry(world(), "audit", account, columns));
        const action = random.integer(1, 4);
        if (action === 1 && open.length < 2) {
          open.push(await begin(world().database, (tx) => tx.script(entry)));
        } else if (action === 2 && open.length > 0) {
          const ended = random.pick(open);
          open = open.filter((transaction) => transaction !== ended);
          await (random.chance(0.7) ? ended.commit() : ended.rollBack());
        } else if (action === 3) {
          await sealTrails(world().database, world().now);
        } else {
          await world().raw(entry);
        }
      }
      for (const transaction of open) await transaction.commit();
      await sealAll(world());
      // Late for certain, independent of other tests.
      const early = { audit_id: newId(new Date(world().now().getTime() - 25_000)) };
      await world().raw(
        insertInto("audit_entries", newEntry(world(), "audit", account, early)),
      );
      await sealAll(world());
      await assertSealedOnce(world(), "audit", account);
      const late = await world().rows(
        `select from audit_late_entries where account_id = '${account}'`,
      );
      assert(late.length > 0, "one was late");
    }
  },
});

Deno.test("Concurrent sealers during writes seal every entry once", async () => {
  const caller = await world().createCaller();
  const writing = Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let count = 0; count < 15; count++) await caller.create("commitment", COMMITMENT);
    }),
  );
  const sealing = Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let count = 0; count < 5; count++) await sealTrails(world().database, world().now);
    }),
  );
  await Promise.all([writing, sealing]);
  await sealAll(world());
  await assertSealedOnce(world(), "audit", caller.accountId);
});

Deno.test("A sealer that stops between two statements leaves nothing, and the next one seals", async () => {
  await using world = await createWorld();
  const account = ulid();
  await write(world, "audit", account, 2);
  await sealAll(world);
  await write(world, "audit", account, 2);
  // Late: sealed by the second seal, with its own row.
  const early = newEntry(world, "audit", account, { audit_id: firstIdAt(new Date(0)) });
  await world.raw(insertInto("audit_entries", early));
  const faulty = faultyDatabase(world.database);
  let steps = 0;
  while ((await coverOf(world, "audit", account)).length === 1) {
    faulty.breakAt(steps + 1);
    await sealTrails(faulty.database, world.now).catch(() => {});
    if (!faulty.broke) continue;
    steps++;
    assertEquals((await coverOf(world, "audit", account)).length, 1);
  }
  // Transaction counter, seal, late entry.
  assertEquals(steps, 3);
  assertEquals((await coverOf(world, "audit", account)).map((ids) => ids.length), [2, 3]);
});

Deno.test({
  name: "No write waits for a seal",
  ignore: ENGINE !== "postgres",
  fn: async () => {
    await using world = await createWorld();
    const caller = await world.createCaller();
    await caller.create("commitment", COMMITMENT);
    const reached = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const transaction: World["database"]["transaction"] = (use) =>
      world.database.transaction(async (tx) => {
        const result = await use(tx);
        const [{ seals }] = await tx.sql<Json>`select count(*)::integer as seals from audit_seals`;
        if (seals > 0) {
          reached.resolve();
          await release.promise;
        }
        return result;
      });
    const sealing = sealUntilDone({ ...world.database, transaction }, world);
    await reached.promise;
    await caller.create("commitment", COMMITMENT);
    release.resolve();
    await sealing;
    await sealAll(world);
    await assertSealedOnce(world, "audit", caller.accountId);
  },
});

/** Other tests' transactions may delay a seal. */
async function sealUntilDone(database: World["database"], { now }: World): Promise<void> {
  while ((await sealTrails(database, now)).length === 0);
}

/** Captures the interval's period and function. */
function withInterval<T>(start: () => T): [T, number, () => void] {
  const { setInterval } = globalThis;
  let [every, tick] = [0, () => {}];
  globalThis.setInterval = ((action: () => void, milliseconds: number) => {
    [every, tick] = [milliseconds, action];
    return 0;
  }) as unknown as typeof setInterval;
  try {
    return [start(), every, () => tick()];
  } finally {
    globalThis.setInterval = setInterval;
  }
}

Deno.test("Seals are made and logged every ten minutes, also after a failure, and at the end", async () => {
  await using world = await createWorld();
  const lines: Json[] = [];
  const log = createLog("info", (line) => lines.push(JSON.parse(line)));
  const faulty = faultyDatabase(world.database);
  const account = ulid();
  const [sealing, every, tick] = withInterval(() => startSealing(faulty.database, world.now, log));
  assertEquals(every, 600_000);
  await write(world, "access", account, 2);
  await untilNothingIsHeldBack(world);
  faulty.breakAt(1);
  while (lines.length === 0) await sealing.seal().catch(() => {});
  await waitUntil("the seal is logged", () => {
    tick();
    return lines.length > 1;
  });
  await write(world, "access", account, 1);
  while (lines.length === 2) await sealing.stop();
  const digests = await digestsOf(world, "access", account);
  const common = { level: "info", event: "audit_sealed", ownerId: account, kind: "access" };
  assertEquals(lines.map((line) => ({ ...line, at: null })), [
    {
      at: null,
      level: "error",
      event: "audit_sealing_failed",
      error: "Error",
      code: null,
      constraint: null,
    },
    { at: null, ...common, number: 1, entries: 2, digest: digests[0] },
    { at: null, ...common, number: 2, entries: 1, digest: digests[1] },
  ]);
});

Deno.test("The seals of a chain are consecutive, and sealing only moves forward", async () => {
  const account = ulid();
  await write(world(), "audit", account, 1);
  await sealAll(world());
  const [seal] = await world().rows(`
    select account_id, kind, seal_id, entries, first_id, last_id, through_id, root::text, digest::text,
           '2026-11-20T12:00:00Z' as created_at from audit_seals where account_id = '${account}'`);
  const next = { ...seal, seal_id: ulid(), number: 2, previous: seal.digest, digest: seal.root };
  const refusals: [Json, string][] = [
    [{ ...next, previous: seal.root }, "23503 audit_seal_follows"],
    [{ ...next, number: 3 }, "23503 audit_seal_follows"],
    [{ ...next, number: 1, previous: null }, "23505 audit_seals_pkey"],
    [{ ...next, seal_id: seal.seal_id }, "23505 audit_seal_id_unique"],
    [{ ...next, previous: null }, "23514 audit_seal_begins"],
    [{ ...next, number: 0 }, "23514 audit_seal_number_positive"],
    [{ ...next, kind: "other" }, "23514 audit_seal_kind_known"],
    [{ ...next, entries: 0 }, "23514 audit_seal_entries_positive"],
    [{ ...next, root: "\\x00" }, "23514 audit_seal_root_length"],
    [{ ...next, digest: "\\x00" }, "23514 audit_seal_digest_length"],
    [{ ...next, last_id: "0".repeat(26) }, "23514 audit_seal_ids_ordered"],
  ];
  for (const [row, refused] of refusals) {
    assertEquals(await refusal(world(), insertInto("audit_seals", row)), refused);
  }
  const late = { account_id: account, kind: "audit", entry_id: ulid(), number: 2 };
  const insertLate = insertInto("audit_late_entries", late);
  assertEquals(await refusal(world(), insertLate), "23503 audit_late_entry_of_seal");
  assertEquals(
    await refusal(world(), "update audit_sealing set sealed_below = sealed_below"),
    "PRS03",
  );
});

Deno.test("Waiting entries are found by the index of transactions", async () => {
  await using world = await createWorld();
  for (const { table } of Object.values(SEALED_TABLES)) {
    const [row] = await world.database.transaction(async (tx) => {
      await tx.script("set local enable_bitmapscan = on; set local enable_indexscan = off;");
      const query = `explain (format json) select from ${table} where transaction_id >= 5`;
      return await tx.sql<Json>(asTemplate(query));
    });
    const indexes = nodesOf(row["QUERY PLAN"][0].Plan).map((node) => node["Index Name"]);
    assert(indexes.includes(`${table}_by_transaction`), JSON.stringify(row));
  }
});
