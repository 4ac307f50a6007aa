import { createAssistantAuthenticator } from "./access/assistant_authenticator.ts";
import { createEventContextReader } from "./access/event_context.ts";
import type { RoleMatrix } from "./access/permissions.ts";
import { createSessionAuthenticator } from "./access/sessions.ts";
import type { StepUp } from "./access/step_up.ts";
import { createTokenAuthenticator } from "./access/tokens.ts";
import { createAccountEndpoints } from "./accounts/account_routes.ts";
import { createSignInCeremonies } from "./accounts/passkeys/sign_in_ceremony.ts";
import type { PasswordHasher } from "./accounts/password_hasher.ts";
import { createSecretCipher } from "./accounts/secret_cipher.ts";
import { SecretReads } from "./accounts/secret_reads.ts";
import { createThrottle } from "./accounts/throttle.ts";
import { createAttachmentEndpoints } from "./attachments/attachment_routes.ts";
import type { ObjectStore } from "./attachments/object_store.ts";
import { createPlaceBytesReader } from "./attachments/place_bytes.ts";
import { attachmentReferences, createSmallFileReader } from "./attachments/port.ts";
import { createStorageEndpoint } from "./attachments/storage_routes.ts";
import { createAssistantsEndpoints } from "./assistants/endpoints.ts";
import { createAuditEndpoints } from "./audit/audit_routes.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { createCatalogEndpoint } from "./catalog/describe.ts";
import { createChangesEndpoint } from "./records/feed/feed_routes.ts";
import { CommandRunner } from "./command/runner.ts";
import { DiskRoom, writeLimits } from "./command/write_limits.ts";
import { type ConsolePages, createConsolePages } from "./console/assets.ts";
import { createPageRoutes } from "./console/page_routes.ts";
import { createShareRoute } from "./console/share.ts";
import type { Config } from "./operator/config/config.ts";
import type { Clock } from "./core/clock.ts";
import type { ReadDiskSpace } from "./core/disk_space.ts";
import { runFor } from "./core/holder.ts";
import type { Log } from "./core/log.ts";
import { bodiesOfAccount } from "./core/shares.ts";
import { SpoolShares } from "./core/spool_shares.ts";
import type { Timer } from "./core/timer.ts";
import type { Database } from "./database/database.ts";
import { findsErased } from "./erasure/erased_store.ts";
import { AccountPlaces } from "./http/account_places.ts";
import { CrossOrigin } from "./http/cross_origin.ts";
import { createFingerprinter } from "./http/fingerprint.ts";
import { createHostTest } from "./http/host.ts";
import { InFlightRequests } from "./http/in_flight_requests.ts";
import { KnownAddresses } from "./http/known_addresses.ts";
import { KnownCallers } from "./http/known_identities.ts";
import { createPipeline, type PipelineServices } from "./http/pipeline.ts";
import { createRateLimits } from "./http/rate_limit.ts";
import type { Route } from "./http/route.ts";
import { createDueEndpoints } from "./due/endpoints.ts";
import { createDecisionEndpoints } from "./families/decision/decision_routes.ts";
import type { SimulationQueue } from "./families/decision/simulation_queue.ts";
import { storedProposals } from "./families/relationship/evaluation/proposal_queue.ts";
import type { EvaluationProvider } from "./families/relationship/evaluation/provider.ts";
import { EvaluationWorker } from "./families/relationship/evaluation/worker.ts";
import { createIdentityEndpoints } from "./families/identity/identity_routes.ts";
import { countProfiles, findIdentityIds } from "./families/identity/port.ts";
import { createLegacyEndpoints } from "./v1/v1_routes.ts";
import { createMemoryEndpoints } from "./families/memory/memory_routes.ts";
import type { ImportFolder } from "./imports/folder.ts";
import { createImportEndpoints } from "./imports/import_routes.ts";
import { createTargets } from "./imports/targets.ts";
import { findUids } from "./imports/uid_store.ts";
import { createInsightEndpoints } from "./insight/endpoints.ts";
import { ImportWorker } from "./imports/worker.ts";
import { createDocument } from "./openapi/document.ts";
import { createDocumentEndpoint } from "./openapi/openapi_routes.ts";
import type { ScheduledBackups } from "./operator/backup/schedule/backup_status.ts";
import { createOperationsEndpoints } from "./operator/metrics/operations_routes.ts";
import { Metrics } from "./operator/metrics/metrics.ts";
import { createPortabilityEndpoints } from "./portability/portability_routes.ts";
import type { SpoolFolder } from "./portability/spool.ts";
import type { Executors } from "./records/feature_routes.ts";
import { createRecordEndpoints } from "./records/record_routes.ts";
import { createRelationshipEndpoints } from "./families/relationship/relationship_routes.ts";
import { createResourceEndpoints } from "./families/resource/resource_routes.ts";
import { createRoutes } from "./routes.ts";
import { createSearchEndpoint } from "./search/search_routes.ts";
import { createTaxonomyEndpoints } from "./families/taxonomy/taxonomy_routes.ts";

/** Everything that the application depends on; nothing is global. */
export interface AppServices {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly spool: SpoolFolder;
  /** The files of imports that wait or run. */
  readonly imports: ImportSettings;
  readonly catalog: Catalog;
  /** Executes `implemented_local` features of the generic route; empty in production. */
  readonly executors: Executors;
  readonly serverSecret: Uint8Array;
  readonly publicOrigin: string;
  /** The number of proxies, each of which adds to `X-Forwarded-For`. */
  readonly trustedProxies: number;
  readonly clock: Clock;
  readonly roles: RoleMatrix;
  readonly passwords: PasswordHasher;
  readonly simulations: SimulationQueue;
  /** If null, everything that requires a proof is refused. */
  readonly stepUp: StepUp | null;
  /** Settings of the worker; null if none runs. */
  readonly evaluation: EvaluationSettings | null;
  readonly log: Log;
  readonly limits: Config["limits"];
  readonly accountStorageBytes: Config["accountStorageBytes"];
  readonly accountSpoolBytes: Config["accountSpoolBytes"];
  /** Reads the file system of `DATA_DIR`. */
  readonly readDiskSpace: ReadDiskSpace;
  readonly sessions: Config["sessions"];
  readonly metricsToken: Config["metricsToken"];
  readonly scheduledBackups: ScheduledBackups | null;
  readonly console: Config["console"];
  /** The limits of assistants; null or absent without assistants. */
  readonly assistants?: Config["assistants"];
  /** Absent if passkeys are made and used under the public origin alone. */
  readonly passkeys?: Config["passkeys"];
  readonly corsOrigins: Config["corsOrigins"];
  readonly allowedHosts: Config["allowedHosts"];
}

/** Folder and limits of imports of items. */
interface ImportSettings {
  readonly folder: ImportFolder;
  /** Maximum bytes of a file. */
  readonly maximumBytes: number;
  /** Maximum items of a file. */
  readonly maximumItems: number;
  /** Calls a function later; injected, so that tests need not wait. */
  readonly timer: Timer;
}

export interface EvaluationSettings {
  readonly provider: EvaluationProvider;
  /** How long a ready proposal can be confirmed. */
  readonly readySeconds: number;
  readonly timer: Timer;
}

export interface App {
  readonly routes: readonly Route[];
  /** @param peer The connection's address, if any. */
  fetch(request: Request, peer?: string): Promise<Response>;
  /** Rejects new requests and stops the workers; resolves when nothing is running. */
  drain(): Promise<void>;
  /** Resumes imports of another process, or of the last start. */
  resumeImports(): void;
  listenerFailed(): void;
}

/** Builds the application: shared parts, workers, routes, and the path of a request. */
export function createApp(services: AppServices): App {
  const parts = createParts(services);
  const evaluationWorker = createEvaluationWorker(parts);
  const imports = toImportServices(parts);
  const importWorker = new ImportWorker(imports);
  const assistants = createAssistants(parts);
  const routes = createRoutes({
    ...createAccessEndpoints(parts),
    ...createKernelEndpoints(parts),
    ...createFamilyEndpoints(parts, evaluationWorker),
    assistants,
    imports: createImportEndpoints({
      ...imports,
      maximumBytes: services.imports.maximumBytes,
      worker: importWorker,
    }),
    operations: createOperationsEndpoints({
      ...parts,
      readLost: () => parts.objects.readLost(),
      readPlaceBytes: createPlaceBytesReader(parts.database, parts.clock),
    }),
    // Built at the first request, because it takes a sixth of the start-up time.
    openapi: createDocumentEndpoint(() => createDocument(routes, parts.catalog, parts.origin)),
  });
  const hasAssistants = (parts.assistants ?? null) !== null;
  const pages = services.console ? createConsolePages(parts.origin, hasAssistants) : null;
  const pageRoutes = pages === null
    ? []
    : [...createPageRoutes(pages, hasAssistants), createShareRoute(pages.shared)];
  return {
    routes,
    fetch: createPipeline([...routes, ...pageRoutes], toPipelineServices(parts, pages)),
    drain: async () => {
      const { inFlight } = parts;
      await Promise.all([inFlight.drain(), evaluationWorker?.stop(), importWorker.stop()]);
      await assistants?.stop();
    },
    resumeImports: () => void importWorker.resume(),
    listenerFailed: () => parts.metrics.listenerFailed(),
  };
}

/** The services, and the parts that endpoints share. Each endpoint's type names those it uses. */
type Parts = ReturnType<typeof createParts>;

function createParts(services: AppServices) {
  const { database, clock, serverSecret, spool, imports: { folder } } = services;
  const metrics = new Metrics();
  const room = new DiskRoom(services.readDiskSpace, clock);
  const writes = writeLimits(services.accountStorageBytes, room);
  return {
    ...services,
    origin: services.publicOrigin,
    metrics,
    room,
    writes,
    commands: new CommandRunner(database, writes, metrics),
    attachments: attachmentReferences,
    typedIds: { identity: findIdentityIds },
    typedCounts: { identity: countProfiles },
    eventContextOf: createEventContextReader(serverSecret),
    inFlight: new InFlightRequests(services.limits.inFlight),
    spools: new SpoolShares(
      services.accountSpoolBytes,
      [(owner) => folder.bytesOf(owner), (owner) => spool.bytesOf(owner)],
      (bytes) => room.assertRoomFor(bytes),
    ),
  };
}

/** The worker is started now, because proposals may be waiting from before. */
function createEvaluationWorker(parts: Parts): EvaluationWorker | null {
  if (parts.evaluation === null) return null;
  const { provider, readySeconds, timer } = parts.evaluation;
  const proposals = storedProposals(parts, readySeconds);
  const metrics = parts.metrics.evaluations;
  const worker = new EvaluationWorker({ ...parts, proposals, provider, timer, metrics });
  worker.wake();
  return worker;
}

function toImportServices(parts: Parts) {
  const { folder, maximumItems, timer } = parts.imports;
  const targets = createTargets(parts.catalog);
  return { ...parts, folder, maximumItems, timer, targets };
}

function createAssistants(parts: Parts) {
  return createAssistantsEndpoints(parts.assistants ?? null, {
    ...parts,
    inFlight: parts.limits.inFlight,
    timer: parts.imports.timer,
    hasSignIn: mayAssistantsSignIn(parts),
  });
}

/** The sign-in of assistants has a page of the console. */
function mayAssistantsSignIn({ assistants = null, console }: AppServices): boolean {
  return assistants !== null && console;
}

function createAccessEndpoints(parts: Parts) {
  const { database, serverSecret, limits } = parts;
  return {
    accounts: createAccountEndpoints({
      ...parts,
      throttle: createThrottle(database, serverSecret),
      limitsProofs: limits.perCredential > 0,
      secrets: createSecretCipher(serverSecret),
      passkeySignIns: createSignInCeremonies(serverSecret),
    }),
    audit: createAuditEndpoints(parts),
  };
}

function createKernelEndpoints(parts: Parts) {
  const { database, catalog, accountStorageBytes: accountBytes } = parts;
  return {
    catalog: createCatalogEndpoint(catalog),
    records: createRecordEndpoints(parts, parts.executors),
    attachments: createAttachmentEndpoints(parts),
    storage: createStorageEndpoint({ database, accountBytes }),
    changes: createChangesEndpoint(parts),
    search: createSearchEndpoint(parts),
    due: createDueEndpoints(parts),
    insight: createInsightEndpoints(parts),
    portability: createPortabilityEndpoints(parts),
    legacy: createLegacyEndpoints(parts),
  };
}

function createFamilyEndpoints(parts: Parts, evaluationWorker: EvaluationWorker | null) {
  return {
    identity: createIdentityEndpoints(parts),
    decision: createDecisionEndpoints(parts),
    resource: createResourceEndpoints(parts),
    memory: createMemoryEndpoints(parts),
    relationship: createRelationshipEndpoints({
      ...parts,
      readSmallFile: createSmallFileReader(parts.database, parts.objects),
      findUids,
      // The worker serves all accounts, so it runs without a holder.
      proposalRequested: () => runFor(null, () => evaluationWorker?.wake()),
    }),
    taxonomy: createTaxonomyEndpoints(parts),
  };
}

function toPipelineServices(parts: Parts, pages: ConsolePages | null): PipelineServices {
  const { database, roles, origin, limits, clock, log, trustedProxies, inFlight } = parts;
  const secretReads = new SecretReads(database, parts.eventContextOf);
  return {
    authenticators: {
      session: createSessionAuthenticator(database, roles, parts.sessions),
      token: createTokenAuthenticator(database, roles),
      assistant: createAssistantAuthenticator(database, roles),
    },
    clock,
    log,
    origin,
    trustedProxies,
    inFlight,
    fingerprint: createFingerprinter(parts.serverSecret),
    bodies: new AccountPlaces(bodiesOfAccount(limits.inFlight)),
    knownAddresses: new KnownAddresses(),
    knownIdentities: new KnownCallers(),
    limits: createRateLimits(limits.perCredential, limits.perAddress),
    crossOrigin: new CrossOrigin(parts.corsOrigins, (parts.assistants ?? null) !== null),
    isServedHost: createHostTest(origin, parts.allowedHosts),
    signInOrigin: mayAssistantsSignIn(parts) ? origin : null,
    meter: parts.metrics,
    ...(pages !== null && { missingPage: pages.missing }),
    findErased: findsErased(database),
    noteDisclosure: (disclosure, call) => secretReads.note(disclosure, call),
  };
}
