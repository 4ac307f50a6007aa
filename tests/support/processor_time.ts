/**
 * The processor time of test files: of their own process and of the programs that it started,
 * without PostgreSQL. Linux only: elsewhere nothing is measured.
 */

const PRINTED = 20;
const TICKS_PER_SECOND = 100;

/** The time of no single file: the start of a shard, and opening and closing shared worlds. */
export const SHARED = "";

export interface Measured {
  /** Seconds of processor time by test file, and by `SHARED`. */
  readonly costs: Readonly<Record<string, number>>;
  /** The files whose heading ran as a test that proves nothing. */
  readonly headings: readonly string[];
}

/** The cost of a file on one engine. */
export interface FileCost {
  readonly file: string;
  /** Null without a database. */
  readonly engine: string | null;
  readonly seconds: number;
}

/**
 * Returns the seconds that a process, and all programs that it started, have used; 0 if unknown.
 */
export function processSeconds(process: number): number {
  const ticks = new Map<number, number>();
  const children = new Map<number, number[]>();
  for (const line of readStatistics().split("\n")) {
    const [, pid, rest] = /^(\d+) .*\) (.*)$/.exec(line) ?? [];
    // The state, the parent and nine others come before the times of the process and of its ended
    // children.
    const [, parent, ...fields] = rest?.split(" ") ?? [];
    ticks.set(Number(pid), fields.slice(9, 13).reduce((sum, field) => sum + Number(field), 0));
    children.set(Number(parent), [...children.get(Number(parent)) ?? [], Number(pid)]);
  }
  const total = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + total(child), ticks.get(pid) ?? 0);
  return total(process) / TICKS_PER_SECOND;
}

/** Reads a line for each process. Deno itself reads `/proc` only with all permissions. */
function readStatistics(): string {
  try {
    const args = ["-c", "cat /proc/[0-9]*/stat"];
    // Some processes end in between.
    const { stdout } = new Deno.Command("sh", { args, stderr: "null" }).outputSync();
    return new TextDecoder().decode(stdout);
  } catch {
    return "";
  }
}

/**
 * Describes the total of a run and its most expensive files, a line each.
 *
 * @param server The seconds of the PostgreSQL server.
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
    `${shared.toFixed(0)} s shared by files; the most expensive files:`,
    ...slowest.map(({ file, engine, seconds }) =>
      `${seconds.toFixed(1).padStart(7)}  ${file}${engine === null ? "" : ` (${engine})`}`
    ),
  ];
}
