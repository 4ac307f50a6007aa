import { Buffer } from "node:buffer";
import { scrypt } from "node:crypto";
import { constantTimeEqual } from "../core/digest.ts";
import { type CallerKind, type HashAccount, HashPlaces, type PlaceLimits } from "./hash_places.ts";

/** About 128 MiB and half a second of one core. */
interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

const PRESENT_COST: HashCost = { N: 2 ** 17, r: 8, p: 1 };
const PLACES: PlaceLimits = { atOnce: 2, waiting: 8, strangersWaiting: 4 };
const MAX_MEMORY = 256 * 1024 * 1024;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** `outdated` means that the stored hash has a lower cost than new ones. */
export interface PasswordCheck {
  readonly matches: boolean;
  readonly outdated: boolean;
}

/** One per process, so that its limits apply to all hashes. */
export class PasswordHasher {
  readonly #cost: HashCost;
  readonly #places: HashPlaces;
  /** The hash to check if there is no account. No password matches it. */
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
   * Hashes a password with a new salt: `scrypt$N$r$p$salt$hash`. The parameters can be raised
   * later.
   *
   * @param account The account that the hash is for; by default a new one.
   * @throws ServiceError `HTTP_429` if too many hashes are waiting.
   */
  async hash(
    password: string,
    caller: CallerKind,
    account: HashAccount = Symbol(),
  ): Promise<string> {
    const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
    const derive = () => runScrypt(password, salt, this.#cost);
    return formatHash(this.#cost, salt, await this.#places.run(caller, account, derive));
  }

  /**
   * Checks a password. Without a stored hash (no such account), the same work is done, so that the
   * time does not reveal which accounts exist.
   *
   * @throws ServiceError `HTTP_429` if too many hashes are waiting.
   */
  async check(
    password: string,
    stored: string | null,
    caller: CallerKind,
    account: HashAccount = Symbol(),
  ): Promise<PasswordCheck> {
    const { cost, salt, hash } = parseHash(stored ?? this.#absentHash);
    const derive = () => runScrypt(password, salt, cost);
    const matches = constantTimeEqual(await this.#places.run(caller, account, derive), hash);
    const present = this.#cost;
    return {
      matches: matches && stored !== null,
      outdated: cost.N !== present.N || cost.r !== present.r || cost.p !== present.p,
    };
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
    const options = { ...cost, maxmem: MAX_MEMORY };
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
