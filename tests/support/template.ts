/**
 * The databases that worlds are copied from: folders for the embedded engine, a database named
 * `prs_template` for PostgreSQL.
 */

import { ulid } from "@std/ulid";
import postgres, { type Sql } from "postgres";
import type { Database } from "../../src/database/database.ts";
import { openEmbedded } from "../../src/database/embedded.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres.ts";

export const TEMPLATE_DATABASE = "prs_template";

/** The embedded engine's templates in their folder. */
const [MIGRATED, EMPTY] = ["migrated", "empty"];

/** The place of a template: a folder for the embedded engine's, or a running cluster. */
export type TemplatePlace =
  | { readonly engine: "embedded"; readonly folder: string }
  | { readonly engine: "postgres"; readonly url: string };

/** Makes the templates of an engine. */
export async function migrateTemplate(place: TemplatePlace): Promise<void> {
  const database = place.engine === "embedded"
    ? await openNewFolder(place.folder)
    : await createTemplateDatabase(place.url);
  await migrate(database);
  await database.close();
  if (place.engine === "embedded") await removeUnused(`${place.folder}/${MIGRATED}`);
}

/**
 * Removes the databases `template1` and `template0`, a third of all files that every world would copy: only
 * `create database` needs them, which nothing calls.
 */
async function removeUnused(dataDir: string): Promise<void> {
  for (const oid of [1, 4]) {
    await Deno.remove(`${dataDir}/postgres/base/${oid}`, { recursive: true });
  }
}

async function openNewFolder(folder: string): Promise<Database> {
  await (await openEmbedded(`${folder}/${EMPTY}`)).close();
  copyFolder(`${folder}/${EMPTY}`, `${folder}/${MIGRATED}`);
  return await openEmbedded(`${folder}/${MIGRATED}`);
}

async function createTemplateDatabase(clusterUrl: string): Promise<Database> {
  await administer(clusterUrl, `create database ${TEMPLATE_DATABASE}`);
  return openPostgres(databaseUrl(clusterUrl, TEMPLATE_DATABASE), 2);
}

/** Copies the embedded engine's template to the data folder of a world or a service. */
export function copyTemplate(dataDir: string, { empty = false } = {}): void {
  copyFolder(`${template()}/${empty ? EMPTY : MIGRATED}/postgres`, `${dataDir}/postgres`);
}

/**
 * Copies the embedded engine's migrated template to a data folder, on either engine. A run of single files
 * without that engine has none to copy: the first start there creates the schema then.
 */
export function copyEmbeddedTemplate(dataDir: string): void {
  const folder = Deno.env.get("TEST_EMBEDDED_TEMPLATE") ?? "";
  if (folder !== "") copyFolder(`${folder}/${MIGRATED}/postgres`, `${dataDir}/postgres`);
}

/**
 * The place of the templates: a folder, or the cluster's URL.
 *
 * @throws Error in a test that is planned without a database.
 */
export function template(): string {
  const found = Deno.env.get("TEST_TEMPLATE") ?? "";
  if (found === "") {
    throw new Error(
      "This test file runs without a database: declare its engines (scripts/test_plan.ts)",
    );
  }
  return found;
}

/** A database on a cluster. */
export interface ServerDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database with a unique name, `empty` or migrated, on the suite's cluster or another. */
export async function createServerDatabase(
  { empty = false, clusterUrl = template() } = {},
): Promise<ServerDatabase> {
  const original = empty ? "template0" : TEMPLATE_DATABASE;
  const name = `prs_${ulid().toLowerCase()}`;
  // Copying files takes half the time of writing every page to the log; only a crash needs the log.
  await administer(clusterUrl, `create database ${name} template ${original} strategy file_copy`);
  return {
    url: databaseUrl(clusterUrl, name),
    drop: () => administer(clusterUrl, `drop database ${name} with (force)`),
  };
}

/**
 * One connection per cluster, because opening one costs about as much as creating a database. It closes by
 * itself, so that it does not keep a program running for long.
 */
const administrators = new Map<string, Sql>();

async function administer(clusterUrl: string, statement: string): Promise<void> {
  let sql = administrators.get(clusterUrl);
  if (sql === undefined) {
    sql = postgres(clusterUrl, { max: 1, idle_timeout: 1, fetch_types: false, onnotice: () => {} });
    administrators.set(clusterUrl, sql);
  }
  await sql.unsafe(statement);
}

/**
 * Copies a folder with everything in it. The engine's has 800 small files: a thread switch for each would
 * take as long as the copies.
 */
export function copyFolder(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of Deno.readDirSync(from)) {
    const [source, target] = [`${from}/${entry.name}`, `${to}/${entry.name}`];
    if (entry.isDirectory) copyFolder(source, target);
    else Deno.copyFileSync(source, target);
  }
}

/** The URL of another database of the same cluster. */
function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}
