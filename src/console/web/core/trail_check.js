/**
 * Checks an audit trail against the seal that this browser stored, and trusts nothing that the
 * service computed. The chapter "Sealed audit trail" defines the hashes.
 */

import { hex } from "./base/keys.js";
import { send } from "./base/sender.js";

const encoder = new TextEncoder();
const [LEAF, NODE, SEAL] = [0, 1, 2];

/** RFC 8785: sorted members, no white space. @param {any} value @returns {string} */
export function canonical(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.keys(value).sort().map((name) =>
    `${JSON.stringify(name)}:${canonical(value[name])}`
  );
  return `{${members.join(",")}}`;
}

/** SHA-256 of the kind's byte and the parts. @param {number} kind @param {...Uint8Array} parts */
async function hash(kind, ...parts) {
  const bytes = new Uint8Array(1 + parts.reduce((sum, part) => sum + part.length, 0));
  bytes[0] = kind;
  let at = 1;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** @param {string} accountId @param {any} entry */
function leafOf(accountId, entry) {
  return hash(LEAF, encoder.encode(canonical({ accountId, entry })));
}

/**
 * The Merkle root in hex (RFC 6962, 2.1); null without entries, which no seal has.
 * @param {string} accountId
 * @param {readonly any[]} entries
 */
export async function rootOf(accountId, entries) {
  let level = await Promise.all(entries.map((entry) => leafOf(accountId, entry)));
  while (level.length > 1) {
    const lefts = level.filter((_, index) => index % 2 === 0);
    const rights = level.filter((_, index) => index % 2 === 1);
    level = await Promise.all(lefts.map((left, index) => {
      const right = rights[index];
      return right === undefined ? left : hash(NODE, left, right);
    }));
  }
  return level[0] === undefined ? null : hex(level[0]);
}

/**
 * True if a seal, whose digest fits its content, covers an entry (RFC 9162, 2.1.3.2).
 * @param {string} accountId
 * @param {any} entry
 * @param {{ seal: any, leafIndex: number, path: readonly string[] }} inclusion
 */
export async function isIncluded(accountId, entry, { seal, leafIndex, path }) {
  let node = await leafOf(accountId, entry);
  let [index, last] = [leafIndex, seal.entries - 1];
  for (const step of path) {
    const other = Uint8Array.from(step.match(/../g) ?? [], (byte) => parseInt(byte, 16));
    if (last === 0) return false;
    if (index % 2 === 1 || index === last) {
      node = await hash(NODE, other, node);
      while (index % 2 === 0 && index > 0) [index, last] = [index / 2, Math.floor(last / 2)];
    } else node = await hash(NODE, node, other);
    [index, last] = [Math.floor(index / 2), Math.floor(last / 2)];
  }
  const isOwn = seal.accountId === accountId && leafIndex < seal.entries &&
    await sealDigest(seal) === seal.digest;
  return isOwn && last === 0 && hex(node) === seal.root;
}

/** The digest in hex. @param {any} seal */
export async function sealDigest({ digest: _, ...content }) {
  return hex(await hash(SEAL, encoder.encode(canonical(content))));
}

/** Recomputes a chain of seals from its entries, from the first or from the stored one. */
export class TrailCheck {
  /** The numbers recomputed so far. */
  seals = 0;
  entries = 0;
  /** @type {TrailHead | null} */
  #kept;
  /** @type {string} */
  #accountId;
  /** @type {TrailKind} */
  #kind;
  #from;
  /** @type {any} */
  #newest = null;
  /** Entries up to the newest seal. */
  #total = 0;

  /**
   * @param {string} accountId
   * @param {TrailKind} kind
   * @param {TrailHead | null} kept The stored seal; null for a first check.
   * @param {boolean} isWhole True to recompute every entry.
   */
  constructor(accountId, kind, kept, isWhole) {
    this.#accountId = accountId;
    this.#kind = kind;
    this.#kept = kept;
    this.#from = isWhole ? 1 : kept?.number ?? 1;
  }

  get next() {
    return this.#newest === null ? this.#from : this.#newest.number + 1;
  }

  /**
   * Null if it is valid.
   * @param {{ seal: any, entries: readonly any[] }} link
   * @returns {Promise<TrailFault | null>}
   */
  async add({ seal, entries }) {
    const { number, digest } = seal;
    const fault = (/** @type {TrailFault["why"]} */ why) => ({ why, number, digest });
    if (number !== this.next) return { why: "chain", number: this.next, digest: null };
    const isOwn = seal.accountId === this.#accountId && seal.kind === this.#kind;
    if (!isOwn || await sealDigest(seal) !== digest) return fault("chain");
    if (number === this.#kept?.number && digest !== this.#kept?.digest) return fault("replaced");
    // The stored digest covers the link of the first checked seal.
    const before = this.#newest?.digest ?? null;
    const isLinked = seal.previous === before || (this.#newest === null && number !== 1);
    if (!isLinked) return fault("chain");
    const isWhole = entries.length === seal.entries &&
      await rootOf(this.#accountId, entries) === seal.root;
    if (!isWhole) return fault("entries");
    // The stored sum includes the stored seal's entries.
    this.#total = this.#newest === null && this.#from > 1
      ? this.#kept?.entries ?? 0
      : this.#total + entries.length;
    this.#newest = seal;
    this.seals++;
    this.entries += entries.length;
    return null;
  }

  /** Null if the known seal was found. @returns {TrailFault | null} */
  end() {
    const kept = this.#kept;
    if (kept === null || (this.#newest?.number ?? 0) >= kept.number) return null;
    return { why: "shorter", number: kept.number, digest: null };
  }

  /** Null without a seal. @param {string} at @returns {TrailHead | null} */
  head(at) {
    if (this.#newest === null) return null;
    const { number, digest } = this.#newest;
    return { number, digest, at, entries: this.#total };
  }
}

/** Longer trails are recomputed only from the stored seal. */
const ALWAYS_WHOLE = 10_000;

/**
 * @param {string} accountId
 * @param {TrailKind} kind
 * @param {TrailHead | null} kept
 * @param {CheckOptions} how
 * @throws `ApiError` if the service could not be reached.
 */
export async function checkTrail(accountId, kind, kept, { at, isWhole, signal, progress }) {
  const isAll = isWhole || (kept?.entries ?? 0) <= ALWAYS_WHOLE;
  const check = new TrailCheck(accountId, kind, kept, isAll);
  const result = (/** @type {TrailFault | null} */ fault) => {
    const head = fault === null ? check.head(at) : null;
    const { seals, entries } = check;
    return { fault, head, seals, entries, unchecked: (head?.entries ?? entries) - entries };
  };
  while (true) {
    const path = `/api/v2/audit/chain?kind=${kind}&from=${check.next}`;
    const { data } = await send("GET", path, { signal });
    for (const link of data.items) {
      const fault = await check.add(link);
      if (fault !== null) return result(fault);
      progress(check.entries);
    }
    if (data.next === null || data.items.length === 0) return result(check.end());
  }
}
