import { DECISION } from "../../catalog/modules/decision.ts";
import type { Query, Sql } from "../../database/sql.ts";
import {
  type RootDeclaration,
  rootParts,
  type RootRowOf,
  type ShownRootOf,
} from "../../kit/declaration.ts";
import { type StoredRoot, storedRoot } from "../../kit/tables.ts";
import { projectionEntries, type SourceType, toProjection } from "../../records/port.ts";
import { DECISION_FIELDS, DECISION_ROOT, DECISION_SCHEMA, type DecisionRow } from "./decision.ts";
import { projectedTitle } from "./decision_rules.ts";

export interface DecisionTypes {
  readonly key: { readonly decisionId: string };
  readonly row: DecisionRow;
  readonly change: "MODIFIED";
  readonly shown: ShownRootOf<typeof DECISION_ROOT>;
}

/** Types of a root below a decision; `IdName` is the name of its identifier in paths. */
export interface BelowDecision<
  D extends RootDeclaration,
  IdName extends string,
  Change extends string = never,
> {
  readonly key: DecisionTypes["key"] & Readonly<Record<IdName, string>>;
  readonly row: RootRowOf<D>;
  readonly change: Change;
  readonly shown: ShownRootOf<D>;
}

export function decisionsFrom(sourceType: SourceType): StoredRoot<DecisionTypes> {
  return storedRoot<DecisionTypes>({
    module: "decision",
    policy: "decision",
    keyNames: ["decisionId"],
    ...rootParts(DECISION_ROOT),
    schema: DECISION_SCHEMA,
    isNamed: (sql, { decisionId }) => sql`decision_id = ${decisionId}`,
    entries: (sql, owner, row, change) =>
      projectionEntries(
        sql,
        owner,
        toProjection(row, change, {
          recordId: row.decision_id,
          module: DECISION,
          sourceType,
          title: projectedTitle(row.question),
          summary: row.chosen_option ?? "",
          payload: DECISION_FIELDS.read(row),
          clocks: row.clocks,
        }),
      ),
  });
}

export const STORED_DECISIONS = decisionsFrom("USER_INPUT");
export const DECISIONS = STORED_DECISIONS.root;

export function isBelowDecision(sql: Sql, { decisionId }: DecisionTypes["key"]): Query<object> {
  return sql`decision_id = ${decisionId}`;
}
