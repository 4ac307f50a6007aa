/**
 * Templates of worlds' databases: folders for the embedded engine, the database `prs_template` on
 * PostgreSQL.
 */

import { ulid } from "@std/ulid";
import postgres, { type Sql } from "postgres";
import type { Database } from "../../src/database/database.ts";
import { openEmbedded } from "../../src/database/embedded.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres.ts";

export const TEMPLATE_DATABASE = "prs_template";

/** Folders of the embedded engine's templates. */
const [MIGRATED, EMPTY] = ["migrated", "empty"];

/** A folder, or a running cluster. */
export type TemplatePlace =
  | { readonly engine: "embedded"; readonly folder: string }
  | { readonly engine: "postgres"; readonly url: string };

export async function migrateTemplate(place: TemplatePlace): Promise<void> {
  const database = place.engine === "embedded"
    ? await openNewFolder(place.folder)
    : await createTemplateDatabase(place.url);
  await migrate(database);
  await database.close();
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

/** Copies for the embedded engine. */
export function copyTemplate(dataDir: string, { empty = false } = {}): void {
  copyFolder(`${template()}/${empty ? EMPTY : MIGRATED}/postgres`, `${dataDir}/postgres`);
}

/**
 * Copies the migrated template on either engine. Runs of single files may lack it: then the first
 * start creates the schema.
 */
export function copyEmbeddedTemplate(dataDir: string): void {
  const folder = Deno.env.get("TEST_EMBEDDED_TEMPLATE") ?? "";
  if (folder !== "") copyFolder(`${folder}/${MIGRATED}/postgres`, `${dataDir}/postgres`);
}

/**
 * Returns the template's folder, or the cluster's URL.
 *
 * @throws in a test planned without a database.
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

export interface ServerDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database with a unique name, `empty` or migrated, on the suite's cluster or another.
 */
export async function createServerDatabase(
  { empty = false, clusterUrl = template() } = {},
): Promise<ServerDatabase> {
  const original = empty ? "template0" : TEMPLATE_DATABASE;
  const name = `prs_${ulid().toLowerCase()}`;
  // Half the time of logging every page; only a crash needs that log.
  await administer(clusterUrl, `create database ${name} template ${original} strategy file_copy`);
  return {
    url: databaseUrl(clusterUrl, name),
    drop: () => administer(clusterUrl, `drop database ${name} with (force)`),
  };
}

/**
 * Connections by cluster, because connecting costs as much as creating a database. They close when
 * idle, so that they do not keep a program running.
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

/** Synchronous: a thread switch for each of 800 small files would double the time. */
export function copyFolder(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of Deno.readDirSync(from)) {
    const [source, target] = [`${from}/${entry.name}`, `${to}/${entry.name}`];
    if (entry.isDirectory) copyFolder(source, target);
    else Deno.copyFileSync(source, target);
  }
}

/** The URL of another database on the same cluster. */
export function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}
