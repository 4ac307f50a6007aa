/** `loop`: the check marks of Loop Habit Tracker, a column a habit. */

import { sha256Hex } from "../../../core/digest.ts";
import { entryBytes } from "../../reading_budget.ts";
import { cleanLine } from "../apps/clean_text.ts";
import type { Converted, SourceItem } from "../converter.ts";
import { healthItem } from "./measurement.ts";
import { itemsOf, type Preset, type PresetContext, refuseRow } from "./preset.ts";
import type { PresetRow } from "./preset_row.ts";
import { requireTime, type RowTime } from "./preset_times.ts";
import type { TableHead } from "./table_head.ts";

/** Words of cells by the values that releases before 2.3.1 wrote instead. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["-1", "UNKNOWN"],
  ["0", "NO"],
  ["1", "YES_AUTO"],
  ["2", "YES_MANUAL"],
  ["3", "SKIP"],
]);
const CELL = /^(?:YES_MANUAL|YES_AUTO|NO|SKIP|UNKNOWN|-1|\d+)$/;
/** A number of a habit has three decimals, without their mark. */
const SCALE = 1000;
const UNIT = "times";

export const LOOP: Preset = {
  name: "loop",
  knows,
  looksUp: (head) => head.has("Position", "Name", "Question", "Unit"),
  async *convert(table, context) {
    const units = await unitsOf(context);
    for await (const row of table.rows()) {
      const words = new Map<string, number>();
      yield* itemsOf(row, "health", () => cellItems(row, { context, units, words }));
      for (const [name, count] of words) {
        yield { kind: "unmapped", name, count } satisfies Converted;
      }
    }
  },
};

/** A name of a habit is not quoted: one with a comma would shift the cells after it. */
function knows(head: TableHead): boolean {
  const { labels, hasEmptyEnd, firstRows } = head;
  if (labels.length < 2 || head.indexOf("Date") !== 0 || !hasEmptyEnd) return false;
  const cells = firstRows.flatMap((row) => row.cells.slice(1, labels.length));
  return cells.length > 0 && cells.every((cell) => CELL.test(cell.trim()));
}

/** The units of habits by their names. */
async function unitsOf({ lookups, budget }: PresetContext): Promise<ReadonlyMap<string, string>> {
  const units = new Map<string, string>();
  for (const table of lookups) {
    for await (const row of table.rows()) {
      await budget.turn(0);
      const [name, unit] = [row.text("Name"), row.text("Unit")];
      budget.hold(entryBytes(name + unit), 0);
      units.set(name, unit);
    }
  }
  return units;
}

interface CellContext {
  readonly context: PresetContext;
  readonly units: ReadonlyMap<string, string>;
  /** Counts words that are not a value. */
  readonly words: Map<string, number>;
}

function cellItems(row: PresetRow, { context, units, words }: CellContext): readonly SourceItem[] {
  const { mapping } = context;
  const [date = "", ...habits] = row.head.labels;
  const time = requireTime(row.text(date), mapping);
  const cells = habits.map((habit) => [habit, wordOf(row.text(habit))] as const);
  return cells.flatMap(([habit, word]) => {
    const isNumber = /^\d+$/.test(word);
    if (!isNumber && word !== "YES_MANUAL") {
      words.set(word, (words.get(word) ?? 0) + 1);
      return [];
    }
    const unit = isNumber ? units.get(habit) || mapping.unit || UNIT : UNIT;
    const value = isNumber ? Number(word) / SCALE : 1;
    return [habitItem(habit, value, unit, time, context)];
  });
}

/** The word or number of a cell. */
function wordOf(cell: string): string {
  return CELL.test(cell) ? WORDS.get(cell) ?? cell : refuseRow("csv.number");
}

function habitItem(
  habit: string,
  value: number,
  unit: string,
  time: RowTime,
  { mapping }: PresetContext,
): SourceItem {
  const key = `${time.key}:${sha256Hex(habit).slice(0, 16)}`;
  const title = cleanLine(habit);
  return healthItem({ metricType: "CUSTOM", title, value, unit, time, key }, mapping);
}
