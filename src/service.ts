/** Starts and stops a serving process. */

import { loadRoleMatrix } from "./access/authorization.ts";
import { checkServerSecret, readServerSecret } from "./access/server_secret.ts";
import { storedStepUp } from "./access/step_up.ts";
import { PasswordHasher } from "./accounts/password_hasher.ts";
import { ensureOwner, issueSetupToken } from "./accounts/setup_routes.ts";
import { adminSocketPath } from "./operator/admin/execute.ts";
import { runAdminCommand } from "./operator/admin/run.ts";
import type { AdminServices } from "./operator/admin/runner.ts";
import { serveAdminSocket } from "./operator/admin/socket.ts";
import { parseRecipient } from "./operator/backup/age/x25519.ts";
import { createApp, type EvaluationSettings } from "./app.ts";
import { openObjectStore } from "./attachments/object_store.ts";
import { startSealing } from "./audit/sealing.ts";
import { BackupScheduler, type SchedulerServices } from "./operator/backup/scheduler.ts";
import { checkConnectionLimit } from "./database/connection_limit.ts";
import { RELEASE } from "./database/release.ts";
import { agreeOnErasures } from "./operator/erasure/erasure_list.ts";
import { assertFinished } from "./operator/erasure/folder.ts";
import { CATALOG } from "./catalog/catalog.ts";
import { startRetention } from "./command/retention.ts";
import { DiskRoom, writeLimits } from "./command/write_limits.ts";
import type { Config } from "./operator/config/config.ts";
import { systemClock } from "./core/clock.ts";
import { diskSpaceOf } from "./core/disk_space.ts";
import { createLog, errorFields, type Log } from "./core/log.ts";
import { systemTimer } from "./core/timer.ts";
import type { Database } from "./database/database.ts";
import { SimulationQueue } from "./families/decision/simulation_queue.ts";
import { createHttpProvider } from "./families/relationship/evaluation/http_provider.ts";
import { localSummary } from "./families/relationship/evaluation/local_summary.ts";
import { serve, type Server } from "./http/server.ts";
import { openPresentDatabase } from "./operator/open_database.ts";
import { explainFullDisk, keepStartRoom, makeStartRoom } from "./operator/start_room.ts";
import { ImportFolder } from "./imports/folder.ts";
import { MAX_ITEMS } from "./imports/prepare.ts";
import { startIndexBuild } from "./search/build.ts";
import { SpoolFolder } from "./portability/spool.ts";

export interface Service {
  readonly server: Server;
  readonly origin: string;
  /** Null if an account exists already. */
  readonly setupToken: string | null;
  /** Resolves when the built-in database has stopped: only a new process can serve again. */
  readonly broken: Promise<void>;
  /** Fails readiness, stops accepting, finishes running requests, closes the database. */
  stop(): Promise<void>;
}

/**
 * @param passwords Tests pass one of a lower cost.
 * @throws EmbeddedDatabaseError, DatabaseServerError, ConfigError, AuthorizationIdentifierConflictError,
 *   MigrationError, ServerSecretError; OperatorError for an unfinished erasure and BackupError for rows of
 *   what is erased; everything opened is closed.
 */
export async function startService(
  config: Config,
  passwords: PasswordHasher = new PasswordHasher(),
): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  const log = createLog(config.logLevel);
  log.info("starting", RELEASE);
  const clock = systemClock;
  await assertFinished(config.dataDir);
  const readDiskSpace = diskSpaceOf(config.dataDir);
  const startRoom = { dataDir: config.dataDir, readDiskSpace, log };
  await makeStartRoom(startRoom);
  const database = opened.adopt(
    await openPresentDatabase(config, log).catch((error) => {
      throw config.databaseUrl === null ? explainFullDisk(error, startRoom) : error;
    }),
    (opening) => opening.close(),
  );
  if (config.databaseUrl !== null) await checkConnectionLimit(database, config.databasePoolSize);
  const serverSecret = new TextEncoder().encode(await readServerSecret(config, database));
  await checkServerSecret(database, serverSecret);
  await agreeOnErasures(database, config.dataDir);
  await makeOwner(config, database, passwords);

  const openObjects = () => openObjectStore(`${config.dataDir}/objects`);
  const objects = opened.adopt(await openObjects(), (store) => store.close());
  // Stops after the server, so that its last writes are sealed too.
  const { seal } = opened.adopt(startSealing(database, clock, log), (it) => it.stop());
  const importFolder = await ImportFolder.open(`${config.dataDir}/imports`);
  const openSpool = () => SpoolFolder.open(`${config.dataDir}/spool`, clock);
  const spool = opened.adopt(await openSpool(), (folder) => folder.close());
  if (config.idempotencyRetentionDays !== null) {
    opened.defer(startRetention(database, config.idempotencyRetentionDays, clock, log));
  }
  opened.defer(startIndexBuild({ database, catalog: CATALOG }, log));
  const { trustedProxies, limits, sessions, metricsToken, corsOrigins, allowedHosts } = config;
  const { console, assistants, accountStorageBytes, accountSpoolBytes } = config;
  const settings = { trustedProxies, limits, sessions, metricsToken, corsOrigins, allowedHosts };
  const scheduledBackups = createScheduler(config, { database, clock, log, openObjects, seal });
  const roles = await loadRoleMatrix(database);
  const given = { database, objects, spool, log, serverSecret, roles, passwords, clock, console };
  const parts = {
    ...given,
    ...settings,
    catalog: CATALOG,
    accountStorageBytes,
    accountSpoolBytes,
    assistants,
    readDiskSpace,
    stepUp: storedStepUp,
    scheduledBackups,
    simulations: new SimulationQueue(),
    imports: {
      folder: importFolder,
      maximumBytes: config.importMaximumBytes,
      maximumItems: MAX_ITEMS,
      timer: systemTimer,
    },
    evaluation: evaluationSettings(config),
  };
  const originAt = (port: number) => config.publicOrigin ?? `http://localhost:${port}`;
  const appAt = (port: number) => {
    const app = createApp({ ...parts, executors: {}, publicOrigin: originAt(port) });
    app.resumeImports();
    return app;
  };
  const server = opened.adopt(serve(config, appAt, log), (serving) => serving.stop());
  // Issued after a successful start, because it invalidates the link of an earlier start.
  const setupToken = await issueSetupToken(database, clock());
  const origin = originAt(server.port);
  const writes = writeLimits(accountStorageBytes, new DiskRoom(readDiskSpace, clock));
  const operated = { database, clock, passwords, origin, openObjects, seal, config };
  opened.defer(await takeAdminCommands(config, { ...operated, limits: writes }, log));
  opened.defer(() => scheduledBackups?.stop());
  scheduledBackups?.start();
  if (config.databaseUrl === null) await keepStartRoom(startRoom);
  log.info("listening", { host: server.hostname, port: server.port });

  const broken = database.stopped.then(({ error, code }) => {
    log.error("engine_stopped", { error, code });
  });
  const running = opened.move();
  const stop = () => {
    // Readiness must fail before anything is awaited.
    server.drain();
    return running.disposeAsync();
  };
  return { server, origin, setupToken, broken, stop };
}

/**
 * Accepts operator commands, because no other process can open the built-in database. If this fails, the
 * service runs without them.
 *
 * @returns a function that stops it.
 */
async function takeAdminCommands(
  { databaseUrl, dataDir }: Config,
  services: AdminServices,
  log: Log,
): Promise<() => Promise<void>> {
  if (databaseUrl !== null) return () => Promise.resolve();
  try {
    const path = adminSocketPath(dataDir);
    const socket = await serveAdminSocket(
      path,
      (asked, report) => runAdminCommand(services, asked, report),
      log,
    );
    return () => socket.stop();
  } catch (error) {
    log.warn("admin_socket_unavailable", errorFields(error));
    return () => Promise.resolve();
  }
}

function evaluationSettings({ evaluation }: Config): EvaluationSettings | null {
  const { workerEnabled, endpoint, readySeconds } = evaluation;
  if (!workerEnabled) return null;
  const provider = endpoint === null ? localSummary : createHttpProvider(endpoint);
  return { provider, readySeconds, timer: systemTimer };
}

function createScheduler(
  { scheduledBackups, dataDir }: Config,
  services: SchedulerServices,
): BackupScheduler | null {
  if (scheduledBackups === null) return null;
  const { everyHours, keep } = scheduledBackups;
  const { recipient: text } = scheduledBackups;
  const recipient = text === null ? null : parseRecipient(text);
  return new BackupScheduler({ dataDir, everyHours, keep, recipient }, services);
}

async function makeOwner(
  { owner }: Config,
  database: Database,
  passwords: PasswordHasher,
): Promise<void> {
  if (owner === null) return;
  const hash = () => passwords.hash(owner.password.reveal(), "known");
  await ensureOwner(database, { email: owner.email, hash }, systemClock());
}
