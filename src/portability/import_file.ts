/** The first reading of an account file: it checks everything and writes no row. */

import {
  MAX_ATTACHMENT_BYTES,
  OWNER_QUOTA_ATTACHMENTS,
  OWNER_QUOTA_BYTES,
} from "../attachments/attachment.ts";
import type { ObjectStore, ReceivedObject } from "../attachments/object_store.ts";
import type { JsonObject } from "../core/json.ts";
import type { Sql } from "../database/sql.ts";
import type { FileLine } from "./account_file.ts";
import type { RowCounts } from "./export_format.ts";
import { refuseImport } from "./import_rules.ts";

/** Attachments that were received, but are not yet stored. */
export class ReceivedAttachments implements AsyncDisposable {
  readonly #owner: string;
  readonly #rows: JsonObject[] = [];
  #kept: readonly JsonObject[] | null = null;
  #received = 0;
  readonly #objects = new Map<string, ReceivedObject>();

  constructor(owner: string) {
    this.#owner = owner;
  }

  /** Adds one whose bytes are lost. */
  add(row: JsonObject): void {
    this.#rows.push(row);
    this.#received += Number(row.size);
    if (this.#rows.length > OWNER_QUOTA_ATTACHMENTS || this.#received > OWNER_QUOTA_BYTES) {
      refuseImport("import.quota");
    }
  }

  /** Receives one; equal bytes are stored once. */
  async receive(
    row: JsonObject,
    bytes: AsyncIterable<Uint8Array>,
    objects: Pick<ObjectStore, "spool">,
  ): Promise<void> {
    this.add(row);
    const sha256 = String(row.sha256);
    const stream = ReadableStream.from(bytes);
    const received = await objects.spool(this.#owner, stream, MAX_ATTACHMENT_BYTES);
    if (this.#objects.has(sha256)) await received.discard();
    else this.#objects.set(sha256, received);
  }

  /** The rows that are kept; all of them by default. */
  get rows(): readonly JsonObject[] {
    return this.#kept ?? this.#rows;
  }

  /** Bytes of the rows that are kept. */
  get bytes(): number {
    return this.rows.reduce((sum, { size }) => sum + Number(size), 0);
  }

  /** Keeps only some. May be called again by a retried transaction. */
  keep(accepts: (row: JsonObject) => boolean): void {
    this.#kept = this.#rows.filter(accepts);
  }

  /** Stores all bytes in the transaction of the rows; see `ReceivedObject.store`. */
  async store(sql: Sql): Promise<void> {
    const kept = new Set(this.rows.map(({ sha256 }) => String(sha256)));
    for (const [sha256, object] of this.#objects) if (kept.has(sha256)) await object.store(sql);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const object of this.#objects.values()) await object.discard();
  }
}

/**
 * Reads all entries and receives the attachments.
 *
 * @throws ServiceError `PAYLOAD_INVALID`; `HTTP_503` if the disk accepts no data now.
 */
export async function checkAccount(
  source: AsyncGenerator<FileLine>,
  attachments: ReceivedAttachments,
  objects: Pick<ObjectStore, "spool">,
): Promise<RowCounts> {
  const entries = new Entries(source);
  try {
    while (true) {
      const entry = await entries.next();
      if (entry.kind === "end") return entry.counts;
      if (entry.kind !== "row" || !entry.type.hasBytes) continue;
      if (entry.isLost) attachments.add(entry.row);
      else await attachments.receive(entry.row, entries.bytes(), objects);
    }
  } finally {
    await entries.close();
  }
}

/** The entries of a file, with a look at the next one. */
class Entries {
  readonly #source: AsyncGenerator<FileLine, void>;
  #seen: FileLine | null = null;

  constructor(source: AsyncGenerator<FileLine, void>) {
    this.#source = source;
  }

  async next(): Promise<FileLine> {
    const seen = this.#seen;
    this.#seen = null;
    if (seen !== null) return seen;
    const { value } = await this.#source.next();
    if (value === undefined) throw new Error("Read past the last entry");
    return value;
  }

  /** Returns the following bytes, which the reader of the file checks. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    let entry = await this.next();
    for (; entry.kind === "bytes"; entry = await this.next()) yield entry.bytes;
    this.#seen = entry;
  }

  async close(): Promise<void> {
    await this.#source.return();
  }
}
