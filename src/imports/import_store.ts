import type { ClaimRow, Ledger } from "../command/ledger.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { ImportRow } from "./import.ts";

export type ImportPatch = Partial<
  Omit<
    ImportRow,
    | "import_id"
    | "owner_id"
    | "format"
    | "name"
    | "size"
    | "sha256"
    | "keep_original"
    | "created_at"
  >
>;

function columns(sql: Sql): Query<object> {
  return sql`owner_id, import_id, format, name, source, size::double precision as size,
    encode(sha256, 'hex') as sha256, keep_original, created_at, updated_at, state,
    mapping::text as mapping, columns::text as columns, counts::text as counts,
    attachments::text as attachments, unmapped::text as unmapped, rules::text as rules,
    needs::text as needs, plan, done, total, refusal::text as refusal, original_attachment_id,
    withdrawn::text as withdrawn`;
}

export function findImport(sql: Sql, owner: string, importId: string): Query<ImportRow> {
  return sql<ImportRow>`
    select ${columns(sql)} from imports where owner_id = ${owner} and import_id = ${importId}`;
}

/** The same, locked against every other change. */
export function lockImport(sql: Sql, owner: string, importId: string): Query<ImportRow> {
  return sql<ImportRow>`${findImport(sql, owner, importId)} for no key update`;
}

/** The imports that have run, as an account file has them: one that had not ended is stopped. */
export function ranImports(sql: Sql): Query<object> {
  return sql`(
    select owner_id, import_id, format, name, source, size, sha256, keep_original, created_at,
           updated_at, case when state in ('RUNNING', 'WITHDRAWING') then 'STOPPED' else state end
             as state,
           mapping, columns, counts, attachments, unmapped, rules, needs, plan, done, total, refusal,
           original_attachment_id, withdrawn
      from imports
     where state in ('RUNNING', 'STOPPED', 'DONE', 'WITHDRAWING', 'WITHDRAWN'))`;
}

/** An owner's imports before `cursor`, newest first. */
export function listImports(
  sql: Sql,
  owner: string,
  cursor: string | null,
  limit: number,
): Query<ImportRow> {
  const before = cursor === null ? sql`` : sql`and import_id < ${cursor}`;
  return sql<ImportRow>`
    select ${columns(sql)} from imports
     where owner_id = ${owner} ${before} order by import_id desc limit ${limit}`;
}

/** Imports of all owners that the service works on; every owner sorts after the empty text. */
export function findWork(sql: Sql): Query<ImportRow> {
  return sql<ImportRow>`
    select ${columns(sql)} from imports
     where owner_id > '' and state in ('RECEIVED', 'READING', 'RUNNING', 'WITHDRAWING')
     limit 100`;
}

/** Whether the service works on an import of the owner, other than `except`. */
export async function isAtWork(
  sql: Sql,
  owner: string,
  except: string | null = null,
): Promise<boolean> {
  const found = await sql`
    select 1 from imports
     where owner_id = ${owner} and state in ('RECEIVED', 'READING', 'RUNNING', 'WITHDRAWING')
       and import_id is distinct from ${except}`;
  return found.length > 0;
}

export function insertImport(sql: Sql, ledger: Ledger, row: ImportRow): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim},
    import as (
      insert into imports (owner_id, import_id, format, name, source, size, sha256, keep_original,
                           created_at, updated_at, state, counts, attachments, unmapped, rules,
                           needs, done, total)
      select ${row.owner_id}, ${row.import_id}, ${row.format}, ${row.name}, ${row.source},
             ${row.size}::bigint, decode(${row.sha256}, 'hex'), ${row.keep_original}::boolean,
             ${row.created_at}::timestamptz, ${row.updated_at}::timestamptz, ${row.state},
             ${row.counts}::text::json, ${row.attachments}::text::json, ${row.unmapped}::text::json,
             ${row.rules}::text::json, ${row.needs}::text::json, ${row.done}::integer,
             ${row.total}::integer
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

/** Writes the next state of an import within a transaction that holds its row. */
export function updateImport(sql: Sql, row: ImportRow): Query<object> {
  return sql`
    ${setColumns(sql, row)}
     where owner_id = ${row.owner_id} and import_id = ${row.import_id}`;
}

function setColumns(sql: Sql, row: ImportRow): Query<object> {
  return sql`
    update imports
       set source = ${row.source}, updated_at = greatest(updated_at, ${row.updated_at}::timestamptz),
           state = ${row.state}, mapping = ${row.mapping}::text::json,
           columns = ${row.columns}::text::json, counts = ${row.counts}::text::json,
           attachments = ${row.attachments}::text::json, unmapped = ${row.unmapped}::text::json,
           rules = ${row.rules}::text::json, needs = ${row.needs}::text::json, plan = ${row.plan},
           done = ${row.done}::integer, total = ${row.total}::integer,
           refusal = ${row.refusal}::text::json,
           original_attachment_id = ${row.original_attachment_id},
           withdrawn = ${row.withdrawn}::text::json`;
}
