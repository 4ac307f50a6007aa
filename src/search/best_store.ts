/**
 * The records that a best-first search examines. Each statement reads at most `MAX_ORDERED` records
 * and one more along an index: the index of words, the order of records, or the records of a tag.
 */

import type { Permission } from "../access/permissions.ts";
import type { Query, Sql } from "../database/sql.ts";
import { FILTERED_PAGE_BUDGET } from "../database/walk.ts";
import { carriesTerm, recordsOfTerms } from "../families/taxonomy/port.ts";
import { findServed, type ServedRecords } from "../records/port.ts";
import type { FormRange } from "./form_ranges.ts";
import { contentColumns, type ContentRow } from "./content.ts";
import { walkedRecords } from "./matches.ts";

/** People, or other records, of one class that are listed by own time; more are by identifier. */
export const MAX_ORDERED = FILTERED_PAGE_BUDGET;

/** The records that the reader may see. */
interface Visible extends Omit<ServedRecords, "condition"> {
  readonly owner: string;
  /** For each tag of the search its terms, of which a record has to carry one. */
  readonly tags: readonly (readonly string[])[];
}

/** The records that a statement looks for: people, others or both, of one class. */
export interface Wanted extends Visible {
  /** Text of a tsquery that finds all of them; null if only tags decide. */
  readonly lexemes: string | null;
  /** Ranges of the order forms of their titles; null if texts or tags decide. */
  readonly ranges: readonly FormRange[] | null;
}

export interface Candidate {
  readonly record_id: string;
  readonly title: string;
  readonly is_of_people: boolean;
  /** The own time, or the time of creation. */
  readonly placed_at: Date;
}

/** The place of a record in the order of its class. */
export interface Place {
  readonly isOfPeople: boolean;
  /** Its time in milliseconds; null if the records are ordered by identifier. */
  readonly at: number | null;
  readonly recordId: string;
}

/** An index by which candidates are found, without an order. */
export type Source = "words" | "titles" | "tags";

export interface Candidates {
  /** People first, then by time and identifier, newest first. */
  readonly rows: readonly Candidate[];
  /** False if the index has more than `MAX_ORDERED` records, some of which may not be visible. */
  readonly isComplete: boolean;
}

/** A part of the candidates. */
interface Part {
  /** It begins after this place; null at the first candidate. */
  readonly after: Place | null;
  readonly limit: number;
  /** True for no rows unless all of them are found. */
  readonly onlyComplete: boolean;
}

export async function readCandidates(
  sql: Sql,
  wanted: Wanted,
  source: Source,
  { after, limit, onlyComplete }: Part,
): Promise<Candidates> {
  const rows = await sql<Candidate & { readonly amount: number }>`
    with examined as materialized (${sourceRows(sql, wanted, source, MAX_ORDERED + 1)}),
    counted as materialized (select count(*)::integer as amount from examined)
    select amount, page.*
      from counted
           left join (
             select *
               from (select examined.record_id, ${placedColumns(sql)}
                       from (select distinct record_id from examined
                              where not ${onlyComplete}
                                 or (select amount from counted) <= ${MAX_ORDERED}) examined
                            cross join lateral (${visible(sql, wanted)}) served
                            cross join lateral (${ownTime(sql, wanted.owner)}) timed
                      where true ${hasWords(sql, wanted, source)}) found
              where true ${behindPlace(sql, after)}
              order by is_of_people desc, placed_at desc, record_id desc limit ${limit}) page
             on true
     order by is_of_people desc, placed_at desc, record_id desc`;
  return {
    rows: rows.filter((row) => row.record_id !== null),
    isComplete: (rows[0]?.amount ?? 0) <= MAX_ORDERED,
  };
}

/** The number of the first `MAX_ORDERED` + 1 records of an index that the reader sees. */
export async function countVisible(sql: Sql, wanted: Wanted, source: Source): Promise<number> {
  const [counted] = await sql<{ readonly amount: number }>`
    with examined as materialized (
      select distinct record_id
        from (${sourceRows(sql, wanted, source, MAX_ORDERED + 1)}) indexed
    )
    select count(*)::integer as amount
      from examined cross join lateral (${visible(sql, wanted)}) served
     where true ${hasWords(sql, wanted, source)}`;
  return counted?.amount ?? 0;
}

/** A condition on `examined`: records of a tag have not been compared with the words. */
function hasWords(sql: Sql, { owner, lexemes }: Wanted, source: Source): Query<object> {
  return source !== "tags" || lexemes === null ? sql`` : sql`and exists (
    select from search_index i
     where i.owner_id = ${owner} and i.record_id = examined.record_id
       and coalesce(owned_words(owner_id, lexemes), words) @@ ${lexemes}::text::tsquery)`;
}

/** Lexemes that are looked for at once. */
const LEXEMES = 20;

/**
 * Selects the lexemes that records have. It asks for a few at a time: each query also reads the
 * words that are not yet merged into the index, and a query for all lexemes is slow per record.
 */
export async function findPresent(
  sql: Sql,
  lexemes: readonly string[],
): Promise<ReadonlySet<string>> {
  const present = await sql<{ lexeme: string }>`
    with asked as materialized (
      select lexeme, place / ${LEXEMES} as part
        from unnest(string_to_array(${lexemes.join(" ")}, ' '))
               with ordinality asked (lexeme, place)
    ),
    parts as materialized (
      select part, string_agg(lexeme, ' | ') as query from asked group by part
    ),
    found as materialized (
      select part from parts where exists (select from word_candidates(query::tsquery, 1))
    ),
    wanted as materialized (select lexeme from found join asked using (part))
    select lexeme from wanted where exists (select from word_candidates(lexeme::tsquery, 1))`;
  return new Set(present.map(({ lexeme }) => lexeme));
}

function behindPlace(sql: Sql, after: Place | null): Query<object> {
  if (after === null || after.at === null) return sql``;
  const { isOfPeople, at, recordId } = after;
  return sql`
    and (is_of_people, placed_at, record_id)
      < (${isOfPeople}::boolean, ${new Date(at)}::timestamptz, ${recordId}::text)`;
}

function sourceRows(sql: Sql, wanted: Wanted, source: Source, limit: number): Query<object> {
  const { owner, lexemes, ranges, tags } = wanted;
  if (source === "titles" && ranges !== null) {
    return titleRows(sql, wanted, ranges, limit);
  }
  if (source === "words" && lexemes !== null) {
    return sql`
      select record_id from word_candidates(${lexemes}::text::tsquery, ${limit})`;
  }
  return recordsOfTerms(sql, owner, tags[0] ?? [], limit);
}

function titleRows(
  sql: Sql,
  { owner, modules, archived, permissions }: Wanted,
  ranges: readonly FormRange[],
  limit: number,
): Query<object> {
  const guards = ["", ...(permissions.has("memory.secret") ? ["memory.secret"] : [])];
  const archives = archived === "include" ? [false, true] : [archived === "only"];
  const places = modules.flatMap(({ code: module_code }) =>
    guards.flatMap((guard) =>
      archives.flatMap((is_archived) =>
        ranges.map((range) => ({ module_code, guard, is_archived, ...range }))
      )
    )
  );
  return sql`
    select place.record_id
      from json_to_recordset(${JSON.stringify(places)}::text::json) as r (
             module_code text, guard text, is_archived boolean, low text, high text)
           cross join lateral (
             select record_id from record_order
              where module_code = r.module_code and owner_id = ${owner} and guard = r.guard
                and is_archived = r.is_archived
                and order_form >= r.low collate "C" and order_form <= r.high collate "C"
              limit ${limit}) place
     limit ${limit}`;
}

export interface Walked {
  /** Newest first. */
  readonly rows: readonly Candidate[];
  /** The walk continues after this record; null at its end. */
  readonly end: string | null;
}

/**
 * Reads candidates by identifier.
 *
 * @param after The walk begins after it; null at the newest record.
 */
export async function walkCandidates(
  sql: Sql,
  wanted: Wanted,
  after: string | null,
  limit: number,
): Promise<Walked> {
  const { owner, lexemes } = wanted;
  const walk = walkedRecords(sql, owner, { lexemes, after, span: FILTERED_PAGE_BUDGET });
  const rows = await sql<Candidate & { readonly end_id: string | null }>`
    with ${walk}
    select ended.record_id as end_id, found.*
      from ended
           left join (
             select examined.record_id, ${placedColumns(sql)}
               from (select record_id from walked order by record_id desc) examined
                    cross join lateral (${visible(sql, wanted)}) served
                    cross join lateral (${ownTime(sql, owner)}) timed
              order by examined.record_id desc limit ${limit}) found on true
     order by found.record_id desc`;
  const found = rows.filter((row) => row.record_id !== null);
  const isFull = found.length === limit;
  return {
    rows: found,
    end: isFull ? found.at(-1)?.record_id ?? null : rows[0]?.end_id ?? null,
  };
}

/** The record `examined`, for a lateral join; no row unless the reader sees it. */
function visible(sql: Sql, { owner, tags, ...served }: Visible): Query<object> {
  const condition = (sql: Sql, recordId: Query<object>) =>
    tags.map((terms) => sql`and ${carriesTerm(sql, owner, recordId, terms)}`)
      .reduce((all, one) => sql`${all} ${one}`, sql``);
  return findServed(sql, owner, sql`examined.record_id`, { ...served, condition });
}

function ownTime(sql: Sql, owner: string): Query<object> {
  return sql`
    select own_time from record_order
     where owner_id = ${owner} and record_id = examined.record_id offset 0`;
}

function placedColumns(sql: Sql): Query<object> {
  return sql`
    served.title, served.module_code = 'relationship' as is_of_people,
    coalesce(timed.own_time, served.created_at) as placed_at`;
}

export interface FoundRow extends ContentRow {
  readonly record_id: string;
  readonly guard: Permission | null;
  readonly own_time: Date | null;
}

/** Reads contents of records that the reader still sees, in the order of their identifiers here. */
export async function readFound(
  sql: Sql,
  search: Visible,
  ids: readonly string[],
): Promise<FoundRow[]> {
  const { owner } = search;
  return await sql<FoundRow>`
    select record_id, module_code, title, summary, guard, own_time,
           ${contentColumns(sql, sql`${owner}`)}
      from (select examined.*, served.*, timed.own_time
              from unnest(string_to_array(${ids.join(" ")}, ' ')::ulid[])
                     with ordinality examined (record_id, place)
                   cross join lateral (${visible(sql, search)}) served
                   cross join lateral (${ownTime(sql, owner)}) timed) found
     order by place`;
}
