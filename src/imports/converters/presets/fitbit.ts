/** `fitbit`: an export of Fitbit, whose sections stand after each other in one table. */

import type { Converted, SourceItem } from "../converter.ts";
import type { CsvRow } from "../csv_rows.ts";
import { healthItem, requireNumber, sleepItem } from "./measurement.ts";
import { itemsOf, type Preset, type PresetContext } from "./preset.ts";
import { PresetRow } from "./preset_row.ts";
import { requireTime } from "./preset_times.ts";
import { rowHead, type TableHead } from "./table_head.ts";

interface Section {
  /** Columns of its header. */
  readonly columns: readonly string[];
  readonly convertRow: (row: PresetRow, context: PresetContext) => readonly SourceItem[];
}

const SECTIONS: Readonly<Record<string, Section>> = {
  Body: { columns: ["Date", "Weight", "BMI", "Fat"], convertRow: weightOf },
  Activities: { columns: ["Date", "Steps"], convertRow: stepsOf },
  Sleep: { columns: ["Start Time", "Minutes Asleep"], convertRow: sleepOf },
};
/** The line before each section. The day follows that of a log, whose own lines name meals. */
const SECTION_NAME = /^(?:Body|Foods?|Activities|Sleep|(Food Log) \d+)$/;
const LOG = "Food Log";
const OTHER_NAME = /^[A-Z][A-Za-z ]*$/;
/** A value that was not measured. */
const NONE: readonly string[] = ["", "N/A"];

export const FITBIT: Preset = {
  name: "fitbit",
  knows: ({ rows, delimiter }) =>
    rows.some((row, index) => {
      const section = SECTIONS[sectionOf(row, LOG) ?? ""];
      const header = rows[index + 1];
      return section !== undefined && header !== undefined &&
        rowHead(header, delimiter).has(...section.columns);
    }),
  async *convert(table, context) {
    const { entry, head: { delimiter } } = table;
    let name = "other";
    let head: TableHead | null = null;
    for await (const row of table.plainRows()) {
      const next = sectionOf(row, name);
      if (next !== null) [name, head] = [next, null];
      else if (head === null) head = rowHead(row, delimiter);
      else yield* sectionItems(name, new PresetRow(row, head, entry), context);
    }
  },
};

/** The name of the section that a row begins after another one; null for any other row. */
function sectionOf(
  { cells: [first = "", ...others] }: CsvRow,
  section: string,
): string | null {
  if (others.some((cell) => cell.trim() !== "")) return null;
  const [name, log] = SECTION_NAME.exec(first.trim()) ?? [];
  const other = section === LOG ? null : OTHER_NAME.exec(first.trim());
  return log ?? name ?? other?.[0] ?? null;
}

async function* sectionItems(
  name: string,
  row: PresetRow,
  context: PresetContext,
): AsyncGenerator<Converted> {
  const section = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
  row.ignoreValues(NONE);
  if (section === undefined || !row.head.has(...section.columns)) {
    yield { kind: "unmapped", name: `fitbit.${name}` };
  } else yield* itemsOf(row, "health", () => section.convertRow(row, context));
}

function weightOf(row: PresetRow, { mapping }: PresetContext): readonly SourceItem[] {
  const cell = row.text("Weight");
  const time = requireTime(row.text("Date"), mapping);
  if (NONE.includes(cell)) return [];
  const measured = { metricType: "WEIGHT", value: requireNumber(cell), time };
  return [healthItem({ ...measured, unit: mapping.unit ?? "kg" }, mapping)];
}

function stepsOf(row: PresetRow, { mapping }: PresetContext): readonly SourceItem[] {
  const cell = row.text("Steps");
  const time = requireTime(row.text("Date"), mapping);
  if (NONE.includes(cell)) return [];
  const measured = { metricType: "STEPS", value: requireNumber(cell), unit: "steps", time };
  return [healthItem(measured, mapping)];
}

function sleepOf(row: PresetRow, { mapping }: PresetContext): readonly SourceItem[] {
  const cell = row.text("Minutes Asleep");
  row.ignore("Start Time");
  const time = requireTime(row.firstText("End Time", "Start Time"), mapping);
  if (NONE.includes(cell)) return [];
  const value = requireNumber(cell);
  return [sleepItem({ value, seconds: 60, written: `${value} min`, time }, mapping)];
}
