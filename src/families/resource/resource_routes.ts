/** Endpoints of `/api/v2/resource`: resources here, then one file a topic. */

import { RESOURCE } from "../../catalog/modules/resource.ts";
import { archivableListEndpoint, type ListFilter } from "../../kit/archivable_list_routes.ts";
import {
  archiveEndpoints,
  changeEndpoint,
  createEndpoint,
  detailEndpoint,
} from "../../kit/write_routes.ts";
import { fieldsBody, patchRoute } from "../../kit/fields.ts";
import { listBelowEndpoint } from "../../kit/list_routes.ts";
import { storedRevisions } from "../../kit/tables.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { optional } from "../../validate/schema.ts";
import { createExportEndpoints, type ExportServices } from "./export_routes.ts";
import { createNetworkEndpoint } from "./network_routes.ts";
import { createOverloadAnalysisEndpoints } from "./overload_routes.ts";
import { RESOURCE_FIELDS, RESOURCE_REVISION_SCHEMA, RESOURCE_TYPE } from "./resource.ts";
import { decideCreate } from "./resource_rules.ts";
import { createSnapshotEndpoints } from "./snapshot_routes.ts";
import { RESOURCES, STORED_RESOURCES } from "./resource_store.ts";

export interface ResourceEndpoints {
  readonly resources: ReturnType<typeof createResourceRootEndpoints>;
  readonly snapshots: ReturnType<typeof createSnapshotEndpoints>;
  readonly network: Endpoint;
  readonly overloadAnalyses: ReturnType<typeof createOverloadAnalysisEndpoints>;
  readonly exports: ReturnType<typeof createExportEndpoints>;
}

export function createResourceEndpoints(services: ExportServices): ResourceEndpoints {
  return {
    resources: createResourceRootEndpoints(services),
    snapshots: createSnapshotEndpoints(services),
    network: createNetworkEndpoint(services),
    overloadAnalyses: createOverloadAnalysisEndpoints(services),
    exports: createExportEndpoints(services),
  };
}

const TYPE_QUERY = { resourceType: optional(RESOURCE_TYPE) };

const BY_TYPE: ListFilter<typeof TYPE_QUERY> = {
  query: TYPE_QUERY,
  conditions: (sql, { resourceType }) =>
    resourceType === undefined ? null : sql`and resource_type = ${resourceType}`,
};

/** `/resources` and one resource (RES-001, RES-002, RES-004, RES-005). */
function createResourceRootEndpoints(
  services: FamilyServices,
): Readonly<
  Record<"create" | "list" | "detail" | "change" | "archive" | "restore" | "revisions", Endpoint>
> {
  const revisions = storedRevisions(STORED_RESOURCES, RESOURCE_REVISION_SCHEMA);
  return {
    create: createEndpoint(services, RESOURCES, {
      summary: "Record a resource",
      body: fieldsBody(RESOURCE),
      example: {
        resourceType: "TIME",
        name: "Hours for the garden",
        unit: "hours a week",
        capacity: 6,
        available: 2.5,
      },
      decide: decideCreate,
    }),
    list: archivableListEndpoint(
      services,
      STORED_RESOURCES,
      "List the resources, newest first",
      BY_TYPE,
    ),
    detail: detailEndpoint(services, RESOURCES, { summary: "Read a resource", revisions: true }),
    change: changeEndpoint(services, RESOURCES, {
      ...patchRoute(RESOURCES.idOf, RESOURCE_FIELDS),
      summary: "Change a resource",
      example: { expectedRevision: 1, set: { available: 4 }, remove: ["notes"] },
    }),
    ...archiveEndpoints(services, RESOURCES, { noun: "resource" }),
    revisions: listBelowEndpoint(services, RESOURCES, revisions, {
      summary: "List the revisions of a resource, newest first",
    }),
  };
}
