/** `import`: plans the import of another product's file, shows the plan, asks, and runs it. */

import { basename, extname } from "node:path";
import type { Client } from "../client/mod.ts";
import type { Import as ItemImport } from "../client/wire.ts";
import { CommandError, UsageError } from "./failures.ts";
import { connect } from "./folders.ts";
import { FORMATS } from "./import_formats.ts";
import { describe, placeOf, showPlan, showTable } from "./import_report.ts";
import type { Input } from "./options.ts";
import { ask, note, print } from "./terminal.ts";

const IMPORTS = "/api/v2/imports";
const POLL_MS = 500;

/** Uploads a file, shows its plan, asks, and runs the import. */
export async function importFile(input: Input): Promise<number> {
  const [path = ""] = input.words;
  const file = nameParts(path);
  const format = input.option("--format") ?? FORMATS[file.extension];
  if (format === undefined) throw new UsageError("--format: required for this file");
  const name = input.option("--name") ?? file.name;
  const client = await connect(input);
  const importId = await upload(client, path, { format, name, filename: filenameOf(path) });
  const { plan, shown } = await planned(client, importId, input.option("--mapping"));
  await showPlan(client, shown);
  if (input.option("--yes") === null && !/^y(es)?$/i.test(await ask("Bring this in? [y/N] "))) {
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

/**
 * The name without its extension, and the extension in lower case. A file in gzip has those of its
 * content, so that packing it changes neither its format nor its source.
 */
function nameParts(path: string): { readonly name: string; readonly extension: string } {
  const unpacked = basename(path).replace(/\.tgz$/i, ".tar").replace(/\.gz$/i, "");
  const extension = extname(unpacked);
  return { name: basename(unpacked, extension), extension: extension.toLowerCase() };
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
 * Waits for the plan of an import, after sending the file of a mapping.
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
    const body = await Deno.readTextFile(mapping);
    await client.send("PUT", `${IMPORTS}/${importId}/mapping`, { headers, body })
      .catch((error) => discardAndThrow(client, importId, error));
    state = await settled(client, importId, ["RECEIVED", "READING"]);
  }
  const { refusal, plan, looksLike } = state;
  if (refusal !== null) {
    if (looksLike.length > 0) note(`Looks like: ${looksLike.join(", ")}`);
    const place = placeOf(refusal);
    throw new CommandError(`The file is refused: ${refusal.rule}${place && ` at ${place}`}`);
  }
  if (plan !== null) return { plan, shown: state };
  showTable(state);
  const error = new CommandError("--mapping: required for this file");
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
