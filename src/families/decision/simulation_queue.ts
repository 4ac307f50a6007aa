import { FairPlaces } from "../../core/fair_places.ts";
import { SIMULATIONS_WAITING } from "../../core/shares.ts";
import { ServiceError } from "../../errors/service_error.ts";

/**
 * How long a computation runs without a pause. A request takes several turns, and may wait this long before
 * each of them.
 */
const SLICE_MS = 1;

/** How long other work then runs: twice as long, so that it loses at most a third of the process. */
const PAUSE_MS = 2;

/**
 * The computations of a process, one at a time. Accounts with waiting computations take turns. Computations
 * share the thread with all requests, so each runs in slices, between which requests are served. If its
 * client disconnects, a computation still finishes, as every write does: a repetition is then a replay.
 */
export class SimulationQueue {
  readonly #places = new FairPlaces({ places: 1, perAccount: 1 });

  /**
   * Runs a computation in its turn, and returns its result.
   *
   * @param computation Yields about once per millisecond.
   * @throws ServiceError `HTTP_429` immediately if too many of the same holder wait; errors of the
   * computation.
   */
  async run<T>(computation: Generator<void, T, void>): Promise<T> {
    if (this.#places.ownWaiting >= SIMULATIONS_WAITING) throw new ServiceError("HTTP_429");
    return await this.#places.run(() => computeInSlices(computation));
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

/** A timer, because pending sockets are served only after one: immediates run before sockets. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
