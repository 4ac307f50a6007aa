/**
 * Turns statements on the wire into a `pgbench` script.
 *
 * Each operation is requested twice. A parameter that differs must differ in every call, and its two values
 * show its meaning. The others are constant.
 */

import type { WireStatement } from "./wire_tap.ts";

export interface WireCall {
  readonly statements: readonly WireStatement[];
  /** The record that it reads, changes, or continues after. */
  readonly target: string | null;
  /** The record's, before the call. */
  readonly revision: number | null;
  /** Its Idempotency-Key. */
  readonly key: string | null;
}

export interface Script {
  readonly text: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Session settings. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Numbers the targets from 1: `pgbench` cannot choose a text at random. */
export const TARGET_TABLE = "bench_target";

/** Anywhere in a text. */
const IDENTIFIER = /([0-7][0-9A-HJKMNP-TV-Z]{25})/;
/** As the driver writes times. */
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Types that the driver names; the server infers others. */
const TYPES: Readonly<Record<number, string>> = {
  16: "boolean",
  20: "bigint",
  1184: "timestamptz",
};

/**
 * @param targets Rows of the target table.
 * @throws if the two calls sent different statements.
 */
export function toScript(first: WireCall, second: WireCall, targets: number): Script {
  const texts = ({ statements }: WireCall) => statements.map(({ text }) => text).join(";\n");
  if (first.statements.length === 0 || texts(first) !== texts(second)) {
    throw new Error("Two calls of one operation did not send the same statements");
  }
  const writer = new ScriptWriter(first, second);
  const statements = first.statements.map((statement, index) => {
    const others = second.statements[index]?.parameters ?? [];
    return statement.text.replaceAll(/\$(\d+)/g, (_, number) => {
      const position = Number(number) - 1;
      const type = TYPES[statement.types[position] ?? 0];
      const expression = writer.write(statement.parameters[position], others[position]);
      return type === undefined ? expression : `${expression}::${type}`;
    });
  });
  const lines = [
    `\\set target random(1, ${targets})`,
    "\\set number random(1, 1000000000000000)",
    ...inFlights(first.statements, statements),
  ];
  // Earlier reads may use a read-only connection.
  const settings = first.statements.at(-1)?.settings ?? {};
  return { text: lines.join("\n") + "\n", variables: writer.variables, settings };
}

/**
 * Groups statements that were sent together. One that depends on the root's revision follows the read of it.
 */
function inFlights(sent: readonly WireStatement[], statements: readonly string[]): string[] {
  const reading = statements.findIndex((text) => /:(root|next)_revision\b/.test(text)) - 1;
  return sent.flatMap(({ flight }, index) => {
    const statement = statements[index] ?? "";
    if (index === reading) {
      return [`${statement}\n\\gset root_`, "\\set next_revision :root_revision + 1"];
    }
    const together = sent.flatMap((each, at) => each.flight === flight ? [at] : []);
    const isPipeline = together.length > 1 && !together.includes(reading);
    return [
      ...(isPipeline && together[0] === index ? ["\\startpipeline"] : []),
      `${statement};`,
      ...(isPipeline && together.at(-1) === index ? ["\\endpipeline"] : []),
    ];
  });
}

/** Writes parameters as expressions over variables. */
class ScriptWriter {
  readonly variables: Record<string, string> = {};
  readonly #calls: readonly [WireCall, WireCall];
  /** The newest time of the first call. */
  readonly #newest: number;
  /** New identifiers by both values. */
  readonly #made = new Map<string, number>();

  constructor(first: WireCall, second: WireCall) {
    this.#calls = [first, second];
    const times = first.statements.flatMap(({ parameters }) => parameters)
      .filter((value) => value !== null).filter((value) => MOMENT.test(value)).map(Date.parse);
    this.#newest = Math.max(...times);
  }

  write(one: string | null = null, other: string | null = null): string {
    if (one === null || other === null) return "null";
    if (one === other) return this.#constant(one);
    const [first, second] = this.#calls;
    if (one === first.key && other === second.key) return "('bench-' || :number::text)";
    const differs = (by: number) =>
      [first, second].every(({ revision }, call) =>
        revision !== null && [one, other][call] === String(revision + by)
      );
    if (differs(0)) return ":root_revision";
    if (differs(1)) return ":next_revision";
    if (MOMENT.test(one)) return this.#moment(one);
    if (/^-?\d+$/.test(one)) return ":number";
    return this.#text(one, other);
  }

  /** As far before the script's time as it was before the call's newest. */
  #moment(one: string): string {
    const before = this.#newest - Date.parse(one);
    return before === 0 ? "now()" : `(now() - interval '${before} milliseconds')`;
  }

  #text(one: string, other: string): string {
    const [pieces, others] = [one.split(IDENTIFIER), other.split(IDENTIFIER)];
    if (pieces.length === 1 || pieces.length !== others.length) return this.#constant(one);
    const written = pieces.flatMap((piece, index) => {
      if (piece === "") return [];
      const same = index % 2 === 0 || piece === others[index];
      return [
        same ? `${this.#constant(piece)}::text` : this.#identifier(piece, others[index] ?? ""),
      ];
    });
    return `(${written.join(" || ")})`;
  }

  #identifier(one: string, other: string): string {
    const [first, second] = this.#calls;
    if (one === first.target && other === second.target) {
      return `(select record_id from ${TARGET_TABLE} where number = :target)`;
    }
    // Smaller than clock-made identifiers, so that the service's rows are not disturbed.
    const made = this.#made.get(one + other) ?? this.#made.size;
    this.#made.set(one + other, made);
    return `('0' || lpad((:number::bigint + ${made}000000000000000)::text, 25, '0'))`;
  }

  #constant(value: string): string {
    // pgbench has no empty variables.
    if (value === "") return "''";
    const name = `v${Object.keys(this.variables).length}`;
    this.variables[name] = value;
    return `:${name}`;
  }
}
