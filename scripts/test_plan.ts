/**
 * The engines of each test file, and the shards that the files run in.
 *
 * The folder of a file decides. A file that differs declares it in its first line, such as
 * `// engines: postgres`.
 */

/** The engine under the tests. */
export type EngineName = "embedded" | "postgres";

const ENGINES = ["none", "both", "postgres", "embedded"] as const;

/**
 * The engines of a test file.
 *
 * `none`: once, without a database; opening one fails. `postgres` and `embedded`: on that engine only, for
 * tests whose result does not depend on the engine. `both`: once on each.
 */
export type Engines = typeof ENGINES[number];

/** The engines of a folder's test files. The longest path that fits decides. */
const FOLDER_ENGINES: Readonly<Record<string, Engines>> = {
  "tests/": "both",
  "tests/std/": "none",
  "tests/unit/": "none",
  "tests/browser/": "postgres",
  "tests/fuzz/": "postgres",
  // `both` for the contracts that each engine must keep: reads and writes of a record and a memory in
  // random order, replay, quota, throttle, maintenance, and one success of every route of every family.
  "tests/http/": "postgres",
  // `postgres` for statements and connections of the service itself.
  "tests/attack/": "both",
  // `postgres` for results of constraints, triggers or code before the database: schema_snapshot_test.ts
  // proves that the schema is the same on both engines. `postgres` for plans of single statements too:
  // route_plans_test.ts and growth_test.ts prove on both that statements use an index and read few rows.
  "tests/storage/": "both",
  // `postgres` for concurrent transactions, which the embedded engine does not have.
  "tests/races/": "both",
  // One engine for programs and tasks that behave the same on either.
  "tests/process/": "both",
};

/** Files left out unless they are named: `deno task test:attack` names them. */
export const LONG = "tests/attack/long/";

/**
 * The cost of a file, in seconds of one processor on the embedded engine; PostgreSQL takes half. By folder,
 * or by file if it differs much. It only affects the shards and their order.
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
  "tests/process/power_loss_test.ts": 55,
  "tests/process/uncaught_test.ts": 2,
  "tests/races/": 8,
};

/**
 * A shard gets this part of its engine's remaining cost, with a minimum: each shard pays for a process,
 * compilation and a first world, and the last and smallest ones should end at about the same time.
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

/**
 * Returns the engines of a test file, from its first line or else from its folder.
 *
 * @throws Error if the first line declares engines in another form or with another value.
 */
export function enginesOf(path: string, firstLine: string): Engines {
  if (!/^\/\/\s*engines\b/i.test(firstLine)) {
    return FOLDER_ENGINES[longestPrefix(Object.keys(FOLDER_ENGINES), path)] ?? "both";
  }
  const declared = ENGINES.find((engines) => firstLine === `// engines: ${engines}`);
  if (declared === undefined) {
    throw new Error(
      `${path}: the first line must be "// engines: " and one of ${ENGINES.join(", ")}`,
    );
  }
  return declared;
}

/** Reads the first lines of test files and returns the engines of each file. */
export async function readEngines(paths: readonly string[]): Promise<Map<string, Engines>> {
  const read = async (path: string) => [path, enginesOf(path, await firstLineOf(path))] as const;
  return new Map(await Promise.all(paths.map(read)));
}

/** Returns the first line of a file, cut after 64 bytes: a declaration is shorter. */
async function firstLineOf(path: string): Promise<string> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(64);
  const length = await file.read(bytes) ?? 0;
  return new TextDecoder().decode(bytes.subarray(0, length)).split("\n", 1)[0] ?? "";
}

/** How the plan is made. */
export interface PlanOptions {
  /** The engines that can run. */
  readonly available: readonly EngineName[];
  /** Every file with a database on every engine that can run. */
  readonly matrix?: boolean;
}

/**
 * Plans the shards of test files, the most expensive first. A file whose engine is not available uses the
 * other.
 *
 * @param files The engines of each file, by its path.
 */
export function planShards(files: ReadonlyMap<string, Engines>, options: PlanOptions): Shard[] {
  const groups = new Map<Shard["engine"], string[]>();
  for (const [file, engines] of [...files].sort(([a], [b]) => a < b ? -1 : 1)) {
    for (const engine of plannedEngines(engines, options)) {
      groups.set(engine, [...groups.get(engine) ?? [], file]);
    }
  }
  return [...groups].flatMap(([engine, group]) => split(engine, group))
    .sort((a, b) => b.cost - a.cost);
}

function plannedEngines(
  engines: Engines,
  { available, matrix = false }: PlanOptions,
): readonly (EngineName | null)[] {
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
  return [...new Set([...Object.keys(FOLDER_ENGINES), ...Object.keys(COSTS)])];
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
