/** Measures the cost of each kind of request, and a compressed day. */

import type postgres from "postgres";
import type { LoadProcess } from "./load.ts";
import {
  type Cost,
  costBetween,
  costOf,
  type Costs,
  type Habit,
  type Kind,
  KINDS,
} from "./model_arithmetic.ts";
import { readCounters, type Watched } from "./model_counters.ts";
import { connectionsOf, type ModelRequests } from "./model_requests.ts";

/** For work after a request to end. */
const REST_MS = 500;
/** Checkpoints in a compressed day. */
const SLICES = 8;

/** Requests per account. */
const MEASURED: Habit = {
  create: 2,
  change: 2,
  read: 4,
  list: 2,
  search: 1,
  upload: 0.5,
  download: 1,
  "sign-in": 0.05,
};

export interface Subject {
  readonly load: LoadProcess;
  readonly port: number;
  readonly watched: Watched;
  readonly requests: ModelRequests;
  readonly accounts: number;
}

export interface MeasuredCosts {
  readonly costs: Costs;
  /** Log bytes after each page was logged in full once. */
  readonly laterLogBytes: Readonly<Record<Kind, number>>;
}

/** Each kind alone, twice: the first time right after a checkpoint. */
export async function measureCosts(
  subject: Subject,
  note: (kind: Kind) => void,
): Promise<MeasuredCosts> {
  const measured = new Map<Kind, { cost: Cost; laterLogBytes: number }>();
  for (const kind of KINDS) {
    note(kind);
    measured.set(kind, await measureKind(subject, kind));
  }
  const each = <T>(value: (measured: { cost: Cost; laterLogBytes: number }) => T) =>
    Object.fromEntries(Array.from(measured, ([kind, one]) => [kind, value(one)])) as Record<
      Kind,
      T
    >;
  return {
    costs: each(({ cost }) => cost),
    laterLogBytes: each(({ laterLogBytes }) => laterLogBytes),
  };
}

async function measureKind(subject: Subject, kind: Kind) {
  const { watched } = subject;
  const requests = Math.ceil((MEASURED[kind] * subject.accounts) / 2);
  const send = () => run(subject, [[kind, requests]], connectionsOf(kind));
  await run(subject, [[kind, Math.ceil(requests / 5)]], connectionsOf(kind));
  // Frees rows that the warm-up replaced, as in a database in use.
  await watched.sql`vacuum analyze`;
  await checkpoint(watched.sql);
  const begun = await readCounters(watched);
  await send();
  const first = await readCounters(watched);
  await send();
  const second = await readCounters(watched);
  const cost = costBetween(begun, second, 2 * requests);
  const { logBytes } = costBetween(begun, first, requests);
  const { logBytes: laterLogBytes } = costBetween(first, second, requests);
  return { cost: { ...cost, logBytes }, laterLogBytes };
}

export interface MeasuredDay {
  readonly requests: Habit;
  readonly predicted: Cost;
  readonly measured: Cost;
  readonly seconds: number;
}

/** Sends a day's share of a habit as fast as it is answered, kinds and accounts in random order. */
export async function measureDay(
  subject: Subject,
  costs: Costs,
  habit: Habit,
): Promise<MeasuredDay> {
  const { watched, accounts } = subject;
  const slice = KINDS.map((kind): [Kind, number] => [
    kind,
    Math.ceil((habit[kind] * accounts) / SLICES),
  ]);
  const requests = Object.fromEntries(
    slice.map(([kind, count]) => [kind, SLICES * count]),
  ) as Record<Kind, number>;
  await watched.sql`vacuum analyze`;
  await checkpoint(watched.sql);
  const before = await readCounters(watched);
  const begun = performance.now();
  for (let number = 0; number < SLICES; number++) {
    if (number > 0) await checkpoint(watched.sql);
    await run(subject, slice, connectionsOf("read"));
  }
  const seconds = (performance.now() - begun) / 1000;
  const after = await readCounters(watched);
  return {
    requests,
    seconds,
    predicted: costOf(costs, requests),
    measured: costBetween(before, after, 1),
  };
}

async function checkpoint(sql: postgres.Sql): Promise<void> {
  await sql`checkpoint`;
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
}

async function run(
  { load, port, requests }: Subject,
  counts: readonly (readonly [Kind, number])[],
  connections: number,
): Promise<void> {
  const parts = counts.map(([kind, count]) => ({ template: requests[kind], requests: count }));
  const { errors, firstError } = await load.run({ port, connections, parts });
  if (errors > 0) throw new Error(`A request was refused: ${firstError}`);
}
