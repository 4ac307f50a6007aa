/** `files put`, `files get`, and files that a command makes. */

import { basename } from "node:path";
import { Refusal, Unreachable } from "../client/mod.ts";
import { writeAll } from "../core/files.ts";
import { UsageError } from "./failures.ts";
import { connect } from "./folders.ts";
import type { Input } from "./options.ts";
import { note, print } from "./terminal.ts";

/** Uploads a file. */
export async function putFile(input: Input): Promise<void> {
  const [path = ""] = input.words;
  const bytes = await Deno.readFile(path);
  const attachment = await (await connect(input)).upload(bytes, { filename: basename(path) });
  print(input.isJson ? JSON.stringify(attachment) : attachment.attachmentId);
}

/**
 * Downloads a file into a new file, or to standard output as it is.
 *
 * @throws UsageError if standard output is a terminal, which would obey controls in the file.
 */
export async function getFile(input: Input): Promise<void> {
  const [attachmentId = ""] = input.words;
  const path = input.option("-o");
  if (path === null && Deno.stdout.isTerminal()) throw new UsageError("-o: required at a terminal");
  const client = await connect(input);
  if (path === null) return await copy(await client.download(attachmentId), Deno.stdout);
  await intoNewFile(path, async (file) => await copy(await client.download(attachmentId), file));
  if (input.isJson) print(JSON.stringify({ attachmentId, file: path }));
}

/**
 * Makes a file for its user only, and removes it again if it cannot be completed.
 *
 * @throws UsageError if the file exists.
 */
export async function intoNewFile(
  path: string,
  fill: (file: Deno.FsFile) => Promise<void>,
): Promise<void> {
  const open = Deno.open(path, { createNew: true, write: true, mode: 0o600 });
  using file = await open.catch((error) => {
    throw error instanceof Deno.errors.AlreadyExists ? new UsageError("The file exists") : error;
  });
  try {
    await fill(file);
    await file.sync();
  } catch (error) {
    await Deno.remove(path).catch(() => note("The incomplete file could not be removed"));
    throw error;
  }
}

/**
 * Copies all bytes of a response.
 *
 * @param see Called for each part.
 * @throws Unreachable if the response is cut off.
 */
export async function copy(
  stream: ReadableStream<Uint8Array>,
  to: { write(bytes: Uint8Array): Promise<number> },
  see: (bytes: Uint8Array) => void = () => {},
): Promise<void> {
  const reader = stream.getReader();
  while (true) {
    const { done, value } = await reader.read().catch((error) => {
      const isOurs = error instanceof Refusal || error instanceof Unreachable;
      throw isOurs ? error : new Unreachable(error);
    });
    if (done) return;
    see(value);
    await writeAll(to, value);
  }
}
