/**
 * The engines of each test file, and the shards.
 *
 * The folder decides, unless the file's first line does, such as `// engines: postgres`.
 */

export type EngineName = "embedded" | "postgres";

const ENGINES = ["none", "both", "postgres", "embedded"] as const;

/**
 * `none`: once; opening a database fails. `postgres`, `embedded`: that engine only, if the result does not
 * depend on it. `both`: once on each.
 */
export type Engines = typeof ENGINES[number];

/** Keyed by the longest matching path. */
const FOLDER_ENGINES: Readonly<Record<string, Engines>> = {
  "tests/": "both",
  "tests/std/": "none",
  "tests/unit/": "none",
  "tests/browser/": "postgres",
  "tests/fuzz/": "postgres",
  // `both` for the contracts of storage: reads and writes of records in random order, and replays. Of one
  // success of every route, storage/route_plans_test.ts is the proof on the embedded engine.
  "tests/http/": "postgres",
  // Hostile clients meet the code before the database.
  "tests/attack/": "postgres",
  // `both` if the engine itself can break the promise: commits, guards, connections, migrations, backups.
  // schema_snapshot_test.ts proves that the schema is the same, and route_plans_test.ts that every statement
  // of a route uses an index on the embedded one.
  "tests/storage/": "both",
  // The embedded engine has no concurrent transactions. record_race_test.ts runs on both.
  "tests/races/": "postgres",
  // `both` for kill -9 during writes; `embedded` for what its single process decides: commands and backups next to
  // a server, held folders, secrets.
  "tests/process/": "postgres",
  // They start everything themselves.
  "tests/release/": "none",
};

/** Left out unless named, as by `deno task test:attack` and `deno task release:check`. */
export const LONG = ["tests/attack/long/", "tests/release/"];

/**
 * Processor seconds on the embedded engine; PostgreSQL takes half. By folder, or by file if it differs much.
 * Affects only shards and their order.
 */
const COSTS: Readonly<Record<string, number>> = {
  "tests/": 8,
  "tests/std/": 0.2,
  "tests/unit/": 0.4,
  "tests/fuzz/": 2,
  "tests/http/": 2,
  "tests/http/contract_walk_test.ts": 20,
  "tests/storage/": 4,
  "tests/browser/": 8,
  "tests/browser/pages_test.ts": 50,
  "tests/process/": 6,
  "tests/process/account_move_test.ts": 16,
  "tests/process/backup_encryption_test.ts": 10,
  "tests/process/power_loss_test.ts": 10,
  "tests/process/uncaught_test.ts": 1,
  "tests/races/": 3,
};

/**
 * A shard gets this part of the remaining cost, with a minimum: each pays for a process, compilation and a
 * first world, and the last shards should end together.
 */
const SHARD_PART = 1 / 4;
const LEAST_COST = 20;

/** Files in one process on one engine. */
export interface Shard {
  /** Null without a database. */
  readonly engine: EngineName | null;
  /** Sorted, from the project's folder. */
  readonly files: readonly string[];
  readonly cost: number;
}

/**
 * Prefers the first line to the folder.
 *
 * @throws if the first line declares engines wrongly.
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

/** Reads the files' first lines. */
export async function readEngines(paths: readonly string[]): Promise<Map<string, Engines>> {
  const read = async (path: string) => [path, enginesOf(path, await firstLineOf(path))] as const;
  return new Map(await Promise.all(paths.map(read)));
}

/** Cut after 64 bytes, more than a declaration has. */
async function firstLineOf(path: string): Promise<string> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(64);
  const length = await file.read(bytes) ?? 0;
  return new TextDecoder().decode(bytes.subarray(0, length)).split("\n", 1)[0] ?? "";
}

export interface PlanOptions {
  readonly available: readonly EngineName[];
  /** Database tests on all available engines. */
  readonly matrix?: boolean;
}

/**
 * Most expensive first. A file whose engine is unavailable uses the other.
 *
 * @param files Engines by path.
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

/** Shards of neighbours. */
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

/** Each must exist. */
export function namedPaths(): string[] {
  return [...new Set([...Object.keys(FOLDER_ENGINES), ...Object.keys(COSTS)])];
}

/** Sorted; or the file itself. */
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
