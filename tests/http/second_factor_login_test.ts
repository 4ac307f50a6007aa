/** The second factor at sign-in, step-up and password change. */

import { assert, assertEquals } from "@std/assert";
import { makeToken } from "../support/tokens.ts";
import {
  type Caller,
  callerOf,
  fileWorld,
  type Json,
  type TestResponse,
} from "../support/world.ts";
import { assertRefused, AUTH, disable, PASSWORD } from "./access.ts";
import { assertInvalid } from "./kernel.ts";
import {
  begin,
  change,
  changePassword,
  changeProof,
  CHANGES,
  confirm,
  enrol,
  type Enrolled,
  factorEvents,
  isOn,
  login,
  STEP,
  stepUp,
  TOTP,
  wrongCode,
} from "./second_factor.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld();

// Not shared: its tests move the clock.
const world = fileWorld();

const WRONG = "not the password, surely";
const WINDOW_SECONDS = 15 * 60;

/** A step without used codes. */
function nextStep(): void {
  world().advance(STEP);
}

/** Steps from now. */
function codeOf({ authenticator }: Enrolled, steps = 0): Promise<string> {
  return authenticator.codeAt(new Date(world().now().getTime() + steps * STEP));
}

/** With their errors for a wrong password or code. */
const WAYS: Readonly<
  Record<string, {
    readonly send: (enrolled: Enrolled, more?: Json) => Promise<TestResponse>;
    readonly refusal: "AUTH_REQUIRED" | "STEP_UP_REQUIRED";
  }>
> = {
  "Sign-in": {
    send: (enrolled, more) => login(enrolled.caller, enrolled, more),
    refusal: "AUTH_REQUIRED",
  },
  "Step-up": { send: ({ caller }, more) => stepUp(caller, more), refusal: "STEP_UP_REQUIRED" },
  "A change of password": {
    send: ({ caller }, more) => changePassword(world(), caller, more),
    refusal: "STEP_UP_REQUIRED",
  },
};

for (const [name, { send, refusal }] of Object.entries(WAYS)) {
  Deno.test(`${name} requires the second factor only after the right password`, async () => {
    const enrolled = await enrol(world());
    nextStep();
    const code = await codeOf(enrolled);
    const [recoveryCode = ""] = enrolled.recoveryCodes;
    assertRefused(await send(enrolled), "SECOND_FACTOR_REQUIRED");
    for (const more of [{}, { code }, { recoveryCode }]) {
      assertRefused(await send(enrolled, { ...more, password: WRONG }), refusal);
    }
    assertRefused(
      await send(enrolled, { code: await wrongCode(enrolled.authenticator, world().now()) }),
      refusal,
    );
    assertRefused(await send(enrolled, { recoveryCode: "ABCDEF" }), refusal);
    assertEquals((await send(enrolled, { code })).status, 200, "no refusal spent it");
    assertEquals((await send(enrolled, { recoveryCode })).status, 200, "no refusal spent it");
  });

  Deno.test(`${name} accepts each code once, from one step early to one step late`, async () => {
    const enrolled = await enrol(world());
    // The last millisecond of a step.
    world().advance(10 * STEP - world().now().getTime() % STEP - 1);
    assertRefused(await send(enrolled, { code: await codeOf(enrolled, -2) }), refusal);
    assertRefused(await send(enrolled, { code: await codeOf(enrolled, 2) }), refusal);
    for (const steps of [-1, 0, 1]) {
      const code = await codeOf(enrolled, steps);
      assertEquals((await send(enrolled, { code })).status, 200, `${steps}`);
      assertRefused(await send(enrolled, { code }), refusal, `${steps} again`);
    }
    // Codes older than a used one are rejected.
    assertRefused(await send(enrolled, { code: await codeOf(enrolled, 0) }), refusal);

    const code = await codeOf(enrolled, 2);
    world().advance(3 * STEP);
    assertEquals((await send(enrolled, { code })).status, 200, "at its last millisecond");
    const late = await codeOf(enrolled, 0);
    world().advance(STEP + 1);
    assertRefused(await send(enrolled, { code: late }), refusal);
  });

  Deno.test(`${name} accepts each recovery code once, in any spelling`, async () => {
    const enrolled = await enrol(world());
    const stranger = await enrol(world());
    const [first = "", second = ""] = enrolled.recoveryCodes;
    const spelt = first.toLowerCase().replaceAll("-", " ");
    assertEquals((await send(enrolled, { recoveryCode: spelt })).status, 200);
    for (const recoveryCode of [first, spelt, stranger.recoveryCodes[0] ?? ""]) {
      assertRefused(await send(enrolled, { recoveryCode }), refusal);
    }
    assertEquals((await send(enrolled, { recoveryCode: second })).status, 200);
    assert(await isOn(enrolled.caller), "recovery does not turn it off");
  });

  Deno.test(`${name} accepts either a code or a recovery code, in its form`, async () => {
    const enrolled = await enrol(world());
    const code = await wrongCode(enrolled.authenticator, world().now());
    const both = await send(enrolled, { code, recoveryCode: "A" });
    assertInvalid(both, ["second_factor.one_of"], ["code", "recoveryCode"]);
    for (const odd of ["12345", "1234567", "12345a", "１２３４５６", " 12345", "123456\n", ""]) {
      assertInvalid(await send(enrolled, { code: odd }), ["field.format"], ["code"], odd);
    }
    for (const odd of [123456, null, ["123456"]]) {
      assertInvalid(await send(enrolled, { code: odd }), ["field.type"], ["code"]);
    }
    const long = await send(enrolled, { recoveryCode: "A".repeat(101) });
    assertInvalid(long, ["field.length"], ["recoveryCode"]);
  });

  Deno.test(`${name} without a second factor ignores codes`, async () => {
    const enrolled = await enrol(world());
    assertEquals((await change(world(), enrolled.caller, "/disable")).status, 200);
    for (const more of [{}, { code: "123456" }, { recoveryCode: "A" }]) {
      assertEquals((await send(enrolled, more)).status, 200);
    }
  });

  Deno.test(`${name} accepts a recovery code under another server secret, and no code`, async () => {
    const enrolled = await enrol(world());
    nextStep();
    const serverSecret = new TextEncoder().encode("the secret of another installation");
    const caller = callerOf(world().again({ serverSecret }), enrolled.caller);
    const elsewhere = (more: Json = {}) => send({ ...enrolled, caller }, more);
    assertRefused(await elsewhere({ code: await codeOf(enrolled) }), refusal);
    assertRefused(await elsewhere(), "SECOND_FACTOR_REQUIRED");
    const [recoveryCode = ""] = enrolled.recoveryCodes;
    assertEquals((await elsewhere({ recoveryCode })).status, 200);
  });
}

Deno.test("A code works for one of sign-in, step-up and confirmation", async () => {
  const enrolled = await enrol(world());
  const { caller } = enrolled;
  const confirmed = await codeOf(enrolled);
  assertRefused(await login(world(), enrolled, { code: confirmed }), "AUTH_REQUIRED");
  nextStep();
  const code = await codeOf(enrolled);
  assertEquals((await login(world(), enrolled, { code })).status, 200);
  assertRefused(await stepUp(caller, { code }), "STEP_UP_REQUIRED");
});

Deno.test("A stolen session and the password without a code cannot change the account", async () => {
  const enrolled = await enrol(world());
  nextStep();
  const code = await codeOf(enrolled);
  const signedIn = await login(world(), enrolled, { code });
  const { session, accessToken } = signedIn.body.data;
  const thief = callerOf(world().app, enrolled.caller);
  const owner = callerOf(world().app, {
    ...enrolled.caller,
    sessionId: session.sessionId,
    secret: accessToken,
  });
  const { token } = await makeToken(world(), owner);
  const authenticator = await begin(world(), owner);
  for (const more of [{}, { code }, { recoveryCode: "ABCDEF" }]) {
    const refused = await changePassword(world(), thief, more);
    assert([401, 403].includes(refused.status), refused.text);
  }
  const headers = { Authorization: `Bearer ${token}` };
  assertEquals((await world().call("GET", "/api/v2/records/commitment", { headers })).status, 200);
  assertRefused(
    await login(world(), enrolled),
    "SECOND_FACTOR_REQUIRED",
    "the password is as it was",
  );
  nextStep();
  const confirmed = await confirm(owner, await authenticator.codeAt(world().now()));
  assertEquals(confirmed.status, 200, "the session and its pending secret are there");
});

Deno.test("A proof that required a code turns the factor off", async () => {
  const enrolled = await enrol(world());
  const { caller } = enrolled;
  nextStep();
  const { proof } = (await stepUp(caller, { code: await codeOf(enrolled) })).body.data;
  const headers = { "Step-Up-Proof": proof };
  assertEquals((await caller.call("POST", `${TOTP}/disable`, { headers })).status, 200);
  assertEquals(await isOn(caller), false);
});

Deno.test("A personal access token needs no code", async () => {
  const { caller } = await enrol(world());
  const { token } = await makeToken(world(), caller);
  const headers = { Authorization: `Bearer ${token}` };
  assertEquals((await world().call("GET", "/api/v2/records/commitment", { headers })).status, 200);
});

Deno.test("A disabled account is not asked for a code", async () => {
  const enrolled = await enrol(world());
  nextStep();
  await disable(world(), { email: enrolled.email, password: PASSWORD });
  for (const more of [{}, { code: await codeOf(enrolled) }, { recoveryCode: "A" }]) {
    assertRefused(await login(world(), enrolled, more), "AUTH_REQUIRED");
  }
});

Deno.test("Every use with the right password leaves its event, with its session", async () => {
  const enrolled = await enrol(world());
  const { caller } = enrolled;
  const [first, second] = enrolled.recoveryCodes;
  await login(world(), enrolled, { password: WRONG, code: "123456" });
  await login(world(), enrolled);
  await login(world(), enrolled, { code: await wrongCode(enrolled.authenticator, world().now()) });
  await login(world(), enrolled, { recoveryCode: first });
  await stepUp(caller);
  await stepUp(caller, { code: await wrongCode(enrolled.authenticator, world().now()) });
  await stepUp(caller, { recoveryCode: second });
  const expected = [
    "SECOND_FACTOR_ENABLED SESSION",
    "SECOND_FACTOR_REQUIRED null",
    "SECOND_FACTOR_FAILED null",
    "RECOVERY_CODE_USED null",
    "SECOND_FACTOR_REQUIRED SESSION",
    "SECOND_FACTOR_FAILED SESSION",
    "RECOVERY_CODE_USED SESSION",
  ];
  assertEquals(await factorEvents(world(), caller), expected.sort());
  const trail = await caller.call("GET", "/api/v2/audit?kind=access");
  for (const word of [...enrolled.recoveryCodes, enrolled.email]) {
    assertEquals(trail.text.includes(word), false);
  }
});

/** Asserts a 429 for a quarter of an hour. */
function assertThrottled(response: TestResponse): void {
  assertRefused(response, "HTTP_429");
  assertEquals(response.headers.get("Retry-After"), String(WINDOW_SECONDS));
}

Deno.test("Wrong codes, recovery codes and passwords share a limit, in all processes", async () => {
  const own = apart();
  const enrolled = await enrol(own);
  own.advance(STEP);
  const peer = "192.0.2.1";
  const caller = callerOf(own.again(), enrolled.caller);
  const code = await wrongCode(enrolled.authenticator, own.now());
  const wrong: readonly (() => Promise<TestResponse>)[] = [
    () => login(own, enrolled, { code }, peer),
    () => login(own, enrolled, { recoveryCode: "ABCDEF" }, peer),
    () => stepUp(caller, { code }, peer),
    () => stepUp(caller, { recoveryCode: "ABCDEF" }, peer),
    () => login(own, enrolled, { password: WRONG }, peer),
  ];
  for (const guess of [...wrong, ...wrong]) assert([401, 403].includes((await guess()).status));
  const right = await enrolled.authenticator.codeAt(own.now());
  assertThrottled(await login(own, enrolled, { code: right }, peer));
  assertThrottled(await stepUp(caller, { code: right }, peer));
  assertThrottled(await login(own, enrolled, {}, peer));
  assertEquals((await login(own, enrolled, { code: right }, "192.0.2.2")).status, 200);
});

Deno.test("Wrong codes for a pending secret are limited too", async () => {
  const own = apart();
  const { caller } = await enrol(own);
  const authenticator = await begin(own, caller);
  const right = await authenticator.codeAt(own.now());
  const code = await wrongCode(authenticator, own.now());
  const peer = "192.0.2.1";
  for (let guess = 1; guess <= 10; guess++) {
    assertInvalid(await confirm(caller, code, peer), ["second_factor.code"], ["code"]);
  }
  assertThrottled(await confirm(caller, right, peer));
  assertEquals((await confirm(caller, right, "192.0.2.2")).status, 200);
});

Deno.test("A right password without a code neither counts as a failure nor makes an address known", async () => {
  const own = apart();
  const enrolled = await enrol(own);
  const peer = "192.0.2.1";
  await own.raw("delete from access_attempts");
  for (let round = 1; round <= 12; round++) {
    assertRefused(await login(own, enrolled, {}, peer), "SECOND_FACTOR_REQUIRED");
  }
  assertRefused(await stepUp(enrolled.caller, {}, peer), "SECOND_FACTOR_REQUIRED");
  assertRefused(await confirm(enrolled.caller, "123456", peer), "SECOND_FACTOR_STATE_CONFLICT");
  assertEquals(await own.rows("select 1 from access_attempts"), []);
});

Deno.test("A stolen session without the password cannot change the factor", async () => {
  const enrolled = await enrol(world());
  const thief: Caller = callerOf(world().app, enrolled.caller);
  nextStep();
  const code = await codeOf(enrolled);
  for (const more of [{ code }, { recoveryCode: enrolled.recoveryCodes[0] }, {}]) {
    assertRefused(await stepUp(thief, { ...more, password: WRONG }), "STEP_UP_REQUIRED");
  }
  for (const path of CHANGES) {
    assertRefused(await thief.call("POST", `${TOTP}${path}`), "STEP_UP_REQUIRED", path);
  }
  assertRefused(await confirm(thief, code), "SECOND_FACTOR_STATE_CONFLICT");
  // Nor the password without the factor.
  assertRefused(await stepUp(thief), "SECOND_FACTOR_REQUIRED");
  const ended = await changeProof(world(), enrolled.caller);
  assertEquals((await thief.call("POST", `${AUTH}/logout`)).status, 200);
  const late = await thief.call("POST", `${TOTP}/disable`, { headers: ended });
  assertRefused(late, "AUTH_REQUIRED");
});
