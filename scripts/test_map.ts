/**
 * The map of the tests: what each file costs, on which engines, at which level (its folder), and which promise
 * it proves. All files are in `tests/map.md`; the sums of the folders and the most expensive files are in
 * `tests/README.md`.
 */

import { type FileCost, SHARED } from "./test_costs.ts";

const README = "tests/README.md";
const MAP = "tests/map.md";
const MOST_EXPENSIVE = 8;

/** The README's chapter, if it has one, in front of the next. */
const CHAPTER = /(?:## Costs\n[\s\S]*?)?(?=## Promises\n)/;

interface MapRow {
  /** Without `tests/` and `_test.ts`. */
  readonly file: string;
  /** Without a database: `none`. */
  readonly engines: readonly string[];
  readonly seconds: number;
  readonly promise: string;
}

/** @param isWhole Whether all files have run; otherwise the README stays. */
export async function writeMap(costs: readonly FileCost[], isWhole: boolean): Promise<void> {
  const byFile = Map.groupBy(costs.filter(({ file }) => file !== SHARED), ({ file }) => file);
  const rows = await Promise.all(
    [...byFile].sort().map(async ([file, runs]) => ({
      file: file.slice("tests/".length).replace(/_test\.ts$/, ""),
      engines: runs.map(({ engine }) => engine ?? "none").sort(),
      seconds: sumOf(runs),
      promise: promiseOf(await Deno.readTextFile(file)),
    })),
  );
  await Deno.writeTextFile(MAP, ["# Map of the tests", "", ...tableOf(rows), ""].join("\n"));
  if (isWhole) {
    const readme = await Deno.readTextFile(README);
    await Deno.writeTextFile(README, readme.replace(CHAPTER, () => chapterOf(rows, costs)));
  }
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", README, MAP] }).output();
}

function sumOf(costs: readonly { readonly seconds: number }[]): number {
  return costs.reduce((sum, { seconds }) => sum + seconds, 0);
}

function chapterOf(rows: readonly MapRow[], costs: readonly FileCost[]): string {
  const folders = Map.groupBy(rows, ({ file }) => file.split("/", 1)[0] ?? "");
  const shared = sumOf(costs.filter(({ file }) => file === SHARED));
  const expensive = rows.toSorted((a, b) => b.seconds - a.seconds).slice(0, MOST_EXPENSIVE);
  return [
    "## Costs",
    "",
    `Written by \`deno task test --map\`: ${
      sumOf(costs).toFixed(0)
    } seconds of processor time, PostgreSQL's`,
    `included, of which files share ${shared.toFixed(0)} (programs that start, modules that load).`,
    "",
    "| Folder | Files | Runs | Seconds |",
    "| --- | --- | --- | --- |",
    ...[...folders].map(([folder, files]) =>
      `| \`${folder}\` | ${files.length} | ${files.flatMap(({ engines }) => engines).length} | ${
        sumOf(files).toFixed(0)
      } |`
    ),
    "",
    "The most expensive files, and what each proves; `tests/map.md` has all:",
    "",
    ...tableOf(expensive),
    "",
    "",
  ].join("\n");
}

function tableOf(rows: readonly MapRow[]): string[] {
  return [
    "| File | Engines | Seconds | Promise |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ file, engines, seconds, promise }) =>
      `| \`${file}\` | ${engines.join(", ")} | ${seconds.toFixed(1)} | ${promise} |`
    ),
  ];
}

/** The first sentence of a test file's first comment, else the names of its first tests. */
export function promiseOf(source: string): string {
  const head = source.replace(/^\/\/ engines:.*\n/, "");
  const [, comment] = /^\/\*\*([\s\S]*?)\*\//.exec(head) ?? [];
  const names = Array.from(
    source.matchAll(/\b(?:Deno\.test|journey)\(\s*"([^"]+)"/g),
    ([, name = ""]) => name,
  );
  const text = comment?.replaceAll(/^\s*\* ?/gm, " ") ?? names.slice(0, 2).join("; ");
  const [sentence = ""] = text.replaceAll(/\s+/g, " ").trim().split(/(?<=\.) (?=[A-Z`])/);
  return sentence.replaceAll("|", "\\|");
}
