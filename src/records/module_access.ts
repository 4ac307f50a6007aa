import type { Identity } from "../access/identity.ts";
import type { Permission } from "../access/permissions.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule, Feature } from "../catalog/module.ts";
import type { DedicatedEndpointCode } from "../errors/codes.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { isUlid } from "../core/ids.ts";

/** The record that a path names, inside its module. */
export interface RecordPath {
  readonly module: CatalogModule;
  readonly recordId: string;
}

/** The writes of the Record Kernel, which a module of a dedicated family refuses. */
export type GenericWrite = "record.create" | "record.modify" | "record.archive" | "record.restore";

/** The code that refuses a generic creation in a module of a dedicated family. */
export const CREATE_CODES: Readonly<Record<string, DedicatedEndpointCode>> = {
  relationship: "RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED",
  identity: "IDENTITY_DEDICATED_ENDPOINT_REQUIRED",
  resource: "RESOURCE_DEDICATED_ENDPOINT_REQUIRED",
  decision: "DECISION_DEDICATED_ENDPOINT_REQUIRED",
  memory: "MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED",
  taxonomy: "TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED",
};
/** The same for changes. */
export const CHANGE_CODES: Readonly<Record<string, DedicatedEndpointCode>> = {
  ...CREATE_CODES,
  memory: "MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED",
};

/** The code that refuses the generic execution of a feature with dedicated routes. */
const FEATURE_CODES: Readonly<Record<string, DedicatedEndpointCode>> = {
  "MEM-001": "MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-002": "MEMORY_SLICE_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-003": "MEMORY_DRAFT_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-004": "MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-005": "MEMORY_AI_DRAFT_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-006": "MEMORY_TIME_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-007": "MEMORY_PRIVACY_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-008": "MEMORY_EXPORT_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-001": "TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-002": "TAXONOMY_CATEGORY_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-003": "TAXONOMY_ALIAS_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-004": "TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-005": "TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-006": "TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-007": "TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-008": "TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED",
};
/** Every code that can refuse the generic execution of a feature. */
export const ALL_FEATURE_CODES: readonly DedicatedEndpointCode[] = [
  ...Object.values(CHANGE_CODES),
  ...Object.values(FEATURE_CODES),
];
const IDENTITY_PREFIX = "IDN-";

/** The permission that a generic read of a dedicated module needs besides `record.read`. */
const FAMILY_READ: Readonly<Record<string, Permission>> = {
  relationship: "relationship.person.read",
  decision: "decision.read",
  resource: "resource.read",
  memory: "memory.read",
  taxonomy: "taxonomy.read",
};

/** @throws ServiceError `RECORD_MODULE_NOT_FOUND` for a code outside the catalog. */
export function requireModule(catalog: Catalog, code: string | undefined): CatalogModule {
  const module = catalog.module(code ?? "");
  if (module === undefined) throw new ServiceError("RECORD_MODULE_NOT_FOUND");
  return module;
}

/** @throws ServiceError as `requireModule`, or `FORBIDDEN` without the family's own read permission. */
export function requireReadable(
  catalog: Catalog,
  code: string | undefined,
  identity: Identity,
): CatalogModule {
  const module = requireModule(catalog, code);
  const needed = module.entry === "DEDICATED" ? FAMILY_READ[module.code] : undefined;
  if (needed !== undefined && !identity.permissions.has(needed)) {
    throw new ServiceError("FORBIDDEN");
  }
  return module;
}

/** @throws ServiceError as `requireModule`, or the dedicated family's own code. */
export function requireGenericWrite(
  catalog: Catalog,
  code: string | undefined,
  operation: GenericWrite,
): CatalogModule {
  const module = requireModule(catalog, code);
  refuseDedicated(module, operation);
  return module;
}

function refuseDedicated(module: CatalogModule, operation: GenericWrite | "record.feature"): void {
  if (module.entry === "GENERIC") return;
  const codes = operation === "record.create" ? CREATE_CODES : CHANGE_CODES;
  const dedicated = codes[module.code];
  if (dedicated === undefined) throw new Error("A dedicated module has no code of its own");
  throw new ServiceError(dedicated, { details: { moduleCode: module.code, operation } });
}

/**
 * Checks a feature: exists, belongs, has no dedicated route, is implemented, belongs to a module with
 * generic writes; in this order, before any record is read or anything is written (specification,
 * Feature route gating).
 *
 * @throws ServiceError `RECORD_MODULE_NOT_FOUND`, `FEATURE_NOT_FOUND`, `FEATURE_MODULE_MISMATCH`, a
 * dedicated family's code, or `FEATURE_NOT_IMPLEMENTED`.
 */
export function requireFeature(
  catalog: Catalog,
  code: string | undefined,
  featureId: string | undefined,
): { readonly module: CatalogModule; readonly feature: Feature } {
  const module = requireModule(catalog, code);
  const found = catalog.feature(featureId ?? "");
  if (found === undefined) throw new ServiceError("FEATURE_NOT_FOUND");
  const { feature } = found;
  const details = { moduleCode: module.code, featureId: feature.id };
  if (found.module.code !== module.code) {
    throw new ServiceError("FEATURE_MODULE_MISMATCH", { details });
  }
  const dedicated = dedicatedFeatureCode(module, feature);
  if (dedicated !== undefined) throw new ServiceError(dedicated, { details });
  if (feature.status === "partial") throw featureNotImplemented(module, feature);
  refuseDedicated(module, "record.feature");
  return { module, feature };
}

/** The 501 of a feature whose domain loop is incomplete, or whose strategy nothing executes. */
export function featureNotImplemented(module: CatalogModule, feature: Feature): ServiceError {
  return new ServiceError("FEATURE_NOT_IMPLEMENTED", {
    details: { moduleCode: module.code, featureId: feature.id },
  });
}

function dedicatedFeatureCode(
  module: CatalogModule,
  feature: Feature,
): DedicatedEndpointCode | undefined {
  if (module.entry !== "DEDICATED") return undefined;
  return feature.id.startsWith(IDENTITY_PREFIX)
    ? "IDENTITY_DEDICATED_ENDPOINT_REQUIRED"
    : FEATURE_CODES[feature.id];
}

/** @throws ServiceError `PAYLOAD_INVALID` unless the path's record id is a canonical ULID. */
export function readRecordId(recordId: string | undefined): string {
  if (recordId === undefined || !isUlid(recordId)) throw payloadInvalid(["record_id.format"]);
  return recordId;
}

/**
 * Checks that a row, which was found by owner and id, belongs to the module of the path.
 *
 * @throws ServiceError `RECORD_NOT_FOUND` when there is no row, or it is another module's; Error
 * (`INTERNAL_ERROR`) when its module has drifted out of the catalog.
 */
export function withinModule<Row extends { readonly module_code: string }>(
  catalog: Catalog,
  module: CatalogModule,
  row: Row | null | undefined,
): Row {
  if (row === null || row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
  if (row.module_code === module.code) return row;
  if (catalog.module(row.module_code) === undefined) {
    throw new Error("A stored record's module is not in the catalog");
  }
  throw new ServiceError("RECORD_NOT_FOUND");
}
