import { parseArgs } from "node:util";
import { OptionError } from "../../tests/support/option_error.ts";

const ROWS = [
  "create",
  "replay",
  "get",
  "list",
  "deep-page",
  "patch",
  "create-simulating",
  "get-simulating",
  "constant",
] as const;
export type RowName = (typeof ROWS)[number];

export interface BenchOptions {
  /** Instead of a PostgreSQL server. */
  readonly embedded: boolean;
  readonly rounds: number;
  /** Per measurement, without warm-up. */
  readonly seconds: number;
  readonly connections: readonly number[];
  readonly rows: readonly RowName[];
  readonly json: string;
}

/** @throws OptionError, or TypeError for an unknown argument. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      embedded: { type: "boolean", default: false },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "2" },
      connections: { type: "string", default: "1,16" },
      only: { type: "string", default: ROWS.join() },
      json: { type: "string", default: "data/bench.json" },
    },
  });
  return {
    embedded: values.embedded,
    rounds: readNumber("rounds", values.rounds),
    seconds: readNumber("seconds", values.seconds),
    connections: values.connections.split(",").map((text) => readNumber("connections", text)),
    rows: values.only.split(",").map(readRow),
    json: values.json,
  };
}

/** pgbench counts whole seconds. */
function readNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new OptionError(`--${name} takes whole numbers from 1 to 9999`);
}

function readRow(text: string): RowName {
  const row = ROWS.find((name) => name === text);
  if (row === undefined) throw new OptionError(`--only takes some of ${ROWS.join()}`);
  return row;
}
