import { createAccessEndpoints } from "./access/handlers.ts";
import { createAttachmentEndpoints } from "./attachments/handlers.ts";
import type { ObjectStore } from "./attachments/object_store.ts";
import { attachmentReferences } from "./attachments/port.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { createCatalogEndpoint } from "./catalog/describe.ts";
import { CommandRunner } from "./command/command.ts";
import type { Clock } from "./core/clock.ts";
import type { Log } from "./core/log.ts";
import type { Database } from "./database/database.ts";
import { createFingerprinter } from "./http/fingerprint.ts";
import { createPipeline } from "./http/pipeline.ts";
import type { Route } from "./http/route.ts";
import { createFeatureEndpoint, type Executors } from "./records/features.ts";
import { createWriteEndpoints } from "./records/handlers.ts";
import { createReadEndpoints } from "./records/read_handlers.ts";
import { createRoutes } from "./routes.ts";

/** Everything that the application stands on. All of it is given; nothing is global. */
export interface AppServices {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly catalog: Catalog;
  /** What executes `implemented_local` features of the generic route; none in production. */
  readonly executors: Executors;
  readonly serverSecret: Uint8Array;
  readonly publicOrigin: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The application: one Request in, one Response out. */
export interface App {
  readonly routes: readonly Route[];
  fetch(request: Request): Promise<Response>;
}

/** Puts the application together. */
export function createApp(services: AppServices): App {
  const { database, catalog, objects, clock, log, publicOrigin: origin } = services;
  const commands = new CommandRunner(database);
  const records = { database, catalog, commands, attachments: attachmentReferences };
  const routes = createRoutes({
    access: createAccessEndpoints({ database, clock, origin }),
    catalog: createCatalogEndpoint(catalog),
    writes: createWriteEndpoints(records),
    reads: createReadEndpoints(records),
    feature: createFeatureEndpoint(records, services.executors),
    attachments: createAttachmentEndpoints({ database, commands, objects }),
  });
  const fingerprint = createFingerprinter(services.serverSecret);
  return { routes, fetch: createPipeline(routes, { database, clock, log, origin, fingerprint }) };
}
