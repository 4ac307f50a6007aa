import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Caller, Json, TestResponse } from "../../support/world.ts";
import { done, post, read } from "../memory/api.ts";

export const IDENTITY_BASE = "/api/v2/identity";
export const PROFILE = `${IDENTITY_BASE}/profile`;

/** The smallest valid body. */
export const PROFILE_BODY: JsonObject = { displayName: "Ada" };

/** A body with every field. */
export const WHOLE_PROFILE: JsonObject = {
  displayName: "Ada of the lake",
  currentRole: "Engineer",
  lifeStage: "ADULTHOOD",
  startedAt: "2001-02-03T04:05:06.789Z",
  endedAt: "2030-01-01T00:00:00.000Z",
  biography: "Born by a lake.\nLearned to row.",
  publicSummary: "Rows before work.",
  tags: ["rowing", "bread"],
};

/** All eight fields empty. */
export const NO_FIELDS: JsonObject = {
  displayName: null,
  currentRole: null,
  lifeStage: null,
  startedAt: null,
  endedAt: null,
  biography: null,
  publicSummary: null,
  tags: null,
};

/** Sends a PATCH with a new key. */
export function patch(
  caller: Pick<Caller, "call">,
  path: string,
  body: JsonObject,
): Promise<TestResponse> {
  return caller.call("PATCH", path, { key: ulid(), body });
}

/** Must succeed; returns the data. */
export async function changed(
  caller: Pick<Caller, "call">,
  path: string,
  body: JsonObject,
): Promise<Json> {
  const response = await patch(caller, path, body);
  assertEquals(response.status, 200, response.text);
  return response.body.data;
}

export async function introduce(caller: Caller, body: JsonObject = PROFILE_BODY): Promise<Json> {
  const response = await post(caller, PROFILE, body);
  assertEquals(response.status, 201, response.text);
  return response.body.data;
}

export const STAGES = `${IDENTITY_BASE}/stages`;
export const ROLES = `${IDENTITY_BASE}/roles`;
export const SNAPSHOTS = `${IDENTITY_BASE}/snapshots`;
export const COMPARISONS = `${IDENTITY_BASE}/comparisons`;

export const LEGACY_PLAN = `${IDENTITY_BASE}/legacy-release/plan`;
export const LEGACY_DRILLS = `${IDENTITY_BASE}/legacy-release/drills`;

export const PLAN_BODY: JsonObject = {
  recipientDescription: "My sister,\nwherever she lives",
  releaseCondition: "A year after I can no longer be reached",
  fields: ["displayName", "biography"],
};

export const CONFIRMED: JsonObject = { confirmation: "I understand nothing is delivered" };

/** From one year's beginning to another's; open without `to`. */
export function stageBody(from: number, to?: number): JsonObject {
  const startedAt = `${from}-01-01T00:00:00.000Z`;
  const period = to === undefined
    ? { startedAt }
    : { startedAt, endedAt: `${to}-01-01T00:00:00.000Z` };
  return { lifeStage: "ADULTHOOD", title: `From ${from}`, ...period };
}

export function stagePath({ stageId }: Json, below = ""): string {
  return `${STAGES}/${stageId}${below}`;
}

/** Began with the year. */
export function roleBody(year: number, role = `Role of ${year}`): JsonObject {
  return { role, changedAt: `${year}-01-01T00:00:00.000Z` };
}

/** Sorted lines of identity entries. */
export async function identityAudit(caller: Caller): Promise<string[]> {
  const { items } = await read(caller, "/api/v2/audit?moduleCode=identity&limit=100");
  return items.map(({ operation, subjectId, revision }: Json) =>
    `${operation} ${revision} ${subjectId}`
  ).sort();
}

/** A new profile with itself. */
export const COMPARISON: JsonObject = {
  left: { kind: "PROFILE_REVISION", revision: 1 },
  right: { kind: "PROFILE_REVISION", revision: 1 },
};

type ValueOf = (parameter: string) => Promise<string>;

/** Create the objects that parameters of identity routes name, all with a profile. */
export const IDENTITY_MAKERS = {
  profile: async (caller: Caller) => (await introduce(caller)).profileId,
  stageId: async (caller: Caller, valueOf: ValueOf) => {
    await valueOf("profile");
    return (await done(caller, STAGES, stageBody(2000, 2010))).stageId;
  },
  roleId: async (caller: Caller, valueOf: ValueOf) => {
    await valueOf("profile");
    return (await done(caller, ROLES, roleBody(2000))).roleId;
  },
  snapshotId: async (caller: Caller, valueOf: ValueOf) => {
    await valueOf("profile");
    return (await done(caller, SNAPSHOTS, { label: "A" })).snapshotId;
  },
  comparisonId: async (caller: Caller, valueOf: ValueOf) => {
    await valueOf("profile");
    return (await done(caller, COMPARISONS, COMPARISON)).comparisonId;
  },
  legacyPlan: async (caller: Caller, valueOf: ValueOf) => {
    await valueOf("profile");
    return (await done(caller, LEGACY_PLAN, PLAN_BODY)).planId;
  },
} as const;

/** Valid bodies of the examples. */
export const IDENTITY_BODIES = {
  [`POST ${PROFILE}`]: { body: PROFILE_BODY },
  [`PATCH ${PROFILE}`]: { body: { expectedRevision: 1, set: { displayName: "Eda" } } },
  [`POST ${STAGES}`]: { body: stageBody(2010, 2020) },
  [`PATCH ${STAGES}/:stageId`]: { body: { expectedRevision: 1, set: { title: "B" } } },
  [`POST ${ROLES}`]: { body: roleBody(2010) },
  [`POST ${SNAPSHOTS}`]: { body: { label: "B" } },
  [`POST ${COMPARISONS}`]: { body: COMPARISON },
  [`POST ${LEGACY_PLAN}`]: { body: PLAN_BODY },
  [`POST ${LEGACY_DRILLS}`]: { body: CONFIRMED },
} as const;

/** Objects that a route needs but its path does not name. */
export function unnamedNeeds(
  { method, path }: { readonly method: string; readonly path: string },
): readonly string[] {
  const isCreation = method === "POST" && path === PROFILE;
  if (!path.startsWith(`${IDENTITY_BASE}/`) || isCreation) return [];
  return ["profile", ...NEEDS[`${method} ${path.slice(IDENTITY_BASE.length)}`] ?? []];
}

const NEEDS: Readonly<Record<string, readonly string[]>> = {
  "POST /public/refresh": ["slug"],
  "POST /public/revoke": ["slug"],
  "GET /public": ["slug"],
  "GET /legacy-release/plan": ["legacyPlan"],
  "POST /legacy-release/drills": ["legacyPlan"],
};
