import { X509Certificate } from "node:crypto";
import { checkAuthorizationIdentifiers } from "../access/authorization.ts";
import { checkChangeFeed } from "../records/feed/port.ts";
import { type Config, ConfigError } from "./config/config.ts";
import type { Log } from "../core/log.ts";
import { printNote } from "../core/output.ts";
import type { Database } from "../database/database.ts";
import { parseDatabaseUrl } from "../database/database_url.ts";
import { openEmbedded } from "../database/embedded.ts";
import { migrate, schemaVersion } from "../database/migrate.ts";
import { MIGRATIONS } from "../database/migration_files.ts";
import { openPostgres } from "../database/postgres.ts";
import { OperatorError } from "../errors/operator_error.ts";
import {
  checkServer,
  DatabaseServerError,
  explainDatabaseFailure,
} from "../database/server_check.ts";

/**
 * Opens the database of the settings and brings its schema up to date.
 *
 * @param log Receives the applied steps, and the warning that the server may lose commits; only the
 *   service has one.
 * @throws EmbeddedDatabaseError, DatabaseServerError, ConfigError,
 *   AuthorizationIdentifierConflictError, MigrationError; it is closed then.
 */
export async function openPresentDatabase(config: Config, log?: Log): Promise<Database> {
  return await prepared(config, await openDatabase(config, log), async (database) => {
    await updateSchema(database, log);
  });
}

/**
 * As `openPresentDatabase`, for commands, which do not create an installation.
 *
 * @throws OperatorError if the database holds none.
 */
export async function openInstalledDatabase(config: Config): Promise<Database> {
  return await prepared(config, await openDatabase(config), async (database) => {
    await assertInstalled(database);
    await updateSchema(database);
  });
}

async function prepared(
  config: Config,
  database: Database,
  prepare: (database: Database) => Promise<void>,
): Promise<Database> {
  const url = config.databaseUrl?.reveal() ?? null;
  const stopWatching = url === null ? () => {} : reportMissingStandby(database);
  try {
    await prepare(database);
    return database;
  } catch (error) {
    await database.close();
    throw url === null ? error : explainDatabaseFailure(error, url);
  } finally {
    stopWatching();
  }
}

async function updateSchema(database: Database, log?: Log): Promise<void> {
  await checkAuthorizationIdentifiers(database);
  await migrate(database, MIGRATIONS, (first, last) => {
    log?.info("schema_applied", { from: first.version, to: last.version, name: last.name });
  });
  await checkChangeFeed(database);
}

async function assertInstalled(database: Database): Promise<void> {
  if (await database.read(schemaVersion) > 0) return;
  throw new OperatorError(
    "The database holds no installation: set DATABASE_URL to that of the service. To create an " +
      "installation, start the service or restore a backup",
  );
}

/** How often a start asks whether its commit waits for a standby. */
const STANDBY_CHECK_MS = 5_000;

/** Prints once that a commit waits for a standby. The commit ends when the standby connects. */
function reportMissingStandby(database: Database): () => void {
  const timer = setInterval(async () => {
    if (!await waitsForStandby(database).catch(() => false)) return;
    clearInterval(timer);
    printNote(
      "PostgreSQL waits for a standby of synchronous_standby_names: start one, or change that setting",
    );
  }, STANDBY_CHECK_MS);
  return () => clearInterval(timer);
}

/** A role sees the sessions of its own. */
async function waitsForStandby(database: Database): Promise<boolean> {
  const waiting = await database.read((sql) =>
    sql`
    select 1 from pg_stat_activity
     where usename = current_user and datname = current_database() and wait_event = 'SyncRep' limit 1`
  );
  return waiting.length > 0;
}

/**
 * Opens the database of the settings without changing its schema.
 *
 * @throws EmbeddedDatabaseError, DatabaseServerError, ConfigError
 */
export async function openDatabase(config: Config, log?: Log): Promise<Database> {
  if (config.databaseUrl === null) return await openEmbedded(config.dataDir);
  const url = config.databaseUrl.reveal();
  const { options, unsafe } = await checkServer(url, { authority: await readAuthority(url) });
  if (unsafe.length > 0) {
    const names = unsafe.map((name) => `${name}=off`).join(" and ");
    if (!config.allowUnsafeDatabase) throw unsafeServer(names);
    log?.warn("unsafe_database", { settings: names });
  }
  return openPostgres(url, config.databasePoolSize, options);
}

/** Reads the certificates of the authority in the URL; null if it names none. */
async function readAuthority(url: string): Promise<string | null> {
  const { sslrootcert } = parseDatabaseUrl(url);
  if (sslrootcert === null) return null;
  try {
    const text = await Deno.readTextFile(sslrootcert);
    // Throws for an invalid certificate, which the driver would ignore.
    new X509Certificate(text);
    return text;
  } catch {
    throw new ConfigError([
      "DATABASE_URL: the file of sslrootcert cannot be read as a certificate",
    ]);
  }
}

function unsafeServer(names: string): DatabaseServerError {
  return new DatabaseServerError(
    `PostgreSQL runs with ${names} and may lose what it has committed. ` +
      "Change that, or accept it with ALLOW_UNSAFE_DATABASE=true",
  );
}
