/** Parts of a week. Each is null if the reader may not read it. */

import type { Query, Sql } from "../database/sql.ts";
import { type BelowTime, timesBelow } from "../families/decision/port.ts";
import { routineIds, seesModule, writtenRecords, type WrittenRow } from "../records/port.ts";
import { compareCodePoints } from "../validate/text.ts";
import { readCompletions } from "./completions.ts";
import {
  countDays,
  countsDaysOf,
  modulesOnDays,
  readContactDays,
  seesContacts,
} from "./day_counts.ts";
import { instantsOfDays, LocalDays, ownDay, startOfDay } from "./local_days.ts";
import { readPieces } from "./pieces.ts";
import { Sample, type Statistics } from "./statistics.ts";
import { readWeekRecords, type WeekCount } from "./week_records.ts";

export interface ModuleCount {
  readonly moduleCode: string;
  readonly count: number;
}

export interface RoutineCounts {
  /** Routines that were completed. */
  readonly routines: number;
  readonly completions: number;
  /** False if a routine has revisions that were not read. */
  readonly complete: boolean;
}

export interface ContactCounts {
  readonly people: number;
  readonly contacts: number;
}

export interface MeasureFigures extends Omit<Statistics, "sum"> {
  readonly kind: string;
  readonly unit: string;
  readonly count: number;
}

export interface DecisionCounts {
  readonly decided: number;
  readonly outcomes: number;
  readonly predictionsDue: number;
}

export async function countRoutines(count: WeekCount): Promise<RoutineCounts | null> {
  const { database, examined, days: { from, until, zone } } = count;
  if (!sees(count, "routine")) return null;
  const { accountId: owner } = count.reader.account;
  const since = new Date(startOfDay(zone, from));
  let [routines, completions, complete] = [0, 0, true];
  const pieces = readPieces<{ readonly record_id: string }>(
    database,
    examined,
    (sql, last, limit) => routineIds(sql, owner, last?.record_id ?? null, limit),
  );
  for await (const rows of pieces) {
    const recordIds = rows.map(({ record_id }) => record_id);
    const history = { owner, recordIds, since, end: "oldest" } as const;
    const lists = await readCompletions(database, examined, history);
    for (const list of lists.values()) {
      const days = list.completions.map(({ time, clock }) => ownDay(zone, Date.parse(time), clock));
      const inWeek = days.filter((day) => day >= from && day < until).length;
      completions += inWeek;
      routines += inWeek > 0 ? 1 : 0;
      complete &&= list.isComplete;
    }
  }
  return { routines, completions, complete };
}

/** Counts records by own time, and contacts. */
export async function countLived(count: WeekCount): Promise<readonly ModuleCount[] | null> {
  const modules = count.catalog.modules.filter((module) => countsDaysOf(module, count.reader));
  const counts: ModuleCount[] = [];
  for (const module of await modulesOnDays(count, modules)) {
    const days = await countDays(count, module);
    counts.push({ moduleCode: module.code, count: days.values().reduce(add, 0) });
  }
  return modules.length === 0 ? null : counts.filter(({ count }) => count > 0);
}

/** Counts records by the day of their creation in the zone, with archived ones. */
export async function countWritten(count: WeekCount): Promise<readonly ModuleCount[] | null> {
  const { reader, days: { from, until, zone } } = count;
  const codes = count.catalog.modules.filter((module) => seesModule(reader, module))
    .map(({ code }) => code);
  if (codes.length === 0) return null;
  const { permissions, account: { accountId: owner } } = reader;
  const range = { owner, permissions, ...instantsOfDays(from, until) };
  const days = new LocalDays(zone, from, until);
  const counts = new Map<string, number>();
  const pieces = readPieces<WrittenRow>(
    count.database,
    count.examined,
    (sql, last, limit) => writtenRecords(sql, range, last, limit),
  );
  for await (const rows of pieces) {
    for (const { module_code, created_at, is_hidden } of rows) {
      const day = days.dayOf(created_at.getTime());
      if (is_hidden || day < from || day >= until) continue;
      counts.set(module_code, (counts.get(module_code) ?? 0) + 1);
    }
  }
  return codes.map((moduleCode) => ({ moduleCode, count: counts.get(moduleCode) ?? 0 }))
    .filter(({ count }) => count > 0);
}

export async function countContacts(count: WeekCount): Promise<ContactCounts | null> {
  if (!seesContacts(count.reader)) return null;
  const { from, until } = count.days;
  const people: string[] = [];
  for await (const contacts of readContactDays(count)) {
    for (const { personId, day } of contacts) {
      if (day >= from && day < until) people.push(personId);
    }
  }
  return { people: new Set(people).size, contacts: people.length };
}

/** Computes figures of measurements by kind, in the order of the catalog, then by unit. */
export async function summariseMeasures(
  count: WeekCount,
): Promise<readonly MeasureFigures[] | null> {
  const module = count.catalog.module("health");
  if (!module?.measure || !seesModule(count.reader, module)) return null;
  const { kind, unit, field } = module.measure;
  const samples = new Map<string, Map<string, Sample>>();
  for await (const records of readWeekRecords(count, module.code, [kind, unit, field])) {
    for (const { fields: [kind, unit, value] } of records) {
      if (typeof value !== "number") continue;
      samples.getOrInsertComputed(String(kind), () => new Map<string, Sample>())
        .getOrInsertComputed(String(unit), () => new Sample()).add(value);
    }
  }
  const kinds = module.fields.find(({ name }) => name === kind)?.options ?? [];
  return kinds.flatMap((kind) =>
    [...samples.get(kind) ?? []].sort(([one], [other]) => compareCodePoints(one, other))
      .map(([unit, sample]) => figuresOf(kind, unit, sample))
  );
}

function figuresOf(kind: string, unit: string, sample: Sample): MeasureFigures {
  const { sum: _, ...figures } = sample.statistics();
  return { kind, unit, count: sample.count, ...figures };
}

/**
 * Counts live decisions, and outcomes and predictions of live decisions.
 *
 * @param lived Has the decisions, by the time of the decision.
 */
export async function countDecisions(
  count: WeekCount,
  lived: readonly ModuleCount[] | null,
): Promise<DecisionCounts | null> {
  const module = count.catalog.module("decision");
  if (module === undefined || !seesModule(count.reader, module)) return null;
  const decided = lived?.find(({ moduleCode }) => moduleCode === "decision")?.count ?? 0;
  const outcomes = await countBelow(count, "outcome");
  return { decided, outcomes, predictionsDue: await countBelow(count, "prediction") };
}

async function countBelow(
  { database, reader, examined, days: { from, until, zone } }: WeekCount,
  kind: "prediction" | "outcome",
): Promise<number> {
  const range = { kind, owner: reader.account.accountId, ...instantsOfDays(from, until) };
  const statement = (sql: Sql, last: BelowTime | null, limit: number): Query<BelowTime> =>
    timesBelow(sql, range, last, limit);
  let found = 0;
  for await (const rows of readPieces<BelowTime>(database, examined, statement)) {
    const days = rows.filter(({ is_archived }) => !is_archived)
      .map(({ time, clock }) => ownDay(zone, time.getTime(), clock));
    found += days.filter((day) => day >= from && day < until).length;
  }
  return found;
}

function sees({ catalog, reader }: WeekCount, code: string): boolean {
  const module = catalog.module(code);
  return module !== undefined && seesModule(reader, module);
}

function add(sum: number, count: number): number {
  return sum + count;
}
