/** Checks an audit trail against the seal that this browser stored. */

import { TrailCheck } from "../logic/trail_check.js";
import { send } from "./base.js";

/** Longer trails are recomputed only from the stored seal. */
const ALWAYS_WHOLE = 10_000;

/**
 * @typedef {object} Checked
 * @property {import("../logic/trail_check.js").Fault | null} fault
 * @property {import("../logic/trail_check.js").Head | null} head To be stored; null without a seal,
 *   or if the trail does not hold.
 * @property {number} seals Number checked, as `entries`.
 * @property {number} entries
 * @property {number} unchecked Number of entries before the last check that were not recomputed.
 */

/**
 * @param {string} accountId
 * @param {import("../logic/trail_check.js").Kind} kind
 * @param {import("../logic/trail_check.js").Head | null} kept
 * @param {{ at: string, isWhole: boolean, signal: AbortSignal, progress: (entries: number) => void }} how
 * @returns {Promise<Checked>}
 * @throws {import("./base.js").ApiError} if the service could not be reached.
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
