/** Records whose own time is on one of the days of a week. */

import type { Catalog } from "../catalog/catalog.ts";
import type { JsonValue } from "../core/json.ts";
import { type OwnTimeRow, ownTimes, payloadColumns, type PayloadRow } from "../records/port.ts";
import type { DayCount } from "./day_counts.ts";
import { instantsOfDays, LocalDays } from "./local_days.ts";
import { readPieces } from "./pieces.ts";

export interface WeekCount extends DayCount {
  readonly catalog: Catalog;
  readonly now: Date;
}

export interface WeekRecord {
  /** The local day of the own time. */
  readonly day: string;
  /** As they were asked; null for absent ones. */
  readonly fields: readonly JsonValue[];
  /** JSON text of `Clocks`; null without any. */
  readonly clocks: string | null;
}

/** @throws ServiceError as `readPieces`. */
export async function* readWeekRecords(
  { database, reader, days: { from, until, zone }, examined }: WeekCount,
  moduleCode: string,
  fields: readonly string[],
): AsyncGenerator<readonly WeekRecord[]> {
  const { permissions, account: { accountId: owner } } = reader;
  const range = { owner, permissions, moduleCode, ...instantsOfDays(from, until) };
  const days = new LocalDays(zone, from, until);
  const pieces = readPieces<OwnTimeRow & PayloadRow>(
    database,
    examined,
    (sql, last, limit) => ownTimes(sql, range, last, limit, payloadColumns(sql, owner, fields)),
  );
  for await (const rows of pieces) {
    yield rows.map(({ own_time, own_day, fields, clocks }) => ({
      day: own_day ?? days.dayOf(own_time.getTime()),
      fields: fields ?? [],
      clocks,
    })).filter(({ day }) => day >= from && day < until);
  }
}
