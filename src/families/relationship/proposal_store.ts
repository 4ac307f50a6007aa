import type { Caller } from "../../access/identity.ts";
import { newId } from "../../core/ids.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows, type Walked } from "../../database/walk.ts";
import type { PageQuery } from "../../http/page.ts";
import { mayReadSecrets } from "./privacy.ts";
import type { ProposalEventRow, ProposalRow, ProposalState } from "./proposal.ts";

export type LockedProposal = ProposalRow & { readonly last_event_id: string };

/** CTEs of a new proposal and its first event, conditional on the claim. */
export function proposalEntries(
  sql: Sql,
  owner: string,
  row: ProposalRow,
  sources: readonly string[],
): Query<object> {
  return sql`
    proposal as (
      insert into person_proposals (owner_id, proposal_id, person_id, created_at, provider_consent,
                                    source_digest, source_revision, sources, state, attempts,
                                    claimable_at)
      select ${owner}, ${row.proposal_id}, ${row.person_id}, ${row.created_at}::timestamptz,
             ${row.provider_consent}::boolean, ${row.source_digest},
             ${row.source_revision}::integer, ${JSON.stringify(sources)}::text::json,
             ${row.state}, ${row.attempts}::integer, ${row.claimable_at}::timestamptz
        from claim where verdict = 'GO'
    ),
    proposal_event as (
      insert into person_proposal_events (owner_id, event_id, person_id, proposal_id, to_state,
                                          recorded_at)
      select ${owner}, ${newId(row.created_at)}, ${row.person_id}, ${row.proposal_id}, ${row.state},
             ${row.created_at}::timestamptz
        from claim where verdict = 'GO'
    )`;
}

export interface ProposalMove extends ProposalEventRow {
  readonly person_id: string;
  readonly from_state: ProposalState;
}

/**
 * CTEs that move a locked proposal, conditional on the claim.
 *
 * @param changes Further columns to set, such as `candidate = …`; or null.
 */
export function moveEntries(
  sql: Sql,
  owner: string,
  move: ProposalMove,
  changes: Query<object> | null = null,
): Query<object> {
  return sql`
    proposal as (
      update person_proposals p
         set state = ${move.to_state}, lease_id = null ${
    changes === null ? sql`` : sql`, ${changes}`
  }
        from claim
       where p.owner_id = ${owner} and p.person_id = ${move.person_id}
         and p.proposal_id = ${move.proposal_id} and claim.verdict = 'GO'
    ),
    proposal_event as (
      insert into person_proposal_events (owner_id, event_id, person_id, proposal_id, from_state,
                                          to_state, reason, recorded_at)
      select ${owner}, ${move.event_id}, ${move.person_id}, ${move.proposal_id}, ${move.from_state},
             ${move.to_state}, ${move.reason}, ${move.recorded_at}::timestamptz
        from claim where verdict = 'GO'
    )`;
}

/** Moves a locked proposal in a separate statement, before the new one is written. */
export function moveAhead(sql: Sql, owner: string, move: ProposalMove): Query<object> {
  return sql`
    with claim as (select 'GO' as verdict), ${moveEntries(sql, owner, move)} select 1`;
}

/** Removes the expired last lease, so that another proposal may be open. */
export function releaseLastLease(sql: Sql, owner: string, row: ProposalRow): Query<object> {
  return sql`
    update person_proposals set lease_id = null
     where owner_id = ${owner} and person_id = ${row.person_id}
       and proposal_id = ${row.proposal_id}`;
}

export function findProposal(
  sql: Sql,
  owner: string,
  personId: string,
  proposalId: string,
): Query<ProposalRow> {
  return sql<ProposalRow>`
    select ${shortColumns(sql)}, ${hasSecretSource(sql)} as has_secret_source, p.candidate
      from ${proposals(sql)}
     where p.owner_id = ${owner} and p.person_id = ${personId} and p.proposal_id = ${proposalId}`;
}

/** Locks a proposal, also against the worker. Call it only while the person is locked. */
export function lockProposal(
  sql: Sql,
  owner: string,
  personId: string,
  proposalId: string,
): Query<LockedProposal> {
  return lockedProposal(sql, owner, personId, sql`p.proposal_id = ${proposalId}`);
}

/** The person's proposal that may still be open, locked likewise. */
export function lockOpenProposal(
  sql: Sql,
  owner: string,
  personId: string,
): Query<LockedProposal> {
  return lockedProposal(
    sql,
    owner,
    personId,
    // The condition of the index `one_open_proposal_a_person`.
    sql`(p.state = 'READY' or (p.state = 'REQUESTED' and (p.attempts < 5 or p.lease_id is not null)))`,
  );
}

function lockedProposal(
  sql: Sql,
  owner: string,
  personId: string,
  isNamed: Query<object>,
): Query<LockedProposal> {
  return sql<LockedProposal>`
    select ${shortColumns(sql)}, ${hasSecretSource(sql)} as has_secret_source, p.candidate,
           (select max(e.event_id) from person_proposal_events e
             where e.owner_id = p.owner_id and e.person_id = p.person_id
               and e.proposal_id = p.proposal_id) as last_event_id
      from ${proposals(sql)}
     where p.owner_id = ${owner} and p.person_id = ${personId} and ${isNamed}
       for no key update of p`;
}

/** Newest first. */
export async function readProposals(
  sql: Sql,
  reader: Caller,
  personId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<ProposalRow>> {
  const isSecret = hasSecretSource(sql);
  return await readRows<ProposalRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from ${proposals(sql)}
         where p.owner_id = ${reader.account.accountId} and p.person_id = ${personId}
           ${cursor === null ? sql`` : sql`and p.proposal_id < ${cursor}`}
         order by p.proposal_id desc limit ${limit}`,
    {
      columns: sql`${shortColumns(sql)}, ${isSecret} as has_secret_source`,
      long: {
        kind: "text",
        // A flag comes first: the first long column must not be null, as a candidate may be.
        columns: { is_read: sql`true`, candidate: sql`p.candidate` },
        hidden: mayReadSecrets(reader) ? null : isSecret,
      },
      limit,
    },
  );
}

export function findProposalEvent(
  sql: Sql,
  owner: string,
  personId: string,
  proposalId: string,
  eventId: string,
): Query<object> {
  return sql`
    select 1 from person_proposal_events
     where owner_id = ${owner} and person_id = ${personId} and proposal_id = ${proposalId}
       and event_id = ${eventId}`;
}

/** Newest first. */
export async function readProposalEvents(
  sql: Sql,
  owner: string,
  personId: string,
  proposalId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<ProposalEventRow>> {
  return await readRows<ProposalEventRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from person_proposal_events
         where owner_id = ${owner} and person_id = ${personId} and proposal_id = ${proposalId}
           ${cursor === null ? sql`` : sql`and event_id < ${cursor}`}
         order by event_id desc limit ${limit}`,
    {
      columns: sql`event_id, proposal_id, from_state, to_state, reason, recorded_at`,
      long: null,
      limit,
    },
  );
}

function proposals(sql: Sql): Query<object> {
  return sql`person_proposals p join people on people.owner_id = p.owner_id
    and people.person_id = p.person_id`;
}

function shortColumns(sql: Sql): Query<object> {
  return sql`p.proposal_id, p.person_id, p.created_at, p.provider_consent, p.source_digest,
    p.source_revision, p.state, p.attempts, p.lease_id, p.claimable_at, p.provider, p.model,
    p.ready_at, p.expires_at, p.decided_at, p.evaluation_revision, people.status as person_status`;
}

/** True if a source of proposal `p` is SECRET today: levels only rise. */
export function hasSecretSource(sql: Sql): Query<object> {
  return sql`exists (
    select from json_array_elements_text(p.sources) source join person_evidence e
        on e.owner_id = p.owner_id and e.person_id = p.person_id and e.evidence_id = source
     where e.privacy = 'SECRET' or exists (
       select from person_evidence_controls c
        where c.owner_id = e.owner_id and c.person_id = e.person_id
          and c.evidence_id = e.evidence_id and c.privacy = 'SECRET'))`;
}
