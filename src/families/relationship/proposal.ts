/** Proposals of evaluations, and their states (REL-005). */

import type { Caller } from "../../access/identity.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  REVISION,
  SHA256,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import type { Status } from "./person.ts";
import { hides } from "./privacy.ts";

export const PROPOSAL_STATES = [
  "REQUESTED",
  "READY",
  "CONFIRMED",
  "REJECTED",
  "EXPIRED",
  "STALE",
] as const;

export type ProposalState = (typeof PROPOSAL_STATES)[number];

export const PROVIDERS = ["local-summary", "http"] as const;

/** Maximum provider calls for one proposal. */
export const MAX_ATTEMPTS = 5;

export interface ProposalRow {
  readonly proposal_id: string;
  readonly person_id: string;
  readonly created_at: Date;
  readonly provider_consent: boolean;
  readonly source_digest: string;
  /** The person's revision that the digest covers. */
  readonly source_revision: number;
  readonly state: ProposalState;
  /** How often the proposal was leased, without leases that were returned. */
  readonly attempts: number;
  readonly lease_id: string | null;
  /** Earliest next lease: the end of this one, or of the pause after a failure. */
  readonly claimable_at: Date;
  readonly candidate: string | null;
  readonly provider: (typeof PROVIDERS)[number] | null;
  readonly model: string | null;
  readonly ready_at: Date | null;
  readonly expires_at: Date | null;
  readonly decided_at: Date | null;
  readonly evaluation_revision: number | null;
  readonly person_status: Status;
  /** Whether a source is SECRET today. */
  readonly has_secret_source: boolean;
}

export interface Proposal {
  readonly proposalId: string;
  readonly personId: string;
  readonly state: ProposalState;
  readonly providerConsent: boolean;
  readonly sourceDigest: string;
  readonly sourceRevision: number;
  readonly candidate: string | null;
  readonly provider: ProposalRow["provider"];
  readonly model: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly readyAt: string | null;
  readonly expiresAt: string | null;
  readonly decidedAt: string | null;
  readonly evaluationRevision: number | null;
  /** Present if the reader may not see the candidate, which is then null. */
  readonly redacted?: true;
}

export const PROPOSAL_SCHEMA: JsonSchema = component<Proposal>("PersonProposal", {
  proposalId: ULID,
  personId: ULID,
  state: enumOf(PROPOSAL_STATES),
  providerConsent: { type: "boolean" },
  sourceDigest: SHA256,
  sourceRevision: REVISION,
  candidate: nullable(TEXT),
  provider: nullable(enumOf(PROVIDERS)),
  model: nullable(TEXT),
  attempts: { type: "integer", minimum: 0, maximum: MAX_ATTEMPTS },
  createdAt: TIME,
  readyAt: nullable(TIME),
  expiresAt: nullable(TIME),
  decidedAt: nullable(TIME),
  evaluationRevision: nullable(REVISION),
  redacted: { const: true },
}, ["redacted"]);

/**
 * True if the last attempt has ended: the proposal stays REQUESTED, but another one may be requested.
 */
export function isExhausted(
  { attempts, lease_id, claimable_at }: ProposalRow,
  now: Date,
): boolean {
  return attempts >= MAX_ATTEMPTS && (lease_id === null || claimable_at <= now);
}

/**
 * Returns the state at a time: an expired proposal reads as EXPIRED even before that is written.
 */
export function stateAt(row: ProposalRow, now: Date): ProposalState {
  const isSealed = row.person_status === "SEALED";
  switch (row.state) {
    case "REQUESTED":
      return isSealed && !isExhausted(row, now) ? "EXPIRED" : row.state;
    case "READY":
      return isSealed || hasExpired(row, now) ? "EXPIRED" : row.state;
    default:
      return row.state;
  }
}

/** True if the proposal can no longer be confirmed. */
export function hasExpired({ expires_at }: ProposalRow, now: Date): boolean {
  return expires_at !== null && expires_at <= now;
}

/** Limited to what the reader may see. */
export function showProposal(row: ProposalRow, reader: Caller, now: Date): Proposal {
  const isHidden = hides(row.has_secret_source, reader, row.person_id);
  return {
    proposalId: row.proposal_id,
    personId: row.person_id,
    state: stateAt(row, now),
    providerConsent: row.provider_consent,
    sourceDigest: row.source_digest,
    sourceRevision: row.source_revision,
    candidate: isHidden ? null : row.candidate,
    provider: row.provider,
    model: row.model,
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    readyAt: row.ready_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    decidedAt: row.decided_at?.toISOString() ?? null,
    evaluationRevision: row.evaluation_revision,
    ...(isHidden && { redacted: true }),
  };
}

export function asRequested(row: ProposalRow): ProposalRow {
  return {
    ...row,
    state: "REQUESTED",
    attempts: 0,
    lease_id: null,
    claimable_at: row.created_at,
    candidate: null,
    provider: null,
    model: null,
    ready_at: null,
    expires_at: null,
    decided_at: null,
    evaluation_revision: null,
    person_status: "ACTIVE",
  };
}

export interface ProposalEventRow {
  readonly event_id: string;
  readonly proposal_id: string;
  readonly from_state: ProposalState | null;
  readonly to_state: ProposalState;
  readonly reason: string | null;
  readonly recorded_at: Date;
}

export interface ProposalEvent {
  readonly eventId: string;
  readonly proposalId: string;
  readonly fromState: ProposalState | null;
  readonly toState: ProposalState;
  readonly reason: string | null;
  readonly createdAt: string;
}

export const PROPOSAL_EVENT_SCHEMA: JsonSchema = component<ProposalEvent>("PersonProposalEvent", {
  eventId: ULID,
  proposalId: ULID,
  fromState: nullable(enumOf(PROPOSAL_STATES)),
  toState: enumOf(PROPOSAL_STATES),
  reason: nullable(TEXT),
  createdAt: TIME,
});

export function showProposalEvent(row: ProposalEventRow): ProposalEvent {
  return {
    eventId: row.event_id,
    proposalId: row.proposal_id,
    fromState: row.from_state,
    toState: row.to_state,
    reason: row.reason,
    createdAt: row.recorded_at.toISOString(),
  };
}
