import { Buffer } from "node:buffer";
import { scrypt } from "node:crypto";
import { timingSafeEqual } from "@std/crypto";
import { ServiceError } from "../errors/service_error.ts";

/** The cost of a hash: about 128 MiB and half a second of one core. */
export interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

const PRESENT_COST: HashCost = { N: 2 ** 17, r: 8, p: 1 };
const MAXIMUM_MEMORY = 256 * 1024 * 1024;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Hashing at once, and waiting for it, in this process. Beyond that a caller is turned away. */
const HASHES_AT_ONCE = 2;
const HASHES_WAITING = 8;

/**
 * Hashes a password with a new salt: `scrypt$N$r$p$salt$hash`, so that the parameters travel with
 * the hash and can be raised later.
 *
 * @throws ServiceError `HTTP_429` when too many hashes are already waiting.
 */
export async function hashPassword(password: string, cost = PRESENT_COST): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const hash = await derive(password, salt, cost);
  return ["scrypt", cost.N, cost.r, cost.p, base64(salt), base64(hash)].join("$");
}

/** The outcome of a check; `outdated` asks for a new hash at the present cost. */
export interface PasswordCheck {
  readonly matches: boolean;
  readonly outdated: boolean;
}

/**
 * Checks a password against a stored hash. Without one (no such account) the same work is done and
 * the answer is no, so that time does not tell which accounts exist.
 *
 * @throws ServiceError `HTTP_429` when too many hashes are already waiting.
 */
export async function checkPassword(
  password: string,
  stored: string | null,
): Promise<PasswordCheck> {
  const { cost, salt, hash } = parseHash(stored ?? ABSENT_HASH);
  const matches = timingSafeEqual(await derive(password, salt, cost), hash);
  return {
    matches: matches && stored !== null,
    outdated: cost.N !== PRESENT_COST.N || cost.r !== PRESENT_COST.r || cost.p !== PRESENT_COST.p,
  };
}

const ABSENT_HASH = [
  ...["scrypt", PRESENT_COST.N, PRESENT_COST.r, PRESENT_COST.p],
  ...[base64(new Uint8Array(SALT_BYTES)), base64(new Uint8Array(HASH_BYTES))],
].join("$");

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

let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, salt: Uint8Array, cost: HashCost): Promise<Uint8Array> {
  if (running >= HASHES_AT_ONCE) {
    if (waiting.length >= HASHES_WAITING) {
      throw new ServiceError("HTTP_429");
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await runScrypt(password.normalize("NFKC"), salt, cost);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
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
