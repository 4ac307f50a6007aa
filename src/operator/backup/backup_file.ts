import type { Encryption } from "./age/encrypted_file.ts";
import { ignoreNotFound, moveSynced, writeAll } from "../../core/files.ts";
import type { Manifest } from "./format.ts";
import { manifestLine, Tally } from "./format.ts";

/** How many characters are compressed at once. */
const CHUNK_CHARACTERS = 64 * 1024;

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
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
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
    const gzip = new CompressionStream("gzip");
    this.#packed = writeStream(file, encryption?.encrypt(gzip.readable) ?? gzip.readable);
    // The next write throws it.
    this.#packed.catch(() => {});
    this.#writer = (gzip.writable as WritableStream<Uint8Array>).getWriter();
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

  /** @throws errors of the file system, and the reason of the signal. */
  async write(line: string): Promise<void> {
    this.#signal.throwIfAborted();
    this.tally.line(line);
    this.#pending += `${line}\n`;
    if (this.#pending.length >= CHUNK_CHARACTERS) await this.#flush();
  }

  /**
   * Adds the manifest and renames the file, which then survives a crash.
   *
   * @param check Inspects the complete file on the disk, before it is renamed.
   */
  async finish(check: (path: string) => Promise<void> = async () => {}): Promise<Manifest> {
    const manifest = this.tally.manifest();
    this.#pending += `${manifestLine(manifest)}\n`;
    await this.#flush();
    await Promise.all([this.#writer.close(), this.#packed]);
    await this.#file.sync();
    this.#close();
    await check(draftOf(this.#path));
    await moveSynced(draftOf(this.#path), this.#path);
    this.#isPlaced = true;
    return manifest;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isPlaced) return;
    await this.#writer.abort().catch(() => {});
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
    try {
      await this.#writer.write(bytes);
    } catch (error) {
      // The stream only reports that it failed; the file reports why.
      await this.#packed;
      throw error;
    }
  }
}

export function draftOf(path: string): string {
  return `${path}.new`;
}

async function writeStream(file: Deno.FsFile, stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of stream) await writeAll(file, chunk);
}
