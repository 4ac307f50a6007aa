/** Plans of statements, from EXPLAIN. */

import { assert, assertEquals } from "@std/assert";
import { TABLE_CLASSES } from "./table_classes.ts";
import { asTemplate, type Json, type World } from "../support/world.ts";
import type { SentStatement } from "./recording.ts";

/** Always small, or small in these worlds. */
const SMALL_TABLES: readonly string[] = [
  ..."access_attempts account_permissions attachment_usage audit_sealing change_feed".split(" "),
  ..."idempotency_envelopes maintenance_window permissions role_permissions".split(" "),
  ..."roles scheduled_backups schema_migrations search_index_build".split(" "),
  ..."server_secret_check setup_token step_up_proofs token_permissions".split(" "),
];

/** Tables that grow with use. */
const BIG_TABLES = Object.values(TABLE_CLASSES).flat()
  .filter((table) => !SMALL_TABLES.includes(table));

export type PlanNode = Json;

/** The plan for these parameters, and the generic one, which a session may keep. */
export async function plansOf(world: World, statement: SentStatement): Promise<PlanNode[]> {
  return [
    await explain(world, statement, "set local plan_cache_mode = force_custom_plan;"),
    await explain(world, statement, "set local plan_cache_mode = force_generic_plan;"),
  ];
}

/** SET CONSTRAINTS has no plan. */
function planned(statements: readonly SentStatement[]): SentStatement[] {
  assert(statements.length >= 20, "The statements were not recorded");
  return statements.filter(({ text }) => !/^\s*set constraints/.test(text));
}

const GENERIC = "set local plan_cache_mode = force_generic_plan;";

/**
 * Generic plans, with sequential scans only if no index fits, read big tables through indexes at
 * any size.
 */
export async function assertAllSeek(
  world: World,
  statements: readonly SentStatement[],
): Promise<void> {
  const settings = `set local enable_seqscan = off; set local enable_bitmapscan = off; ${GENERIC}`;
  for (const statement of planned(statements)) {
    assertSeeks(await explain(world, statement, settings), statement.text);
  }
}

/** A newer release may add columns to a table while this one serves. */
const NEWER_COLUMN = "of_a_newer_release";

/** No statement returns columns that it does not name. Adds a column to every table. */
export async function assertAllNamed(
  world: World,
  statements: readonly SentStatement[],
): Promise<void> {
  await world.raw(`
    do $$ declare place regclass; begin
      for place in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      loop execute format('alter table %s add column ${NEWER_COLUMN} text', place); end loop;
    end $$`);
  for (const statement of planned(statements)) {
    const { Output: results = [] } = await explain(world, statement, GENERIC);
    assert(!results.some((column: string) => column.includes(NEWER_COLUMN)), statement.text);
  }
}

async function explain(
  world: World,
  statement: SentStatement,
  settings: string,
  analyze = false,
): Promise<PlanNode> {
  const { text, parameters } = statement;
  const values = parameters.map((value) =>
    value === null ? "null" : `'${value.replaceAll("'", "''")}'`
  );
  const execute = values.length === 0 ? "probe" : `probe (${values.join(", ")})`;
  return await world.database.transaction(async (tx) => {
    await tx.script(`${settings} prepare probe as ${text}`);
    const [row] = await tx.sql<Json>(
      asTemplate(`explain (verbose, analyze ${analyze}, format json) execute ${execute}`),
    );
    await tx.script("deallocate probe");
    return row["QUERY PLAN"][0].Plan;
  });
}

/**
 * Runs a statement that only reads, by a generic plan; returns how many rows of a table it
 * examines.
 */
export async function examinedRows(
  world: World,
  statement: SentStatement,
  table: string,
): Promise<number> {
  const plan = await explain(world, statement, GENERIC, true);
  return rowsOf(nodesOf(plan).filter((node) => node["Relation Name"] === table));
}

/** The same for all steps of its plan. */
export async function executedRows(world: World, statement: SentStatement): Promise<number> {
  return rowsOf(nodesOf(await explain(world, statement, GENERIC, true)));
}

function rowsOf(nodes: readonly PlanNode[]): number {
  return nodes
    .map((node) =>
      (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
    )
    .reduce((sum, rows) => sum + rows, 0);
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

/**
 * Big tables are read through indexes only, and never sorted. A value of a row may sort the few
 * rows that it is made of, which PostgreSQL shows from release 16 on.
 */
export function assertWalks(plan: PlanNode, text: string): void {
  assertSeeks(plan, text);
  for (const node of nodesOf(plan, true)) {
    if (!node["Node Type"].includes("Sort")) continue;
    assertEquals(nodesOf(node, true).filter(isBig), [], labelOf(plan, text));
  }
}

/**
 * Big tables are read through indexes only, or by the places of rows that were found so; the few
 * rows found may be sorted.
 */
export function assertSeeks(plan: PlanNode, text: string): void {
  for (const node of nodesOf(plan).filter(isBig)) {
    if (node["Node Type"] === "Tid Scan") continue;
    assert(["Index Scan", "Index Only Scan"].includes(node["Node Type"]), labelOf(plan, text));
    assert(node["Index Cond"] !== undefined, labelOf(plan, text));
  }
}

function labelOf(plan: PlanNode, text: string): string {
  return `${text}\n${JSON.stringify(plan, null, 2)}`;
}
