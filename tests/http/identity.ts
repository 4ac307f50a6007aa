/** What the suites of the identity family share: paths, bodies, people with a profile. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import type { Json, Person, TestResponse } from "../support/world.ts";
import { post } from "./memory.ts";

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

/** Patches under a key of its own. */
export function patch(
  person: Pick<Person, "call">,
  path: string,
  body: JsonObject,
): Promise<TestResponse> {
  return person.call("PATCH", path, { key: ulid(), body });
}

/** Patches what must succeed, and returns its data. */
export async function changed(
  person: Pick<Person, "call">,
  path: string,
  body: JsonObject,
): Promise<Json> {
  const response = await patch(person, path, body);
  assertEquals(response.status, 200, response.text);
  return response.body.data;
}

/** Makes a person's profile and returns it. */
export async function introduce(person: Person, body: JsonObject = PROFILE_BODY): Promise<Json> {
  const response = await post(person, PROFILE, body);
  assertEquals(response.status, 201, response.text);
  return response.body.data;
}
