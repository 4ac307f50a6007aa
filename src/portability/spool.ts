/**
 * Spooled files, written before they are sent, and kept for an hour. Each is two files on the disk:
 * its own bytes, and the list of parts of the whole. Attachments are not copied: they are read from
 * the object store together with the whole.
 */

import { createHash, type Hash } from "node:crypto";
import { writeToDisk } from "../attachments/disk_failure.ts";
import { type IncomingFolder, openIncoming } from "../attachments/incoming.ts";
import type { ObjectStore } from "../attachments/object_store.ts";
import type { Clock } from "../core/clock.ts";
import { ignoreNotFound, writeAll } from "../core/files.ts";
import { readChunks, splitLines } from "../core/lines.ts";
import { ServiceError } from "../errors/service_error.ts";
import { OBJECT_FORMS, type ObjectForm } from "./object_forms.ts";

/** Bytes per write or read. */
const CHUNK_BYTES = 64 * 1024;
/** Not readable by other users. */
const NEW_FILE = { createNew: true, write: true, mode: 0o600 } as const;
/** How often expired files are looked for. */
const SWEEP_MS = 60_000;
/** Bytes per write of received data: each wait for the disk costs time. */
const RECEIVE_BYTES = 1024 * 1024;
/** Maximum bytes of a part in the list. */
const PART_BYTES = 1024;

/** A part of a spooled file: some of its own bytes, or a whole attachment. */
type Part = readonly [ownBytes: number] | readonly [form: ObjectForm, sha256: string, size: number];

interface KeptFile {
  readonly owner: string;
  readonly until: Date;
}

/** Spooled files of all processes; each process has its own folder. */
export class SpoolFolder {
  readonly #directory: string;
  readonly #own: IncomingFolder;
  readonly #kept = new Map<string, KeptFile>();
  readonly #timer: ReturnType<typeof setInterval>;

  private constructor(directory: string, own: IncomingFolder, clock: Clock) {
    this.#directory = directory;
    this.#own = own;
    this.#timer = setInterval(() => void this.removeExpired(clock()), SWEEP_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** Removes the files of dead processes. */
  static async open(directory: string, clock: Clock): Promise<SpoolFolder> {
    return new SpoolFolder(directory, await openIncoming(directory), clock);
  }

  async create(id: string, kept: KeptFile): Promise<SpoolWriter> {
    this.#kept.set(id, kept);
    return await SpoolWriter.create(this.path(id));
  }

  /** Bytes of an owner's kept files in this process. */
  async bytesOf(owner: string): Promise<number> {
    let bytes = 0;
    for (const [id, kept] of this.#kept) {
      if (kept.owner !== owner) continue;
      for (const path of [this.path(id), partsOf(this.path(id))]) {
        bytes += (await Deno.stat(path).catch(ignoreNotFound))?.size ?? 0;
      }
    }
    return bytes;
  }

  /** The first expiry of an owner's kept files in this process; null without one. */
  expiryOf(owner: string): Date | null {
    const times = [...this.#kept.values()].filter((kept) => kept.owner === owner)
      .map(({ until }) => until.getTime());
    return times.length === 0 ? null : new Date(Math.min(...times));
  }

  path(id: string): string {
    return `${this.#own.path}/${id}`;
  }

  /**
   * Writes a stream to the file of `id`; returns its SHA-256 in hex.
   *
   * @throws as `receiving`.
   */
  async receive(
    id: string,
    stream: ReadableStream<Uint8Array>,
    maximumBytes: number,
  ): Promise<string> {
    const hash = createHash("sha256");
    const chunks = this.receiving(id, stream, maximumBytes, hash);
    while (!(await chunks.next()).done);
    return hash.digest("hex");
  }

  /**
   * Writes a stream to the file of `id` while the caller reads its chunks. File and hash are
   * complete after the last chunk; the stream is cancelled if the caller stops earlier.
   *
   * @throws ServiceError `HTTP_413` beyond `maximumBytes`, `HTTP_503` if the disk accepts no data
   *   now; errors of the stream.
   */
  async *receiving(
    id: string,
    stream: ReadableStream<Uint8Array>,
    maximumBytes: number,
    hash: Hash,
  ): AsyncGenerator<Uint8Array, void> {
    const buffer = new Uint8Array(RECEIVE_BYTES);
    let [size, filled] = [0, 0];
    using file = await writeToDisk(() => Deno.open(this.path(id), NEW_FILE));
    const flush = async () => {
      const whole = buffer.subarray(0, filled);
      hash.update(whole);
      await writeToDisk(() => writeAll(file, whole));
      filled = 0;
    };
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > maximumBytes) {
        throw new ServiceError("HTTP_413", { details: { limit: maximumBytes } });
      }
      for (let rest = chunk; rest.length > 0;) {
        const taken = rest.subarray(0, buffer.length - filled);
        buffer.set(taken, filled);
        filled += taken.length;
        rest = rest.subarray(taken.length);
        if (filled === buffer.length) await flush();
      }
      yield chunk;
    }
    await flush();
  }

  /** Finds a file that any process has spooled. */
  async find(id: string): Promise<SpooledFile | null> {
    for await (const folder of Deno.readDir(this.#directory)) {
      const path = `${this.#directory}/${folder.name}/${id}`;
      if (folder.isDirectory && await exists(path)) return new SpooledFile(path);
    }
    return null;
  }

  async remove(id: string): Promise<void> {
    this.#kept.delete(id);
    for (const path of [this.path(id), partsOf(this.path(id))]) {
      await Deno.remove(path).catch(ignoreNotFound);
    }
  }

  async removeExpired(now: Date): Promise<void> {
    for (const [id, { until }] of this.#kept) {
      if (until <= now) await this.remove(id);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#own.close();
  }
}

export class SpoolWriter implements AsyncDisposable {
  readonly file: SpooledFile;
  readonly #own: Deno.FsFile;
  readonly #parts: Deno.FsFile;
  readonly #counts: Record<string, number> = {};
  #texts: string[] = [];
  #waiting = 0;
  #ownBytes = 0;

  private constructor(path: string, own: Deno.FsFile, parts: Deno.FsFile) {
    this.file = new SpooledFile(path);
    this.#own = own;
    this.#parts = parts;
  }

  static async create(path: string): Promise<SpoolWriter> {
    return await writeToDisk(async () => {
      const own = await Deno.open(path, NEW_FILE);
      return new SpoolWriter(path, own, await Deno.open(partsOf(path), NEW_FILE));
    });
  }

  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  /** Adds to the count of a type; adding 0 only lists it. */
  count(type: string, more: number): void {
    this.#counts[type] = (this.#counts[type] ?? 0) + more;
  }

  /** @throws ServiceError `HTTP_503` if the disk accepts no data now. */
  async text(text: string): Promise<void> {
    this.#texts.push(text);
    this.#waiting += text.length;
    if (this.#waiting >= CHUNK_BYTES) await this.#flush();
  }

  /** As `text`. */
  async bytes(bytes: Uint8Array): Promise<void> {
    await this.#flush();
    await this.#write(bytes);
  }

  async object(form: ObjectForm, sha256: string, size: number): Promise<void> {
    await this.#endPart();
    await this.#writePart([form, sha256, size]);
  }

  /** Flushes everything; the file can then be read. */
  async end(): Promise<void> {
    await this.#endPart();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#own.close();
    this.#parts.close();
    return Promise.resolve();
  }

  async #endPart(): Promise<void> {
    await this.#flush();
    if (this.#ownBytes > 0) await this.#writePart([this.#ownBytes]);
    this.#ownBytes = 0;
  }

  async #flush(): Promise<void> {
    const text = this.#texts.join("");
    [this.#texts, this.#waiting] = [[], 0];
    await this.#write(new TextEncoder().encode(text));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await writeToDisk(() => writeAll(this.#own, bytes));
    this.#ownBytes += bytes.length;
  }

  async #writePart(part: Part): Promise<void> {
    const line = new TextEncoder().encode(`${JSON.stringify(part)}\n`);
    await writeToDisk(() => writeAll(this.#parts, line));
  }
}

export class SpooledFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Reads the whole file, part by part, even if it is removed in between.
   *
   * @throws LostObjectError if bytes of an attachment are lost since the file was written.
   */
  async *read(objects: ObjectStore, owner: string): AsyncGenerator<Uint8Array> {
    using own = await Deno.open(this.#path);
    using parts = await Deno.open(partsOf(this.#path));
    for await (const { bytes } of splitLines(readChunks(parts, CHUNK_BYTES), PART_BYTES)) {
      const part: Part = JSON.parse(new TextDecoder().decode(bytes));
      if (part.length === 1) {
        yield* readBytes(own, part[0]);
      } else {
        const [form, sha256, size] = part;
        yield* OBJECT_FORMS[form](await objects.read({ owner, sha256, size }));
      }
    }
  }
}

async function* readBytes(file: Deno.FsFile, count: number): AsyncGenerator<Uint8Array> {
  for (let left = count; left > 0;) {
    const chunk = new Uint8Array(Math.min(left, CHUNK_BYTES));
    const read = await file.read(chunk);
    if (read === null) throw new Error("A spooled file became shorter");
    yield chunk.subarray(0, read);
    left -= read;
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).catch(ignoreNotFound) !== undefined;
}

function partsOf(path: string): string {
  return `${path}.parts`;
}
