/** Starts and stops a serving process. */

import { loadRoleMatrix } from "./access/authorization.ts";
import { checkServerSecret, readServerSecret } from "./access/server_secret.ts";
import { storedStepUp } from "./access/step_up.ts";
import { PasswordHasher } from "./accounts/password_hasher.ts";
import { storeHostOfEarlierPasskeys } from "./accounts/passkeys/passkey_host.ts";
import { ensureOwner, issueSetupToken } from "./accounts/setup_routes.ts";
import { adminSocketPath } from "./operator/admin/execute.ts";
import { runAdminCommand } from "./operator/admin/run.ts";
import type { AdminServices } from "./operator/admin/runner.ts";
import { serveAdminSocket } from "./operator/admin/socket.ts";
import { parseRecipients } from "./operator/backup/age/keys.ts";
import { type App, type AppServices, createApp, type EvaluationSettings } from "./app.ts";
import { startUploadRemoval } from "./attachments/abandoned_uploads.ts";
import { openObjectStore } from "./attachments/object_store.ts";
import { startSealing } from "./audit/sealing.ts";
import { BackupScheduler, type SchedulerServices } from "./operator/backup/scheduler.ts";
import { checkConnectionLimit } from "./database/connection_limit.ts";
import { hasEmbedded } from "./database/embedded.ts";
import { RELEASE } from "./database/release.ts";
import { reconcileErasures } from "./operator/erasure/erasure_list.ts";
import { assertFinished } from "./operator/erasure/folder.ts";
import { CATALOG } from "./catalog/catalog.ts";
import { startRetention } from "./command/retention.ts";
import { DiskRoom, writeLimits } from "./command/write_limits.ts";
import { checkNewOwner, type Config } from "./operator/config/config.ts";
import { type Clock, systemClock } from "./core/clock.ts";
import { diskSpaceOf } from "./core/disk_space.ts";
import { createLog, errorFields, type Log } from "./core/log.ts";
import { systemTimer } from "./core/timer.ts";
import type { Database } from "./database/database.ts";
import { SimulationQueue } from "./families/decision/simulation_queue.ts";
import { createHttpProvider } from "./families/relationship/evaluation/http_provider.ts";
import { localSummary } from "./families/relationship/evaluation/local_summary.ts";
import { serve, type Server } from "./http/server.ts";
import { openPresentDatabase } from "./operator/open_database.ts";
import { chooseZoneData } from "./operator/config/zone_data.ts";
import {
  explainFullDisk,
  makeStartRoom,
  reserveStartRoom,
  type StartRoom,
} from "./operator/start_room.ts";
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
 * @throws EmbeddedDatabaseError, DatabaseServerError, ConfigError,
 *   AuthorizationIdentifierConflictError, MigrationError, ServerSecretError; OperatorError for zone
 *   data and for an unfinished erasure; BackupError for rows of erased subjects. Everything opened
 *   is closed.
 */
export async function startService(
  config: Config,
  passwords: PasswordHasher = new PasswordHasher(),
): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  const log = createLog(config.logLevel);
  log.info("starting", RELEASE);
  chooseZoneData(config.zoneinfo, log);
  const clock = systemClock;
  await assertFinished(config.dataDir);
  const disk = { dataDir: config.dataDir, readDiskSpace: diskSpaceOf(config.dataDir), log };
  const newOwner = await prepareOwner(config, passwords);
  const database = opened.adopt(await openDatabase(config, disk), (opening) => opening.close());
  const serverSecret = await prepareInstallation(config, database, newOwner);
  const openObjects = () =>
    openObjectStore(`${config.dataDir}/objects`, database, config.attachments);
  const objects = opened.adopt(await openObjects(), (store) => store.close());
  // Stops after the server, so that its last writes are sealed too.
  const { seal } = opened.adopt(startSealing(database, clock, log), (it) => it.stop());
  const shared = { database, clock, log, passwords, openObjects, seal };
  const files = { objects, ...await openFolders(config, clock, opened) };
  startUpkeep(config, shared, opened);
  const scheduledBackups = createScheduler(config, shared);
  const { readDiskSpace } = disk;
  const roles = await loadRoleMatrix(database);
  const stored = { ...files, roles, serverSecret, readDiskSpace };
  const parts = { ...appSettings(config), ...shared, ...stored, scheduledBackups };
  const originAt = (port: number) => config.publicOrigin ?? `http://localhost:${port}`;
  const appAt = (port: number) => startApp({ ...parts, publicOrigin: originAt(port) });
  const server = opened.adopt(serve(config, appAt, log), (serving) => serving.stop());
  // Issued after a successful start, because it invalidates the link of an earlier start.
  const setupToken = await issueSetupToken(database, clock());
  const origin = originAt(server.port);
  const limits = writeLimits(config.accountStorageBytes, new DiskRoom(readDiskSpace, clock));
  opened.defer(await acceptAdminCommands({ ...shared, config, origin, limits }, config, log));
  opened.defer(() => scheduledBackups?.stop());
  scheduledBackups?.start();
  if (config.databaseUrl === null) await reserveStartRoom(disk);
  log.info("listening", { host: server.hostname, port: server.port });
  return { server, origin, setupToken, ...running(database, server, log, opened.move()) };
}

/** Opens the database, on a full disk after freeing some room. */
async function openDatabase(config: Config, disk: StartRoom): Promise<Database> {
  await makeStartRoom(disk);
  return await openPresentDatabase(config, disk.log).catch((error) => {
    throw config.databaseUrl === null ? explainFullDisk(error, disk) : error;
  });
}

/** The owner to create, and the hash of her password, which is made when it is needed. */
interface NewOwner {
  readonly email: string;
  readonly hash: () => Promise<string>;
}

/**
 * Most starts have an owner, so her password is neither checked nor hashed. At the first start of
 * the built-in engine it is hashed now, so that its 128 MB are free before the engine is opened.
 *
 * @throws ConfigError, also from `hash`, if the password is easy to guess.
 */
async function prepareOwner(
  { owner, databaseUrl, dataDir }: Config,
  passwords: PasswordHasher,
): Promise<NewOwner | null> {
  if (owner === null) return null;
  const { email, password } = owner;
  const hash = async () => {
    checkNewOwner(owner);
    return await passwords.hash(password.reveal(), "known");
  };
  if (databaseUrl !== null || await hasEmbedded(dataDir)) return { email, hash };
  const made = await hash();
  return { email, hash: () => Promise.resolve(made) };
}

/**
 * Checks the installation, stores the host name of its passkeys, and creates the owner of the
 * settings.
 *
 * @returns the server secret.
 */
async function prepareInstallation(
  config: Config,
  database: Database,
  newOwner: NewOwner | null,
): Promise<Uint8Array> {
  if (config.databaseUrl !== null) await checkConnectionLimit(database, config.databasePoolSize);
  const serverSecret = new TextEncoder().encode(await readServerSecret(config, database));
  await checkServerSecret(database, serverSecret);
  await reconcileErasures(database, config.dataDir);
  await storeHostOfEarlierPasskeys(database, config.publicOrigin);
  if (newOwner !== null) await ensureOwner(database, newOwner, systemClock());
  return serverSecret;
}

/** Opens the folders of imports and exports. */
async function openFolders(
  { dataDir, importMaximumBytes: maximumBytes }: Config,
  clock: Clock,
  opened: AsyncDisposableStack,
): Promise<Pick<AppServices, "imports" | "spool">> {
  const folder = await ImportFolder.open(`${dataDir}/imports`);
  const openSpool = () => SpoolFolder.open(`${dataDir}/spool`, clock);
  const spool = opened.adopt(await openSpool(), (it) => it.close());
  return { spool, imports: { folder, maximumBytes, maximumItems: MAX_ITEMS, timer: systemTimer } };
}

/** Starts the removal of old envelopes and abandoned uploads, and the build of the search index. */
function startUpkeep(
  { idempotencyRetentionDays: days }: Config,
  { database, clock, log }: Pick<AppServices, "database" | "clock" | "log">,
  opened: AsyncDisposableStack,
): void {
  if (days !== null) opened.defer(startRetention(database, days, clock, log));
  opened.defer(startUploadRemoval(database, clock, log));
  opened.defer(startIndexBuild({ database, catalog: CATALOG }, log));
}

function startApp(services: AppServices): App {
  const app = createApp(services);
  app.resumeImports();
  return app;
}

/** Services of the application that depend on the settings only. */
function appSettings(config: Config) {
  const { trustedProxies, limits, sessions, metricsToken, corsOrigins, allowedHosts } = config;
  const { console, assistants, passkeys, accountStorageBytes, accountSpoolBytes } = config;
  const credentials = { sessions, metricsToken, assistants, passkeys, stepUp: storedStepUp };
  const requests = { trustedProxies, limits, corsOrigins, allowedHosts, console };
  const contents = { catalog: CATALOG, accountStorageBytes, accountSpoolBytes };
  const simulations = new SimulationQueue();
  const evaluation = evaluationSettings(config);
  return { ...credentials, ...requests, ...contents, executors: {}, simulations, evaluation };
}

function running(
  database: Database,
  server: Server,
  log: Log,
  opened: AsyncDisposableStack,
): Pick<Service, "broken" | "stop"> {
  const broken = database.stopped.then(({ error, code }) => {
    log.error("engine_stopped", { error, code });
  });
  const stop = () => {
    // Readiness must fail before anything is awaited.
    server.drain();
    return opened.disposeAsync();
  };
  return { broken, stop };
}

/**
 * Accepts operator commands, because no other process can open the built-in database. If this
 * fails, the service runs without them.
 *
 * @returns a function that stops it.
 */
async function acceptAdminCommands(
  services: AdminServices,
  { databaseUrl, dataDir }: Config,
  log: Log,
): Promise<() => Promise<void>> {
  if (databaseUrl !== null) return () => Promise.resolve();
  try {
    const path = adminSocketPath(dataDir);
    const socket = await serveAdminSocket(
      path,
      (requested, report) => runAdminCommand(services, requested, report),
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
  const { everyHours, keep, recipient: text } = scheduledBackups;
  const recipient = text === null ? null : parseRecipients(text);
  return new BackupScheduler({ dataDir, everyHours, keep, recipient }, services);
}
