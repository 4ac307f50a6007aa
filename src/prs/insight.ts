/** Counts of the service: `insight`. */

import type { Client } from "../client/mod.ts";
import { addDays, localDay, mondayOf } from "../core/days.ts";
import { knownZone } from "../core/zones.ts";
import { UsageError } from "./failures.ts";
import { connect } from "./folders.ts";
import { machineZone } from "./machine_clock.ts";
import { dayOption, type Input } from "./options.ts";
import { limitOf } from "./records.ts";
import { type Item, linesOf, tableOf } from "./tables.ts";
import { print } from "./terminal.ts";

const BUCKETS = ["day", "week", "month", "year"] as const;
const DEFAULT_DAYS = 30;

/** Prints the values of a field, or the number of records, by bucket of time. */
export async function series(input: Input): Promise<void> {
  const [module = "", field] = input.words;
  const named = input.option("--by") ?? "day";
  const by = BUCKETS.find((each) => each === named);
  if (by === undefined) throw new UsageError(`--by: ${BUCKETS.join(", ")}`);
  const filter = Object.fromEntries(new URLSearchParams(input.option("--filter") ?? ""));
  const query = { module, ...field !== undefined && { field }, by, ...rangeOf(input), filter };
  const client = await connect(input);
  printObject(input, (await client.call("insight.series", { query })).data);
}

/** Prints the number of records of each day. */
export async function days(input: Input): Promise<void> {
  const [module] = input.words;
  const query = { ...module !== undefined && { module }, ...rangeOf(input) };
  const client = await connect(input);
  printObject(input, (await client.call("insight.days", { query })).data);
}

/** Prints the people who have an interval of contact, the most overdue first. */
export async function contacts(input: Input): Promise<void> {
  await printPages(
    input,
    (client, query) => client.each("insight.contacts", { query }),
    (item) => item,
  );
}

/** Prints the routines, with the number of completions in twelve weeks. */
export async function routines(input: Input): Promise<void> {
  await printPages(input, (client, query) => client.each("insight.routines", { query }), (item) => {
    const { recordId, days, complete, lastCompletedAt, nextDueAt, title } = item;
    const completions = days.reduce((sum, { count }) => sum + count, 0);
    return { recordId, completions, complete, lastCompletedAt, nextDueAt, title };
  });
}

export async function calibration(input: Input): Promise<void> {
  const client = await connect(input);
  printObject(input, (await client.call("insight.calibration")).data);
}

/** Prints the seven days from `--start`, by default from Monday of this week. */
export async function week(input: Input): Promise<void> {
  const zone = zoneOf(input);
  const query = {
    start: dayOption(input, "--start") ?? mondayOf(localDay(zone, Date.now())),
    zone,
  };
  const client = await connect(input);
  printObject(input, (await client.call("insight.week", { query })).data);
}

/** The days of `--from` and `--until`: by default the last 30 with today. */
function rangeOf(input: Input) {
  const zone = zoneOf(input);
  const until = dayOption(input, "--until") ?? addDays(localDay(zone, Date.now()), 1);
  return { from: dayOption(input, "--from") ?? addDays(until, -DEFAULT_DAYS), until, zone };
}

/** @throws UsageError if the zone is not known, or the machine's zone has no name. */
function zoneOf(input: Input): string {
  const zone = input.option("--zone") ?? machineZone();
  if (zone === null) {
    throw new UsageError("--zone: required, because this machine's zone has no name");
  }
  if (knownZone(zone) === null) throw new UsageError("--zone: not a known zone");
  return zone;
}

function printObject({ isJson }: Input, data: object): void {
  if (isJson) return print(JSON.stringify(data));
  for (const line of linesOf(data)) print(line);
}

/** Prints at most `--limit` items: as JSON whole, in the table as `row` returns them. */
async function printPages<Each extends object>(
  input: Input,
  each: (client: Client, query: { readonly zone: string }) => AsyncIterable<Each>,
  row: (item: Each) => Item,
): Promise<void> {
  const zone = zoneOf(input);
  const limit = limitOf(input);
  const client = await connect(input);
  const items: Each[] = [];
  for await (const item of each(client, { zone })) {
    items.push(item);
    if (items.length === limit) break;
  }
  const lines = input.isJson ? items.map((item) => JSON.stringify(item)) : tableOf(items.map(row));
  for (const line of lines) print(line);
}
