/** `import`: plans the import of another product's file, shows the plan, asks, and runs it. */

import { basename, extname } from "node:path";
import type { Client } from "../client/mod.ts";
import type { Import as ItemImport } from "../client/wire.ts";
import { CommandError, UsageError } from "./failures.ts";
import { connect } from "./folders.ts";
import { describe, placeOf, showPlan, showTable } from "./import_report.ts";
import type { Input } from "./options.ts";
import { ask, note, print } from "./terminal.ts";

const IMPORTS = "/api/v2/imports";
const POLL_MS = 500;

/** Uploads a file, shows its plan, asks, and runs the import. */
export async function importFile(input: Input): Promise<number> {
  const [path = ""] = input.words;
  const format = input.option("--format") ?? "auto";
  const name = input.option("--name") ?? nameOf(path);
  const mapping = await mappingOf(input);
  const client = await connect(input);
  const importId = await upload(client, path, { format, name, filename: filenameOf(path) });
  const { plan, shown } = await planned(client, importId, mapping);
  await showPlan(client, shown);
  const isAgreed = input.option("--yes") !== null ||
    await isYes("Bring this in?").catch((error) => discardAndThrow(client, importId, error));
  if (!isAgreed) {
    await discard(client, importId);
    note("Nothing was brought in");
    return 0;
  }
  await client.call("import.run", { path: { importId }, body: { plan } });
  const ended = await settled(client, importId, ["PLANNED", "RUNNING"]);
  print(input.isJson ? JSON.stringify(ended) : ended.importId);
  note(describe(ended.counts));
  if (ended.state !== "DONE") throw new CommandError(`The import is ${ended.state}`);
  return 0;
}

async function isYes(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `));
}

/** The name without its ending; that of a file in gzip is the name of its content. */
function nameOf(path: string): string {
  const unpacked = basename(path).replace(/\.tgz$/i, ".tar").replace(/\.gz$/i, "");
  return basename(unpacked, extname(unpacked));
}

/** The JSON of the file of a mapping, with the chosen preset; null without either. */
async function mappingOf(input: Input): Promise<string | null> {
  const [path, preset] = [input.option("--mapping"), input.option("--preset")];
  const text = path === null ? null : await Deno.readTextFile(path);
  if (preset === null) return text;
  const mapping = text === null ? {} : parseMapping(text);
  return JSON.stringify({ ...mapping, preset });
}

/** @throws UsageError if the text is not a JSON object. */
function parseMapping(text: string): object {
  try {
    const mapping: unknown = JSON.parse(text);
    if (typeof mapping === "object" && mapping !== null && !Array.isArray(mapping)) return mapping;
  } catch {
    // The same message as for other values.
  }
  throw new UsageError("--mapping: not a JSON object");
}

/** Uploads a file and returns the identifier of its import. */
async function upload(
  client: Client,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  using file = await Deno.open(path);
  const response = await client.send("POST", `${IMPORTS}?${new URLSearchParams(query)}`, {
    headers: { "Content-Type": "application/octet-stream" },
    body: file.readable,
  });
  const { data }: { readonly data: ItemImport } = await response.json();
  return data.importId;
}

/**
 * Waits for the plan of an import, after sending a mapping.
 *
 * @throws CommandError if the file is refused or needs a mapping.
 */
async function planned(
  client: Client,
  importId: string,
  mapping: string | null,
): Promise<{ readonly plan: string; readonly shown: ItemImport }> {
  let state = await settled(client, importId, ["RECEIVED", "READING"]);
  if (mapping !== null) {
    const headers = { "Content-Type": "application/json" };
    await client.send("PUT", `${IMPORTS}/${importId}/mapping`, { headers, body: mapping })
      .catch((error) => discardAndThrow(client, importId, error));
    state = await settled(client, importId, ["RECEIVED", "READING"]);
  }
  const { format, refusal, plan, looksLike } = state;
  note(`Format: ${format}`);
  if (refusal !== null) {
    if (looksLike.length > 0) note(`Looks like: ${looksLike.join(", ")}`);
    const place = placeOf(refusal);
    throw new CommandError(`The file is refused: ${refusal.rule}${place && ` at ${place}`}`);
  }
  if (plan !== null) return { plan, shown: state };
  showTable(state);
  const preset = state.presets.length > 0 ? "--preset or " : "";
  const error = new CommandError(`${preset}--mapping: required for this file`);
  return await discardAndThrow(client, importId, error);
}

/** The file's own name, as far as the service accepts it. */
function filenameOf(path: string): string {
  return [...basename(path).replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ")].slice(0, 200).join("");
}

/** Discards a planned import, because an account has five of them. */
async function discard(client: Client, importId: string): Promise<void> {
  await client.call("import.discard", { path: { importId }, body: {} });
}

async function discardAndThrow(client: Client, importId: string, error: unknown): Promise<never> {
  await discard(client, importId);
  throw error;
}

/** Polls an import until it leaves these states. */
async function settled(
  client: Client,
  importId: string,
  states: readonly ItemImport["state"][],
): Promise<ItemImport> {
  let shown = -1;
  while (true) {
    const { data } = await client.call("import.detail", { path: { importId } });
    if (!states.includes(data.state)) return data;
    if (data.state === "RUNNING" && data.done !== shown) note(`${data.done} of ${data.total}`);
    shown = data.done;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
