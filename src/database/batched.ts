import { maxDate } from "../core/clock.ts";
import { runFor } from "../core/holder.ts";

/** The result omits keys without a value. */
type Load<Value> = (
  keys: readonly string[],
  at: Date,
) => Promise<ReadonlyMap<string, Value>>;

interface Batch<Value> {
  readonly keys: Set<string>;
  at: Date;
  readonly values: PromiseWithResolvers<ReadonlyMap<string, Value>>;
}

/**
 * Combines look-ups of keys. One query runs at a time, and keys that arrive during it go into the
 * next one. A key is always read after the call; nothing is cached.
 */
export class BatchedLookUp<Value> {
  readonly #load: Load<Value>;
  #waiting: Batch<Value> | null = null;
  #isRunning = false;

  constructor(load: Load<Value>) {
    this.#load = load;
  }

  /** Returns the value at `now` or a little later, or undefined if there is none. */
  async find(key: string, now: Date): Promise<Value | undefined> {
    const batch = this.#waiting ??= { keys: new Set(), at: now, values: Promise.withResolvers() };
    batch.keys.add(key);
    batch.at = maxDate(now, batch.at);
    // Queries serve all accounts, so they do not wait for one's turn.
    if (!this.#isRunning) void runFor(null, () => this.#run());
    return (await batch.values.promise).get(key);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let batch = this.#take(); batch !== null; batch = this.#take()) {
      const { keys, at, values } = batch;
      try {
        values.resolve(await this.#load([...keys], at));
      } catch (error) {
        values.reject(error);
      }
    }
    this.#isRunning = false;
  }

  #take(): Batch<Value> | null {
    const batch = this.#waiting;
    this.#waiting = null;
    return batch;
  }
}
