/**
 * The files of waiting and running imports, a folder for each: `DATA_DIR/imports/<importId>/`.
 * Unlike the spool of exports they outlive the process, because an import is resumed after a crash.
 * The names in an archive never become paths. `owners/<accountId>/<importId>` is an empty file that
 * names the owner of a folder.
 *
 *   source   the uploaded bytes           items    the items of the file, one a line
 *   reports  the planned report of each   sample   the first titles
 *   questions  the first possible duplicates
 *   groups   the groups of the file, and the series of values in them
 *   plan     the same of earlier releases, which must not run the plans of this one
 *   part-0   the unpacked file of a gzip    part-N   an archive within the archive
 *   file-…   a file inside an item's text, by its digest
 *   lock     held by the process that works on the import
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { writeToDisk } from "../attachments/import_port.ts";
import { DAY_MS } from "../core/clock.ts";
import { type FileLock, takeFileLock } from "../core/file_lock.ts";
import {
  ignoreNotFound,
  makeSyncedFolder,
  moveSynced,
  syncPath,
  writeAll,
  writeSynced,
} from "../core/files.ts";
import { isUlid } from "../core/ids.ts";
import { readChunks, splitLines } from "../core/lines.ts";
import type { SpoolMeter } from "../core/spool_shares.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { Item } from "./item.ts";
import { type ItemReport, shownReport } from "./reports.ts";

/** Lifetime of the files of an import after its upload. */
export const SPOOL_LIFETIME_MS = DAY_MS;

const OWNERS = "owners";
/** Bytes written or read at once. */
const WRITE_BYTES = 256 * 1024;
const READ_BYTES = 64 * 1024;
/** More than any item has. */
const LINE_BYTES = 64 * 1024 * 1024;
const NEW_FILE = { create: true, write: true, truncate: true, mode: 0o600 } as const;

type ImportFile =
  | "source"
  | "items"
  | "reports"
  | "plan"
  | "sample"
  | "questions"
  | "groups"
  | `part-${number}`
  | `file-${string}`;

/** A value and the offset of the next one. */
interface ReadValue<T> {
  readonly value: T;
  readonly end: number;
}

/** An item and its report in the plan. */
export interface PlannedItem {
  readonly item: Item;
  readonly planned: ItemReport;
}

/** Maximum items of a transaction or a query. */
export const BATCH_ITEMS = 100;

/** A batch of this size or more gets no further item. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** Groups values. `size` returns the current maximum of a group; large values end it earlier. */
export async function* inBatches<T>(
  values: AsyncIterable<T>,
  size = () => BATCH_ITEMS,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for await (const value of values) {
    batch.push(value);
    bytes += weightOf(value);
    if (batch.length < size() && bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Approximate bytes of a value in memory. */
function weightOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  return Object.values(value).reduce<number>((sum, each) => sum + weightOf(each), 16);
}

/** A folder of the spool; the owner is null if an earlier release made it. */
export interface KeptFolder {
  readonly importId: string;
  readonly owner: string | null;
}

export class ImportFolder {
  readonly #directory: string;
  readonly #meters = new Map<string, SpoolMeter>();

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async open(directory: string): Promise<ImportFolder> {
    await makeSyncedFolder(directory);
    return new ImportFolder(directory);
  }

  /** Adds each write to the import's files to a meter first, until disposed. */
  metered(importId: string, meter: SpoolMeter): Disposable {
    this.#meters.set(importId, meter);
    return { [Symbol.dispose]: () => this.#meters.delete(importId) };
  }

  async bytesOf(owner: string): Promise<number> {
    let bytes = 0;
    for await (const { name } of entriesOf(this.#ownerFolder(owner))) {
      for await (const { name: file } of entriesOf(`${this.#directory}/${name}`)) {
        const path = `${this.#directory}/${name}/${file}`;
        bytes += (await Deno.stat(path).catch(ignoreNotFound))?.size ?? 0;
      }
    }
    return bytes;
  }

  #ownerFolder(owner: string): string {
    return `${this.#directory}/${OWNERS}/${owner}`;
  }

  path(importId: string, file: ImportFile): string {
    return `${this.#folder(importId)}/${file}`;
  }

  #folder(importId: string): string {
    if (!isUlid(importId)) throw new TypeError("An import is named by its identifier");
    return `${this.#directory}/${importId}`;
  }

  /**
   * Makes the folder of an upload and locks it, because its import is not in the database yet.
   *
   * @throws ServiceError `HTTP_503` if the disk accepts no data now.
   */
  async make(owner: string, importId: string): Promise<FileLock> {
    return await writeToDisk(async () => {
      await Deno.mkdir(this.#ownerFolder(owner), { recursive: true, mode: 0o700 });
      await Deno.writeFile(`${this.#ownerFolder(owner)}/${importId}`, new Uint8Array(), {
        mode: 0o600,
      });
      await makeSyncedFolder(this.#folder(importId));
      const lock = await this.hold(importId);
      if (lock === null) throw new Error("Cannot lock a folder that was just made");
      return lock;
    });
  }

  /**
   * Writes a stream to the import's source. When it returns, the bytes survive a crash.
   *
   * @throws ServiceError `HTTP_413` beyond `maximumBytes`, `HTTP_503` if the disk accepts no data
   * now; errors of the stream and of the meter.
   */
  async receive(
    importId: string,
    stream: ReadableStream<Uint8Array>,
    maximumBytes: number,
  ): Promise<{ readonly size: number; readonly sha256: string }> {
    const path = this.path(importId, "source");
    using file = await writeToDisk(() => Deno.open(path, NEW_FILE));
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > maximumBytes) {
        throw new ServiceError("HTTP_413", { details: { limit: maximumBytes } });
      }
      hash.update(chunk);
      await this.append(importId, file, chunk);
    }
    await writeToDisk(async () => {
      await file.sync();
      await syncPath(this.#folder(importId));
    });
    return { size, sha256: hash.digest("hex") };
  }

  /** Begins a file of JSON, a value a line. Readers see the previous file until `end`. */
  async writer(importId: string, file: ImportFile): Promise<LineWriter> {
    const path = this.path(importId, file);
    const opened = await writeToDisk(() => Deno.open(unfinished(path), NEW_FILE));
    return new LineWriter(path, opened, (bytes) => this.append(importId, opened, bytes));
  }

  /** Writes an unpacked file, or an archive of the archive; returns its path. */
  async writePart(
    importId: string,
    index: number,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<string> {
    const path = this.path(importId, `part-${index}`);
    using file = await writeToDisk(() => Deno.open(path, NEW_FILE));
    for await (const chunk of chunks) await this.append(importId, file, chunk);
    return path;
  }

  /**
   * Writes bytes to a file of the import.
   *
   * @throws ServiceError `HTTP_503` if the disk accepts no data now; errors of the meter.
   */
  async append(importId: string, file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
    await this.#meters.get(importId)?.add(bytes.length);
    await writeToDisk(() => writeAll(file, bytes));
  }

  async write(importId: string, file: ImportFile, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const path = this.path(importId, file);
    await this.#meters.get(importId)?.add(bytes.length);
    await writeToDisk(async () => {
      await writeSynced(unfinished(path), bytes);
      await Deno.rename(unfinished(path), path);
    });
  }

  /** A file's text; null if it does not exist. */
  async read(importId: string, file: ImportFile): Promise<string | null> {
    return await Deno.readTextFile(this.path(importId, file)).catch(ignoreNotFound) ?? null;
  }

  async has(importId: string, file: ImportFile): Promise<boolean> {
    return await Deno.stat(this.path(importId, file)).catch(ignoreNotFound) !== undefined;
  }

  /** The values of a file of JSON, from the `end` of an earlier one. */
  async *values<T>(importId: string, file: ImportFile, offset = 0): AsyncGenerator<ReadValue<T>> {
    using opened = await Deno.open(this.path(importId, file));
    await opened.seek(offset, Deno.SeekMode.Start);
    let end = offset;
    for await (const { bytes } of splitLines(readChunks(opened, READ_BYTES), LINE_BYTES)) {
      end += bytes.length + 1;
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
      yield { value: JSON.parse(text), end };
    }
  }

  /** The items of the file. Release 2.0.0 stored neither former keys nor earlier targets. */
  async *items(importId: string): AsyncGenerator<Item> {
    for await (const { value } of this.values<Item>(importId, "items")) {
      yield { ...value, former: value.former ?? null, earlier: value.earlier ?? null };
    }
  }

  /**
   * Ends a plan. Earlier releases do not find it: they know no former keys, and would bring in
   * items again. A plan of theirs is the newer one, as this removes it.
   */
  async endPlan(importId: string, reports: LineWriter): Promise<void> {
    await reports.end();
    await Deno.remove(this.path(importId, "plan")).catch(ignoreNotFound);
  }

  /** The file of the plan; null without one. */
  async planFile(importId: string): Promise<"plan" | "reports" | null> {
    if (await this.has(importId, "plan")) return "plan";
    return await this.has(importId, "reports") ? "reports" : null;
  }

  /** The items and their reports; none without a plan. */
  async *plan(importId: string): AsyncGenerator<PlannedItem> {
    const file = await this.planFile(importId);
    if (file === null) return;
    await using plans = this.values<ItemReport>(importId, file);
    for await (const item of this.items(importId)) {
      const next: IteratorResult<ReadValue<ItemReport>> = await plans.next();
      if (next.done) throw new Error("A plan is shorter than its items");
      yield { item, planned: shownReport(next.value.value) };
    }
  }

  /** Locks an import for this process; null if another one works on it. */
  async hold(importId: string): Promise<FileLock | null> {
    await Deno.mkdir(this.#folder(importId), { recursive: true, mode: 0o700 });
    const lock = await takeFileLock(`${this.#folder(importId)}/lock`);
    return "heldBy" in lock ? null : lock;
  }

  async remove({ importId, owner }: KeptFolder): Promise<void> {
    await Deno.remove(this.#folder(importId), { recursive: true }).catch(ignoreNotFound);
    if (owner === null) return;
    await Deno.remove(`${this.#ownerFolder(owner)}/${importId}`).catch(ignoreNotFound);
  }

  /** Removes parts and unfinished files, which are written again, of imports without a process. */
  async removeRewritten(): Promise<void> {
    for (const { importId } of await this.list()) {
      const lock = await this.hold(importId);
      if (lock === null) continue;
      for await (const { name } of entriesOf(this.#folder(importId))) {
        if (/^part-|\.new$/.test(name)) await Deno.remove(`${this.#folder(importId)}/${name}`);
      }
      lock.release();
    }
  }

  async list(): Promise<readonly KeptFolder[]> {
    const owners = new Map<string, string>();
    for await (const { name: owner } of entriesOf(`${this.#directory}/${OWNERS}`)) {
      for await (const { name } of entriesOf(this.#ownerFolder(owner))) owners.set(name, owner);
    }
    for await (const { name, isDirectory } of entriesOf(this.#directory)) {
      if (isDirectory && isUlid(name) && !owners.has(name)) owners.set(name, "");
    }
    return Array.from(owners, ([importId, owner]) => ({ importId, owner: owner || null }));
  }
}

/** The entries of a folder; none if it does not exist. */
async function* entriesOf(path: string): AsyncGenerator<Deno.DirEntry> {
  try {
    yield* Deno.readDir(path);
  } catch (error) {
    ignoreNotFound(error);
  }
}

/** The path of a file until it is complete. */
function unfinished(path: string): string {
  return `${path}.new`;
}

/** Writes a file of JSON, a value a line. */
class LineWriter implements AsyncDisposable {
  readonly #path: string;
  readonly #file: Deno.FsFile;
  readonly #append: (bytes: Uint8Array) => Promise<void>;
  #lines: string[] = [];
  #length = 0;

  /**
   * @param file Open for writing, under an unfinished name of the path.
   * @param append Writes to it.
   */
  constructor(path: string, file: Deno.FsFile, append: (bytes: Uint8Array) => Promise<void>) {
    this.#path = path;
    this.#file = file;
    this.#append = append;
  }

  async write(value: unknown): Promise<void> {
    const line = `${JSON.stringify(value)}\n`;
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= WRITE_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    const bytes = new TextEncoder().encode(this.#lines.join(""));
    [this.#lines, this.#length] = [[], 0];
    await this.#append(bytes);
  }

  /**
   * Writes the rest and moves the file to its path. When it returns, the file survives a power
   * loss.
   */
  async end(): Promise<void> {
    await this.flush();
    await writeToDisk(async () => {
      await this.#file.sync();
      await moveSynced(unfinished(this.#path), this.#path);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#file.close();
    return Promise.resolve();
  }
}
