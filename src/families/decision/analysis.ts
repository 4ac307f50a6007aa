import { orNull, type RowOf } from "../../kit/columns.ts";
import {
  type RootDeclaration,
  rootMembers,
  rootParts,
  type RootRowOf,
} from "../../kit/declaration.ts";
import { id, json, revision } from "../../kit/kinds.ts";
import { revisionSchema } from "../../kit/list_routes.ts";
import { storedRoot } from "../../kit/tables.ts";
import { executionEntry } from "../../records/port.ts";
import { component, type JsonSchema, listOf, objectOf, TEXT } from "../../validate/json_schema.ts";
import { executionOf } from "./execution.ts";
import type { BelowDecision } from "./decision_store.ts";

const FIGURE: JsonSchema = { type: "number" };
const TOTAL = { option: TEXT, total: FIGURE };

export const ANALYSIS = {
  table: "decision_analyses",
  ledger: "decision_analysis_revisions",
  fixed: { analysis_id: id, decision_id: id },
  fields: {
    /** The decision's revision that was scored. */
    decision_revision: revision,
    criteria: json(listOf(objectOf({ name: TEXT, weight: FIGURE, normalisedWeight: FIGURE }))),
    scores: json({
      type: "object",
      description: "The score of each option for each criterion, by their names.",
      additionalProperties: { type: "object", additionalProperties: FIGURE },
    }, "object"),
    totals: json(listOf(objectOf(TOTAL))),
    ranking: json(listOf(objectOf({ rank: { type: "integer", minimum: 1 }, ...TOTAL }))),
    sensitivity: orNull(json({
      description: "The smallest change of one weight that lets a challenger reach the leader.",
      ...objectOf({
        criterion: TEXT,
        weight: FIGURE,
        criticalWeight: FIGURE,
        change: FIGURE,
        challenger: TEXT,
      }),
    })),
  },
  state: {},
} satisfies RootDeclaration;

export type AnalysisColumns = RowOf<typeof ANALYSIS.fields>;

export type AnalysisRow = RootRowOf<typeof ANALYSIS>;

const MEMBERS = rootMembers(ANALYSIS);

type AnalysisTypes = BelowDecision<typeof ANALYSIS, "analysisId", "MODIFIED">;

export const STORED_ANALYSES = storedRoot<AnalysisTypes>({
  module: "decision",
  policy: "decision-analysis",
  keyNames: ["decisionId", "analysisId"],
  ...rootParts(ANALYSIS),
  schema: component("DecisionAnalysis", MEMBERS),
  isNamed: (sql, { decisionId, analysisId }) =>
    sql`decision_id = ${decisionId} and analysis_id = ${analysisId}`,
  entries: (sql, owner, row) =>
    executionEntry(
      sql,
      owner,
      executionOf({ feature_id: "DEC-002", strategy: "analyze" }, row, {
        analysisId: row.analysis_id,
        analysisRevision: row.revision,
      }),
    ),
});

export const ANALYSES = STORED_ANALYSES.root;

export const ANALYSIS_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "DecisionAnalysisRevision",
  MEMBERS,
  ["CREATED", "MODIFIED"],
);
