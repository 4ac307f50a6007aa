import { insertSignIn, newAssistant } from "./assistant_rows.ts";
import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { Contents } from "../../src/operator/backup/format.ts";
import { checkBackup, type CheckedBackup } from "../../src/operator/backup/read_backup.ts";
import { BACKED_UP_TABLES, EXCLUDED_TABLES } from "../../src/operator/backup/tables.ts";
import { insertErasure } from "../../src/erasure/erased_store.ts";
import { newId } from "../../src/core/ids.ts";
import { sumTables } from "../../src/operator/backup/verify.ts";
import { exportAccount } from "../http/account.ts";
import { COMMITMENT } from "../http/kernel.ts";
import { filesUnder } from "../support/attachments.ts";
import { makeFeed } from "../http/calendar.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, createWorld, type Json, type World } from "../support/world.ts";
import { newEvent } from "./authorization_rows.ts";
import { digestsOf, newEntry, sealAll, verify } from "./audit_trail.ts";
import { allRows, backupFolder, backUpWorld, restoreFile, unpacked } from "./backup.ts";
import { insertOwned, newRow, stepRow } from "./family_rows.ts";
import { ROOT_KINDS } from "./root_kinds.ts";
import { insertInto, insertRecord, newRoot, nextRoot } from "./rows.ts";
import { newPasskey, newUser } from "./passkey_rows.ts";
import { newFactor, newRecoveryCode } from "./second_factor_rows.ts";
import { fillAccount } from "./whole_account.ts";

/** Valid, but unusual. */
const ODD_JSON = `{ "b" :1.0e1,\n\t"a":[ 1.50 , "\\u00e9" ],"b":2 }`;

const SERVER_SECRET = "a server secret of more than 32 characters";

const REMOVED = { removed_at: "2026-11-20T12:01:00.000Z", credential: null, public_key: null };

/** Fills every backed-up table. */
async function fill(world: World): Promise<Caller> {
  const caller = await world.createCaller();
  const service = await world.createCaller("SERVICE");
  await world.raw(`
    insert into account_permissions
    select '${service.accountId}', permission_id from permissions where name = 'record.read'`);
  await makeToken(world, caller);
  await makeFeed(world, caller, { alarms: { timed: [15], allDay: "09:00" } });
  await world.raw(insertInto("assistants", newAssistant(caller)) + insertSignIn(caller));
  const source = { address_digest: "0123456789abcdef", client: "Firefox on Windows" };
  await world.raw(insertInto("access_events", newEvent(caller, source)));
  const used = { used_at: "2026-11-20T12:01:00.000Z" };
  await world.raw(
    insertInto("second_factors", newFactor(caller)) +
      insertInto("recovery_codes", newRecoveryCode(caller)) +
      insertInto("recovery_codes", newRecoveryCode(caller, used)) +
      insertInto("passkey_host", { host_name: "records.example" }) +
      insertInto("passkey_users", newUser(caller)) +
      insertInto("passkeys", newPasskey(caller)) +
      insertInto("passkeys", newPasskey(caller, REMOVED)),
  );
  await fillAccount(world, caller);
  await world.raw(insertRecord(newRoot(caller.accountId, { payload: ODD_JSON })));
  await exportAccount(world, caller);
  for (const kind of ROOT_KINDS) {
    const row = newRow(kind, ulid());
    const step = stepRow(kind, row, nextRoot(row, kind.others));
    await world.raw(insertOwned(kind, row) + (kind.onlyRevision === undefined ? step : ""));
  }
  await fillSeals(world, caller);
  await fillErasure(world, caller);
  return caller;
}

/** A certificate that names something else. */
async function fillErasure(world: World, { accountId: owner_id }: Caller): Promise<void> {
  const [id, at] = [ulid(), world.now().toISOString()];
  const scope = [{ kind: "RECORD", id: ulid(), moduleCode: "commitment" }] as const;
  const erasure = { id, at, reason: "MISTAKE", accountId: owner_id, scope };
  await world.database.transaction((tx) => insertErasure(tx, erasure, JSON.stringify(erasure)));
}

/** Two seals, the second with a late entry, and a waiting entry. */
async function fillSeals(world: World, { accountId }: Caller): Promise<void> {
  await sealAll(world);
  const early = newId(new Date(world.now().getTime() - 60_000));
  await world.raw(
    insertInto("audit_entries", newEntry(world, "audit", accountId, { audit_id: early })),
  );
  await sealAll(world);
  await world.raw(insertInto("audit_entries", newEntry(world, "audit", accountId)));
}

Deno.test("Backup knows each table, included or omitted, and each transaction number", async () => {
  const { world } = shared();
  const tables = await world.rows(
    "select table_name::text as name from information_schema.tables where table_schema = 'public'",
  );
  const known = [...BACKED_UP_TABLES.map(({ name }) => name), ...Object.keys(EXCLUDED_TABLES)];
  assertEquals(known.toSorted(), tables.map(({ name }: Json) => name).sort());
  const numbers = await world.rows(`
    select c.table_name::text as name, c.column_name::text as transaction
      from information_schema.columns c
     where c.table_schema = 'public' and (c.udt_name = 'xid8' or c.column_name ~ 'transaction')
     order by 1`);
  assertEquals(
    BACKED_UP_TABLES.flatMap(({ name, transaction }) => transaction ? [{ name, transaction }] : [])
      .sort((one, other) => one.name < other.name ? -1 : 1),
    numbers,
  );
});

/** A world with its backup and restored copy; read-only until the copy is sealed. */
interface Restored extends AsyncDisposable {
  readonly world: World;
  readonly caller: Caller;
  readonly token: string;
  readonly path: string;
  readonly contents: Contents;
  readonly other: World;
  readonly restored: CheckedBackup;
  /** Right after the restore. */
  readonly rows: readonly [before: AllRows, after: AllRows];
}

type AllRows = Readonly<Record<string, string[]>>;

const shared = sharedRestored();

function sharedRestored(): () => Restored {
  let opened: Restored | undefined;
  Deno.test.beforeAll(async () => {
    opened = await openRestored();
  });
  Deno.test.afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
  });
  return () => {
    if (opened === undefined) throw new Error("The worlds are open only while their tests run");
    return opened;
  };
}

async function openRestored(): Promise<Restored> {
  await using opening = new AsyncDisposableStack();
  const world = opening.use(await createWorld());
  const folder = opening.use(await backupFolder());
  const caller = await fill(world);
  const { token } = await makeToken(world, caller);
  await world.call("POST", "/api/v2/auth/login", {
    body: { email: "nobody@example.org", password: "a password that only tests know" },
    peer: "192.0.2.1",
  });
  world.advance(60_000);
  const path = `${folder.path}/backup`;
  const contents = await backUpWorld(world, path, { serverSecret: SERVER_SECRET });
  const other = opening.use(await createWorld());
  other.advance(60_000);
  const restored = await restoreFile(other, path);
  const rows = [await allRows(world), await allRows(other)] as const;
  const opened = opening.move();
  return {
    world,
    caller,
    token,
    path,
    contents,
    other,
    restored,
    rows,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

Deno.test("Backup restores every row and every byte into an empty database", async () => {
  const { world, contents, other, restored, rows: [before, after] } = shared();
  for (const { name } of BACKED_UP_TABLES) {
    assert((contents.manifest.tables[name]?.rows ?? 0) > 0, `${name} has rows to compare`);
  }
  assertEquals(contents.manifest.objects, { count: 3, bytes: 200_014 });

  const { head, manifest } = restored;
  assertEquals({ head, manifest }, contents);
  for (const { name, ended } of BACKED_UP_TABLES) {
    if (ended === undefined) assertEquals(after[name], before[name], name);
  }
  await using folder = await backupFolder();
  const again = await backUpWorld(other, `${folder.path}/again`, { serverSecret: SERVER_SECRET });
  assertEquals(again.manifest, contents.manifest);
  const files = await filesUnder(world.objectFolder);
  assertEquals(await filesUnder(other.objectFolder), files);
  for (const file of files) {
    const [original, copy] = [world, other].map(({ objectFolder }) =>
      Deno.readFileSync(`${objectFolder}/${file}`)
    );
    assertEquals(copy, original, file);
  }
});

Deno.test("Backup omits sessions, proofs, throttle and secrets, and revokes tokens", async () => {
  const { world, caller, token, path, other } = shared();
  const text = await unpacked(path);
  for (const name of Object.keys(EXCLUDED_TABLES)) {
    assertEquals(text.includes(`["table","${name}"]`), false, name);
  }
  for (const secret of [token, caller.secret]) assertEquals(text.includes(secret), false);

  const omitted = ["sessions", "step_up_proofs", "access_attempts", "setup_token"];
  for (const name of [...omitted, "assistant_codes", "assistant_tokens"]) {
    assertEquals([...await other.rows(`select * from ${name}`)], [], name);
  }
  for (const name of ["tokens", "calendar_feeds", "assistants"]) {
    const ended = await other.rows(`select distinct revoked_at from ${name}`);
    assertEquals([...ended], [{ revoked_at: world.now() }], name);
  }
  const headers = { Authorization: `Bearer ${token}` };
  assertEquals((await world.call("GET", "/api/v2/auth/session", { headers })).status, 200);
  assertEquals((await other.call("GET", "/api/v2/auth/session", { headers })).status, 401);
});

Deno.test("Backup has the server secret only on request, readable by its user only", async () => {
  const { world } = shared();
  await using folder = await backupFolder();
  for (const given of [null, SERVER_SECRET]) {
    const path = `${folder.path}/${given === null ? "without" : "with"}`;
    await backUpWorld(world, path, { serverSecret: given });
    assertEquals((await unpacked(path)).includes(SERVER_SECRET), given !== null);
    assertEquals((await checkBackup(path)).head.serverSecret, given);
    assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  }
  const names = await Array.fromAsync(Deno.readDir(folder.path), ({ name }) => name);
  assertEquals(names.sort(), ["with", "without"], "nothing half-written stays");
});

Deno.test("Backup keeps JSON to the byte, and times to their limits", async () => {
  const { caller: { accountId }, other } = shared();
  const odd = `payload::text = E'${ODD_JSON.replaceAll("\\", "\\\\")}'`;
  assertEquals(
    [...await other.rows(`select count(*)::int as rows from records where ${odd}`)],
    [{ rows: 1 }],
  );
  const moments = await other.rows(
    `select occurred_at, time_to from memories where owner_id = '${accountId}' order by 1 limit 1`,
  );
  const written = moments.map((row: Json) => [row.occurred_at, row.time_to]);
  const ends = ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"];
  assertEquals(written, [ends.map((end) => new Date(end))]);
});

Deno.test("Restored entries keep their seals, and waiting ones are sealed afterwards", async () => {
  const { world, caller: { accountId }, other, contents: { manifest } } = shared();
  // Last, because the restored copy is sealed.
  const digests = await digestsOf(world, "audit", accountId);
  assertEquals(manifest.seals?.[`${accountId}/audit`], digests.at(-1));

  const before = await verify(world, digests);
  assertEquals(before.broken, []);
  assert(before.waiting > 0, "an entry waits");
  assertEquals(await verify(other, digests), before);
  await sealAll(other);
  const after = await verify(other, digests);
  assertEquals([after.broken, after.missingAnchors, after.waiting], [[], [], 0]);
  assertEquals(after.entries, before.entries + before.waiting);
});

Deno.test("Backup during writes shows one point in time: every root equals its newest revision", async () => {
  await using world = await createWorld();
  await using folder = await backupFolder();
  const caller = await world.createCaller();
  const writing = writeUntilStopped(caller);
  const path = `${folder.path}/later`;
  for (const each of [`${folder.path}/early`, path]) await backUpWorld(world, each);
  const acknowledged = await writing.stop();
  assert(acknowledged > 0, "something was written meanwhile");
  await using other = await createWorld();
  const { manifest } = await restoreFile(other, path);
  const names = Object.keys(manifest.tables);
  assertEquals(await sumTables(other.database, names, world.now()), manifest.tables);
  const stray = await other.rows(`
    select r.record_id from records r
     where (select max(v.revision) from record_revisions v
             where (v.owner_id, v.record_id) = (r.owner_id, r.record_id)) <> r.revision
        or not exists (select from audit_entries a where a.subject_id = r.record_id)
        or not exists (select from idempotency_envelopes e
                        where e.envelope->>'recordId' = r.record_id)`);
  assertEquals([...stray], []);
});

/** Three clients, one request each. */
function writeUntilStopped(caller: Caller): { stop(): Promise<number> } {
  let [isStopping, acknowledged] = [false, 0];
  const client = async () => {
    while (!isStopping) {
      const { recordId } = await caller.create("commitment", COMMITMENT);
      const path = `/api/v2/records/commitment/${recordId}`;
      const changed = await caller.call("PATCH", path, { body: { title: "Next" }, key: ulid() });
      assertEquals(changed.status, 200, changed.text);
      acknowledged += 2;
    }
  };
  const clients = Promise.all([client(), client(), client()]);
  return {
    stop: async () => {
      isStopping = true;
      await clients;
      return acknowledged;
    },
  };
}
