import { syncPath } from "../core/files.ts";

/**
 * The folders of `template1` and `template0`: two thirds of the files, which only `create database`
 * needs, and which the engine syncs again at its first start and after each crash.
 */
const UNUSED = /^\/base\/[14](?:\/|$)/;

/** Files synced at once; the disk syncs concurrent requests together. */
const AT_ONCE = 32;

/**
 * Writes and syncs the files of an empty database, from an archive by the engine's authors:
 * `initdb` would make the same (`tests/storage/initial_files_test.ts`), but takes three seconds and
 * 400 MB more memory.
 *
 * @throws Error if the archive is truncated or contains anything but files and directories.
 */
export async function writeInitialFiles(directory: string): Promise<void> {
  const directories = [directory];
  const files: Deno.FsFile[] = [];
  const syncFiles = () => Promise.all(files.splice(0).map(syncAndClose));
  for await (const { name, parts } of readArchive(openArchive())) {
    if (UNUSED.test(name)) continue;
    if (parts === null) {
      directories.push(`${directory}${name}`);
      await Deno.mkdir(`${directory}${name}`, { mode: 0o700 });
      continue;
    }
    files.push(await writeFile(`${directory}${name}`, parts));
    if (files.length === AT_ONCE) await syncFiles();
  }
  await syncFiles();
  await Promise.all(directories.map(syncPath));
}

async function writeFile(path: string, parts: AsyncIterable<Uint8Array>): Promise<Deno.FsFile> {
  const file = await Deno.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
  for await (const part of parts) {
    for (let rest = part; rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
  }
  return file;
}

async function syncAndClose(file: Deno.FsFile): Promise<void> {
  using synced = file;
  await synced.sync();
}

/** `DecompressionStream` returns everything that a piece holds at once: up to 2 MB of this size. */
const PIECE = 2048;

function openArchive(): ReadableStream<Uint8Array> {
  return ReadableStream.from(readPieces()).pipeThrough(new DecompressionStream("gzip"));
}

async function* readPieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const folder = import.meta.resolve("@electric-sql/pglite-prepopulatedfs");
  using file = await Deno.open(new URL("prepopulatedfs.tgz", folder));
  while (true) {
    const piece = new Uint8Array(PIECE);
    const length = file.readSync(piece);
    if (length === null) return;
    yield piece.subarray(0, length);
  }
}

interface ArchivedFile {
  /** The path; begins with a slash. */
  readonly name: string;
  /** The bytes, valid until the next part is read; null for a directory. */
  readonly parts: AsyncIterable<Uint8Array> | null;
}

const BLOCK = 512;
const [FILE, DIRECTORY] = ["0", "5"];

/**
 * Reads the entries of a `ustar` archive, in order. Parts that were not read are skipped.
 *
 * @throws Error as `writeInitialFiles`.
 */
export async function* readArchive(
  archive: ReadableStream<Uint8Array>,
): AsyncGenerator<ArchivedFile> {
  const reader = new PartReader(archive);
  while (true) {
    const header = await reader.readBlock();
    // Blocks of zeros end the archive.
    if (header[0] === 0) return;
    const { name, size, type } = readHeader(header);
    const parts = reader.parts(size);
    yield { name, parts: type === DIRECTORY ? null : parts };
    await skip(parts);
    await skip(reader.parts(-size & (BLOCK - 1)));
  }
}

async function skip(parts: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of parts);
}

function readHeader(header: Uint8Array): { name: string; size: number; type: string } {
  const text = new TextDecoder("latin1").decode(header);
  const [name = ""] = text.slice(0, 100).split("\0");
  const size = parseInt(text.slice(124, 136), 8);
  const type = text.charAt(156);
  const isKnown = /^(?:\/[\w.-]*\w)+$/.test(name) && (type === FILE || type === DIRECTORY);
  if (!isKnown || !Number.isSafeInteger(size)) {
    throw new Error("The archive of an empty database holds an entry that is not known");
  }
  return { name, size, type };
}

class PartReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array();
  #rest: Uint8Array = this.#chunk;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#chunks = stream.values();
  }

  async readBlock(): Promise<Uint8Array> {
    const block = new Uint8Array(BLOCK);
    let filled = 0;
    for await (const part of this.parts(BLOCK)) {
      block.set(part, filled);
      filled += part.length;
    }
    return block;
  }

  async *parts(length: number): AsyncGenerator<Uint8Array> {
    for (let missing = length; missing > 0;) {
      if (this.#rest.length === 0) await this.#readChunk();
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
      yield part;
    }
  }

  async #readChunk(): Promise<void> {
    // Frees the last chunk now: garbage collection would let all of them pile up.
    if (this.#chunk.buffer instanceof ArrayBuffer) this.#chunk.buffer.transfer(0);
    const { done, value } = await this.#chunks.next();
    if (done) throw new Error("The archive of an empty database is cut off");
    this.#chunk = this.#rest = value;
  }
}
