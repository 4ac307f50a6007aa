import type { Database } from "../database/database.ts";
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

/** Samples by the number of their calendar unit. */
type Buckets = Map<number, Sample>;

const MAX_OTHER_UNITS = 10;

const NO_NUMBERS = { sum: null, minimum: null, median: null, maximum: null, mean: null };

/** @throws ServiceError as {@linkcode readPieces}. */
export async function readSeries(
  database: Database,
  reader: Pick<OwnTimeRange, "owner" | "permissions">,
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
  reader: Pick<OwnTimeRange, "owner" | "permissions">,
  query: SeriesQuery,
): Promise<Map<string, Buckets>> {
  const { module: { code, measure }, field, filters, from, until, zone, by } = query;
  const kind = filters.find((filter) => filter.field === measure?.kind)?.value;
  const range = {
    ...reader,
    ...instantsOfDays(from, until),
    moduleCode: code,
    ...(kind !== undefined && { kind }),
  };
  const others = filters.filter((filter) => filter.field !== measure?.kind);
  const fields = field === null ? [] : field === measure?.field ? [field, measure.unit] : [field];
  const isJoined = fields.length > 0 || others.length > 0;
  const days = new LocalDays(zone, from, until);
  const byUnit = new Map<string, Buckets>();
  const pieces = readPieces<OwnTimeRow & Partial<PayloadRow>>(
    database,
    new ExaminedRows(),
    (sql, last, limit) =>
      ownTimes(
        sql,
        range,
        last,
        limit,
        isJoined ? payloadColumns(sql, reader.owner, fields, others) : null,
      ),
  );
  for await (const rows of pieces) {
    for (const { fields, own_day, own_time } of rows) {
      const [value, unit] = fields ?? [];
      if (fields === null || (field !== null && typeof value !== "number")) continue;
      const day = own_day ?? days.dayOf(own_time.getTime());
      if (day < from || day >= until) continue;
      const buckets = byUnit.getOrInsertComputed(
        typeof unit === "string" ? unit : "",
        () => new Map(),
      );
      const sample = buckets.getOrInsertComputed(UNITS[by].indexOf(day), () => new Sample());
      sample.add(typeof value === "number" ? value : 0);
    }
  }
  return byUnit;
}

function pointsOf(buckets: Buckets, { by, field }: SeriesQuery): Point[] {
  return [...buckets].sort(([one], [other]) => one - other).map(([index, sample]) => ({
    start: UNITS[by].startOf(index),
    count: sample.count,
    ...(field === null ? NO_NUMBERS : sample.statistics()),
  }));
}
