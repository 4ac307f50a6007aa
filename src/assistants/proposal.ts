/** Proposals of assistants: stored rows and public form. */

import { DAY_MS } from "../core/clock.ts";
import { firstIdAt } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import type { Query, Sql } from "../database/sql.ts";
import { readWalk, type Walk, type Walked } from "../database/walk.ts";
import { isLiveAt } from "../records/port.ts";
import { RawJson } from "../validate/json_output.ts";
import {
  ANY_OBJECT,
  component,
  enumOf,
  type JsonSchema,
  nullable,
  objectOf,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";

export const PROPOSAL_KINDS = ["RECORD", "CHANGE", "MEMORY_TEXT"] as const;
export const PROPOSAL_STATES = ["PENDING", "ACCEPTED", "REJECTED", "EXPIRED", "STALE"] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** How long a proposal can be accepted. */
const LIFETIME_MS = 14 * DAY_MS;

/** A proposal as its owner sees it. */
export interface AssistantProposal {
  readonly proposalId: string;
  readonly assistantId: string;
  readonly kind: (typeof PROPOSAL_KINDS)[number];
  readonly moduleCode: string;
  /** The record that it changes; null for a new one. */
  readonly target: string | null;
  readonly expectedRevision: number | null;
  readonly body: RawJson;
  readonly state: ProposalState;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | null;
  /** The revision that its acceptance wrote. */
  readonly result: { readonly recordId: string; readonly revision: number } | null;
}

export const PROPOSAL_SCHEMA: JsonSchema = component<AssistantProposal>("AssistantProposal", {
  proposalId: ULID,
  assistantId: ULID,
  kind: enumOf(PROPOSAL_KINDS),
  moduleCode: TEXT,
  target: nullable(ULID),
  expectedRevision: nullable(REVISION),
  body: ANY_OBJECT,
  state: enumOf(PROPOSAL_STATES),
  createdAt: TIME,
  expiresAt: TIME,
  decidedAt: nullable(TIME),
  result: nullable(objectOf({ recordId: ULID, revision: REVISION })),
});

/** A proposal as it is made. */
export interface NewAssistantProposal {
  readonly proposal_id: string;
  readonly assistant_id: string;
  readonly assistant_name: string;
  readonly kind: AssistantProposal["kind"];
  readonly module_code: string;
  readonly target: string | null;
  readonly expected_revision: number | null;
  /** Canonical JSON. */
  readonly body: string;
  readonly created_at: Date;
}

/** A proposal as it is stored, with its state at a moment. */
export interface AssistantProposalRow extends NewAssistantProposal {
  readonly state: ProposalState;
  readonly decided_at: Date | null;
  readonly record_id: string | null;
  readonly revision: number | null;
}

/** The public form of a row. */
export function toProposal(row: AssistantProposalRow): AssistantProposal {
  const { record_id: recordId, revision } = row;
  return {
    proposalId: row.proposal_id,
    assistantId: row.assistant_id,
    kind: row.kind,
    moduleCode: row.module_code,
    target: row.target,
    expectedRevision: row.expected_revision,
    body: new RawJson(row.body),
    state: row.state,
    createdAt: row.created_at.toISOString(),
    expiresAt: expiryOf(row).toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
    result: recordId === null || revision === null ? null : { recordId, revision },
  };
}

/** When a proposal expires. */
export function expiryOf({ created_at }: Pick<NewAssistantProposal, "created_at">): Date {
  return new Date(created_at.getTime() + LIFETIME_MS);
}

/** The body of a proposal. */
export function bodyOfProposal<Body>({ body }: AssistantProposalRow): Body & JsonObject {
  return JSON.parse(body);
}

/** Reads a proposal of an owner. */
export function findProposal(
  sql: Sql,
  owner: string,
  proposalId: string,
  now: Date,
): Query<AssistantProposalRow> {
  return sql<AssistantProposalRow>`
    select ${shortColumns(sql)}, body::text as body from ${proposalsOf(sql, owner, now)} p
     where proposal_id = ${proposalId}`;
}

/** The proposals of a list. */
export interface ProposalQuery {
  readonly state: ProposalState;
  readonly assistantId: string | null;
  readonly cursor: string | null;
  readonly limit: number;
}

/** Reads a page of an owner's proposals, newest first. */
export async function listProposals(
  sql: Sql,
  owner: string,
  { state, assistantId, cursor, limit }: ProposalQuery,
  now: Date,
): Promise<Walked<AssistantProposalRow>> {
  const order = sql`order by proposal_id desc`;
  const walk: Walk = {
    key: sql`proposal_id`,
    ordered: sql`proposal_id`,
    order,
    rows: (columns, limit) =>
      sql`
        select ${columns} from ${proposalsOf(sql, owner, now)} p
         where true ${cursor === null ? sql`` : sql`and proposal_id < ${cursor}`}
           ${assistantId === null ? sql`` : sql`and assistant_id = ${assistantId}`}
         ${order} limit ${limit}`,
  };
  return await readWalk<AssistantProposalRow>(sql, walk, {
    columns: shortColumns(sql),
    long: { kind: "json", columns: { body: sql`body` }, hidden: null },
    conditions: sql`and state = ${state}`,
    limit,
  });
}

/** An assistant's pending proposals. Their number is bounded. */
export function pendingProposals(
  sql: Sql,
  owner: string,
  assistantId: string,
  now: Date,
): Query<AssistantProposalRow> {
  return sql<AssistantProposalRow>`
    select ${shortColumns(sql)}, body::text as body from ${proposalsOf(sql, owner, now)} p
     where assistant_id = ${assistantId} and state = 'PENDING'
       and proposal_id >= ${firstIdAt(new Date(now.getTime() - LIFETIME_MS))}`;
}

/** Stores a proposal. */
export function insertProposal(sql: Sql, owner: string, made: NewAssistantProposal): Query<object> {
  return sql`
    insert into assistant_proposals (owner_id, proposal_id, assistant_id, assistant_name, kind,
                                     module_code, target, expected_revision, body, created_at)
    values (${owner}, ${made.proposal_id}, ${made.assistant_id}, ${made.assistant_name}, ${made.kind},
            ${made.module_code}, ${made.target}, ${made.expected_revision}, ${made.body}::text::json,
            ${made.created_at})`;
}

/** The constraint that a second decision of a proposal violates. */
export const DECIDED_ONCE = "assistant_proposal_events_pkey";

/** The CTE `proposal_event`, which decides a proposal, conditional on the claim. */
export function proposalEvent(
  sql: Sql,
  owner: string,
  { proposalId, now }: { readonly proposalId: string; readonly now: Date },
  written: { readonly subjectId: string; readonly revision: number | null } | null,
): Query<object> {
  return sql`
    proposal_event as (
      insert into assistant_proposal_events (owner_id, proposal_id, state, decided_at, target,
                                             record_id, revision)
      select ${owner}, ${proposalId}, ${written === null ? "REJECTED" : "ACCEPTED"},
             ${now}::timestamptz,
             (select target from assistant_proposals
               where owner_id = ${owner} and proposal_id = ${proposalId}),
             ${written?.subjectId ?? null}, ${written?.revision ?? null}::integer
        from claim where verdict = 'GO'
    )`;
}

/** The proposals of an owner with their states: a decided one stays so, and one that expires is not stale. */
function proposalsOf(sql: Sql, owner: string, now: Date): Query<object> {
  const [target, revision] = [sql`stored.target`, sql`stored.expected_revision`];
  return sql`(
    select stored.*, decided.decided_at, decided.record_id, decided.revision,
           case when decided.state is not null then decided.state
                when stored.created_at <= ${new Date(now.getTime() - LIFETIME_MS)}::timestamptz
                  then 'EXPIRED'
                when stored.target is not null
                     and not ${isLiveAt(sql, sql`stored.owner_id`, target, revision)} then 'STALE'
                else 'PENDING'
           end as state
      from assistant_proposals stored left join assistant_proposal_events decided
           using (owner_id, proposal_id)
     where stored.owner_id = ${owner})`;
}

function shortColumns(sql: Sql): Query<object> {
  return sql`proposal_id, assistant_id, assistant_name, kind, module_code, target, expected_revision,
    created_at, state, decided_at, record_id, revision`;
}
