/** Health records of single values, days and nights. */

import { sha256Hex } from "../../../core/digest.ts";
import { formatTimestamp } from "../../../validate/timestamp.ts";
import type { SourceItem } from "../converter.ts";
import type { DayTotals } from "./health_days.ts";
import { healthMembers, writtenNote } from "./health_record.ts";
import { rounded } from "./health_units.ts";
import type { HealthValue } from "./health_values.ts";
import { dayText, noonOf, timeText } from "./health_zones.ts";

/** Hex digits of a source's digest in a key. */
const SOURCE_DIGITS = 8;
const HOUR_MS = 3_600_000;

/** @param zone The zone of the value. */
export function valueItem(value: HealthValue, zone: string): SourceItem {
  const { kind, title, source, start, unit, device, asWritten } = value;
  const number = asWritten === null && kind.dayRule !== "night"
    ? value.value
    : rounded(value.value);
  const instant = formatTimestamp(start).replace(".000Z", "Z");
  const members = healthMembers({
    key: `${kind.key}:${instant}:${sha256Hex(source).slice(0, SOURCE_DIGITS)}`,
    metricType: kind.metricType,
    title,
    value: number,
    unit,
    measuredAt: timeText(zone, start),
    device,
    notes: [...value.notes, writtenNote(asWritten)],
  });
  return { members };
}

export function dayItem(day: number, totals: DayTotals): SourceItem {
  const { kind, unit, device, zone, lastEnd } = totals;
  const isNight = kind.dayRule === "night";
  const members = healthMembers({
    key: `${kind.key}:${dayText(day)}`,
    metricType: kind.metricType,
    title: kind.title,
    ...summary(totals),
    unit,
    // A day that has not ended yet would be measured in the future.
    measuredAt: timeText(zone, isNight ? lastEnd : Math.min(lastEnd, noonOf(zone, day))),
    device,
  });
  return { members };
}

interface Summary {
  readonly value: number;
  readonly notes: readonly string[];
}

function summary(totals: DayTotals): Summary {
  const { kind, sum, count, least, greatest, last, lastWritten, isConverted } = totals;
  switch (kind.dayRule) {
    case "sum":
      return { value: rounded(sum), notes: [] };
    case "night":
      return { value: rounded(totals.asleep / HOUR_MS), notes: [] };
    case "last": {
      const value = lastWritten === null ? last : rounded(last);
      return { value, notes: [writtenNote(lastWritten)] };
    }
    case "mean": {
      const shown = (value: number) => isConverted ? rounded(value) : value;
      const notes = [
        `Least: ${shown(least)}`,
        `Greatest: ${shown(greatest)}`,
        `Values: ${count}`,
      ];
      return { value: rounded(sum / count), notes };
    }
  }
}
