import type { ClaimRow, Ledger } from "../command/ledger.ts";
import type { Database } from "../database/database.ts";
import { countFitting, type SizedRow } from "../database/page_bytes.ts";
import { identifier, type Query, type Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { isJson, namesOf, valuesOf } from "../kit/columns.ts";
import type { SignedInCall } from "../http/route.ts";
import { isEnabledAccount } from "../access/account_row.ts";
import { type ImportRow, STORED_COLUMNS } from "./import.ts";

const { sha256: _sha256, updated_at: _updatedAt, ...PLAIN } = STORED_COLUMNS;
const { state: _state, ...WITHOUT_STATE } = PLAIN;

function columns(sql: Sql): Query<object> {
  const plain = Object.entries(PLAIN).map(([name, { type }]) => {
    const column = identifier(sql, name);
    if (isJson(type)) return sql`${column}::text as ${column}`;
    return type === "bigInteger" ? sql`${column}::double precision as ${column}` : column;
  });
  return plain.reduce(
    (all, column) => sql`${all}, ${column}`,
    sql`owner_id, encode(sha256, 'hex') as sha256, updated_at`,
  );
}

export function findImport(sql: Sql, owner: string, importId: string): Query<ImportRow> {
  return sql<ImportRow>`
    select ${columns(sql)} from imports where owner_id = ${owner} and import_id = ${importId}`;
}

/** Like `findImport`, and locks the row against every other change. */
export function lockImport(sql: Sql, owner: string, importId: string): Query<ImportRow> {
  return sql<ImportRow>`${findImport(sql, owner, importId)} for no key update`;
}

/** Whether an import of the owner has the source. */
export async function hasSource(sql: Sql, owner: string, source: string): Promise<boolean> {
  const rows = await sql`
    select from imports where owner_id = ${owner} and source = ${source} limit 1`;
  return rows.length > 0;
}

/** Imports that have run, in the form of an account file: unfinished ones are stopped. */
export function ranImports(sql: Sql): Query<object> {
  return sql`(
    select owner_id, sha256, updated_at, ${namesOf(sql, WITHOUT_STATE)},
           case when state in ('RUNNING', 'WITHDRAWING') then 'STOPPED' else state end as state
      from imports
     where state in ('RUNNING', 'STOPPED', 'DONE', 'WITHDRAWING', 'WITHDRAWN'))`;
}

/** A page of an owner's imports before `cursor`, newest first, and whether more follow. */
export async function listImports(
  sql: Sql,
  owner: string,
  cursor: string | null,
  limit: number,
): Promise<{ readonly rows: readonly ImportRow[]; readonly more: boolean }> {
  const before = cursor === null ? sql`` : sql`and import_id < ${cursor}`;
  const sizes = await sql<SizedRow>`
    select octet_length(concat(mapping, columns, counts, unmapped, rules)) as bytes from imports
     where owner_id = ${owner} ${before} order by import_id desc limit ${limit + 1}`;
  const count = countFitting(sizes.slice(0, limit).map(({ bytes }) => bytes));
  const rows = await sql<ImportRow>`
    select ${columns(sql)} from imports
     where owner_id = ${owner} ${before} order by import_id desc limit ${count}`;
  return { rows, more: sizes.length > count };
}

/** A condition: the service works on the import; as the index of such imports states it. */
function isWorkedOn(sql: Sql): Query<object> {
  return sql`state in ('RECEIVED', 'READING', 'RUNNING', 'WITHDRAWING')`;
}

/** Imports of enabled accounts that the service works on. Every owner sorts after `''`. */
export function findWork(sql: Sql): Query<ImportRow> {
  return sql<ImportRow>`
    select ${columns(sql)} from imports
     where owner_id > '' and ${isWorkedOn(sql)}
       and ${isEnabledAccount(sql, sql`imports.owner_id`)}
     limit 100`;
}

/** A row if the import is in a state, and its owner's account is enabled. */
export function findIfIn(
  sql: Sql,
  owner: string,
  importId: string,
  state: ImportRow["state"],
): Query<object> {
  return sql`
    select 1 from imports
     where owner_id = ${owner} and import_id = ${importId} and state = ${state}
       and ${isEnabledAccount(sql, sql`imports.owner_id`)}`;
}

/** Undefined if there is no such import. */
export async function findState(
  sql: Sql,
  owner: string,
  importId: string,
): Promise<ImportRow["state"] | undefined> {
  const [row] = await sql<Pick<ImportRow, "state">>`
    select state from imports where owner_id = ${owner} and import_id = ${importId}`;
  return row?.state;
}

export async function countPlanned(sql: Sql, owner: string): Promise<number> {
  const [row] = await sql<{ readonly count: number }>`
    select count(*)::integer as count from imports
     where owner_id = ${owner} and state = 'PLANNED'`;
  return row?.count ?? 0;
}

/** Whether the service works on an import of the owner, other than `except`. */
export async function isAtWork(
  sql: Sql,
  owner: string,
  except: string | null = null,
): Promise<boolean> {
  const found = await sql`
    select 1 from imports
     where owner_id = ${owner} and ${isWorkedOn(sql)}
       and import_id is distinct from ${except}`;
  return found.length > 0;
}

export function insertImport(sql: Sql, ledger: Ledger, row: ImportRow): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim},
    import as (
      insert into imports (owner_id, sha256, updated_at, ${namesOf(sql, PLAIN)})
      select ${row.owner_id}, decode(${row.sha256}, 'hex'), ${row.updated_at}::timestamptz,
             ${valuesOf(sql, PLAIN, row)}
        from claim where verdict = 'GO'
    ),
    ${ledger.ctes}
    select verdict, envelope from claim`;
}

/** Writes the next state of an import, with the audit entry of its command. */
export function writeImport(sql: Sql, ledger: Ledger, row: ImportRow): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim},
    import as (
      ${setColumns(sql, row)}
        from claim
       where imports.owner_id = ${row.owner_id} and imports.import_id = ${row.import_id}
         and claim.verdict = 'GO'
    ),
    ${ledger.ctes}
    select verdict, envelope from claim`;
}

/** Writes the next state of an import within a transaction that has locked its row. */
export function updateImport(sql: Sql, row: ImportRow): Query<object> {
  return sql`
    ${setColumns(sql, row)}
     where owner_id = ${row.owner_id} and import_id = ${row.import_id}`;
}

function setColumns(sql: Sql, row: ImportRow): Query<object> {
  return sql`
    update imports
       set updated_at = greatest(updated_at, ${row.updated_at}::timestamptz),
           (${namesOf(sql, PLAIN)}) = row(${valuesOf(sql, PLAIN, row)})`;
}

/** @throws ServiceError `RECORD_NOT_FOUND`. */
export async function requireImport(
  { database }: { readonly database: Database },
  { caller }: Pick<SignedInCall, "caller">,
  importId: string,
): Promise<ImportRow> {
  const owner = caller.account.accountId;
  const [row] = await database.read((sql) => findImport(sql, owner, importId));
  if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
  return row;
}
