/** Checks an audit trail against the seal that this browser stored. */

import { send } from "./base.js";

/** Hashes of the sealed audit trail, as its chapter "Sealed audit trail" defines them. */

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

/**
 * SHA-256 of a byte for the kind, and the parts.
 * @param {number} kind
 * @param {...Uint8Array} parts
 */
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

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The Merkle root in hex (RFC 6962, 2.1); null without entries, which no seal has.
 * @param {string} accountId
 * @param {readonly any[]} entries
 */
export async function rootOf(accountId, entries) {
  let level = await Promise.all(
    entries.map((entry) => hash(LEAF, encoder.encode(canonical({ accountId, entry })))),
  );
  while (level.length > 1) {
    const pairs = Array.from(
      { length: Math.ceil(level.length / 2) },
      (_, index) => level.slice(2 * index, 2 * index + 2),
    );
    level = await Promise.all(
      pairs.map(async (pair) => pair.length === 1 ? pair : [await hash(NODE, ...pair)]),
    ).then((nodes) => nodes.flat());
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
  let node = await hash(LEAF, encoder.encode(canonical({ accountId, entry })));
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

/**
 * Recomputes a chain of seals from its entries and compares it with the stored seal. Trusts nothing that the
 * service computed.
 */

/** Checks seal by seal, from the first or from the stored one. */
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
   * @param {{ seal: any, entries: readonly any[] }} link
   * @returns {Promise<TrailFault | null>} null if it is valid.
   */
  async add({ seal, entries }) {
    const fault = (/** @type {TrailFault["why"]} */ why) => ({
      why,
      number: seal.number,
      digest: seal.digest,
    });
    if (seal.number !== this.next) return { ...fault("chain"), number: this.next, digest: null };
    const isOwn = seal.accountId === this.#accountId && seal.kind === this.#kind;
    if (!isOwn || await sealDigest(seal) !== seal.digest) return fault("chain");
    const isReplaced = seal.number === this.#kept?.number && seal.digest !== this.#kept?.digest;
    if (isReplaced) return fault("replaced");
    // The stored digest covers the link of the first checked seal.
    const before = this.#newest?.digest ?? null;
    if ((this.#newest !== null || seal.number === 1) && seal.previous !== before) {
      return fault("chain");
    }
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

  /** Null if the known seal was found. */
  end() {
    const kept = this.#kept;
    if (kept === null || (this.#newest?.number ?? 0) >= kept.number) return null;
    return /** @type {TrailFault} */ ({ why: "shorter", number: kept.number, digest: null });
  }

  /**
   * To be stored if the chain is valid; null without a seal.
   * @param {string} at
   * @returns {TrailHead | null}
   */
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
  const result = (/** @type {CheckedTrail["fault"]} */ fault) => {
    const head = fault === null ? check.head(at) : null;
    const { seals, entries } = check;
    return { fault, head, seals, entries, unchecked: (head?.entries ?? entries) - entries };
  };
  /** @type {number | null} */
  let from = check.next;
  while (from !== null) {
    const path = `/api/v2/audit/chain?kind=${kind}&from=${from}`;
    const { data } = await send("GET", path, { signal });
    for (const link of data.items) {
      const fault = await check.add(link);
      if (fault !== null) return result(fault);
      progress(check.entries);
    }
    from = data.next === null || data.items.length === 0 ? null : check.next;
  }
  return result(check.end());
}
