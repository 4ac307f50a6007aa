/** Health records of presets. */

import { readNumber } from "../csv_number.ts";
import type { SourceItem } from "../converter.ts";
import { fitTitle } from "../../fit_members.ts";
import { healthMembers, writtenNote } from "../health/health_record.ts";
import { rounded } from "../health/health_units.ts";
import { type PresetMapping, refuseRow } from "./preset.ts";
import type { RowTime } from "./preset_times.ts";
import { METRIC_TITLES, storedValue } from "./preset_units.ts";

export interface Measurement {
  readonly metricType: string;
  readonly value: number;
  readonly unit: string;
  readonly time: RowTime;
  /** Default: that of the metric. */
  readonly title?: string;
  /** Default: metric and time. */
  readonly key?: string;
  /** The value in the words of the table, if it is computed from them. */
  readonly written?: string;
  readonly notes?: string;
  /** Default: `IMPORTED`. */
  readonly quality?: "SELF_REPORTED";
}

export function healthItem(
  { metricType, time, ...measured }: Measurement,
  { units }: Pick<PresetMapping, "units">,
): SourceItem {
  const { title = titleOf(metricType), notes = "" } = measured;
  const { value, unit, isComputed } = storedValue(metricType, measured, units);
  const { written = isComputed ? `${measured.value} ${measured.unit}` : null } = measured;
  const members = healthMembers({
    key: measured.key ?? `${metricType}:${time.key}`,
    title: fitTitle(title).title,
    metricType,
    value,
    unit,
    measuredAt: time.text,
    quality: measured.quality,
    notes: [writtenNote(written), notes],
  });
  return { members };
}

/** `Mood` for `MOOD`. */
export function titleOf(metricType: string): string {
  const words = metricType.replaceAll("_", " ").toLowerCase();
  return METRIC_TITLES.get(metricType) ?? words.replace(/^./, (first) => first.toUpperCase());
}

/**
 * A number that may have groups of three digits after commas.
 *
 * @throws RowRefusal `csv.number`, or `csv.unit` for a number with a unit.
 */
export function requireNumber(text: string): number {
  const { value, unit } = readNumber(text, ".") ?? refuseRow("csv.number");
  return unit === undefined ? value : refuseRow("csv.unit");
}

interface Sleep {
  readonly value: number;
  /** Seconds in the unit. */
  readonly seconds: number;
  /** The value in the words of the table. */
  readonly written: string;
  readonly time: RowTime;
  readonly notes?: string;
}

/** A duration of sleep in hours. */
export function sleepItem(
  { value, seconds, ...sleep }: Sleep,
  mapping: Pick<PresetMapping, "units">,
): SourceItem {
  const hours = rounded(value * seconds / 3600);
  return healthItem({ metricType: "SLEEP_DURATION", value: hours, unit: "h", ...sleep }, mapping);
}
