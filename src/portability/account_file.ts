/**
 * Reads an account file with any content line by line, in bounded memory. Checks form, order,
 * members, times, digest and counts; the database checks relations between rows.
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { withClockTolerance } from "../core/clock.ts";
import { firstIdAt } from "../core/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { LineTooLongError, readChunks, splitLines } from "../core/lines.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { decodeJsonBytes } from "../validate/json_safety.ts";
import { AttachmentBytes, BytesLines } from "./attachment_bytes.ts";
import { type Columns, type LineType, membersOf } from "./description.ts";
import { refuseImport } from "./import_rules.ts";
import { CONTINUED, type FileForm, LOST, manifestLine } from "./json_lines.ts";
import type { Bounds } from "./kinds.ts";
import type { RowCounts } from "./export_format.ts";

/** Bytes per read. Between two reads, other requests are served. */
const CHUNK_BYTES = 64 * 1024;
/** Twice the largest row: a decision with four texts of 100,000 escaped characters. */
const LINE_BYTES = 8 * 1024 * 1024;
/** A payload may have 32 levels, and is inside a revision, a list and a line. */
const CEILINGS = { depth: 35, nodes: 1_000_000, storedIntegers: true };

export type FileLine =
  | {
    readonly kind: "row";
    readonly type: LineType;
    readonly row: JsonObject;
    readonly below: NestedRows;
    /** True for an attachment without bytes. */
    readonly isLost: boolean;
  }
  | { readonly kind: "more"; readonly type: LineType; readonly below: NestedRows }
  /** Bytes of the last row's attachment, valid until the next entry is read. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** The end of the file. Trust nothing that was read before it. */
  | { readonly kind: "end"; readonly counts: RowCounts };

export type NestedRows = Readonly<Record<string, readonly JsonObject[]>>;

/** @throws as `readAccountLines`. */
export async function* readAccountFile(
  path: string,
  now: Date,
  form: FileForm,
): AsyncGenerator<FileLine> {
  using file = await Deno.open(path);
  yield* readAccountLines(readChunks(file, CHUNK_BYTES), now, form);
}

/**
 * Parses a file's entries. An error is thrown at its line, before any byte after that line's chunk
 * is read.
 *
 * @throws ServiceError `PAYLOAD_INVALID` with an `ImportRule`, or a rule of JSON.
 */
export async function* readAccountLines(
  chunks: AsyncIterable<Uint8Array>,
  now: Date,
  form: FileForm,
): AsyncGenerator<FileLine> {
  const reader = new LineReader(form, boundsAt(now));
  try {
    for await (const { bytes, isEnded } of splitLines(chunks, LINE_BYTES)) {
      if (!isEnded) refuseImport("import.line_end");
      const entry = reader.read(bytes);
      if (entry !== null) yield entry;
    }
  } catch (error) {
    throw error instanceof LineTooLongError ? refuseImport("import.line_length") : error;
  }
  yield reader.end();
}

function boundsAt(now: Date): Bounds {
  const latest = withClockTolerance(now);
  // The first identifier of the next millisecond.
  return { time: latest.toISOString(), id: firstIdAt(new Date(latest.getTime() + 1)) };
}

class LineReader {
  readonly #form: FileForm;
  readonly #bounds: Bounds;
  readonly #hash = createHash("sha256");
  readonly #counts: Record<string, number>;
  #state: "head" | "lines" | "end" = "head";
  #row: OpenRow | null = null;
  #attachment: AttachmentBytes | null = null;
  readonly #bytesLines = new BytesLines();

  constructor(form: FileForm, bounds: Bounds) {
    this.#form = form;
    this.#bounds = bounds;
    this.#counts = Object.fromEntries(form.types.map(({ type }) => [type, 0]));
  }

  /** Reads a line; null for the first and the last one. */
  read(line: Uint8Array): FileLine | null {
    if (this.#state === "end") refuseImport("import.manifest");
    const bytes = this.#attachment === null ? null : this.#bytesLines.read(line);
    if (bytes !== null) {
      this.#attachment?.add(bytes);
      this.#addToDigest(line);
      return { kind: "bytes", bytes };
    }
    const value = this.#parse(line);
    if (this.#state === "head") return this.#readHead(value, line);
    if ("manifest" in value) return this.#readManifest(value, line);
    this.#addToDigest(line);
    if (value.type === CONTINUED) return this.#readMore(value);
    return this.#readRow(value);
  }

  end(): FileLine {
    if (this.#state !== "end") refuseImport("import.manifest");
    return { kind: "end", counts: this.#counts };
  }

  #parse(line: Uint8Array): JsonObject {
    const value = decodeJsonBytes(line, CEILINGS);
    const isCanonical = Buffer.from(canonicalJson(value)).equals(line);
    return isCanonical && isJsonObject(value) ? value : refuseImport("import.canonical");
  }

  #addToDigest(line: Uint8Array): void {
    this.#hash.update(line).update("\n");
  }

  #readHead({ format, version }: JsonObject, line: Uint8Array): null {
    const { headLine } = this.#form;
    const expected = JSON.parse(headLine);
    if (format !== expected.format) refuseImport("import.format");
    if (version !== expected.version) refuseImport("import.version");
    if (!Buffer.from(headLine).equals(line)) refuseImport("import.format");
    this.#addToDigest(line);
    this.#state = "lines";
    return null;
  }

  #readRow(value: JsonObject): FileLine {
    this.#attachment?.end();
    const place = this.#form.types.findIndex(({ type }) => type === value.type);
    const type = this.#form.types[place];
    if (type === undefined) return refuseImport("import.type");
    const isLost = type.hasBytes && value[LOST] === true;
    const row = this.#checkRow(type, value, isLost ? 1 : 0);
    const open = new OpenRow(type, place, row);
    if (this.#row !== null) open.assertAfter(this.#row);
    this.#row = open;
    this.#attachment = type.hasBytes && !isLost ? AttachmentBytes.of(row) : null;
    this.#counts[type.type] = (this.#counts[type.type] ?? 0) + 1;
    return { kind: "row", type, row, below: this.#readLists(open, value), isLost };
  }

  /** @param marks Number of members other than columns, lists and the type. */
  #checkRow(
    { columns, lists, accepts }: LineType,
    value: JsonObject,
    marks: number,
  ): JsonObject {
    if (lists.some(({ member }) => !(member in value))) refuseImport("import.member");
    const row = checkMembers(columns, value, 1 + lists.length + marks, this.#bounds);
    return accepts(row, row) ? row : refuseImport("import.value");
  }

  #readMore({ type: _, ...lists }: JsonObject): FileLine {
    if (this.#row === null || this.#attachment !== null) return refuseImport("import.type");
    const { type } = this.#row;
    const known = type.lists.map(({ member }) => member);
    const names = Object.keys(lists);
    if (names.length === 0 || !names.every((name) => known.includes(name))) {
      refuseImport("import.member");
    }
    return { kind: "more", type, below: this.#readLists(this.#row, lists) };
  }

  /** A line's lists, each continuing the order of earlier lines. */
  #readLists(open: OpenRow, value: JsonObject): NestedRows {
    const below: Record<string, readonly JsonObject[]> = {};
    const { type: { lists, accepts }, row: above } = open;
    for (const [place, { member, columns }] of lists.entries()) {
      const items = value[member];
      if (items === undefined) continue;
      if (!Array.isArray(items)) return refuseImport("import.value");
      const [order = ""] = Object.keys(columns);
      below[member] = items.map((item) => {
        if (!isJsonObject(item)) return refuseImport("import.value");
        const row = checkMembers(columns, item, 0, this.#bounds);
        if (!accepts(row, above)) return refuseImport("import.value");
        open.assertNext(place, row[order] ?? null);
        return row;
      });
    }
    return below;
  }

  #readManifest({ manifest, ...others }: JsonObject, line: Uint8Array): null {
    this.#attachment?.end();
    const isManifest = isJsonObject(manifest) && isJsonObject(manifest.counts) &&
      Object.keys(others).length === 0 && Object.keys(manifest).length === 2;
    if (!isManifest) refuseImport("import.manifest");
    // A file of an earlier release does not count the types that it did not know.
    const { counts: stated } = manifest;
    const counted = Object.entries(this.#counts).filter(([type, count]) =>
      count > 0 || type in (stated as JsonObject)
    );
    const counts = Object.fromEntries(counted);
    if (canonicalJson(stated ?? null) !== canonicalJson(counts)) refuseImport("import.counts");
    const expected = manifestLine(counts, this.#hash.digest("hex"));
    if (!Buffer.from(expected).equals(line)) refuseImport("import.digest");
    this.#state = "end";
    return null;
  }
}

/** A row that further lines may continue, and the position of its lists. */
class OpenRow {
  readonly type: LineType;
  readonly row: JsonObject;
  readonly #place: number;
  readonly #key: readonly string[];
  #list = 0;
  #last: JsonValue = null;

  constructor(type: LineType, place: number, row: JsonObject) {
    this.type = type;
    this.row = row;
    this.#place = place;
    this.#key = type.key.map((name) => String(row[name]));
  }

  /** Rejects a row that does not sort after `other`. */
  assertAfter(other: OpenRow): void {
    if (this.#place < other.#place) refuseImport("import.order");
    if (this.#place > other.#place) return;
    const index = this.#key.findIndex((part, index) => part !== other.#key[index]);
    if (index === -1) refuseImport("import.repeated");
    if ((this.#key[index] ?? "") < (other.#key[index] ?? "")) refuseImport("import.order");
  }

  assertNext(list: number, order: JsonValue): void {
    if (list < this.#list) refuseImport("import.order");
    const last = list === this.#list ? this.#last : null;
    if (last !== null && order !== null) {
      if (order === last) refuseImport("import.repeated");
      if (order < last) refuseImport("import.order");
    }
    [this.#list, this.#last] = [list, order];
  }
}

/**
 * Converts an object to a row, by column names.
 *
 * @param others Number of its additional members.
 */
function checkMembers(
  columns: Columns,
  value: JsonObject,
  others: number,
  bounds: Bounds,
): JsonObject {
  const members = membersOf(columns);
  const absent = members.filter(({ member, kind }) =>
    kind.isAdded && !Object.hasOwn(value, member)
  );
  if (Object.keys(value).length !== members.length - absent.length + others) {
    refuseImport("import.member");
  }
  const row: JsonObject = {};
  for (const { column, member, kind } of members) {
    const shown = kind.isAdded ? value[member] ?? null : value[member];
    if (shown === undefined) return refuseImport("import.member");
    if (kind.isSparse && value[member] === null) refuseImport("import.value");
    if (!kind.accepts(shown)) refuseImport("import.value");
    if (kind.bound !== null && shown !== null && shown > bounds[kind.bound]) {
      refuseImport("import.future");
    }
    row[column] = shown;
  }
  return row;
}
