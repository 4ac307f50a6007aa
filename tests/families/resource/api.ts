/** Shared by the suites of the resource family: paths, bodies, and test data. */

import type { JsonObject } from "../../../src/core/json.ts";
import type { Caller, Json } from "../../support/world.ts";
import { done } from "../memory/api.ts";

const BASE = "/api/v2/resource";
export const RESOURCES = `${BASE}/resources`;
export const NETWORK = `${BASE}/network`;
export const OVERLOAD_ANALYSES = `${BASE}/overload-analyses`;
export const RESOURCE_EXPORTS = `${BASE}/exports`;

/** The smallest body of a resource. */
export const RESOURCE: JsonObject = { resourceType: "TIME", name: "The garden" };

/** The smallest body of a snapshot. */
export const SNAPSHOT: JsonObject = { observedAt: "2026-01-01T12:00:00.000Z", amount: 1.5 };

/** Records a resource and returns it. */
export function keep(caller: Caller, body: JsonObject = {}): Promise<Json> {
  return done(caller, RESOURCES, { ...RESOURCE, ...body });
}

/** Records a snapshot of a resource and returns it. */
export function measure(caller: Caller, resource: Json, body: JsonObject = {}): Promise<Json> {
  return done(caller, resourcePath(resource, "/snapshots"), { ...SNAPSHOT, ...body });
}

/** The path of a resource, or of something below it. */
export function resourcePath(resource: Json, below = ""): string {
  return `${RESOURCES}/${resource.resourceId}${below}`;
}

type ValueOf = (parameter: string) => Promise<string>;

/** Creates the objects that parameters of the resource routes name. */
export const RESOURCE_MAKERS = {
  resourceId: async (caller: Caller) => (await keep(caller)).resourceId,
  [`${RESOURCES}/:resourceId/snapshots/:snapshotId`]: async (caller: Caller, valueOf: ValueOf) =>
    (await measure(caller, { resourceId: await valueOf("resourceId") })).snapshotId,
  [`${OVERLOAD_ANALYSES}/:executionId`]: async (caller: Caller) =>
    (await done(caller, OVERLOAD_ANALYSES, {})).executionId,
  [`${RESOURCE_EXPORTS}/:executionId`]: async (caller: Caller) =>
    (await done(caller, RESOURCE_EXPORTS, { format: "JSON" })).executionId,
} as const;

const ONE = `${RESOURCES}/:resourceId`;

/** A valid body for the example of each resource route with a body. */
export const RESOURCE_BODIES = {
  [`POST ${RESOURCES}`]: { body: RESOURCE },
  [`PATCH ${ONE}`]: { body: { expectedRevision: 1, set: { notes: "Ask Ana." } } },
  [`POST ${ONE}/snapshots`]: { body: SNAPSHOT },
  [`POST ${OVERLOAD_ANALYSES}`]: { body: {} },
  [`POST ${RESOURCE_EXPORTS}`]: { body: { format: "CSV" } },
} as const;
