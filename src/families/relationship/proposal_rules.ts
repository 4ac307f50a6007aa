/** The state changes of proposals. No SQL, no HTTP. */

import { idAfter, newId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import {
  hasExpired,
  isExhausted,
  type ProposalRow,
  type ProposalState,
  stateAt,
} from "./proposal.ts";
import type { LockedProposal, ProposalMove } from "./proposal_store.ts";
import { sourceDigest, type Sources, takenEntries } from "./sources.ts";

/** A new proposal of an evaluation that is made of these sources. */
export function newProposal(sources: Sources, providerConsent: boolean, now: Date): ProposalRow {
  const { person } = sources;
  return {
    proposal_id: newId(now),
    person_id: person.person_id,
    created_at: now,
    provider_consent: providerConsent,
    source_digest: sourceDigest(sources),
    source_revision: person.revision,
    state: "REQUESTED",
    attempts: 0,
    lease_id: null,
    claimable_at: now,
    candidate: null,
    provider: null,
    model: null,
    ready_at: null,
    expires_at: null,
    decided_at: null,
    evaluation_revision: null,
    person_status: person.status,
    has_secret_source: takenEntries(sources).some((entry) => entry.effective_privacy === "SECRET"),
  };
}

/** Whether the sources are others than those that had this digest. */
export function hasDrifted(takenDigest: string, sources: Sources): boolean {
  return takenDigest !== sourceDigest(sources);
}

/** The next step of a proposal. */
export function moveTo(
  { proposal_id, person_id, state, last_event_id }: LockedProposal,
  to_state: ProposalState,
  now: Date,
  reason: string | null = null,
): ProposalMove {
  return {
    event_id: idAfter(last_event_id, now),
    proposal_id,
    person_id,
    from_state: state,
    to_state,
    reason,
    recorded_at: now,
  };
}

/** The name of the service's own operation on a proposal, in the audit trail. */
export function systemOperation(to: "READY" | "STALE" | "EXPIRED"): string {
  return `relationship.proposal.${SYSTEM_OPERATIONS[to]}`;
}

const SYSTEM_OPERATIONS = { READY: "ready", STALE: "stale", EXPIRED: "expire" } as const;

/** How an open proposal is closed for another one: by a move, or by releasing its last lease. */
type GivingWay = "STALE" | "EXPIRED" | "RELEASED";

/**
 * Decides how an open proposal is closed for a new one.
 *
 * @throws ServiceError `RELATIONSHIP_PROPOSAL_CONFLICT` if it cannot be.
 */
export function decideSuperseded(open: ProposalRow, sources: Sources, now: Date): GivingWay {
  if (open.state === "READY") {
    if (hasExpired(open, now)) return "EXPIRED";
  } else {
    if (isExhausted(open, now)) return "RELEASED";
    if (hasDrifted(open.source_digest, sources)) return "STALE";
  }
  throw proposalConflict();
}

/**
 * Decides whether a proposal can be confirmed.
 *
 * @returns The move that the service makes instead, before it refuses; null if it can be confirmed.
 * @throws ServiceError `RELATIONSHIP_PROPOSAL_CONFLICT` for one that is not ready.
 */
export function decideConfirmable(
  proposal: ProposalRow,
  sources: Sources,
  now: Date,
): "STALE" | "EXPIRED" | null {
  if (proposal.state !== "READY") throw proposalConflict();
  if (hasExpired(proposal, now)) return "EXPIRED";
  return hasDrifted(proposal.source_digest, sources) ? "STALE" : null;
}

/** @throws ServiceError `RELATIONSHIP_PROPOSAL_CONFLICT` for a proposal that is not ready. */
export function assertReady(proposal: ProposalRow, now: Date): void {
  if (stateAt(proposal, now) !== "READY") throw proposalConflict();
}

function proposalConflict(): ServiceError {
  return new ServiceError("RELATIONSHIP_PROPOSAL_CONFLICT");
}
