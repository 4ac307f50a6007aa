/** The plans of statements, as the server explains them. */

import { assert, assertEquals } from "@std/assert";
import { asTemplate, type Json, type World } from "../support/world.ts";
import type { SentStatement } from "./recording.ts";

/** Tables that grow with what people do. */
const BIG_TABLES = [
  "access_events",
  "accounts",
  "attachments",
  "audit_entries",
  "decision_analyses",
  "decision_analysis_revisions",
  "decision_counterfactual_revisions",
  "decision_counterfactuals",
  "decision_outcome_revisions",
  "decision_outcomes",
  "decision_prediction_revisions",
  "decision_predictions",
  "decision_revisions",
  "decision_simulation_revisions",
  "decision_simulations",
  "decisions",
  "executions",
  "memories",
  "memory_drafts",
  "memory_revisions",
  "memory_slices",
  "record_revisions",
  "records",
  "resource_revisions",
  "resource_snapshots",
  "resources",
  "sessions",
  "tokens",
];

/** A node of EXPLAIN's JSON. */
export type PlanNode = Json;

/**
 * The plans that the server uses for a statement: it makes the first five for the very parameters,
 * and then decides whether one plan for any parameters does.
 */
export async function plansOf(
  world: World,
  { text, parameters }: SentStatement,
): Promise<PlanNode[]> {
  const values = parameters.map((value) =>
    value === null ? "null" : `'${value.replaceAll("'", "''")}'`
  );
  const execute = values.length === 0 ? "probe" : `probe (${values.join(", ")})`;
  return await world.database.transaction(async (tx) => {
    await tx.script(`prepare probe as ${text}`);
    const plans: PlanNode[] = [];
    for (let execution = 1; execution <= 7; execution++) {
      const [row] = await tx.sql<Json>(asTemplate(`explain (format json) execute ${execute}`));
      plans.push(row["QUERY PLAN"][0].Plan);
    }
    await tx.script("deallocate probe");
    return plans;
  });
}

/** A node and all below it; those that only feed it rows where `rowsOnly` is set. */
export function nodesOf(node: PlanNode, rowsOnly = false): PlanNode[] {
  const below = (node.Plans ?? []).filter((child: PlanNode) =>
    !rowsOnly || !["InitPlan", "SubPlan"].includes(child["Parent Relationship"])
  );
  return [node, ...below.flatMap((child: PlanNode) => nodesOf(child, rowsOnly))];
}

function isBig(node: PlanNode): boolean {
  return BIG_TABLES.includes(node["Relation Name"]);
}

/** Asserts that a plan reads big tables through indexes only, and sorts none of them. */
export function assertWalks(plan: PlanNode, text: string): void {
  assertSeeks(plan, text);
  for (const node of nodesOf(plan)) {
    if (!node["Node Type"].includes("Sort")) continue;
    assertEquals(nodesOf(node, true).filter(isBig), [], labelOf(plan, text));
  }
}

/** Asserts that a plan reads big tables through indexes only; it may sort the few rows that it finds. */
export function assertSeeks(plan: PlanNode, text: string): void {
  for (const node of nodesOf(plan).filter(isBig)) {
    assert(["Index Scan", "Index Only Scan"].includes(node["Node Type"]), labelOf(plan, text));
    assert(node["Index Cond"] !== undefined, labelOf(plan, text));
  }
}

function labelOf(plan: PlanNode, text: string): string {
  return `${text}\n${JSON.stringify(plan, null, 2)}`;
}
