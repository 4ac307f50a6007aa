/** RES-007: overload analyses, executions that store their result. */

import type { JsonValue } from "../../core/json.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { creationReply } from "../../kit/route.ts";
import { commandOf } from "../../command/command.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import {
  type FamilyFeature,
  featureReadEndpoints,
  type ListedRun,
  listedRun,
  runFeature,
} from "../../records/port.ts";
import {
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  REVISION,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import {
  distinctIdentifiers,
  number,
  optional,
  readBody,
  refuseQuery,
} from "../../validate/schema.ts";
import {
  type AnalysedResource,
  analyseOverload,
  OVERLOAD_STATES,
  type OverloadAnalysis,
  type OverloadItem,
  type Thresholds,
} from "./overload.ts";

const MAX_RESOURCES = 500;

const THRESHOLD = number(0, 10);

const ANALYSIS_BODY = {
  resourceIds: optional(distinctIdentifiers(MAX_RESOURCES)),
  warningFrom: optional(THRESHOLD),
  overloadedFrom: optional(THRESHOLD),
};

const FEATURE: FamilyFeature = {
  module: "resource",
  featureId: "RES-007",
  strategy: "analyze",
  policy: "resource-overload-analysis",
};

const ITEM = {
  resourceId: ULID,
  resourceRevision: REVISION,
  utilisation: nullable({ type: "number", minimum: 0 }),
  state: enumOf(OVERLOAD_STATES),
} as const satisfies { readonly [Name in keyof OverloadItem]: JsonSchema };

const ANALYSIS_SCHEMA = component<ListedRun<OverloadAnalysis>>("OverloadAnalysis", {
  executionId: ULID,
  warningFrom: THRESHOLD.json,
  overloadedFrom: THRESHOLD.json,
  counts: objectOf({ overloaded: COUNT, warning: COUNT, normal: COUNT, unknown: COUNT }),
  items: listOf(objectOf(ITEM)),
  createdAt: TIME,
});

export function createOverloadAnalysisEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "list" | "detail", Endpoint>> {
  return {
    create: endpoint({
      contract: {
        summary: "Analyse the utilisation of resources, to find overloaded ones",
        body: bodyOf(ANALYSIS_BODY, { warningFrom: 0.75, overloadedFrom: 1 }),
        responses: { 201: { data: ANALYSIS_SCHEMA } },
        errors: ["RECORD_NOT_FOUND"],
      },
      body: "json",
      parse: ({ query }) => refuseQuery(query),
      async handle(call) {
        const { resourceIds, ...thresholds } = readAnalysisBody(call.body);
        const owner = call.caller.account.accountId;
        const resources = await services.database.read((sql) =>
          resourceIds === undefined
            ? findLiveResources(sql, owner)
            : findNamedResources(sql, owner, resourceIds)
        );
        const command = commandOf(call, { ...FEATURE, target: "" });
        const made = await runFeature<ListedRun<OverloadAnalysis>>(services, FEATURE, command, {
          decide() {
            assertAnalysable(resources, resourceIds);
            return { output: analyseOverload(resources, thresholds), answer: listedRun };
          },
          replay: listedRun,
        });
        return creationReply(call.path, made);
      },
    }),
    ...featureReadEndpoints(services, FEATURE, {
      schema: ANALYSIS_SCHEMA,
      list: "List the overload analyses, newest first",
      detail: "Read an overload analysis",
    }),
  };
}

interface AnalysisRequest extends Thresholds {
  readonly resourceIds?: readonly string[];
}

/** @throws ServiceError `PAYLOAD_INVALID`, also for thresholds out of order. */
function readAnalysisBody(sent: JsonValue): AnalysisRequest {
  const { warningFrom = 0.8, overloadedFrom = 1, ...named } = readBody(ANALYSIS_BODY, sent);
  if (warningFrom > overloadedFrom) {
    throw payloadInvalid(["overload_analysis.thresholds_ordered"], [
      "warningFrom",
      "overloadedFrom",
    ]);
  }
  return { ...named, warningFrom, overloadedFrom };
}

/** Selects the resources that are not archived; at most one more than an analysis accepts. */
function findLiveResources(sql: Sql, owner: string): Query<AnalysedResource> {
  return sql<AnalysedResource>`
    select resource_id, revision, capacity, available from resources
     where owner_id = ${owner} and archived_at is null
     order by resource_id desc limit ${MAX_RESOURCES + 1}`;
}

function findNamedResources(
  sql: Sql,
  owner: string,
  resourceIds: readonly string[],
): Query<AnalysedResource> {
  return sql<AnalysedResource>`
    select resource_id, revision, capacity, available from resources
     where owner_id = ${owner}
       and resource_id = any (string_to_array(${resourceIds.join(" ")}, ' '))`;
}

/**
 * @throws ServiceError `RECORD_NOT_FOUND` if a named resource was not found, `PAYLOAD_INVALID` for
 *   too many.
 */
function assertAnalysable(
  resources: readonly AnalysedResource[],
  resourceIds: readonly string[] | undefined,
): void {
  if (resourceIds !== undefined && resources.length < resourceIds.length) {
    throw new ServiceError("RECORD_NOT_FOUND");
  }
  if (resources.length <= MAX_RESOURCES) return;
  throw new ServiceError("PAYLOAD_INVALID", {
    details: {
      rules: ["overload_analysis.resources"],
      fields: ["resourceIds"],
      limit: MAX_RESOURCES,
    },
  });
}
