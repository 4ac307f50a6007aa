/** Decides an item's outcome. Pure. */

import type { RecordState } from "../records/heads.ts";
import type { Outcome } from "./import.ts";
import type { Item } from "./item.ts";
import type { Origin } from "./origin_store.ts";

export interface Decision {
  readonly outcome: Outcome;
  readonly rule?: string;
}

/**
 * Decides by what the source said last, and what the record has become here. Never merges, and never overwrites
 * what was changed here.
 */
export function decideOutcome(
  item: Pick<Item, "target" | "digest">,
  origin: Origin | undefined,
  state: RecordState | undefined,
): Decision {
  // Without the record its origin counts no more.
  if (origin === undefined || state === undefined) return { outcome: "NEW" };
  if (origin.target !== item.target) return { outcome: "REFUSED", rule: "import.target" };
  const isAsLeft = origin.revision === state.revision;
  // A withdrawal archived the record, which is restored.
  if (origin.change === "WITHDRAWN" && isAsLeft) return { outcome: "CHANGED" };
  if (origin.digest === item.digest) return { outcome: "UNCHANGED" };
  return isAsLeft ? { outcome: "CHANGED" } : { outcome: "REFUSED", rule: "import.edited_here" };
}
