/** An evaluation of a person that the owner has confirmed: as stored, and as shown (REL-005). */

import type { Caller } from "../../access/identity.ts";
import { idAfter } from "../../core/ids.ts";
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
import type { PersonRow } from "./person.ts";
import { hides } from "./privacy.ts";
import { type ProposalRow, PROVIDERS } from "./proposal.ts";

/** An evaluation as read from the database. */
export interface EvaluationRow {
  readonly evaluation_id: string;
  readonly person_id: string;
  /** 1, 2, … */
  readonly evaluation_revision: number;
  readonly proposal_id: string;
  readonly text: string;
  readonly provider: (typeof PROVIDERS)[number];
  readonly model: string | null;
  readonly source_digest: string;
  /** The revision of the person that it was made of. */
  readonly source_revision: number;
  /** The revision of the person that it has appended. */
  readonly person_revision: number;
  readonly recorded_at: Date;
  /** Whether it was made of an entry that is SECRET today. */
  readonly has_secret_source: boolean;
}

/** An evaluation as a client sees it. */
export interface Evaluation {
  readonly evaluationId: string;
  readonly personId: string;
  readonly evaluationRevision: number;
  readonly proposalId: string;
  readonly origin: "USER_CONFIRMED";
  readonly text: string | null;
  readonly provider: EvaluationRow["provider"];
  readonly model: string | null;
  readonly sourceDigest: string;
  readonly sourceRevision: number;
  readonly personRevision: number;
  readonly createdAt: string;
  /** Where the reader may not see the text, which is null then. */
  readonly redacted?: true;
}

export const EVALUATION_SCHEMA: JsonSchema = component<Evaluation>("PersonEvaluation", {
  evaluationId: ULID,
  personId: ULID,
  evaluationRevision: REVISION,
  proposalId: ULID,
  origin: { const: "USER_CONFIRMED" },
  text: nullable(TEXT),
  provider: enumOf(PROVIDERS),
  model: nullable(TEXT),
  sourceDigest: SHA256,
  sourceRevision: REVISION,
  personRevision: REVISION,
  createdAt: TIME,
  redacted: { const: true },
}, ["redacted"]);

/**
 * The evaluation that a proposal becomes, and that a revision of its person brings.
 *
 * @param last The identifier of the person's newest evaluation; null without any.
 */
export function newEvaluation(
  { proposal_id, candidate, provider, model, ...proposal }: ProposalRow,
  { person_id, revision, current_evaluation_revision, updated_at }: PersonRow,
  last: string | null,
): EvaluationRow {
  if (candidate === null || provider === null || current_evaluation_revision === null) {
    throw new Error("Only a ready proposal can be confirmed");
  }
  return {
    evaluation_id: idAfter(last, updated_at),
    person_id,
    evaluation_revision: current_evaluation_revision,
    proposal_id,
    text: candidate,
    provider,
    model,
    source_digest: proposal.source_digest,
    source_revision: proposal.source_revision,
    person_revision: revision,
    recorded_at: updated_at,
    has_secret_source: proposal.has_secret_source,
  };
}

/** An evaluation as far as its reader may see it. */
export function showEvaluation(row: EvaluationRow, reader: Caller): Evaluation {
  const isHidden = hides(row.has_secret_source, reader, row.person_id);
  return {
    evaluationId: row.evaluation_id,
    personId: row.person_id,
    evaluationRevision: row.evaluation_revision,
    proposalId: row.proposal_id,
    origin: "USER_CONFIRMED",
    text: isHidden ? null : row.text,
    provider: row.provider,
    model: row.model,
    sourceDigest: row.source_digest,
    sourceRevision: row.source_revision,
    personRevision: row.person_revision,
    createdAt: row.recorded_at.toISOString(),
    ...(isHidden && { redacted: true }),
  };
}
