import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { syncPath, writeSynced } from "../core/files.ts";

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
  const archive = (await dataDir()).stream().pipeThrough(new DecompressionStream("gzip"));
  const directories = [directory];
  const files: ArchivedFile[] = [];
  const writeFiles = async () => {
    await Promise.all(
      files.splice(0).map(({ name, bytes }) => writeSynced(`${directory}${name}`, bytes)),
    );
  };
  for await (const { name, bytes } of readArchive(archive)) {
    if (UNUSED.test(name)) continue;
    if (bytes !== null) {
      if (files.push({ name, bytes }) === AT_ONCE) await writeFiles();
      continue;
    }
    directories.push(`${directory}${name}`);
    await Deno.mkdir(`${directory}${name}`, { mode: 0o700 });
  }
  await writeFiles();
  await Promise.all(directories.map(syncPath));
}

interface ArchivedFile {
  /** The path; begins with a slash. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const BLOCK = 512;
const [FILE, DIRECTORY] = ["0", "5"];

/**
 * Reads the entries of a `ustar` archive, in order; directories have no bytes.
 *
 * @throws Error as `writeInitialFiles`.
 */
export async function* readArchive(
  archive: ReadableStream<Uint8Array>,
): AsyncGenerator<{ readonly name: string; readonly bytes: Uint8Array | null }> {
  const reader = new BlockReader(archive);
  while (true) {
    const header = await reader.read(BLOCK);
    // Blocks of zeros end the archive.
    if (header[0] === 0) return;
    const { name, size, type } = readHeader(header);
    const bytes = await reader.read(Math.ceil(size / BLOCK) * BLOCK);
    yield { name, bytes: type === DIRECTORY ? null : bytes.subarray(0, size) };
  }
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

class BlockReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#chunks = stream.values();
  }

  async read(length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    for (let filled = 0; filled < length;) {
      if (this.#rest.length === 0) this.#rest = await this.#nextChunk();
      const part = this.#rest.subarray(0, length - filled);
      bytes.set(part, filled);
      this.#rest = this.#rest.subarray(part.length);
      filled += part.length;
    }
    return bytes;
  }

  async #nextChunk(): Promise<Uint8Array> {
    const { done, value } = await this.#chunks.next();
    if (done) throw new Error("The archive of an empty database is cut off");
    return value;
  }
}
