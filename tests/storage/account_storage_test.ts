// engines: postgres
/** Storage sums: tables that count, and correctness after any write. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { assertFailure, COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { migrate } from "../../src/database/migrate.ts";
import { MIGRATIONS } from "../../src/database/migration_files.ts";
import { createWorld, fileWorld, type Json, type World } from "../support/world.ts";
import { backupFolder, backUpWorld, restoreFile } from "./backup.ts";
import { emptyDatabases } from "./empty_database.ts";
import { AT, insertInto, insertRecord, newAccount, newRoot } from "./rows.ts";
import { fillAccount } from "./whole_account.ts";

const shared = fileWorld();

const openEmpty = emptyDatabases();

const IN_REVISIONS = "its revisions hold each of its states, and count";
const OWN_LIMIT = "attachments have a limit of their own";
const OF_ACCESS =
  "written for signing in and its credentials, which a full account continues to do";
const OF_WRITES = "a row of fixed size for each write, whose content counts";
const DERIVED = "follows from rows that count";

/** Tables that do not count, with reasons. */
const NOT_COUNTED: Readonly<Record<string, string>> = {
  account_exports: "one row of fixed size an export, which a full account continues to make",
  account_permissions: OF_ACCESS,
  account_storage: "the sum itself",
  accounts: OF_ACCESS,
  assistant_codes: OF_ACCESS,
  assistants: OF_ACCESS,
  attachment_chunks: OWN_LIMIT,
  attachment_usage: OWN_LIMIT,
  attachments: OWN_LIMIT,
  audit_entries: OF_WRITES,
  audit_late_entries: DERIVED,
  audit_seals: DERIVED,
  calendar_feeds: OF_ACCESS,
  erased_subjects: "rows of fixed size that only an operator adds",
  erasure_certificates: "rows that only an operator adds",
  decision_analyses: IN_REVISIONS,
  decision_counterfactuals: IN_REVISIONS,
  decision_outcomes: IN_REVISIONS,
  decision_predictions: IN_REVISIONS,
  decision_simulations: IN_REVISIONS,
  decisions: IN_REVISIONS,
  idempotency_envelopes: OF_WRITES,
  identity_legacy_plans: IN_REVISIONS,
  identity_profiles: IN_REVISIONS,
  identity_publications: IN_REVISIONS,
  identity_stages: IN_REVISIONS,
  passkey_ceremonies: OF_ACCESS,
  passkey_users: OF_ACCESS,
  passkeys: OF_ACCESS,
  pending_second_factors: OF_ACCESS,
  people: IN_REVISIONS,
  records: IN_REVISIONS,
  recovery_codes: OF_ACCESS,
  resources: IN_REVISIONS,
  record_order: DERIVED,
  search_index: DERIVED,
  second_factors: OF_ACCESS,
  sessions: OF_ACCESS,
  step_up_proofs: OF_ACCESS,
  taxonomy_names: DERIVED,
  taxonomy_terms: IN_REVISIONS,
  token_permissions: OF_ACCESS,
  tokens: OF_ACCESS,
};

type Rows = Pick<World, "rows">;

async function countedTables({ rows }: Rows): Promise<string[]> {
  const found = await rows(`
    select r.relname as name from pg_trigger t join pg_class r on r.oid = t.tgrelid
     where t.tgname = 'storage_added' order by 1`);
  return found.map(({ name }: Json) => name);
}

async function keptSum({ rows }: Rows, owner: string): Promise<number> {
  const [row] = await rows(
    `select coalesce(sum(bytes), 0)::integer as bytes from account_storage where owner_id = '${owner}'`,
  );
  return row.bytes;
}

/** Tables whose rows count only if they match a condition. */
const COUNTED_ROWS: Readonly<Record<string, (owner: string) => string>> = {
  access_events: (owner) => `account_id = '${owner}' and tool is not null`,
  assistant_tokens: (owner) => `account_id = '${owner}'`,
};

/** Tables whose rows count as a part of them. */
const COUNTED_PARTS: Readonly<Record<string, string>> = { attachment_thumbnails: "r.bytes" };

async function countedSum(of: Rows, owner: string): Promise<number> {
  const sums = (await countedTables(of)).map((table) => {
    const condition = COUNTED_ROWS[table]?.(owner) ?? `owner_id = '${owner}'`;
    const counted = COUNTED_PARTS[table] ?? "r::text";
    return `select sum(octet_length(${counted})) as bytes from ${table} r where ${condition}`;
  });
  const [row] = await of.rows(
    `select coalesce(sum(bytes), 0)::integer as bytes from (${sums.join(" union all ")}) sums`,
  );
  return row.bytes;
}

Deno.test("Every table of an account counts, or is listed here with a reason", async () => {
  const world = shared();
  const owned = await world.rows(`
    select distinct table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name in ('owner_id', 'account_id') order by 1`);
  const stated = [...await countedTables(world), ...Object.keys(NOT_COUNTED)];
  const known = owned.map(({ name }: Json) => name)
    .filter((name: string) => name !== "search_index_build");
  assertEquals(stated.toSorted(), known.toSorted());
});

Deno.test("Tables with changing rows are counted again at each change", async () => {
  const world = shared();
  const names = (await countedTables(world)).map((name) => `'${name}'`);
  const changing = await world.rows(`
    select r.relname as name, exists (
             select from pg_trigger c where c.tgrelid = r.oid and c.tgname = 'storage_changed'
           ) as counted
      from pg_class r
     where r.relname in (${names.join()}) and r.relnamespace = 'public'::regnamespace
       and not exists (
         select from pg_trigger a where a.tgrelid = r.oid and a.tgname = 'append_only')
     order by 1`);
  assertEquals(changing, [
    // Times of use and of the end add no content.
    { name: "assistant_tokens", counted: false },
    { name: "imports", counted: true },
    // A memory's revisions count; its original text never changes.
    { name: "memories", counted: false },
    { name: "memory_drafts", counted: true },
    { name: "person_proposals", counted: true },
    // Updates add no content.
    { name: "taxonomy_assignments", counted: false },
  ]);
});

Deno.test("The sum matches the rows after writes of every family, and after a restore", async () => {
  const world = shared();
  const caller = await world.createCaller();
  await fillAccount(world, caller);
  // Changes that are not counted again.
  const [{ memories }] = await world.rows(
    `select sum(octet_length(m::text))::integer as memories from memories m`,
  );
  const [kept, counted] = [
    await keptSum(world, caller.accountId),
    await countedSum(world, caller.accountId),
  ];
  assert(Math.abs(kept - counted) <= memories, `${kept} bytes are kept, ${counted} counted`);

  await using folder = await backupFolder();
  await backUpWorld(world, `${folder.path}/backup`);
  await using empty = await openEmpty();
  await restoreFile({ database: empty.database, objects: null }, `${folder.path}/backup`);
  const [{ revisions }] = await empty.rows(
    "select count(*)::integer as revisions from record_revisions",
  );
  const [restored, present] = [
    await keptSum(empty, caller.accountId),
    await countedSum(empty, caller.accountId),
  ];
  // A transaction's number may change after counting.
  assert(
    Math.abs(restored - present) <= revisions * 20,
    `${restored} restored, ${present} counted`,
  );
});

Deno.test("Events of calls that are older than their count are counted by the step", async () => {
  const step = MIGRATIONS.findIndex(({ name }) => name === "assistant_calls");
  await using old = await openEmpty();
  await migrate(old.database, MIGRATIONS.slice(0, step));
  const account = newAccount();
  const event = { account_id: account.account_id ?? "", request_id: "a-request", created_at: AT };
  const call = { credential_kind: "ASSISTANT", tool: "search", records: 0 };
  const events = [
    { ...event, ...call, event_id: ulid(), event: "ASSISTANT_READ" },
    { ...event, ...call, event_id: ulid(), event: "ASSISTANT_PROPOSED" },
    { ...event, event_id: ulid(), event: "LOGIN" },
  ];
  await old.database.transaction((tx) =>
    tx.script([
      insertInto("accounts", account),
      ...events.map((row) => insertInto("access_events", row)),
    ].join("\n"))
  );
  await migrate(old.database, MIGRATIONS);
  const owner = String(account.account_id);
  const sum = await keptSum(old, owner);
  assert(sum > 0);
  assertEquals(sum, await countedSum(old, owner));
});

Deno.test("The previous release, which sets no limit, is counted and never rejected", async () => {
  await using world = await createWorld({ accountStorageBytes: 1_000_000 });
  const caller = await world.createCaller();
  const owner = caller.accountId;
  await world.raw(insertRecord(newRoot(owner)));
  await world.raw(`update account_storage set bytes = bytes + 1000000 where owner_id = '${owner}'`);
  const before = await keptSum(world, owner);
  await world.raw(insertRecord(newRoot(owner)));
  assert(await keptSum(world, owner) > before + 100);
  const body = { title: "A title", payload: COMMITMENT };
  const refused = await caller.call("POST", COMMITMENTS, { key: ulid(), body });
  assertEquals(assertFailure(refused, "ACCOUNT_STORAGE_FULL"), { limit: 1_000_000 });
});

Deno.test("Writes of one account do not block each other, and use few slots", async () => {
  const world = shared();
  const { accountId: owner } = await world.createCaller();
  const slots = async () =>
    (await world.rows(`select 1 from account_storage where owner_id = '${owner}'`)).length;
  const write = () => world.raw(insertRecord(newRoot(owner)));
  const [written, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const open = world.database.transaction(async (tx) => {
    await tx.script(insertRecord(newRoot(owner)));
    written.resolve();
    await ended.promise;
  });
  await written.promise;
  await write();
  ended.resolve();
  await open;
  assertEquals(await slots(), 2);
  for (let count = 0; count < 5; count++) await write();
  assertEquals(await slots(), 2);
  assertEquals(await keptSum(world, owner), await countedSum(world, owner));
});

Deno.test("A slot numbered by another database is added to, and rejects nothing", async () => {
  const world = shared();
  const { accountId: owner } = await world.createCaller();
  const [held, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const [numbered, taken] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const writing = world.database.transaction(async (tx) => {
    const [row] = await tx.sql<{ id: string }>`select pg_current_xact_id()::text as id`;
    numbered.resolve(row?.id ?? "");
    await held.promise;
    // Waits for the slot's holder.
    setTimeout(() => ended.resolve(), 100);
    await tx.script(insertRecord(newRoot(owner)));
  });
  const slot = await numbered.promise;
  await world.raw(`insert into account_storage values ('${owner}', ${slot}, 7)`);
  const holding = world.database.transaction(async (tx) => {
    await tx.sql`select from account_storage where owner_id = ${owner} for no key update`;
    taken.resolve();
    await ended.promise;
  });
  await taken.promise;
  held.resolve();
  await Promise.all([writing, holding]);
  assertEquals(await keptSum(world, owner), await countedSum(world, owner) + 7);
});
