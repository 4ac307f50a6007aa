/** A table of a file: the file itself, or one of the tables in an archive. */

import { payloadInvalid } from "../../errors/service_error.ts";
import { type Archive, type Entry, isHiddenName } from "../archive/archive.ts";
import type { ByteSource } from "../archive/file_source.ts";
import type { OpenedTable } from "./converter.ts";
import type { ReadingOptions } from "./csv_reading.ts";
import { isUtf8, openText, type ReadBytes, type ReadLines } from "./lines.ts";

const TABLE = /\.(?:csv|tsv|tab|txt)$/i;
/** Names in the detail of an import. */
const MAX_TABLES = 100;

export interface Table {
  /** The path in the archive; null for a bare file. */
  readonly entry: string | null;
  readonly lines: ReadLines;
  readonly isUtf16: boolean;
  readonly chunks: ReadBytes;
}

/** Opens the table that the options name, else the largest one; null if there is none. */
export async function openTable(
  { file, archive }: OpenedTable,
  { table, encoding }: ReadingOptions,
): Promise<Table | null> {
  const found = findTable(file, archive, table);
  if (found === null) return null;
  const { entry, chunks } = found;
  return { entry, chunks, ...await openText(chunks, encoding) };
}

function findTable(
  file: ByteSource,
  archive: Archive | null,
  path: string | undefined,
): Pick<Table, "entry" | "chunks"> | null {
  if (archive === null) {
    return path === undefined ? { entry: null, chunks: () => file.stream() } : null;
  }
  const entry = path === undefined ? largestTables(archive)[0] : archive.find(path);
  if (entry === undefined || !TABLE.test(entry.name) || isHiddenName(entry.name)) return null;
  return { entry: entry.name, chunks: entry.bytes };
}

/** The largest tables in an archive, in the order of their sizes. */
export function largestTables(archive: Archive): readonly Entry[] {
  const tables = archive.matching(TABLE);
  return tables.toSorted((one, other) => other.size - one.size).slice(0, MAX_TABLES);
}

/** Paths of the tables in an archive, in its order. */
export function tableNames(archive: Archive | null): readonly string[] {
  return (archive?.matching(TABLE) ?? []).slice(0, MAX_TABLES).map(({ name }) => name);
}

/** The encoding as reports show it. */
export async function encodingOf(
  { isUtf16, chunks }: Table,
  { encoding }: ReadingOptions,
): Promise<string> {
  if (isUtf16) return "utf-16";
  return await isUtf8(chunks()) ? "utf-8" : encoding ?? "unknown";
}

/** @throws ServiceError `PAYLOAD_INVALID`, rule `mapping.table`. */
export function refuseTable(): never {
  throw payloadInvalid(["mapping.table"], ["table"]);
}
