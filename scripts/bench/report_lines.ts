import { MAX_ADDED_P99, type Report, type Row } from "./report.ts";

export function reportLines(report: Report): string[] {
  const { options, machine, server, memory, rows } = report;
  const subject = options.embedded ? "the built-in engine" : server;
  const megabytes = (value: number) => `${Math.round(value)} MB`;
  return [
    `The service on ${subject}, with its rate limits set to 0 and its log going to the null device`,
    `Medians of ${options.rounds} rounds, ${options.seconds} s each measurement; ` +
    `${machine.cores} cores, Deno ${machine.deno}, ${machine.target}`,
    "",
    ...align([HEADINGS, ...rows.map(cellsOf)]),
    "",
    ...(server === null ? [] : [
      `limit/s: bare tables by pgbench on ${server}${
        options.embedded ? ", for comparison only" : ""
      }`,
    ]),
    "deep-page: its limit is the first page, its ratio how many times slower it is",
    "constant: Deno.serve with a record's bytes and nothing behind it",
    ...rows.flatMap(addedDelay),
    `Memory of the service: ${megabytes(memory.idle)} idle, ${megabytes(memory.after)} after`,
    ...rows.flatMap(shortcomings),
  ];
}

/** The delay that simulations add; its limit is fixed. */
function addedDelay({ row, connections, addedP99 }: Row): string[] {
  if (addedP99 === null) return [];
  return [`${row} at ${connections}: p99 ${decimals(addedP99)} ms more, at most ${MAX_ADDED_P99}`];
}

/** One sentence each. */
function shortcomings(described: Row): string[] {
  const { row, connections, errors, firstError, met, ratio, goal, addedP99 } = described;
  const at = `${row} at ${connections}`;
  return [
    ...(addedP99 !== null && addedP99 > MAX_ADDED_P99
      ? [`MISSED: ${at}: p99 ${decimals(addedP99)} ms more, at most ${MAX_ADDED_P99}`]
      : []),
    ...(errors > 0 ? [`ERRORS: ${at}: ${errors}, the first: ${firstError}`] : []),
    ...(met === "no"
      ? [`MISSED: ${at}: ${decimals(ratio)}, target ${decimals(goal?.target ?? null)}`]
      : []),
  ];
}

const HEADINGS = [
  "operation",
  "conn",
  "req/s",
  "p50 ms",
  "p99 ms",
  "errors",
  "limit/s",
  "ratio",
  "target",
  "aim",
  "met",
  "of Deno.serve",
];

/** Pads columns; the first is left-aligned, the others right-aligned. */
export function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0))
  );
  return rows.map((cells) =>
    cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
    ).join("  ").trimEnd()
  );
}

function cellsOf(row: Row): string[] {
  const { goal } = row;
  const sign = goal?.isCeiling ? "<=" : ">=";
  return [
    row.row,
    String(row.connections),
    whole(row.rate),
    decimals(row.p50),
    decimals(row.p99),
    String(row.errors),
    whole(row.limit),
    decimals(row.ratio),
    goal === null ? "" : `${sign}${decimals(goal.target)}`,
    decimals(goal?.aim ?? null),
    row.met ?? "",
    decimals(row.ofConstant),
  ];
}

function whole(value: number | null): string {
  return value === null ? "" : Math.round(value).toLocaleString("en");
}

function decimals(value: number | null): string {
  return value === null ? "" : value.toFixed(2);
}
