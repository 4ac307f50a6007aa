/**
 * Workers' leases on stored proposals. A lease belongs to one worker until it expires. It writes no
 * event, because the proposal's state does not change.
 */

import { isFrozenAccount, keepsUnfrozen } from "../../access/account_row.ts";
import type { Query, Sql } from "../../database/sql.ts";

export interface ProposalName {
  readonly owner: string;
  readonly personId: string;
  readonly proposalId: string;
}

export interface LeasedProposal extends ProposalName {
  /** A new identifier for each lease of a proposal. */
  readonly leaseId: string;
  readonly attempts: number;
  readonly providerConsent: boolean;
  readonly sourceDigest: string;
}

interface Lease {
  readonly leaseId: string;
  readonly now: Date;
  readonly until: Date;
  readonly limit: number;
  /** The only proposal to lease; default: any. */
  readonly only?: ProposalName;
}

/**
 * Leases the longest-waiting proposals of all owners. Skips locked rows, and accounts whose writes
 * are frozen or being frozen.
 */
export function leaseStatement(
  sql: Sql,
  { leaseId, now, until, limit, only }: Lease,
): Query<LeasedProposal> {
  return sql<LeasedProposal>`
    with due as materialized (
      select p.owner_id, p.person_id, p.proposal_id from person_proposals p
       where p.state = 'REQUESTED' and p.attempts < 5 and p.claimable_at <= ${now}
         and ${isAboutOpenPerson(sql)} and not ${isFrozenAccount(sql, sql`p.owner_id`)} ${
    only === undefined ? sql`` : sql`and ${isNamed(sql, only)}`
  }
       order by p.claimable_at, p.owner_id, p.person_id, p.proposal_id limit ${limit}
         for no key update of p skip locked
    )
    update person_proposals p
       set lease_id = ${leaseId}, claimable_at = ${until}, attempts = p.attempts + 1
      from due
     where p.owner_id = due.owner_id and p.person_id = due.person_id
       and p.proposal_id = due.proposal_id and ${keepsUnfrozen(sql, sql`due.owner_id`, "skip")}
    returning p.owner_id as "owner", p.person_id as "personId", p.proposal_id as "proposalId",
              p.lease_id as "leaseId", p.attempts, p.provider_consent as "providerConsent",
              p.source_digest as "sourceDigest"`;
}

/** Extends a lease; selects nothing if it has expired. */
export function extendStatement(
  sql: Sql,
  leased: LeasedProposal,
  now: Date,
  until: Date,
): Query<object> {
  return sql`
    update person_proposals p set claimable_at = ${until}
     where ${isHeld(sql, leased)} and p.claimable_at > ${now}
    returning 1`;
}

export function failStatement(sql: Sql, leased: LeasedProposal, next: Date): Query<object> {
  return sql`
    update person_proposals p set lease_id = null, claimable_at = ${next}
     where ${isHeld(sql, leased)}`;
}

/** Ends a lease as if it had not been made. */
export function giveBackStatement(sql: Sql, leased: LeasedProposal, now: Date): Query<object> {
  return sql`
    update person_proposals p
       set lease_id = null, claimable_at = ${now}, attempts = p.attempts - 1
     where ${isHeld(sql, leased)}`;
}

/** True if proposal `p` has this lease, expired or not, and may be written. */
function isHeld(sql: Sql, leased: LeasedProposal): Query<object> {
  return sql`${isNamed(sql, leased)} and p.lease_id = ${leased.leaseId}
    and ${isAboutOpenPerson(sql)} and ${keepsUnfrozen(sql, sql`p.owner_id`, "wait")}`;
}

function isNamed(sql: Sql, { owner, personId, proposalId }: ProposalName): Query<object> {
  return sql`p.owner_id = ${owner} and p.person_id = ${personId}
    and p.proposal_id = ${proposalId}`;
}

function isAboutOpenPerson(sql: Sql): Query<object> {
  return sql`exists (
    select from people
     where people.owner_id = p.owner_id and people.person_id = p.person_id
       and people.status in ('ACTIVE', 'PAUSED'))`;
}
