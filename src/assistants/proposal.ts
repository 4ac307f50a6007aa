/** Proposals of assistants: stored rows and public form. */

import { DAY_MS } from "../core/clock.ts";
import { firstIdAt } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import { wholeColumns } from "../database/page_bytes.ts";
import type { Query, Sql } from "../database/sql.ts";
import { readWalk, type Walk, type Walked } from "../database/walk.ts";
import {
  longColumns,
  membersOf,
  namesOf,
  orNull,
  type RowOf,
  shortColumns,
  showColumns,
  type ShownOf,
  valuesOf,
} from "../kit/columns.ts";
import { choice, id, json, revision, shortText, stamp } from "../kit/kinds.ts";
import { isLiveAt } from "../records/port.ts";
import {
  ANY_OBJECT,
  component,
  type JsonSchema,
  nullable,
  objectOf,
  REVISION,
  ULID,
} from "../validate/json_schema.ts";

export const PROPOSAL_KINDS = ["RECORD", "CHANGE", "MEMORY_TEXT"] as const;
export const PROPOSAL_STATES = ["PENDING", "ACCEPTED", "REJECTED", "EXPIRED", "STALE"] as const;
type AssistantProposalState = (typeof PROPOSAL_STATES)[number];

/** How long a proposal can be accepted. */
const LIFETIME_MS = 14 * DAY_MS;

/** Columns of `assistant_proposals`. */
const STORED = {
  proposal_id: id,
  assistant_id: id,
  assistant_name: shortText(),
  kind: choice(PROPOSAL_KINDS),
  module_code: shortText(),
  // The record to change; null for a new one.
  target: orNull(id),
  expected_revision: orNull(revision),
  // Canonical, so that equal proposals have equal texts.
  body: json(ANY_OBJECT),
  created_at: stamp,
};

/** The state at a moment, and columns of `assistant_proposal_events`, null without a decision. */
const DECISION = {
  state: choice(PROPOSAL_STATES),
  decided_at: orNull(stamp),
  record_id: orNull(id),
  revision: orNull(revision),
};

const COLUMNS = { ...STORED, ...DECISION };

/** A proposal before it is stored. */
export type NewAssistantProposal = RowOf<typeof STORED>;

/** A stored proposal with its state at a moment. */
export type AssistantProposalRow = RowOf<typeof COLUMNS>;

const { assistant_name: _, created_at, ...PROPOSED } = STORED;
const { state, decided_at } = DECISION;

/** Columns with a member of the same name, in the order of the public form. */
const SHOWN = { ...PROPOSED, state, created_at, expires_at: stamp, decided_at };

interface AssistantProposal extends ShownOf<typeof SHOWN> {
  /** The revision that the acceptance wrote. */
  readonly result: { readonly recordId: string; readonly revision: number } | null;
}

export const PROPOSAL_SCHEMA: JsonSchema = component<AssistantProposal>("AssistantProposal", {
  ...membersOf(SHOWN),
  result: nullable(objectOf({ recordId: ULID, revision: REVISION })),
});

/** Returns the public form of a row. */
export function toProposal(row: AssistantProposalRow): AssistantProposal {
  const { record_id: recordId, revision } = row;
  return {
    ...showColumns(SHOWN, { ...row, expires_at: expiryOf(row) }),
    result: recordId === null || revision === null ? null : { recordId, revision },
  };
}

/** Returns the first moment at which a proposal can no longer be accepted. */
export function expiryOf({ created_at }: Pick<NewAssistantProposal, "created_at">): Date {
  return new Date(created_at.getTime() + LIFETIME_MS);
}

export function bodyOfProposal<Body>({ body }: AssistantProposalRow): Body & JsonObject {
  return JSON.parse(body);
}

export function findProposal(
  sql: Sql,
  owner: string,
  proposalId: string,
  now: Date,
): Query<AssistantProposalRow> {
  return sql<AssistantProposalRow>`
    select ${columnsOf(sql)} from ${proposalsOf(sql, owner, now)} p
     where proposal_id = ${proposalId}`;
}

/** Parameters of one page of proposals. */
interface ProposalQuery {
  readonly state: AssistantProposalState;
  readonly assistantId: string | null;
  readonly cursor: string | null;
  readonly limit: number;
}

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
    columns: shortColumns(sql, COLUMNS),
    long: longColumns(sql, COLUMNS),
    conditions: sql`and state = ${state}`,
    limit,
  });
}

/** Selects an assistant's pending proposals, at most 50. */
export function pendingProposals(
  sql: Sql,
  owner: string,
  assistantId: string,
  now: Date,
): Query<AssistantProposalRow> {
  return sql<AssistantProposalRow>`
    select ${columnsOf(sql)} from ${proposalsOf(sql, owner, now)} p
     where assistant_id = ${assistantId} and state = 'PENDING'
       and proposal_id >= ${firstIdAt(new Date(now.getTime() - LIFETIME_MS))}`;
}

export function insertProposal(
  sql: Sql,
  owner: string,
  made: NewAssistantProposal,
): Query<object> {
  return sql`
    insert into assistant_proposals (owner_id, ${namesOf(sql, STORED)})
    values (${owner}, ${valuesOf(sql, STORED, made)})`;
}

/** The constraint that a second decision of a proposal violates. */
export const DECIDED_ONCE = "assistant_proposal_events_pkey";

/** The CTE `proposal_event`: decides a proposal if the claim succeeded. */
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

/** Selects an owner's proposals with their states. Decisions and expiry precede staleness. */
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

function columnsOf(sql: Sql): Query<object> {
  return sql`${shortColumns(sql, COLUMNS)}, ${wholeColumns(sql, longColumns(sql, COLUMNS))}`;
}
