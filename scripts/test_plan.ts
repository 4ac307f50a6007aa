/**
 * Which tests run where: the engines of every test file, and the shards that they run in.
 *
 * A file belongs to the longest path of `ENGINES` that it begins with, so that a new file has its place
 * by its folder. Whatever is not named here runs on both engines.
 */

/** The engine under the tests. */
export type EngineName = "embedded" | "postgres";

/**
 * What a test file runs on.
 *
 * `none`: once, without a database; opening one fails. `postgres` and `embedded`: on that engine, which
 * is enough where the engine makes no difference to what is tested. `both`: once on each.
 */
export type Engines = "none" | "both" | EngineName;

/** The engines of test files by the beginning of their path; the longest that fits decides. */
const ENGINES: Readonly<Record<string, Engines>> = {
  "tests/": "both",
  "tests/std/": "none",
  "tests/unit/": "none",
  "tests/unit/access/server_secret_test.ts": "postgres",
  "tests/browser/": "postgres",
  "tests/fuzz/": "postgres",
  "tests/http/": "postgres",
  // The contracts that both engines must keep: reads and writes of a record and a memory in random
  // order, replay, quota, throttle, maintenance, and one success of every route of every family.
  "tests/http/attachment_quota_test.ts": "both",
  "tests/http/attachment_upload_test.ts": "both",
  "tests/http/audit_list_test.ts": "both",
  "tests/http/changes_test.ts": "both",
  "tests/http/decision_calibration_test.ts": "both",
  "tests/http/decision_simulations_test.ts": "both",
  "tests/http/evaluation_worker_test.ts": "both",
  "tests/http/family_test.ts": "both",
  "tests/http/idempotency_progress_test.ts": "both",
  "tests/http/idempotency_test.ts": "both",
  "tests/http/list_filter_test.ts": "both",
  "tests/http/list_property_test.ts": "both",
  "tests/http/maintenance_test.ts": "both",
  "tests/http/memory_model_test.ts": "both",
  "tests/http/openapi_test.ts": "both",
  "tests/http/record_model_test.ts": "both",
  // Statements and connections of the service itself, the same over either engine.
  "tests/attack/added_columns_test.ts": "postgres",
  "tests/attack/file_descriptors_test.ts": "postgres",
  "tests/attack/page_bytes_test.ts": "postgres",
  // What is decided before the database is asked, or by its rows, constraints and triggers alone: that
  // these are the same on both engines is what tests/storage/schema_snapshot_test.ts proves. What
  // engines could do differently with the same tables has its tests beside these, on both.
  "tests/storage/account_hostile_files_test.ts": "postgres",
  "tests/storage/account_move_test.ts": "postgres",
  "tests/storage/administration_test.ts": "postgres",
  "tests/storage/audit_attacks_test.ts": "postgres",
  "tests/storage/authorization_names_test.ts": "postgres",
  "tests/storage/authorization_tables_test.ts": "postgres",
  "tests/storage/authorization_test.ts": "postgres",
  "tests/storage/backup_refusal_test.ts": "postgres",
  "tests/storage/constraints_test.ts": "postgres",
  "tests/storage/decision_roots_test.ts": "postgres",
  "tests/storage/evaluation_guards_test.ts": "postgres",
  "tests/storage/family_roots_test.ts": "postgres",
  "tests/storage/grants_test.ts": "postgres",
  "tests/storage/identity_roots_test.ts": "postgres",
  "tests/storage/ledgers_test.ts": "postgres",
  "tests/storage/legacy_import_test.ts": "postgres",
  "tests/storage/relationship_guards_test.ts": "postgres",
  "tests/storage/relationship_refusals_test.ts": "postgres",
  "tests/storage/root_attacks_test.ts": "postgres",
  "tests/storage/root_kinds_test.ts": "postgres",
  "tests/storage/second_factor_guards_test.ts": "postgres",
  "tests/storage/seed_decisions_test.ts": "postgres",
  "tests/storage/seed_identity_test.ts": "postgres",
  "tests/storage/seed_people_test.ts": "postgres",
  "tests/storage/seed_resources_test.ts": "postgres",
  "tests/storage/seed_taxonomy_test.ts": "postgres",
  "tests/storage/seed_test.ts": "postgres",
  "tests/storage/taxonomy_guards_test.ts": "postgres",
  "tests/storage/throttle_model_test.ts": "postgres",
  "tests/storage/throttle_test.ts": "postgres",
  // The plans of single statements. That each statement of every route finds its rows by index on either
  // engine is what tests/storage/route_plans_test.ts proves, and that lists and writes read few rows as
  // they grow tests/storage/growth_test.ts.
  "tests/storage/decision_plans_test.ts": "postgres",
  "tests/storage/family_growth_test.ts": "postgres",
  "tests/storage/identity_plans_test.ts": "postgres",
  "tests/storage/legacy_plans_test.ts": "postgres",
  "tests/storage/memory_plans_test.ts": "postgres",
  "tests/storage/plans_test.ts": "postgres",
  "tests/storage/relationship_plans_test.ts": "postgres",
  "tests/storage/resource_plans_test.ts": "postgres",
  "tests/storage/taxonomy_plans_test.ts": "postgres",
  // Transactions at once, which the embedded engine does not have.
  "tests/races/changes_race_test.ts": "postgres",
  // Programs and tasks, the same over either engine.
  "tests/process/account_client_test.ts": "postgres",
  "tests/process/account_engines_test.ts": "postgres",
  "tests/process/admin_command_test.ts": "postgres",
  "tests/process/admin_terminal_test.ts": "postgres",
  "tests/process/audit_test.ts": "embedded",
  "tests/process/backup_command_test.ts": "postgres",
  "tests/process/backup_encryption_test.ts": "postgres",
  "tests/process/evaluation_worker_test.ts": "postgres",
  "tests/process/legacy_import_files_test.ts": "postgres",
  "tests/process/owner_start_test.ts": "postgres",
  "tests/process/programs_test.ts": "postgres",
  "tests/process/proxy_test.ts": "postgres",
  "tests/process/readme_test.ts": "embedded",
  "tests/process/refused_start_test.ts": "postgres",
  "tests/process/scheduled_backup_test.ts": "postgres",
  "tests/process/seed_test.ts": "postgres",
  "tests/process/shutdown_test.ts": "postgres",
  "tests/process/start_task_test.ts": "embedded",
  "tests/process/uncaught_test.ts": "none",
};

/** Files left out unless they are named: `deno task test:attack` names them. */
export const LONG = "tests/attack/long/";

/**
 * What a file costs, in seconds of one processor on the embedded engine; PostgreSQL takes half. By its
 * folder, or by its name where it is far from that. It shapes the shards and their order only.
 */
const COSTS: Readonly<Record<string, number>> = {
  "tests/": 8,
  "tests/std/": 0.2,
  "tests/unit/": 0.4,
  "tests/fuzz/": 4,
  "tests/http/": 6,
  "tests/http/contract_walk_test.ts": 40,
  "tests/storage/": 8,
  "tests/browser/": 20,
  "tests/browser/accessibility_test.ts": 100,
  "tests/browser/hostile_text_test.ts": 90,
  "tests/browser/draft_test.ts": 40,
  "tests/browser/record_test.ts": 30,
  "tests/process/": 24,
  "tests/process/account_crash_test.ts": 35,
  "tests/process/account_move_test.ts": 60,
  "tests/process/backup_encryption_test.ts": 60,
  "tests/process/backup_test.ts": 50,
  "tests/process/uncaught_test.ts": 2,
  "tests/races/": 8,
};

/**
 * A shard takes this part of what its engine has left, at least so much: each has a process, compiled code
 * and a first world of its own to pay for, and the last and smallest ones end at about the same time.
 */
const SHARD_PART = 1 / 4;
const LEAST_COST = 20;

/** Files that run in one process, on one engine. */
export interface Shard {
  /** null: without a database. */
  readonly engine: EngineName | null;
  /** Sorted paths, relative to the project's folder. */
  readonly files: readonly string[];
  readonly cost: number;
}

/** What a test file runs on. */
export function enginesOf(file: string): Engines {
  return ENGINES[longestPrefix(Object.keys(ENGINES), file)] ?? "both";
}

/** How the plan is made. */
export interface PlanOptions {
  /** The engines that can run. */
  readonly available: readonly EngineName[];
  /** Every file with a database on every engine that can run. */
  readonly matrix?: boolean;
}

/** The shards of test files, the costliest first. A file whose engine cannot run takes the other. */
export function planShards(files: readonly string[], options: PlanOptions): Shard[] {
  const groups = new Map<Shard["engine"], string[]>();
  for (const file of [...files].sort()) {
    for (const engine of enginesFor(file, options)) {
      groups.set(engine, [...groups.get(engine) ?? [], file]);
    }
  }
  return [...groups].flatMap(([engine, group]) => split(engine, group))
    .sort((a, b) => b.cost - a.cost);
}

function enginesFor(
  file: string,
  { available, matrix = false }: PlanOptions,
): readonly (EngineName | null)[] {
  const engines = enginesOf(file);
  if (engines === "none") return [null];
  if (engines === "both" || matrix || !available.includes(engines)) return available;
  return [engines];
}

/** Cuts the files of an engine into shards of neighbours. */
function split(engine: Shard["engine"], files: readonly string[]): Shard[] {
  const shards: Shard[] = [];
  let left = files.reduce((sum, file) => sum + costOf(file, engine), 0);
  let shard: Shard = { engine, files: [], cost: 0 };
  for (const file of files) {
    shard = { engine, files: [...shard.files, file], cost: shard.cost + costOf(file, engine) };
    if (shard.cost < Math.max(LEAST_COST, left * SHARD_PART)) continue;
    shards.push(shard);
    left -= shard.cost;
    shard = { engine, files: [], cost: 0 };
  }
  return shard.files.length === 0 ? shards : [...shards, shard];
}

function costOf(file: string, engine: Shard["engine"]): number {
  const cost = COSTS[longestPrefix(Object.keys(COSTS), file)] ?? 1;
  return engine === "postgres" ? cost / 2 : cost;
}

function longestPrefix(prefixes: readonly string[], file: string): string {
  const fitting = prefixes.filter((prefix) => file.startsWith(prefix));
  return fitting.reduce((longest, prefix) => prefix.length > longest.length ? prefix : longest, "");
}

/** The paths that the plan names, each of which must be there. */
export function namedPaths(): string[] {
  return [...new Set([...Object.keys(ENGINES), ...Object.keys(COSTS)])];
}

/** Every test file in a folder, sorted; or the file itself. */
export async function findTestFiles(path: string): Promise<string[]> {
  if ((await Deno.stat(path)).isFile) return [path];
  const found: string[] = [];
  for await (const entry of Deno.readDir(path)) {
    const below = `${path.replace(/\/$/, "")}/${entry.name}`;
    if (entry.isDirectory) found.push(...await findTestFiles(below));
    else if (entry.name.endsWith("_test.ts")) found.push(below);
  }
  return found.sort();
}
