/** Ceremonies of a test's callers, from begin to finish, for all suites of passkeys. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import type { StepUpPurpose } from "../../src/access/step_up.ts";
import { type Fault, SoftwarePasskey } from "../support/software_authenticator.ts";
import { proofOf } from "../support/tokens.ts";
import { type Caller, type Json, ORIGIN, type TestResponse, type World } from "../support/world.ts";
import { AUTH } from "./access.ts";
import { newPeer } from "./second_factor.ts";

export const PASSKEYS = `${AUTH}/passkeys`;

/** A ceremony that has begun. */
export interface Begun {
  readonly ceremonyId: string;
  readonly publicKey: Json;
  readonly expiresAt: string;
}

function dataOf(response: TestResponse, status = 200): Json {
  assertEquals(response.status, status, response.text);
  return response.body.data;
}

/** Begins a registration, for a proof. */
export async function beginRegistration(world: World, caller: Caller): Promise<Begun> {
  const headers = await proofOf(world, caller, "PASSKEY_CHANGE");
  return dataOf(await caller.call("POST", `${PASSKEYS}/registration/begin`, { headers }));
}

/** Sends the answer to a registration. */
export async function finishRegistration(
  caller: Caller,
  { ceremonyId, publicKey }: Begun,
  passkey: SoftwarePasskey,
  fault: Fault = {},
  name = "A key",
): Promise<TestResponse> {
  const credential = await passkey.register(publicKey, ORIGIN, fault);
  const body = { ceremonyId, name, credential };
  return await caller.call("POST", `${PASSKEYS}/registration/finish`, { body });
}

/** Registers a passkey, new unless it is given, and returns it with its public form. */
export async function addPasskey(
  world: World,
  caller: Caller,
  known?: SoftwarePasskey,
  name = "A key",
): Promise<{ readonly key: SoftwarePasskey; readonly passkey: Json }> {
  const key = known ?? await SoftwarePasskey.make();
  const begun = await beginRegistration(world, caller);
  const passkey = dataOf(await finishRegistration(caller, begun, key, {}, name), 201);
  return { key, passkey };
}

/** Begins a sign-in, with an email or without. */
export async function beginSignIn(world: Pick<World, "call">, email?: string): Promise<Begun> {
  const body = email === undefined ? {} : { email };
  return dataOf(await world.call("POST", `${PASSKEYS}/sign-in/begin`, { body }));
}

/** Sends the answer to a sign-in. */
export async function finishSignIn(
  world: Pick<World, "call">,
  { ceremonyId, publicKey }: Begun,
  key: SoftwarePasskey,
  fault: Fault = {},
  peer = newPeer(),
): Promise<TestResponse> {
  const credential = await key.assert(publicKey, ORIGIN, fault);
  const body = { ceremonyId, credential, transport: "bearer" };
  return await world.call("POST", `${PASSKEYS}/sign-in/finish`, { body, peer });
}

export async function signInBy(
  world: Pick<World, "call">,
  key: SoftwarePasskey,
  fault: Fault = {},
  email?: string,
): Promise<TestResponse> {
  return await finishSignIn(world, await beginSignIn(world, email), key, fault);
}

export async function beginStepUp(
  caller: Caller,
  purpose: StepUpPurpose = "TOKEN_CREATE",
  more: JsonObject = {},
): Promise<Begun> {
  const body = { purpose, ...more };
  return dataOf(await caller.call("POST", `${PASSKEYS}/step-up/begin`, { body }));
}

/** Sends the answer to a step-up. */
export async function finishStepUp(
  caller: Caller,
  { ceremonyId, publicKey }: Begun,
  key: SoftwarePasskey,
  fault: Fault = {},
  peer = newPeer(),
): Promise<TestResponse> {
  const credential = await key.assert(publicKey, ORIGIN, fault);
  const body = { ceremonyId, credential };
  return await caller.call("POST", `${PASSKEYS}/step-up/finish`, { body, peer });
}

/** Removes a passkey, for a proof. */
export async function removePasskey(
  world: World,
  caller: Caller,
  { passkeyId }: Json,
): Promise<TestResponse> {
  const headers = await proofOf(world, caller, "PASSKEY_CHANGE");
  return await caller.call("POST", `${PASSKEYS}/${passkeyId}/remove`, { headers });
}

/** The account's access events, each with its kind of credential, in the order of names. */
export async function accessEvents(world: World, { accountId }: Caller): Promise<string[]> {
  const rows = await world.rows(`
    select event, credential_kind from access_events where account_id = '${accountId}'`);
  return rows.map(({ event, credential_kind }: Json) => `${event} ${credential_kind}`).sort();
}

/** The email of a caller whom the world has made. */
export function emailOf({ accountId }: Caller): string {
  return `${accountId}@example.org`;
}

/** The preparation of each route that needs one, which returns the body of its call. */
export const PASSKEY_FIRST: Readonly<
  Record<string, (world: World, caller: Caller) => Promise<{ readonly body: JsonObject }>>
> = {
  async [`POST ${PASSKEYS}/registration/finish`](world, caller) {
    const { ceremonyId, publicKey } = await beginRegistration(world, caller);
    const key = await SoftwarePasskey.make();
    const credential = await key.register(publicKey, ORIGIN);
    return { body: { ceremonyId, name: "A key", credential } };
  },
  async [`POST ${PASSKEYS}/sign-in/finish`](world, caller) {
    const { key } = await addPasskey(world, caller);
    const { ceremonyId, publicKey } = await beginSignIn(world);
    return { body: { ceremonyId, credential: await key.assert(publicKey, ORIGIN) } };
  },
  async [`POST ${PASSKEYS}/step-up/begin`](world, caller) {
    await addPasskey(world, caller);
    return { body: { purpose: "TOKEN_CREATE" } };
  },
  async [`POST ${PASSKEYS}/step-up/finish`](world, caller) {
    const { key } = await addPasskey(world, caller);
    const { ceremonyId, publicKey } = await beginStepUp(caller);
    return { body: { ceremonyId, credential: await key.assert(publicKey, ORIGIN) } };
  },
};

/** Asserts a refusal of a registration by one rule. */
export function assertRule(
  response: TestResponse,
  rule: string,
  field: string | null,
  more: Json = {},
): void {
  const fields = field === null ? {} : { fields: [field] };
  assertEquals(response.status, 400, response.text);
  assertEquals(response.body.error.code, "PAYLOAD_INVALID");
  assertEquals(response.body.error.details, { ...fields, rules: [rule], ...more });
}
