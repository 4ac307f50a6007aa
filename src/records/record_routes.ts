/** Write endpoints of the Record Kernel. */

import type { Catalog } from "../catalog/catalog.ts";
import { bodyOf, type Contract } from "../http/contract.ts";
import { commandEndpoint } from "../http/define_endpoint.ts";
import { created, ok, replying } from "../http/reply.ts";
import type { Endpoint } from "../http/route.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import { createCountsEndpoint } from "./counts_route.ts";
import { createFeatureEndpoint, type Executors } from "./feature_routes.ts";
import {
  genericWriteErrors,
  moduleOfPath,
  readChangePath,
  recordCommand,
  refuseUnreached,
  requireGenericWrite,
} from "./module_access.ts";
import { createReadEndpoints, GENERIC_READS } from "./read_routes.ts";
import { RECORD_SCHEMA } from "./record.ts";
import { checkModify, decideCreate, decideModify, decideMove } from "./record_rules.ts";
import {
  CREATE_BODY,
  describeCreation,
  describeModification,
  MODIFY_BODY,
  MOVE_BODY,
} from "./record_schema.ts";
import { changeRecord, createRecord, type RecordServices } from "./record_store.ts";

export type RecordEndpoints = Readonly<
  Record<
    | "counts"
    | "create"
    | "list"
    | "detail"
    | "modify"
    | "archive"
    | "restore"
    | "revisions"
    | "executions"
    | "feature",
    Endpoint
  >
>;

/**
 * Endpoints of `/api/v2/records` (specification, Record Kernel routes).
 *
 * @param executors By strategy of a feature.
 */
export function createRecordEndpoints(
  services: RecordServices,
  executors: Executors,
): RecordEndpoints {
  const scope = moduleOfPath(services.catalog, services.typedIds);
  return {
    counts: createCountsEndpoint(services),
    create: createEndpoint(services),
    ...createReadEndpoints(services, scope, GENERIC_READS),
    modify: modifyEndpoint(services),
    archive: moveEndpoint(services, "ARCHIVED", "Archive a record"),
    restore: moveEndpoint(services, "RESTORED", "Restore an archived record"),
    feature: createFeatureEndpoint(services, executors),
  };
}

function createEndpoint(services: RecordServices): Endpoint {
  const { catalog } = services;
  return commandEndpoint({
    contract: {
      summary: "Create a record of a module",
      body: describeCreation(catalog),
      responses: { 201: { data: RECORD_SCHEMA } },
      errors: genericWriteErrors(catalog, "createCode"),
    },
    body: "json",
    parse({ params, operation, query, caller }) {
      refuseUnreached(catalog, params.moduleCode, caller);
      const module = requireGenericWrite(catalog, params.moduleCode, operation, "createCode");
      refuseQuery(query);
      return module;
    },
    async handle(call) {
      const module = call.parsed;
      const body = readBody(CREATE_BODY, call.body);
      const { result, replayed } = await createRecord(
        services,
        recordCommand(call, module, ""),
        () => decideCreate(module, body, call.now),
      );
      const location = `/api/v2/records/${module.code}/${result.recordId}`;
      return replying(created(result, location), replayed);
    },
  });
}

function modifyEndpoint(services: RecordServices): Endpoint {
  const { catalog } = services;
  return commandEndpoint({
    contract: {
      summary: "Modify a record: set fields, remove fields, or both",
      body: describeModification(catalog),
      ...changeContract(catalog),
    },
    body: "json",
    parse: (call) => readChangePath(catalog, call),
    async handle(call) {
      const { module, recordId } = call.parsed;
      const body = readBody(MODIFY_BODY, call.body);
      const { result, replayed } = await changeRecord(
        services,
        recordCommand(call, module, recordId),
        {
          check: () => checkModify(module, body, { now: call.now, recordId }),
          decide: (root) => decideModify(catalog, module, root, body, call.now),
        },
      );
      return replying(ok(result), replayed);
    },
  });
}

function moveEndpoint(
  services: RecordServices,
  change: "ARCHIVED" | "RESTORED",
  summary: string,
): Endpoint {
  const { catalog } = services;
  return commandEndpoint({
    contract: { summary, body: bodyOf(MOVE_BODY, {}), ...changeContract(catalog) },
    body: "optional-json",
    parse: (call) => readChangePath(catalog, call),
    async handle(call) {
      const { module, recordId } = call.parsed;
      const { expectedRevision } = readBody(MOVE_BODY, call.body);
      const { result, replayed } = await changeRecord(
        services,
        recordCommand(call, module, recordId),
        {
          check: () => {},
          decide: (root) => decideMove(catalog, module, root, change, expectedRevision, call.now),
        },
      );
      return replying(ok(result), replayed);
    },
  });
}

function changeContract(catalog: Catalog): Pick<Contract, "responses" | "errors"> {
  return {
    responses: { 200: { data: RECORD_SCHEMA } },
    errors: [...genericWriteErrors(catalog, "changeCode"), "RECORD_NOT_FOUND", "REVISION_CONFLICT"],
  };
}
