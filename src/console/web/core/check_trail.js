/** Checks a trail of the account against the seal that this browser stored. */

import { TrailCheck } from "../logic/trail_check.js";
import { send } from "./api.js";

/** Every entry is recomputed, unless there are more than this many. */
const ALWAYS_WHOLE = 10_000;

/**
 * @typedef {object} Checked
 * @property {import("../logic/trail_check.js").Fault | null} fault
 * @property {import("../logic/trail_check.js").Head | null} head To be stored; null for a trail without a
 * seal, and for one that does not hold.
 * @property {number} seals How many were checked, as `entries`.
 * @property {number} entries
 * @property {number} unchecked How many entries from before the last check were not recomputed.
 */

/**
 * @param {string} accountId
 * @param {import("../logic/trail_check.js").Kind} kind
 * @param {import("../logic/trail_check.js").Head | null} kept
 * @param {{ at: string, isWhole: boolean, signal: AbortSignal, progress: (entries: number) => void }} how
 * @returns {Promise<Checked>}
 * @throws {import("./api.js").ApiError} if the service could not be reached.
 */
export async function checkTrail(accountId, kind, kept, { at, isWhole, signal, progress }) {
  const isAll = isWhole || (kept?.entries ?? 0) <= ALWAYS_WHOLE;
  const check = new TrailCheck(accountId, kind, kept, isAll);
  const result = (/** @type {Checked["fault"]} */ fault) => {
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
