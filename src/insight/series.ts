import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import {
  type OwnTimeRange,
  type OwnTimeRow,
  ownTimes,
  payloadColumns,
  type PayloadRow,
} from "../records/port.ts";
import { compareCodePoints } from "../validate/text.ts";
import { UNITS } from "./calendar_units.ts";
import { instantsOfDays, LocalDays } from "./local_days.ts";
import { ExaminedRows, readPieces } from "./pieces.ts";
import type { SeriesQuery } from "./series_query.ts";
import { Sample, type Statistics } from "./statistics.ts";

/** The numbers are null if the series counts the records alone. */
export type Point = { readonly [Name in keyof Statistics]: number | null } & {
  /** The first day of the unit. */
  readonly start: string;
  readonly count: number;
};

interface UnitCount {
  readonly unit: string;
  readonly count: number;
}

export interface SeriesPoints {
  /** The unit of the values; null without a measure or a record. */
  readonly unit: string | null;
  /** The units that are left out, the most frequent first, at most ten. */
  readonly otherUnits: readonly UnitCount[];
  /** In order; those without a record are absent. */
  readonly points: readonly Point[];
}

type Reader = Pick<OwnTimeRange, "owner" | "permissions">;

/** Without `fields` if nothing of the payload is needed. */
type ValueRow = OwnTimeRow & Partial<PayloadRow>;

/** Samples by the number of their calendar unit. */
type Buckets = Map<number, Sample>;

const MAX_OTHER_UNITS = 10;

const NO_NUMBERS = { sum: null, minimum: null, median: null, maximum: null, mean: null };

/** @throws ServiceError as {@linkcode readPieces}. */
export async function readSeries(
  database: Database,
  reader: Reader,
  query: SeriesQuery,
): Promise<SeriesPoints> {
  const { field } = query;
  const byUnit = await collect(database, reader, query);
  const [first, ...others] = [...byUnit].map(([unit, buckets]) => ({
    unit,
    buckets,
    count: buckets.values().reduce((sum, { count }) => sum + count, 0),
  })).sort((one, other) => other.count - one.count || compareCodePoints(one.unit, other.unit));
  const isMeasure = field !== null && field === query.module.measure?.field;
  return {
    unit: isMeasure ? first?.unit ?? null : null,
    otherUnits: others.slice(0, MAX_OTHER_UNITS).map(({ unit, count }) => ({ unit, count })),
    points: pointsOf(first?.buckets ?? new Map(), query),
  };
}

/** Collects the values by the unit of their measure; without a measure the unit is empty. */
async function collect(
  database: Database,
  reader: Reader,
  query: SeriesQuery,
): Promise<Map<string, Buckets>> {
  const { field, from, until, zone, by } = query;
  const days = new LocalDays(zone, from, until);
  const byUnit = new Map<string, Buckets>();
  for await (const rows of readRows(database, reader, query)) {
    for (const row of rows) {
      const day = row.own_day ?? days.dayOf(row.own_time.getTime());
      const value = countedValue(row, field);
      if (value === null || day < from || day >= until) continue;
      const buckets = byUnit.getOrInsertComputed(unitOf(row), () => new Map());
      buckets.getOrInsertComputed(UNITS[by].indexOf(day), () => new Sample()).add(value);
    }
  }
  return byUnit;
}

/** Reads the rows whose time may lie within, with the value and its unit if there is a field. */
function readRows(
  database: Database,
  reader: Reader,
  { module: { code, measure }, field, filters, from, until }: SeriesQuery,
): AsyncGenerator<readonly ValueRow[]> {
  const kind = filters.find((filter) => filter.field === measure?.kind)?.value;
  const others = filters.filter((filter) => filter.field !== measure?.kind);
  const fields = field === null ? [] : field === measure?.field ? [field, measure.unit] : [field];
  const range = {
    ...reader,
    ...instantsOfDays(from, until),
    moduleCode: code,
    ...(kind !== undefined && { kind }),
  };
  const joined = (sql: Sql) =>
    fields.length + others.length === 0 ? null : payloadColumns(sql, reader.owner, fields, others);
  return readPieces<ValueRow>(
    database,
    new ExaminedRows(),
    (sql, last, limit) => ownTimes(sql, range, last, limit, joined(sql)),
  );
}

/** The field's value, or 0 without a field; null if the record does not count. */
function countedValue({ fields }: ValueRow, field: string | null): number | null {
  if (field === null) return fields === null ? null : 0;
  const value = fields?.[0];
  return typeof value === "number" ? value : null;
}

function unitOf({ fields }: ValueRow): string {
  const unit = fields?.[1];
  return typeof unit === "string" ? unit : "";
}

function pointsOf(buckets: Buckets, { by, field }: SeriesQuery): Point[] {
  return [...buckets].sort(([one], [other]) => one - other).map(([index, sample]) => ({
    start: UNITS[by].startOf(index),
    count: sample.count,
    ...(field === null ? NO_NUMBERS : sample.statistics()),
  }));
}
