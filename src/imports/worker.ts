/**
 * The imports of a process, at most two at once: reads, plans, runs and withdraws them as their states in the
 * database require, also after a crash, in any process. The lock of an import's folder excludes other
 * processes.
 */

import { decodeTime } from "@std/ulid";
import { runFor } from "../core/holder.ts";
import { errorFields, type Log } from "../core/log.ts";
import { IMPORTS_PER_PROCESS } from "../core/shares.ts";
import type { Timer } from "../core/timer.ts";
import { SPOOL_LIFETIME_MS } from "./folder.ts";
import type { ImportRow } from "./import.ts";
import { findWork } from "./import_store.ts";
import { prepareImport } from "./prepare.ts";
import { runImport } from "./run.ts";
import { withdrawImport } from "./withdrawal.ts";
import { ImportWork, type WorkServices } from "./work.ts";

/** When what failed, or waits for another process, is looked at again. */
const RETRY_MS = 1_000;
/** When a process looks for the imports of processes that have ended. */
const RESUME_MS = 30_000;

export interface WorkerServices extends WorkServices {
  readonly log: Log;
  readonly timer: Timer;
}

export class ImportWorker {
  readonly #services: WorkerServices;
  readonly #stopping = new AbortController();
  readonly #working = new Map<string, Promise<void>>();
  #looking: Promise<void> = Promise.resolve();
  #cancelRetry: () => void = () => {};
  #cancelResume: () => void = () => {};

  constructor(services: WorkerServices) {
    this.#services = services;
  }

  wake(): void {
    this.#looking = runFor(null, () => this.#looking.then(() => this.#look()));
  }

  /** Resumes imports of ended processes, now and every half minute, and removes old files. */
  async resume(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.wake();
    this.#cancelResume = this.#services.timer(RESUME_MS, () => void this.resume());
    await this.sweep().catch((error) => {
      this.#services.log.warn("import_sweep_failed", errorFields(error));
    });
  }

  /** Stops after the running transactions; another process, or the next start, resumes the imports. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelRetry();
    this.#cancelResume();
    await this.#looking;
    await Promise.all(this.#working.values());
  }

  /** Removes files older than a day of imports that are not at work. */
  async sweep(): Promise<void> {
    const { folder, database, clock } = this.#services;
    const before = clock().getTime() - SPOOL_LIFETIME_MS;
    const old = (await folder.list()).filter((id) => decodeTime(id) <= before);
    if (old.length === 0) return;
    const atWork = new Set((await database.read(findWork)).map(({ import_id }) => import_id));
    for (const id of old) {
      if (!atWork.has(id)) await folder.remove(id);
    }
  }

  async #look(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#cancelRetry();
    try {
      for (const row of await this.#services.database.read(findWork)) await this.#begin(row);
    } catch (error) {
      this.#services.log.error("import_look_failed", errorFields(error));
      this.#retry();
    }
  }

  async #begin(row: ImportRow): Promise<void> {
    const { import_id: id } = row;
    if (this.#working.has(id) || this.#working.size >= IMPORTS_PER_PROCESS) return;
    const lock = await this.#services.folder.hold(id);
    if (lock === null) return this.#retry();
    const done = this.#work(row).then((isDone) => {
      lock.release();
      this.#working.delete(id);
      if (isDone) this.wake();
      else this.#retry();
    });
    this.#working.set(id, done);
  }

  #retry(): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancelRetry();
    this.#cancelRetry = this.#services.timer(RETRY_MS, () => this.wake());
  }

  /** False if the work is to be tried again later. */
  async #work(row: ImportRow): Promise<boolean> {
    const work = new ImportWork(this.#services, row, this.#stopping.signal);
    try {
      // In the maintenance window nothing is read that could not be noted.
      await this.#services.commands.assertOpen(await work.command("import.move", true));
      await runFor(
        { accountId: row.owner_id, kind: "SYSTEM" },
        async () => await WORK[row.state]?.(work, row),
      );
      return true;
    } catch (error) {
      if (error === work.signal.reason) return true;
      this.#services.log.warn("import_work_failed", {
        importId: row.import_id,
        state: row.state,
        ...errorFields(error),
      });
      return false;
    }
  }
}

/** The work in each state. */
const WORK: Partial<
  Record<ImportRow["state"], (work: ImportWork, row: ImportRow) => Promise<void>>
> = {
  RECEIVED: prepareImport,
  READING: prepareImport,
  RUNNING: runImport,
  WITHDRAWING: withdrawImport,
};
