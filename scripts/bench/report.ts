/** Turns samples into table rows. */

import type { BenchOptions, RowName } from "./options.ts";
import type { Measured, Sample } from "./rounds.ts";
import { median } from "./statistics.ts";

/** Required and desired shares of the limit's rate. */
interface Goal {
  readonly target: number;
  readonly aim: number | null;
  /** For the deep page, whose figure is a slowdown. */
  readonly isCeiling: boolean;
}

/** Medians over the rounds. */
export interface Row {
  readonly row: RowName;
  readonly connections: number;
  readonly rate: number;
  readonly p50: number | null;
  readonly p99: number | null;
  /** The sum over all rounds. */
  readonly errors: number;
  readonly firstError: string | null;
  readonly limit: number | null;
  /**
   * Median of the rounds' ratios to the limit, measured back to back. Deep page: slowdown relative
   * to the first page.
   */
  readonly ratio: number | null;
  readonly goal: Goal | null;
  /** Milliseconds that simulations add to the 99th percentile; otherwise null. */
  readonly addedP99: number | null;
  /** Null without a goal. */
  readonly met: "aim" | "target" | "no" | null;
  /** Share of `Deno.serve`'s rate with a constant answer. */
  readonly ofConstant: number | null;
}

export interface Report {
  readonly options: BenchOptions;
  readonly machine: { readonly cores: number; readonly deno: string; readonly target: string };
  /** PostgreSQL's version; null without a server. */
  readonly server: string | null;
  /** The service's memory in megabytes. */
  readonly memory: { readonly idle: number; readonly after: number };
  readonly rows: readonly Row[];
  readonly measured: readonly Measured[];
}

const GOALS: Readonly<Partial<Record<RowName, readonly [few: Goal, many: Goal]>>> = {
  create: [goal(0.28, 0.36), goal(0.33, 0.43)],
  get: [goal(0.14, 0.19), goal(0.14, 0.19)],
  list: [goal(0.22, 0.3), goal(0.22, 0.3)],
  patch: [goal(0.2, 0.3), goal(0.2, 0.3)],
  "deep-page": [ceiling(1.3), ceiling(1.3)],
};

/** Milliseconds that simulations may add to the 99th percentile. */
export const MAX_ADDED_P99 = 50;

/** Goals for many connections apply from here. */
const MANY_CONNECTIONS = 16;

function goal(target: number, aim: number): Goal {
  return { target, aim, isCeiling: false };
}

function ceiling(target: number): Goal {
  return { target, aim: null, isCeiling: true };
}

/** @param onServer Goals against `pgbench` apply on a PostgreSQL server. */
export function toRows(measured: readonly Measured[], onServer: boolean): Row[] {
  return measured.map((each) => {
    const constant = measured.find(({ row, connections }) =>
      row === "constant" && connections === each.connections
    );
    return toRow(each, rateOf(constant?.samples.subject ?? []), onServer);
  });
}

function toRow(measured: Measured, constantRate: number | null, onServer: boolean): Row {
  const { row, connections, samples: { subject, limit } } = measured;
  const [few, many] = GOALS[row] ?? [];
  const named = (connections < MANY_CONNECTIONS ? few : many) ?? null;
  const isCeiling = named?.isCeiling ?? false;
  const goal = onServer || isCeiling ? named : null;
  const ratio = medianOf(subject.map(({ rate }, index) => {
    const limitRate = limit[index]?.rate ?? NaN;
    return isCeiling ? limitRate / rate : rate / limitRate;
  }));
  const rate = median(subject.map((sample) => sample.rate));
  return {
    row,
    connections,
    rate,
    ratio,
    goal,
    p50: medianOf(subject.map(({ p50 }) => p50 ?? NaN)),
    p99: medianOf(subject.map(({ p99 }) => p99 ?? NaN)),
    addedP99: row.endsWith("-simulating")
      ? medianOf(subject.map(({ p99 }, index) => (p99 ?? NaN) - (limit[index]?.p99 ?? NaN)))
      : null,
    errors: subject.reduce((sum, { errors }) => sum + errors, 0),
    firstError: subject.find(({ errors }) => errors > 0)?.firstError ?? null,
    limit: rateOf(limit),
    met: goal === null || ratio === null ? null : judge(ratio, goal),
    ofConstant: constantRate === null ? null : rate / constantRate,
  };
}

function judge(ratio: number, { target, aim, isCeiling }: Goal): "aim" | "target" | "no" {
  if (isCeiling) return ratio <= target ? "target" : "no";
  if (aim !== null && ratio >= aim) return "aim";
  return ratio >= target ? "target" : "no";
}

function rateOf(samples: readonly Sample[]): number | null {
  return medianOf(samples.map(({ rate }) => rate));
}

function medianOf(values: readonly number[]): number | null {
  const middle = median(values);
  return Number.isNaN(middle) ? null : middle;
}
