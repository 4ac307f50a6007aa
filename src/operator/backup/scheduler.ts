import type { Recipient } from "./age/stanza.ts";
import { newId } from "../../core/ids.ts";
import { errorFields, type Log, type LogFields } from "../../core/log.ts";
import type { BackupSchedule, ScheduledBackups } from "./schedule/backup_status.ts";
import {
  abandonRun,
  type BackupRun,
  type BackupState,
  leaseRun,
  readBackupState,
  recordBackup,
  recordFailure,
  renewLease,
} from "./schedule/scheduled_backups.ts";
import { BackupError } from "./backup_error.ts";
import type { Contents } from "./format.ts";
import { type BackupServices, makeBackupFolder } from "./installation.ts";
import { backupName, removeDrafts, removeOldBackups } from "./kept_backups.ts";
import { writeBackup } from "./write_backup.ts";

/** Interval of checks for a due backup, and of renewals of a run. */
const CHECK_INTERVAL_MS = 60_000;
/** How many identifiers of lost attachments are logged. */
const LOGGED_IDS = 100;

interface SchedulerSettings {
  readonly dataDir: string;
  readonly everyHours: number;
  /** Null for all of them. */
  readonly keep: number | null;
  /** Null without encryption. */
  readonly recipient: Recipient | null;
}

export interface SchedulerServices extends BackupServices {
  readonly log: Log;
}

interface OpenRun extends BackupRun {
  /** Aborts the run if its lease is lost. */
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Writes a backup under `DATA_DIR/backups` when one is due, and reads it back from the disk before
 * it gets its final name. Failures are logged and retried an hour later; nothing is thrown.
 */
export class BackupScheduler implements ScheduledBackups {
  readonly schedule: BackupSchedule;
  readonly #settings: SchedulerSettings;
  readonly #services: SchedulerServices;
  #state: BackupState | null = null;
  #run: OpenRun | null = null;
  #checking: Promise<void> | null = null;
  readonly #stopping = new AbortController();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(settings: SchedulerSettings, services: SchedulerServices) {
    const { everyHours, keep, recipient } = settings;
    this.schedule = { everyHours, keep, encrypted: recipient !== null };
    this.#settings = settings;
    this.#services = services;
  }

  get state(): BackupState | null {
    return this.#state;
  }

  /** Checks now and every minute, until `stop`. */
  start(): void {
    void this.check();
    this.#timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS);
  }

  /** Abandons the running backup; the next process begins it again. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#checking;
    await this.whenIdle();
  }

  async whenIdle(): Promise<void> {
    await this.#run?.ended;
  }

  async check(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    await (this.#checking ??= this.#check().finally(() => this.#checking = null));
  }

  async #check(): Promise<void> {
    const { database, clock, log } = this.#services;
    try {
      if (this.#run === null) await this.#beginIfDue();
      else if (!await renewLease(database, this.#run, clock())) this.#run.abort.abort();
      this.#state = await readBackupState(database, clock());
    } catch (error) {
      log.error("backup_schedule_failed", errorFields(error));
    }
  }

  async #beginIfDue(): Promise<void> {
    const { database, clock, log } = this.#services;
    const startedAt = clock();
    const run = { runId: newId(startedAt), startedAt };
    const claimed = await leaseRun(database, run, this.#settings.everyHours);
    if (claimed === null) return;
    if (claimed.afterInterruption) log.warn("scheduled_backup_interrupted");
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, this.#stopping.signal]);
    const ended = this.#carryOut(run, signal).finally(() => this.#run = null);
    this.#run = { ...run, abort, ended };
  }

  async #carryOut(run: BackupRun, signal: AbortSignal): Promise<void> {
    const { database, clock, log } = this.#services;
    try {
      await this.#backUp(run, signal);
    } catch (error) {
      if (!signal.aborted) log.error("scheduled_backup_failed", failureFields(error));
      const record = signal.aborted ? abandonRun : recordFailure;
      // If this fails because the database is down, the lease expires.
      await record(database, run, clock()).catch(() => {});
    }
    await this.#refresh();
  }

  async #backUp(run: BackupRun, signal: AbortSignal): Promise<void> {
    const { everyHours, recipient, dataDir } = this.#settings;
    const { database, clock, log } = this.#services;
    const { startedAt: at } = run;
    const folder = await makeBackupFolder(dataDir);
    await removeDrafts(folder);
    const name = backupName(at, { scheduled: true, encrypted: recipient !== null });
    const contents = await this.#write(`${folder}/${name}`, at, signal);
    const { size } = await Deno.stat(`${folder}/${name}`);
    const now = clock();
    await recordBackup(database, run, { at, name, size }, { now, everyHours });
    log.info("scheduled_backup_written", writtenFields(contents, size));
    const { lost = [] } = contents.manifest;
    // An older backup may have the bytes, so none is removed until they are here again, or erased.
    if (lost.length === 0) return await this.#removeOld(folder, name, now);
    const attachments = lost.slice(0, LOGGED_IDS).join(" ");
    log.error("attachments_lost", { count: lost.length, attachments });
  }

  async #write(path: string, now: Date, signal: AbortSignal): Promise<Contents> {
    const { database, openObjects, seal } = this.#services;
    // If sealing fails, which is logged, the backup is still complete.
    await seal().catch(() => {});
    await using opened = new AsyncDisposableStack();
    const objects = opened.adopt(await openObjects(), (store) => store.close());
    const { recipient } = this.#settings;
    const source = { database, objects, now, serverSecret: null, recipient };
    return await writeBackup(source, path, { signal, isReadBack: true });
  }

  /** Failing to remove a file is not a reason to repeat the backup. */
  async #removeOld(folder: string, written: string, now: Date): Promise<void> {
    const { keep } = this.#settings;
    if (keep === null) return;
    try {
      await removeOldBackups(folder, written, { keep, now });
    } catch (error) {
      this.#services.log.error("old_backup_not_removed", errorFields(error));
    }
  }

  async #refresh(): Promise<void> {
    const { database, clock } = this.#services;
    // If this read fails, the next check refreshes it.
    this.#state = await readBackupState(database, clock()).catch(() => this.#state);
  }
}

function writtenFields({ manifest }: Contents, size: number): LogFields {
  const { tables, objects } = manifest;
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  return { rows, files: objects.count, bytes: size };
}

/** Our own reasons contain no value of a row. */
function failureFields(error: unknown): LogFields {
  const reason = error instanceof BackupError ? { reason: error.message } : {};
  return { ...errorFields(error), ...reason };
}
