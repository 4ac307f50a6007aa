import type { Endpoint } from "../http/route.ts";
import { createExportEndpoints, type ExportServices } from "./export_routes.ts";
import { createImportEndpoint, type ImportServices } from "./import_routes.ts";

/** The dependencies of the routes for an account's export and import. */
export type PortabilityServices = ExportServices & ImportServices;

/** One endpoint for each route. */
export interface PortabilityEndpoints {
  readonly createExport: Endpoint;
  readonly export: Endpoint;
  readonly exportContent: Endpoint;
  readonly importAccount: Endpoint;
}

/** The endpoints of `/api/v2/account`. */
export function createPortabilityEndpoints(services: PortabilityServices): PortabilityEndpoints {
  return { ...createExportEndpoints(services), importAccount: createImportEndpoint(services) };
}
