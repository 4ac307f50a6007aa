/**
 * A life of another release, taken over by this tree: its data folder opened, its backup restored,
 * and its PostgreSQL served by both at once.
 */

import { assert, assertEquals } from "@std/assert";
import { PROJECT } from "../../tests/support/server_process.ts";
import { copyFolder, createServerDatabase } from "../../tests/support/template.ts";
import type { Json } from "../../tests/support/world.ts";
import { print } from "../print.ts";
import {
  assertOpens,
  eraseVictim,
  exportLines,
  type Keys,
  openKeys,
  readByKeys,
  signIn,
  writeLife,
} from "./life.ts";
import { type Place, placeOf } from "./place.ts";
import { roll } from "./roll.ts";
import {
  assertKept,
  type Columns,
  readColumns,
  readRows,
  type Rows,
  withDatabase,
} from "./rows.ts";

/** Tables that a start of this release writes. */
const BY_START = ["search_index", "search_index_build"];
/** Tables that are not in a backup. */
const LEFT_OUT = [
  "access_attempts",
  "answered_passkey_sign_ins",
  "audit_sealing",
  "change_feed",
  "schema_migrations",
  "sessions",
  "step_up_proofs",
];
/** Credentials that end with a backup. */
const ENDED = ["assistants", "calendar_feeds", "tokens"];
/** Tables that a person who signs in changes. */
const BY_USE = [...BY_START, "account_storage", "audit_sealing", "passkeys"];
/** Tables that uploads and uses of credentials change in addition. */
const BY_ROLL = [...BY_USE, "assistants", "attachment_usage", "calendar_feeds", "tokens"];

/** A life as the other release left it. */
interface Former {
  readonly tree: string;
  readonly keys: Keys;
  readonly columns: Columns;
  readonly rows: Rows;
  /** The lines of the account export. */
  readonly lines: readonly Json[];
  /** The result of `readByKeys`. */
  readonly read: Json;
  readonly dataDir: string;
  readonly backup: string;
}

/**
 * @param tree A checkout of the other release.
 * @param clusterUrl A PostgreSQL server.
 */
export async function upgradeLife(tree: string, clusterUrl: string): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "prs-life-" });
  try {
    const former = await leaveLife(tree, folder);
    describe(former);
    await restoreBackup(former, `${folder}/restored`);
    await openFolder(former, `${folder}/opened`);
    await serveTogether(former, `${folder}/shared`, clusterUrl);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function leaveLife(tree: string, folder: string): Promise<Former> {
  const dataDir = `${folder}/left`;
  let keys: Keys;
  {
    await using first = placeOf(tree, `${folder}/first`);
    keys = await writeLife(first, await first.start());
    await eraseVictim(first, keys, dataDir);
  }
  await using left = placeOf(tree, dataDir);
  await left.start();
  const owner = await assertOpens(left, keys);
  await owner.create("commitment", PROMISE, "Written after the erasure");
  const read = await readByKeys(left, keys);
  const lines = await exportLines(owner);
  const [backup = ""] = (await left.run("deno task backup --with-secret")).split("\n");
  await left.stop();
  const kept = await withDatabase(left, async (database) => {
    const columns = await readColumns(database);
    return { columns, rows: await readRows(database, columns) };
  });
  return { tree, keys, ...kept, lines, read, dataDir, backup };
}

/** Longer than the service waits before it looks for rows of another release. */
const IDLE_MS = 40_000;
const PROMISE = { commitmentType: "OUTGOING", content: "x", completionStatus: "OPEN" };

function describe({ rows, lines }: Former): void {
  const count = (table: string) => rows.get(table)?.length ?? 0;
  const revisions = [...rows.keys()].filter((table) => table.endsWith("_revisions"));
  const total = [...rows.values()].reduce((sum, { length }) => sum + length, 0);
  print(
    `${count("records")} records, ${revisions.reduce((sum, table) => sum + count(table), 0)} ` +
      `revisions in ${revisions.length} tables, ${count("attachments")} attachments, ` +
      `${total} rows in ${rows.size} tables, ${lines.length} lines of the account export`,
  );
}

async function openFolder(former: Former, dataDir: string): Promise<void> {
  copyFolder(former.dataDir, dataDir);
  await using opened = placeOf(PROJECT, dataDir);
  const rowsNow = (columns: Columns) =>
    withDatabase(opened, (database) => readRows(database, columns));
  await opened.start();
  await opened.stop();
  assertKept(former.rows, await rowsNow(former.columns), BY_START);
  const columns = await withDatabase(opened, readColumns);
  const first = await rowsNow(columns);
  await opened.start();
  await opened.stop();
  assertEquals(await rowsNow(columns), first);
  print("The folder opens; a second start changes no row");

  await opened.start();
  const owner = await assertOpens(opened, former.keys);
  assertExtended(former.lines, await exportLines(owner));
  assertEquals(await readByKeys(opened, former.keys), former.read);
  await opened.stop();
  assertKept(former.rows, await rowsNow(former.columns), BY_USE);
  print("Password, passkey, token, calendar and assistant work, and every line is exported");
}

/** Copies the backup into a new data folder, and restores it there. */
async function restoreInto(place: Place, { backup }: Former): Promise<void> {
  await Deno.mkdir(place.dataDir);
  const file = `${place.dataDir}/former.prs-backup.gz`;
  await Deno.copyFile(backup, file);
  await place.run(`deno task restore ${file}`);
}

async function restoreBackup(former: Former, dataDir: string): Promise<void> {
  await using place = placeOf(PROJECT, dataDir);
  await restoreInto(place, former);
  const rows = await withDatabase(place, (database) => readRows(database, former.columns));
  assertKept(former.rows, rows, [...BY_START, ...LEFT_OUT, ...ENDED]);
  await place.start();
  const owner = await assertOpens(place, former.keys);
  assertExtended(former.lines, await exportLines(owner));
  print("The backup restores; password and passkey work, and every line is exported");
}

async function serveTogether(
  former: Former,
  dataDir: string,
  clusterUrl: string,
): Promise<void> {
  const server = await createServerDatabase({ empty: true, clusterUrl });
  const env = {
    DATABASE_URL: server.url,
    ALLOW_UNSAFE_DATABASE: "true",
    SERVER_SECRET: (await Deno.readTextFile(`${former.dataDir}/server_secret`)).trim(),
  };
  await using old = placeOf(former.tree, dataDir, env);
  await using present = placeOf(PROJECT, dataDir, env);
  await restoreInto(old, former);
  await old.start();
  const owner = await signIn(old);
  const keys = { ...former.keys, ...await openKeys(owner) };
  const rows = await withDatabase(server, (database) => readRows(database, former.columns));
  const lines = await exportLines(owner);
  await present.start();
  const objects = await roll(old, present, keys);
  await old.stop();
  const after = await withDatabase(server, (database) => readRows(database, former.columns));
  assertKept(rows, after, BY_ROLL);
  assertExtended(lines, await exportLines(await assertOpens(present, keys)));
  print(`Two releases serve one database; each of ${objects} objects is read and found by both`);

  await present.stop();
  const idle = await withDatabase(server, async (database) => {
    const columns = await readColumns(database);
    const first = await readRows(database, columns);
    await present.start();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    assertEquals(await readRows(database, columns), first);
    return columns.size;
  });
  print(`The next start and ${IDLE_MS / 1000} seconds change no row of ${idle} tables`);
}

/** Asserts that an export has each line of an older one in order, maybe with more members. */
function assertExtended(old: readonly Json[], present: readonly Json[]): void {
  let place = 0;
  for (const line of old.filter(({ manifest }) => manifest === undefined)) {
    const text = JSON.stringify(line);
    const found = present.findIndex((other, at) =>
      at >= place && JSON.stringify(restrict(other, line)) === text
    );
    assert(found >= 0, `A line is missing or changed: ${text.slice(0, 1_000)}`);
    place = found + 1;
  }
}

/** A value without the members that another one lacks. */
function restrict(value: Json, to: Json): Json {
  if (Array.isArray(value) && Array.isArray(to)) {
    return value.map((item, index) => restrict(item, to[index]));
  }
  if (!isObject(value) || !isObject(to)) return value;
  const members = Object.entries(value).filter(([name]) => name in to);
  return Object.fromEntries(members.map(([name, member]) => [name, restrict(member, to[name])]));
}

function isObject(value: Json): boolean {
  return typeof value === "object" && value !== null;
}
