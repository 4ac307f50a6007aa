// engines: postgres
import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { gunzipSync } from "node:zlib";
import type { AgeIdentity, Recipient } from "../../src/operator/backup/age/stanza.ts";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import { verifyBackup } from "../../src/operator/backup/verify.ts";
import { MIGRATIONS } from "../../src/database/migration_files.ts";
import { identityOf, KEYS, recipientOf } from "../support/age.ts";
import { filesUnder, uploaded } from "../support/attachments.ts";
import { seededRandom } from "../support/random.ts";
import { createWorld, fileWorld, type World } from "../support/world.ts";
import {
  type BackupFolder,
  backupFolder,
  backUpWorld,
  countRows,
  refusalOf,
  restoreFile,
  writeForged,
} from "./backup.ts";
import { emptyDatabases } from "./empty_database.ts";

const PAYLOAD = { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" };
const DAMAGED = "The file is damaged or not a backup";
const NEWEST = MIGRATIONS.at(-1)?.version ?? 0;
const ACCOUNT_ID = "01KAGQ00000000000000000001";

const openEmpty = emptyDatabases();
/** Stays empty. */
const target = fileWorld();
/** With a record and an attachment. */
const filled = fileWorld();

let filling: Promise<void> | undefined;

async function smallBackup(
  folder: BackupFolder,
  recipient: Recipient | null = null,
): Promise<string> {
  await (filling ??= (async () => {
    const caller = await filled().createCaller();
    await caller.create("commitment", PAYLOAD);
    await uploaded(caller, "some bytes");
  })());
  const path = `${folder.path}/backup`;
  await backUpWorld(filled(), path, { recipient });
  return path;
}

function restoring(
  world: World,
  path: string,
  identity: AgeIdentity | null = null,
): Promise<string | null> {
  return refusalOf(restoreFile(world, path, identity));
}

async function assertNothingRestored(world: World, why: string): Promise<void> {
  assertEquals(await countRows(world), 0, why);
  assertEquals(await filesUnder(world.objectFolder), [], why);
}

Deno.test("Restore rejects an encrypted file with any damage, and restores nothing", async () => {
  await using folder = await backupFolder();
  const whole = await Deno.readFile(await smallBackup(folder, recipientOf(KEYS)));
  const random = seededRandom(20261122);
  const path = `${folder.path}/damaged`;
  for (let round = 1; round <= 40; round++) {
    await Deno.writeFile(path, damage(whole, random));
    assert(await restoring(target(), path, identityOf(KEYS)) !== null, `round ${round}`);
  }
  await assertNothingRestored(target(), "after all of them");
  await Deno.writeFile(path, whole);
  await using world = await createWorld();
  assertEquals(await restoring(world, path, identityOf(KEYS)), null);
});

Deno.test("Restore rejects a file with any damage, and restores nothing", async () => {
  await using folder = await backupFolder();
  const whole = await Deno.readFile(await smallBackup(folder));
  const random = seededRandom(20261120);
  const path = `${folder.path}/damaged`;
  for (let round = 1; round <= 50; round++) {
    const damaged = damage(whole, random);
    if (unpack(damaged)?.equals(unpack(whole) ?? damaged)) continue;
    await Deno.writeFile(path, damaged);
    assert(await restoring(target(), path) !== null, `round ${round}`);
  }
  await assertNothingRestored(target(), "after all of them");
});

/** A changed byte, missing part or end, or extra data. */
function damage(whole: Uint8Array, random: ReturnType<typeof seededRandom>): Uint8Array {
  const at = random.integer(0, whole.length - 1);
  const kind = random.pick(["changed", "changed", "lost", "cut", "longer"]);
  if (kind === "cut") return whole.slice(0, at);
  if (kind === "longer") return Uint8Array.from([...whole, random.integer(0, 255)]);
  const rest = whole.slice(at + random.integer(1, 40));
  if (kind === "lost") return Uint8Array.from([...whole.slice(0, at), ...rest]);
  return whole.map((byte, index) => index === at ? byte ^ (1 << random.integer(0, 7)) : byte);
}

/** Some bits of the compressed form carry nothing. */
function unpack(packed: Uint8Array) {
  try {
    return gunzipSync(packed);
  } catch {
    return null;
  }
}

Deno.test("Restore rejects a file whose text was changed and repacked", async () => {
  await using folder = await backupFolder();
  const text = new TextDecoder().decode(gunzipSync(await Deno.readFile(await smallBackup(folder))));
  const lines = text.trimEnd().split("\n");
  const changes = {
    "a letter of a row": text.replace("Call home", "Call Rome"),
    "a lost row": text.replace(/\n\{[^\n]*/, ""),
    "a row twice": text.replace(/(\n\{[^\n]*)/, "$1$1"),
    "a lost manifest": lines.slice(0, -1).join("\n") + "\n",
    "a line behind the manifest": `${text}["table","accounts"]\n`,
    "a lost last line end": text.trimEnd(),
    "other bytes": text.replace(/\n"[^"]*"\n/, `\n"${btoa("other byte")}"\n`),
    "a manifest of other counts": text.replace(/"bytes":\d+/, '"bytes":11'),
    "another moment": text.replace('"createdAt":"2026', '"createdAt":"2025'),
    "no line at all": "",
  };
  for (const [why, changed] of Object.entries(changes)) {
    assert(changed !== text, why);
    const path = `${folder.path}/changed`;
    await Deno.writeFile(path, await pack(changed));
    assertEquals(await restoring(target(), path), DAMAGED, why);
  }
  await assertNothingRestored(target(), "after all of them");
});

async function pack(text: string): Promise<Uint8Array> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(packed).bytes();
}

Deno.test("Restore rejects a non-empty database and leaves it unchanged", async () => {
  await using folder = await backupFolder();
  const path = await smallBackup(folder);
  await using world = await createWorld();
  await world.createCaller();
  assertEquals(
    await restoring(world, path),
    "The database is not empty: there are rows in accounts",
  );
  assertEquals(await countRows(world), 1);
});

Deno.test("Restore rejects files of a newer release or another program", async () => {
  await using folder = await backupFolder();
  const path = `${folder.path}/forged`;
  await writeForged(path, { schema: NEWEST + 1 }, "accounts");
  assertEquals(
    await restoring(target(), path),
    `The backup has schema version ${NEWEST + 1}, which this release does not know`,
  );
  for (const table of ["pets", "sessions", "pg_authid"]) {
    await writeForged(path, { schema: NEWEST }, table);
    assertEquals(
      await restoring(target(), path),
      "The backup contains a table that this release does not know",
    );
  }
  await Deno.writeFile(path, await pack(`["prs-backup",2,{"schema":1}]\n`));
  assertEquals(
    await restoring(target(), path),
    "The file is not a backup that this release can read",
  );
  assertEquals(await restoring(target(), `${folder.path}/absent`), "The file cannot be read");
  await assertNothingRestored(target(), "after all of them");
});

Deno.test("Restore rejects a backup of the replaced steps and explains the upgrade", async () => {
  await using folder = await backupFolder();
  const packed = await Deno.readFile(await smallBackup(folder));
  const text = new TextDecoder().decode(gunzipSync(packed));
  const unmarked = text.replace(',"steps":2}]', "}]");
  assert(unmarked !== text);
  const path = `${folder.path}/replaced`;
  await Deno.writeFile(path, await pack(unmarked));
  assertEquals(
    await restoring(target(), path),
    "The backup has the schema of an earlier revision, which this release cannot restore. With " +
      "that revision, restore it and run `admin account freeze` and `admin account export` for each " +
      "account; with this release, start on an empty database and run `admin account import` and " +
      "`admin account unfreeze` for each",
  );
  await assertNothingRestored(target(), "of the replaced steps");
});

const OLD_ACCOUNT = JSON.stringify({
  account_id: ACCOUNT_ID,
  email: "me@example.org",
  email_key: "me@example.org",
  display_name: "Me",
  password_hash: "none",
  role: "OWNER",
  created_at: "2026-11-20T12:00:00+00:00",
  disabled_at: null,
});

Deno.test("Restore accepts a backup of an older schema through later steps", async () => {
  await using folder = await backupFolder();
  const path = `${folder.path}/old`;
  await writeForged(path, { schema: 5 }, "accounts", [OLD_ACCOUNT]);
  await using empty = await openEmpty();
  await restoreFile({ database: empty.database, objects: null }, path);
  const [restored] = await empty.rows(`
    select account_id, (select max(version) from schema_migrations) as version from accounts`);
  assertEquals({ ...restored }, { account_id: ACCOUNT_ID, version: NEWEST });
  assertEquals(
    await restoring(target(), path),
    "The backup has schema version 5: restore it into a database on which this release has " +
      "not been started",
  );
});

Deno.test("Restore accepts access events from before their client columns", async () => {
  await using folder = await backupFolder();
  const path = `${folder.path}/old`;
  const event = { event_id: ulid(), event: "LOGIN", credential_kind: null, credential_id: null };
  const more = { request_id: "old", created_at: "2026-11-20T12:00:00+00:00" };
  const row = JSON.stringify({ account_id: ACCOUNT_ID, ...event, ...more });
  await writeForged(path, { schema: 10 }, "access_events", [row]);
  await using empty = await openEmpty();
  await restoreFile({ database: empty.database, objects: null }, path);
  const [restored] = await empty.rows(
    "select request_id, address_digest, client from access_events",
  );
  assertEquals({ ...restored }, { request_id: "old", address_digest: null, client: null });
});

Deno.test("Restore rolls back completely when a row violates the schema", async () => {
  await using folder = await backupFolder();
  const path = `${folder.path}/broken`;
  const wrong = OLD_ACCOUNT.replace('"OWNER"', '"EMPEROR"');
  await writeForged(path, { schema: NEWEST }, "accounts", [OLD_ACCOUNT, wrong]);
  const error = await restoreFile(target(), path).catch((thrown) => thrown);
  assertEquals([error.name, error.code], ["PostgresError", "23514"]);
  await assertNothingRestored(target(), "after the failure");
});

Deno.test("Restore rejects other fixed identifiers", async () => {
  await using folder = await backupFolder();
  const path = `${folder.path}/forged`;
  const row = `{"role_id":"${ACCOUNT_ID}","name":"EMPEROR"}`;
  await writeForged(path, { schema: NEWEST }, "roles", [row]);
  assertEquals(await restoring(target(), path), "The rows of roles differ from the backup");
});

Deno.test("Verification finds rows that are restored differently", async () => {
  await using folder = await backupFolder();
  const path = `${folder.path}/forged`;
  const spaced = OLD_ACCOUNT.replace('"role":', '"role" :');
  await writeForged(path, { schema: NEWEST }, "accounts", [spaced]);
  await using scratch = await createWorld();
  assertEquals(
    await refusalOf(verifyBackup(scratch.database, await checkBackup(path), () => {})),
    "The restored rows of accounts differ from the backup",
  );
});

Deno.test("Backup rejects a newer release's schema, whose tables it does not know", async () => {
  await using folder = await backupFolder();
  await using world = await createWorld();
  const newer = NEWEST + 1;
  await world.raw(
    `insert into schema_migrations (version, name, checksum) values (${newer}, 'newer', 'unknown')`,
  );
  assertEquals(
    await refusalOf(backUpWorld(world, `${folder.path}/backup`)),
    `The database has schema version ${newer}, which this release does not know: ` +
      "back up with the release that created it",
  );
  assertEquals(await filesUnder(folder.path), []);
});
