/**
 * Template databases of tests, cached between runs in a folder of this user under TEST_CACHE or the
 * temporary directory. A template's name is a digest of everything that determines its content: the
 * SQL, the source that opens and migrates databases, the locked packages, the server's version.
 */

import { migrateTemplate } from "../tests/support/template.ts";
import { type Cluster, copyData, startCluster } from "./postgres_cluster.ts";

const PROJECT = new URL("..", import.meta.url).pathname;
const SOURCES = ["deno.lock", "sql", "src/core", "src/database", "tests/support/template.ts"];
const UNUSED_DAYS = 7;

/** Templates of the embedded engine: `migrated`, and `empty` as the engine makes it. */
export async function embeddedTemplates(): Promise<string> {
  return await cached(`embedded-${await digestOfSources()}`, async (folder) => {
    await migrateTemplate({ engine: "embedded", folder });
  });
}

/** @param version The installed server's. */
export async function startClusterWithTemplate(version: string): Promise<Cluster> {
  const name = `postgres-${await digestOfSources(version)}`;
  const data = await cached(name, async (folder) => {
    const cluster = await started(startCluster());
    try {
      await migrateTemplate({ engine: "postgres", url: cluster.url });
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    await cluster.stop({ saveTo: `${folder}/data` });
  });
  return await started(startCluster({ fill: (_, to) => copyData(`${data}/data`, to) }));
}

async function started(cluster: Promise<Cluster | null>): Promise<Cluster> {
  return await cluster ?? Promise.reject(new Error("PostgreSQL is gone"));
}

/** Creates a missing folder atomically, also in concurrent runs. */
async function cached(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const cache = await openCache();
  const folder = `${cache}/${name}`;
  if (await exists(folder)) {
    await Deno.utime(folder, new Date(), new Date());
    return folder;
  }
  await removeUnused(cache);
  const unfinished = await Deno.makeTempDir({ dir: cache, prefix: "unfinished-" });
  try {
    await make(unfinished);
    await Deno.rename(unfinished, folder);
  } catch (error) {
    await Deno.remove(unfinished, { recursive: true });
    // Another run was faster.
    if (!await exists(folder)) throw error;
  }
  return folder;
}

/** Checks the folder's owner, because the parent folder may be writable by all. */
async function openCache(): Promise<string> {
  const place = Deno.env.get("TEST_CACHE") ?? Deno.env.get("TMPDIR") ?? "/tmp";
  const path = `${place}/prs-test-templates-${Deno.uid()}`;
  await Deno.mkdir(path, { mode: 0o700 }).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
  const { isDirectory, uid, mode } = await Deno.lstat(path);
  if (!isDirectory || uid !== Deno.uid() || (mode ?? 0) % 0o100 !== 0) {
    throw new Error(`${path} must be a folder that only this user can open`);
  }
  return path;
}

async function removeUnused(cache: string): Promise<void> {
  const oldest = Date.now() - UNUSED_DAYS * 86_400_000;
  for await (const { name } of Deno.readDir(cache)) {
    const path = `${cache}/${name}`;
    // Another run may have renamed or removed it.
    const used = await Deno.stat(path).then(({ mtime }) => mtime?.getTime(), () => undefined);
    if (used !== undefined && used < oldest) await Deno.remove(path, { recursive: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

/** Everything that determines a template's content. */
export async function digestOfSources(version = "", project = PROJECT): Promise<string> {
  const files = (await Promise.all(SOURCES.map((path) => filesOf(`${project}${path}`)))).flat();
  const parts = await Promise.all(
    files.map(async (path) => [path.slice(project.length), await Deno.readTextFile(path)]),
  );
  const bytes = new TextEncoder().encode(JSON.stringify([version, parts]));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return digest.slice(0, 16).toHex();
}

async function filesOf(path: string): Promise<string[]> {
  if ((await Deno.stat(path)).isFile) return [path];
  const entries = await Array.fromAsync(Deno.readDir(path), ({ name }) => `${path}/${name}`);
  return (await Promise.all(entries.sort().map(filesOf))).flat();
}
