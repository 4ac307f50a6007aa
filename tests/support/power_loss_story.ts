/**
 * An installation on a recorded disk. After a power loss at any point the service must start with
 * every acknowledged write, once and complete.
 */

import { assert, assertEquals } from "@std/assert";
import { BackupError } from "../../src/operator/backup/backup_error.ts";
import { restoreInstallation } from "../../src/operator/backup/installation.ts";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import { sha256Hex } from "../../src/core/digest.ts";
import { uploaded } from "./attachments.ts";
import { PROMISE, RECORDS } from "./backup_process.ts";
import { configOf, operate, type OwnService, setUpOwner, startOwn } from "./own_service.ts";
import { OWNER } from "./owner.ts";
import { Disk, type Operation, readRecord, recordFiles, removeFolder } from "./power_loss.ts";
import { type Random, seededRandom } from "./random.ts";
import { copyEmbeddedTemplate } from "./template.ts";
import { callApp, type Caller, callerOf, type Json } from "./world.ts";

/** Phases of a life, each of which ends when the next begins. */
const PHASES = ["start", "set-up", "writes", "uploads", "backup", "restore", "export"] as const;
type Phase = typeof PHASES[number];

const WRITES = 12;
const UPLOADS = 4;
const FIRST = "first";
const SECOND = "second";

interface Acknowledged<T> {
  readonly at: number;
  readonly value: T;
}

interface StoredRecord {
  readonly key: string;
  readonly recordId: string;
  readonly revision: number;
  readonly title: string;
}

class Story {
  readonly owner: Acknowledged<Caller>[] = [];
  readonly records: Acknowledged<StoredRecord>[] = [];
  readonly uploads: Acknowledged<{ readonly id: string; readonly text: string }>[] = [];
  readonly backups: Acknowledged<string>[] = [];
  readonly restores: Acknowledged<null>[] = [];
  readonly exports: Acknowledged<string>[] = [];
  readonly ends = new Map<Phase, number>();
}

/** Items acknowledged before a moment. */
function until<T>(moment: number, acknowledged: readonly Acknowledged<T>[]): T[] {
  return acknowledged.filter(({ at }) => at <= moment).map(({ value }) => value);
}

/** A story with the record of its disk. */
export interface Lived {
  readonly story: Story;
  readonly record: Uint8Array;
}

/** Runs from the first start to a restore elsewhere and an export. */
export async function live(folder: string): Promise<Lived> {
  await using files = await recordFiles(folder);
  const story = new Story();
  const note = <T>(list: Acknowledged<T>[], value: T) => list.push({ at: files.now(), value });
  const end = (phase: Phase) => story.ends.set(phase, files.now());
  const [first, second] = [FIRST, SECOND].map((name) => configOf(`${files.path}/${name}`));
  assert(first !== undefined && second !== undefined);
  // Persistent, as if created by an operator; only the first start creates a schema.
  await Deno.mkdir(first.dataDir);
  copyEmbeddedTemplate(second.dataDir);
  await sync(files.path);
  {
    await using service = await startOwn(first);
    end("start");
    const caller = await setUpOwner(service);
    note(story.owner, caller);
    end("set-up");
    for (let index = 0; index < WRITES; index++) note(story.records, await write(caller, index));
    end("writes");
    for (let index = 0; index < UPLOADS; index++) {
      const text = `${index}`.repeat(40_000 * index + 10);
      note(story.uploads, { id: await uploaded(caller, text), text });
    }
    end("uploads");
  }
  const [path = ""] = await operate(first, { command: "backup", secret: "include" });
  note(story.backups, path.slice(first.dataDir.length + 1));
  end("backup");
  await restoreInstallation(second, { path, identity: null }, () => {});
  note(story.restores, null);
  end("restore");
  const { email } = OWNER;
  await operate(first, { command: "account freeze", email });
  await operate(first, { command: "account export", email, file: EXPORT });
  note(story.exports, sha256Hex(await Deno.readTextFile(`${first.dataDir}/${EXPORT}`)));
  end("export");
  return { story, record: await files.end() };
}

const EXPORT = "account.jsonl";

/** Syncs a file, or a folder after all that it has. */
async function sync(path: string): Promise<void> {
  using file = await Deno.open(path);
  if ((await file.stat()).isDirectory) {
    for await (const { name } of Deno.readDir(path)) await sync(`${path}/${name}`);
  }
  await file.sync();
}

/** Changes every other record. */
async function write(caller: Caller, index: number): Promise<StoredRecord> {
  const key = `write-${index}`;
  const body = { ...PROMISE, title: `Promise ${index}` };
  const { status, body: created, text } = await caller.call("POST", RECORDS, { key, body });
  assertEquals(status, 201, text);
  const { recordId } = created.data;
  if (index % 2 === 0) return { key, recordId, revision: 1, title: body.title };
  const title = `Promise ${index}, changed`;
  const changed = await caller.call("PATCH", `${RECORDS}/${recordId}`, {
    key: `change-${index}`,
    body: { title, expectedRevision: 1 },
  });
  assertEquals(changed.status, 200, changed.text);
  return { key, recordId, revision: 2, title };
}

/** A point of power loss, and the surviving share of unsynced data. */
export interface Moment {
  readonly phase: Phase;
  readonly at: number;
  readonly keepsRest: boolean;
}

/**
 * Points of all phases, in order. At two thirds all unsynced data is lost: right before each sync
 * of an installation's own folder or its files, at the end, and, at random, before syncs of other
 * folders and after acknowledgements. At the others, before any sync, a part survives; phases
 * without any of the former come first.
 */
export function chooseMoments({ story, record }: Lived, count: number): Moment[] {
  const random = seededRandom(20_261_123);
  const ends = PHASES.map((phase) => story.ends.get(phase) ?? 0);
  const inPhases = (moments: readonly number[], keepsRest: boolean) =>
    PHASES.map((phase, index) => {
      const isInside = (at: number) => at > (ends[index - 1] ?? 0) && at <= (ends[index] ?? 0);
      return moments.filter(isInside).map((at) => ({ phase, at, keepsRest }));
    });
  const { all, own, folders } = momentsBeforeSyncs([...readRecord(record)]);
  const third = Math.ceil(count / 3);
  const last: Moment = { phase: "export", at: story.ends.get("export") ?? 0, keepsRest: false };
  const lost = [last, ...takeInTurn(random, inPhases(own, false), count - third - 1)];
  const others = [...folders.filter((at) => !own.includes(at)), ...acknowledgements(story)];
  lost.push(...takeInTurn(random, inPhases(others, false), count - third - lost.length));
  const isChosen = ([first]: readonly Moment[]) =>
    Number(lost.some(({ phase }) => phase === first?.phase));
  const rest = inPhases(all, true).sort((a, b) => isChosen(a) - isChosen(b));
  return [...lost, ...takeInTurn(random, rest, third)].sort((a, b) => a.at - b.at);
}

/** Picks items from each list in turn, at random. */
function takeInTurn<T>(random: Random, lists: readonly T[][], count: number): T[] {
  const taken: T[] = [];
  for (let turn = 0; taken.length < count && lists.some((list) => list.length > 0); turn++) {
    const list = lists[turn % lists.length] ?? [];
    taken.push(...list.splice(random.integer(0, Math.max(list.length - 1, 0)), 1));
  }
  return taken;
}

/**
 * Right before syncs: `all`, those of an installation's `own` folder and its files, and those of
 * `folders` except the database's.
 */
function momentsBeforeSyncs(
  operations: readonly Operation[],
): Readonly<Record<"all" | "own" | "folders", number[]>> {
  const moments = { all: [] as number[], own: [] as number[], folders: [] as number[] };
  const paths = new Map<string, string>();
  for (const { name, fields: [first = "", path = ""], from } of operations) {
    if (name === "create") paths.set(first, path);
    if (!name.startsWith("sync")) continue;
    moments.all.push(from);
    const isFolder = name === "sync-folder";
    const synced = isFolder ? `${first}/` : paths.get(first) ?? "";
    if (synced.split("/").length === 2) moments.own.push(from);
    if (isFolder && !synced.includes("/postgres")) moments.folders.push(from);
  }
  return moments;
}

function acknowledgements(story: Story): number[] {
  const { owner, records, uploads, backups, restores, exports } = story;
  return [owner, records, uploads, backups, restores, exports].flat().map(({ at }) => at);
}

/** Checks survivors at ordered points. */
export async function survive(
  { story, record }: Lived,
  moments: readonly Moment[],
  folder: string,
): Promise<void> {
  const random = seededRandom(20_261_124);
  const disk = new Disk(record);
  const path = `${folder}/left`;
  for (const moment of moments) {
    disk.moveTo(moment.at);
    disk.write(path, moment.keepsRest ? (changes) => random.integer(0, changes) : () => 0);
    try {
      await checkFirst(story, moment.at, `${path}/${FIRST}`);
      await checkSecond(story, moment.at, path);
    } catch (error) {
      throw new Error(`Power loss at ${JSON.stringify(moment)}`, { cause: error });
    }
    await removeFolder(path);
  }
}

async function checkFirst(story: Story, moment: number, dataDir: string): Promise<void> {
  const [known] = until(moment, story.owner);
  {
    await using service = await startOwn(configOf(dataDir));
    if (known !== undefined) {
      const caller = callerOf(service.app, known);
      await checkRecords(caller, until(moment, story.records), story.records.length);
      for (const { id, text } of until(moment, story.uploads)) {
        const content = await caller.call("GET", `/api/v2/attachments/${id}/content`);
        assertEquals(content.text, text);
      }
    } else if (service.setupToken !== null) {
      await setUpOwner(service);
    }
  }
  for (const backup of until(moment, story.backups)) await checkBackup(`${dataDir}/${backup}`);
  for (const digest of until(moment, story.exports)) {
    assertEquals(sha256Hex(await Deno.readTextFile(`${dataDir}/${EXPORT}`)), digest);
  }
}

/** Each acknowledged record exists once; repeating its creation is a replay. */
async function checkRecords(
  caller: Caller,
  expected: readonly StoredRecord[],
  most: number,
): Promise<void> {
  const list = await caller.call("GET", `${RECORDS}?limit=100`);
  assertEquals(list.status, 200, list.text);
  const items: Json[] = list.body.data.items;
  for (const { recordId, revision, title } of expected) {
    const found = items.filter((item) => item.recordId === recordId);
    assertEquals(found.map((item) => [item.revision, item.title]), [[revision, title]]);
  }
  const titles = items.map((item) => item.title.split(",")[0]);
  assertEquals(new Set(titles).size, titles.length, "a write was done twice");
  // The write without an answer may exist too.
  assert([0, 1].includes(items.length - expected.length) && items.length <= most);
  const last = expected.at(-1);
  if (last === undefined) return;
  const [title = ""] = last.title.split(",");
  const again = await caller.call("POST", RECORDS, { key: last.key, body: { ...PROMISE, title } });
  assertEquals([again.status, again.body.data.recordId], [201, last.recordId], again.text);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
}

/** An acknowledged restore is complete; others can be done again. */
async function checkSecond(story: Story, moment: number, folder: string): Promise<void> {
  const [backup] = until(moment, story.backups);
  const [dataDir, source] = [`${folder}/${SECOND}`, `${folder}/${FIRST}`];
  if (backup === undefined || moment <= (story.ends.get("backup") ?? 0)) return;
  const config = configOf(dataDir);
  const isAcknowledged = until(moment, story.restores).length > 0;
  if (!isAcknowledged) {
    await restoreInstallation(config, { path: `${source}/${backup}`, identity: null }, () => {})
      .catch((error) => {
        const isDone = error instanceof BackupError && error.message.includes("is not empty");
        if (!isDone) throw error;
      });
  }
  await using service = await startOwn(config);
  const [secret, original] = await Promise.all(
    [dataDir, source].map((place) => Deno.readTextFile(`${place}/server_secret`)),
  );
  assertEquals(secret, original);
  assertEquals(service.setupToken, null);
  if (!isAcknowledged) return;
  await checkRecords(await signIn(service), until(moment, story.records), story.records.length);
}

async function signIn({ app }: OwnService): Promise<Caller> {
  const { status, body, text } = await callApp(app, "POST", "/api/v2/auth/login", {
    body: { ...OWNER, transport: "bearer" },
  });
  assertEquals(status, 200, text);
  const { account, session, accessToken } = body.data;
  return callerOf(app, { ...account, ...session, secret: accessToken });
}

/** Cuts the power at `count` points of a life, and checks the survivors. */
export async function losePower(count: number): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "prs-power-" });
  try {
    const lived = await live(folder);
    const moments = chooseMoments(lived, count);
    assertEquals(moments.length, count);
    await survive(lived, moments, folder);
  } finally {
    await removeFolder(folder);
  }
}
