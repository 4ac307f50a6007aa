/**
 * The processor time of test files. `deno task test` prints the total and the most expensive files after each
 * run; `--map` also writes the table of all files, `tests/map.md`.
 *
 * A file's cost is the time of its own process and of the programs it started, without the PostgreSQL server
 * that all files share. Linux only: elsewhere nothing is measured.
 */

import type { EngineName } from "./test_plan.ts";

const PRINTED = 20;
const TICKS_PER_SECOND = 100;

export interface Measured {
  /** Seconds of processor time by test file; `""` for what the files share. */
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

/** The seconds that a process, and the ended programs that it started, have used. 0 if unknown. */
export function processSeconds(pid: number): number {
  // "(name) state" and ten further fields come before the four times.
  const fields = readProc(`/proc/${pid}/stat`).replace(/^.*\) /s, "").split(" ").slice(11, 15);
  return secondsOf(fields);
}

/** The seconds that all processors of this machine were busy since it started. 0 if unknown. */
export function machineSeconds(): number {
  const [, user, nice, system, , , irq, softIrq] = readProc("/proc/stat").split("\n")[0]
    ?.split(/\s+/) ?? [];
  return secondsOf([user, nice, system, irq, softIrq]);
}

function secondsOf(ticks: readonly (string | undefined)[]): number {
  return ticks.reduce((sum, field) => sum + (Number(field) || 0), 0) / TICKS_PER_SECOND;
}

/** Deno itself reads `/proc` only with all permissions. */
function readProc(path: string): string {
  try {
    const { success, stdout } = new Deno.Command("cat", { args: [path], stderr: "null" })
      .outputSync();
    return success ? new TextDecoder().decode(stdout) : "";
  } catch {
    return "";
  }
}

/** The lines that end a run: the total, then the most expensive files. */
export function describeCosts(costs: readonly FileCost[], total: number): string[] {
  const measured = costs.reduce((sum, { seconds }) => sum + seconds, 0);
  if (measured === 0) return [];
  const slowest = costs.filter(({ file }) => file !== "").toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, PRINTED);
  return [
    `${total.toFixed(0)} s of processor time, ${
      measured.toFixed(0)
    } s of it in the tests' processes:`,
    ...slowest.map(({ file, engine, seconds }) =>
      `${seconds.toFixed(1).padStart(7)}  ${file}${engine === null ? "" : ` (${engine})`}`
    ),
  ];
}

interface MapRow {
  readonly file: string;
  /** Seconds by engine, such as `embedded 1.2, postgres 0.8`. */
  readonly seconds: string;
  readonly promise: string;
}

export async function writeMap(path: string, costs: readonly FileCost[]): Promise<void> {
  const byFile = Map.groupBy(costs.filter(({ file }) => file !== ""), ({ file }) => file);
  const rows = await Promise.all(
    [...byFile].sort().map(async ([file, runs]) => ({
      file: file.slice("tests/".length).replace(/_test\.ts$/, ""),
      seconds: runs.map(({ engine, seconds }) => `${engine ?? "none"} ${seconds.toFixed(1)}`)
        .sort().join(", "),
      promise: promiseOf(await Deno.readTextFile(file)),
    })),
  );
  await Deno.writeTextFile(path, mapOf(rows));
}

function mapOf(rows: readonly MapRow[]): string {
  return [
    "# Map of the tests",
    "",
    "Written by `deno task test --map`: each test file, its seconds of processor time by engine, and",
    "the promise that it proves.",
    "",
    "| File | Seconds | Promise |",
    "| --- | --- | --- |",
    ...rows.map(({ file, seconds, promise }) => `| \`${file}\` | ${seconds} | ${promise} |`),
    "",
  ].join("\n");
}

/** The first comment of a test file, else the names of its tests. */
export function promiseOf(source: string): string {
  const head = source.replace(/^\/\/ engines:.*\n/, "");
  const [, comment] = /^\/\*\*([\s\S]*?)\*\//.exec(head) ?? [];
  const names = Array.from(
    source.matchAll(/\b(?:Deno\.test|journey)\(\s*"([^"]+)"/g),
    ([, name = ""]) => name,
  );
  const text = comment?.replaceAll(/^\s*\* ?/gm, " ") ?? names.slice(0, 3).join("; ");
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim();
}
