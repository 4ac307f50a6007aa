/** Evaluations of a person, confirmed by the owner (REL-005). */

import type { Caller } from "../../access/identity.ts";
import { idAfter } from "../../core/ids.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import { choice, id, longText, revision, shortText, stamp } from "../../kit/kinds.ts";
import { component, type JsonSchema, nullable, SHA256, TEXT } from "../../validate/json_schema.ts";
import type { PersonRow } from "./person.ts";
import { hides } from "./privacy.ts";
import { type ProposalRow, PROVIDERS } from "./proposal.ts";

export const EVALUATION = {
  evaluation_id: id,
  person_id: id,
  /** The evaluation's number: 1, 2, … */
  evaluation_revision: revision,
  proposal_id: id,
  origin: choice(["USER_CONFIRMED"]),
  text: longText,
  provider: choice(PROVIDERS),
  model: orNull(shortText()),
  source_digest: shortText(SHA256),
  source_revision: revision,
  /** The revision that the evaluation appended to the person. */
  person_revision: revision,
  recorded_at: stamp,
};

export interface EvaluationRow extends RowOf<typeof EVALUATION> {
  /** True if a source is SECRET today. */
  readonly has_secret_source: boolean;
}

export interface Evaluation extends Omit<ShownOf<typeof EVALUATION>, "text" | "recordedAt"> {
  readonly text: string | null;
  readonly createdAt: string;
  /** Present if the reader may not see the text, which is then null. */
  readonly redacted?: true;
}

const { recordedAt: createdAt, ...MEMBERS } = membersOf(EVALUATION);

export const EVALUATION_SCHEMA: JsonSchema = component<Evaluation>("PersonEvaluation", {
  ...MEMBERS,
  text: nullable(TEXT),
  createdAt,
  redacted: { const: true },
}, ["redacted"]);

/**
 * Creates the evaluation of a confirmed proposal, for the person's next revision.
 *
 * @param last Identifier of the person's newest evaluation, or null.
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
    origin: "USER_CONFIRMED",
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

/** Without the text if the reader may not see it. */
export function showEvaluation(row: EvaluationRow, reader: Caller): Evaluation {
  const isHidden = hides(row.has_secret_source, reader, row.person_id);
  const { recordedAt: createdAt, ...shown } = showColumns(EVALUATION, row);
  return {
    ...shown,
    text: isHidden ? null : row.text,
    createdAt,
    ...(isHidden && { redacted: true }),
  };
}
