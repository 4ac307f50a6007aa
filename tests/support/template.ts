/**
 * A migrated, empty database that worlds are copied from: a folder for the embedded engine, a
 * database named `prs_template` for PostgreSQL.
 */

import { ulid } from "@std/ulid";
import postgres from "postgres";
import { openEmbedded } from "../../src/database/embedded.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres.ts";

export const TEMPLATE_DATABASE = "prs_template";

/** Where a suite runs: set by `scripts/test.ts`. */
export interface Engine {
  readonly TEST_ENGINE: string;
  /** The template's folder, or the cluster's URL. */
  readonly TEST_TEMPLATE: string;
}

/** Makes the template of an engine. */
export async function createTemplate(engine: Engine): Promise<void> {
  if (engine.TEST_ENGINE === "postgres") {
    await administer(engine.TEST_TEMPLATE, `create database ${TEMPLATE_DATABASE}`);
  }
  const database = engine.TEST_ENGINE === "postgres"
    ? openPostgres(databaseUrl(engine.TEST_TEMPLATE, TEMPLATE_DATABASE), 2)
    : await openEmbedded(engine.TEST_TEMPLATE);
  await migrate(database);
  await database.close();
}

/** A database of its own on a cluster. */
export interface ServerDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database with a name of its own, as a copy of `template` (`template0` is empty). */
export async function createServerDatabase(
  clusterUrl: string,
  template: string,
): Promise<ServerDatabase> {
  const name = `prs_${ulid().toLowerCase()}`;
  await administer(clusterUrl, `create database ${name} template ${template}`);
  return {
    url: databaseUrl(clusterUrl, name),
    drop: () => administer(clusterUrl, `drop database ${name} with (force)`),
  };
}

async function administer(clusterUrl: string, statement: string): Promise<void> {
  const sql = postgres(clusterUrl, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

/** Copies a folder with everything in it. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true, mode: 0o700 });
  for await (const entry of Deno.readDir(from)) {
    const [source, target] = [`${from}/${entry.name}`, `${to}/${entry.name}`];
    if (entry.isDirectory) await copyFolder(source, target);
    else await Deno.copyFile(source, target);
  }
}

/** The URL of another database of the same cluster. */
function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}
