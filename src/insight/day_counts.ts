/** How many records of a module lie on each day, or only within a longer unit of the calendar. */

import { type Caller, reachesModule } from "../access/identity.ts";
import type { CatalogModule } from "../catalog/module.ts";
import { addDays } from "../core/days.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { memoryRangeEnd } from "../families/memory/port.ts";
import {
  contactDay,
  type ContactTimeRow,
  findContactTimes,
} from "../families/relationship/port.ts";
import {
  type JoinedColumns,
  modulesWithin,
  type OwnTimeRow,
  ownTimes,
  payloadColumns,
  type PayloadRow,
  seesModule,
} from "../records/port.ts";
import { nearestMonth, UNITS } from "./calendar_units.ts";
import type { DayRange } from "./day_range.ts";
import { instantsOfDays, LocalDays } from "./local_days.ts";
import { type ExaminedRows, readPieces } from "./pieces.ts";

/** The precisions of a time that is on no day. */
export const LONG_PRECISIONS = ["MONTH", "SEASON", "YEAR", "DECADE"] as const;

type LongPrecision = (typeof LONG_PRECISIONS)[number];

const UNIT_OF = {
  MONTH: UNITS.month,
  SEASON: UNITS.season,
  YEAR: UNITS.year,
  DECADE: UNITS.decade,
} as const;

/** The modules whose records have a precision as their kind; by default it is exact. */
const WITH_PRECISION: readonly string[] = ["memory", "timeline"];

/** One count of days. */
export interface DayCount {
  readonly database: Database;
  readonly reader: Caller;
  readonly days: DayRange;
  readonly examined: ExaminedRows;
}

export interface RangeCount {
  readonly moduleCode: string;
  readonly precision: LongPrecision;
  /** A unit of the calendar, as days; half-open. */
  readonly from: string;
  readonly until: string;
  readonly count: number;
}

interface TimeRow extends OwnTimeRow, Partial<PayloadRow> {
  /** The end of the time range; only of memories. */
  readonly time_to?: Date | null;
}

/** Whether the days of a module's records are counted for a reader. */
export function countsDaysOf(module: CatalogModule, reader: Caller): boolean {
  if (module.code === "relationship") return seesContacts(reader);
  return module.code !== "routine" && seesModule(reader, module);
}

export function seesContacts(reader: Caller): boolean {
  return reader.permissions.has("relationship.ledger.read") &&
    reachesModule(reader, "relationship");
}

/** Returns the modules that may have a record on the days; `relationship` always stays. */
export async function modulesOnDays(
  { database, reader, days: { from, until } }: DayCount,
  modules: readonly CatalogModule[],
): Promise<readonly CatalogModule[]> {
  const range = {
    owner: reader.account.accountId,
    permissions: reader.permissions,
    moduleCodes: modules.map(({ code }) => code),
    ...instantsOfDays(from, until),
  };
  const rows = await database.read(async (sql) => await modulesWithin(sql, range));
  const found = new Set(rows.map(({ module_code }) => module_code));
  return modules.filter(({ code }) => code === "relationship" || found.has(code));
}

/**
 * Counts the records of a module on each day; for `relationship`, the contacts.
 *
 * @returns Counts by day. Days without a record are absent.
 * @throws ServiceError as {@linkcode readPieces}.
 */
export async function countDays(
  count: DayCount,
  { code }: CatalogModule,
): Promise<Map<string, number>> {
  const { from, until } = count.days;
  const counts = new Map<string, number>();
  const days = code === "relationship" ? contactDays(count) : recordDays(count, code);
  for await (const piece of days) {
    for (const day of piece) {
      if (day >= from && day < until) counts.set(day, (counts.get(day) ?? 0) + 1);
    }
  }
  return counts;
}

/** Reads the contacts that are not retracted, each with its day, which can be outside the range. */
export async function* readContactDays(
  { database, reader, days: { from, until, zone }, examined }: DayCount,
): AsyncGenerator<readonly { readonly personId: string; readonly day: string }[]> {
  const range = { owner: reader.account.accountId, ...instantsOfDays(from, until) };
  const days = new LocalDays(zone, from, until);
  const pieces = readPieces<ContactTimeRow>(
    database,
    examined,
    (sql, last, limit) => findContactTimes(sql, range, last, limit),
  );
  for await (const rows of pieces) {
    yield rows.filter(({ is_retracted }) => !is_retracted).map((row) => ({
      personId: row.person_id,
      day: contactDay(row, reader) ?? days.dayOf(row.contacted_at.getTime()),
    }));
  }
}

async function* contactDays(count: DayCount): AsyncGenerator<readonly string[]> {
  for await (const contacts of readContactDays(count)) yield contacts.map(({ day }) => day);
}

async function* recordDays(count: DayCount, code: string): AsyncGenerator<readonly string[]> {
  const { from, until, zone } = count.days;
  const days = new LocalDays(zone, from, until);
  const isOnADay = ({ kind }: TimeRow) =>
    !WITH_PRECISION.includes(code) || kind === null || kind === "EXACT" || kind === "DAY";
  for await (const rows of readTimes(count, code, from, until)) {
    yield rows.filter(isOnADay).map((row) => row.own_day ?? days.dayOf(middleOf(row)));
  }
}

function middleOf({ own_time, time_to }: TimeRow): number {
  const from = own_time.getTime();
  return Math.floor((from + (time_to?.getTime() ?? from)) / 2);
}

/**
 * Counts the records of a module that are on no day, by the units of the calendar that overlap the
 * days asked.
 *
 * @throws ServiceError as {@linkcode readPieces}.
 */
export async function countRanges(
  count: DayCount,
  { code }: CatalogModule,
): Promise<readonly RangeCount[]> {
  if (!WITH_PRECISION.includes(code)) return [];
  const found: RangeCount[] = [];
  for (const precision of LONG_PRECISIONS) {
    found.push(...await countUnits(count, code, precision));
  }
  return found;
}

async function countUnits(
  count: DayCount,
  moduleCode: string,
  precision: LongPrecision,
): Promise<RangeCount[]> {
  const { from, until, zone } = count.days;
  const { indexOf, startOf } = UNIT_OF[precision];
  const first = startOf(indexOf(from));
  const end = startOf(indexOf(addDays(until, -1)) + 1);
  const days = new LocalDays(zone, first, end);
  const counts = new Map<string, RangeCount>();
  for await (const rows of readTimes(count, moduleCode, first, end, precision)) {
    for (const row of rows) {
      // Without `startAt`, the own time of an event is its end.
      if (row.fields?.[0] === null) continue;
      const unit = rangeOf(row, UNIT_OF[precision], days);
      if (unit.from >= until || unit.until <= from) continue;
      const key = `${unit.from} ${unit.until}`;
      counts.set(key, { moduleCode, precision, ...unit, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  }
  return [...counts.values()];
}

/** The unit that a row's time means. */
function rangeOf(
  { own_time, own_day, time_to }: TimeRow,
  { indexOf, startOf }: (typeof UNIT_OF)[LongPrecision],
  days: LocalDays,
): Pick<RangeCount, "from" | "until"> {
  const from = own_time.getTime();
  if (time_to instanceof Date) {
    return { from: nearestMonth(from), until: nearestMonth(time_to.getTime()) };
  }
  const index = indexOf(own_day ?? days.dayOf(from));
  return { from: startOf(index), until: startOf(index + 1) };
}

/** Reads the records whose time may lie on one of the days. */
function readTimes(
  { database, reader, examined }: DayCount,
  moduleCode: string,
  from: string,
  until: string,
  kind?: LongPrecision,
): AsyncGenerator<readonly TimeRow[]> {
  const range = {
    owner: reader.account.accountId,
    permissions: reader.permissions,
    moduleCode,
    ...instantsOfDays(from, until),
    ...(kind !== undefined && { kind }),
  };
  const joined = (sql: Sql) => {
    if (moduleCode === "memory") return endOfRange(sql, range.owner);
    return kind === undefined ? null : payloadColumns(sql, range.owner, ["startAt"]);
  };
  return readPieces<TimeRow>(
    database,
    examined,
    (sql, last, limit) => ownTimes(sql, range, last, limit, joined(sql)),
  );
}

function endOfRange(sql: Sql, owner: string): JoinedColumns {
  return {
    columns: sql`joined.time_to`,
    row: (recordId) => memoryRangeEnd(sql, owner, recordId),
  };
}
