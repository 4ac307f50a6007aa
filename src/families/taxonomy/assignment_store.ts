/** Stored assignments of terms. A removed one keeps its row. */

import type { Caller } from "../../access/identity.ts";
import { maxDate } from "../../core/clock.ts";
import type { ClaimRow, Ledger } from "../../command/ledger.ts";
import type { Database } from "../../database/database.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { FILTERED_PAGE_BUDGET } from "../../database/walk.ts";
import { tooMany } from "../../errors/service_error.ts";
import type { TermRow } from "./term.ts";

export interface AssignmentRow {
  readonly assignment_id: string;
  readonly term_id: string;
  readonly module_code: string;
  readonly record_id: string;
  readonly assigned_at: Date;
}

function assignmentColumns(sql: Sql): Query<object> {
  return sql`assignment_id, term_id, module_code, record_id, assigned_at`;
}

/**
 * A condition on assignments, which begins with `and`: the credential reaches the module of the
 * record.
 */
export function inModules(sql: Sql, { modules }: Pick<Caller, "modules">): Query<object> {
  if (modules === undefined) return sql``;
  return sql`and module_code = any (string_to_array(${[...modules].join(" ")}, ' '))`;
}

/** Assignments, removed ones included, that a count examines. */
const MAX_ASSIGNMENTS = 200_000;

interface UsesPart {
  readonly examined: number;
  readonly last: string | null;
  /** A JSON object of counts by term. */
  readonly counts: string;
}

/**
 * Counts the records that carry each term itself, in the modules that the credential reaches.
 *
 * @throws ServiceError `PAYLOAD_INVALID`, rule `sort.rows`, beyond `MAX_ASSIGNMENTS`.
 */
export async function countDirectUses(
  database: Database,
  reader: Caller,
): Promise<ReadonlyMap<string, number>> {
  const uses = new Map<string, number>();
  let total = 0;
  let last: string | null = "";
  while (last !== null) {
    const after: string = last;
    const [part] = await database.read((sql) => readUses(sql, reader, after));
    total += part?.examined ?? 0;
    if (total > MAX_ASSIGNMENTS) throw tooMany("sort.rows", MAX_ASSIGNMENTS);
    const counts: Readonly<Record<string, number>> = JSON.parse(part?.counts ?? "{}");
    for (const [id, count] of Object.entries(counts)) uses.set(id, (uses.get(id) ?? 0) + count);
    last = part?.last ?? null;
  }
  return uses;
}

function readUses(sql: Sql, reader: Caller, after: string): Query<UsesPart> {
  return sql<UsesPart>`
    with part as materialized (
      select assignment_id, term_id, module_code, removed_at from taxonomy_assignments
       where owner_id = ${reader.account.accountId} and assignment_id > ${after}
       order by assignment_id limit ${FILTERED_PAGE_BUDGET}
    )
    select (select count(*) from part)::integer as examined,
           (select max(assignment_id) from part) as last,
           (select coalesce(json_object_agg(term_id, count), '{}')::text
              from (select term_id, count(*) from part
                     where removed_at is null ${inModules(sql, reader)} group by term_id) uses
           ) as counts`;
}

export type AssignableTerm = Pick<TermRow, "term_id" | "deactivated_at">;

/** Locks a term of either kind against deactivation, merge, and other assignments. */
export function lockTerm(sql: Sql, owner: string, termId: string): Query<AssignableTerm> {
  return sql<AssignableTerm>`
    select term_id, deactivated_at from taxonomy_terms
     where owner_id = ${owner} and term_id = ${termId} for no key update`;
}

export function findPresent(
  sql: Sql,
  owner: string,
  termId: string,
  recordId: string,
): Query<AssignmentRow> {
  return sql<AssignmentRow>`
    select ${assignmentColumns(sql)} from taxonomy_assignments
     where owner_id = ${owner} and term_id = ${termId} and record_id = ${recordId}
       and removed_at is null`;
}

/** Finds an assignment, which may have been removed. */
export function findAssignment(
  sql: Sql,
  owner: string,
  assignmentId: string,
): Query<AssignmentRow> {
  return sql<AssignmentRow>`
    select ${assignmentColumns(sql)} from taxonomy_assignments
     where owner_id = ${owner} and assignment_id = ${assignmentId}`;
}

export function insertAssignment(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  row: AssignmentRow,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim},
    assignment as (
      insert into taxonomy_assignments (owner_id, ${assignmentColumns(sql)})
      select ${owner}, ${row.assignment_id}, ${row.term_id}, ${row.module_code}, ${row.record_id},
             ${row.assigned_at}::timestamptz
        from claim where verdict = 'GO'
    ),
    ${ledger.ctes}
    select verdict, envelope from claim`;
}

/** Ends an assignment, never before it began, even if the clock went back. */
export function endAssignment(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  { assignment_id, assigned_at }: AssignmentRow,
  now: Date,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim},
    assignment as (
      update taxonomy_assignments
         set removed_at = ${maxDate(now, assigned_at)}::timestamptz
        from claim
       where taxonomy_assignments.owner_id = ${owner} and assignment_id = ${assignment_id}
         and claim.verdict = 'GO'
    ),
    ${ledger.ctes}
    select verdict, envelope from claim`;
}

/** Statements that replace the first tag by the second on all records, without duplicates. */
export function moveAssignments(
  sql: Sql,
  owner: string,
  source: TermRow,
  target: TermRow,
): readonly Query<object>[] {
  return [
    sql`
      update taxonomy_assignments moving
         set removed_at = greatest(assigned_at, ${source.updated_at}::timestamptz)
       where owner_id = ${owner} and term_id = ${source.term_id} and removed_at is null
         and exists (
           select from taxonomy_assignments kept
            where kept.owner_id = ${owner} and kept.term_id = ${target.term_id}
              and kept.record_id = moving.record_id and kept.removed_at is null offset 0)`,
    sql`
      update taxonomy_assignments set term_id = ${target.term_id}
       where owner_id = ${owner} and term_id = ${source.term_id} and removed_at is null`,
  ];
}
