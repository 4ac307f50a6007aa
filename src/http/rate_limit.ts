/**
 * Rate limits: one token bucket for an account's sessions, one for its tokens, one for each address
 * without a valid credential, and one for its network (decisions §17). Each process counts for
 * itself, in memory.
 */

import { NETWORK_FACTOR, networkOf } from "./client_address.ts";

/** The time in which an empty bucket fills up, unless a limit has another one. */
const WINDOW_SECONDS = 60;
const MS = 1000;
/** Maximum buckets in one generation; there are two. */
const BUCKETS = 20_000;

export interface RateLimitStatus {
  /** Null for an accepted request. */
  readonly secondsToWait: number | null;
  /** The remaining requests. */
  readonly left: number;
  /** Header value: the remaining requests, and the seconds until the bucket is full. */
  readonly field: string;
  /** Header value: the size of a bucket, and the seconds until an empty one is full. */
  readonly policy: string;
}

/**
 * The usage of a client, in units of 1/limit of a millisecond: a request costs as many of them as
 * its window has milliseconds, and each millisecond restores `limit` of them. So counts are whole
 * numbers.
 */
interface Bucket {
  used: number;
  at: number;
}

/**
 * Token buckets by name, in two generations. The older one is dropped after a window, when its
 * unused buckets are full again, or sooner if the younger has grown too large: then some clients
 * get a full bucket early.
 */
export class RateLimit {
  readonly #name: string;
  readonly #limit: number;
  readonly #policy: string;
  readonly #buckets: number;
  readonly #windowMs: number;
  #younger = new Map<string, Bucket>();
  #older = new Map<string, Bucket>();
  #turnedAt = -Infinity;

  /** `limit` requests in a window, by default a minute; `name` is the policy's in the response. */
  constructor(
    name: string,
    limit: number,
    { windowSeconds = WINDOW_SECONDS, buckets = BUCKETS } = {},
  ) {
    this.#name = name;
    this.#limit = limit;
    this.#buckets = buckets;
    this.#windowMs = windowSeconds * MS;
    this.#policy = `"${name}";q=${limit};w=${windowSeconds}`;
  }

  get size(): number {
    return this.#younger.size + this.#older.size;
  }

  /** Counts a request, if the bucket has one left. */
  consume(client: string, now: Date): RateLimitStatus {
    const at = now.getTime();
    const bucket = this.#bucketOf(client, at);
    // If the clock was set back, the bucket stays unchanged.
    bucket.used = Math.max(0, bucket.used - Math.max(0, at - bucket.at) * this.#limit);
    bucket.at = at;
    const [cost, size] = [this.#windowMs, this.#windowMs * this.#limit];
    const isTaken = bucket.used + cost <= size;
    if (isTaken) bucket.used += cost;
    const seconds = (units: number) => Math.ceil(units / this.#limit / MS);
    const left = Math.floor((size - bucket.used) / cost);
    return {
      secondsToWait: isTaken ? null : seconds(bucket.used + cost - size),
      left,
      field: `"${this.#name}";r=${left};t=${seconds(bucket.used)}`,
      policy: this.#policy,
    };
  }

  giveBack(client: string, now: Date): void {
    const bucket = this.#bucketOf(client, now.getTime());
    bucket.used = Math.max(0, bucket.used - this.#windowMs);
  }

  #bucketOf(client: string, at: number): Bucket {
    if (Math.abs(at - this.#turnedAt) >= this.#windowMs) this.#turn(at);
    const present = this.#younger.get(client);
    if (present !== undefined) return present;
    if (this.#younger.size >= this.#buckets) this.#turn(at);
    const bucket = this.#older.get(client) ?? { used: 0, at };
    this.#younger.set(client, bucket);
    this.#older.delete(client);
    return bucket;
  }

  #turn(at: number): void {
    this.#older = this.#younger;
    this.#younger = new Map();
    this.#turnedAt = at;
  }
}

/** Limits addresses and, with `NETWORK_FACTOR` times the limit, their networks. */
class AddressRateLimit {
  readonly #addresses: RateLimit;
  readonly #networks: RateLimit;

  constructor(limit: number) {
    this.#addresses = new RateLimit("unauthenticated", limit);
    this.#networks = new RateLimit("network", limit * NETWORK_FACTOR);
  }

  /** Counts a request for both. Returns the status of the one that has fewer requests left. */
  consume(address: string, now: Date): RateLimitStatus {
    const own = this.#addresses.consume(address, now);
    const network = networkOf(address);
    if (network === null || own.secondsToWait !== null) return own;
    const wider = this.#networks.consume(network, now);
    return wider.secondsToWait !== null || wider.left < own.left ? wider : own;
  }
}

export interface RateLimits {
  /** Limits the sessions of an account, and its tokens. */
  readonly accounts: RateLimit | null;
  /** Limits requests without a valid credential. */
  readonly addresses: AddressRateLimit | null;
}

/** Limits in requests per minute; 0 for none. */
export function createRateLimits(perCredential: number, perAddress: number): RateLimits {
  return {
    accounts: perCredential === 0 ? null : new RateLimit("default", perCredential),
    addresses: perAddress === 0 ? null : new AddressRateLimit(perAddress),
  };
}
