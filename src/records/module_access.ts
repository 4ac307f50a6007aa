import type { Identity } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule, Feature } from "../catalog/module.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { isUlid } from "../core/ids.ts";

/** The record that a path names, inside its module. */
export interface RecordPath {
  readonly module: CatalogModule;
  readonly recordId: string;
}

/** The writes of the Record Kernel, which a module of a dedicated family refuses. */
export type GenericWrite = "record.create" | "record.modify" | "record.archive" | "record.restore";

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
  const needed = module.entry === "GENERIC" ? null : module.entry.readPermission;
  if (needed !== null && !identity.permissions.has(needed)) throw new ServiceError("FORBIDDEN");
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
  const { entry } = module;
  if (entry === "GENERIC") return;
  const code = operation === "record.create" ? entry.createCode : entry.changeCode;
  throw new ServiceError(code, { details: { moduleCode: module.code, operation } });
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
  if (feature.dedicatedCode !== null) throw new ServiceError(feature.dedicatedCode, { details });
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
