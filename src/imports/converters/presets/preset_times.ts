/** Times in the rows of presets. */

import { type DateForm, inUtc, readDated } from "../dates.ts";
import { type PresetMapping, refuseRow } from "./preset.ts";

type Clock = Pick<PresetMapping, "dates" | "timeZone">;

export interface RowTime {
  /** The time as its clock shows it; of a day its noon. */
  readonly text: string;
  readonly isDay: boolean;
  /** `YYYY-MM-DD`, of a time also `THH:MM:SS`, as written: the zone of a mapping may change. */
  readonly key: string;
}

/** @throws RowRefusal `csv.date` */
export function requireTime(text: string, { dates, timeZone }: Clock): RowTime {
  return readTime(text, dates, timeZone) ?? refuseRow("csv.date");
}

function readTime(text: string, dates: DateForm, timeZone: string): RowTime | null {
  const local = readDated(text, dates, "+00:00");
  if (local === null) return null;
  const { isDay } = local;
  const key = local.text.slice(0, isDay ? 10 : 19);
  const written = isDay
    ? readDated(`${key} 12:00`, "ISO", timeZone)
    : readDated(text, dates, timeZone);
  return written === null ? null : { text: written.text, isDay, key };
}

interface CreationTime {
  /** In UTC; null if it is not known. */
  readonly recordedAt: string | null;
  readonly rules: readonly string[];
}

/** The time at which a row was created. One that cannot be read is left out. */
export function creationTime(text: string, { dates, timeZone }: Clock): CreationTime {
  if (text === "") return { recordedAt: null, rules: [] };
  const written = readDated(text, dates, timeZone);
  if (written === null) return { recordedAt: null, rules: ["import.date"] };
  return { recordedAt: inUtc(written.text), rules: [] };
}
