import { DECISION } from "../../catalog/modules/decision.ts";
import { orNull } from "../../kit/columns.ts";
import {
  ARCHIVED,
  keptFields,
  type RootDeclaration,
  rootMembers,
  type RootRowOf,
} from "../../kit/declaration.ts";
import { clocks, id, json, longText, shortText, time } from "../../kit/kinds.ts";
import { revisionSchema } from "../../kit/list_routes.ts";
import { component, type JsonSchema, listOf, objectOf, TEXT } from "../../validate/json_schema.ts";

export const DECISION_ROOT = {
  table: "decisions",
  ledger: "decision_revisions",
  fixed: { decision_id: id },
  fields: {
    question: longText,
    options: json(objectOf({ items: listOf(TEXT) }), "object"),
    chosen_option: orNull(shortText()),
    rationale: orNull(longText),
    prediction: orNull(longText),
    actual_outcome: orNull(longText),
    decided_at: orNull(time),
    review_at: orNull(time),
    clocks,
  },
  state: ARCHIVED,
} satisfies RootDeclaration;

export type DecisionRow = RootRowOf<typeof DECISION_ROOT>;

const MEMBERS = rootMembers(DECISION_ROOT);

export const DECISION_SCHEMA: JsonSchema = component("Decision", MEMBERS);

export const DECISION_REVISION_SCHEMA: JsonSchema = revisionSchema("DecisionRevision", MEMBERS, [
  "CREATED",
  "MODIFIED",
  "ARCHIVED",
  "RESTORED",
]);

export const DECISION_FIELDS = { ...keptFields(DECISION_ROOT.fields, DECISION), isPayload: true };

export function optionsOf({ options }: Pick<DecisionRow, "options">): readonly string[] {
  return JSON.parse(options).items;
}
