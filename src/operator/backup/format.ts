/**
 * The format of a backup: JSON in UTF-8, one value per line, compressed by gzip. A line's first
 * character identifies its kind.
 *
 *   ["prs-backup",1,{"schema":15,"createdAt":"2026-11-20T12:00:00.000Z", …}]
 *   ["table","accounts"]            the rows of this table follow
 *   {"account_id":"01KA…", …}       a row: its columns by name
 *   ["object","01KA…","5e8f…",12]   the bytes of an attachment follow: owner, SHA-256 in hex, size
 *   "aGVsbG8gd29ybGQh"              a part of them, in base64
 *   ["lost","01KA…"]                an attachment whose bytes were missing or damaged
 *   ["manifest",{"tables":{"accounts":{"rows":1,"sha256":"…"}, …},
 *                "objects":{"count":1,"bytes":12},"lost":["01KA…"],
 *                "seals":{"01KA…/audit":"…", …},"sha256":"…"}]
 *
 * Rows have the form of PostgreSQL's `row_to_json`: timestamps in ISO 8601 and UTC, binary values
 * as `\x` and hex. A `json` column is a string with exactly its stored text. Generated columns and
 * transaction numbers are omitted.
 *
 * The manifest is last; its own `sha256` covers every line before it, with line ends. A table's is
 * the exclusive or of its rows' SHA-256, because two servers may sort a key differently. `lost`, if
 * any, has the attachments without bytes in the file. `seals`, if any, has the digest of each
 * trail's newest seal, to verify later that a trail was not cut.
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { sha256Hex } from "../../core/digest.ts";

const FORMAT = "prs-backup";
/** The version of the format, not of the schema. */
const FORMAT_VERSION = 1;
/**
 * The steps that `schema` counts: those of `sql/` since the rewrite before the first release. Older
 * backups have no such mark.
 */
const STEPS = 2;
const SEALS = "audit_seals";

export interface Head {
  readonly schema: number;
  readonly createdAt: string;
  /** The server secret; null unless it was requested. */
  readonly serverSecret: string | null;
}

/** Attachments' bytes with one owner and one content. */
export interface BackedUpObject {
  readonly owner: string;
  /** Hex. */
  readonly sha256: string;
  readonly size: number;
}

export interface TableSum {
  readonly rows: number;
  /** Hex. */
  readonly sha256: string;
}

export interface Manifest {
  readonly tables: Readonly<Record<string, TableSum>>;
  readonly objects: { readonly count: number; readonly bytes: number };
  /** Identifiers of the attachments whose bytes are not in the file; absent if there are none. */
  readonly lost?: readonly string[];
  /** Hex, by account and kind of trail; absent in backups older than seals. */
  readonly seals?: Readonly<Record<string, string>>;
  /** Hex, of all lines before. */
  readonly sha256: string;
}

export interface Contents {
  readonly head: Head;
  readonly manifest: Manifest;
}

export function describeContents({ head, manifest }: Contents): string {
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  const { count, bytes } = manifest.objects;
  return `${rows} rows and ${count} files (${bytes} bytes), as they were at ${head.createdAt}`;
}

export function headLine(head: Head): string {
  return JSON.stringify([FORMAT, FORMAT_VERSION, { ...head, steps: STEPS }]);
}

/** Parses the first line; null for another form or version. */
export function readHeadLine(line: string): Head | "replaced steps" | null {
  const [format, version, marked] = JSON.parse(line);
  if (format !== FORMAT || version !== FORMAT_VERSION) return null;
  const { steps, ...head } = marked;
  return steps === STEPS ? head : "replaced steps";
}

export function tableLine(table: string): string {
  return JSON.stringify(["table", table]);
}

export function objectLine({ owner, sha256, size }: BackedUpObject): string {
  return JSON.stringify(["object", owner, sha256, size]);
}

export function lostLine(attachmentId: string): string {
  return JSON.stringify(["lost", attachmentId]);
}

export function bytesLine(bytes: Uint8Array): string {
  return `"${Buffer.from(bytes).toString("base64")}"`;
}

export function manifestLine(manifest: Manifest): string {
  return JSON.stringify(["manifest", manifest]);
}

export class TableTally {
  #rows = 0;
  #digest = 0n;

  add(line: string): void {
    this.#digest ^= BigInt(`0x${sha256Hex(line)}`);
    this.#rows++;
  }

  sum(): TableSum {
    return { rows: this.#rows, sha256: this.#digest.toString(16).padStart(64, "0") };
  }
}

/** Counts seals, and remembers the newest of each trail; rows are in the order of their key. */
class SealTally extends TableTally {
  readonly newest: Record<string, string> = {};

  override add(line: string): void {
    super.add(line);
    const { account_id, kind, digest } = JSON.parse(line);
    this.newest[`${account_id}/${kind}`] = String(digest).replace("\\x", "");
  }
}

export class Tally {
  readonly #hash = createHash("sha256");
  readonly #tables = new Map<string, TableTally>();
  readonly #objects = { count: 0, bytes: 0 };
  readonly #lost: string[] = [];

  line(text: string): void {
    this.#hash.update(`${text}\n`);
  }

  /** Lines that are encoded already, with their ends. */
  lines(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** The table's count; created on first use. */
  table(name: string): TableTally {
    const tally = this.#tables.get(name) ??
      (name === SEALS ? new SealTally() : new TableTally());
    this.#tables.set(name, tally);
    return tally;
  }

  object({ size }: BackedUpObject): void {
    this.#objects.count++;
    this.#objects.bytes += size;
  }

  lost(attachmentId: string): void {
    this.#lost.push(attachmentId);
  }

  manifest(): Manifest {
    const tables = Array.from(this.#tables, ([name, tally]) => [name, tally.sum()] as const);
    const seals = this.#tables.get(SEALS);
    return {
      tables: Object.fromEntries(tables),
      objects: { ...this.#objects },
      ...this.#lost.length > 0 && { lost: [...this.#lost] },
      ...seals instanceof SealTally ? { seals: seals.newest } : {},
      sha256: this.#hash.digest("hex"),
    };
  }
}
