/**
 * The newest checked seals, by account. They contain no user text, so they survive a sign-out; on a
 * shared computer they end with the tab.
 */

import { isShared } from "./session.js";

/** @typedef {import("../logic/trail_check.js").Head} Head */

/**
 * @typedef {object} Look
 * @property {Head | null} audit
 * @property {Head | null} access
 */

const PREFIX = "seals ";

/** @param {string} accountId */
const nameOf = (accountId) => PREFIX + accountId;

const place = () => isShared() ? sessionStorage : localStorage;

/**
 * Returns the stored seals; both are null before the first check.
 *
 * @param {string} accountId
 * @returns {Look}
 */
export function keptSeals(accountId) {
  try {
    const { audit, access } = JSON.parse(place().getItem(nameOf(accountId)) ?? "{}");
    return { audit: toHead(audit), access: toHead(access) };
  } catch {
    return { audit: null, access: null };
  }
}

/**
 * @param {string} accountId
 * @param {import("../logic/trail_check.js").Kind} kind
 * @param {Head} head
 */
export function keepSeal(accountId, kind, head) {
  const kept = { ...keptSeals(accountId), [kind]: head };
  place().setItem(nameOf(accountId), JSON.stringify(kept));
}

export function keptNames() {
  return Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
}

/**
 * @param {any} kept
 * @returns {Head | null}
 */
function toHead(kept) {
  const isHead = Number.isInteger(kept?.number) && Number.isInteger(kept.entries) &&
    typeof kept.digest === "string" && !Number.isNaN(Date.parse(kept.at));
  return isHead ? kept : null;
}
