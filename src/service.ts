/** From a configuration to a serving process, and back down again. */

import { hashPassword } from "./access/passwords.ts";
import { checkServerSecret, readOrMakeSecret } from "./access/server_secret.ts";
import { ensureOwner, issueSetupToken } from "./access/setup.ts";
import { createApp } from "./app.ts";
import { openObjectStore } from "./attachments/object_store.ts";
import { CATALOG } from "./catalog/catalog.ts";
import { startRetention } from "./command/retention.ts";
import type { Config } from "./config/config.ts";
import { systemClock } from "./core/clock.ts";
import { createLog } from "./core/log.ts";
import type { Database } from "./database/database.ts";
import { openEmbedded } from "./database/embedded.ts";
import { migrate } from "./database/migrate.ts";
import { openPostgres } from "./database/postgres.ts";
import { serve, type Server } from "./http/server.ts";

/** A running service. */
export interface Service {
  readonly server: Server;
  /** Where people reach it. */
  readonly origin: string;
  /** The one-time token of a first start, while no account exists. */
  readonly setupToken: string | null;
  /** Stops accepting, finishes what is running, closes the database. */
  stop(): Promise<void>;
}

/**
 * Opens the database, brings its schema up to date, makes the configured owner, and serves.
 *
 * @throws EmbeddedDatabaseError, MigrationError, ServerSecretError; whatever was opened is closed.
 */
export async function startService(config: Config): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await openDatabase(config), (opening) => opening.close());
  await migrate(database);
  const serverSecret = await readServerSecret(config);
  await checkServerSecret(database, serverSecret);
  await makeOwner(config, database);

  const objects = opened.adopt(
    await openObjectStore(`${config.dataDir}/objects`),
    (store) => store.close(),
  );
  const log = createLog(config.logLevel);
  if (config.idempotencyRetentionDays !== null) {
    opened.defer(startRetention(database, config.idempotencyRetentionDays, systemClock, log));
  }
  const parts = { database, objects, log, serverSecret, catalog: CATALOG, clock: systemClock };
  const originAt = (port: number) => config.publicOrigin ?? `http://localhost:${port}`;
  const server = opened.adopt(
    serve(config, (port) => createApp({ ...parts, executors: {}, publicOrigin: originAt(port) })),
    (serving) => serving.stop(),
  );
  // Only a start that succeeded may replace the link that an earlier one printed.
  const setupToken = await issueSetupToken(database, systemClock());
  log.info("listening", { host: server.hostname, port: server.port });

  const origin = originAt(server.port);
  const running = opened.move();
  return { server, origin, setupToken, stop: () => running.disposeAsync() };
}

async function openDatabase(config: Config): Promise<Database> {
  if (config.databaseUrl === null) return await openEmbedded(config.dataDir);
  return openPostgres(config.databaseUrl.reveal(), config.databasePoolSize);
}

async function readServerSecret(config: Config): Promise<Uint8Array> {
  const secret = config.serverSecret?.reveal() ?? await readOrMakeSecret(config.dataDir);
  return new TextEncoder().encode(secret);
}

async function makeOwner({ owner }: Config, database: Database): Promise<void> {
  if (owner === null) return;
  const hash = () => hashPassword(owner.password.reveal());
  await ensureOwner(database, { email: owner.email, hash }, systemClock());
}
