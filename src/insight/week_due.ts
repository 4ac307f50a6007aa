/** Commitments and actions that are due in a week, by their results. */

import { seesModule } from "../records/port.ts";
import { parseClocks } from "../validate/local_time.ts";
import { ownDay } from "./local_days.ts";
import { readWeekRecords, type WeekCount, type WeekRecord } from "./week_records.ts";

/** In the order of the answer. */
export const DUE_STATES = [
  /** Completed on the day or before. */
  "met",
  "late",
  /** Completed at an unknown time. */
  "untimed",
  /** Open, and the time is past. */
  "missed",
  /** Open, and the time is still ahead. */
  "ahead",
  "broken",
  "dropped",
] as const;

type DueState = (typeof DUE_STATES)[number];

export type DueCount = { readonly moduleCode: string } & Readonly<Record<DueState, number>>;

/** The due time of each module, the status, and the time of completion, which actions lack. */
const DUE_FIELDS = {
  commitment: ["dueAt", "completionStatus", "completedAt"],
  action: ["targetDate", "actionStatus", "completedAt"],
} as const;

const ENDED: Readonly<Partial<Record<string, DueState>>> = {
  BROKEN: "broken",
  CANCELLED: "dropped",
  ON_HOLD: "dropped",
  ABANDONED: "dropped",
};

/**
 * Returns the counts of those modules that the reader sees, or null if there are none.
 *
 * @throws ServiceError as `readPieces`.
 */
export async function countDue(count: WeekCount): Promise<readonly DueCount[] | null> {
  const counts: DueCount[] = [];
  for (const [moduleCode, fields] of Object.entries(DUE_FIELDS)) {
    const module = count.catalog.module(moduleCode);
    if (module === undefined || !seesModule(count.reader, module)) continue;
    const states = Object.fromEntries(DUE_STATES.map((state) => [state, 0]));
    for await (const records of readWeekRecords(count, moduleCode, fields)) {
      for (const record of records) {
        const state = stateOf(record, count);
        if (state !== null) states[state] = (states[state] ?? 0) + 1;
      }
    }
    counts.push({ moduleCode, ...states as Record<DueState, number> });
  }
  return counts.length === 0 ? null : counts;
}

/** Returns null for a record without a due time. */
function stateOf(
  { day, fields: [due, status, completed], clocks }: WeekRecord,
  { now, days: { zone } }: WeekCount,
): DueState | null {
  if (typeof due !== "string") return null;
  if (status === "COMPLETED") {
    if (typeof completed !== "string") return "untimed";
    const clock = parseClocks(clocks).completedAt ?? null;
    return ownDay(zone, Date.parse(completed), clock) <= day ? "met" : "late";
  }
  return ENDED[String(status)] ?? (Date.parse(due) < now.getTime() ? "missed" : "ahead");
}
