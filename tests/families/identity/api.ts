/** Shared by the suites of the identity family: paths, bodies, and callers with a profile. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Caller, Json, TestResponse } from "../../support/world.ts";
import { done, post, read } from "../memory/api.ts";

export const IDENTITY_BASE = "/api/v2/identity";
export const PROFILE = `${IDENTITY_BASE}/profile`;

/** The smallest body of a profile. */
export const PROFILE_BODY: JsonObject = { displayName: "Ada" };

/** A body that fills every field of a profile. */
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

/** The eight fields without a value. */
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

/** Sends a PATCH that must succeed, and returns its data. */
export async function changed(
  caller: Pick<Caller, "call">,
  path: string,
  body: JsonObject,
): Promise<Json> {
  const response = await patch(caller, path, body);
  assertEquals(response.status, 200, response.text);
  return response.body.data;
}

/** Makes a caller's profile and returns it. */
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

/** The body of a plan. */
export const PLAN_BODY: JsonObject = {
  recipientDescription: "My sister,\nwherever she lives",
  releaseCondition: "A year after I can no longer be reached",
  fields: ["displayName", "biography"],
};

export const CONFIRMED: JsonObject = { confirmation: "I understand nothing is delivered" };

/** The body of a stage from the beginning of one year to that of another; open if `to` is omitted. */
export function stageBody(from: number, to?: number): JsonObject {
  const startedAt = `${from}-01-01T00:00:00.000Z`;
  const period = to === undefined
    ? { startedAt }
    : { startedAt, endedAt: `${to}-01-01T00:00:00.000Z` };
  return { lifeStage: "ADULTHOOD", title: `From ${from}`, ...period };
}

/** The path of a stage, or of something below it. */
export function stagePath({ stageId }: Json, below = ""): string {
  return `${STAGES}/${stageId}${below}`;
}

/** The body of a role that began with a year. */
export function roleBody(year: number, role = `Role of ${year}`): JsonObject {
  return { role, changedAt: `${year}-01-01T00:00:00.000Z` };
}

/** The identity entries of a caller's audit trail in the order of their words, one line each. */
export async function identityAudit(caller: Caller): Promise<string[]> {
  const { items } = await read(caller, "/api/v2/audit?moduleCode=identity&limit=100");
  return items.map(({ operation, subjectId, revision }: Json) =>
    `${operation} ${revision} ${subjectId}`
  ).sort();
}

/** The comparison of a new profile with itself. */
export const COMPARISON: JsonObject = {
  left: { kind: "PROFILE_REVISION", revision: 1 },
  right: { kind: "PROFILE_REVISION", revision: 1 },
};

type ValueOf = (parameter: string) => Promise<string>;

/** Creates the objects that parameters of the identity routes name, and the profile for all of them. */
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

/** A valid body for the example of each identity route with a body. */
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

/** Objects that a route needs without naming them in its path. */
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
