/**
 * A migrated, empty database that worlds are copied from: a folder for the embedded engine, a
 * database named `prs_template` for PostgreSQL.
 */

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
  if (engine.TEST_ENGINE === "postgres") await createDatabase(engine.TEST_TEMPLATE);
  const database = engine.TEST_ENGINE === "postgres"
    ? openPostgres(databaseUrl(engine.TEST_TEMPLATE, TEMPLATE_DATABASE), 2)
    : await openEmbedded(engine.TEST_TEMPLATE);
  await migrate(database);
  await database.close();
}

async function createDatabase(clusterUrl: string): Promise<void> {
  const sql = postgres(clusterUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe(`create database ${TEMPLATE_DATABASE}`);
  await sql.end();
}

/** The URL of another database of the same cluster. */
export function databaseUrl(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}
