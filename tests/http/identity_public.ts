/** What the suites of publication share: paths, and people who have published something. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { proofOf } from "../support/tokens.ts";
import type { Json, Person, TestResponse, World } from "../support/world.ts";
import { IDENTITY_BASE, introduce, WHOLE_PROFILE } from "./identity.ts";
import { assertFailure, FAILURE_HEADERS } from "./kernel.ts";
import { post, read } from "./memory.ts";

export const PUBLIC = `${IDENTITY_BASE}/public`;
export const PUBLISH = `${PUBLIC}/publish`;
export const REFRESH = `${PUBLIC}/refresh`;
export const REVOKE = `${PUBLIC}/revoke`;

/** A slug that no other test has. */
export function newSlug(): string {
  return `a-${ulid().toLowerCase()}`;
}

/** Sends a publication with a proof of its own. */
export async function publish(
  world: World,
  person: Person,
  body: JsonObject,
): Promise<TestResponse> {
  const { profileId } = await read(person, `${IDENTITY_BASE}/profile`);
  return await post(person, PUBLISH, body, await publishProof(world, person, profileId));
}

/** The header with a proof that is good for publishing a profile. */
export async function publishProof(
  world: World,
  person: Person,
  profileId: string,
): Promise<Record<string, string>> {
  return await proofOf(world, person, "IDENTITY_PUBLISH", profileId);
}

/** Publishes what must succeed, and returns the publication. */
export async function published(world: World, person: Person, body: JsonObject): Promise<Json> {
  const response = await publish(world, person, body);
  assertEquals(response.status, 200, response.text);
  return response.body.data;
}

/** A person with a whole profile that is public in some fields. */
export async function publicPerson(
  world: World,
  fields: readonly string[] = ["displayName"],
): Promise<{ readonly person: Person; readonly profile: Json; readonly slug: string }> {
  const person = await world.person();
  const profile = await introduce(person, WHOLE_PROFILE);
  const slug = newSlug();
  await published(world, person, { slug, fields: [...fields] });
  return { person, profile, slug };
}

/** Reads a view as a stranger. */
export function look(
  world: Pick<World, "call">,
  slug: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return world.call("GET", `${PUBLIC}/${slug}`, { headers });
}

/** Changes the state of an account as an operator does. */
export async function setEnabled(world: World, person: Person, enabled: boolean): Promise<void> {
  await world.raw(`
    update accounts set disabled_at = ${enabled ? "null" : "now()"}
     where account_id = '${person.accountId}'`);
}

/** Asserts that nothing is to be seen under a slug, and that nothing tells why. */
export function assertNothing(response: TestResponse, label: string): void {
  assertFailure(response, "RECORD_NOT_FOUND", label);
  assertEquals([...response.headers.keys()].sort(), FAILURE_HEADERS, label);
  assertEquals(response.headers.get("Cache-Control"), "no-store", label);
}
