import { idAfter, newId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import {
  hasExpired,
  isExhausted,
  type ProposalRow,
  type ProposalState,
  REQUESTED,
  stateAt,
} from "./proposal.ts";
import type { LockedProposal, ProposalMove } from "./proposal_store.ts";
import { sourceDigest, type Sources, takenEntries } from "./sources.ts";

export function newProposal(sources: Sources, providerConsent: boolean, now: Date): ProposalRow {
  const { person } = sources;
  return {
    proposal_id: newId(now),
    person_id: person.person_id,
    created_at: now,
    provider_consent: providerConsent,
    source_digest: sourceDigest(sources),
    source_revision: person.revision,
    ...REQUESTED,
    claimable_at: now,
    person_status: person.status,
    has_secret_source: takenEntries(sources).some((entry) => entry.effective_privacy === "SECRET"),
  };
}

/** True if the sources differ from those that the digest covers. */
export function hasDrifted(takenDigest: string, sources: Sources): boolean {
  return takenDigest !== sourceDigest(sources);
}

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

/** Name of the service's own moves in the audit trail. */
export function systemOperation(to: "READY" | "STALE" | "EXPIRED"): string {
  return `relationship.proposal.${SYSTEM_OPERATIONS[to]}`;
}

const SYSTEM_OPERATIONS = { READY: "ready", STALE: "stale", EXPIRED: "expire" } as const;

/** How an open proposal gives way to another one: by a move, or by releasing its last lease. */
type GivingWay = "STALE" | "EXPIRED" | "RELEASED";

/** @throws ServiceError `RELATIONSHIP_PROPOSAL_CONFLICT` if the open proposal cannot be closed. */
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
 * @returns The move that the service makes before it rejects the request; null if the proposal can
 *   be confirmed.
 * @throws ServiceError `RELATIONSHIP_PROPOSAL_CONFLICT` if it is not ready.
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

/** @throws ServiceError `RELATIONSHIP_PROPOSAL_CONFLICT` if the proposal is not ready. */
export function assertReady(proposal: ProposalRow, now: Date): void {
  if (stateAt(proposal, now) !== "READY") throw proposalConflict();
}

function proposalConflict(): ServiceError {
  return new ServiceError("RELATIONSHIP_PROPOSAL_CONFLICT");
}
