/** The stored assignments of terms to records. A removed assignment keeps its row. */

import { maxDate } from "../../core/clock.ts";
import type { ClaimRow, Ledger } from "../../command/ledger.ts";
import type { Query, Sql } from "../../database/sql.ts";
import type { TermRow } from "./term.ts";

/** An assignment as read from the database. */
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

/** A term as far as an assignment asks for it. */
export type AssignableTerm = Pick<TermRow, "term_id" | "deactivated_at">;

/** Locks a term of either kind: against its deactivation, its merge, and other assignments of it. */
export function lockTerm(sql: Sql, owner: string, termId: string): Query<AssignableTerm> {
  return sql<AssignableTerm>`
    select term_id, deactivated_at from taxonomy_terms
     where owner_id = ${owner} and term_id = ${termId} for no key update`;
}

/** The assignment by which a record carries a term now. */
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

/** An assignment, also one that was removed. */
export function findAssignment(
  sql: Sql,
  owner: string,
  assignmentId: string,
): Query<AssignmentRow> {
  return sql<AssignmentRow>`
    select ${assignmentColumns(sql)} from taxonomy_assignments
     where owner_id = ${owner} and assignment_id = ${assignmentId}`;
}

/** Writes a new assignment. */
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

/** Ends an assignment; never before it began, even if a clock runs backwards. */
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

/** The statements that let records carry the second tag in place of the first one, each of them once. */
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
