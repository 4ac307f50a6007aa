/** Decisions about the items of a batch. */

import type { JsonObject } from "../core/json.ts";
import type { ItemReferences, PersonComparison } from "../kit/import_target.ts";
import type { RecordState } from "../records/import_port.ts";
import type { Comparing, Outcome } from "./import.ts";
import type { Item } from "./item.ts";
import type { Origin } from "./origin_store.ts";
import type { Targets } from "./targets.ts";

export interface DecisionContext {
  readonly owner: string;
  readonly importId: string;
  readonly source: string;
  readonly now: Date;
  readonly targets: Targets;
  /** The owner's mapping; null if there is none. */
  readonly mapping: JsonObject | null;
  /** The credential's permissions to read; nothing else is compared. */
  readonly reads: ReadonlySet<Comparing>;
}

export interface ItemDecision {
  readonly item: Item;
  /** The key of its origin. */
  readonly key: string;
  readonly outcome: Outcome;
  /** Stored objects that the content of a written item names. */
  readonly references: ItemReferences;
  readonly rules: readonly string[];
  readonly origin: Origin | undefined;
  readonly state: RecordState | undefined;
  /** The stored record; null if there is none. */
  readonly recordId: string | null;
  /** Tags to assign to the record, in compared form. */
  readonly tags: readonly string[];
  /** People who share an email or number with the item. */
  readonly matches: readonly string[];
  /** Keys of earlier items of the file that share one. */
  readonly shared: readonly string[];
  /** The key of the earlier item whose person it joins; null for all others. */
  readonly joinedKey: string | null;
  /** How the content is compared with the stored person; null for all others. */
  readonly comparison: PersonComparison | null;
  /** Further UIDs that the person gets. */
  readonly uids: readonly string[];
  /** Names of parts that are left out because of stored rows. */
  readonly leftOut: readonly string[];
}

/** Rule of an item that joins a person who has one of its UIDs. */
export const UID_KNOWN = "import.uid_known";

/** True for an item without an origin that no UID decides; a join of it is the owner's answer. */
export function isAnswered({ origin, rules }: Pick<ItemDecision, "origin" | "rules">): boolean {
  return origin === undefined && !rules.includes(UID_KNOWN);
}

export function willBeWritten({ outcome }: { readonly outcome: Outcome }): boolean {
  return outcome === "NEW" || outcome === "CHANGED";
}

/** True for people of formats of people, whose difference decides about their outcome. */
export function isComparedPerson({ target, people }: Pick<Item, "target" | "people">): boolean {
  return people !== null && target === "person";
}

export interface ItemOutcome {
  readonly outcome: Outcome;
  readonly rule?: string;
}

/**
 * Decides by the origin and the stored record. Never overwrites a change that was made here. Only
 * people of formats of people are merged, by `person_changes.ts`.
 */
export function decideOutcome(
  item: Pick<Item, "target" | "digest" | "people">,
  origin: Origin | undefined,
  state: RecordState | undefined,
): ItemOutcome {
  // An origin without a record does not count.
  if (origin === undefined || state === undefined) return { outcome: "NEW" };
  if (origin.target !== item.target) return { outcome: "REFUSED", rule: "import.target" };
  const isAsLeft = origin.revision === state.revision;
  // A withdrawal archived the record, so it is restored.
  if (origin.change === "WITHDRAWN" && isAsLeft) return { outcome: "CHANGED" };
  if (origin.digest === item.digest) return { outcome: "UNCHANGED" };
  if (isComparedPerson(item)) return { outcome: "CHANGED" };
  return isAsLeft ? { outcome: "CHANGED" } : { outcome: "REFUSED", rule: "import.edited_here" };
}
