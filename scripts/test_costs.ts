/**
 * The processor time of test files. `deno task test` prints the total and the most expensive files after each
 * run. `--map` runs one shard after the other, and writes the costs into `tests/README.md` and the table of
 * all files into `tests/map.md`.
 *
 * A file's cost is the time of its own process and of the programs it started. The files of several shards
 * share a PostgreSQL server, so that its time belongs to a file only with `--map`. Linux only: elsewhere
 * nothing is measured.
 */

import type { EngineName } from "./test_plan.ts";

const PRINTED = 20;
const TICKS_PER_SECOND = 100;

/** The time of no single file: the start of a shard, and opening and closing what files share. */
export const SHARED = "";

export interface Measured {
  /** Seconds of processor time by test file, and of what the files share. */
  readonly costs: Readonly<Record<string, number>>;
  /** The files whose heading ran as a test that proves nothing. */
  readonly headings: readonly string[];
}

/** The cost of a file on one engine; null: without a database. */
export interface FileCost {
  readonly file: string;
  readonly engine: EngineName | null;
  readonly seconds: number;
}

/** The seconds that processes, and all programs that they started, have used. 0 if unknown. */
export function processSeconds(...processes: readonly number[]): number {
  const ticks = new Map<number, number>();
  const children = new Map<number, number[]>();
  for (const line of readStatistics().split("\n")) {
    const [, pid, rest] = /^(\d+) .*\) (.*)$/.exec(line) ?? [];
    // The state, the parent and nine others come before the times of the process and of its ended children.
    const [, parent, ...fields] = rest?.split(" ") ?? [];
    ticks.set(Number(pid), fields.slice(9, 13).reduce((sum, field) => sum + Number(field), 0));
    children.set(Number(parent), [...children.get(Number(parent)) ?? [], Number(pid)]);
  }
  const total = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + total(child), ticks.get(pid) ?? 0);
  return processes.reduce((sum, pid) => sum + total(pid), 0) / TICKS_PER_SECOND;
}

/** A line for each process. Deno itself reads `/proc` only with all permissions. */
function readStatistics(): string {
  try {
    const args = ["-c", "cat /proc/[0-9]*/stat"];
    // Some end in between.
    const { stdout } = new Deno.Command("sh", { args, stderr: "null" }).outputSync();
    return new TextDecoder().decode(stdout);
  } catch {
    return "";
  }
}

/**
 * The lines that end a run: the total, then the most expensive files.
 *
 * @param server The seconds of the PostgreSQL server, unless the files' costs include them.
 */
export function describeCosts(costs: readonly FileCost[], server: number): string[] {
  const sum = (some: readonly FileCost[]) => some.reduce((sum, { seconds }) => sum + seconds, 0);
  const total = sum(costs) + server;
  if (total === 0) return [];
  const shared = sum(costs.filter(({ file }) => file === SHARED));
  const slowest = costs.filter(({ file }) => file !== SHARED)
    .toSorted((a, b) => b.seconds - a.seconds).slice(0, PRINTED);
  return [
    `${total.toFixed(0)} s of processor time, ${server.toFixed(0)} s of it in PostgreSQL and ` +
    `${shared.toFixed(0)} s in what files share; the most expensive files:`,
    ...slowest.map(({ file, engine, seconds }) =>
      `${seconds.toFixed(1).padStart(7)}  ${file}${engine === null ? "" : ` (${engine})`}`
    ),
  ];
}
