/**
 * Rows of proposals and evaluations written past the application, and rows that the tables must
 * reject.
 */

import { ulid } from "@std/ulid";
import { wrongRows } from "../../storage/family_rows.ts";
import { about } from "./offences.ts";
import { insertLine, lineOf, PEOPLE, revise, type Step } from "./rows.ts";
import { AT, insertInto, type Offences, type Row } from "../../storage/rows.ts";

const DIGEST = "ab".repeat(32);

/** Differences from a requested one. */
export const READY: Row = {
  state: "READY",
  attempts: 1,
  candidate: "Loyal.",
  provider: "http",
  model: "a-model",
  ready_at: AT,
  expires_at: "2026-11-27T12:00:00.000Z",
};

/** A proposal about a person's current state. */
export function proposalOf({ owner_id, person_id, revision }: Row, columns: Row = {}): Row {
  const own = { owner_id, person_id, proposal_id: ulid(), created_at: AT } as Row;
  return {
    ...own,
    ...{ provider_consent: true, source_digest: DIGEST, source_revision: revision } as Row,
    sources: "[]",
    state: "REQUESTED",
    attempts: 0,
    claimable_at: AT,
    ...columns,
  };
}

export function proposalEventOf(
  { owner_id, person_id, proposal_id }: Row,
  from_state: string | null,
  to_state: string,
  columns: Row = {},
): Row {
  const own = { owner_id, person_id, proposal_id, event_id: ulid() } as Row;
  return { ...own, from_state, to_state, reason: null, recorded_at: AT, ...columns };
}

export function insertEvent(event: Row): string {
  return insertInto("person_proposal_events", event);
}

/** Inserts the events that lead to its state too, by default through READY. */
export function insertProposal(proposal: Row, way = wayTo(String(proposal.state))): string {
  const events = way.map((state, index) =>
    insertEvent(proposalEventOf(proposal, way[index - 1] ?? null, state))
  );
  return insertInto("person_proposals", proposal) + events.join("");
}

function wayTo(state: string): readonly string[] {
  return state === "REQUESTED"
    ? [state]
    : state === "READY"
    ? ["REQUESTED", state]
    : ["REQUESTED", "READY", state];
}

/** An evaluation of a confirmed proposal, which appended the person's revision. */
export function evaluationOf(person: Row, proposal: Row, columns: Row = {}): Row {
  const { owner_id, person_id, proposal_id, candidate, provider, model } = proposal;
  const { source_digest, source_revision, evaluation_revision, decided_at } = proposal;
  return {
    ...{ owner_id, person_id, evaluation_id: ulid(), evaluation_revision, proposal_id } as Row,
    ...{ origin: "USER_CONFIRMED", text: candidate, provider, model, source_digest } as Row,
    ...{ source_revision, person_revision: person.revision, recorded_at: decided_at } as Row,
    ...columns,
  };
}

/** Inserts its timeline line too. */
export function insertEvaluation(evaluation: Row): string {
  const line = lineOf(evaluation, "EVALUATION_CONFIRMED", {
    source_id: evaluation.evaluation_id ?? null,
  });
  return insertInto("person_evaluations", evaluation) + insertLine(line);
}

/** Differences from a valid confirmation. */
export interface Forged {
  readonly proposal?: Row;
  readonly evaluation?: Row;
  readonly person?: Row;
}

/** Proposal, evaluation, revision, line. */
export function confirmed(person: Row, forged: Forged = {}): Step & { readonly proposal: Row } {
  const evaluation_revision = Number(person.current_evaluation_revision ?? 0) + 1;
  const { script, person: next } = revise(person, "EVALUATION_CONFIRMED", {
    current_evaluation_revision: evaluation_revision,
    ...forged.person,
  });
  const decided = { ...READY, state: "CONFIRMED", decided_at: AT, evaluation_revision };
  const proposal = proposalOf(person, { ...decided, ...forged.proposal });
  const right = { ...proposal, ...decided };
  const evaluation = evaluationOf(next, right, forged.evaluation);
  return {
    script: insertProposal(proposal) + insertEvaluation(evaluation) + script,
    person: next,
    proposal,
  };
}

function wrongProposals(...columns: readonly Row[]): Offences {
  return about(
    ...columns.map((wrong) => (person: Row) => insertProposal(proposalOf(person, wrong))),
  );
}

function wrongEvents(...columns: readonly Row[]): Offences {
  return about(...columns.map((wrong) => (person: Row) => {
    const proposal = proposalOf(person, READY);
    const event = proposalEventOf(proposal, "REQUESTED", "READY", wrong);
    return insertProposal(proposal, ["REQUESTED"]) + insertEvent(event);
  }));
}

function wrongEvaluations(...columns: readonly Row[]): Offences {
  return about(
    ...columns.map((evaluation) => (person: Row) => confirmed(person, { evaluation }).script),
  );
}

/** Keyed by constraint. */
export const EVALUATION_OFFENCES: Readonly<Record<string, Offences>> = {
  person_evaluation_exists: wrongRows(PEOPLE, { current_evaluation_revision: 1 }),
  proposal_digest_shape: wrongProposals(
    { source_digest: "" },
    { source_digest: DIGEST.toUpperCase() },
    { source_digest: `${DIGEST}0` },
  ),
  proposal_sources_listed: wrongProposals({ sources: "{}" }, { sources: "null" }),
  proposal_state_known: wrongProposals({ ...READY, state: "OPEN" }, { ...READY, state: "ready" }),
  proposal_attempts_range: wrongProposals({ attempts: -1 }, { attempts: 6 }),
  proposal_lease_fits: wrongProposals(
    { lease_id: ulid() },
    { ...READY, lease_id: ulid() },
    { state: "STALE", attempts: 1, lease_id: ulid() },
  ),
  proposal_candidate_length: wrongProposals(
    { ...READY, candidate: "" },
    { ...READY, candidate: "x".repeat(100_001) },
  ),
  proposal_provider_known: wrongProposals({ ...READY, provider: "HTTP", model: null }),
  proposal_lasts: wrongProposals({ ...READY, expires_at: AT }),
  proposal_candidate_whole: wrongProposals(
    { state: "READY" },
    { ...READY, state: "REQUESTED" },
    { ...READY, candidate: null },
    { ...READY, provider: null, model: null },
    { ...READY, ready_at: null },
    { ...READY, expires_at: null },
    { ...READY, model: null },
    { ...READY, provider: "local-summary" },
    { ...READY, attempts: 0 },
    { state: "EXPIRED" },
    { state: "STALE", model: "a-model" },
  ),
  proposal_decision_fits: wrongProposals(
    { decided_at: AT },
    { ...READY, decided_at: AT },
    { ...READY, state: "REJECTED" },
    { ...READY, state: "EXPIRED", decided_at: AT },
    { ...READY, state: "REJECTED", decided_at: AT, evaluation_revision: 1 },
    { ...READY, state: "CONFIRMED", decided_at: AT },
  ),
  proposal_of_revision: wrongProposals({ source_revision: 2 }, { person_id: ulid() }),
  one_proposal_an_evaluation: about((person) => {
    const first = confirmed(person);
    const again = proposalOf(person, { ...first.proposal, proposal_id: ulid() });
    return first.script + insertProposal(again);
  }),
  proposal_made_evaluation: about((person) => {
    const decided = { ...READY, state: "CONFIRMED", decided_at: AT, evaluation_revision: 1 };
    return insertProposal(proposalOf(person, decided));
  }),
  proposal_event_reason_fits: wrongEvents(
    { reason: "Why not." },
    { to_state: "REJECTED", from_state: "READY", reason: "x".repeat(501) },
  ),
  proposal_event_moves: wrongEvents(
    { from_state: null },
    { to_state: "CONFIRMED" },
    { to_state: "EXPIRED" },
    { to_state: "REQUESTED" },
    { from_state: "STALE" },
    { to_state: "OPEN" },
    { from_state: "" },
  ),
  event_of_proposal: wrongEvents({ proposal_id: ulid() }, { person_id: ulid() }),
  one_event_to_a_state: about((person) => {
    const proposal = proposalOf(person);
    return insertProposal(proposal) + insertEvent(proposalEventOf(proposal, null, "REQUESTED"));
  }),
  one_event_from_a_state: about((person) => {
    const proposal = proposalOf(person, READY);
    const stale = proposalEventOf(proposal, "REQUESTED", "STALE");
    return insertProposal(proposal) + insertEvent(stale);
  }),
  proposal_event_follows: about((person) => {
    const proposal = proposalOf(person, { ...READY, state: "EXPIRED" });
    const events = [
      proposalEventOf(proposal, null, "REQUESTED"),
      proposalEventOf(proposal, "READY", "EXPIRED"),
    ];
    return insertInto("person_proposals", proposal) + events.map(insertEvent).join("");
  }),
  evaluation_revision_positive: wrongEvaluations({ evaluation_revision: 0 }),
  evaluation_origin_known: wrongEvaluations({ origin: "PROVIDER" }),
  evaluation_revision_unique: about((person) => {
    const first = confirmed(person);
    return first.script +
      confirmed(first.person, { evaluation: { evaluation_revision: 1 } }).script;
  }),
  evaluation_follows: wrongEvaluations({ evaluation_revision: 2 }),
  evaluation_of_proposal: wrongEvaluations({ proposal_id: ulid() }, { person_id: ulid() }),
  evaluation_of_revision: wrongEvaluations({ person_revision: 3 }),
  one_evaluation_a_revision: about((person) => {
    const first = confirmed(person);
    const { revision = null } = first.person;
    return first.script +
      confirmed(first.person, { evaluation: { person_revision: revision } }).script;
  }),
};
