/** Reading: `list`, `show`, `search`, `due`, `follow`. */

import { type Client, Refusal } from "../client/mod.ts";
import type { Operations, Record as PrsRecord } from "../client/wire.ts";
import { UsageError } from "./failures.ts";
import { connect } from "./folders.ts";
import { dayOption, type Input } from "./options.ts";
import { columns, print, printable, readText } from "./terminal.ts";

/** Unchecked here: the service refuses unknown codes. */
type ModuleCode = Operations["record.detail"]["path"]["moduleCode"];
type ListQuery = NonNullable<Operations["record.list"]["query"]>;

const LISTED = 50;
const PAGE = 100;
const ARCHIVED: readonly string[] = ["exclude", "only", "include"];
const SORTS: readonly string[] = ["createdAt", "updatedAt", "title", "time"]
  .flatMap((name) => [name, `-${name}`]);
/** The statuses of modules in which a record is not found or cannot be read. */
const ELSEWHERE: readonly number[] = [403, 404, 501];

/** Lists the records of a module. */
export async function list(input: Input): Promise<void> {
  const archived = input.option("--archived") ?? "exclude";
  const sort = input.option("--sort") ?? "-createdAt";
  let left = limitOf(input);
  if (!ARCHIVED.includes(archived)) throw new UsageError(`--archived: ${ARCHIVED.join(", ")}`);
  if (!SORTS.includes(sort)) throw new UsageError(`--sort: ${SORTS.join(", ")}`);
  const [from, to] = [dayOption(input, "--from"), dayOption(input, "--until")].map(startOf);
  const client = await connect(input);
  const path = { moduleCode: input.words[0] as ModuleCode };
  const query = { archived, sort, limit: Math.min(left, PAGE), time: { from, to } } as ListQuery;
  for await (const record of client.each("record.list", { path, query })) {
    printItem(input, record);
    if (--left === 0) return;
  }
}

/**
 * Returns the value of `--limit`, or Infinity for 0.
 *
 * @throws UsageError unless it is a number.
 */
export function limitOf(input: Input): number {
  const limit = input.option("--limit") ?? String(LISTED);
  if (!/^\d{1,9}$/.test(limit)) throw new UsageError("--limit: not a number");
  return Number(limit) || Infinity;
}

/** The first instant of a day by the clock of this machine. */
function startOf(day: string | null): string | undefined {
  return day === null ? undefined : new Date(`${day}T00:00`).toISOString();
}

export async function search(input: Input): Promise<void> {
  const { words } = input;
  const isInput = words.length === 0 || words.length === 1 && words[0] === "-";
  const q = isInput ? await readText() : words.join(" ");
  if (q.trim() === "") throw new UsageError("No words");
  const client = await connect(input);
  const found = client.each("search", { body: { q, limit: PAGE } });
  for await (const item of found) printItem(input, item);
}

function printItem(
  { isJson }: Input,
  item: { readonly moduleCode: string; readonly recordId: string; readonly title: string },
): void {
  const { moduleCode, recordId, title } = item;
  print(isJson ? JSON.stringify(item) : columns(`${moduleCode}/${recordId}`, title));
}

export async function show(input: Input): Promise<void> {
  const record = await findRecord(await connect(input), input.words[0] ?? "");
  if (input.isJson) return print(JSON.stringify(record));
  const { payload: _, localTimes: __, ...members } = record;
  for (const [name, value] of Object.entries({ ...members, ...localPayload(record) })) {
    print(`${printable(name)}: ${shown(value)}`);
  }
}

/** The payload, with its times as their clocks show them. */
export function localPayload({ payload, localTimes }: PrsRecord): PrsRecord["payload"] {
  return { ...payload, ...localTimes };
}

/** A value as text; further lines of a text are indented. */
export function shown(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "";
  return value.split(/\r?\n/).map(printable).join("\n  ");
}

/** The record of `MODULE/ID`, or of an ID in any module that the token may read. */
export async function findRecord(client: Client, name: string): Promise<PrsRecord> {
  const [moduleCode = "", recordId] = name.split(/\/(.*)/s);
  const read = async (moduleCode: string, recordId: string) => {
    const path = { moduleCode: moduleCode as ModuleCode, recordId };
    return (await client.call("record.detail", { path })).data;
  };
  if (recordId !== undefined) return await read(moduleCode, recordId);
  const { data: { modules } } = await client.call("catalog.read");
  let last = new Refusal("RECORD_NOT_FOUND", 404);
  for (const { code } of modules) {
    try {
      return await read(code, name);
    } catch (error) {
      if (!(error instanceof Refusal) || !ELSEWHERE.includes(error.status)) throw error;
      if (error.code === "RECORD_NOT_FOUND") last = error;
    }
  }
  throw last;
}

/** Lists due items, dates with their labels and years. */
export async function due(input: Input): Promise<void> {
  const client = await connect(input);
  for await (const item of client.each("due.list", { query: { limit: PAGE } })) {
    const { kind, moduleCode, recordId, title, label, years, at, date } = item;
    const ofDate = kind === "DATE" ? [label ?? "", String(years ?? "")] : [];
    const line = columns(at ?? date ?? "", kind, `${moduleCode}/${recordId}`, title, ...ofDate);
    print(input.isJson ? JSON.stringify(item) : line);
  }
}

/** Follows the changes, until a signal, or with `--once` until the end of the feed. */
export async function follow(input: Input): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = () => controller.abort();
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const name of signals) Deno.addSignalListener(name, stop);
  try {
    const client = await connect(input);
    const options = {
      after: input.option("--after"),
      once: input.option("--once") !== null,
      signal,
    };
    for await (const event of client.follow(options)) print(JSON.stringify(event));
  } finally {
    for (const name of signals) Deno.removeSignalListener(name, stop);
  }
}
