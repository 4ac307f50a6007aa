import { requestsOfAccount, uploadsOfAccount } from "../core/shares.ts";
import { ServiceError } from "../errors/service_error.ts";

/**
 * The kinds of requests, each with a limit: public, from an unknown or a known address; protected; and
 * protected with a file to upload.
 */
export type RequestKind = "stranger" | "known" | "protected" | "upload";

/** The place of a request that runs. */
export interface RequestPlace {
  /**
   * Counts the request for a holder from now on.
   *
   * @throws ServiceError `HTTP_429` if the holder has no place left.
   */
  belongTo(holder: string): void;
}

/** Knows how many requests are running, how many may, and when the last one has ended. */
export class InFlightRequests {
  readonly #most: number;
  /** The share of each kind of request that has one. */
  readonly #share: number;
  /** The places of requests, and of uploads, that each holder has. */
  readonly #holders = { request: new HolderCounts(), upload: new HolderCounts() };
  readonly #counts: Record<RequestKind, number> = {
    stranger: 0,
    known: 0,
    protected: 0,
    upload: 0,
  };
  #drained: PromiseWithResolvers<void> | null = null;

  /**
   * At most `most` requests at once: of those without a credential a quarter (at least one) from strangers
   * and a quarter from known addresses; and in addition as many uploads as a quarter.
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
   * @param holder The sender, if already known: an account's sessions, or its tokens.
   * @throws ServiceError `HTTP_503` beyond the limit, and while draining: the client can retry, and a new
   * process may be listening by then. `HTTP_429` beyond the holder's share.
   */
  async run<T>(
    kind: RequestKind,
    handle: (place: RequestPlace) => Promise<T>,
    holder: string | null = null,
  ): Promise<T> {
    if (this.isDraining) throw new ServiceError("HTTP_503", { headers: { Connection: "close" } });
    if (!this.#hasPlace(kind)) throw new ServiceError("HTTP_503");
    const place = this.#placeOf(kind);
    if (holder !== null) place.belongTo(holder);
    this.#counts[kind]++;
    try {
      return await handle(place);
    } finally {
      this.#counts[kind]--;
      place.end();
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

  #placeOf(kind: RequestKind): HeldPlace {
    return kind === "upload"
      ? new HeldPlace(this.#holders.upload, uploadsOfAccount(this.#share))
      : new HeldPlace(this.#holders.request, requestsOfAccount(this.#most));
  }

  #settle(): void {
    if (this.count === 0) this.#drained?.resolve();
  }
}

/** How many places each holder has; one without any is not listed. */
class HolderCounts {
  readonly #counts = new Map<string, number>();

  of(holder: string): number {
    return this.#counts.get(holder) ?? 0;
  }

  add(holder: string, difference: 1 | -1): void {
    const count = this.of(holder) + difference;
    if (count > 0) this.#counts.set(holder, count);
    else this.#counts.delete(holder);
  }
}

class HeldPlace implements RequestPlace {
  readonly #counts: HolderCounts;
  readonly #share: number;
  #holder: string | null = null;

  constructor(counts: HolderCounts, share: number) {
    this.#counts = counts;
    this.#share = share;
  }

  belongTo(holder: string): void {
    if (this.#holder === holder) return;
    if (this.#counts.of(holder) >= this.#share) {
      throw new ServiceError("HTTP_429", { headers: { "Retry-After": "1" } });
    }
    this.end();
    this.#holder = holder;
    this.#counts.add(holder, 1);
  }

  end(): void {
    if (this.#holder !== null) this.#counts.add(this.#holder, -1);
    this.#holder = null;
  }
}
