/** Health records of all formats. */

import type { JsonObject } from "../../../core/json.ts";

interface HealthRecord {
  readonly key: string;
  readonly title: string;
  readonly metricType: string;
  readonly value: number;
  readonly unit: string;
  /** As its clock shows it. */
  readonly measuredAt: string;
  /** Default: `IMPORTED`. */
  readonly quality?: "IMPORTED" | "SELF_REPORTED" | undefined;
  /** Null without one. */
  readonly device?: string | null;
  /** Lines; empty ones are left out. */
  readonly notes?: readonly string[];
}

/** The members of an item. */
export function healthMembers(
  { key, title, quality = "IMPORTED", device = null, notes = [], ...measured }: HealthRecord,
): JsonObject {
  const text = notes.filter((line) => line !== "").join("\n");
  const payload = {
    ...measured,
    quality,
    ...(device !== null && { sourceDevice: device }),
    ...(text !== "" && { notes: text }),
  };
  return { key, target: "health", title, payload };
}

/** A line with the number and unit in the file; empty for a value that was not converted. */
export function writtenNote(asWritten: string | null): string {
  return asWritten === null ? "" : `As written: ${asWritten}`;
}
