/** The stored analyses: a root below its decision, the ledger of its revisions, and their executions. */

import { revisionSchema } from "../kit/list_routes.ts";
import { ROOT_MEMBERS, type RootRow, type ShownRoot, showRoot } from "../kit/root.ts";
import { storedRoot } from "../kit/tables.ts";
import { executionEntry } from "../../records/port.ts";
import { RawJson } from "../../validate/json_output.ts";
import {
  component,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  REVISION,
  TEXT,
  ULID,
} from "../../validate/json_schema.ts";
import { executionOf } from "./execution.ts";
import type { DecisionTypes } from "./decision_store.ts";

/** What an analysis was given and what it came to, as JSON texts of `AnalysisFigures`. */
export interface AnalysisColumns {
  /** The revision of the decision whose options were scored. */
  readonly decision_revision: number;
  readonly criteria: string;
  readonly scores: string;
  readonly totals: string;
  readonly ranking: string;
  readonly sensitivity: string | null;
}

/** An analysis, or one of its revisions, as read from the database. */
export interface AnalysisRow extends RootRow, AnalysisColumns {
  readonly analysis_id: string;
  readonly decision_id: string;
}

/** An analysis as a client sees it. */
interface Analysis extends ShownRoot {
  readonly analysisId: string;
  readonly decisionId: string;
  readonly decisionRevision: number;
  readonly criteria: RawJson;
  readonly scores: RawJson;
  readonly totals: RawJson;
  readonly ranking: RawJson;
  readonly sensitivity: RawJson | null;
}

/** The types of the root. */
export interface AnalysisTypes {
  readonly key: DecisionTypes["key"] & { readonly analysisId: string };
  readonly row: AnalysisRow;
  readonly change: "MODIFIED";
  readonly shown: Analysis;
}

const FIGURE: JsonSchema = { type: "number" };
const TOTAL = { option: TEXT, total: FIGURE };

const MEMBERS = {
  analysisId: ULID,
  decisionId: ULID,
  decisionRevision: REVISION,
  criteria: listOf(objectOf({ name: TEXT, weight: FIGURE, normalisedWeight: FIGURE })),
  scores: {
    type: "object",
    description: "The score of each option for each criterion, by their names.",
    additionalProperties: { type: "object", additionalProperties: FIGURE },
  },
  totals: listOf(objectOf(TOTAL)),
  ranking: listOf(objectOf({ rank: { type: "integer", minimum: 1 }, ...TOTAL })),
  sensitivity: nullable({
    description: "The smallest change of one weight that lets a challenger reach the leader.",
    ...objectOf({
      criterion: TEXT,
      weight: FIGURE,
      criticalWeight: FIGURE,
      change: FIGURE,
      challenger: TEXT,
    }),
  }),
  ...ROOT_MEMBERS,
} as const satisfies { readonly [Name in keyof Analysis]: JsonSchema };

/** Analyses below their decisions. */
export const STORED_ANALYSES = storedRoot<AnalysisTypes>({
  module: "decision",
  policy: "decision-analysis",
  keyNames: ["decisionId", "analysisId"],
  idOf: (row) => row.analysis_id,
  show: (row) => ({
    analysisId: row.analysis_id,
    decisionId: row.decision_id,
    decisionRevision: row.decision_revision,
    criteria: new RawJson(row.criteria),
    scores: new RawJson(row.scores),
    totals: new RawJson(row.totals),
    ranking: new RawJson(row.ranking),
    sensitivity: row.sensitivity === null ? null : new RawJson(row.sensitivity),
    ...showRoot(row),
  }),
  schema: component<Analysis>("DecisionAnalysis", MEMBERS),
  tables: (sql) => ({
    root: sql`decision_analyses`,
    ledger: sql`decision_analysis_revisions`,
    id: sql`analysis_id`,
    fixed: sql`analysis_id, decision_id`,
    changing: sql`decision_revision, criteria, scores, totals, ranking, sensitivity`,
    short: sql`decision_revision`,
    long: {
      kind: "json",
      columns: {
        criteria: sql`criteria`,
        scores: sql`scores`,
        totals: sql`totals`,
        ranking: sql`ranking`,
        sensitivity: sql`sensitivity`,
      },
      hidden: null,
    },
  }),
  isNamed: (sql, { decisionId, analysisId }) =>
    sql`decision_id = ${decisionId} and analysis_id = ${analysisId}`,
  fixedValues: (sql, row) => sql`${row.analysis_id}, ${row.decision_id}`,
  changingValues: (sql, row) =>
    sql`${row.decision_revision}::integer, ${row.criteria}::text::json, ${row.scores}::text::json,
      ${row.totals}::text::json, ${row.ranking}::text::json, ${row.sensitivity}::text::json`,
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
