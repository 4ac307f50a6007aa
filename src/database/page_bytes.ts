/**
 * The maximum size of a list page. A page ends before `PAGE_BYTES`, and then has a next page as if
 * it had reached its limit; it contains at least one item.
 *
 * A page has at most 100 items, so this only matters for items of more than 80 KiB. Texts are
 * counted in code points, each of which has at most 4 bytes in JSON, or 6 if control characters are
 * allowed:
 *
 *   list                                                  maximum of an item             of 100
 *   audit, access events, sessions, tokens, attachments,  4 KiB                          0.4 MiB
 *     exports, assignments, drills
 *   status events, timeline, dates of people, steps of a  3 KiB                          0.3 MiB
 *     proposal, search results
 *   overload analyses                                     500 items × 140                6.8 MiB
 *   records, their revisions                              512 KiB + 1,000 × 6 + 200 × 4  51 MiB
 *   executions                                            no limit of its own            no bound
 *   memories, their revisions, slices                     3 texts + 13 KiB               173 MiB
 *   drafts                                                2 texts, in JSON               116 MiB
 *   revisions of a profile, snapshots                     2 texts + 20 KiB               117 MiB
 *   comparisons                                           4 texts + 40 KiB, in JSON      233 MiB
 *   stages, their revisions, roles                        1 text + 3 KiB                 58 MiB
 *   resources, their revisions, snapshots                 1 text + 5 KiB                 58 MiB
 *   people, their revisions                               3 texts + 3 KiB                172 MiB
 *   details                                               7 × 2,000 × 6 + 15 KiB         9.7 MiB
 *   contacts, experiences, evidence                       1 text + 4 KiB                 58 MiB
 *   proposals, evaluations                                1 text + 2 KiB                 58 MiB
 *   terms, their revisions, use, search                   1 text + 20 KiB                59 MiB
 *   the network                                           2 texts + 10 KiB               116 MiB
 *   analyses, their revisions                             1,000 × 128 × 4 + 100 KiB      60 MiB
 *   simulations, their revisions                          1,000 × 200 × 4 + 300 KiB      106 MiB
 *
 * A text is 100,000 × 6 bytes.
 *
 * Lists from records on have `LongColumns`; the others need no limit. An export of version 1, whose
 * items are records with all their revisions, counts its bytes itself
 * (`src/records/export_part.ts`).
 */

import { Buffer } from "node:buffer";
import { identifier, type Query, type Sql } from "./sql.ts";

/** Bytes of JSON, unless one item alone is larger. */
export const PAGE_BYTES = 8 * 1024 * 1024;

/** Maximum bytes of an item besides its long columns; a memory comes closest. */
const OTHER_BYTES = 16 * 1024;

/** Columns that can make a list's page too large. */
export interface LongColumns {
  /** How the columns are sent: JSON as stored, a text escaped. */
  readonly kind: "json" | "text";
  /** Columns by name in the rows. The first one is never null. */
  readonly columns: Readonly<Record<string, Query<object>>>;
  /** Rows whose long columns the reader may not see: they are read as empty. */
  readonly hidden: Query<object> | null;
}

/** The long columns for a select list: null for rows of more than `most` bytes. */
export function smallColumns(sql: Sql, long: LongColumns, most: number): Query<object> {
  const bytes = storedBytes(sql, long);
  return selectEach(
    sql,
    long,
    (column) => sql`case when ${bytes} <= ${most}::integer then ${column}::text end`,
  );
}

/** True if `smallColumns` has left out the row's long columns. */
export function isLarge(row: object, { columns }: LongColumns): boolean {
  const [first = ""] = Object.keys(columns);
  return (row as Record<string, unknown>)[first] === null;
}

export interface SizedRow {
  /** The stored size of the long columns. */
  readonly bytes: number;
}

export function sizeColumn(sql: Sql, long: LongColumns): Query<object> {
  return sql`${storedBytes(sql, long)} as bytes`;
}

/** The long columns for a select list, of any size. */
export function wholeColumns(sql: Sql, long: LongColumns): Query<object> {
  return selectEach(sql, long, (column) => sql`${column}::text`);
}

function selectEach(
  sql: Sql,
  long: LongColumns,
  read: (column: Query<object>) => Query<object>,
): Query<object> {
  return Object.entries(long.columns)
    .map(([name, column]) =>
      sql`${unlessHidden(sql, long, sql`''`, read(column))} as ${identifier(sql, name)}`
    )
    .reduce((all, column) => sql`${all}, ${column}`);
}

/** The stored size of the long columns, which the server knows without reading them. */
function storedBytes(sql: Sql, long: LongColumns): Query<object> {
  const sum = Object.values(long.columns)
    .map((column) => sql`coalesce(octet_length(${column}::text), 0)`)
    .reduce((all, column) => sql`${all} + ${column}`);
  return unlessHidden(sql, long, sql`0`, sql`(${sum})`);
}

function unlessHidden(
  sql: Sql,
  { hidden }: LongColumns,
  instead: Query<object>,
  shown: Query<object>,
): Query<object> {
  return hidden === null ? shown : sql`case when ${hidden} then ${instead} else ${shown} end`;
}

/** The size of long columns up to which `count` rows never exceed a page. */
export function smallEnough(count: number): number {
  return Math.floor(PAGE_BYTES / count) - OTHER_BYTES;
}

/** How many rows of these stored sizes a page holds; at least one. */
export function countFitting(sizes: readonly number[]): number {
  let bytes = 0;
  const end = sizes.findIndex((size, index) => {
    bytes += size + OTHER_BYTES;
    return index > 0 && bytes > PAGE_BYTES;
  });
  return end === -1 ? sizes.length : end;
}

/** How many rows a page holds by their size in JSON, once the long columns are read. */
export function countFittingInJson(
  rows: readonly object[],
  { kind, columns }: LongColumns,
): number {
  // The stored size of JSON is the size that is sent.
  if (kind === "json") return rows.length;
  const texts = rows.map((row) =>
    Object.keys(columns).map((name) => (row as Record<string, string | null>)[name] ?? "")
  );
  const units = texts.flat().reduce((sum, text) => sum + text.length, 0);
  // Nearly every page ends here: a UTF-16 unit has at most six bytes.
  if (units * 6 + rows.length * OTHER_BYTES <= PAGE_BYTES) return rows.length;
  return countFitting(
    texts.map((row) => row.reduce((sum, text) => sum + bytesInJson(text), 0)),
  );
}

function bytesInJson(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
