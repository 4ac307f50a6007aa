/** DEC-007: how another option might have turned out, as the owner tells it. Nothing is computed. */

import { number, text, textarea } from "../../catalog/fields.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { changeEndpoint, createBelowEndpoint } from "../kit/write_routes.ts";
import {
  fieldsBody,
  type KeptFields,
  newColumns,
  patchRoute,
  present,
  presentFields,
} from "../kit/fields.ts";
import { revisionSchema } from "../kit/list_routes.ts";
import { readEndpoints } from "../kit/read_routes.ts";
import {
  firstRevision,
  ROOT_MEMBERS,
  type RootRow,
  type ShownRoot,
  showRoot,
} from "../kit/root.ts";
import { storedRoot } from "../kit/tables.ts";
import type { FamilyServices } from "../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { component, nullable, TEXT, ULID } from "../../validate/json_schema.ts";
import type { DecisionRow } from "./decision.ts";
import { spellOption } from "./decision_rules.ts";
import { DECISIONS, type DecisionTypes, isBelowDecision } from "./decision_store.ts";

/** The largest amount that an expected value may have. */
const LARGEST_VALUE = 1e12;

/** The fields of a counterfactual as columns. */
interface CounterfactualColumns {
  readonly option: string;
  readonly narrative: string;
  readonly expected_value: number | null;
  /** 0 to 1. */
  readonly confidence: number;
}

/** A counterfactual, or one of its revisions, as read from the database. */
interface CounterfactualRow extends RootRow, CounterfactualColumns {
  readonly counterfactual_id: string;
  readonly decision_id: string;
}

/** A counterfactual as a client sees it. */
interface Counterfactual extends ShownRoot {
  readonly counterfactualId: string;
  readonly decisionId: string;
  readonly option: string;
  readonly narrative: string;
  readonly expectedValue: number | null;
  readonly confidence: number;
}

interface CounterfactualTypes {
  readonly key: DecisionTypes["key"] & { readonly counterfactualId: string };
  readonly row: CounterfactualRow;
  readonly change: "MODIFIED";
  readonly shown: Counterfactual;
}

const MEMBERS = {
  counterfactualId: ULID,
  decisionId: ULID,
  option: TEXT,
  narrative: TEXT,
  expectedValue: nullable({ type: "number" }),
  confidence: { type: "number", minimum: 0, maximum: 1 },
  ...ROOT_MEMBERS,
} as const;

const FIELDS: KeptFields<CounterfactualRow, CounterfactualColumns> = {
  fields: {
    fields: [
      text("option", { required: true }),
      textarea("narrative", { required: true }),
      number("expectedValue", { minimum: -LARGEST_VALUE, maximum: LARGEST_VALUE }),
      number("confidence", { required: true, minimum: 0, maximum: 1 }),
    ],
    rules: [],
  },
  read: ({ option, narrative, expected_value, confidence }) =>
    presentFields({ option, narrative, expectedValue: expected_value, confidence }),
  columns: (fields) => ({
    option: present(fields.text("option")),
    narrative: present(fields.text("narrative")),
    expected_value: fields.number("expectedValue") ?? null,
    confidence: present(fields.number("confidence")),
  }),
};

/** Counterfactuals below their decisions. */
const STORED = storedRoot<CounterfactualTypes>({
  module: "decision",
  policy: "decision-counterfactual",
  keyNames: ["decisionId", "counterfactualId"],
  idOf: (row) => row.counterfactual_id,
  show: (row) => ({
    counterfactualId: row.counterfactual_id,
    decisionId: row.decision_id,
    option: row.option,
    narrative: row.narrative,
    expectedValue: row.expected_value,
    confidence: row.confidence,
    ...showRoot(row),
  }),
  schema: component<Counterfactual>("DecisionCounterfactual", MEMBERS),
  tables: (sql) => ({
    root: sql`decision_counterfactuals`,
    ledger: sql`decision_counterfactual_revisions`,
    id: sql`counterfactual_id`,
    fixed: sql`counterfactual_id, decision_id`,
    changing: sql`option, expected_value, confidence, narrative`,
    short: sql`option, expected_value, confidence`,
    long: { kind: "text", columns: { narrative: sql`narrative` }, hidden: null },
  }),
  isNamed: (sql, { decisionId, counterfactualId }) =>
    sql`decision_id = ${decisionId} and counterfactual_id = ${counterfactualId}`,
  fixedValues: (sql, row) => sql`${row.counterfactual_id}, ${row.decision_id}`,
  changingValues: (sql, row) =>
    sql`${row.option}, ${row.expected_value}::double precision,
      ${row.confidence}::double precision, ${row.narrative}`,
});
export const COUNTERFACTUALS = STORED.root;

export const COUNTERFACTUAL_BODY = fieldsBody(FIELDS.fields);

/**
 * Decides a creation.
 *
 * @throws ServiceError `PAYLOAD_INVALID` as the policy of the fields says, and for what is no option of
 * the decision.
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

/** The endpoints of `/decisions/{decisionId}/counterfactuals`. */
export function createCounterfactualEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "list" | "detail" | "change" | "revisions", Endpoint>> {
  const patch = patchRoute(COUNTERFACTUALS.idOf, FIELDS);
  return {
    create: createBelowEndpoint(services, DECISIONS, COUNTERFACTUALS, {
      summary: "Tell how another option might have turned out",
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
      // An option is compared with the decision's of today, and only where the change names one.
      related: async (sql, { decision_id: decisionId }, { set }, { caller }) =>
        set?.option === undefined
          ? []
          : await DECISIONS.find(sql, caller.account.accountId, { decisionId }),
      decide(row, { set, ...body }, now, { related: [decision] }) {
        const option = set?.option;
        const spelt = decision === undefined || typeof option !== "string"
          ? set
          : { ...set, option: spellOption(decision, option) };
        return patch.decide(row, { ...body, ...(spelt && { set: spelt }) }, now);
      },
    }),
    ...readEndpoints(services, DECISIONS, STORED, {
      one: "a counterfactual",
      all: "the counterfactuals of a decision",
      isBelow: isBelowDecision,
      revisionSchema: revisionSchema("DecisionCounterfactualRevision", MEMBERS, [
        "CREATED",
        "MODIFIED",
      ]),
    }),
  };
}
