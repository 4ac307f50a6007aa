/** DEC-002: analyses, which weigh the options of a decision. */

import type { Sql } from "../../database/sql.ts";
import { changeEndpoint, createBelowEndpoint } from "../../kit/write_routes.ts";
import { readEndpoints } from "../../kit/read_routes.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { ANALYSES, ANALYSIS_REVISION_SCHEMA, STORED_ANALYSES } from "./analysis.ts";
import {
  type AnalysedDecision,
  ANALYSIS_BODY,
  checkAnalysis,
  decideAnalysis,
  decideReanalysis,
  REANALYSIS_BODY,
} from "./analysis_rules.ts";
import { DECISIONS, isBelowDecision } from "./decision_store.ts";

const EXAMPLE = {
  criteria: [{ name: "Light", weight: 2 }, { name: "Rent", weight: 1 }],
  scores: {
    "The one by the river": { Light: 9, Rent: 4 },
    "The one near work": { Light: 5, Rent: 7 },
  },
};

export function createAnalysisEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "list" | "detail" | "revise" | "revisions", Endpoint>> {
  return {
    create: createBelowEndpoint(services, DECISIONS, ANALYSES, {
      summary: "Weigh the options of a decision by criteria",
      body: ANALYSIS_BODY,
      example: EXAMPLE,
      check: checkAnalysis,
      decide: decideAnalysis,
    }),
    revise: changeEndpoint(services, ANALYSES, {
      summary: "Recompute an analysis for the current options",
      body: REANALYSIS_BODY,
      example: {
        expectedRevision: 1,
        criteria: [{ name: "Light", weight: 1 }, { name: "Rent", weight: 1 }],
      },
      check: checkAnalysis,
      related: (sql, { decision_id }, _body, { caller }) =>
        lockOptions(sql, caller.account.accountId, decision_id),
      decide: (row, body, now, { related }) => decideReanalysis(row, body, related, now),
    }),
    ...readEndpoints(services, DECISIONS, STORED_ANALYSES, {
      one: "an analysis",
      all: "the analyses of a decision",
      isBelow: isBelowDecision,
      revisionSchema: ANALYSIS_REVISION_SCHEMA,
    }),
  };
}

/** Locks the decision until the transaction ends. */
async function lockOptions(
  sql: Sql,
  owner: string,
  decisionId: string,
): Promise<AnalysedDecision> {
  const [decision] = await sql<AnalysedDecision>`
    select revision, options::text as options from decisions
     where owner_id = ${owner} and decision_id = ${decisionId} for share`;
  if (decision === undefined) throw new Error("An analysis is below no decision");
  return decision;
}
