/** `garmin`: weights and nights of Garmin Connect. */

import type { Converted, SourceItem } from "../converter.ts";
import { readNumber } from "../csv_number.ts";
import { healthItem, requireNumber, sleepItem } from "./measurement.ts";
import { itemsOf, type Preset, type PresetContext, refuseRow } from "./preset.ts";
import type { PresetRow } from "./preset_row.ts";
import type { PresetTable } from "./preset_table.ts";
import { requireTime } from "./preset_times.ts";

/** Names the days of a table of nights. */
const NIGHT = "Sleep Score 4 Weeks";
/** Values that were not measured. */
const NONE: readonly string[] = ["", "--", "–"];

export const GARMIN: Preset = {
  name: "garmin",
  knows: (head) => head.has("Time", "Weight", "Body Fat") || head.has(NIGHT, "Duration"),
  convert: (table, context) =>
    table.head.has(NIGHT) ? convertNights(table, context) : convertWeights(table, context),
};

async function* convertNights(
  table: PresetTable,
  context: PresetContext,
): AsyncGenerator<Converted> {
  for await (const row of table.rows()) {
    yield* itemsOf(row, "health", () => nightOf(row, context));
  }
}

/** The times of weights follow a row that has only their day. */
async function* convertWeights(
  table: PresetTable,
  context: PresetContext,
): AsyncGenerator<Converted> {
  let day = "";
  for await (const row of table.rows()) {
    if (row.fault === null && row.isFirstAlone) day = dayOf(row.text("Time"));
    else yield* itemsOf(row, "health", () => weightOf(row, day, context));
  }
}

/** `Oct 26 2022` for `2022 Oct 26`, the form of some countries. */
function dayOf(text: string): string {
  return text.replace(/^(\d{4}) (\p{L}+\.? \d{1,2})$/u, "$2 $1");
}

function weightOf(row: PresetRow, day: string, { mapping }: PresetContext): readonly SourceItem[] {
  row.ignoreValues(NONE);
  const cell = row.text("Weight");
  const time = requireTime(`${day} ${row.text("Time")}`, mapping);
  if (NONE.includes(cell)) return [];
  const { value, unit = refuseRow("csv.unit") } = readNumber(cell, ".") ?? refuseRow("csv.number");
  return [healthItem({ metricType: "WEIGHT", value, unit, time }, mapping)];
}

function nightOf(row: PresetRow, { mapping }: PresetContext): readonly SourceItem[] {
  row.ignoreValues(NONE);
  const time = requireTime(row.text(NIGHT), mapping);
  const [duration, rate] = [row.text("Duration"), row.text("Resting Heart Rate")];
  const items: SourceItem[] = [];
  if (!NONE.includes(duration)) {
    const value = minutesOf(duration);
    items.push(sleepItem({ value, seconds: 60, written: duration, time }, mapping));
  }
  if (!NONE.includes(rate)) {
    const measured = { metricType: "RESTING_HEART_RATE", value: requireNumber(rate), time };
    items.push(healthItem({ ...measured, unit: "bpm" }, mapping));
  }
  return items;
}

/** The minutes of `7h 55min`. */
function minutesOf(duration: string): number {
  const [whole, hours = "0", minutes = "0"] = /^(?:(\d+)h)? ?(?:(\d+)min)?$/.exec(duration) ?? [];
  if (whole === undefined) refuseRow("csv.number");
  return Number(hours) * 60 + Number(minutes);
}
