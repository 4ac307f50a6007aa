/** A batch of items between its look-up and its writing. */

import type { JsonObject } from "../core/json.ts";
import type { ItemReferences } from "../kit/import_target.ts";
import type { RecordState } from "../records/import_port.ts";
import type { Comparing, Outcome } from "./import.ts";
import type { Item } from "./item.ts";
import type { Origin } from "./origin_store.ts";
import type { Targets } from "./targets.ts";

/** The context in which a batch is compared with stored records. */
export interface DecisionContext {
  readonly owner: string;
  readonly source: string;
  readonly now: Date;
  readonly targets: Targets;
  /** The owner's mapping; null without one. */
  readonly mapping: JsonObject | null;
  /** Permissions to read of the credential that planned; nothing else is compared. */
  readonly reads: ReadonlySet<Comparing>;
}

export interface ItemDecision {
  readonly item: Item;
  readonly outcome: Outcome;
  /** Stored objects that the content of a written item names. */
  readonly references: ItemReferences;
  readonly rules: readonly string[];
  readonly origin: Origin | undefined;
  readonly state: RecordState | undefined;
  /** The record that it is already; null if there is none. */
  readonly recordId: string | null;
  /** The tags that the record is to carry, in compared form. */
  readonly tags: readonly string[];
  /** People who share an email or number with the item. */
  readonly matches: readonly string[];
  /** Keys of earlier items of the file that do. */
  readonly shared: readonly string[];
  /** The key of the earlier item whose person it joins; null for all others. */
  readonly joinedKey: string | null;
}

/** Whether something is written of an item. */
export function isWritten({ outcome }: { readonly outcome: Outcome }): boolean {
  return outcome === "NEW" || outcome === "CHANGED";
}

export interface ItemOutcome {
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
): ItemOutcome {
  // Without the record its origin counts no more.
  if (origin === undefined || state === undefined) return { outcome: "NEW" };
  if (origin.target !== item.target) return { outcome: "REFUSED", rule: "import.target" };
  const isAsLeft = origin.revision === state.revision;
  // A withdrawal archived the record, which is restored.
  if (origin.change === "WITHDRAWN" && isAsLeft) return { outcome: "CHANGED" };
  if (origin.digest === item.digest) return { outcome: "UNCHANGED" };
  return isAsLeft ? { outcome: "CHANGED" } : { outcome: "REFUSED", rule: "import.edited_here" };
}
