/**
 * Limits of reading a file: bytes in memory, and processor time. Readers run on the main thread and
 * call the budget regularly, because nothing else can end a busy reader.
 */

import process from "node:process";
import { refuseFile } from "./refusal.ts";

const MEBIBYTE = 1024 * 1024;
/** Maximum bytes that a reader retains. */
const HELD_BYTES = 128 * 1024 * 1024;
/** Milliseconds for any file, and for each MiB of it. */
const BASE_MS = 60_000;
const MS_PER_MEBIBYTE = 1_000;
/** Milliseconds for each MiB that a format of large files unpacks. */
const MS_PER_UNPACKED_MEBIBYTE = 60;
/** Milliseconds of work after which other requests run. */
const SLICE_MS = 10;
/**
 * Bytes of an entry of a map, or of an object with a text, without the characters. More than twice
 * the used bytes, because the heap may double before it is collected, and a growing map is copied.
 */
const ENTRY_BYTES = 240;

/** Bytes of a text that a map, set or list retains. */
export function entryBytes(text: string): number {
  return ENTRY_BYTES + 2 * text.length;
}

export interface BudgetOptions {
  /** The size of the file. */
  readonly fileBytes: number;
  /** Aborted to end the reading. */
  readonly signal?: AbortSignal | undefined;
  readonly heldBytes?: number;
  readonly processorMs?: number;
  /** Milliseconds. */
  readonly now?: () => number;
  /** Milliseconds of processor time of the process. */
  readonly processor?: () => number;
  /** Waits until other requests have run. */
  readonly pause?: () => Promise<void>;
}

/**
 * The budget of one try of reading a file. Its processor time is the time outside of waits, or the
 * time of the process if that is less: on a busy machine a reader does not run all of the time.
 */
export class ReadingBudget {
  readonly #signal: AbortSignal | undefined;
  readonly #heldBytes: number;
  #processorMs: number;
  readonly #now: () => number;
  readonly #processor: () => number;
  readonly #processorBegan: number;
  readonly #pause: () => Promise<void>;
  #held = 0;
  #used = 0;
  /** Start of the work that is not counted yet. */
  #since: number;
  /** The processor time at the start of the current slice. */
  #sliceBegan = 0;

  constructor(options: BudgetOptions) {
    const { fileBytes, signal, heldBytes = HELD_BYTES } = options;
    const { now = () => performance.now(), processor = processorTime, pause = otherWork } = options;
    this.#signal = signal;
    this.#heldBytes = heldBytes;
    this.#processorMs = options.processorMs ??
      BASE_MS + fileBytes / MEBIBYTE * MS_PER_MEBIBYTE;
    this.#now = now;
    this.#processor = processor;
    this.#processorBegan = processor();
    this.#pause = pause;
    this.#since = now();
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Counts bytes that stay in memory.
   *
   * @param place The number of the line, row or archive entry.
   * @throws FileRefusal `import.budget` beyond the budget.
   */
  hold(bytes: number, place: number): void {
    this.#held += bytes;
    if (this.#held > this.#heldBytes) refuseFile("import.budget", place);
  }

  /** Adds processor time for the bytes of an archive's entries. */
  allowUnpacked(bytes: number): void {
    this.#processorMs += bytes / MEBIBYTE * MS_PER_UNPACKED_MEBIBYTE;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }

  /**
   * Runs other requests if the reader has worked for 10 ms. Readers call it at least every 64 KiB
   * of input or 10 ms of work.
   *
   * @throws FileRefusal `import.budget` if the processor time is used up; the signal's reason if
   * aborted.
   */
  async turn(place: number): Promise<void> {
    this.#count();
    if (this.#isUsedUp) refuseFile("import.budget", place);
    if (this.#used - this.#sliceBegan >= SLICE_MS) {
      await this.wait(this.#pause);
      this.#sliceBegan = this.#used;
    }
    this.#signal?.throwIfAborted();
  }

  /** Waits for a disk, the database or other requests; the time does not count. */
  async wait<T>(work: () => Promise<T>): Promise<T> {
    this.#count();
    try {
      return await work();
    } finally {
      this.#since = this.#now();
    }
  }

  get #isUsedUp(): boolean {
    return this.#used > this.#processorMs &&
      this.#processor() - this.#processorBegan > this.#processorMs;
  }

  #count(): void {
    const now = this.#now();
    this.#used += now - this.#since;
    this.#since = now;
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function otherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
