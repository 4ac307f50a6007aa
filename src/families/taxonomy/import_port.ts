/** Tags for imports: as items, and on records. */

import { number, tags, text, textarea } from "../../catalog/fields.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Query, Sql } from "../../database/sql.ts";
import {
  claimed,
  type ImportTarget,
  insertRoots,
  type ItemContent,
  rootTarget,
  withItemNames,
} from "../../kit/import_target.ts";
import { nextRevision } from "../../kit/root.ts";
import { readBody } from "../../validate/schema.ts";
import { manyTermEntries } from "./many_store.ts";
import { renewNames } from "./name_store.ts";
import { TAG_BODY } from "./taxonomy_schema.ts";
import { type TermChange, termNamesOf, type TermRow } from "./term.ts";
import { decideCreate, decideDeactivate, decideReactivate } from "./term_rules.ts";
import { STORED_TAGS, TAGS } from "./term_store.ts";

export { comparedForm } from "./name.ts";
export { lockNames } from "./name_store.ts";

function decide({ title, payload }: ItemContent, now: Date): TermRow {
  const body = readBody(TAG_BODY, withItemNames(payload, { name: title }));
  return decideCreate("TAG", body as JsonObject, undefined, now);
}

export const TAG_TARGET: ImportTarget = rootTarget<TermRow, TermChange>({
  name: "tag",
  moduleCode: "taxonomy",
  permissions: ["taxonomy.write"],
  fields: [
    tags("aliases"),
    textarea("description"),
    text("color"),
    number("sortOrder", { minimum: 0, maximum: 1_000_000, integer: true }),
  ],
  fileField: null,
  textField: null,
  insert: insertRoots({
    decide: ({ content }, now) => decide(content, now),
    idOf: (row) => row.term_id,
    entries(sql, owner, terms) {
      const recordedAt = new Map(terms.map(({ row, recordedAt }) => [row.term_id, recordedAt]));
      return manyTermEntries(sql, owner, terms.map(({ row }) => row), "IMPORT", recordedAt);
    },
  }),
  decide,
  find: (sql, owner, tagId) => TAGS.lock(sql, owner, { tagId }),
  isArchived: (row) => row.deactivated_at !== null,
  revise: (row, { name, aliases, description, color, sort_order }, now) =>
    nextRevision(row, "CHANGED", now, { name, aliases, description, color, sort_order }),
  archive: (row, now) => decideDeactivate(row, false, now),
  restore: (row, now) => decideReactivate(row, [], now),
  async write({ sql, owner }, row, change, before) {
    const hasNewNames = JSON.stringify(termNamesOf(before)) !== JSON.stringify(termNamesOf(row));
    if (hasNewNames) { for (const each of renewNames(sql, owner, "TAG", [row])) await each; }
    await claimed(sql, STORED_TAGS.entries(sql, owner, row, change));
  },
});

/** A tag with a name or alias, in compared form. */
export interface NamedTag {
  readonly compared: string;
  readonly term_id: string;
  readonly revision: number;
  readonly deactivated_at: Date | null;
}

/** The tags that have some names. A merged tag has none: its target has them. */
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

/** A tag that a record gets. */
interface NewAssignment {
  readonly assignment_id: string;
  readonly term_id: string;
  readonly module_code: string;
  readonly record_id: string;
  /** True to assign the tag although it was removed from the record. */
  readonly is_wanted: boolean;
}

/** Assigns tags to records that do not carry them. A removed tag stays removed if not wanted. */
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
             assignment_id text, term_id text, module_code text, record_id text, is_wanted boolean)
     where not exists (
       select from taxonomy_assignments a
        where a.owner_id = ${owner} and a.term_id = given.term_id
          and a.record_id = given.record_id and a.removed_at is null offset 0)
       and (is_wanted or not exists (
         select from taxonomy_assignments a
          where a.owner_id = ${owner} and a.term_id = given.term_id
            and a.record_id = given.record_id and a.removed_at is not null offset 0))`;
}

/** The names of the tags that records carry, and of those that were removed, in compared form. */
export async function findAssigned(
  sql: Sql,
  owner: string,
  recordIds: readonly string[],
): Promise<(recordId: string) => ReadonlySet<string>> {
  const rows = await sql<{ readonly record_id: string; readonly compared: string }>`
    select distinct a.record_id, n.compared
      from unnest(string_to_array(${recordIds.join(" ")}, ' ')) as wanted (id)
     cross join lateral (
       select record_id, term_id from taxonomy_assignments
        where owner_id = ${owner} and record_id = wanted.id and removed_at is null
       union all
       select record_id, term_id from taxonomy_assignments
        where owner_id = ${owner} and record_id = wanted.id and removed_at is not null
        offset 0) a
      join taxonomy_names n
        on n.owner_id = ${owner} and n.kind = 'TAG' and n.term_id = a.term_id`;
  const assigned = Map.groupBy(rows, ({ record_id }) => record_id);
  return (recordId) => new Set((assigned.get(recordId) ?? []).map(({ compared }) => compared));
}

/** A record that carries a tag. */
interface Carrier {
  readonly assignment_id: string;
  readonly record_id: string;
}

/** Some of the records that carry a tag now, after an assignment in the order of identifiers. */
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
