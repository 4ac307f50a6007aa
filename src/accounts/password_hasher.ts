import { Buffer } from "node:buffer";
import { scrypt } from "node:crypto";
import { constantTimeEqual } from "../core/digest.ts";
import { type Caller, HashPlaces, type PlaceLimits } from "./hash_places.ts";

/** The cost of a hash: about 128 MiB and half a second of one core. */
export interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

const PRESENT_COST: HashCost = { N: 2 ** 17, r: 8, p: 1 };
const PLACES: PlaceLimits = { atOnce: 2, waiting: 8, strangersWaiting: 4 };
const MAXIMUM_MEMORY = 256 * 1024 * 1024;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** The outcome of a check; `outdated` asks for a new hash at the present cost. */
export interface PasswordCheck {
  readonly matches: boolean;
  readonly outdated: boolean;
}

/** Hashes and checks passwords. A process has one, whose places all of them share. */
export class PasswordHasher {
  readonly #cost: HashCost;
  readonly #places: HashPlaces;
  /** What is checked where no account was found. No password has this hash. */
  readonly #absentHash: string;

  constructor({ cost = PRESENT_COST, places = PLACES }: {
    readonly cost?: HashCost;
    readonly places?: PlaceLimits;
  } = {}) {
    this.#cost = cost;
    this.#places = new HashPlaces(places);
    this.#absentHash = formatHash(cost, new Uint8Array(SALT_BYTES), new Uint8Array(HASH_BYTES));
  }

  /**
   * Hashes a password with a new salt: `scrypt$N$r$p$salt$hash`, so that the parameters travel with
   * the hash and can be raised later.
   *
   * @throws ServiceError `HTTP_429` when too many hashes are already waiting.
   */
  async hash(password: string, caller: Caller): Promise<string> {
    const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
    return formatHash(this.#cost, salt, await this.#derive(password, salt, this.#cost, caller));
  }

  /**
   * Checks a password against a stored hash. Without one (no such account) the same work is done and
   * the answer is no, so that time does not tell which accounts exist.
   *
   * @throws ServiceError `HTTP_429` when too many hashes are already waiting.
   */
  async check(password: string, stored: string | null, caller: Caller): Promise<PasswordCheck> {
    const { cost, salt, hash } = parseHash(stored ?? this.#absentHash);
    const matches = constantTimeEqual(await this.#derive(password, salt, cost, caller), hash);
    const present = this.#cost;
    return {
      matches: matches && stored !== null,
      outdated: cost.N !== present.N || cost.r !== present.r || cost.p !== present.p,
    };
  }

  async #derive(
    password: string,
    salt: Uint8Array,
    cost: HashCost,
    caller: Caller,
  ): Promise<Uint8Array> {
    return await this.#places.run(
      caller,
      () => runScrypt(password.normalize("NFKC"), salt, cost),
    );
  }
}

function formatHash({ N, r, p }: HashCost, salt: Uint8Array, hash: Uint8Array): string {
  return ["scrypt", N, r, p, base64(salt), base64(hash)].join("$");
}

function parseHash(stored: string): { cost: HashCost; salt: Uint8Array; hash: Uint8Array } {
  const [scheme, N, r, p, salt, hash] = stored.split("$");
  if (scheme !== "scrypt" || salt === undefined || hash === undefined) {
    throw new Error("Cannot read a stored password hash");
  }
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64"),
  };
}

function runScrypt(password: string, salt: Uint8Array, cost: HashCost): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: MAXIMUM_MEMORY };
    scrypt(password, salt, HASH_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
