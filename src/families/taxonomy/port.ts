/** Taxonomy for other families. */

import type { Query, Sql } from "../../database/sql.ts";

interface RecordTag {
  readonly record_id: string;
  readonly name: string;
}

/** By name. */
export function findTagsOfRecords(
  sql: Sql,
  owner: string,
  recordIds: readonly string[],
): Query<RecordTag> {
  return sql<RecordTag>`
    select a.record_id, t.name
      from unnest(string_to_array(${recordIds.join(" ")}, ' ')) as wanted (record_id)
     cross join lateral (
       select a.record_id, a.term_id from taxonomy_assignments a
        where a.owner_id = ${owner} and a.record_id = wanted.record_id
          and a.removed_at is null offset 0) a
     cross join lateral (
       select t.name from taxonomy_terms t
        where t.owner_id = ${owner} and t.term_id = a.term_id and t.kind = 'TAG' offset 0) t
     order by a.record_id, t.name collate "C"`;
}

export interface TagName {
  /** The key of the walk. */
  readonly compared: string;
  readonly spelling: string;
  readonly term_id: string;
}

/** Names and aliases of tags in the order of their compared forms, after one of them. */
export function readTagNames(
  sql: Sql,
  owner: string,
  after: string,
  limit: number,
): Query<TagName> {
  return sql<TagName>`
    select compared, spelling, term_id from taxonomy_names
     where owner_id = ${owner} and kind = 'TAG' and compared > ${after}
     order by compared limit ${limit}`;
}

/** Selects the active terms among some. */
export function findActiveTerms(
  sql: Sql,
  owner: string,
  termIds: readonly string[],
): Query<{ readonly term_id: string }> {
  return sql<{ term_id: string }>`
    select t.term_id
      from unnest(string_to_array(${termIds.join(" ")}, ' ')) as wanted (term_id)
     cross join lateral (
       select term_id from taxonomy_terms
        where owner_id = ${owner} and term_id = wanted.term_id and deactivated_at is null
       offset 0) t`;
}

/** Selects the records that carry one of the terms, for a CTE. A record may be repeated. */
export function recordsOfTerms(
  sql: Sql,
  owner: string,
  termIds: readonly string[],
  limit: number,
): Query<object> {
  return sql`
    select a.record_id
      from unnest(string_to_array(${termIds.join(" ")}, ' ')) as wanted (term_id)
     cross join lateral (
       select record_id from taxonomy_assignments
        where owner_id = ${owner} and term_id = wanted.term_id and removed_at is null
        order by assignment_id limit ${limit}) a
     limit ${limit}`;
}

/** A condition: a record carries one of the terms. */
export function carriesTerm(
  sql: Sql,
  owner: string,
  recordId: Query<object>,
  termIds: readonly string[],
): Query<object> {
  return sql`exists (
    select from taxonomy_assignments
     where owner_id = ${owner} and record_id = ${recordId} and removed_at is null
       and term_id = any (string_to_array(${termIds.join(" ")}, ' ')))`;
}
