/** A batch of items between its look-up and its writing. */

import type { Catalog } from "../catalog/catalog.ts";
import type { JsonObject } from "../core/json.ts";
import type { Command } from "../command/command.ts";
import type { RecordState } from "../records/heads.ts";
import type { Outcome } from "./import.ts";
import type { Item } from "./item.ts";
import type { Origin } from "./origin_store.ts";
import type { Targets } from "./targets.ts";

/** The context in which a batch is compared with stored records. */
export interface JudgeContext {
  readonly owner: string;
  readonly source: string;
  readonly now: Date;
  readonly targets: Targets;
  /** The owner's mapping; null without one. */
  readonly mapping: JsonObject | null;
  /** Keys of possible duplicates of the plan, which the run leaves out. */
  readonly held?: ReadonlySet<string>;
}

/** An item with its outcome. */
export interface Judged {
  readonly item: Item;
  readonly outcome: Outcome;
  readonly rules: readonly string[];
  readonly origin: Origin | undefined;
  readonly state: RecordState | undefined;
  /** The record that it is already; null if there is none. */
  readonly recordId: string | null;
  /** The tags that the record is to carry, in compared form. */
  readonly tags: readonly string[];
  /** People who share an email or number with the item. */
  readonly matches: readonly string[];
}

/** The context in which a batch is written. */
export interface BatchContext extends JudgeContext {
  readonly importId: string;
  readonly catalog: Catalog;
  readonly command: Command;
}
