/** Analyses written past the application, and what their tables must refuse. */

import { ulid } from "@std/ulid";
import { insertInto, insertRecord, literal, newRoot, type Offences, type Row } from "./rows.ts";

const AT = "2026-11-20T12:00:00.000Z";
const BEFORE = "2026-11-20T11:59:59.999Z";

/** A decision's root at its first revision. */
function newDecision(owner: string): Row {
  return {
    owner_id: owner,
    decision_id: ulid(),
    revision: 1,
    revision_id: ulid(),
    created_at: AT,
    updated_at: AT,
    archived_at: null,
    question: "Which?",
    options: '{"items":["A","B"]}',
  };
}

/** A decision with projection and ledger row, which the database accepts. */
function insertDecision(decision: Row): string {
  const { owner_id, decision_id, revision, revision_id } = decision;
  const { created_at: _, updated_at, ...common } = decision;
  const columns = { record_id: decision_id, revision, revision_id, module_code: "decision" } as Row;
  return insertRecord(newRoot(String(owner_id), columns)) + insertInto("decisions", decision) +
    insertInto(
      "decision_revisions",
      { ...common, created_at: updated_at, change: "CREATED" } as Row,
    );
}

/** An analysis at its first revision, and the script that stores its decision. */
export interface StoredAnalysis {
  readonly decision: string;
  readonly analysis: Row;
}

/** Describes both. */
export function newAnalysis(owner: string, columns: Row = {}): StoredAnalysis {
  const decision = newDecision(owner);
  const { decision_id = null } = decision;
  return {
    decision: insertDecision(decision),
    analysis: {
      owner_id: owner,
      analysis_id: ulid(),
      decision_id,
      revision: 1,
      revision_id: ulid(),
      created_at: AT,
      updated_at: AT,
      decision_revision: 1,
      criteria: '[{"name":"a","weight":1,"normalisedWeight":1}]',
      scores: '{"A":{"a":1},"B":{"a":2}}',
      totals: "[]",
      ranking: "[]",
      sensitivity: null,
      ...columns,
    },
  };
}

/** The ledger row that an analysis must have. */
export function analysisRevisionOf(analysis: Row, columns: Row = {}): Row {
  const { created_at: _, decision_id: __, updated_at, ...common } = analysis;
  const change = analysis.revision === 1 ? "CREATED" : "MODIFIED";
  return { ...common, created_at: updated_at, change, ...columns } as Row;
}

/** An analysis with its decision and ledger row, which the database accepts. */
export function insertAnalysis({ decision, analysis }: StoredAnalysis, forged: Row = {}): string {
  return decision + insertInto("decision_analyses", analysis) +
    insertInto("decision_analysis_revisions", analysisRevisionOf(analysis, forged));
}

/** The analysis that follows. */
export function nextAnalysis(analysis: Row, columns: Row = {}): Row {
  return {
    ...analysis,
    revision: Number(analysis.revision) + 1,
    revision_id: ulid(),
    ...columns,
  };
}

/** A statement that changes an analysis from one state to another. */
export function updateAnalysis(analysis: Row, next: Row): string {
  const changed = Object.keys(next).filter((column) => next[column] !== analysis[column]);
  const assignments = changed.map((column) => `${column} = ${literal(next[column] ?? null)}`);
  return `update decision_analyses set ${assignments.join(", ")}
           where analysis_id = ${literal(analysis.analysis_id ?? null)};`;
}

/** A whole step; `forged` makes its ledger row another one. */
export function stepAnalysis(analysis: Row, changes: Row = {}, forged: Row = {}): string {
  const next = nextAnalysis(analysis, changes);
  return updateAnalysis(analysis, next) +
    insertInto("decision_analysis_revisions", analysisRevisionOf(next, forged));
}

/** Statements that offend in one column of a new analysis. */
function wrongAnalyses(...columns: readonly Row[]): Offences {
  return ({ accountId }) => columns.map((wrong) => insertAnalysis(newAnalysis(accountId, wrong)));
}

/** Statements that offend in the ledger row of a second revision. */
function wrongSteps(...forged: readonly Row[]): Offences {
  return ({ accountId }) =>
    forged.map((wrong) => {
      const stored = newAnalysis(accountId);
      return insertAnalysis(stored) + stepAnalysis(stored.analysis, { totals: "[1]" }, wrong);
    });
}

/** What each constraint of the tables of analyses must refuse. */
export const ANALYSIS_OFFENCES: Readonly<Record<string, Offences>> = {
  analysis_criteria_listed: wrongAnalyses(
    { criteria: "[]" },
    { criteria: JSON.stringify(Array(21).fill({})) },
  ),
  analysis_scores_object: wrongAnalyses({ scores: "[]" }, { scores: "1" }, { scores: "null" }),
  analysis_of_decision: wrongAnalyses({ decision_revision: 2 }, { decision_id: ulid() }),
  analysis_change_known: wrongSteps({ change: "CREATED" }, { change: "modified" }),
  decision_analyses_times_ordered: wrongAnalyses({ updated_at: BEFORE }),
  decision_analyses_have_revision: ({ accountId }) => {
    const { decision, analysis } = newAnalysis(accountId);
    return [decision + insertInto("decision_analyses", analysis)];
  },
  decision_analysis_revisions_have_root: ({ accountId }) => {
    const { decision, analysis } = newAnalysis(accountId);
    return [
      decision + insertInto("decision_analysis_revisions", analysisRevisionOf(analysis)),
    ];
  },
  decision_analysis_revisions_follow: ({ accountId }) => {
    const stored = newAnalysis(accountId);
    const third = nextAnalysis(nextAnalysis(stored.analysis));
    return [
      insertAnalysis(stored) +
      insertInto("decision_analysis_revisions", analysisRevisionOf(third)),
    ];
  },
  decision_analysis_revisions_revision_positive: ({ accountId }) => {
    const stored = newAnalysis(accountId);
    const zeroth = { ...stored.analysis, revision: 0, revision_id: ulid() };
    return [
      insertAnalysis(stored) +
      insertInto("decision_analysis_revisions", analysisRevisionOf(zeroth)),
    ];
  },
  decision_analysis_revisions_revision_id_unique: ({ accountId }) => {
    const stored = newAnalysis(accountId);
    const forged = { revision_id: stored.analysis.revision_id ?? null };
    return [insertAnalysis(stored) + stepAnalysis(stored.analysis, {}, forged)];
  },
};
