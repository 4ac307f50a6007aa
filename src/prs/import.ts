/** `import`: plans the import of another product's file, shows the plan, asks, and runs it. */

import { basename, extname } from "node:path";
import type { Client } from "../client/mod.ts";
import { CommandError, UsageError } from "./failures.ts";
import { connect } from "./folders.ts";
import type { Input } from "./options.ts";
import { ask, note, print } from "./terminal.ts";

const IMPORTS = "/api/v2/imports";
const POLL_MS = 500;
const JSON_HEADERS = { "Content-Type": "application/json" };

/** The format of each file extension that has only one. */
const FORMATS: Readonly<Record<string, string>> = {
  ".jsonl": "prs-items",
  ".csv": "csv",
  ".md": "markdown",
  ".tar": "markdown",
  ".vcf": "vcard",
};

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The members of an import that the command reads. */
interface ItemImport {
  readonly importId: string;
  readonly state: string;
  readonly counts: Counts;
  readonly plan: string | null;
  readonly done: number;
  readonly total: number;
  readonly refusal: { readonly rule: string; readonly place: number | null } | null;
}

/** Uploads a file, shows its plan, asks, and runs the import. */
export async function importFile(input: Input): Promise<number> {
  const [path = ""] = input.words;
  const format = input.option("--format") ?? FORMATS[extname(path).toLowerCase()];
  if (format === undefined) throw new UsageError("--format: required for this file");
  const name = input.option("--name") ?? basename(path, extname(path));
  const client = await connect(input);
  const at = await upload(client, path, { format, name, filename: filenameOf(path) });
  const { plan, counts } = await planned(client, at, input.option("--mapping"));
  note(describe(counts));
  if (input.option("--yes") === null && !/^y(es)?$/i.test(await ask("Bring this in? [y/N] "))) {
    await discard(client, at);
    note("Nothing was brought in");
    return 0;
  }
  const body = JSON.stringify({ plan });
  const key = crypto.randomUUID();
  await client.send("POST", `${at}/run`, { headers: JSON_HEADERS, body, key });
  const ended = await settled(client, at, ["PLANNED", "RUNNING"]);
  print(input.isJson ? JSON.stringify(ended) : ended.importId);
  note(describe(ended.counts));
  if (ended.state !== "DONE") throw new CommandError(`The import is ${ended.state}`);
  return 0;
}

/** Uploads a file and returns the path of its import. */
async function upload(
  client: Client,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  using file = await Deno.open(path);
  const { importId } = await read(client.send("POST", `${IMPORTS}?${new URLSearchParams(query)}`, {
    headers: { "Content-Type": "application/octet-stream" },
    body: file.readable,
  }));
  return `${IMPORTS}/${importId}`;
}

/**
 * Waits for the plan of an import, after sending the file of a mapping.
 *
 * @throws CommandError if the file is refused or needs a mapping.
 */
async function planned(
  client: Client,
  at: string,
  mapping: string | null,
): Promise<{ readonly plan: string; readonly counts: Counts }> {
  let state = await settled(client, at, ["RECEIVED", "READING"]);
  if (mapping !== null) {
    const body = await Deno.readTextFile(mapping);
    await client.send("PUT", `${at}/mapping`, { headers: JSON_HEADERS, body })
      .catch((error) => discardAndThrow(client, at, error));
    state = await settled(client, at, ["RECEIVED", "READING"]);
  }
  const { refusal, plan, counts } = state;
  if (refusal !== null) {
    const place = refusal.place === null ? "" : ` at ${refusal.place}`;
    throw new CommandError(`The file is refused: ${refusal.rule}${place}`);
  }
  if (plan !== null) return { plan, counts };
  return await discardAndThrow(client, at, new CommandError("--mapping: required for this file"));
}

/** The file's own name, as far as the service accepts it. */
function filenameOf(path: string): string {
  return [...basename(path).replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ")].slice(0, 200).join("");
}

/** Discards a planned import, because an account has five of them. */
async function discard(client: Client, at: string): Promise<void> {
  const key = crypto.randomUUID();
  await client.send("POST", `${at}/discard`, { headers: JSON_HEADERS, body: "{}", key });
}

async function discardAndThrow(client: Client, at: string, error: unknown): Promise<never> {
  await discard(client, at);
  throw error;
}

async function read(response: Promise<Response>): Promise<ItemImport> {
  return (await (await response).json()).data;
}

/** Polls an import until it leaves these states. */
async function settled(
  client: Client,
  path: string,
  states: readonly string[],
): Promise<ItemImport> {
  let shown = -1;
  while (true) {
    const state = await read(client.send("GET", path));
    if (!states.includes(state.state)) return state;
    if (state.state === "RUNNING" && state.done !== shown) note(`${state.done} of ${state.total}`);
    shown = state.done;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A line for each target, such as `memory: 12 new, 1 refused`. */
function describe(counts: Counts): string {
  const lines = Object.entries(counts).map(([target, outcomes]) => {
    const nonzero = Object.entries(outcomes).filter(([, count]) => count > 0);
    return `${target}: ${nonzero.map(([outcome, count]) => `${count} ${outcome}`).join(", ")}`;
  });
  return lines.join("\n") || "Nothing was found";
}
