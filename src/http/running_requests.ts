import { ServiceError } from "../errors/service_error.ts";

/** Knows how many requests are running, how many may, and when the last one has ended. */
export class RunningRequests {
  readonly #most: number;
  #count = 0;
  #drained: PromiseWithResolvers<void> | null = null;

  /** At most `most` requests at once. */
  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the service is stopping. */
  get isDraining(): boolean {
    return this.#drained !== null;
  }

  /**
   * Runs a request.
   *
   * @throws ServiceError `HTTP_503` beyond the limit, and while draining: a client keeps its request
   * and tries again, by when a new process may be listening.
   */
  async run<T>(answer: () => Promise<T>): Promise<T> {
    if (this.isDraining) throw new ServiceError("HTTP_503", { headers: { Connection: "close" } });
    if (this.#count >= this.#most) throw new ServiceError("HTTP_503");
    this.#count++;
    try {
      return await answer();
    } finally {
      this.#count--;
      this.#settle();
    }
  }

  /** Turns new requests away from now on; resolves when no request is running. */
  drain(): Promise<void> {
    this.#drained ??= Promise.withResolvers<void>();
    this.#settle();
    return this.#drained.promise;
  }

  #settle(): void {
    if (this.#count === 0) this.#drained?.resolve();
  }
}
