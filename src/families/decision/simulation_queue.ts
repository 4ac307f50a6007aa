import { FairPlaces } from "../../core/fair_places.ts";
import { SIMULATIONS_WAITING } from "../../core/shares.ts";
import { ServiceError } from "../../errors/service_error.ts";

/**
 * How long a computation keeps the process to itself. A request takes several turns, and may wait so
 * long before each of them.
 */
const SLICE_MS = 1;

/** How long the others then have the process: twice as long, so that they lose a third of it at most. */
const PAUSE_MS = 2;

/**
 * The computations of a process, one at a time. The accounts whose computations wait take turns. The
 * computations share the thread with all requests, so each is done in slices, between which the others
 * are served. One whose client has gone is finished all the same, as every write is: its repetition is
 * then a replay.
 */
export class SimulationQueue {
  readonly #places = new FairPlaces({ places: 1, perAccount: 1 });

  /**
   * Does a computation once it has its turn, and returns what it returns.
   *
   * @param computation Yields wherever it may be left for a while, about once a millisecond.
   * @throws ServiceError `HTTP_429` at once where too many of the same holder wait; what the
   * computation throws.
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

/** A timer, because only behind one is served what arrived meanwhile: immediates go before sockets. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
