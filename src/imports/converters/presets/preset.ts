/** A preset reads the tables of one product without a mapping of columns. */

import type { ReadingBudget } from "../../reading_budget.ts";
import type { Converted, SourceItem } from "../converter.ts";
import type { DateForm } from "../dates.ts";
import type { ChosenUnits } from "../health/health_mapping.ts";
import type { PresetRow } from "./preset_row.ts";
import type { PresetTable } from "./preset_table.ts";
import type { TableHead } from "./table_head.ts";

/** A mapping with its defaults. */
export interface PresetMapping {
  readonly preset: string;
  /** The unit of numbers whose table states none. */
  readonly unit?: string;
  readonly metricType?: string;
  readonly title?: string;
  readonly timeZone: string;
  readonly dates: DateForm;
  /** Levels by word in lower case. */
  readonly moods: ReadonlyMap<string, number>;
  readonly units: ChosenUnits;
}

export interface PresetContext {
  /** As stored in origins. */
  readonly source: string;
  readonly mapping: PresetMapping;
  readonly budget: ReadingBudget;
  /** The tables of the archive that the preset only looks up. */
  readonly lookups: readonly PresetTable[];
}

export interface Preset {
  readonly name: string;
  /** True for a table of the product. */
  readonly knows: (head: TableHead) => boolean;
  /** True for a table without items that `convert` needs; default: none is. */
  readonly looksUp?: (head: TableHead) => boolean;
  /** The members of a mapping that it needs; default: none. */
  readonly requires?: readonly ("metricType" | "unit")[];
  readonly convert: (table: PresetTable, context: PresetContext) => AsyncGenerator<Converted>;
}

class RowRefusal extends Error {
  override readonly name = "RowRefusal";
  readonly rule: string;

  constructor(rule: string) {
    super(`The row breaks ${rule}`);
    this.rule = rule;
  }
}

/** Refuses the row that `itemsOf` reads, alone. */
export function refuseRow(rule: `csv.${"cells" | "date" | "number" | "unit"}`): never {
  throw new RowRefusal(rule);
}

interface RowPreset extends Pick<Preset, "name" | "knows"> {
  /** The target of a row that cannot be read. */
  readonly target: string;
  readonly convertRow: (row: PresetRow, context: PresetContext) => Items | Promise<Items>;
}

type Items = readonly SourceItem[];

/** A preset whose rows do not depend on each other. */
export function rowPreset({ name, knows, target, convertRow }: RowPreset): Preset {
  return {
    name,
    knows,
    async *convert(table, context) {
      for await (const row of table.rows()) {
        yield* itemsOf(row, target, () => convertRow(row, context));
      }
    },
  };
}

/** The items of a row, or its refusal. Columns that were not read are counted once. */
export async function* itemsOf(
  row: PresetRow,
  target: string,
  convertRow: () => Items | Promise<Items>,
): AsyncGenerator<Converted> {
  const { entry } = row;
  const items = await readRow(row, convertRow);
  if (typeof items === "string") {
    yield { kind: "item", item: { entry, members: { target }, refused: [items] } };
    return;
  }
  const left = row.unmapped;
  if (items.length === 0) yield* left.map((name): Converted => ({ kind: "unmapped", name }));
  for (const [index, item] of items.entries()) {
    const unmapped = [...item.unmapped ?? [], ...index === 0 ? left : []];
    yield { kind: "item", item: { ...item, entry, unmapped, futureRule: "import.date" } };
  }
}

/** The items, or the rule that refuses the row. */
async function readRow(
  row: PresetRow,
  convertRow: () => Items | Promise<Items>,
): Promise<Items | string> {
  try {
    return row.fault ?? await convertRow();
  } catch (error) {
    if (error instanceof RowRefusal) return error.rule;
    throw error;
  }
}
