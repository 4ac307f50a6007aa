// engines: postgres
/** Scheduled backups: times, content, failures. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { Recipient } from "../../src/operator/backup/age/stanza.ts";
import { openObjectStore } from "../../src/attachments/object_store.ts";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import { BackupScheduler, type SchedulerServices } from "../../src/operator/backup/scheduler.ts";
import { createLog } from "../../src/core/log.ts";
import {
  type BackupState,
  leaseRun,
  readBackupState,
  recordBackup,
} from "../../src/operator/backup/schedule/scheduled_backups.ts";
import { identityOf, KEYS, recipientOf } from "../support/age.ts";
import { filesUnder, uploaded } from "../support/attachments.ts";
import { ENGINE, fileWorld, type Json, type World } from "../support/world.ts";
import { backupFolder, refusalOf } from "./backup.ts";
import { begin, waitForBlocked } from "./held.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const sharedWorld = fileWorld();

/** The shared world, reset to have no backups. */
async function freshWorld(): Promise<World> {
  const world = sharedWorld();
  await world.raw(`
    update scheduled_backups
       set next_at = null, run_id = null, started_at = null, claimed_until = null, ended_at = null,
           outcome = null, backup_at = null, backup_name = null, backup_bytes = null`);
  world.advance(DAY);
  return world;
}

function nameAt(world: World, later = 0): string {
  const at = new Date(world.now().getTime() + later).toISOString().replaceAll(":", "-");
  return `${at}.scheduled.prs-backup.gz`;
}

interface Scheduled {
  readonly scheduler: BackupScheduler;
  readonly log: Json[];
  /** Polls once, and waits for the run. */
  run(): Promise<void>;
}

/** A day apart. */
function schedule(
  world: World,
  folder: string,
  { keep = null, recipient = null, ...services }:
    & { readonly keep?: number | null; readonly recipient?: Recipient | null }
    & Partial<SchedulerServices> = {},
): Scheduled {
  const log: Json[] = [];
  const settings = { dataDir: folder, everyHours: 24, keep, recipient };
  const scheduler = new BackupScheduler(settings, {
    database: world.database,
    clock: world.now,
    openObjects: () => openObjectStore(world.objectFolder, world.database, "files"),
    seal: () => Promise.reject(new Error("The audit trail cannot be sealed")),
    log: createLog("debug", (line) => log.push(JSON.parse(line))),
    ...services,
  });
  const run = async () => {
    await scheduler.check();
    await scheduler.whenIdle();
  };
  return { scheduler, log, run };
}

/** Lists `backups`, sorted. */
async function filesIn(folder: string): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(`${folder}/backups`), ({ name }) => name);
  return names.sort();
}

function events(log: readonly Json[]): string[] {
  return log.map(({ level, event }) => `${level} ${event}`);
}

async function stateOf({ database, now }: World): Promise<BackupState> {
  return await readBackupState(database, now());
}

/** Opens the object store on release, which pauses a run. */
function heldObjects(world: World) {
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const openObjects = async () => {
    reached.resolve();
    await release.promise;
    return await openObjectStore(world.objectFolder, world.database, "files");
  };
  return { openObjects, reached: reached.promise, release: () => release.resolve() };
}

Deno.test("A scheduled backup is written when due, and not before", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  await uploaded(await world.createCaller(), "some bytes");
  const { scheduler, log, run } = schedule(world, folder.path);
  assertEquals(await stateOf(world), { lastRun: null, newest: null });

  await run();
  const name = nameAt(world);
  const path = `${folder.path}/backups/${name}`;
  assertEquals(await filesIn(folder.path), [name]);
  const { head, manifest } = await checkBackup(path);
  assertEquals([head.createdAt, head.serverSecret], [world.now().toISOString(), null]);
  assertEquals([manifest.tables.attachments?.rows, manifest.objects.count], [1, 1]);
  const { size, mode } = await Deno.stat(path);
  assertEquals((mode ?? 0) & 0o777, 0o600);
  const at = world.now();
  const state = await stateOf(world);
  assertEquals(state, {
    lastRun: { state: "SUCCEEDED", startedAt: at, endedAt: at },
    newest: { at, name, size },
  });
  assertEquals(scheduler.state, state);
  assertEquals(events(log), ["info scheduled_backup_written"]);
  assertEquals(log[0].bytes, size);

  world.advance(DAY - 1);
  await run();
  assertEquals((await filesIn(folder.path)).length, 1);
  world.advance(1);
  await run();
  await run();
  assertEquals(await filesIn(folder.path), [name, nameAt(world)]);
});

Deno.test("A scheduled backup for a public key is verified although this machine cannot open it", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  const { log, run } = schedule(world, folder.path, { recipient: recipientOf(KEYS) });
  await run();
  assertEquals(events(log), ["info scheduled_backup_written"]);
  const path = `${folder.path}/backups/${nameAt(world)}.age`;
  const { head } = await checkBackup(path, identityOf(KEYS));
  assertEquals(head.createdAt, world.now().toISOString());
  assert(await refusalOf(checkBackup(path)) !== null);
});

Deno.test("The newest scheduled backups are kept, and other files are not touched", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  const others = [
    "2026-11-01T12-00-00.000Z.prs-backup.gz",
    "2026-11-01T12-00-00.000Z.prs-backup.gz.new",
    "2026-11-01T12-00-00.000Z.scheduled.prs-backup.gz.bak",
    "scheduled.prs-backup.gz",
  ];
  await Deno.mkdir(`${folder.path}/backups`);
  for (const name of others) await Deno.writeTextFile(`${folder.path}/backups/${name}`, "");
  const draft = `${folder.path}/backups/2026-11-01T12-00-00.000Z.scheduled.prs-backup.gz.age.new`;
  await Deno.writeTextFile(draft, "cut off");
  const { run } = schedule(world, folder.path, { keep: 2 });
  for (let day = 0; day < 4; day++, world.advance(DAY)) await run();
  const kept = [-2 * DAY, -DAY].map((later) => nameAt(world, later));
  assertEquals(await filesIn(folder.path), [...others, ...kept].sort());
});

Deno.test("A clock set forward and back loses no backup and stops none", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  const { run, log } = schedule(world, folder.path, { keep: 2 });
  const first = nameAt(world);
  await run();
  world.advance(3650 * DAY);
  await run();
  assertEquals(await filesIn(folder.path), [first, nameAt(world)]);
  world.advance(-3650 * DAY + HOUR);
  await run();
  assertEquals(await filesIn(folder.path), [first, nameAt(world)], "at once");
  assertEquals((await stateOf(world)).newest?.name, nameAt(world));

  // Set back by half a day: delays the next by at most a day.
  world.advance(12 * HOUR);
  world.advance(-11 * HOUR);
  await run();
  world.advance(23 * HOUR - 1);
  await run();
  assertEquals((await filesIn(folder.path)).length, 2);
  assertEquals((await stateOf(world)).newest?.name, nameAt(world, 1 - DAY));
  world.advance(1);
  await run();
  assertEquals((await filesIn(folder.path)).at(-1), nameAt(world));
  assertEquals(log.filter(({ level }) => level !== "info"), []);
});

Deno.test("A failing scheduled backup is logged, blocks no request, and is retried in an hour", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  const caller = await world.createCaller();
  const { log, run, scheduler } = schedule(world, folder.path);
  await run();
  const { newest } = await stateOf(world);
  world.advance(DAY);
  // A file instead of the folder.
  await Deno.rename(`${folder.path}/backups`, `${folder.path}/moved`);
  await Deno.writeTextFile(`${folder.path}/backups`, "");
  await run();
  const at = world.now();
  const failed = { lastRun: { state: "FAILED", startedAt: at, endedAt: at }, newest };
  assertEquals<unknown>(await stateOf(world), failed);
  assertEquals<unknown>(scheduler.state, failed);
  assertEquals(events(log.slice(1)), ["error scheduled_backup_failed"]);
  assertEquals((await caller.call("GET", "/api/v2/auth/session")).status, 200);

  await Deno.remove(`${folder.path}/backups`);
  await Deno.rename(`${folder.path}/moved`, `${folder.path}/backups`);
  world.advance(HOUR - 1);
  await run();
  assertEquals(log.length, 2, "not before");
  world.advance(1);
  await run();
  assertEquals(events(log.slice(2)), ["info scheduled_backup_written"]);
  assertEquals((await filesIn(folder.path)).length, 2);
});

Deno.test("A scheduled backup with lost bytes names them, and removes no older backup", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  const caller = await world.createCaller();
  const { log, run } = schedule(world, folder.path, { keep: 1 });
  const attachmentId = await uploaded(caller, "bytes that will be lost");
  await run();
  const [file = ""] = await filesUnder(`${world.objectFolder}/${caller.accountId}`);
  const path = `${world.objectFolder}/${caller.accountId}/${file}`;
  await Deno.rename(path, `${path}.away`);
  world.advance(DAY);
  await run();
  const [whole = "", lacking = ""] = await filesIn(folder.path);
  const lost = async (name: string) =>
    (await checkBackup(`${folder.path}/backups/${name}`)).manifest.lost;
  assertEquals([await lost(whole), await lost(lacking)], [undefined, [attachmentId]]);
  assertEquals(events(log.slice(1)), [
    "info scheduled_backup_written",
    "error attachments_lost",
  ]);
  assertEquals([log[2].count, log[2].attachments], [1, attachmentId]);
  assertEquals(await world.objects.readLost(), 1);

  await Deno.rename(`${path}.away`, path);
  world.advance(DAY);
  await run();
  assertEquals((await filesIn(folder.path)).length, 1);
  assertEquals(await world.objects.readLost(), 0);
});

Deno.test("A scheduled backup that reads back differently never gets its name", async () => {
  const world = await freshWorld();
  const caller = await world.createCaller();
  await uploaded(caller, crypto.getRandomValues(new Uint8Array(20_000)));
  const sync = Deno.FsFile.prototype.sync;
  for (const recipient of [null, recipientOf(KEYS)]) {
    await using folder = await backupFolder();
    const { log, run } = schedule(world, folder.path, { recipient });
    // A lying disk.
    Deno.FsFile.prototype.sync = async function (this: Deno.FsFile): Promise<void> {
      await this.seek(600, Deno.SeekMode.Start).catch(() => {});
      await this.write(new Uint8Array(4)).catch(() => {});
      return await sync.call(this);
    };
    try {
      await run();
    } finally {
      Deno.FsFile.prototype.sync = sync;
    }
    assertEquals(events(log), ["error scheduled_backup_failed"]);
    assertEquals(await filesIn(folder.path), []);
    world.advance(DAY);
  }
});

Deno.test("A scheduled backup without disk space leaves nothing", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  const { log, run } = schedule(world, folder.path);
  const write = Deno.FsFile.prototype.write;
  let written = 0;
  // Full after the first part.
  Deno.FsFile.prototype.write = async function (this: Deno.FsFile, bytes): Promise<number> {
    if (written++ === 0) return await write.call(this, bytes.subarray(0, 5));
    throw Object.assign(new Error("/a/path"), { code: "ENOSPC" });
  };
  try {
    await run();
  } finally {
    Deno.FsFile.prototype.write = write;
  }
  assertEquals(events(log), ["error scheduled_backup_failed"]);
  assertEquals([log[0].code, "reason" in log[0]], ["ENOSPC", false]);
  assertEquals(await filesIn(folder.path), []);
  world.advance(HOUR);
  await run();
  assertEquals(await filesIn(folder.path), [nameAt(world)]);
});

Deno.test("Of processes that share a database one writes the backup", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  const processes = Array.from({ length: 5 }, () => schedule(world, folder.path));
  for (const day of [1, 2]) {
    await Promise.all(processes.map(({ run }) => run()));
    assertEquals((await filesIn(folder.path)).length, day);
    world.advance(DAY);
  }
  const written = processes.flatMap(({ log }) => events(log));
  assertEquals(written, Array(2).fill("info scheduled_backup_written"));
});

Deno.test("Of two concurrent claims one gets the run", async () => {
  const world = await freshWorld();
  const { database } = world;
  const claim = () => leaseRun(database, { runId: ulid(), startedAt: world.now() }, 24);
  const held = await begin(database, (tx) => tx.sql`select from scheduled_backups for update`);
  const claims = [claim(), claim()];
  if (ENGINE === "postgres") await waitForBlocked(world, 2);
  await held.commit();
  assertEquals((await Promise.all(claims)).filter((claimed) => claimed !== null).length, 1);
});

Deno.test("No run begins during another, however long it takes", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  const held = heldObjects(world);
  const slow = schedule(world, folder.path, held);
  const other = schedule(world, folder.path);
  await slow.scheduler.check();
  await held.reached;
  for (let minutes = 0; minutes < 3 * 60; minutes += 9) {
    await slow.scheduler.check();
    await other.run();
    assertEquals(other.scheduler.state?.lastRun?.state, "RUNNING");
    world.advance(9 * MINUTE);
  }
  assertEquals(await filesIn(folder.path), []);
  held.release();
  await slow.scheduler.whenIdle();
  assertEquals((await filesIn(folder.path)).length, 1);
  assertEquals([events(other.log), events(slow.log)], [[], ["info scheduled_backup_written"]]);
});

Deno.test("A killed process's run counts as interrupted, and the next begins in an hour", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  const { log, run, scheduler } = schedule(world, folder.path);
  assert(await leaseRun(world.database, { runId: ulid(), startedAt: world.now() }, 24) !== null);
  await Deno.mkdir(`${folder.path}/backups`);
  await Deno.writeTextFile(`${folder.path}/backups/${nameAt(world)}.new`, "half");
  await run();
  assertEquals(scheduler.state?.lastRun?.state, "RUNNING");
  world.advance(10 * MINUTE);
  await run();
  assertEquals(scheduler.state?.lastRun?.state, "INTERRUPTED");
  world.advance(50 * MINUTE - 1);
  await run();
  assertEquals(log, []);
  world.advance(1);
  await run();
  assertEquals(events(log), ["warn scheduled_backup_interrupted", "info scheduled_backup_written"]);
  assertEquals(await filesIn(folder.path), [nameAt(world)]);
});

Deno.test("A run that slept until it counted as interrupted gives up", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  const held = heldObjects(world);
  const slow = schedule(world, folder.path, held);
  const other = schedule(world, folder.path);
  await slow.scheduler.check();
  await held.reached;
  world.advance(HOUR);
  await other.run();
  await slow.scheduler.check();
  held.release();
  await slow.scheduler.whenIdle();
  assertEquals((await filesIn(folder.path)).length, 1);
  assertEquals(events(slow.log), []);
  assertEquals((await stateOf(world)).lastRun?.state, "SUCCEEDED");
});

Deno.test("A stop cancels the backup, and the next process begins it immediately", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  const held = heldObjects(world);
  const stopped = schedule(world, folder.path, held);
  await stopped.scheduler.check();
  await held.reached;
  const stopping = stopped.scheduler.stop();
  held.release();
  await stopping;
  assertEquals(await filesIn(folder.path), []);
  assertEquals(events(stopped.log), []);
  assertEquals((await stateOf(world)).lastRun?.state, "INTERRUPTED");
  await stopped.run();
  assertEquals(await filesIn(folder.path), [], "it has stopped");
  const next = schedule(world, folder.path);
  await next.run();
  assertEquals((await filesIn(folder.path)).length, 1);
});

Deno.test("A schedule logs an unreachable database, and continues when it is back", async () => {
  const world = await freshWorld();
  await using folder = await backupFolder();
  let isAway = true;
  const { write } = world.database;
  const database: World["database"] = {
    ...world.database,
    write: (statement) => isAway ? Promise.reject(new Error("away")) : write(statement),
  };
  const { log, run } = schedule(world, folder.path, { database });
  await run();
  assertEquals(events(log), ["error backup_schedule_failed"]);
  isAway = false;
  await run();
  assertEquals(events(log.slice(1)), ["info scheduled_backup_written"]);
});

Deno.test("A run that ended or lost its claim writes nothing about itself", async () => {
  const world = await freshWorld();
  const { database } = world;
  const startedAt = world.now();
  const [first, second] = [ulid(), ulid()].map((runId) => ({ runId, startedAt }));
  assert(first !== undefined && second !== undefined);
  await leaseRun(database, first, 24);
  world.advance(HOUR);
  await leaseRun(database, { ...second, startedAt: world.now() }, 24);
  const backup = { at: startedAt, name: "mine", size: 1 };
  await recordBackup(database, first, backup, { now: world.now(), everyHours: 24 });
  assertEquals((await stateOf(world)).newest, null);
  await recordBackup(database, second, backup, { now: world.now(), everyHours: 24 });
  await recordBackup(database, second, { ...backup, name: "again" }, {
    now: world.now(),
    everyHours: 24,
  });
  assertEquals((await stateOf(world)).newest, backup);
});
