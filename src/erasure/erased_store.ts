import type { Database, Tx } from "../database/database.ts";
import { MIGRATIONS } from "../database/migration_files.ts";
import { schemaVersion } from "../database/migrate.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Subject } from "./erased_ids.ts";

/** The step of the schema that has the tables of this room. */
export const ERASURE_STEP = MIGRATIONS.find(({ name }) => name === "erasure")?.version ?? 0;

/** One run of an erasure, in the form of a list of erasures: identifiers and times only. */
export interface Erasure {
  readonly id: string;
  readonly at: string;
  readonly reason: string;
  readonly accountId: string;
  readonly scope: readonly Subject[];
}

/** Null if the owner never had it, or still has it. */
export type FindErased = (
  owner: string,
  subjectId: string,
) => Promise<{ readonly moduleCode: string | null } | null>;

export function findsErased(database: Database): FindErased {
  return async (owner, subjectId) => {
    const [found] = await database.read((sql) =>
      sql<{ moduleCode: string | null }>`
        select module_code as "moduleCode" from erased_subjects
         where owner_id = ${owner} and subject_id = ${subjectId}`
    );
    return found ?? null;
  };
}

/** Selects the erased subjects of an owner. */
export function erasedOf(sql: Sql, owner: string): Query<ErasedRow> {
  return sql<ErasedRow>`
    select subject_id, module_code from erased_subjects where owner_id = ${owner}`;
}

export interface ErasedRow {
  readonly subject_id: string;
  readonly module_code: string | null;
}

/**
 * Stores an erasure and its subjects, except those stored already.
 *
 * @param certificate In JSON.
 */
export async function insertErasure(
  { sql }: Tx,
  { id, at, reason, accountId, scope }: Erasure,
  certificate: string,
): Promise<void> {
  await insertSubjects(sql, { id, at, accountId, scope });
  await sql`
    insert into erasure_certificates (account_id, certificate_id, reason, certificate, created_at)
    values (${accountId}, ${id}, ${reason}, ${certificate}::text::json, ${at}::text::timestamptz)
    on conflict do nothing`;
}

export async function insertSubjects(
  sql: Sql,
  { id, at, accountId, scope }: Omit<Erasure, "reason">,
): Promise<void> {
  await sql`
    insert into erased_subjects (owner_id, subject_id, module_code, certificate_id, erased_at)
    select ${accountId}, id, "moduleCode", ${id}, ${at}::text::timestamptz
      from json_to_recordset(${JSON.stringify(scope)}::text::json) as subject (
        id text, "moduleCode" text)
    on conflict do nothing`;
}

/** The erasures of this database, oldest first; none in an older schema. */
export async function readErasures(sql: Sql): Promise<readonly Erasure[]> {
  if (await schemaVersion(sql) < ERASURE_STEP) return [];
  const rows = await sql<{ certificate: string }>`
    select certificate::text as certificate from erasure_certificates order by certificate_id`;
  return rows.map(({ certificate }) => {
    const { id, at, reason, accountId, scope } = JSON.parse(certificate);
    return { id, at, reason, accountId, scope };
  });
}
