import type { JsonObject } from "../../../src/core/json.ts";
import type { Caller, Json } from "../../support/world.ts";
import { done } from "../memory/api.ts";

const BASE = "/api/v2/resource";
export const RESOURCES = `${BASE}/resources`;
export const NETWORK = `${BASE}/network`;
export const OVERLOAD_ANALYSES = `${BASE}/overload-analyses`;
export const RESOURCE_EXPORTS = `${BASE}/exports`;

export const RESOURCE: JsonObject = { resourceType: "TIME", name: "The garden" };

export const SNAPSHOT: JsonObject = { observedAt: "2026-01-01T12:00:00.000Z", amount: 1.5 };

export function keep(caller: Caller, body: JsonObject = {}): Promise<Json> {
  return done(caller, RESOURCES, { ...RESOURCE, ...body });
}

export function measure(caller: Caller, resource: Json, body: JsonObject = {}): Promise<Json> {
  return done(caller, resourcePath(resource, "/snapshots"), { ...SNAPSHOT, ...body });
}

export function resourcePath(resource: Json, below = ""): string {
  return `${RESOURCES}/${resource.resourceId}${below}`;
}

type ValueOf = (parameter: string) => Promise<string>;

/** Create the objects that parameters of resource routes name. */
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

/** Valid bodies of the examples. */
export const RESOURCE_BODIES = {
  [`POST ${RESOURCES}`]: { body: RESOURCE },
  [`PATCH ${ONE}`]: { body: { expectedRevision: 1, set: { notes: "Ask Ana." } } },
  [`POST ${ONE}/snapshots`]: { body: SNAPSHOT },
  [`POST ${OVERLOAD_ANALYSES}`]: { body: {} },
  [`POST ${RESOURCE_EXPORTS}`]: { body: { format: "CSV" } },
} as const;
