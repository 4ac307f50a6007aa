/** After 20 wrong codes right ones are rejected until a recovery code is used. */

import { assertEquals } from "@std/assert";
import {
  type Caller,
  callerOf,
  fileWorld,
  type Json,
  type TestResponse,
} from "../support/world.ts";
import { assertRefused, failureOf } from "./access.ts";
import {
  changePassword,
  countWrongCodes,
  enrol,
  type Enrolled,
  factorEvents,
  login,
  newPeer,
  sendWrongCodes,
  STEP,
  stepUp,
  TOTP,
  WRONG_CODES_LIMIT,
  wrongCode,
} from "./second_factor.ts";

// Not shared: its tests move the clock.
const world = fileWorld();

const WAYS: Readonly<Record<string, (by: Enrolled, sent: Json) => Promise<TestResponse>>> = {
  "sign-in": ({ caller, email }, sent) => login(caller, { email }, sent),
  "step-up": ({ caller }, sent) => stepUp(caller, sent),
  "a change of password": ({ caller }, sent) => changePassword(world(), caller, sent),
};

/** Enrols a caller at two processes, with an unused current step. */
async function enrolTwice(): Promise<[Enrolled, Enrolled]> {
  const enrolled = await enrol(world());
  world().advance(STEP);
  return [enrolled, { ...enrolled, caller: callerOf(world().again(), enrolled.caller) }];
}

async function rightCode({ authenticator }: Enrolled): Promise<Json> {
  return { code: await authenticator.codeAt(world().now()) };
}

async function stateOf(caller: Caller): Promise<Json> {
  const response = await caller.call("GET", TOTP);
  assertEquals(response.status, 200, response.text);
  return response.body.data;
}

Deno.test("GET totp shows whether the factor is on, and the number of wrong codes", async () => {
  const caller = await world().createCaller();
  assertEquals(await stateOf(caller), { secondFactor: false, wrongCodes: 0, locked: false });
  const [enrolled] = await enrolTwice();
  assertEquals(await stateOf(enrolled.caller), {
    secondFactor: true,
    wrongCodes: 0,
    locked: false,
  });
  await sendWrongCodes(world(), enrolled, 2);
  assertEquals(await stateOf(enrolled.caller), {
    secondFactor: true,
    wrongCodes: 2,
    locked: false,
  });
});

for (const [name, send] of Object.entries(WAYS)) {
  Deno.test(`After 20 wrong codes ${name} rejects right codes, and a recovery code resets it`, async () => {
    const [enrolled, elsewhere] = await enrolTwice();
    const { caller, recoveryCodes: [first, second] } = enrolled;
    await countWrongCodes(world(), enrolled, WRONG_CODES_LIMIT - 1);
    assertEquals((await send(elsewhere, await rightCode(enrolled))).status, 200, "after 19");
    assertEquals((await stateOf(caller)).wrongCodes, 0);

    world().advance(STEP);
    await countWrongCodes(world(), enrolled, WRONG_CODES_LIMIT);
    const right = await rightCode(enrolled);
    const wrong = { code: await wrongCode(enrolled.authenticator, world().now()) };
    assertEquals(
      failureOf(await send(elsewhere, right)),
      failureOf(await send(elsewhere, wrong)),
    );
    assertEquals(await stateOf(caller), { secondFactor: true, wrongCodes: 20, locked: true });

    assertEquals((await send(enrolled, { recoveryCode: first })).status, 200);
    assertEquals(await stateOf(caller), { secondFactor: true, wrongCodes: 0, locked: false });
    // A rejected code is not used up, which would reveal that it was right.
    assertEquals((await send(elsewhere, right)).status, 200);
    // The count starts at 0.
    world().advance(STEP);
    await countWrongCodes(world(), enrolled, WRONG_CODES_LIMIT - 1);
    assertEquals((await send(enrolled, await rightCode(enrolled))).status, 200);
    assertEquals((await send(enrolled, { recoveryCode: second })).status, 200);
  });
}

Deno.test("Wrong codes of sign-in, step-up and password changes count together", async () => {
  const [enrolled, elsewhere] = await enrolTwice();
  const ways = Object.values(WAYS);
  const code = await wrongCode(enrolled.authenticator, world().now());
  for (let index = 0; index < WRONG_CODES_LIMIT; index++) {
    assertEquals((await stateOf(enrolled.caller)).wrongCodes, index);
    const by = index % 2 === 0 ? enrolled : elsewhere;
    await ways[index % ways.length]?.(by, { code });
  }
  for (const send of ways) {
    assertEquals(
      [401, 403].includes((await send(enrolled, await rightCode(enrolled))).status),
      true,
    );
  }
});

Deno.test("A used code counts as wrong; no code, a wrong password or recovery code do not", async () => {
  const [enrolled] = await enrolTwice();
  const { caller } = enrolled;
  const right = await rightCode(enrolled);
  assertEquals((await stepUp(caller, right)).status, 200);
  assertRefused(await stepUp(caller, right), "STEP_UP_REQUIRED");
  assertEquals((await stateOf(caller)).wrongCodes, 1);
  assertRefused(await stepUp(caller), "SECOND_FACTOR_REQUIRED");
  assertRefused(await stepUp(caller, { recoveryCode: "ABCDEF" }), "STEP_UP_REQUIRED");
  const code = await wrongCode(enrolled.authenticator, world().now());
  assertRefused(await stepUp(caller, { password: "not it", code }), "STEP_UP_REQUIRED");
  assertEquals((await stateOf(caller)).wrongCodes, 1);
});

Deno.test("A rejected right code leaves what a wrong one leaves", async () => {
  const [enrolled] = await enrolTwice();
  const { caller } = enrolled;
  await countWrongCodes(world(), enrolled, WRONG_CODES_LIMIT);
  const left = async (sent: Json) => {
    world().advance(1000);
    await world().raw("delete from access_attempts");
    assertRefused(await login(world(), enrolled, sent, newPeer()), "AUTH_REQUIRED");
    return {
      events: await world().rows(`
        select event from access_events where account_id = '${caller.accountId}'
           and created_at = '${world().now().toISOString()}'`),
      attempts: await world().rows("select succeeded from access_attempts"),
      factor: await world().rows(`
        select last_step, wrong_codes from second_factors where account_id = '${caller.accountId}'`),
    };
  };
  const wrong = { code: await wrongCode(enrolled.authenticator, world().now()) };
  assertEquals(await left(await rightCode(enrolled)), await left(wrong));
});

Deno.test("The access events say once that codes are rejected", async () => {
  const [enrolled] = await enrolTwice();
  await sendWrongCodes(world(), enrolled, WRONG_CODES_LIMIT + 3);
  const events = await factorEvents(world(), enrolled.caller);
  assertEquals(events.filter((event) => event === "SECOND_FACTOR_LOCKED null").length, 1);
  assertEquals(events.filter((event) => event === "SECOND_FACTOR_FAILED null").length, 23);
});

Deno.test("A new authenticator starts without wrong codes", async () => {
  const [enrolled] = await enrolTwice();
  await countWrongCodes(world(), enrolled, WRONG_CODES_LIMIT);
  const renewed = await enrol(world(), enrolled.caller);
  assertEquals((await stateOf(renewed.caller)).locked, false);
  world().advance(STEP);
  assertEquals((await login(world(), renewed, await rightCode(renewed))).status, 200);
});
