/**
 * Recomputes a chain of seals from its entries and compares it with the stored seal. Trusts nothing that the
 * service computed.
 */

import { rootOf, sealDigest } from "./seals.js";

/** @typedef {"audit" | "access"} Kind */

/**
 * @typedef {object} Head The newest checked seal.
 * @property {number} number
 * @property {string} digest
 * @property {number} entries Number of entries up to it.
 * @property {string} at By the service's clock.
 */

/**
 * @typedef {object} Fault Why a chain is invalid.
 * @property {"chain" | "entries" | "replaced" | "shorter"} why `chain`: a seal is missing, altered, or does
 *   not follow the one before. `entries`: a seal does not fit its entries. `replaced`: the known seal has
 *   another digest. `shorter`: the known seal is missing.
 * @property {number} number
 * @property {string | null} digest The current seal's; null for none.
 */

/** Checks seal by seal, from the first or from the stored one. */
export class TrailCheck {
  /** The numbers recomputed so far. */
  seals = 0;
  entries = 0;
  /** @type {Head | null} */
  #kept;
  /** @type {string} */
  #accountId;
  /** @type {Kind} */
  #kind;
  #from;
  /** @type {any} */
  #newest = null;
  /** Entries up to the newest seal. */
  #total = 0;

  /**
   * @param {string} accountId
   * @param {Kind} kind
   * @param {Head | null} kept The stored seal; null for a first check.
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
   * @returns {Promise<Fault | null>} null if it is valid.
   */
  async add({ seal, entries }) {
    const fault = (/** @type {Fault["why"]} */ why) => ({
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
    return /** @type {Fault} */ ({ why: "shorter", number: kept.number, digest: null });
  }

  /**
   * To be stored if the chain is valid; null without a seal.
   *
   * @param {string} at
   * @returns {Head | null}
   */
  head(at) {
    if (this.#newest === null) return null;
    const { number, digest } = this.#newest;
    return { number, digest, at, entries: this.#total };
  }
}
