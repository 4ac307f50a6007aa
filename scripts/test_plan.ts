/**
 * The engines of each test file, and the shards.
 *
 * The folder decides, unless the file's first line does, such as `// engines: postgres`.
 */

export type EngineName = "embedded" | "postgres";

const ENGINES = ["none", "both", "postgres", "embedded"] as const;

/**
 * `none`: once; opening a database fails. `postgres`, `embedded`: that engine only, if the result
 * does not depend on it. `both`: once on each.
 */
type Engines = typeof ENGINES[number];

/**
 * The engines of a folder's files, and the processor seconds of one on PostgreSQL. The longest
 * matching path counts.
 */
const FOLDERS: Readonly<Record<string, readonly [engines: Engines, seconds: number]>> = {
  "tests/": ["both", 4],
  "tests/std/": ["none", 0.2],
  "tests/unit/": ["none", 0.4],
  "tests/browser/": ["postgres", 8],
  "tests/fuzz/": ["postgres", 1],
  // `both` for the contracts of storage: reads and writes of records in random order, and replays.
  // storage/route_plans_test.ts proves one success of every route on the embedded engine.
  "tests/http/": ["postgres", 1],
  // Hostile clients meet the code before the database.
  "tests/attack/": ["postgres", 4],
  // `both` if the engine itself can break the promise: commits, guards, connections, migrations,
  // backups. schema_snapshot_test.ts proves that the schema is the same, and route_plans_test.ts
  // that every statement of a route uses an index on the embedded one.
  "tests/storage/": ["both", 2],
  // The embedded engine has no concurrent transactions. record_race_test.ts runs on both.
  "tests/races/": ["postgres", 1.5],
  // `both` for kill -9 during writes; `embedded` for the decisions of its single process: commands
  // and backups next to a server, held folders, secrets.
  "tests/process/": ["postgres", 3],
  // They start everything themselves.
  "tests/release/": ["none", 4],
};

/** Seconds of files that differ much from their folder. They affect only shards and their order. */
const EXPENSIVE: Readonly<Record<string, number>> = {
  "tests/browser/account_test.ts": 16,
  "tests/browser/draft_test.ts": 17,
  "tests/browser/memory_test.ts": 16,
  "tests/browser/pages_test.ts": 40,
  "tests/browser/record_test.ts": 15,
  "tests/http/contract_walk_test.ts": 10,
  "tests/process/account_move_test.ts": 8,
  "tests/process/backup_encryption_test.ts": 5,
  "tests/process/power_loss_test.ts": 5,
};

/** The embedded engine takes twice the processor time of PostgreSQL. */
const EMBEDDED_FACTOR = 2;

/** Left out unless named, as by `deno task test:attack` and `deno task release:check`. */
export const LONG = ["tests/attack/long/", "tests/release/"];

/**
 * A shard gets this part of the remaining seconds, with a minimum: each pays for a process,
 * compilation and a first world, and the last shards should end together.
 */
const SHARD_PART = 1 / 5;
const MIN_SECONDS = 30;

/** Files in one process on one engine. */
export interface Shard {
  /** Null without a database. */
  readonly engine: EngineName | null;
  /** Sorted, from the project's folder. */
  readonly files: readonly string[];
  readonly seconds: number;
}

/**
 * Prefers the first line to the folder.
 *
 * @throws if the first line declares engines wrongly.
 */
export function enginesOf(path: string, firstLine: string): Engines {
  if (!/^\/\/\s*engines\b/i.test(firstLine)) return folderOf(path)[0];
  const declared = ENGINES.find((engines) => firstLine === `// engines: ${engines}`);
  if (declared === undefined) {
    throw new Error(
      `${path}: the first line must be "// engines: " and one of ${ENGINES.join(", ")}`,
    );
  }
  return declared;
}

function folderOf(file: string): readonly [engines: Engines, seconds: number] {
  const [longest = ""] = Object.keys(FOLDERS).filter((folder) => file.startsWith(folder))
    .sort((a, b) => b.length - a.length);
  return FOLDERS[longest] ?? ["both", 1];
}

function secondsOf(file: string, engine: Shard["engine"]): number {
  const seconds = EXPENSIVE[file] ?? folderOf(file)[1];
  return engine === "embedded" ? EMBEDDED_FACTOR * seconds : seconds;
}

/** Reads the engines of files from their first lines. */
export async function readEngines(paths: readonly string[]): Promise<Map<string, Engines>> {
  const read = async (path: string) => {
    const [firstLine = ""] = (await Deno.readTextFile(path)).split("\n", 1);
    return [path, enginesOf(path, firstLine)] as const;
  };
  return new Map(await Promise.all(paths.map(read)));
}

/**
 * Plans the shards, most expensive first. A file whose engine is unavailable uses the other.
 *
 * @param files Engines by path.
 * @param matrix Whether to run database tests on all available engines.
 */
export function planShards(
  files: ReadonlyMap<string, Engines>,
  { available, matrix = false }: {
    readonly available: readonly EngineName[];
    readonly matrix?: boolean;
  },
): Shard[] {
  const groups = new Map<Shard["engine"], string[]>();
  for (const [file, engines] of [...files].sort(([a], [b]) => a < b ? -1 : 1)) {
    const isOnAll = engines === "both" || matrix || !available.some((each) => each === engines);
    const planned = engines === "none"
      ? [null]
      : available.filter((each) => isOnAll || each === engines);
    for (const engine of planned) groups.set(engine, [...groups.get(engine) ?? [], file]);
  }
  return [...groups].flatMap(([engine, group]) => split(engine, group))
    .sort((a, b) => b.seconds - a.seconds);
}

/** Splits files into shards of neighbours; the last one includes a small rest. */
function split(engine: Shard["engine"], files: readonly string[]): Shard[] {
  const shards: Shard[] = [];
  let left = files.reduce((sum, file) => sum + secondsOf(file, engine), 0);
  let shard: Shard = { engine, files: [], seconds: 0 };
  for (const file of files) {
    const seconds = shard.seconds + secondsOf(file, engine);
    shard = { engine, files: [...shard.files, file], seconds };
    if (seconds < Math.max(MIN_SECONDS, left * SHARD_PART)) continue;
    shards.push(shard);
    left -= seconds;
    shard = { engine, files: [], seconds: 0 };
  }
  const last = shards.at(-1);
  if (last === undefined || shard.seconds > MIN_SECONDS / 2) return [...shards, shard];
  const joined = [...last.files, ...shard.files];
  return shards.with(-1, { engine, files: joined, seconds: last.seconds + shard.seconds });
}

/** Finds the test files of a folder, sorted; or returns the file itself. */
export async function findTestFiles(path: string): Promise<string[]> {
  if ((await Deno.stat(path)).isFile) return [path];
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    const below = `${path.replace(/\/$/, "")}/${name}`;
    if (isDirectory) found.push(...await findTestFiles(below));
    else if (name.endsWith("_test.ts")) found.push(below);
  }
  return found.sort();
}
