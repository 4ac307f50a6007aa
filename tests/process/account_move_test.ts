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
import type { OwnService } from "../support/own_service.ts";
import { OWNER } from "../support/owner.ts";
import { startServer } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";
import { callApp, type Caller, callerOf, ENGINE, type Json } from "../support/world.ts";

const SEED = 20_261_122;
const LIFE = { records: 120, attachments: 3, attachmentBytes: 200_000 };
const WRITERS = 4;
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

/**
 * Kills the executing process at a moment: with the built-in engine a server, otherwise the
 * command.
 */
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
  await waitUntil("the moment has come", async () => isOver || await hasCome(), {
    pollMs: 2,
  });
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

function login({ app }: OwnService) {
  return callApp(app, "POST", "/api/v2/auth/login", { body: LOGIN });
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
  const frozen = await runAdmin(from.env, freezing);
  assertEquals([frozen.code, frozen.stderr], [0, ""]);
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

  const exporting = (path: string) => ["account", "export", ...OF, "--file", path];
  await killAt(from, exporting(source), () => hasPart(from.dataDir));
  assertEquals(await stateOf(from), whole);
  if (!await exists(source)) await from.operate(...exporting(file));
  await Deno.mkdir(to.dataDir, { recursive: true });
  await Deno.copyFile(source, target);

  const importing = ["account", "import", ...OF, "--file", target];
  // `process/account_crash` has earlier moments of an import.
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
  const imported = await to.operate(...importing.with(-1, file));
  assertMatch(imported.join(), /^(The account is here and frozen|Nothing was changed): /);
  assertEquals(await stateOf(to), whole);

  const retiring = ["account", "retire", ...OF, "--moved-to", NEW_ADDRESS];
  await killWaiting(from, retiring, (tx) => tx.sql`select 1 from accounts for update`);
  assertEquals(await stateOf(from), whole);
  await from.operate(...retiring);

  await to.operate(...exporting("back.jsonl"));
  const back = await Deno.readTextFile(`${to.dataDir}/back.jsonl`);
  assertEquals(back, await Deno.readTextFile(source));
  await to.operate("account", "unfreeze", ...OF);
  await assertMoved(from, to, acknowledged);
});

/** The new side has all acknowledged writes, and the old one its address. */
async function assertMoved(
  from: Installation,
  to: Installation,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  await using old = await from.serve();
  const { status, body: { error } } = await login(old);
  assertEquals([status, error.code, error.details], [
    410,
    "ACCOUNT_MOVED",
    { movedTo: NEW_ADDRESS },
  ]);
  await using server = await to.serve();
  const { data: { account, session, accessToken } } = (await login(server)).body;
  const caller = callerOf(server.app, {
    accountId: account.accountId,
    sessionId: session.sessionId,
    secret: accessToken,
  });
  for (const { key, title, data } of acknowledged) {
    assertEquals((await caller.call("GET", pathOf(data))).body.data, data);
    const body = { title, payload: COMMITMENT };
    const again = await caller.call("POST", COMMITMENTS, { key, body });
    assertEquals([again.status, again.body.data], [201, data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  }
}
