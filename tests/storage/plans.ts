/** Plans of statements, from EXPLAIN. */

import { assert, assertEquals } from "@std/assert";
import { TABLE_CLASSES } from "./table_classes.ts";
import { asTemplate, type Json, type World } from "../support/world.ts";
import type { SentStatement } from "./recording.ts";

/** Always small, or small in these worlds. */
const SMALL_TABLES: readonly string[] = [
  "access_attempts",
  "account_permissions",
  "attachment_usage",
  "audit_sealing",
  "change_feed",
  "idempotency_envelopes",
  "maintenance_window",
  "permissions",
  "role_permissions",
  "roles",
  "scheduled_backups",
  "schema_migrations",
  "search_index_build",
  "server_secret_check",
  "setup_token",
  "step_up_proofs",
  "token_permissions",
];

/** Tables that grow with use. */
const BIG_TABLES = Object.values(TABLE_CLASSES).flat()
  .filter((table) => !SMALL_TABLES.includes(table));

export type PlanNode = Json;

/**
 * The plan for these parameters, used for five executions, and the one chosen afterwards, which may be
 * generic.
 */
export async function plansOf(world: World, statement: SentStatement): Promise<PlanNode[]> {
  return await explain(world, statement, "", 7);
}

/** Plans with sequential scans only if no index fits, at any size: for these parameters, and generic. */
export async function indexPlansOf(world: World, statement: SentStatement): Promise<PlanNode[]> {
  const settings = "set local enable_seqscan = off; set local enable_bitmapscan = off;";
  const generic = `${settings} set local plan_cache_mode = force_generic_plan;`;
  return [
    ...await explain(world, statement, settings, 1),
    ...await explain(world, statement, generic, 1),
  ];
}

async function explain(
  world: World,
  { text, parameters }: SentStatement,
  settings: string,
  times: number,
): Promise<PlanNode[]> {
  const values = parameters.map((value) =>
    value === null ? "null" : `'${value.replaceAll("'", "''")}'`
  );
  const execute = values.length === 0 ? "probe" : `probe (${values.join(", ")})`;
  return await world.database.transaction(async (tx) => {
    await tx.script(`${settings} prepare probe as ${text}`);
    const plans: PlanNode[] = [];
    for (let execution = 1; execution <= times; execution++) {
      const [row] = await tx.sql<Json>(asTemplate(`explain (format json) execute ${execute}`));
      plans.push(row["QUERY PLAN"][0].Plan);
    }
    await tx.script("deallocate probe");
    return plans;
  });
}

/** The node and its descendants; `rowsOnly` excludes those that feed no rows. */
export function nodesOf(node: PlanNode, rowsOnly = false): PlanNode[] {
  const below = (node.Plans ?? []).filter((child: PlanNode) =>
    !rowsOnly || !["InitPlan", "SubPlan"].includes(child["Parent Relationship"])
  );
  return [node, ...below.flatMap((child: PlanNode) => nodesOf(child, rowsOnly))];
}

function isBig(node: PlanNode): boolean {
  return node["Node Type"] !== "ModifyTable" && BIG_TABLES.includes(node["Relation Name"]);
}

/** Big tables are read through indexes only, and never sorted. */
export function assertWalks(plan: PlanNode, text: string): void {
  assertSeeks(plan, text);
  for (const node of nodesOf(plan)) {
    if (!node["Node Type"].includes("Sort")) continue;
    assertEquals(nodesOf(node, true).filter(isBig), [], labelOf(plan, text));
  }
}

/** Big tables are read through indexes only; the few rows found may be sorted. */
export function assertSeeks(plan: PlanNode, text: string): void {
  for (const node of nodesOf(plan).filter(isBig)) {
    assert(["Index Scan", "Index Only Scan"].includes(node["Node Type"]), labelOf(plan, text));
    assert(node["Index Cond"] !== undefined, labelOf(plan, text));
  }
}

function labelOf(plan: PlanNode, text: string): string {
  return `${text}\n${JSON.stringify(plan, null, 2)}`;
}
