/** The folder of the answers that were read, so that a later run continues after them. */

import { ignoreNotFound, moveSynced, writeAll } from "../../core/files.ts";
import { UsageError } from "../failures.ts";
import { makeFolder, writePrivate } from "../folders.ts";

/** States the source of the pages. */
const SOURCE = "source.json";
/** The file of the result until it is complete. */
const RESULT = "result.json";
/** Files that a killed run was writing. */
const UNFINISHED = /^\.[0-9a-f-]{36}$/;

export class Pages {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Opens the folder, or makes it.
   *
   * @param source Names the address and the account.
   * @throws UsageError if it has files of another source.
   */
  static async open(path: string, source: string): Promise<Pages> {
    await makeFolder(path);
    const pages = new Pages(path);
    const known = await pages.read(SOURCE);
    if (known === null) {
      const names = await Array.fromAsync(Deno.readDir(path), ({ name }) => name);
      if (names.some((name) => !UNFINISHED.test(name))) {
        throw new UsageError(`${path}: has other files`);
      }
      await writePrivate(path, SOURCE, source);
    } else if (new TextDecoder().decode(known) !== source) {
      throw new UsageError(`${path}: has pages of another address or account`);
    }
    return pages;
  }

  /** Returns null if there is no such file. */
  async read(name: string): Promise<Uint8Array | null> {
    return await Deno.readFile(`${this.#path}/${name}`).catch(ignoreNotFound) ?? null;
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    await writePrivate(this.#path, name, bytes);
  }

  /** Removes the files whose names begin so. */
  async remove(start: string): Promise<void> {
    for await (const { name } of Deno.readDir(this.#path)) {
      if (name.startsWith(start)) await Deno.remove(`${this.#path}/${name}`);
    }
  }

  /** Writes the result whole or not at all; then removes the folder. */
  async end(path: string, texts: AsyncIterable<string>): Promise<void> {
    const made = `${this.#path}/${RESULT}`;
    const options = { write: true, create: true, truncate: true, mode: 0o600 };
    {
      using file = await Deno.open(made, options);
      const encoder = new TextEncoder();
      for await (const text of texts) await writeAll(file, encoder.encode(text));
      await file.sync();
    }
    await moveSynced(made, path);
    await Deno.remove(this.#path, { recursive: true });
  }
}
