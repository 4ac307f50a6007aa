/** The report of each item of an import, and their totals. */

import type { Query, Sql } from "../database/sql.ts";
import type { ItemDecision } from "./decision.ts";
import type { Item } from "./item.ts";
import { Counts, type RuleCount } from "./counts.ts";
import type { Outcome, OutcomeCounts, TargetCounts } from "./import.ts";
import { boundedWords, reportWord } from "./words.ts";

/** The planned or final outcome of an item. */
export interface ItemReport {
  readonly place: number;
  readonly key: string;
  /** The path of its entry in the archive; null for a bare file. */
  readonly entry: string | null;
  readonly target: string | null;
  readonly outcome: Outcome;
  readonly recordId: string | null;
  readonly attachmentIds: readonly string[];
  readonly rules: readonly string[];
  readonly unmapped: readonly string[];
  /** People who share an email or number; only in formats that compare people. */
  readonly matches?: readonly string[];
}

export function reportOf(decision: ItemDecision): ItemReport {
  const { item, key, outcome, rules, matches, leftOut } = decision;
  const { place, entry, target } = item;
  return shownReport({
    place,
    key,
    entry,
    target,
    outcome,
    rules,
    unmapped: [...new Set([...item.unmapped, ...leftOut])],
    recordId: null,
    attachmentIds: [],
    ...(item.people !== null && { matches }),
  });
}

const ITEM_BYTES = 16 * 1024;

/** A report in the present form: earlier releases stored longer words and no entries. */
export function shownReport(report: ItemReport): ItemReport {
  const { key, entry, unmapped } = report;
  return {
    ...report,
    key: reportWord(key),
    entry: entry ?? null,
    unmapped: boundedWords(unmapped, ITEM_BYTES),
  };
}

/** True for an item that a run leaves out, even if stored records have changed. */
export function isLeftOut({ outcome }: Pick<ItemReport, "outcome">): boolean {
  return outcome === "REFUSED" || outcome === "POSSIBLE_DUPLICATE";
}

/** An item that is left out: it is compared, but never written. */
export function withoutContent(item: Item): Item {
  const people = item.people && { ...item.people, links: [], members: [] };
  const content = { title: "", summary: "", payload: {}, tags: [], files: [], earlier: null };
  return { ...item, ...content, people };
}

type ItemRow = Pick<ItemReport, "place" | "key" | "entry" | "target" | "outcome" | "recordId"> & {
  /** JSON. */
  readonly lists: string;
};

interface ItemsQuery {
  readonly after: number;
  readonly outcome: Outcome | null;
  readonly limit: number;
}

/** Finished items of an import, in the order of their places. */
export async function listItems(
  sql: Sql,
  owner: string,
  importId: string,
  { after, outcome, limit }: ItemsQuery,
): Promise<ItemReport[]> {
  const rows = await sql<ItemRow>`
    select place, key, entry, target, outcome, record_id as "recordId",
           json_strip_nulls(json_build_object('attachmentIds', attachment_ids, 'rules', rules,
             'unmapped', unmapped, 'matches', matches))::text as lists
      from import_items
     where owner_id = ${owner} and import_id = ${importId} and place > ${after}
       ${outcome === null ? sql`` : sql`and outcome = ${outcome}`}
     order by place limit ${limit}`;
  return rows.map(({ lists, ...row }) => ({ ...row, ...JSON.parse(lists) }));
}

export function insertItems(
  sql: Sql,
  owner: string,
  importId: string,
  items: readonly ItemReport[],
): Query<object> {
  return sql`
    insert into import_items (owner_id, import_id, place, key, entry, target, outcome,
                              record_id, attachment_ids, rules, unmapped, matches)
    select ${owner}, ${importId}, place, key, entry, target, outcome, "recordId", "attachmentIds",
           rules, unmapped, matches
      from json_to_recordset(${JSON.stringify(items)}::text::json) as item (
        place integer, key text, entry text, target text, outcome text, "recordId" text, "attachmentIds" json,
        rules json, unmapped json, matches json)`;
}

/** Counts of outcomes by target, and of rules. */
export class OutcomeTotals {
  readonly #counts: Map<string, { -readonly [Name in keyof OutcomeCounts]: OutcomeCounts[Name] }>;
  readonly #rules = new Counts();

  constructor(counts: TargetCounts = {}, rules: readonly RuleCount[] = []) {
    this.#counts = new Map(Object.entries(counts).map(([name, count]) => [name, { ...count }]));
    for (const { rule, count } of rules) this.#rules.add(rule, count);
  }

  /** True if no item is, or was, brought in. */
  get isNothing(): boolean {
    return [...this.#counts.values()].every((counts) =>
      counts.new + counts.unchanged + counts.changed + (counts.possibleDuplicate ?? 0) === 0
    );
  }

  /** Adds a rule of the import itself. */
  addRule(rule: string): void {
    this.#rules.add(rule);
  }

  /** @param by -1 to remove an item. */
  add(
    { target, outcome, rules, matches }: Omit<ItemReport, "place" | "key" | "entry" | "unmapped">,
    by: 1 | -1 = 1,
  ): void {
    const name = target ?? "unknown";
    const counts = this.#counts.get(name) ?? {
      new: 0,
      unchanged: 0,
      changed: 0,
      refused: 0,
      ...(matches !== undefined && { possibleDuplicate: 0 }),
    };
    const counted = outcome === "POSSIBLE_DUPLICATE"
      ? "possibleDuplicate"
      : outcome.toLowerCase() as keyof OutcomeCounts;
    counts[counted] = (counts[counted] ?? 0) + by;
    this.#counts.set(name, counts);
    for (const rule of rules) this.#rules.add(rule, by);
  }

  get columns(): { readonly counts: string; readonly rules: string } {
    const sorted = [...this.#counts].sort(([one], [other]) => one < other ? -1 : 1);
    return {
      counts: JSON.stringify(Object.fromEntries(sorted)),
      rules: JSON.stringify(this.#rules.rules()),
    };
  }
}
