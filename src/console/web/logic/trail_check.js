/**
 * Recomputes a chain of seals from its entries, and compares it with the seal that was seen before. It
 * trusts nothing that the service computed.
 */

import { rootOf, sealDigest } from "./seals.js";

/** @typedef {"audit" | "access"} Kind */

/**
 * @typedef {object} Head The newest seal of a chain that was checked.
 * @property {number} number
 * @property {string} digest
 * @property {number} entries How many entries the chain covers up to it.
 * @property {string} at When it was checked, by the service's clock.
 */

/**
 * @typedef {object} Fault Why a chain does not hold.
 * @property {"chain" | "entries" | "replaced" | "shorter"} why `chain`: a seal is missing, altered, or does
 * not follow the one before it. `entries`: a seal does not fit its entries. `replaced`: the known seal has
 * another digest. `shorter`: the known seal is missing.
 * @property {number} number The seal's number.
 * @property {string | null} digest The digest of the current seal; null for none.
 */

/** Checks a chain seal by seal, from the first one or from the one that was seen before. */
export class TrailCheck {
  /** How much was recomputed. */
  seals = 0;
  entries = 0;
  /** @type {Head | null} */
  #kept;
  /** @type {string} */
  #accountId;
  /** @type {Kind} */
  #kind;
  /** The number of the first seal that is checked. */
  #from;
  /** @type {any} */
  #newest = null;
  /** How many entries the chain covers up to the newest seal. */
  #total = 0;

  /**
   * @param {string} accountId
   * @param {Kind} kind
   * @param {Head | null} kept The known seal; null for a first check.
   * @param {boolean} isWhole True if every entry is recomputed.
   */
  constructor(accountId, kind, kept, isWhole) {
    this.#accountId = accountId;
    this.#kind = kind;
    this.#kept = kept;
    this.#from = isWhole ? 1 : kept?.number ?? 1;
  }

  /** The number of the seal to be checked next. */
  get next() {
    return this.#newest === null ? this.#from : this.#newest.number + 1;
  }

  /**
   * Checks the next seal and its entries.
   *
   * @param {{ seal: any, entries: readonly any[] }} link
   * @returns {Promise<Fault | null>} null if it holds.
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
    // The link of the first checked seal to the one before it is covered by the stored digest.
    const before = this.#newest?.digest ?? null;
    if ((this.#newest !== null || seal.number === 1) && seal.previous !== before) {
      return fault("chain");
    }
    const isWhole = entries.length === seal.entries &&
      await rootOf(this.#accountId, entries) === seal.root;
    if (!isWhole) return fault("entries");
    // The stored sum already includes the entries of the stored seal.
    this.#total = this.#newest === null && this.#from > 1
      ? this.#kept?.entries ?? 0
      : this.#total + entries.length;
    this.#newest = seal;
    this.seals++;
    this.entries += entries.length;
    return null;
  }

  /** The fault at the end of the chain; null if the known seal was found. */
  end() {
    const kept = this.#kept;
    if (kept === null || (this.#newest?.number ?? 0) >= kept.number) return null;
    return /** @type {Fault} */ ({ why: "shorter", number: kept.number, digest: null });
  }

  /**
   * The head to store, of a chain that holds; null for one without a seal.
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
