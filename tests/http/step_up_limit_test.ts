/** The limit of step-ups: 20 in 15 minutes per account. */

import { assert, assertEquals } from "@std/assert";
import type { AppServices } from "../../src/app.ts";
import type { StepUpPurpose } from "../../src/access/step_up.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  fileWorld,
  type Json,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { assertRefused, AUTH, givePassword, PASSWORD } from "./access.ts";
import { enrol, login } from "./second_factor.ts";

const LIMIT = 20;
const WINDOW = 15 * 60 * 1000;
/** Proofs are limited only if requests are. */
const LIMITED: Partial<AppServices> = {
  limits: { perCredential: 1_000_000, perAddress: 0, inFlight: 10_000 },
};

const limited = fileWorld(LIMITED);

function stepUp(
  caller: Caller,
  purpose: StepUpPurpose = "IDENTITY_PUBLISH",
  more: Json = {},
): Promise<TestResponse> {
  return caller.call("POST", `${AUTH}/step-up`, { body: { password: PASSWORD, purpose, ...more } });
}

async function callerWithPassword(world: World): Promise<Caller> {
  const caller = await world.createCaller();
  await givePassword(world, caller);
  return caller;
}

/** Fails the test if one request fails. */
async function succeed(caller: Caller, times: number): Promise<void> {
  for (let index = 0; index < times; index++) {
    const response = await stepUp(caller);
    assertEquals(response.status, 200, `${index}: ${response.text}`);
  }
}

function assertLimited(response: TestResponse, seconds: number): void {
  assertRefused(response, "HTTP_429");
  assertEquals(response.headers.get("Retry-After"), String(seconds));
}

Deno.test("POST step-up succeeds 20 times in 15 minutes, across sessions, processes and purposes", async () => {
  const world = limited();
  const caller = await callerWithPassword(world);
  const email = `${caller.accountId}@example.org`;
  const { session, accessToken } = (await login(world, { email })).body.data;
  const other = { ...caller, sessionId: session.sessionId, secret: accessToken };
  const elsewhere = callerOf(world.again(), other);

  await succeed(caller, 1);
  world.advance(60_000);
  await succeed(caller, LIMIT - 10);
  for (let index = 0; index < 9; index++) {
    assertEquals((await stepUp(elsewhere, "TOKEN_CREATE")).status, 200);
  }
  for (const each of [caller, elsewhere]) assertLimited(await stepUp(each), 14 * 60);
  assertLimited(await stepUp(caller, "TOKEN_CREATE", { password: "not the password" }), 14 * 60);
  await succeed(await callerWithPassword(world), 1);

  // Rejected ones do not count; the first counts for 15 minutes.
  world.advance(WINDOW - 60_001);
  assertLimited(await stepUp(elsewhere), 1);
  world.advance(1);
  await succeed(caller, 1);
  assertLimited(await stepUp(caller), 60);
  world.advance(60_000);
  await succeed(caller, LIMIT - 1);
  assertLimited(await stepUp(caller), 14 * 60);
});

Deno.test("Failed step-ups, and those without a code, do not count", async () => {
  const world = limited();
  const { caller, recoveryCodes } = await enrol(world);
  for (let index = 0; index < 25; index++) {
    const peer = `192.0.2.${index}`;
    const call = (body: Json) => caller.call("POST", `${AUTH}/step-up`, { body, peer });
    const body = { password: PASSWORD, purpose: "IDENTITY_PUBLISH" };
    assertRefused(await call(body), "SECOND_FACTOR_REQUIRED");
    assertRefused(await call({ ...body, password: "not the password" }), "STEP_UP_REQUIRED");
    assertRefused(await call({ ...body, recoveryCode: "ABCDEF" }), "STEP_UP_REQUIRED");
  }
  const [recoveryCode] = recoveryCodes;
  assertEquals((await stepUp(caller, "IDENTITY_PUBLISH", { recoveryCode })).status, 200);
});

Deno.test("Concurrent step-ups in two processes stay within the limit", async () => {
  await using world = await createWorld(LIMITED);
  const caller = await callerWithPassword(world);
  const elsewhere = callerOf(world.again(), caller);
  await succeed(caller, LIMIT - 3);
  const callers = [caller, elsewhere, caller, elsewhere, caller, elsewhere, caller, elsewhere];
  const responses = await Promise.all(callers.map((caller) => stepUp(caller)));
  const succeeded = responses.filter(({ status }) => status === 200);
  assertEquals(succeeded.length, 3, responses.map(({ status }) => status).join());
  for (const response of responses) {
    if (response.status !== 200) assertLimited(response, 900);
  }
  // Excess step-ups do not count as wrong passwords.
  assertEquals(await world.rows("select 1 from access_attempts where not succeeded"), []);
});

Deno.test("RATE_LIMIT_PER_CREDENTIAL=0 lifts the limit of step-ups", async () => {
  await using world = await createWorld();
  const caller = await callerWithPassword(world);
  await succeed(caller, LIMIT + 5);
  const [{ proofs }] = await world.rows("select count(*)::integer as proofs from step_up_proofs");
  assert(proofs > LIMIT);
});
