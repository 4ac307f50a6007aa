import { ServiceError } from "../errors/service_error.ts";

/**
 * The kinds of requests, each with a limit: public, from an unknown or a known address; protected; and
 * protected with a file to upload.
 */
export type RequestKind = "stranger" | "known" | "protected" | "upload";

/** Knows how many requests are running, how many may, and when the last one has ended. */
export class InFlightRequests {
  readonly #most: number;
  /** How many there may be of each kind that has a share of its own. */
  readonly #share: number;
  readonly #counts: Record<RequestKind, number> = {
    stranger: 0,
    known: 0,
    protected: 0,
    upload: 0,
  };
  #drained: PromiseWithResolvers<void> | null = null;

  /**
   * At most `most` requests at once, of those without a credential a quarter (at least one) from
   * strangers and a quarter from known addresses; and besides them as many uploads as a quarter.
   */
  constructor(most: number) {
    this.#most = most;
    this.#share = Math.max(1, Math.floor(most / 4));
  }

  get count(): number {
    return this.#shared + this.#counts.upload;
  }

  /** Whether the service is stopping. */
  get isDraining(): boolean {
    return this.#drained !== null;
  }

  /**
   * Runs a request.
   *
   * @throws ServiceError `HTTP_503` beyond the limit, and while draining: the client can retry,
   * and a new process may be listening by then.
   */
  async run<T>(kind: RequestKind, handle: () => Promise<T>): Promise<T> {
    if (this.isDraining) throw new ServiceError("HTTP_503", { headers: { Connection: "close" } });
    if (!this.#hasPlace(kind)) throw new ServiceError("HTTP_503");
    this.#counts[kind]++;
    try {
      return await handle();
    } finally {
      this.#counts[kind]--;
      this.#settle();
    }
  }

  /** Turns new requests away from now on; resolves when no request is running. */
  drain(): Promise<void> {
    this.#drained ??= Promise.withResolvers<void>();
    this.#settle();
    return this.#drained.promise;
  }

  /** How many run on the places that uploads do not have. */
  get #shared(): number {
    return this.#counts.stranger + this.#counts.known + this.#counts.protected;
  }

  #hasPlace(kind: RequestKind): boolean {
    if (kind !== "protected" && this.#counts[kind] >= this.#share) return false;
    return kind === "upload" || this.#shared < this.#most;
  }

  #settle(): void {
    if (this.count === 0) this.#drained?.resolve();
  }
}
