/** The words and options of the command line. */

import { isDay } from "../core/days.ts";
import { UsageError } from "./failures.ts";

/** Options without a value. */
const FLAGS: readonly string[] = ["--json", "--local", "--once", "--yes"];
/** Options with a value, and its name in the usage. */
const VALUES: ReadonlyMap<string, string> = new Map([
  ...[
    "wait",
    "email",
    "name",
    "permissions",
    "archived",
    "limit",
    "after",
    "format",
    "preset",
    "sort",
  ]
    .map((name) => [`--${name}`, name.toUpperCase()] as const),
  ...["-o", "--file", "--mapping", "--token-file"].map((name) => [name, "FILE"] as const),
  ...["zone", "by", "filter"].map((name) => [`--${name}`, name.toUpperCase()] as const),
  ...["--until", "--start"].map((name) => [name, "DAY"] as const),
  ["--from", "URL|DAY"],
  ["--out", "DIR"],
]);
const EVERYWHERE: readonly string[] = ["--json", "--wait"];

/** The words and options that a command accepts after its name. */
export interface Syntax {
  /** One or two words. */
  readonly name: string;
  /** As in the usage: optional ones are in brackets; WORDS is any number of words. */
  readonly words: string;
  readonly options: readonly string[];
}

/** A valid command line. */
export interface Input<Command extends Syntax = Syntax> {
  readonly command: Command;
  readonly words: readonly string[];
  readonly isJson: boolean;
  /** How long a request is retried, in milliseconds. */
  readonly wait: number;
  /** The value of an option; null if it was not given. */
  option(name: string): string | null;
}

/** @throws UsageError if the command, a word or an option is unknown. */
export function readInput<Command extends Syntax>(
  args: readonly string[],
  commands: readonly Command[],
): Input<Command> {
  const { words: all, options } = split(args);
  const command = commands.find(({ name }) => `${all.join(" ")} `.startsWith(`${name} `));
  if (command === undefined) throw new UsageError();
  const words = all.slice(command.name.split(" ").length);
  const named = command.words.split(" ").filter(Boolean);
  const minimum = named.filter((word) => !word.startsWith("[")).length;
  const maximum = command.words.includes("WORDS") ? Infinity : named.length;
  const known = [...EVERYWHERE, ...command.options];
  const isKnown = [...options.keys()].every((name) => known.includes(name));
  if (!isKnown || words.length < minimum || words.length > maximum) throw new UsageError();
  const wait = options.get("--wait") ?? "10";
  if (!/^\d+(\.\d+)?$/.test(wait)) throw new UsageError("--wait: not a number of seconds");
  const option = (name: string) => options.get(name) ?? null;
  return { command, words, option, isJson: options.has("--json"), wait: Number(wait) * 1000 };
}

/**
 * Returns the day that an option names; null if it was not given.
 *
 * @throws UsageError unless the value is a day.
 */
export function dayOption(input: Input, name: string): string | null {
  const day = input.option(name);
  if (day !== null && !isDay(day)) throw new UsageError(`${name}: not YYYY-MM-DD`);
  return day;
}

/** Separates options, which may be anywhere before `--`, from words. */
function split(
  args: readonly string[],
): { readonly words: string[]; readonly options: ReadonlyMap<string, string> } {
  const words: string[] = [];
  const options = new Map<string, string>();
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      words.push(...args.slice(index + 1));
      break;
    }
    if (arg === "-" || !arg.startsWith("-")) {
      words.push(arg);
      continue;
    }
    const [, name = arg, given] = /^(--[^=]+)=([^]*)$/.exec(arg) ?? [];
    const isFlag = FLAGS.includes(name) && given === undefined;
    const value = isFlag ? "" : VALUES.has(name) ? given ?? args[++index] : undefined;
    if (value === undefined || options.has(name)) throw new UsageError();
    options.set(name, value);
  }
  return { words, options };
}

/** How to call each command, a line each. */
export function usageOf(commands: readonly Syntax[]): string {
  const lines = commands.map(({ name, words, options }) => {
    const shown = options.map((each) => `[${[each, VALUES.get(each)].filter(Boolean).join(" ")}]`);
    return ["  prs", name, words, ...shown].filter(Boolean).join(" ");
  });
  return ["Usage:", ...lines, "Everywhere: [--json] [--wait SECONDS]"].join("\n");
}
