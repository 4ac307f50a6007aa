/** Tags of imports: found by name, and assigned to many records at once. */

import type { Query, Sql } from "../../database/sql.ts";

/** A tag with a name or alias, in compared form. */
export interface NamedTag {
  readonly compared: string;
  readonly term_id: string;
  readonly revision: number;
  readonly deactivated_at: Date | null;
}

/** The tags with these names. A merged tag has none: its target has them. */
export async function findNamedTags(
  sql: Sql,
  owner: string,
  compared: readonly string[],
): Promise<readonly NamedTag[]> {
  if (compared.length === 0) return [];
  return await sql<NamedTag>`
    select found.compared, t.term_id, t.revision, t.deactivated_at
      from json_array_elements_text(${JSON.stringify(compared)}::text::json) as wanted (compared)
           cross join lateral (
             select n.compared, n.term_id from taxonomy_names n
              where n.owner_id = ${owner} and n.kind = 'TAG'
                and n.compared = wanted.compared) found
           join taxonomy_terms t on t.owner_id = ${owner} and t.term_id = found.term_id`;
}

interface NewAssignment {
  readonly assignment_id: string;
  readonly term_id: string;
  readonly module_code: string;
  readonly record_id: string;
}

/** Assigns tags to records that do not carry them. */
export function addAssignments(
  sql: Sql,
  owner: string,
  assignments: readonly NewAssignment[],
  at: Date,
): Query<object> {
  return sql`
    insert into taxonomy_assignments (owner_id, assignment_id, term_id, module_code, record_id,
                                      assigned_at)
    select ${owner}, assignment_id, term_id, module_code, record_id, ${at}::timestamptz
      from json_to_recordset(${JSON.stringify(assignments)}::text::json) as given (
             assignment_id text, term_id text, module_code text, record_id text)
     where not exists (
       select from taxonomy_assignments a
        where a.owner_id = ${owner} and a.term_id = given.term_id
          and a.record_id = given.record_id and a.removed_at is null offset 0)`;
}

interface Carrier {
  readonly assignment_id: string;
  readonly record_id: string;
}

/** A page of the records that carry a tag, in the order of the identifiers of assignments. */
export function listCarriers(
  sql: Sql,
  owner: string,
  termId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Query<Carrier> {
  return sql<Carrier>`
    select assignment_id, record_id from taxonomy_assignments
     where owner_id = ${owner} and term_id = ${termId} and removed_at is null
       and assignment_id > ${after}
     order by assignment_id limit ${limit}`;
}
