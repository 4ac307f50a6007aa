import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../../src/core/json.ts";
import { proofOf } from "../../support/tokens.ts";
import type { Caller, Json, TestResponse, World } from "../../support/world.ts";
import { IDENTITY_BASE, introduce, WHOLE_PROFILE } from "./api.ts";
import { assertFailure, FAILURE_HEADERS } from "../../http/kernel.ts";
import { post, read } from "../memory/api.ts";

export const PUBLIC = `${IDENTITY_BASE}/public`;
export const PUBLISH = `${PUBLIC}/publish`;
export const REFRESH = `${PUBLIC}/refresh`;
export const REVOKE = `${PUBLIC}/revoke`;

/** Makes a value that occurs nowhere else. */
export function newSlug(): string {
  return `a-${ulid().toLowerCase()}`;
}

/** Publishes with a new proof. */
export async function publish(
  world: World,
  caller: Caller,
  body: JsonObject,
): Promise<TestResponse> {
  const { profileId } = await read(caller, `${IDENTITY_BASE}/profile`);
  return await post(caller, PUBLISH, body, await publishProof(world, caller, profileId));
}

export async function publishProof(
  world: World,
  caller: Caller,
  profileId: string,
): Promise<Record<string, string>> {
  return await proofOf(world, caller, "IDENTITY_PUBLISH", profileId);
}

export async function published(world: World, caller: Caller, body: JsonObject): Promise<Json> {
  const response = await publish(world, caller, body);
  assertEquals(response.status, 200, response.text);
  return response.body.data;
}

/** A caller with a whole profile, partly public. */
export async function publicCaller(
  world: World,
  fields: readonly string[] = ["displayName"],
): Promise<{ readonly caller: Caller; readonly profile: Json; readonly slug: string }> {
  const caller = await world.createCaller();
  const profile = await introduce(caller, WHOLE_PROFILE);
  const slug = newSlug();
  await published(world, caller, { slug, fields: [...fields] });
  return { caller, profile, slug };
}

/** Reads the view without a credential. */
export function look(
  world: Pick<World, "call">,
  slug: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return world.call("GET", `${PUBLIC}/${slug}`, { headers });
}

/** Enables or disables, as an operator does. */
export async function setEnabled(world: World, caller: Caller, enabled: boolean): Promise<void> {
  await world.raw(`
    update accounts set disabled_at = ${enabled ? "null" : "now()"}
     where account_id = '${caller.accountId}'`);
}

/** Shows nothing, and no reason. */
export function assertNothing(response: TestResponse, label: string): void {
  assertFailure(response, "RECORD_NOT_FOUND", label);
  assertEquals([...response.headers.keys()].sort(), FAILURE_HEADERS, label);
  assertEquals(response.headers.get("Cache-Control"), "no-store", label);
}
