/** Completions of routines, which follow from the revisions that change `lastCompletedAt`. */

import type { Database } from "../database/database.ts";
import {
  MAX_LATER_REVISIONS,
  type TimeHistory,
  timeHistory,
  type TimeRevision,
} from "../records/port.ts";
import type { ExaminedRows } from "./pieces.ts";

export interface Completion {
  /** In UTC. */
  readonly time: string;
  readonly clock: string | null;
}

/** The completions of a routine. */
export interface CompletionList {
  /** In the order of their times. */
  readonly completions: readonly Completion[];
  /** False if the routine has revisions that were not read. */
  readonly isComplete: boolean;
}

/** Their revisions are at most 5,000 rows. */
const ROUTINES_PER_PIECE = 12;

/**
 * Reads the completions of routines from their revisions since an instant.
 *
 * @returns Lists by the identifiers of the routines.
 * @throws ServiceError `PAYLOAD_INVALID` as `ExaminedRows`.
 */
export async function readCompletions(
  database: Database,
  examined: ExaminedRows,
  { recordIds, ...history }: Omit<TimeHistory, "field">,
): Promise<ReadonlyMap<string, CompletionList>> {
  const lists = new Map<string, CompletionList>();
  for (let first = 0; first < recordIds.length; first += ROUTINES_PER_PIECE) {
    const ids = recordIds.slice(first, first + ROUTINES_PER_PIECE);
    const rows = await database.read(async (sql) =>
      await timeHistory(sql, { ...history, recordIds: ids, field: "lastCompletedAt" })
    );
    examined.add(rows.length);
    for (const [id, revisions] of Map.groupBy(rows, ({ record_id }) => record_id)) {
      lists.set(id, {
        completions: completionsOf(revisions),
        isComplete: (revisions[0]?.later ?? 0) <= MAX_LATER_REVISIONS,
      });
    }
  }
  return lists;
}

/**
 * Returns the values that are left of a stack. A value is added, and first takes back all values
 * after it; a removal takes back the newest. So a completion and its undo leave nothing.
 *
 * @param revisions Oldest first.
 */
export function completionsOf(
  revisions: readonly Pick<TimeRevision, "time" | "clock">[],
): readonly Completion[] {
  const stack: Completion[] = [];
  let last: string | null = null;
  for (const { time, clock } of revisions) {
    if (time === last) continue;
    last = time;
    if (time === null) {
      stack.pop();
      continue;
    }
    while (stack.length > 0 && newest(stack) > time) stack.pop();
    if (newest(stack) !== time) stack.push({ time, clock });
  }
  return stack;
}

/** Empty without a value, which is before all others. */
function newest(stack: readonly Completion[]): string {
  return stack.at(-1)?.time ?? "";
}
