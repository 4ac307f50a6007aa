import type { Endpoint } from "../http/route.ts";
import { createExportEndpoints, type ExportServices } from "./export_routes.ts";
import { createImportEndpoint, type ImportServices } from "./import_routes.ts";

export type PortabilityServices = ExportServices & ImportServices;

export interface PortabilityEndpoints {
  readonly createExport: Endpoint;
  readonly export: Endpoint;
  readonly exportContent: Endpoint;
  readonly importAccount: Endpoint;
}

export function createPortabilityEndpoints(services: PortabilityServices): PortabilityEndpoints {
  return { ...createExportEndpoints(services), importAccount: createImportEndpoint(services) };
}
