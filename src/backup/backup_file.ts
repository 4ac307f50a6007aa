import { dirname } from "node:path";
import { syncPath, writeAll } from "../core/files.ts";
import type { Manifest } from "./format.ts";
import { manifestLine, Tally } from "./format.ts";

/** How much is packed at once. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * A backup that is being written: beside its place, readable by its user alone, and moved there once it
 * is whole and on the disk. Whatever goes wrong before, disposing of it leaves nothing.
 */
export class BackupFile implements AsyncDisposable {
  readonly tally = new Tally();
  readonly #path: string;
  readonly #file: Deno.FsFile;
  readonly #packed: Promise<void>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #pending = "";
  #isFinished = false;

  private constructor(path: string, file: Deno.FsFile) {
    this.#path = path;
    this.#file = file;
    const gzip = new CompressionStream("gzip");
    this.#packed = writeStream(file, gzip.readable);
    // Thrown by the next write.
    this.#packed.catch(() => {});
    this.#writer = (gzip.writable as WritableStream<Uint8Array>).getWriter();
  }

  /** Begins a backup that will stand at `path`. */
  static async create(path: string): Promise<BackupFile> {
    const options = { write: true, create: true, truncate: true, mode: 0o600 };
    return new BackupFile(path, await Deno.open(draftOf(path), options));
  }

  /** Adds a line. */
  async write(line: string): Promise<void> {
    this.tally.line(line);
    this.#pending += `${line}\n`;
    if (this.#pending.length >= CHUNK_CHARACTERS) await this.#flush();
  }

  /** Adds the manifest and moves the file to its place. After it returns it survives a crash. */
  async finish(): Promise<Manifest> {
    const manifest = this.tally.manifest();
    this.#pending += `${manifestLine(manifest)}\n`;
    await this.#flush();
    await Promise.all([this.#writer.close(), this.#packed]);
    await this.#file.sync();
    this.#file.close();
    this.#isFinished = true;
    await Deno.rename(draftOf(this.#path), this.#path);
    await syncPath(dirname(this.#path));
    return manifest;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isFinished) return;
    await this.#writer.abort().catch(() => {});
    await this.#packed.catch(() => {});
    this.#file.close();
    await Deno.remove(draftOf(this.#path));
  }

  async #flush(): Promise<void> {
    const bytes = new TextEncoder().encode(this.#pending);
    this.#pending = "";
    try {
      await this.#writer.write(bytes);
    } catch (error) {
      // The stream between says only that it broke off; the file says why.
      await this.#packed;
      throw error;
    }
  }
}

function draftOf(path: string): string {
  return `${path}.new`;
}

async function writeStream(file: Deno.FsFile, stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const chunk of stream) await writeAll(file, chunk);
}
