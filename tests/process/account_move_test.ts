/** Moving an account while either side is killed at every step. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ulid } from "@std/ulid";
import { ignoreNotFound } from "../../src/core/files.ts";
import type { Tx } from "../../src/database/database.ts";
import { importFile } from "../http/account.ts";
import { COMMITMENT, COMMITMENTS, pathOf } from "../http/kernel.ts";
import { runAdmin, startAdmin } from "../support/admin_process.ts";
import { filesUnder } from "../support/attachments.ts";
import { wholeAccount } from "../support/generated_account.ts";
import { createInstallation, type Installation } from "../support/installation.ts";
import { OWNER } from "../support/owner.ts";
import { type ServerProcess, startServer } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";
import { type Caller, callerOf, ENGINE, type Json } from "../support/world.ts";

const SEED = 20_261_122;
const LIFE = { records: 60, attachments: 3, attachmentBytes: 100_000 };
const WRITERS = 4;
/** A writer's pause, so that hundreds of writes need not be read while a command starts. */
const PAUSE_MS = 20;
/** The newest writes, those around the freezing, are repeated on the new side. */
const REPEATED = 20;
const EMAIL = OWNER.email;
const OF = ["--email", EMAIL];
const LOGIN = { ...OWNER, transport: "bearer" };
const NEW_ADDRESS = "https://cell-2.example.org";

interface Acknowledged {
  readonly key: string;
  readonly title: string;
  readonly data: Json;
}

/** Writes until the account rejects, or the server is gone. */
async function writeUntilRefused(caller: Caller, acknowledged: Acknowledged[]): Promise<void> {
  const write = async () => {
    while (true) {
      const [key, title] = [ulid(), `A title ${acknowledged.length}`];
      const body = { title, payload: COMMITMENT };
      const { status, body: { data, error }, text } = await caller.call("POST", COMMITMENTS, {
        key,
        body,
      });
      if (status !== 201) {
        assertEquals([status, error?.details?.scope], [503, "ACCOUNT_WRITES"], text);
        return;
      }
      acknowledged.push({ key, title, data });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** Null for none. */
async function stateOf({ rows }: Installation): Promise<Json> {
  const [state = null] = await rows(`
    select frozen_at is not null as frozen, moved_to as "movedTo",
           (select count(*)::int from records) as records,
           (select count(*)::int from record_revisions) as revisions,
           (select count(*)::int from attachments) as attachments,
           (select count(*)::int from audit_entries) as audited,
           (select count(*)::int from idempotency_envelopes) as envelopes
      from accounts`);
  return state;
}

async function succeed(place: Installation, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runAdmin(place.env, words);
  assertEquals([code, stderr], [0, ""]);
  return stdout;
}

/** Kills the executing process at a moment: with the built-in engine a server, otherwise the command. */
async function killAt(
  place: Installation,
  words: readonly string[],
  hasCome: () => Promise<boolean>,
): Promise<void> {
  // Also if the moment never comes: a server prevents removal.
  await using server = ENGINE === "embedded" ? await startServer(place.env) : null;
  const command = startAdmin(place.env, words);
  let isOver = false;
  command.ended.then(() => {
    isOver = true;
  });
  await waitUntil("the moment has come", async () => isOver || await hasCome());
  if (server !== null) server.kill("SIGKILL");
  else if (!isOver) command.kill();
  await Promise.all([command.ended, server?.ended]);
}

/** Kills a command that waits for a lock. In the built-in engine nothing waits. */
async function killWaiting(
  place: Installation,
  words: readonly string[],
  hold: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  if (ENGINE === "embedded") return;
  const held = place.withDatabase((database) =>
    database.transaction(async (tx) => {
      await tx.withoutTimeouts();
      await hold(tx);
      await killAt(place, words, async () => {
        // A transaction sees session states of its first look.
        await tx.sql`select pg_stat_clear_snapshot()`;
        const [row] = await tx.sql<{ waits: boolean }>`
          select exists (select from pg_stat_activity where datname = current_database()
                            and wait_event_type = 'Lock') as waits`;
        return row?.waits ?? false;
      });
      throw new Error("rolled back");
    })
  );
  await assertRejects(() => held, Error, "rolled back");
}

/** May be missing. */
async function filesIn(folder: string): Promise<string[]> {
  return await filesUnder(folder).catch(ignoreNotFound) ?? [];
}

/** Whether an export is writing. */
async function hasPart(folder: string): Promise<boolean> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.some(({ name }) => name.endsWith(".part"));
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

function login(server: ServerProcess) {
  return server.call("POST", "/api/v2/auth/login", { body: LOGIN });
}

/** Freezes it under writers; returns acknowledged writes. */
async function fillAndFreeze(from: Installation): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  const freezing = ["account", "freeze", ...OF];
  const settled = await from.settle();
  await using server = await startServer(from.env);
  const caller = callerOf(server.app, settled);
  const imported = await importFile(caller, await wholeAccount(SEED, LIFE));
  assertEquals(imported.status, 200, imported.text);
  await killWaiting(
    from,
    freezing,
    (tx) => tx.sql`select pg_advisory_xact_lock_shared(account_lock(${caller.accountId}))`,
  );
  const writing = writeUntilRefused(caller, acknowledged);
  await waitUntil("there are writes", () => acknowledged.length > 20);
  await succeed(from, ...freezing);
  const atFreezing = acknowledged.length;
  await writing;
  // A response may have been lost per writer.
  assert(acknowledged.length <= atFreezing + WRITERS);
  return acknowledged;
}

Deno.test("A moving account is complete on one side, whenever either process is killed", async () => {
  await using from = await createInstallation();
  await using to = await createInstallation();
  const file = "account.jsonl";
  const [source, target] = [from, to].map(({ dataDir }) => `${dataDir}/${file}`) as [
    string,
    string,
  ];
  const acknowledged = await fillAndFreeze(from);
  const whole = await stateOf(from);
  assertEquals(whole.records, LIFE.records + acknowledged.length);

  const exporting = ["account", "export", ...OF, "--file", source];
  await killAt(from, exporting, () => hasPart(from.dataDir));
  assertEquals(await stateOf(from), whole);
  if (!await exists(source)) await succeed(from, ...exporting);
  await Deno.mkdir(to.dataDir, { recursive: true });
  await Deno.copyFile(source, target);

  const importing = ["account", "import", ...OF, "--file", target];
  // `process/account_crash` kills an import while its file is spooled.
  const objects = `${to.dataDir}/objects`;
  await killAt(to, importing, async () => (await filesIn(`${objects}/incoming`)).length > 0);
  assertEquals(await stateOf(to), null);
  await killWaiting(to, importing, (tx) =>
    tx.sql`
      insert into accounts (account_id, email, email_key, display_name, password_hash, created_at)
      values (${ulid()}, 'another', ${EMAIL}, 'A', '', now())`);
  assertEquals(await stateOf(to), null);
  // Attachments are moved just before the commit.
  await killAt(
    to,
    importing,
    async () => (await filesIn(objects)).some((path) => !path.startsWith("incoming")),
  );
  const arrived = await stateOf(to);
  assertEquals(arrived, arrived === null ? null : whole);
  const imported = await succeed(to, ...importing);
  assertMatch(imported, /^(The account is here and frozen|Nothing was changed): /);
  assertEquals(await stateOf(to), whole);

  const retiring = ["account", "retire", ...OF, "--moved-to", NEW_ADDRESS];
  await killWaiting(from, retiring, (tx) => tx.sql`select 1 from accounts for update`);
  assertEquals(await stateOf(from), whole);
  await succeed(from, ...retiring);

  const back = `${to.dataDir}/back.jsonl`;
  await succeed(to, "account", "export", ...OF, "--file", back);
  assertEquals(await Deno.readTextFile(back), await Deno.readTextFile(source));
  await succeed(to, "account", "unfreeze", ...OF);
  await assertMoved(from, to, acknowledged);
});

/** The new side knows the acknowledged writes, and the old one its address. */
async function assertMoved(
  from: Installation,
  to: Installation,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  await using old = await startServer(from.env);
  const { status, body: { error } } = await login(old);
  assertEquals([status, error.code, error.details], [
    ...[410, "ACCOUNT_MOVED", { movedTo: NEW_ADDRESS }],
  ]);
  await using server = await startServer(to.env);
  const { data: { account, session, accessToken } } = (await login(server)).body;
  const caller = callerOf(server.app, {
    accountId: account.accountId,
    sessionId: session.sessionId,
    secret: accessToken,
  });
  for (const { key, title, data } of acknowledged.slice(-REPEATED)) {
    assertEquals((await caller.call("GET", pathOf(data))).body.data, data);
    const body = { title, payload: COMMITMENT };
    const again = await caller.call("POST", COMMITMENTS, { key, body });
    assertEquals([again.status, again.body.data], [201, data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  }
}
