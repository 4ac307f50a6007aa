/** Stored assignments of terms. A removed one keeps its row. */

import type { Caller } from "../../access/identity.ts";
import { maxDate } from "../../core/clock.ts";
import type { ClaimRow, Ledger } from "../../command/ledger.ts";
import type { Query, Sql } from "../../database/sql.ts";
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
