import type { Endpoint } from "../http/route.ts";
import { type AccountExportServices, createAccountExportEndpoints } from "./export_routes.ts";
import { type AccountImportServices, createAccountImportEndpoint } from "./import_routes.ts";

type PortabilityServices = AccountExportServices & AccountImportServices;

export interface PortabilityEndpoints {
  readonly createExport: Endpoint;
  readonly export: Endpoint;
  readonly exportContent: Endpoint;
  readonly importAccount: Endpoint;
}

export function createPortabilityEndpoints(services: PortabilityServices): PortabilityEndpoints {
  return {
    ...createAccountExportEndpoints(services),
    importAccount: createAccountImportEndpoint(services),
  };
}
