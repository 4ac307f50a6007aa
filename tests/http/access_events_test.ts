/** Each event once, without values. */

import { assertEquals } from "@std/assert";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { type Caller, callerOf, createWorld, type Json, sharedWorld } from "../support/world.ts";
import { AUTH, PASSWORD, register } from "./access.ts";

const world = sharedWorld();
const NEW_PASSWORD = "a new password, long enough";

async function eventsOf(caller: Caller): Promise<Json[]> {
  const response = await caller.call("GET", "/api/v2/audit?kind=access");
  assertEquals(response.status, 200, response.text);
  return response.body.data.items;
}

Deno.test("Each access event of an account is in its trail once, with its request", async () => {
  const known = await register(world());
  const requestId = (name: string) => ({ "X-Request-Id": name });
  const login = async (name: string, password = known.password) =>
    await world().call("POST", `${AUTH}/login`, {
      body: { ...known, password, transport: "bearer" },
      headers: requestId(name),
    });
  assertEquals((await login("login-wrong", "not the password")).status, 401);
  const first = (await login("login-first")).body.data;
  const second = (await login("login-second")).body.data;
  const caller = callerOf(world().app, {
    accountId: first.account.accountId,
    sessionId: first.session.sessionId,
    secret: first.accessToken,
  });
  const send = async (name: string, path: string, body?: Json, proof = "") => {
    const response = await caller.call("POST", `${AUTH}/${path}`, {
      body,
      headers: { ...requestId(name), "Step-Up-Proof": proof },
    });
    return response.body.data;
  };
  const purpose = "TOKEN_CREATE";
  await send("step-up-wrong", "step-up", { password: "not the password", purpose });
  const { proof } = await send("step-up-right", "step-up", { password: PASSWORD, purpose });
  const wanted = { name: "A script", permissions: ["record.read"] };
  const token = await send("token-create", "tokens", wanted, proof);
  await send("token-revoke", `tokens/${token.tokenId}/revoke`);
  await send("password-change", "password", {
    currentPassword: PASSWORD,
    newPassword: NEW_PASSWORD,
  });
  const third = (await login("login-third", NEW_PASSWORD)).body.data;
  await send("session-revoke", `sessions/${third.session.sessionId}/revoke`);

  // Events of one time have no order.
  const sorted = (events: readonly Json[]) => events.map((event) => event.join(" ")).sort();
  const session = (data: Json) => ["SESSION", data.session.sessionId];
  const events = await eventsOf(caller);
  const found = events.map((
    item,
  ) => [item.event, item.requestId, item.credentialKind, item.credentialId]);
  const created = events.find((item) => item.event === "ACCOUNT_CREATED")?.requestId;
  assertEquals(
    sorted(found),
    sorted([
      ["ACCOUNT_CREATED", created, null, null],
      ["LOGIN_FAILED", "login-wrong", null, null],
      ["LOGIN", "login-first", ...session(first)],
      ["LOGIN", "login-second", ...session(second)],
      ["TOKEN_CREATED", "token-create", "TOKEN", token.tokenId],
      ["STEP_UP_FAILED", "step-up-wrong", null, null],
      ["STEP_UP", "step-up-right", ...session(first)],
      ["TOKEN_REVOKED", "token-revoke", "TOKEN", token.tokenId],
      ["SESSION_REVOKED", "password-change", ...session(second)],
      ["PASSWORD_CHANGED", "password-change", ...session(first)],
      ["LOGIN", "login-third", ...session(third)],
      ["SESSION_REVOKED", "session-revoke", ...session(third)],
    ]),
  );
  const text = JSON.stringify(events);
  for (const word of [known.email, "A script", PASSWORD, "prs_"]) {
    assertEquals(text.includes(word), false, word);
  }
});

Deno.test("A failed login with an unknown email leaves an event without an account", async () => {
  const count = async () =>
    (await world().rows("select count(*)::integer as count from access_events"))[0].count;
  const before = await count();
  const body = { email: "nobody@example.org", password: "whatever it may be" };
  assertEquals((await world().call("POST", `${AUTH}/login`, { body })).status, 401);
  assertEquals(await count(), before + 1);
  const [row] = await world().rows(
    "select account_id, event from access_events where account_id ~ '^0+$'",
  );
  assertEquals(row, { account_id: "0".repeat(26), event: "LOGIN_FAILED" });
});

Deno.test("Failed logins leave one event per minute for unknown emails, and one each for an account", async () => {
  const passwords = new PasswordHasher({ cost: { N: 2 ** 4, r: 8, p: 1 } });
  await using own = await createWorld({ passwords });
  const known = await register(own, await passwords.hash(PASSWORD, "known"));
  const fail = async (email: string) => {
    const body = { email, password: "whatever it may be" };
    assertEquals((await own.call("POST", `${AUTH}/login`, { body })).status, 401);
  };
  const counts = async () => {
    const [row] = await own.rows(`
      select count(*) filter (where account_id ~ '^0+$')::integer as unknown,
             count(*) filter (where account_id !~ '^0+$')::integer as known
        from access_events where event = 'LOGIN_FAILED'`);
    return [row.unknown, row.known];
  };
  for (let guess = 1; guess <= 8; guess++) await fail(`${guess}@example.org`);
  assertEquals(await counts(), [1, 0]);
  for (let guess = 1; guess <= 3; guess++) await fail(known.email);
  assertEquals(await counts(), [1, 3]);
  own.advance(60_000);
  await fail("9@example.org");
  assertEquals(await counts(), [1, 3], "sixty seconds after the first");
  own.advance(1);
  for (let guess = 10; guess <= 13; guess++) await fail(`${guess}@example.org`);
  assertEquals(await counts(), [2, 3]);
});

Deno.test("POST logout leaves its event once", async () => {
  const caller = await world().createCaller();
  await caller.call("POST", `${AUTH}/logout`);
  await caller.call("POST", `${AUTH}/logout`);
  const events = await world().rows(
    `select event, credential_id from access_events where account_id = '${caller.accountId}'`,
  );
  assertEquals([...events], [{ event: "LOGOUT", credential_id: caller.sessionId }]);
});
