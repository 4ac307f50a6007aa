import type { Caller } from "../../access/identity.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";
import { namesOf, valuesOf } from "../../kit/columns.ts";
import { EVIDENCE, type EvidenceControlBody, type EvidenceRow } from "./evidence.ts";
import { mayReadSecrets } from "./privacy.ts";
import type { SourceEntry } from "./sources.ts";

/** CTE of evidence, conditional on the claim. */
export function evidenceEntry(sql: Sql, owner: string, row: EvidenceRow): Query<object> {
  return sql`
    evidence as (
      insert into person_evidence (owner_id, ${namesOf(sql, EVIDENCE)})
      select ${owner}, ${valuesOf(sql, EVIDENCE, row)}
        from claim where verdict = 'GO'
    )`;
}

export interface EvidenceControl {
  readonly control_id: string;
  readonly evidence_id: string;
  readonly person_id: string;
  /** Counts controls of all evidence about the person, from 1. */
  readonly control_number: number;
  readonly kind: EvidenceControlBody["kind"];
  readonly superseded_by: string | null;
  readonly privacy: string | null;
  readonly recorded_at: Date;
}

/** CTE of a control, conditional on the claim. */
export function evidenceControlEntry(sql: Sql, owner: string, row: EvidenceControl): Query<object> {
  return sql`
    evidence_control as (
      insert into person_evidence_controls (owner_id, control_id, person_id, evidence_id,
                                            control_number, kind, superseded_by, privacy,
                                            recorded_at)
      select ${owner}, ${row.control_id}, ${row.person_id}, ${row.evidence_id},
             ${row.control_number}::integer, ${row.kind}, ${row.superseded_by}, ${row.privacy},
             ${row.recorded_at}::timestamptz
        from claim where verdict = 'GO'
    )`;
}

export function findEvidence(
  sql: Sql,
  owner: string,
  personId: string,
  evidenceId: string,
): Query<EvidenceRow> {
  return sql<EvidenceRow>`
    select ${shortColumns(sql)}, e.content from ${controlled(sql, sql`true`)}
     where e.owner_id = ${owner} and e.person_id = ${personId} and e.evidence_id = ${evidenceId}`;
}

/** Finds evidence about any person. */
export function findAnyEvidence(sql: Sql, owner: string, evidenceId: string): Query<EvidenceRow> {
  return sql<EvidenceRow>`
    select ${shortColumns(sql)}, e.content from ${controlled(sql, sql`true`)}
     where e.owner_id = ${owner} and e.evidence_id = ${evidenceId}`;
}

/** Finds evidence as after one of its controls, or as created if `controlId` is null. */
export function findEvidenceAfter(
  sql: Sql,
  owner: string,
  personId: string,
  evidenceId: string,
  controlId: string,
): Query<EvidenceRow> {
  const told = sql`c.control_number <= coalesce((
    select control_number from person_evidence_controls
     where owner_id = ${owner} and person_id = ${personId} and control_id = ${controlId}), 0)`;
  return sql<EvidenceRow>`
    select ${shortColumns(sql)}, e.content from ${controlled(sql, told)}
     where e.owner_id = ${owner} and e.person_id = ${personId} and e.evidence_id = ${evidenceId}`;
}

export function findLastControl(
  sql: Sql,
  owner: string,
  personId: string,
  evidenceId: string,
): Query<Pick<EvidenceControl, "control_id">> {
  return sql<Pick<EvidenceControl, "control_id">>`
    select control_id from person_evidence_controls
     where owner_id = ${owner} and person_id = ${personId} and evidence_id = ${evidenceId}
     order by control_number desc limit 1`;
}

/** Returns 0 without controls. */
export async function findLastControlNumber(
  sql: Sql,
  owner: string,
  personId: string,
): Promise<number> {
  const [last] = await sql<Pick<EvidenceControl, "control_number">>`
    select control_number from person_evidence_controls
     where owner_id = ${owner} and person_id = ${personId}
     order by control_number desc limit 1`;
  return last?.control_number ?? 0;
}

/** Newest first. */
export async function readEvidence(
  sql: Sql,
  reader: Caller,
  personId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<EvidenceRow>> {
  return await readRows<EvidenceRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from ${controlled(sql, sql`true`)}
         where e.owner_id = ${reader.account.accountId} and e.person_id = ${personId}
           ${cursor === null ? sql`` : sql`and e.evidence_id < ${cursor}`}
         order by e.evidence_id desc limit ${limit}`,
    {
      columns: shortColumns(sql),
      long: {
        kind: "text",
        columns: { content: sql`e.content` },
        hidden: mayReadSecrets(reader) ? null : sql`${privacyToday(sql)} = 'SECRET'`,
      },
      limit,
    },
  );
}

/**
 * Selects live evidence about a person, by identifier, for evaluations. Texts are included only on request,
 * and only of entries with consent.
 */
export function findSourceEntries(
  sql: Sql,
  owner: string,
  personId: string,
  withWords: boolean,
): Query<SourceEntry> {
  return sql<SourceEntry>`
    select e.evidence_id, e.stance, e.source_kind, e.content_hash, e.privacy, e.provider_consent,
           greatest(e.privacy, k.privacy) as effective_privacy,
           case when ${withWords} and e.provider_consent then e.content end as content
      from ${controlled(sql, sql`true`)}
     where e.owner_id = ${owner} and e.person_id = ${personId} and k.ended is null
     order by e.evidence_id`;
}

/** `person_evidence e`, each with the combined effect of its controls that meet `told`. */
function controlled(sql: Sql, told: Query<object>): Query<object> {
  return sql`person_evidence e cross join lateral (
    select max(c.kind) filter (where ${told} and c.kind <> 'PRIVACY_RECLASSIFIED') as ended,
           max(c.superseded_by) filter (where ${told}) as superseded_by,
           max(c.privacy) filter (where ${told}) as privacy,
           max(c.privacy) as privacy_today
      from person_evidence_controls c
     where c.owner_id = e.owner_id and c.person_id = e.person_id
       and c.evidence_id = e.evidence_id) k`;
}

/** The levels' names rise in byte order. */
function privacyToday(sql: Sql): Query<object> {
  return sql`greatest(e.privacy, k.privacy_today)`;
}

function shortColumns(sql: Sql): Query<object> {
  return sql`e.evidence_id, e.person_id, e.stance, e.source_kind, e.source_ref, e.privacy,
    e.provider_consent, e.content_hash, e.recorded_at, coalesce(k.ended, 'LIVE') as state,
    k.superseded_by, greatest(e.privacy, k.privacy) as effective_privacy,
    ${privacyToday(sql)} as privacy_today`;
}
