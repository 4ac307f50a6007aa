/** Turning the second factor on and off; second_factor_login_test.ts covers its use. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { makeToken, proofOf } from "../support/tokens.ts";
import { type Caller, callerOf, fileWorld, type Json } from "../support/world.ts";
import { assertRefused, AUTH, givePassword } from "./access.ts";
import { assertInvalid } from "./kernel.ts";
import {
  Authenticator,
  begin,
  change,
  changePassword,
  changeProof,
  CHANGES,
  confirm,
  enrol,
  factorEvents,
  isOn,
  login,
  STEP,
  stepUp,
  TOTP,
} from "./second_factor.ts";

// Not shared: its tests move the clock.
const world = fileWorld();

const MINUTE = 60_000;
const TABLES = ["pending_second_factors", "second_factors", "recovery_codes"];

async function rowsOf({ accountId }: Caller): Promise<number[]> {
  const counted = await Promise.all(TABLES.map((table) =>
    world().rows(
      `select count(*)::integer as rows from ${table} where account_id = '${accountId}'`,
    )
  ));
  return counted.map(([{ rows }]: Json) => rows);
}

async function secondSession(caller: Caller): Promise<Caller> {
  await givePassword(world(), caller);
  const email = `${caller.accountId}@example.org`;
  const { session, accessToken } = (await login(world(), { email })).body.data;
  return callerOf(world().app, { ...caller, sessionId: session.sessionId, secret: accessToken });
}

Deno.test("Confirming a secret with a code turns the second factor on and returns recovery codes", async () => {
  const caller = await world().createCaller();
  const headers = await changeProof(world(), caller);
  const begun = await caller.call("POST", TOTP, { headers });
  assertEquals([begun.status, Object.keys(begun.body.data)], [200, ["secret", "uri"]], begun.text);
  const { secret, uri } = begun.body.data;
  assertMatch(secret, /^[A-Z2-7]{32}$/);
  assertEquals(new URL(uri).searchParams.get("secret"), secret);
  const authenticator = new Authenticator(uri);
  assertEquals(authenticator.issuer, "Personal Records records.example");
  assertEquals(authenticator.account, `${caller.accountId}@example.org`);
  assertEquals([await isOn(caller), await rowsOf(caller)], [false, [1, 0, 0]]);

  const confirmed = await confirm(caller, await authenticator.codeAt(world().now()));
  assertEquals(confirmed.status, 200, confirmed.text);
  const { enabledAt, recoveryCodes, ...rest } = confirmed.body.data;
  assertEquals([enabledAt, rest], [world().now().toISOString(), {}]);
  assertEquals([recoveryCodes.length, new Set(recoveryCodes).size], [10, 10]);
  assertEquals([await isOn(caller), await rowsOf(caller)], [true, [0, 1, 10]]);
  assertEquals(await factorEvents(world(), caller), ["SECOND_FACTOR_ENABLED SESSION"]);
  const { token } = await makeToken(world(), caller);
  assert(await isOn(callerOf(world().app, { ...caller, secret: token })));
});

Deno.test("The issuer identifies the installation, also one without a name", async () => {
  const owner = await world().createCaller();
  const hosts = {
    "http://[::1]:8000": "[..1]",
    "http://localhost:8000": "localhost",
  };
  for (const [publicOrigin, host] of Object.entries(hosts)) {
    const caller = callerOf(
      world().again({ publicOrigin, allowedHosts: ["records.example"] }),
      owner,
    );
    const { issuer } = await begin(world(), caller);
    assertEquals(issuer, `Personal Records ${host}`);
  }
});

Deno.test("Every change requires its own proof: purpose, session and account, once", async () => {
  const { caller } = await enrol(world());
  const stranger = (await enrol(world())).caller;
  const other = await world().createCaller();
  const before = await rowsOf(caller);
  for (const path of CHANGES) {
    const spent = await changeProof(world(), other);
    assertEquals((await other.call("POST", TOTP, { headers: spent })).status, 200);
    const wrong = [
      {},
      { "Step-Up-Proof": "" },
      await proofOf(world(), caller, "TOKEN_CREATE"),
      await proofOf(world(), caller, "SECOND_FACTOR_CHANGE", caller.sessionId),
      await changeProof(world(), stranger),
      spent,
    ];
    for (const headers of wrong) {
      const response = await caller.call("POST", `${TOTP}${path}`, { headers });
      assertRefused(response, "STEP_UP_REQUIRED", `${path} ${JSON.stringify(headers)}`);
    }
    const bare = callerOf(world().again({ stepUp: null }), caller);
    assertRefused(await change(world(), bare, path), "STEP_UP_REQUIRED");
  }
  assertEquals(await rowsOf(caller), before);
  const targeted = await stepUp(other, { targetId: other.sessionId });
  assertInvalid(targeted, ["step_up.no_target"], ["targetId"]);
});

Deno.test("A pending secret ends after ten minutes, to the millisecond", async () => {
  const caller = await world().createCaller();
  for (const [wait, status] of [[10 * MINUTE, 409], [10 * MINUTE - 1, 200]] as const) {
    const authenticator = await begin(world(), caller);
    world().advance(wait);
    const response = await confirm(caller, await authenticator.codeAt(world().now()));
    assertEquals(response.status, status, `${wait}`);
    if (status === 409) assertRefused(response, "SECOND_FACTOR_STATE_CONFLICT");
  }
});

Deno.test("Only the newest pending secret, of its own session, is confirmed, once", async () => {
  const caller = await world().createCaller();
  const other = await secondSession(caller);
  assertRefused(await confirm(caller, "123456"), "SECOND_FACTOR_STATE_CONFLICT");
  const first = await begin(world(), caller);
  const second = await begin(world(), caller);
  const code = (of: Authenticator) => of.codeAt(world().now());
  assertInvalid(await confirm(caller, await code(first)), ["second_factor.code"], ["code"]);
  assertRefused(await confirm(other, await code(second)), "SECOND_FACTOR_STATE_CONFLICT");
  assertEquals((await confirm(caller, await code(second))).status, 200);
  assertRefused(await confirm(caller, await code(second)), "SECOND_FACTOR_STATE_CONFLICT");
  assertEquals(await factorEvents(world(), caller), [
    "SECOND_FACTOR_ENABLED SESSION",
    "SECOND_FACTOR_FAILED SESSION",
  ]);
});

Deno.test("A new password ends a pending secret and keeps the factor", async () => {
  const { caller, recoveryCodes: [recoveryCode] } = await enrol(world());
  const authenticator = await begin(world(), caller);
  const changed = await changePassword(world(), caller, { recoveryCode });
  assertEquals(changed.status, 200, changed.text);
  const response = await confirm(caller, await authenticator.codeAt(world().now()));
  assertRefused(response, "SECOND_FACTOR_STATE_CONFLICT");
  assertEquals([await isOn(caller), await rowsOf(caller)], [true, [0, 1, 10]]);
});

Deno.test("A proof from before the factor was on is invalid, because it required no code", async () => {
  const caller = await world().createCaller();
  const other = await secondSession(caller);
  const early = [await changeProof(world(), other), await proofOf(world(), other, "TOKEN_CREATE")];
  await enrol(world(), caller);
  const body = { name: "Mine", permissions: ["record.read"] };
  assertRefused(
    await other.call("POST", `${TOTP}/disable`, { headers: early[0] ?? {} }),
    "STEP_UP_REQUIRED",
  );
  assertRefused(
    await other.call("POST", `${AUTH}/tokens`, { body, headers: early[1] ?? {} }),
    "STEP_UP_REQUIRED",
  );
  assert(await isOn(caller));
});

Deno.test("Turning the factor off removes its codes and pending secret", async () => {
  const { caller, email, recoveryCodes } = await enrol(world());
  const pending = await begin(world(), caller);
  assertRefused(await login(world(), { email }), "SECOND_FACTOR_REQUIRED");
  const disabled = await change(world(), caller, "/disable");
  assertEquals([disabled.status, disabled.body.data], [200, { secondFactor: false }]);
  assertEquals([await isOn(caller), await rowsOf(caller)], [false, [0, 0, 0]]);
  assertEquals((await login(world(), { email })).status, 200);
  const late = await confirm(caller, await pending.codeAt(world().now()));
  assertRefused(late, "SECOND_FACTOR_STATE_CONFLICT");

  // Without a factor nothing changes, and the proof stays valid.
  const headers = await changeProof(world(), caller);
  for (const path of ["/disable", "/recovery-codes"]) {
    const response = await caller.call("POST", `${TOTP}${path}`, { headers });
    assertRefused(response, "SECOND_FACTOR_STATE_CONFLICT", path);
  }
  assertEquals((await caller.call("POST", TOTP, { headers })).status, 200);

  // New codes after turning it on again.
  const again = await enrol(world(), caller);
  const [recoveryCode = ""] = recoveryCodes;
  assertRefused(await login(world(), { email }, { recoveryCode }), "AUTH_REQUIRED");
  assertEquals(again.recoveryCodes.some((code) => recoveryCodes.includes(code)), false);
  assertEquals(await factorEvents(world(), caller), [
    "SECOND_FACTOR_DISABLED SESSION",
    "SECOND_FACTOR_ENABLED SESSION",
    "SECOND_FACTOR_ENABLED SESSION",
    "SECOND_FACTOR_FAILED null",
    "SECOND_FACTOR_REQUIRED null",
  ]);
});

Deno.test("New recovery codes replace all old ones", async () => {
  const enrolled = await enrol(world());
  const { caller, recoveryCodes: [used = "", unused = ""] } = enrolled;
  assertEquals((await login(world(), enrolled, { recoveryCode: used })).status, 200);
  const response = await change(world(), caller, "/recovery-codes");
  assertEquals([response.status, Object.keys(response.body.data)], [200, ["recoveryCodes"]]);
  const { recoveryCodes } = response.body.data;
  assertEquals([recoveryCodes.length, await rowsOf(caller)], [10, [0, 1, 10]]);
  for (const recoveryCode of [used, unused]) {
    assertRefused(await login(world(), enrolled, { recoveryCode }), "AUTH_REQUIRED");
  }
  const [recoveryCode] = recoveryCodes;
  assertEquals((await login(world(), enrolled, { recoveryCode })).status, 200);
  assertEquals(await factorEvents(world(), caller), [
    "RECOVERY_CODES_REPLACED SESSION",
    "RECOVERY_CODE_USED null",
    "RECOVERY_CODE_USED null",
    "SECOND_FACTOR_ENABLED SESSION",
    "SECOND_FACTOR_FAILED null",
    "SECOND_FACTOR_FAILED null",
  ]);
});

Deno.test("A new authenticator replaces the current one when its code is confirmed", async () => {
  const enrolled = await enrol(world());
  const { caller, authenticator } = enrolled;
  const next = await begin(world(), caller);
  world().advance(STEP);
  const code = () => authenticator.codeAt(world().now());
  assertEquals((await login(world(), enrolled, { code: await code() })).status, 200);
  const confirmed = await confirm(caller, await next.codeAt(world().now()));
  assertEquals(confirmed.status, 200, confirmed.text);
  assertNotEquals(confirmed.body.data.recoveryCodes, enrolled.recoveryCodes);
  assertEquals(await rowsOf(caller), [0, 1, 10]);
  world().advance(STEP);
  assertRefused(await login(world(), enrolled, { code: await code() }), "AUTH_REQUIRED");
  const fresh = await next.codeAt(world().now());
  assertEquals((await login(world(), enrolled, { code: fresh })).status, 200);
});
