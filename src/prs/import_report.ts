/** The part of a plan that `import` shows: counts, rules, questions, and refused items. */

import type { Client } from "../client/mod.ts";
import type { Import as ItemImport, ImportItem } from "../client/wire.ts";
import RULES from "../console/web/lang/en/import_rules.js";
import { showQuestions } from "./import_questions.ts";
import { note, printable } from "./terminal.ts";

/** Refused items that are shown. */
const MAX_REFUSED = 20;

/** Shows counts by target, rules, left-out parts, questions, and the first refused items. */
export async function showPlan(client: Client, plan: ItemImport): Promise<void> {
  const { importId, counts, rules, unmapped, looksLike } = plan;
  note(describe(counts));
  for (const { rule, count } of rules) note(`${rule}: ${count}${wordsOf(rule)}`);
  for (const { name, count } of unmapped) {
    note(`Left out: ${printable(name)}: ${count}${wordsOf(`leftOut.${name}`)}`);
  }
  if (looksLike.length > 0) note(`Looks like: ${looksLike.join(", ")}`);
  const all = Object.values(counts);
  if (all.some(({ possibleDuplicate = 0 }) => possibleDuplicate > 0)) {
    await showQuestions(client, importId);
  }
  const refused = all.reduce((sum, { refused }) => sum + refused, 0);
  if (refused > 0) await showRefused(client, importId, refused);
}

/** The meaning of a rule or counted name in parentheses; empty for unknown ones. */
function wordsOf(name: string): string {
  const words = new Map(Object.entries(RULES)).get(name);
  return words === undefined || words.includes("{") ? "" : ` (${words.replace(/\.$/, "")})`;
}

/** Lines for the first refused items, and their number if there are more. */
async function showRefused(client: Client, importId: string, count: number): Promise<void> {
  const query = { outcome: "REFUSED", limit: MAX_REFUSED } as const;
  let shown = 0;
  for await (const item of client.each("import.items", { path: { importId }, query })) {
    note(`Refused: ${placeOf(item)}: ${item.rules.join(", ")}`);
    if (++shown === MAX_REFUSED) break;
  }
  if (shown < count) note(`Refused: ${count} in all`);
}

/** Shows the names that the mapping of a table needs. */
export function showTable({ presets, tables, columns, suggestedKey }: ItemImport): void {
  const lists = {
    Preset: presets,
    Table: tables,
    Column: columns,
    "Suggested key": suggestedKey,
  };
  for (const [title, names] of Object.entries(lists)) {
    for (const name of names ?? []) note(`${title}: ${printable(name)}`);
  }
}

/** The entry of an archive, and the number of a line, row, item or entry; empty for neither. */
export function placeOf({ entry, place }: Pick<ImportItem, "entry" | "place">): string {
  return [entry === null ? "" : printable(entry), place === 0 ? "" : `${place}`]
    .filter((part) => part !== "").join(", ");
}

/** A line for each target, such as `memory: 12 new, 1 refused`. */
export function describe(counts: ItemImport["counts"]): string {
  const lines = Object.entries(counts).map(([target, outcomes]) => {
    const nonzero = Object.entries(outcomes).filter(([, count]) => count > 0);
    return `${target}: ${nonzero.map(([outcome, count]) => `${count} ${outcome}`).join(", ")}`;
  });
  return lines.join("\n") || "Nothing was found";
}
