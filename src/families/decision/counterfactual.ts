/** DEC-007: counterfactuals, in the owner's words. Nothing is computed. */

import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { changeEndpoint, createBelowEndpoint } from "../../kit/write_routes.ts";
import { orNull } from "../../kit/columns.ts";
import {
  fieldsOf,
  keptFields,
  type RootDeclaration,
  rootMembers,
  rootParts,
  type RootRowOf,
} from "../../kit/declaration.ts";
import { type FieldPatch, fieldsBody, newColumns, patchRoute } from "../../kit/fields.ts";
import { id, longText, number, shortText } from "../../kit/kinds.ts";
import { revisionSchema } from "../../kit/list_routes.ts";
import { readEndpoints } from "../../kit/read_routes.ts";
import { firstRevision } from "../../kit/root.ts";
import { storedRoot } from "../../kit/tables.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { component } from "../../validate/json_schema.ts";
import type { DecisionRow } from "./decision.ts";
import { spellOption } from "./decision_rules.ts";
import { type BelowDecision, DECISIONS, isBelowDecision } from "./decision_store.ts";

const LARGEST_VALUE = 1e12;

export const COUNTERFACTUAL = {
  table: "decision_counterfactuals",
  ledger: "decision_counterfactual_revisions",
  fixed: { counterfactual_id: id, decision_id: id },
  fields: {
    option: shortText(),
    narrative: longText,
    expected_value: orNull(number(-LARGEST_VALUE, LARGEST_VALUE)),
    confidence: number(0, 1),
  },
  state: {},
} satisfies RootDeclaration;

type CounterfactualRow = RootRowOf<typeof COUNTERFACTUAL>;

const MEMBERS = rootMembers(COUNTERFACTUAL);

const REVISION_SCHEMA = revisionSchema("DecisionCounterfactualRevision", MEMBERS, [
  "CREATED",
  "MODIFIED",
]);

const FIELDS = keptFields(COUNTERFACTUAL.fields, fieldsOf(COUNTERFACTUAL.fields));

const STORED = storedRoot<BelowDecision<typeof COUNTERFACTUAL, "counterfactualId", "MODIFIED">>({
  module: "decision",
  policy: "decision-counterfactual",
  keyNames: ["decisionId", "counterfactualId"],
  ...rootParts(COUNTERFACTUAL),
  schema: component("DecisionCounterfactual", MEMBERS),
  isNamed: (sql, { decisionId, counterfactualId }) =>
    sql`decision_id = ${decisionId} and counterfactual_id = ${counterfactualId}`,
});
export const COUNTERFACTUALS = STORED.root;

export const COUNTERFACTUAL_BODY = fieldsBody(FIELDS.fields);

/**
 * @throws ServiceError `PAYLOAD_INVALID` by the policy of the fields, or if the option is not one
 *   of the decision's.
 */
export function decideCounterfactual(
  decision: DecisionRow,
  body: JsonObject,
  now: Date,
): CounterfactualRow {
  const counterfactual_id = newId(now);
  const columns = newColumns(FIELDS, body, { now, recordId: counterfactual_id });
  return {
    counterfactual_id,
    decision_id: decision.decision_id,
    ...firstRevision(now),
    ...columns,
    option: spellOption(decision, columns.option),
  };
}

export function createCounterfactualEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "list" | "detail" | "change" | "revisions", Endpoint>> {
  const patch = patchRoute(COUNTERFACTUALS.idOf, FIELDS);
  return {
    create: createBelowEndpoint(services, DECISIONS, COUNTERFACTUALS, {
      summary: "Record how another option might have turned out",
      body: COUNTERFACTUAL_BODY,
      example: {
        option: "The one near work",
        narrative: "An hour more a day, and no river.",
        confidence: 0.6,
      },
      check: (body, now) => void newColumns(FIELDS, body, { now, recordId: "" }),
      decide: decideCounterfactual,
    }),
    change: changeEndpoint(services, COUNTERFACTUALS, {
      ...patch,
      summary: "Change a counterfactual",
      example: { expectedRevision: 1, set: { confidence: 0.5 } },
      // Only a change that names an option is compared with the decision's current ones.
      related: async (sql, { decision_id: decisionId }, { set }, { caller }) =>
        set?.option === undefined
          ? []
          : await DECISIONS.find(sql, caller.account.accountId, { decisionId }),
      decide: (row, body, now, { related: [decision] }) =>
        patch.decide(row, inSpellingOf(decision, body), now),
    }),
    ...readEndpoints(services, DECISIONS, STORED, {
      one: "a counterfactual",
      all: "the counterfactuals of a decision",
      isBelow: isBelowDecision,
      revisionSchema: REVISION_SCHEMA,
    }),
  };
}

/** The patch with its option in the decision's spelling. */
function inSpellingOf(decision: DecisionRow | undefined, patch: FieldPatch): FieldPatch {
  const option = patch.set?.option;
  if (decision === undefined || typeof option !== "string") return patch;
  return { ...patch, set: { ...patch.set, option: spellOption(decision, option) } };
}
