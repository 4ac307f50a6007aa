import { checkAuthorizationIdentifiers } from "./access/authorization.ts";
import type { Config } from "./config/config.ts";
import type { Database } from "./database/database.ts";
import { openEmbedded } from "./database/embedded.ts";
import { migrate } from "./database/migrate.ts";
import { openPostgres } from "./database/postgres.ts";

/**
 * Opens the database that the settings name and brings its schema up to date.
 *
 * @throws EmbeddedDatabaseError, AuthorizationIdentifierConflictError, MigrationError; it is closed
 * then.
 */
export async function openPresentDatabase(config: Config): Promise<Database> {
  const database = await openDatabase(config);
  try {
    await checkAuthorizationIdentifiers(database);
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Opens the database that the settings name as it is, whatever its schema.
 *
 * @throws EmbeddedDatabaseError
 */
export async function openDatabase(config: Config): Promise<Database> {
  if (config.databaseUrl === null) return await openEmbedded(config.dataDir);
  return openPostgres(config.databaseUrl.reveal(), config.databasePoolSize);
}
