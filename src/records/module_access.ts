import { type Caller, reachesModule } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule, DedicatedAccess, Feature } from "../catalog/module.ts";
import { type Command, commandOf } from "../command/command.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { ServiceError } from "../errors/service_error.ts";
import { readPathId } from "../http/path.ts";
import type { CheckedCall, SignedInCall } from "../http/route.ts";
import { refuseQuery } from "../validate/schema.ts";
import type { TypedIds } from "./typed_ids.ts";

interface RecordPath {
  readonly module: CatalogModule;
  readonly recordId: string;
}

/** A read's scope: the records of one module. */
export interface ReadScope {
  /** @throws ServiceError if the module does not exist, or the caller may not read it. */
  readonly moduleOf: (call: SignedInCall) => CatalogModule;
  /** Error codes of `moduleOf`, except `FORBIDDEN`. */
  readonly errors: readonly ErrorCode[];
  /** Typed resources without a record: reading their id returns a dedicated code. */
  readonly typedIds: TypedIds;
}

export function moduleOfPath(catalog: Catalog, typedIds: TypedIds): ReadScope {
  return {
    moduleOf: ({ params, caller }) => requireReadable(catalog, params.moduleCode, caller),
    errors: ["RECORD_MODULE_NOT_FOUND"],
    typedIds,
  };
}

export function recordErrors({ errors, typedIds }: ReadScope, { modules }: Catalog): ErrorCode[] {
  const typed = modules.flatMap(({ code, access: entry }) =>
    entry === "GENERIC" || typedIds[code] === undefined ? [] : entry.typedCode ?? []
  );
  return [...errors, "RECORD_NOT_FOUND", ...typed];
}

/** The dedicated module's code for a rejected generic write. */
type WriteRefusal = keyof Pick<DedicatedAccess, "createCode" | "changeCode">;

/** @throws ServiceError `RECORD_MODULE_NOT_FOUND` for a code outside the catalog. */
function requireModule(catalog: Catalog, code: string | undefined): CatalogModule {
  const module = catalog.module(code ?? "");
  if (module === undefined) throw new ServiceError("RECORD_MODULE_NOT_FOUND");
  return module;
}

/**
 * @throws ServiceError `FORBIDDEN` for a module of the catalog that the credential does not reach.
 */
export function refuseUnreached(
  catalog: Catalog,
  code: string | undefined,
  caller: Caller,
): void {
  const module = catalog.module(code ?? "");
  if (module !== undefined && !reachesModule(caller, module.code)) {
    throw new ServiceError("FORBIDDEN");
  }
}

/**
 * @throws ServiceError as `requireModule`; `FORBIDDEN` if the credential does not reach the module,
 * or lacks the family's own read permission.
 */
export function requireReadable(
  catalog: Catalog,
  code: string | undefined,
  caller: Caller,
): CatalogModule {
  const module = requireModule(catalog, code);
  refuseUnreached(catalog, code, caller);
  const { access: entry } = module;
  const isReadable = entry === "GENERIC" || caller.permissions.has(entry.readPermission);
  if (!isReadable) throw new ServiceError("FORBIDDEN");
  return module;
}

/**
 * @param operation The write's name, for the error.
 * @throws ServiceError as `requireModule`, or the dedicated family's own code.
 */
export function requireGenericWrite(
  catalog: Catalog,
  code: string | undefined,
  operation: string,
  refusal: WriteRefusal,
): CatalogModule {
  const module = requireModule(catalog, code);
  refuseDedicated(module, operation, refusal);
  return module;
}

function refuseDedicated(module: CatalogModule, operation: string, refusal: WriteRefusal): void {
  const { code: moduleCode, access: entry } = module;
  if (entry === "GENERIC") return;
  throw new ServiceError(entry[refusal], { details: { moduleCode, operation } });
}

/**
 * Error codes of a route whose writes `requireGenericWrite` or the maintenance window may reject.
 */
export function genericWriteErrors({ modules }: Catalog, refusal: WriteRefusal): ErrorCode[] {
  const dedicated = modules.flatMap(({ access: entry }) =>
    entry === "GENERIC" ? [] : entry[refusal]
  );
  return ["RECORD_MODULE_NOT_FOUND", ...dedicated, "SYSTEM_MAINTENANCE"];
}

/** Throws as `refuseUnreached`, `requireGenericWrite` and `readPathId`. */
export function readChangePath(catalog: Catalog, call: SignedInCall): RecordPath {
  const { moduleCode } = call.params;
  refuseUnreached(catalog, moduleCode, call.caller);
  const module = requireGenericWrite(catalog, moduleCode, call.operation, "changeCode");
  refuseQuery(call.query);
  return { module, recordId: readPathId(call, "recordId") };
}

/** Throws as `moduleOf` and `readPathId`. */
export function readRecordPath({ moduleOf }: ReadScope, call: SignedInCall): RecordPath {
  return { module: moduleOf(call), recordId: readPathId(call, "recordId") };
}

/**
 * Checks that a feature exists, belongs to the module, has no dedicated route, is implemented, and
 * that the module has generic writes; in this order, before any record is read or written
 * (specification, Feature route gating).
 *
 * @throws ServiceError `RECORD_MODULE_NOT_FOUND`, `FEATURE_NOT_FOUND`, `FEATURE_MODULE_MISMATCH`, a
 *   dedicated family's code, or `FEATURE_NOT_IMPLEMENTED`.
 */
export function requireFeature(
  catalog: Catalog,
  { params, operation }: Pick<SignedInCall, "params" | "operation">,
): { readonly module: CatalogModule; readonly feature: Feature } {
  const module = requireModule(catalog, params.moduleCode);
  const found = catalog.feature(params.featureId ?? "");
  if (found === undefined) throw new ServiceError("FEATURE_NOT_FOUND");
  const { feature } = found;
  const details = { moduleCode: module.code, featureId: feature.id };
  if (found.module.code !== module.code) {
    throw new ServiceError("FEATURE_MODULE_MISMATCH", { details });
  }
  if (feature.dedicatedCode !== null) throw new ServiceError(feature.dedicatedCode, { details });
  if (feature.status === "partial") throw featureNotImplemented(module, feature);
  refuseDedicated(module, operation, "changeCode");
  return { module, feature };
}

/** Returns the 501 for a feature that is not fully implemented, or has no executor. */
export function featureNotImplemented(module: CatalogModule, feature: Feature): ServiceError {
  return new ServiceError("FEATURE_NOT_IMPLEMENTED", {
    details: { moduleCode: module.code, featureId: feature.id },
  });
}

/**
 * Checks that a row found by owner and id belongs to the path's module.
 *
 * @throws ServiceError `RECORD_NOT_FOUND` without a row, or for another module's; Error
 *   (`INTERNAL_ERROR`) if its module is no longer in the catalog.
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

/** Describes a kernel command; the maintenance window freezes all of them. */
export function recordCommand(
  call: CheckedCall<unknown>,
  { code: module }: CatalogModule,
  target: string,
): Command {
  const scope = `${call.operation}:${module}`;
  return commandOf(call, { module, target, policy: "record", scope, frozen: true });
}
