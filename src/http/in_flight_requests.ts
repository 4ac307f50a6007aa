import { PlacesPerHolder } from "../core/places_per_holder.ts";
import { requestsOfAccount, uploadsOfAccount } from "../core/shares.ts";
import { ServiceError, tooManyRequests } from "../errors/service_error.ts";

/**
 * Kinds of requests, each with its own limit: public, from an unknown or a known address;
 * protected; and with a file to upload.
 */
export type RequestKind = "stranger" | "known" | "protected" | "upload";

export interface RequestPlace {
  /** @throws ServiceError `HTTP_429` if the holder has no place left. */
  belongTo(holder: string): void;
}

export class InFlightRequests {
  readonly #most: number;
  /** The maximum for strangers, for known addresses, and for uploads. */
  readonly #share: number;
  readonly #requests: PlacesPerHolder;
  readonly #uploads: PlacesPerHolder;
  readonly #counts: Record<RequestKind, number> = {
    stranger: 0,
    known: 0,
    protected: 0,
    upload: 0,
  };
  #drained: PromiseWithResolvers<void> | null = null;

  /**
   * @param most The number of places. A quarter (at least one) may be used by strangers, and a
   *   quarter by known addresses without a credential. Uploads have as many as a quarter in
   *   addition.
   */
  constructor(most: number) {
    this.#most = most;
    this.#share = Math.max(1, Math.floor(most / 4));
    this.#requests = new PlacesPerHolder(requestsOfAccount(most));
    this.#uploads = new PlacesPerHolder(uploadsOfAccount(this.#share));
  }

  get count(): number {
    return this.#shared + this.#counts.upload;
  }

  get isDraining(): boolean {
    return this.#drained !== null;
  }

  /**
   * Runs `handle` in a place of its kind.
   *
   * @param holder The sender, if already known: an account's sessions, or its tokens.
   * @throws ServiceError `HTTP_503` beyond the limit and while draining: a retry may reach a new
   *   process. `HTTP_429` beyond the holder's share.
   */
  async run<T>(
    kind: RequestKind,
    handle: (place: RequestPlace) => Promise<T>,
    holder: string | null = null,
  ): Promise<T> {
    if (this.isDraining) throw new ServiceError("HTTP_503", { headers: { Connection: "close" } });
    if (!this.#hasPlace(kind)) throw new ServiceError("HTTP_503");
    const place = new HeldPlace(kind === "upload" ? this.#uploads : this.#requests);
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

  /** Rejects new requests; resolves when no request is running. */
  drain(): Promise<void> {
    this.#drained ??= Promise.withResolvers<void>();
    this.#settle();
    return this.#drained.promise;
  }

  /** Without uploads. */
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

class HeldPlace implements RequestPlace {
  readonly #places: PlacesPerHolder;
  #holder: string | null = null;

  constructor(places: PlacesPerHolder) {
    this.#places = places;
  }

  belongTo(holder: string): void {
    if (this.#holder === holder) return;
    if (!this.#places.hasPlace(holder)) {
      throw tooManyRequests(1);
    }
    this.end();
    this.#holder = holder;
    this.#places.take(holder);
  }

  end(): void {
    if (this.#holder !== null) this.#places.giveBack(this.#holder);
    this.#holder = null;
  }
}
