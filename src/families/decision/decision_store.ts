/** The stored decisions: a root, the ledger of its revisions, and the projection of both. */

import { DECISION } from "../../catalog/modules/decision.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { type StoredRoot, storedRoot } from "../kit/tables.ts";
import { type Projection, projectionEntries, type SourceType } from "../../records/port.ts";
import {
  type Decision,
  DECISION_FIELDS,
  DECISION_SCHEMA,
  type DecisionRow,
  showDecision,
} from "./decision.ts";
import { projectedTitle } from "./decision_rules.ts";

/** The types of the family's root. */
export interface DecisionTypes {
  readonly key: { readonly decisionId: string };
  readonly row: DecisionRow;
  readonly change: "MODIFIED";
  readonly shown: Decision;
}

/** Decisions; new ones come from `sourceType`. */
export function decisionsFrom(sourceType: SourceType): StoredRoot<DecisionTypes> {
  return storedRoot<DecisionTypes>({
    module: "decision",
    policy: "decision",
    keyNames: ["decisionId"],
    idOf: (row) => row.decision_id,
    show: showDecision,
    schema: DECISION_SCHEMA,
    tables: (sql) => ({
      root: sql`decisions`,
      ledger: sql`decision_revisions`,
      id: sql`decision_id`,
      fixed: sql`decision_id`,
      changing: sql`archived_at, decided_at, review_at, chosen_option, question, options, rationale,
        prediction, actual_outcome`,
      short: sql`archived_at, decided_at, review_at, chosen_option`,
      long: {
        kind: "text",
        columns: {
          question: sql`question`,
          options: sql`options`,
          rationale: sql`rationale`,
          prediction: sql`prediction`,
          actual_outcome: sql`actual_outcome`,
        },
        hidden: null,
      },
    }),
    isNamed: (sql, { decisionId }) => sql`decision_id = ${decisionId}`,
    fixedValues: (sql, row) => sql`${row.decision_id}`,
    changingValues: (sql, row) =>
      sql`${row.archived_at}::timestamptz, ${row.decided_at}::timestamptz,
        ${row.review_at}::timestamptz, ${row.chosen_option}, ${row.question},
        ${row.options}::text::json, ${row.rationale}, ${row.prediction}, ${row.actual_outcome}`,
    entries: (sql, owner, row, change) =>
      projectionEntries(sql, owner, toProjection(row, change, sourceType)),
  });
}

/** Decisions as requests write them. */
export const STORED_DECISIONS = decisionsFrom("USER_INPUT");
export const DECISIONS = STORED_DECISIONS.root;

/** The condition of what lies below a decision. */
export function isBelowDecision(sql: Sql, { decisionId }: DecisionTypes["key"]): Query<object> {
  return sql`decision_id = ${decisionId}`;
}

/** What generic reads show of a decision. */
function toProjection(
  row: DecisionRow,
  change: Projection["change"],
  sourceType: SourceType,
): Projection {
  return {
    recordId: row.decision_id,
    module: DECISION,
    sourceType,
    change,
    revision: row.revision,
    revisionId: row.revision_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    title: projectedTitle(row.question),
    summary: row.chosen_option ?? "",
    payload: DECISION_FIELDS.read(row),
    unshown: {},
    guard: null,
  };
}
