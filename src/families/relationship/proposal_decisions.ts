/** REL-005: the owner confirms a ready proposal as an evaluation, or rejects it. */

import { FIELD_LIMITS } from "../../catalog/field_types.ts";
import type { PlannedRefusal } from "../../command/command.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { assertRevision } from "../../kit/root.ts";
import { optional, revision, string } from "../../validate/schema.ts";
import type { ControlRoute } from "./control.ts";
import { newEvaluation } from "./evaluation.ts";
import { evaluationEntries, findLastEvaluationId } from "./evaluation_store.ts";
import { findSourceEntries } from "./evidence_store.ts";
import { type Proposal, PROPOSAL_SCHEMA, type ProposalRow, showProposal } from "./proposal.ts";
import { assertReady, decideConfirmable, moveTo, systemOperation } from "./proposal_rules.ts";
import { findProposal, type LockedProposal, lockProposal, moveEntries } from "./proposal_store.ts";
import { decideEvaluation } from "./person_rules.ts";
import type { SourceEntry } from "./sources.ts";
import { entryStatement } from "../../kit/write.ts";
import { STORED_PEOPLE } from "./person_store.ts";

const COMMON = {
  idName: "proposalId",
  schema: PROPOSAL_SCHEMA,
  // A decided proposal never changes.
  findAfter: (sql, { owner, personId }, proposalId) =>
    findProposal(sql, owner, personId, proposalId),
  show: showProposal,
} as const satisfies Partial<ControlRoute<Record<never, never>, unknown, ProposalRow, Proposal>>;

const CONFIRM_BODY = { expectedRevision: revision };

interface Confirmed {
  readonly proposal: LockedProposal | undefined;
  readonly entries: readonly SourceEntry[];
  readonly lastEvaluation: string | null;
}

/**
 * Confirms a proposal. If it has expired, or its sources have changed, the service moves it to that
 * state and then rejects the request.
 */
export const CONFIRMATION: ControlRoute<typeof CONFIRM_BODY, Confirmed, ProposalRow, Proposal> = {
  ...COMMON,
  summary: "Confirm a ready proposal as the evaluation of a person",
  body: CONFIRM_BODY,
  example: { expectedRevision: 1 },
  errors: [
    "RELATIONSHIP_PROPOSAL_CONFLICT",
    "RELATIONSHIP_PROPOSAL_STALE",
    "REVISION_CONFLICT",
  ],
  proof: "RELATIONSHIP_EVALUATION_CONFIRM",
  policy: "relationship-proposal-confirmation",
  async related(sql, { owner, personId, entryId }) {
    const [[proposal], entries, lastEvaluation] = await Promise.all([
      lockProposal(sql, owner, personId, entryId),
      findSourceEntries(sql, owner, personId, false),
      findLastEvaluationId(sql, owner, personId),
    ]);
    return { proposal, entries, lastEvaluation };
  },
  decide(person, { proposal, entries, lastEvaluation }, { caller, owner, body, now }) {
    if (proposal === undefined) throw new ServiceError("RECORD_NOT_FOUND");
    const overtaken = decideConfirmable(proposal, { person, entries }, now);
    if (overtaken !== null) return overtakenWrite(owner, proposal, overtaken, now);
    assertRevision(person, body.expectedRevision);
    const { row, change } = decideEvaluation(person, now);
    const evaluation = newEvaluation(proposal, row, lastEvaluation);
    const { evaluation_revision, recorded_at: decided_at } = evaluation;
    const confirmed: ProposalRow = {
      ...proposal,
      state: "CONFIRMED",
      decided_at,
      evaluation_revision,
    };
    const move = moveTo(proposal, "CONFIRMED", decided_at);
    return {
      subjectId: proposal.proposal_id,
      revision: row.revision,
      result: showProposal(confirmed, caller, now),
      statement: (sql, ledger) => {
        const changes = sql`
          decided_at = ${decided_at}::timestamptz,
          evaluation_revision = ${evaluation_revision}::integer`;
        return entryStatement(
          sql,
          ledger,
          sql`
            ${STORED_PEOPLE.entries(sql, owner, row, change)},
            ${moveEntries(sql, owner, move, changes)},
            ${evaluationEntries(sql, owner, evaluation)}`,
        );
      },
    };
  },
};

const REFUSALS = {
  EXPIRED: "RELATIONSHIP_PROPOSAL_CONFLICT",
  STALE: "RELATIONSHIP_PROPOSAL_STALE",
} as const;

function overtakenWrite(
  owner: string,
  proposal: LockedProposal,
  to: keyof typeof REFUSALS,
  now: Date,
): PlannedRefusal {
  const move = moveTo(proposal, to, now);
  return {
    operation: systemOperation(to),
    subjectId: proposal.proposal_id,
    revision: null,
    statement: (sql, ledger) => entryStatement(sql, ledger, moveEntries(sql, owner, move)),
    refusal: new ServiceError(REFUSALS[to]),
  };
}

const REJECT_BODY = {
  reason: optional(string({ maximum: FIELD_LIMITS.textLength, blank: true })),
};

export const REJECTION: ControlRoute<
  typeof REJECT_BODY,
  LockedProposal | undefined,
  ProposalRow,
  Proposal
> = {
  ...COMMON,
  summary: "Reject a ready proposal",
  body: REJECT_BODY,
  example: { reason: "It misses what matters." },
  bodyIsOptional: true,
  errors: ["RELATIONSHIP_PROPOSAL_CONFLICT"],
  policy: "relationship-proposal-rejection",
  async related(sql, { owner, personId, entryId }) {
    const [proposal] = await lockProposal(sql, owner, personId, entryId);
    return proposal;
  },
  decide(_person, proposal, { caller, owner, body: { reason = null }, now }) {
    if (proposal === undefined) throw new ServiceError("RECORD_NOT_FOUND");
    assertReady(proposal, now);
    const rejected: ProposalRow = { ...proposal, state: "REJECTED", decided_at: now };
    const move = moveTo(proposal, "REJECTED", now, reason);
    return {
      subjectId: proposal.proposal_id,
      revision: null,
      result: showProposal(rejected, caller, now),
      statement: (sql, ledger) =>
        entryStatement(
          sql,
          ledger,
          moveEntries(sql, owner, move, sql`decided_at = ${now}::timestamptz`),
        ),
    };
  },
};
