/**
 * The imports of a process, at most two at once: reads, plans, runs and withdraws them by their
 * stored states, also after a crash, in any process. The lock of an import's folder excludes other
 * processes.
 *
 * A transient failure is retried three times, with growing pauses. Tries of reading are counted in
 * the database (`prepare.ts`); those of a run or withdrawal are counted here, until it makes
 * progress. Then the run or withdrawal is STOPPED, as it is at once after any other error. An
 * import whose owner's account is disabled waits until the account is enabled.
 */

import { decodeTime } from "@std/ulid";
import { runFor } from "../core/holder.ts";
import { errorFields, type Log } from "../core/log.ts";
import { IMPORTS_PER_PROCESS } from "../core/shares.ts";
import type { Timer } from "../core/timer.ts";
import { isRetried, MAX_TRIES, WorkEndedError } from "./failures.ts";
import { type KeptFolder, SPOOL_LIFETIME_MS } from "./folder.ts";
import type { ImportRow } from "./import.ts";
import { findState, findWork } from "./import_store.ts";
import { prepareImport } from "./prepare.ts";
import { runImport } from "./run.ts";
import { withdrawImport } from "./withdrawal.ts";
import { ImportWork, type WorkServices } from "./work.ts";

/** Pause before the second try, which doubles with each failure, and between searches for work. */
const RETRY_MS = 1_000;
/** Interval at which a process resumes the imports of ended processes. */
const RESUME_MS = 30_000;

interface WorkerServices extends WorkServices {
  readonly log: Log;
  readonly timer: Timer;
}

/** An import that this process works on. */
interface Working {
  readonly done: Promise<void>;
  readonly end: () => void;
}

export class ImportWorker {
  readonly #services: WorkerServices;
  readonly #stopping = new AbortController();
  readonly #working = new Map<string, Working>();
  /** Functions that end the pause of an import. */
  readonly #pauses = new Map<string, () => void>();
  /** Failures of a run or withdrawal in a row, and the items that were done by then. */
  readonly #failures = new Map<string, { readonly count: number; readonly done: number }>();
  #searching: Promise<void> = Promise.resolve();
  #cancelRetry: () => void = () => {};
  #cancelResume: () => void = () => {};

  constructor(services: WorkerServices) {
    this.#services = services;
  }

  wake(): void {
    this.#searching = runFor(null, () => this.#searching.then(() => this.#search()));
  }

  /** Resumes imports of ended processes, now and every half minute, and removes unneeded files. */
  async resume(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.wake();
    this.#cancelResume = this.#services.timer(RESUME_MS, () => void this.resume());
    await this.sweep().catch((error) => {
      this.#services.log.warn("import_sweep_failed", errorFields(error));
    });
  }

  /**
   * Stops after the running transactions; another process, or the next start, resumes the imports.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelRetry();
    this.#cancelResume();
    for (const cancel of this.#pauses.values()) cancel();
    await this.#searching;
    await Promise.all(Array.from(this.#working.values(), ({ done }) => done));
  }

  /** Ends the work on a discarded import in this process, and removes its files. Never fails. */
  async discard(folder: KeptFolder): Promise<void> {
    const working = this.#working.get(folder.importId);
    working?.end();
    await working?.done;
    await this.#removeUnneeded(folder).catch((error) => {
      this.#services.log.warn("import_sweep_failed", errorFields(error));
    });
  }

  /**
   * Removes the files of imports that have ended, are not in the database, or have waited for a
   * day.
   */
  async sweep(): Promise<void> {
    for (const each of await this.#services.folder.list()) {
      if (!await this.#isNeeded(each)) await this.#removeUnneeded(each);
    }
  }

  async #isNeeded(folder: KeptFolder): Promise<boolean> {
    const { importId, owner } = folder;
    const { database, clock } = this.#services;
    const isYoung = decodeTime(importId) > clock().getTime() - SPOOL_LIFETIME_MS;
    if (owner === null) {
      if (isYoung) return true;
      return (await database.read(findWork)).some(({ import_id }) => import_id === importId);
    }
    const state = await database.read((sql) => findState(sql, owner, importId));
    if (state === undefined || ENDED.includes(state)) return false;
    return isYoung || state === "RUNNING" || state === "WITHDRAWING";
  }

  /** Skips a folder that another process or a new upload holds. */
  async #removeUnneeded(folder: KeptFolder): Promise<void> {
    const lock = await this.#services.folder.hold(folder.importId);
    if (lock === null) return;
    try {
      if (!await this.#isNeeded(folder)) await this.#services.folder.remove(folder);
    } finally {
      lock.release();
    }
  }

  async #search(): Promise<void> {
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
    const { import_id: id, owner_id: owner } = row;
    if (this.#working.has(id) || this.#pauses.has(id)) return;
    if (this.#working.size >= IMPORTS_PER_PROCESS) return;
    const lock = await this.#services.folder.hold(id);
    if (lock === null) return this.#retry();
    const ending = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, ending.signal]);
    const done = this.#work(row, signal).then(async (pause) => {
      lock.release();
      await this.#removeIfEnded({ importId: id, owner });
      this.#working.delete(id);
      if (pause === 0) this.wake();
      else this.#pause(id, pause);
    });
    this.#working.set(id, { done, end: () => ending.abort(new WorkEndedError()) });
  }

  async #removeIfEnded(folder: KeptFolder): Promise<void> {
    try {
      if (!await this.#isNeeded(folder)) await this.#removeUnneeded(folder);
    } catch (error) {
      this.#services.log.warn("import_sweep_failed", errorFields(error));
    }
  }

  #retry(): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancelRetry();
    this.#cancelRetry = this.#services.timer(RETRY_MS, () => this.wake());
  }

  #pause(id: string, milliseconds: number): void {
    if (this.#stopping.signal.aborted) return;
    const end = () => {
      this.#pauses.delete(id);
      this.wake();
    };
    this.#pauses.set(id, this.#services.timer(milliseconds, end));
  }

  /** Returns the pause in milliseconds before the next work on the import. */
  async #work(row: ImportRow, signal: AbortSignal): Promise<number> {
    const work = new ImportWork(this.#services, row, signal);
    let isOpen = false;
    try {
      // A file is not read in the maintenance window, because its state could not be stored.
      await this.#services.commands.assertOpen(await work.command("import.move", true));
      isOpen = true;
      await runFor(
        { accountId: row.owner_id, kind: "SYSTEM" },
        async () => await WORK[row.state]?.(work, row),
      );
      this.#failures.delete(row.import_id);
      return 0;
    } catch (error) {
      if (work.hasEnded(error)) return 0;
      const { import_id: importId, state } = row;
      this.#services.log.warn("import_work_failed", { importId, state, ...errorFields(error) });
      return isOpen ? await this.#pauseAfter(work, row, error) : RETRY_MS;
    }
  }

  /** The pause after a failure; stops a run or withdrawal that cannot continue. */
  async #pauseAfter(
    work: ImportWork,
    { import_id: id, state, done, tries }: ImportRow,
    error: unknown,
  ): Promise<number> {
    if (state === "RECEIVED" || state === "READING") return RETRY_MS * 2 ** (tries ?? 0);
    const before = this.#failures.get(id);
    const count = before?.done === done ? before.count + 1 : 1;
    this.#failures.set(id, { count, done });
    const pause = RETRY_MS * 2 ** (count - 1);
    if (isRetried(error) && count < MAX_TRIES) return pause;
    try {
      await work.move(state, { state: "STOPPED" });
      this.#failures.delete(id);
      return 0;
    } catch {
      return pause;
    }
  }
}

/** States after which the files are not needed. */
const ENDED: readonly ImportRow["state"][] = ["REFUSED", "DISCARDED", "DONE", "WITHDRAWN"];

const WORK: Partial<
  Record<ImportRow["state"], (work: ImportWork, row: ImportRow) => Promise<void>>
> = {
  RECEIVED: prepareImport,
  READING: prepareImport,
  RUNNING: runImport,
  WITHDRAWING: withdrawImport,
};
