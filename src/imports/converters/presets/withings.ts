/** `withings`: weights, blood pressure and sleep of Withings, each in a table of its own. */

import type { SourceItem } from "../converter.ts";
import { healthItem, requireNumber, sleepItem } from "./measurement.ts";
import { type Preset, type PresetContext, rowPreset } from "./preset.ts";
import type { PresetRow } from "./preset_row.ts";
import { requireTime } from "./preset_times.ts";
import type { TableHead } from "./table_head.ts";

export const WITHINGS: Preset = rowPreset({
  name: "withings",
  knows: (head) => isSleep(head) || isPressure(head) || isWeight(head),
  target: "health",
  convertRow(row, context) {
    const { head } = row;
    if (isSleep(head)) return sleepOf(row, context);
    return isPressure(head) ? pressureOf(row, context) : weightsOf(row, context);
  },
});

const WEIGHTS = ["Weight (kg)", "Weight (lb)", "Weight (st)"];
/** The parts of a sleep in which one is asleep. */
const ASLEEP = ["light (s)", "deep (s)", "rem (s)"];

function isWeight(head: TableHead): boolean {
  return head.has("Date") && WEIGHTS.some((name) => head.has(name));
}

function isPressure(head: TableHead): boolean {
  return head.has("Date", "Systolic", "Diastolic");
}

function isSleep(head: TableHead): boolean {
  return head.has("from", "to", "light (s)");
}

/** A name of a column with its unit: `Fat mass (kg)`. */
const WITH_UNIT = /^([^()]+) \(([^()]+)\)$/;

function weightsOf(row: PresetRow, { mapping }: PresetContext): readonly SourceItem[] {
  const time = requireTime(row.text("Date"), mapping);
  const notes = row.text("Comments");
  return row.filledLabels.flatMap((label) => {
    const [, name = "", unit] = WITH_UNIT.exec(label) ?? [];
    if (unit === undefined) return [];
    const value = requireNumber(row.text(label));
    if (name.toLowerCase() === "weight") {
      return [healthItem({ metricType: "WEIGHT", value, unit, time, notes }, mapping)];
    }
    const key = `CUSTOM:${name}:${time.key}`;
    return [healthItem({ metricType: "CUSTOM", title: name, value, unit, time, key }, mapping)];
  });
}

const PRESSURES = [
  ["Systolic", "BLOOD_PRESSURE_SYSTOLIC", "mmHg"],
  ["Diastolic", "BLOOD_PRESSURE_DIASTOLIC", "mmHg"],
  ["Heart rate", "HEART_RATE", "bpm"],
] as const;

function pressureOf(row: PresetRow, { mapping }: PresetContext): readonly SourceItem[] {
  const time = requireTime(row.text("Date"), mapping);
  const notes = row.text("Comments");
  return PRESSURES.flatMap(([name, metricType, unit]) => {
    const cell = row.text(name);
    if (cell === "") return [];
    return [healthItem({ metricType, value: requireNumber(cell), unit, time, notes }, mapping)];
  });
}

function sleepOf(row: PresetRow, { mapping }: PresetContext): readonly SourceItem[] {
  const parts = ASLEEP.map((name) => row.text(name)).filter((cell) => cell !== "");
  row.ignore("from");
  const time = requireTime(row.text("to"), mapping);
  if (parts.length === 0) return [];
  const value = parts.map(requireNumber).reduce((sum, each) => sum + each, 0);
  return [sleepItem({ value, seconds: 1, written: `${value} s`, time }, mapping)];
}
