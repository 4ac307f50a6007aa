/** Payloads, paths, table counts and page walks. */

import { assert, assertEquals } from "@std/assert";
import { CATALOG, type Catalog, createCatalog } from "../../src/catalog/catalog.ts";
import type { Feature } from "../../src/catalog/module.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/errors/codes.ts";
import type { Caller, Json, JsonRecord, TestResponse, World } from "../support/world.ts";

export const COMMITMENT: JsonObject = {
  commitmentType: "OUTGOING",
  content: "Water the plants",
  completionStatus: "OPEN",
};

export const HEALTH: JsonObject = {
  metricType: "WEIGHT",
  value: 70,
  unit: "kg",
  measuredAt: "2026-11-01T08:00:00.000Z",
  quality: "MEASURED",
};

export const COMMITMENTS = "/api/v2/records/commitment";

export function pathOf(record: JsonRecord): string {
  return `/api/v2/records/${record.moduleCode}/${record.recordId}`;
}

/**
 * Exactly the public failure of a code.
 *
 * @returns its details.
 */
export function assertFailure(response: TestResponse, code: ErrorCode, label?: string): Json {
  const { status, message } = ERROR_CODES[code];
  assertEquals(response.body?.error?.code, code, label ?? response.text);
  assertEquals(response.status, status, response.text);
  const { error, ...others } = response.body;
  assertEquals(others, code === "FEATURE_NOT_IMPLEMENTED" ? { data: null } : {});
  const { details, ...body } = error;
  assertEquals(body, { code, message, requestId: response.headers.get("X-Request-Id") });
  return details;
}

/** Exactly these rules and fields, in any order. */
export function assertInvalid(
  response: TestResponse,
  rules: readonly string[],
  fields: readonly string[] = [],
  label?: string,
): void {
  const details = assertFailure(response, "PAYLOAD_INVALID", label);
  assertEquals([...details.rules].sort(), [...rules].sort(), label);
  assertEquals([...details.fields ?? []].sort(), [...fields].sort(), label);
}

/** Kept per world, whose tables stay the same. */
const countStatements = new WeakMap<World, string>();

/** Omits `account_storage`, whose sums begin with a connection's first write. */
export async function tableCounts(world: World): Promise<Record<string, number>> {
  let statement = countStatements.get(world);
  if (statement === undefined) {
    const tables = await world.rows(`
      select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'
         and table_name <> 'account_storage' order by table_name`);
    const counts = tables.map(({ name }) => `(select count(*)::integer from ${name}) as ${name}`);
    statement = `select ${counts.join(", ")}`;
    countStatements.set(world, statement);
  }
  const [counts] = await world.rows(statement);
  return { ...counts };
}

/** No table grows. */
export async function assertWritesNothing<T>(world: World, action: () => Promise<T>): Promise<T> {
  const before = await tableCounts(world);
  const result = await action();
  assertEquals(await tableCounts(world), before);
  return result;
}

/** Headers of failures without specific ones. */
export const FAILURE_HEADERS = [
  "cache-control",
  "content-disposition",
  "content-security-policy",
  "content-type",
  "cross-origin-resource-policy",
  "referrer-policy",
  "strict-transport-security",
  "x-content-type-options",
  "x-request-id",
];

/** Fails the test if the request fails. */
export async function readPage(
  caller: Caller,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<{ items: Json[]; nextCursor: string | null }> {
  const response = await caller.call("GET", `${path}?${new URLSearchParams(parameters)}`);
  assertEquals(response.status, 200, `${new URLSearchParams(parameters)}: ${response.text}`);
  assertEquals(Object.keys(response.body.data).sort(), ["items", "nextCursor"]);
  return response.body.data;
}

export async function walkPages(
  caller: Caller,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Json[][]> {
  const pages: Json[][] = [];
  let cursor: string | null = null;
  do {
    const page = await readPage(caller, path, { ...parameters, ...(cursor && { cursor }) });
    assert(page.nextCursor === null || page.nextCursor !== cursor, "The walk stands still");
    pages.push(page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}

/** The shipped catalog with some features changed. */
export function catalogWith(features: Readonly<Record<string, Partial<Feature>>>): Catalog {
  return createCatalog(CATALOG.modules.map((module) => ({
    ...module,
    features: module.features.map((feature) => ({ ...feature, ...features[feature.id] })),
  })));
}

/** Switches without waiting for writers. */
export async function setMaintenance(world: World, active: boolean): Promise<void> {
  await world.raw(`update maintenance_window set active = ${active}`);
}

/** An answer as reads of its revision show it. */
export function atRevision({ attachmentIds: _, ...shown }: Json): Json {
  return shown;
}
