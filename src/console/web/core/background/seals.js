/** The seals of the audit trail that this browser has seen. */

import { timeText } from "../../fields/shown/times.js";
import { numberText, t } from "../base/language.js";
import { storage } from "../base/session.js";

/**
 * By account. They contain no user text, so they survive a sign-out; on a shared computer they end
 * with the tab.
 */
export const PREFIX = "seals ";

/** @param {string} accountId @returns {TrailLook} */
export function keptSeals(accountId) {
  try {
    const { audit, access } = JSON.parse(storage().getItem(PREFIX + accountId) ?? "{}");
    return { audit: toHead(audit), access: toHead(access) };
  } catch {
    return { audit: null, access: null };
  }
}

/** @param {string} accountId @param {TrailKind} kind @param {TrailHead} head */
export function keepSeal(accountId, kind, head) {
  const kept = { ...keptSeals(accountId), [kind]: head };
  storage().setItem(PREFIX + accountId, JSON.stringify(kept));
}

/**
 * For a trail that fits the seal that was seen.
 * @param {TrailHead | null} seen
 * @param {number} unchecked
 */
export function checkedText(seen, unchecked) {
  if (seen === null) return t("firstCheck");
  const time = timeText(seen.at);
  return unchecked === 0
    ? t("nothingRewritten", { time })
    : t("partlyChecked", { time, count: numberText(unchecked) });
}

/** @type {(kept: any) => TrailHead | null} */
function toHead(kept) {
  const isHead = Number.isInteger(kept?.number) && Number.isInteger(kept.entries) &&
    typeof kept.digest === "string" && !Number.isNaN(Date.parse(kept.at));
  return isHead ? kept : null;
}
