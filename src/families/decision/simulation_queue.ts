import { FairPlaces } from "../../core/fair_places.ts";
import { SIMULATIONS_WAITING } from "../../core/shares.ts";
import { ServiceError } from "../../errors/service_error.ts";

/**
 * Time that a computation runs without a pause. A request takes several turns and may wait this
 * long for each.
 */
const SLICE_MS = 1;

/**
 * Pause for other work after each slice: twice as long, so that simulations use at most a third of
 * the process.
 */
const PAUSE_MS = 2;

/**
 * The computations of a process, one at a time; accounts take turns. They share the thread with all
 * requests, so each runs in slices. If its client disconnects, a computation still finishes, as
 * every write does, so that a repetition is a replay.
 */
export class SimulationQueue {
  readonly #places = new FairPlaces({ places: 1, perAccount: 1 });

  /**
   * Runs a computation in its turn.
   *
   * @param computation Yields about once per millisecond.
   * @throws ServiceError `HTTP_429` immediately if too many of the same holder wait; errors of the
   *   computation.
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

/**
 * Uses a timer, because pending sockets are served only after one, while immediates run before
 * them.
 */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
