/** `CommandRunner` with one write: storage, answer, cost. */

import { assertEquals, assertRejects } from "@std/assert";
import { ulid } from "@std/ulid";
import { systemCaller } from "../../src/access/identity.ts";
import type { Command } from "../../src/command/command.ts";
import { CommandRunner } from "../../src/command/runner.ts";
import { databaseFailure } from "../../src/database/failures.ts";
import type { Sql } from "../../src/database/sql.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { fileWorld } from "../support/world.ts";
import {
  changeOf,
  createEntry,
  ENTRY_TABLES,
  type EntryRow,
  expireEntry,
  found,
  moveEntry,
  newCommand,
  newEntry,
  newIdentity,
  newKey,
  storedOf,
} from "./entries.ts";
import { countStatements } from "./sent_statements.ts";

// With the tables of entries.
const world = fileWorld({}, (made) => made.raw(ENTRY_TABLES));

const newRunner = () => new CommandRunner(world().database);
const noReplay = () => Promise.reject(new Error("Nothing was to be replayed"));

async function assertRefused(run: () => Promise<unknown>, code: ErrorCode): Promise<ServiceError> {
  const error = await assertRejects(run, ServiceError);
  assertEquals(error.code, code);
  return error;
}

async function storeEntry(parts: Partial<EntryRow> = {}): Promise<[string, EntryRow]> {
  const [owner, entry] = [ulid(), newEntry(parts)];
  await newRunner().run(newCommand({ owner, key: null }), {
    decide: () => createEntry(owner, entry),
    replay: noReplay,
  });
  return [owner, entry];
}

Deno.test("A decision reads other rows after locking its root, and never without", async () => {
  const [owner, entry] = await storeEntry();
  const { database, sent } = countStatements(world().database);
  let optimisticReads = 0;
  const { result } = await new CommandRunner(database).run(newCommand({ owner }), {
    ...changeOf(owner, entry.entry_id),
    related: async (sql, root: EntryRow | null) => {
      const [links, names] = await Promise.all([
        sql`select linked_id from entry_links where owner_id = ${owner}`,
        sql<{ name: string }>`select name from entries where entry_id = ${found(root).entry_id}`,
      ]);
      return { links: links.length, names: names.map(({ name }) => name) };
    },
    decide: (root, { links, names }) => moveEntry(owner, found(root), `${links} ${names}`),
    optimistic: {
      read(sql) {
        optimisticReads++;
        return changeOf(owner, entry.entry_id).lock(sql);
      },
      lockIfUnchanged: (sql) => changeOf(owner, entry.entry_id).lock(sql),
    },
  });
  assertEquals([result.state, result.revision], [`0 ${entry.name}`, 2]);
  assertEquals(optimisticReads, 0);
  assertEquals(sent, { reads: 0, writes: 0, transactions: 1, statements: 4 });
});

Deno.test("A missing root reaches the decision as null, with its related rows", async () => {
  const [owner, entryId] = [ulid(), ulid()];
  const seen: unknown[] = [];
  await assertRefused(() =>
    newRunner().run(newCommand({ owner }), {
      ...changeOf(owner, entryId),
      related: (_, root) => Promise.resolve(root === null ? "nothing" : "something"),
      decide(root, related) {
        seen.push(root, related);
        return moveEntry(owner, found(root), "CLOSED");
      },
    }), "RECORD_NOT_FOUND");
  assertEquals(seen, [null, "nothing"]);
});

Deno.test("A system write is committed before its error, and does not use up the key", async () => {
  const [owner, entry] = await storeEntry();
  const runner = newRunner();
  const command = newCommand({ owner });
  const expire = () =>
    runner.run(command, {
      ...changeOf(owner, entry.entry_id),
      decide: (root) => {
        if (found(root).state === "EXPIRED") throw new ServiceError("MEMORY_STATE_CONFLICT");
        return expireEntry(owner, found(root), new ServiceError("REVISION_CONFLICT"));
      },
    });
  await assertRefused(expire, "REVISION_CONFLICT");
  const stored = await storedOf(world(), owner);
  assertEquals([stored.states, stored.envelopes, stored.audit.length], [["EXPIRED"], 0, 2]);
  assertEquals(stored.audit.find(({ operation }) => operation === "entry.expire"), {
    operation: "entry.expire",
    actor_id: owner,
    credential_kind: "SYSTEM",
    credential_id: runner.processId,
    subject_id: entry.entry_id,
    revision: 2,
  });
  // The same key is not a replay.
  await assertRefused(expire, "MEMORY_STATE_CONFLICT");
  assertEquals(await storedOf(world(), owner), stored);
});

Deno.test("A failing system write leaves nothing, and its error is not thrown", async () => {
  const [owner, entry] = await storeEntry();
  const failing = (isDeferred: boolean) =>
    newRunner().run(newCommand({ owner }), {
      ...changeOf(owner, entry.entry_id),
      decide: (root) => ({
        ...expireEntry(owner, found(root), new ServiceError("REVISION_CONFLICT")),
        preceding: (sql) => [
          isDeferred
            ? sql`insert into entry_links values (${owner}, ${entry.entry_id}, ${ulid()})`
            : sql`select 1 / (${owner} = ${owner})::integer - 1 / (${owner} <> ${owner})::integer`,
        ],
      }),
    });
  // One fails at COMMIT, the other before.
  const [atCommit, before] = [
    await assertRejects(() => failing(true)),
    await assertRejects(() => failing(false)),
  ];
  assertEquals(databaseFailure(atCommit)?.constraint, "linked_entry_exists");
  assertEquals(databaseFailure(before)?.sqlstate, "22012");
  const { states, audit } = await storedOf(world(), owner);
  assertEquals([states, audit.length], [["OPEN"], 1]);
});

Deno.test("A creation may be a system write too", async () => {
  const [owner, entry] = [ulid(), newEntry({ state: "REFUSED" })];
  const { subjectId, revision, statement } = createEntry(owner, entry);
  if (statement === null) throw new Error("A create writes");
  const refusal = new ServiceError("REVISION_CONFLICT");
  await assertRefused(() =>
    newRunner().run(newCommand({ owner }), {
      decide: () => ({ operation: "entry.note", subjectId, revision, statement, refusal }),
      replay: noReplay,
    }), "REVISION_CONFLICT");
  const { states, envelopes } = await storedOf(world(), owner);
  assertEquals([states, envelopes], [["REFUSED"], 0]);
});

Deno.test("A worker writes as SYSTEM for the owner", async () => {
  const [owner, entry] = [ulid(), newEntry()];
  const runner = newRunner();
  const { account } = newIdentity(owner);
  const identity = systemCaller(account, runner.processId, new Date());
  assertEquals(identity.permissions.size, 0);
  await runner.run(newCommand({ owner, caller: identity, key: null }), {
    decide: () => createEntry(owner, entry),
    replay: noReplay,
  });
  const { audit: [written] } = await storedOf(world(), owner);
  assertEquals([written.actor_id, written.credential_kind, written.credential_id], [
    owner,
    "SYSTEM",
    runner.processId,
  ]);
});

Deno.test("Processes have distinct names", () => {
  assertEquals(newRunner().processId === newRunner().processId, false);
});

/** Rejected before the claim while SEALED. */
function changeUnlessSealed(
  runner: CommandRunner,
  command: Command,
  entryId: string,
  check = () => {},
) {
  const owner = command.caller.account.accountId;
  return runner.run(command, {
    ...changeOf(owner, entryId),
    check,
    async before(sql) {
      const [row] = await sql`
        select 1 from entries
         where owner_id = ${owner} and entry_id = ${entryId} and state = 'SEALED'`;
      if (row !== undefined) throw new ServiceError("MEMORY_STATE_CONFLICT");
    },
    decide: (root: EntryRow | null) => moveEntry(owner, found(root), "CHANGED"),
  });
}

Deno.test("An error before the claim applies to all requests with the key", async () => {
  const [owner, { entry_id }] = await storeEntry({ state: "SEALED" });
  const runners = [newRunner(), newRunner()];
  const command = newCommand({ owner });
  const outcomes = await Promise.allSettled(
    Array.from(
      { length: 20 },
      (_, index) => changeUnlessSealed(runners[index % 2] ?? newRunner(), command, entry_id),
    ),
  );
  const codes = outcomes.map((outcome) =>
    outcome.status === "rejected" ? outcome.reason.code : "done"
  );
  assertEquals(codes, Array.from({ length: 20 }, () => "MEMORY_STATE_CONFLICT"));
  const { audit, envelopes } = await storedOf(world(), owner);
  assertEquals([audit.length, envelopes], [1, 0]);
});

Deno.test("A stored envelope precedes an error before the claim", async () => {
  const [owner, { entry_id }] = await storeEntry();
  const runner = newRunner();
  const command = newCommand({ owner });
  assertEquals((await changeUnlessSealed(runner, command, entry_id)).replayed, false);
  await world().raw(`update entries set state = 'SEALED' where entry_id = '${entry_id}'`);
  const { result, replayed } = await changeUnlessSealed(runner, command, entry_id);
  assertEquals([result.revision, replayed], [2, true]);
  const fingerprint = new Uint8Array([2]);
  const reuse = { ...command, key: command.key && { ...command.key, fingerprint } };
  await assertRefused(() => changeUnlessSealed(runner, reuse, entry_id), "IDEMPOTENCY_KEY_REUSED");
  for (const key of [null, newKey()]) {
    const other = { ...command, key };
    await assertRefused(() => changeUnlessSealed(runner, other, entry_id), "MEMORY_STATE_CONFLICT");
  }
});

Deno.test("Validation precedes an error before the claim", async () => {
  const [owner, { entry_id }] = await storeEntry({ state: "SEALED" });
  const change = (check: () => void) =>
    changeUnlessSealed(newRunner(), newCommand({ owner }), entry_id, check);
  const wrong = () =>
    change(() => {
      throw new ServiceError("PAYLOAD_INVALID");
    });
  await assertRefused(wrong, "PAYLOAD_INVALID");
  await assertRefused(() => change(() => {}), "MEMORY_STATE_CONFLICT");
});

Deno.test("The maintenance window precedes an error before the claim", async () => {
  const [owner, { entry_id }] = await storeEntry({ state: "SEALED" });
  await world().raw("update maintenance_window set active = true");
  try {
    const frozen = newCommand({ owner, frozen: true });
    const change = (command: Command) => changeUnlessSealed(newRunner(), command, entry_id);
    await assertRefused(() => change(frozen), "SYSTEM_MAINTENANCE");
    await assertRefused(() => change({ ...frozen, frozen: false }), "MEMORY_STATE_CONFLICT");
  } finally {
    await world().raw("update maintenance_window set active = false");
  }
});

Deno.test("Slow work happens once, and not for a replay, a reuse or in maintenance", async () => {
  const [owner, runner] = [ulid(), newRunner()];
  let prepared = 0;
  const run = (command: Command) =>
    runner.run<never, EntryRow>(command, {
      async prepare() {
        prepared++;
        // Outside the transaction.
        const [row] = await world().database.read((sql) => sql<{ n: number }>`select 42 as n`);
        return { decide: () => createEntry(owner, newEntry({ state: String(row?.n) })) };
      },
      replay: ({ recordId }) => Promise.resolve(newEntry({ entry_id: recordId })),
    });
  const command = newCommand({ owner, frozen: true });
  const first = await run(command);
  assertEquals([first.result.state, first.replayed, prepared], ["42", false, 1]);
  const second = await run(command);
  assertEquals([second.result.entry_id, second.replayed], [first.result.entry_id, true]);
  const fingerprint = new Uint8Array([2]);
  const reuse = { ...command, key: command.key && { ...command.key, fingerprint } };
  await assertRefused(() => run(reuse), "IDEMPOTENCY_KEY_REUSED");
  await world().raw("update maintenance_window set active = true");
  try {
    await assertRefused(() => run({ ...command, key: newKey() }), "SYSTEM_MAINTENANCE");
  } finally {
    await world().raw("update maintenance_window set active = false");
  }
  assertEquals(prepared, 1);
});

Deno.test("Slow work holds its key in its process, and frees it if it fails", async () => {
  const [owner, runner] = [ulid(), newRunner()];
  const command = newCommand({ owner });
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = (work: () => Promise<void>) =>
    runner.run<never, EntryRow>(command, {
      async prepare() {
        await work();
        return { decide: () => createEntry(owner, newEntry()) };
      },
      replay: noReplay,
    });
  const failing = run(async () => {
    begun.resolve();
    await end.promise;
    throw new ServiceError("MEMORY_STATE_CONFLICT");
  });
  await begun.promise;
  await assertRefused(() => run(() => Promise.resolve()), "IDEMPOTENCY_IN_PROGRESS");
  end.resolve();
  await assertRefused(() => failing, "MEMORY_STATE_CONFLICT");
  assertEquals((await run(() => Promise.resolve())).replayed, false);
});

Deno.test("Slow work may precede a change as well", async () => {
  const [owner, entry] = await storeEntry();
  const { replay, ...change } = changeOf(owner, entry.entry_id);
  const { result } = await newRunner().run<EntryRow, EntryRow>(newCommand({ owner }), {
    prepare: () =>
      Promise.resolve({ ...change, decide: (root) => moveEntry(owner, found(root), "PREPARED") }),
    replay,
  });
  assertEquals([result.state, result.revision], ["PREPARED", 2]);
});

Deno.test("A violated constraint becomes its error, and frees the key", async () => {
  const [owner, taken] = await storeEntry();
  const runner = newRunner();
  const command = newCommand({ owner });
  const create = (name: string, parts: Partial<ReturnType<typeof createEntry>> = {}) =>
    runner.run(command, {
      decide: () => ({ ...createEntry(owner, newEntry({ name })), ...parts }),
      replay: noReplay,
      constraints: {
        entry_name_unique: "MEMORY_STATE_CONFLICT",
        linked_entry_exists: () =>
          new ServiceError("REVISION_CONFLICT", { details: { currentRevision: 7 } }),
      },
    });
  const conflict = await assertRefused(() => create(taken.name), "MEMORY_STATE_CONFLICT");
  assertEquals(databaseFailure(conflict.cause)?.constraint, "entry_name_unique");
  // In a transaction, one of which fails at COMMIT.
  const verify = () => Promise.resolve();
  await assertRefused(() => create(taken.name, { verify }), "MEMORY_STATE_CONFLICT");
  const dangling = await assertRefused(() =>
    create(ulid(), {
      preceding: (sql) => [sql`insert into entry_links values (${owner}, ${ulid()}, ${ulid()})`],
    }), "REVISION_CONFLICT");
  assertEquals(dangling.details, { currentRevision: 7 });
  assertEquals((await storedOf(world(), owner)).states.length, 1);
  assertEquals((await create(ulid())).replayed, false);
  const { states, envelopes } = await storedOf(world(), owner);
  assertEquals([states.length, envelopes], [2, 1]);
});

Deno.test("A violated constraint without an error code is thrown unchanged", async () => {
  const [owner, taken] = await storeEntry();
  const error = await assertRejects(() =>
    newRunner().run(newCommand({ owner }), {
      decide: () => createEntry(owner, newEntry({ name: taken.name })),
      replay: noReplay,
      constraints: { another: "MEMORY_STATE_CONFLICT" },
    })
  );
  assertEquals(databaseFailure(error)?.constraint, "entry_name_unique");
});

Deno.test("Preceding statements have taken effect before a statement", async () => {
  const [owner, before] = await storeEntry();
  const { database, sent } = countStatements(world().database);
  // Unique: free only after the old entry is gone.
  const heir = newEntry({ name: before.name });
  await new CommandRunner(database).run(newCommand({ owner }), {
    decide: () => ({
      ...createEntry(owner, heir),
      preceding: (sql: Sql) => [
        sql`update entries set state = 'GONE' where owner_id = ${owner}`,
        sql`delete from entries where owner_id = ${owner} and state = 'GONE'`,
      ],
    }),
    replay: noReplay,
  });
  assertEquals((await storedOf(world(), owner)).states, ["OPEN"]);
  assertEquals(sent, { reads: 0, writes: 0, transactions: 1, statements: 4 });
});
