import { Buffer } from "node:buffer";
import { createGzip } from "node:zlib";
import type { Encryption } from "./age/encrypted_file.ts";
import { ignoreNotFound, moveSynced, writeAll } from "../../core/files.ts";
import type { Manifest } from "./format.ts";
import { manifestLine, Tally } from "./format.ts";

/** How many characters are compressed at once. */
const CHUNK_CHARACTERS = 64 * 1024;
/** Half the time of level 6, for files that are a fifteenth larger. */
const GZIP_LEVEL = 3;
/** Minimum bytes of a write to the disk, except for the last. */
const WRITE_BYTES = 256 * 1024;

export interface BackupFileOptions {
  /** Null without encryption. */
  readonly encryption: Encryption | null;
  readonly signal: AbortSignal;
}

/**
 * A backup being written under a temporary name, readable by its user only, and renamed when it is
 * complete and synced. Disposing of it earlier leaves nothing.
 */
export class BackupFile implements AsyncDisposable {
  readonly tally = new Tally();
  readonly #path: string;
  readonly #file: Deno.FsFile;
  readonly #signal: AbortSignal;
  readonly #packed: Promise<void>;
  readonly #gzip = createGzip({ level: GZIP_LEVEL, chunkSize: WRITE_BYTES });
  #pending = "";
  #isClosed = false;
  #isPlaced = false;

  private constructor(
    path: string,
    file: Deno.FsFile,
    { encryption, signal }: BackupFileOptions,
  ) {
    this.#path = path;
    this.#file = file;
    this.#signal = signal;
    this.#packed = writeStream(file, encryption?.encrypt(this.#gzip) ?? this.#gzip);
    // The next write throws it.
    this.#packed.catch(() => {});
  }

  static async create(path: string, options: BackupFileOptions): Promise<BackupFile> {
    const file = await Deno.open(draftOf(path), {
      write: true,
      create: true,
      truncate: true,
      mode: 0o600,
    });
    return new BackupFile(path, file, options);
  }

  /**
   * Adds a line, or several with line feeds between them.
   *
   * @throws errors of the file system, and the reason of the signal.
   */
  async write(lines: string): Promise<void> {
    this.#signal.throwIfAborted();
    this.#pending += `${lines}\n`;
    if (this.#pending.length >= CHUNK_CHARACTERS) await this.#flush();
  }

  /**
   * Adds the manifest and renames the file, which then survives a crash.
   *
   * @param check Inspects the complete file on the disk, before it is renamed.
   */
  async finish(check: (path: string) => Promise<void> = async () => {}): Promise<Manifest> {
    await this.#flush();
    const manifest = this.tally.manifest();
    await this.#pack(new TextEncoder().encode(`${manifestLine(manifest)}\n`));
    this.#gzip.end();
    await this.#packed;
    await this.#file.sync();
    this.#close();
    await check(draftOf(this.#path));
    await moveSynced(draftOf(this.#path), this.#path);
    this.#isPlaced = true;
    return manifest;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isPlaced) return;
    this.#gzip.destroy();
    await this.#packed.catch(() => {});
    if (!this.#isClosed) this.#close();
    await Deno.remove(draftOf(this.#path)).catch(ignoreNotFound);
  }

  #close(): void {
    this.#file.close();
    this.#isClosed = true;
  }

  async #flush(): Promise<void> {
    const bytes = new TextEncoder().encode(this.#pending);
    this.#pending = "";
    this.tally.lines(bytes);
    await this.#pack(bytes);
  }

  /** If the file cannot be written, nothing reads the packed bytes, so they never drain. */
  async #pack(bytes: Uint8Array): Promise<void> {
    if (this.#gzip.write(bytes)) return;
    const drained = new Promise((resolve) => this.#gzip.once("drain", resolve));
    await Promise.race([drained, this.#packed]);
  }
}

export function draftOf(path: string): string {
  return `${path}.new`;
}

async function writeStream(file: Deno.FsFile, stream: AsyncIterable<Uint8Array>): Promise<void> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    pending.push(chunk);
    size += chunk.length;
    if (size < WRITE_BYTES) continue;
    await writeAll(file, Buffer.concat(pending));
    [pending, size] = [[], 0];
  }
  await writeAll(file, Buffer.concat(pending));
}
