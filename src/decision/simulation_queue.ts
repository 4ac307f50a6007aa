import { ServiceError } from "../errors/service_error.ts";

/**
 * How long a computation keeps the process to itself. A request takes several turns, and may wait so
 * long before each of them.
 */
const SLICE_MS = 1;

/** How long the others then have the process: twice as long, so that they lose a third of it at most. */
const PAUSE_MS = 2;

/** How many computations may wait for the one under way. */
const MOST_WAITING = 8;

/**
 * The computations of a process, one at a time in the order in which they came, of all accounts. They
 * share its thread with all requests, so each is done in slices, between which the others have their
 * turn. One whose client has gone is finished all the same, as every write is: its repetition is then a
 * replay.
 */
export class SimulationQueue {
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;

  /**
   * Does a computation once it has its turn, and returns what it returns.
   *
   * @param computation Yields wherever it may be left for a while, about once a millisecond.
   * @throws ServiceError `HTTP_429` at once where too many are waiting; what the computation throws.
   */
  async run<T>(computation: Generator<void, T, void>): Promise<T> {
    if (this.#isBusy) await this.#wait();
    else this.#isBusy = true;
    try {
      return await computeInSlices(computation);
    } finally {
      this.#handOn();
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= MOST_WAITING) throw new ServiceError("HTTP_429");
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The turn goes to the next one that waits, so that none that comes later takes it. */
  #handOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isBusy = false;
    else next();
  }
}

async function computeInSlices<T>(computation: Generator<void, T, void>): Promise<T> {
  while (true) {
    const end = performance.now() + SLICE_MS;
    do {
      const step = computation.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await pause();
  }
}

/** A timer, because only behind one is served what arrived meanwhile: immediates go before sockets. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
