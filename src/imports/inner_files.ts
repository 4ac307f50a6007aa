/** Stores the files inside texts in the folder of an import, while they are decoded. */

import { createHash } from "node:crypto";
import { MAX_ATTACHMENT_BYTES, writeToDisk } from "../attachments/import_port.ts";
import type { FileSink, StoredFile } from "./converters/converter.ts";
import type { ImportFolder } from "./folder.ts";
import type { ReadingBudget } from "./reading_budget.ts";

const NEW_FILE = { create: true, write: true, truncate: true, mode: 0o600 } as const;

/** Stores one file at a time. */
export class InnerFiles implements Disposable {
  readonly #folder: ImportFolder;
  readonly #importId: string;
  readonly #budget: ReadingBudget;
  #open: Deno.FsFile | null = null;

  constructor(folder: ImportFolder, importId: string, budget: ReadingBudget) {
    this.#folder = folder;
    this.#importId = importId;
    this.#budget = budget;
  }

  /** Begins a file; discards the previous one if it has not ended. */
  async begin(): Promise<FileSink> {
    this[Symbol.dispose]();
    const path = this.#folder.path(this.#importId, "file-new");
    const file = await this.#wait(() => Deno.open(path, NEW_FILE));
    this.#open = file;
    const hash = createHash("sha256");
    let size = 0;
    return {
      write: async (bytes) => {
        size += bytes.length;
        hash.update(bytes);
        // A larger file is refused: only its size and digest are reported.
        if (size > MAX_ATTACHMENT_BYTES) return;
        await this.#wait(() => this.#folder.append(this.#importId, file, bytes));
      },
      end: async () => {
        const stored: StoredFile = { sha256: hash.digest("hex"), size };
        const isKept = size <= MAX_ATTACHMENT_BYTES;
        if (isKept) await this.#wait(() => file.sync());
        this[Symbol.dispose]();
        const kept = this.#folder.path(this.#importId, `file-${stored.sha256}`);
        await this.#wait(() => isKept ? Deno.rename(path, kept) : Deno.remove(path));
        return stored;
      },
    };
  }

  #wait<T>(work: () => Promise<T>): Promise<T> {
    return this.#budget.wait(() => writeToDisk(work));
  }

  [Symbol.dispose](): void {
    this.#open?.close();
    this.#open = null;
  }
}
