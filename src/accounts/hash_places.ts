import { ServiceError } from "../errors/service_error.ts";

/**
 * Callers of a hash: known ones have a session or a secret, or an address that lately signed in to the
 * account; all others are strangers.
 */
export type Caller = "known" | "stranger";

/** How many hashes there may be in a process. */
export interface PlaceLimits {
  /** At work. */
  readonly atOnce: number;
  /** Waiting, all together. */
  readonly waiting: number;
  /** Waiting for strangers; the other places are kept for known callers. */
  readonly strangersWaiting: number;
}

/**
 * The places of costly work. Known callers go first, and strangers cannot fill every place; among each
 * other both go in the order in which they came.
 */
export class HashPlaces {
  readonly #limits: PlaceLimits;
  readonly #waiting: Readonly<Record<Caller, (() => void)[]>> = { known: [], stranger: [] };
  #atWork = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /**
   * Does work once there is a place for it.
   *
   * @throws ServiceError `HTTP_429` at once where no place to wait is left.
   */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    if (this.#atWork < this.#limits.atOnce) this.#atWork++;
    else await this.#wait(caller);
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  #wait(caller: Caller): Promise<void> {
    const { known, stranger } = this.#waiting;
    const isFull = known.length + stranger.length >= this.#limits.waiting;
    const isTaken = caller === "stranger" && stranger.length >= this.#limits.strangersWaiting;
    if (isFull || isTaken) throw new ServiceError("HTTP_429");
    return new Promise((resolve) => this.#waiting[caller].push(resolve));
  }

  /** The place goes to the next one that waits, so that none that comes later takes it. */
  #handOn(): void {
    const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift();
    if (next === undefined) this.#atWork--;
    else next();
  }
}
