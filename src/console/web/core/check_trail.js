/** Checks an audit trail against the seal that this browser stored. */

import { TrailCheck } from "../logic/trail_check.js";
import { send } from "./base.js";

/** Longer trails are recomputed only from the stored seal. */
const ALWAYS_WHOLE = 10_000;

/**
 * @param {string} accountId
 * @param {TrailKind} kind
 * @param {TrailHead | null} kept
 * @param {{ at: string, isWhole: boolean, signal: AbortSignal, progress: (entries: number) => void }} how
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
