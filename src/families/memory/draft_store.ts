import type { Caller } from "../../access/identity.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";
import { namesOf, valuesOf } from "../../kit/columns.ts";
import { DRAFT, type DraftRow } from "./draft.ts";
import type { DraftState } from "./memory.ts";
import { maySeeSecrets } from "./memory_view.ts";

/** Locks a draft against other saves, commits and discards. */
export function lockDraft(sql: Sql, owner: string, draftId: string): Query<DraftRow> {
  return sql<DraftRow>`
    select ${draftColumns(sql)} from ${draftsWithMemories(sql)}
     where d.owner_id = ${owner} and d.draft_id = ${draftId} for no key update of d`;
}

export function findDraft(sql: Sql, owner: string, draftId: string): Query<DraftRow> {
  return sql<DraftRow>`
    select ${draftColumns(sql)} from ${draftsWithMemories(sql)}
     where d.owner_id = ${owner} and d.draft_id = ${draftId}`;
}

/** Drafts in a state, by identifier, newest first. */
export async function listDrafts(
  sql: Sql,
  reader: Caller,
  state: DraftState,
  { cursor, limit }: PageQuery,
): Promise<Walked<DraftRow>> {
  return await readRows<DraftRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from ${draftsWithMemories(sql)}
         where d.owner_id = ${reader.account.accountId} and d.state = ${state}
           ${cursor === null ? sql`` : sql`and d.draft_id < ${cursor}`}
         order by d.draft_id desc limit ${limit}`,
    {
      columns: shortDraftColumns(sql),
      long: {
        kind: "json",
        columns: { content: sql`d.content` },
        hidden: maySeeSecrets(reader) ? null : sql`${levelToday(sql)} = 'SECRET'`,
      },
      limit,
    },
  );
}

/** CTE of the first save, conditional on the claim. */
export function insertDraft(sql: Sql, owner: string, row: DraftRow): Query<object> {
  return sql`
    draft as (
      insert into memory_drafts (owner_id, ${namesOf(sql, DRAFT)})
      select ${owner}, ${valuesOf(sql, DRAFT, row)}
        from claim where verdict = 'GO'
    )`;
}

export type DraftChange = Omit<DraftRow, "memory_id" | "created_at" | "level_today">;

/** CTE of a locked draft's next state, conditional on the claim. */
export function updateDraft(sql: Sql, owner: string, row: DraftChange): Query<object> {
  return sql`
    draft as (
      update memory_drafts
         set draft_version = ${row.draft_version}::integer, content = ${row.content}::text::json,
             state = ${row.state}, committed_memory_id = ${row.committed_memory_id},
             committed_revision = ${row.committed_revision}::integer,
             updated_at = ${row.updated_at}::timestamptz
        from claim
       where memory_drafts.owner_id = ${owner} and draft_id = ${row.draft_id} and claim.verdict = 'GO'
    )`;
}

function draftColumns(sql: Sql): Query<object> {
  return sql`${shortDraftColumns(sql)}, d.content::text as content`;
}

function shortDraftColumns(sql: Sql): Query<object> {
  return sql`d.draft_id, d.memory_id, d.draft_version, d.state, d.committed_memory_id,
    d.committed_revision, d.created_at, d.updated_at, ${levelToday(sql)} as level_today`;
}

function levelToday(sql: Sql): Query<object> {
  return sql`coalesce(m.privacy_level, d.content ->> 'privacyLevel', 'PRIVATE')`;
}

function draftsWithMemories(sql: Sql): Query<object> {
  return sql`memory_drafts d left join memories m
    on m.owner_id = d.owner_id and m.memory_id = coalesce(d.committed_memory_id, d.memory_id)`;
}
