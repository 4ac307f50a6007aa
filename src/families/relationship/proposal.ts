/** Proposals of evaluations, and their states (REL-005). */

import type { Caller } from "../../access/identity.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import {
  choice,
  flag,
  id,
  longText,
  numeric,
  revision,
  shortText,
  stamp,
} from "../../kit/kinds.ts";
import { component, type JsonSchema, SHA256, TIME } from "../../validate/json_schema.ts";
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
const MAX_ATTEMPTS = 5;

const PROPOSAL = {
  proposal_id: id,
  person_id: id,
  state: choice(PROPOSAL_STATES),
  provider_consent: flag,
  source_digest: shortText(SHA256),
  /** The person's revision that the digest covers. */
  source_revision: revision,
  candidate: orNull(longText),
  provider: orNull(choice(PROVIDERS)),
  model: orNull(shortText()),
  /** Number of leases, without those that were returned. */
  attempts: numeric("integer", { type: "integer", minimum: 0, maximum: MAX_ATTEMPTS }),
  created_at: stamp,
  ready_at: orNull(stamp),
  expires_at: orNull(stamp),
  decided_at: orNull(stamp),
  evaluation_revision: orNull(revision),
};

export interface ProposalRow extends RowOf<typeof PROPOSAL> {
  readonly lease_id: string | null;
  /** Earliest next lease: the end of this one, or of the pause after a failure. */
  readonly claimable_at: Date;
  readonly person_status: Status;
  /** Whether a source is SECRET today. */
  readonly has_secret_source: boolean;
}

export interface Proposal extends ShownOf<typeof PROPOSAL> {
  /** Present if the reader may not see the candidate, which is then null. */
  readonly redacted?: true;
}

export const PROPOSAL_SCHEMA: JsonSchema = component<Proposal>("PersonProposal", {
  ...membersOf(PROPOSAL),
  redacted: { const: true },
}, ["redacted"]);

/** True if the last attempt has ended: another proposal may be requested. */
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

/** Without the candidate if the reader may not see it. */
export function showProposal(row: ProposalRow, reader: Caller, now: Date): Proposal {
  return {
    ...showColumns(PROPOSAL, row),
    state: stateAt(row, now),
    ...(hides(row.has_secret_source, reader, row.person_id) && HIDDEN),
  };
}

const HIDDEN = { candidate: null, redacted: true } as const;

/** Columns of a proposal before its first lease. */
export const REQUESTED = {
  state: "REQUESTED",
  attempts: 0,
  lease_id: null,
  candidate: null,
  provider: null,
  model: null,
  ready_at: null,
  expires_at: null,
  decided_at: null,
  evaluation_revision: null,
} as const;

export function asRequested(row: ProposalRow): ProposalRow {
  return { ...row, ...REQUESTED, claimable_at: row.created_at, person_status: "ACTIVE" };
}

const PROPOSAL_MOVE = {
  event_id: id,
  proposal_id: id,
  from_state: orNull(choice(PROPOSAL_STATES)),
  to_state: choice(PROPOSAL_STATES),
  reason: orNull(shortText()),
};

export interface ProposalEventRow extends RowOf<typeof PROPOSAL_MOVE> {
  readonly recorded_at: Date;
}

export interface ProposalEvent extends ShownOf<typeof PROPOSAL_MOVE> {
  readonly createdAt: string;
}

export const PROPOSAL_EVENT_SCHEMA: JsonSchema = component<ProposalEvent>("PersonProposalEvent", {
  ...membersOf(PROPOSAL_MOVE),
  createdAt: TIME,
});

export function showProposalEvent(row: ProposalEventRow): ProposalEvent {
  return { ...showColumns(PROPOSAL_MOVE, row), createdAt: row.recorded_at.toISOString() };
}
