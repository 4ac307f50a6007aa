/** Thousands of roots, written past the application: data for query plans. */

import { ledgerRow, projectionOf, type RootKind } from "./family_rows.ts";
import { AT, literal, revisionOf, type Row } from "./rows.ts";

/** The n-th identifier with a prefix. */
export function idOf(beginning: string, number: number): string {
  return beginning + String(number).padStart(26 - beginning.length, "0");
}

/** `idOf` in SQL, for the number `i`. */
export function idsSql(beginning: string): string {
  return `'${beginning}' || lpad(i::text, ${26 - beginning.length}, '0')`;
}

/** Rows 1 to `count`, equal except for columns given as SQL in terms of `i`. */
export function insertMany(
  table: string,
  row: Row,
  count: number,
  numbered: Readonly<Record<string, string>>,
): string {
  const values = Object.entries(row).map(([column, value]) => numbered[column] ?? literal(value));
  return `insert into ${table} (${Object.keys(row).join(", ")})
            select ${values.join(", ")} from generate_series(1, ${count}) i;`;
}

/**
 * Many first revisions like one root, under its existing parents. A third is archived, if possible.
 *
 * @param columns Further columns as SQL in terms of `i`.
 */
export function insertManyRows(
  kind: RootKind,
  row: Row,
  count: number,
  beginning: string,
  columns: Readonly<Record<string, string>> = {},
): string {
  const own = { [kind.id]: idsSql(beginning), revision_id: idsSql(`${beginning}R`) };
  const archived = { archived_at: `case when i % 3 = 0 then timestamptz '${AT}' end` };
  const numbered = { ...own, ...archived, ...columns };
  return [
    projectMany(kind, row, count, own),
    insertMany(kind.root, row, count, numbered),
    insertMany(kind.ledger, ledgerRow(kind, row), count, numbered),
  ].join("\n");
}

function projectMany(
  kind: RootKind,
  row: Row,
  count: number,
  { [kind.id]: record_id = "", revision_id = "" }: Readonly<Record<string, string>>,
): string {
  if (kind.module === undefined) return "";
  const record = projectionOf(kind, row);
  const numbered = { record_id, revision_id };
  return insertMany("records", record, count, numbered) +
    insertMany("record_revisions", revisionOf(record), count, numbered);
}

/** One root with many revisions, under existing parents. */
export function insertManyRevisions(kind: RootKind, row: Row, count: number): string {
  const beginning = String(row[kind.id]).slice(0, 10);
  const newest = { ...row, revision: count, revision_id: idOf(beginning, count) };
  const { change = "MODIFIED" } = kind;
  const revisions = (change: string) => ({
    revision: "i",
    revision_id: idsSql(beginning),
    change: `case i when 1 then 'CREATED' else '${change}' end`,
  });
  const record = projectionOf(kind, newest);
  const projection = kind.module === undefined ? "" : insertMany("records", record, 1, {}) +
    insertMany("record_revisions", revisionOf(record), count, revisions("MODIFIED"));
  return projection + insertMany(kind.root, newest, 1, {}) +
    insertMany(kind.ledger, ledgerRow(kind, newest), count, revisions(change));
}
