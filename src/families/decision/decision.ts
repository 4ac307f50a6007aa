/** A decision as it is stored, and as a client sees it (specification, Module fields). */

import { DECISION } from "../../catalog/modules/decision.ts";
import { type KeptFields, present, presentFields } from "../kit/fields.ts";
import { revisionSchema } from "../kit/list_routes.ts";
import { type ArchivableRow, ROOT_MEMBERS, type ShownRoot, showRoot } from "../kit/root.ts";
import { RawJson, serialiseJson } from "../../validate/json_output.ts";
import {
  component,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";

/** The fields of a decision as columns; null for each that has no value. */
export interface DecisionColumns {
  readonly question: string;
  /** The text of `{ "items": [...] }`. */
  readonly options: string;
  readonly chosen_option: string | null;
  readonly rationale: string | null;
  readonly prediction: string | null;
  readonly actual_outcome: string | null;
  readonly decided_at: Date | null;
  readonly review_at: Date | null;
}

/** A decision, or one of its revisions, as read from the database. */
export interface DecisionRow extends ArchivableRow, DecisionColumns {
  readonly decision_id: string;
}

/** A decision as a client sees it. */
export interface Decision extends ShownRoot {
  readonly decisionId: string;
  readonly question: string;
  readonly options: RawJson;
  readonly chosenOption: string | null;
  readonly rationale: string | null;
  readonly prediction: string | null;
  readonly actualOutcome: string | null;
  readonly decidedAt: string | null;
  readonly reviewAt: string | null;
  readonly archivedAt: string | null;
}

/** The schema of each member. */
const DECISION_MEMBERS = {
  decisionId: ULID,
  question: TEXT,
  options: objectOf({ items: listOf(TEXT) }),
  chosenOption: nullable(TEXT),
  rationale: nullable(TEXT),
  prediction: nullable(TEXT),
  actualOutcome: nullable(TEXT),
  decidedAt: nullable(TIME),
  reviewAt: nullable(TIME),
  ...ROOT_MEMBERS,
  archivedAt: nullable(TIME),
} as const satisfies { readonly [Name in keyof Decision]: JsonSchema };

export const DECISION_SCHEMA: JsonSchema = component<Decision>("Decision", DECISION_MEMBERS);

export const DECISION_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "DecisionRevision",
  DECISION_MEMBERS,
  ["CREATED", "MODIFIED", "ARCHIVED", "RESTORED"],
);

/** The public form of a decision. */
export function showDecision(row: DecisionRow): Decision {
  return {
    decisionId: row.decision_id,
    question: row.question,
    options: new RawJson(row.options),
    chosenOption: row.chosen_option,
    rationale: row.rationale,
    prediction: row.prediction,
    actualOutcome: row.actual_outcome,
    decidedAt: row.decided_at?.toISOString() ?? null,
    reviewAt: row.review_at?.toISOString() ?? null,
    ...showRoot(row),
    archivedAt: row.archived_at?.toISOString() ?? null,
  };
}

/** The module's fields, each in a column of its own. */
export const DECISION_FIELDS: KeptFields<DecisionRow, DecisionColumns> = {
  fields: DECISION,
  isPayload: true,
  read: (row) =>
    presentFields({
      question: row.question,
      options: JSON.parse(row.options),
      chosenOption: row.chosen_option,
      rationale: row.rationale,
      prediction: row.prediction,
      actualOutcome: row.actual_outcome,
      decidedAt: row.decided_at,
      reviewAt: row.review_at,
    }),
  columns: (fields) => ({
    question: present(fields.text("question")),
    options: serialiseJson(present(fields.json("options"))),
    chosen_option: fields.text("chosenOption") ?? null,
    rationale: fields.text("rationale") ?? null,
    prediction: fields.text("prediction") ?? null,
    actual_outcome: fields.text("actualOutcome") ?? null,
    decided_at: fields.date("decidedAt") ?? null,
    review_at: fields.date("reviewAt") ?? null,
  }),
};

/** The options of a decision, as they are spelt. */
export function optionsOf({ options }: Pick<DecisionRow, "options">): readonly string[] {
  return JSON.parse(options).items;
}
