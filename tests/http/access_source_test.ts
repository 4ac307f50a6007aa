/** Sources of sessions and access events, without addresses. */

import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { disableAccount } from "../../src/accounts/administration.ts";
import { makeToken } from "../support/tokens.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  fileWorld,
  type Json,
  sharedWorld,
} from "../support/world.ts";
import { AUTH, type Login, PASSWORD, register } from "./access.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld();

const world = sharedWorld();

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:127.0) Gecko/20100101 Firefox/127.0 secret-word";
const HERE = "192.0.2.17";
const THERE = "198.51.100.23";
const DIGEST = /^[0-9a-f]{16}$/;

async function signIn(
  known: Login,
  peer?: string,
  userAgent?: string,
): Promise<{ caller: Caller; session: Json }> {
  const headers = { ...(userAgent !== undefined && { "User-Agent": userAgent }) };
  const body = { ...known, transport: "bearer" };
  const response = await world().call("POST", `${AUTH}/login`, {
    body,
    headers,
    ...(peer && { peer }),
  });
  assertEquals(response.status, 200, response.text);
  const { account: { accountId }, session, accessToken: secret } = response.body.data;
  return {
    caller: callerOf(world().app, { accountId, sessionId: session.sessionId, secret }),
    session,
  };
}

async function eventsOf(caller: Caller): Promise<Json[]> {
  return (await caller.call("GET", "/api/v2/audit?kind=access")).body.data.items;
}

Deno.test("Sessions and access events distinguish addresses, and client families and systems", async () => {
  const known = await register(world());
  const { caller, session } = await signIn(known, HERE, FIREFOX);
  const { session: again } = await signIn(known, HERE, "curl/8.5.0");
  const { session: other } = await signIn(known, THERE, "");
  const { session: unknown } = await signIn(known);

  assertMatch(session.addressDigest, DIGEST);
  assertEquals(again.addressDigest, session.addressDigest);
  assertMatch(other.addressDigest, DIGEST);
  assertNotEquals(other.addressDigest, session.addressDigest);
  assertEquals(unknown.addressDigest, null);
  const sessions = [session, again, other, unknown];
  const clients = ["Firefox on Windows", "curl", "unknown", "unknown"];
  assertEquals(sessions.map(({ client }) => client), clients);

  const shown = (items: readonly Json[], id: string) =>
    items.map((item) => [item[id], item.addressDigest, item.client]).sort();
  const { items } = (await caller.call("GET", `${AUTH}/sessions`)).body.data;
  assertEquals(shown(items, "sessionId"), shown(sessions, "sessionId"));
  const logins = (await eventsOf(caller)).filter(({ event }) => event === "LOGIN");
  assertEquals(shown(logins, "credentialId"), shown(sessions, "sessionId"));
});

Deno.test("Every event of a request has its source, failed ones too", async () => {
  const known = await register(world());
  const { caller: { accountId, sessionId, secret }, session } = await signIn(known, HERE, FIREFOX);
  const caller: Caller = {
    ...callerOf(world().app, { accountId, sessionId, secret }),
    call: (method, path, options = {}) =>
      world().call(method, path, {
        ...options,
        headers: {
          Authorization: `Bearer ${secret}`,
          "User-Agent": FIREFOX,
          ...options.headers,
        },
        peer: HERE,
      }),
  };
  const wrong = { ...known, password: "not the password" };
  await world().call("POST", `${AUTH}/login`, {
    body: wrong,
    peer: HERE,
    headers: { "User-Agent": FIREFOX },
  });
  const { tokenId } = await makeToken(world(), caller);
  await caller.call("POST", `${AUTH}/tokens/${tokenId}/revoke`);
  const purpose = "TOKEN_CREATE";
  await caller.call("POST", `${AUTH}/step-up`, { body: { password: PASSWORD, purpose } });
  await caller.call("POST", `${AUTH}/step-up`, { body: { password: "wrong", purpose } });
  const { caller: second } = await signIn(known, HERE, FIREFOX);
  await caller.call("POST", `${AUTH}/sessions/${second.sessionId}/revoke`);
  await signIn(known, HERE, FIREFOX);
  await caller.call("POST", `${AUTH}/sessions/revoke-others`);
  const passwords = { currentPassword: PASSWORD, newPassword: "a new password, long enough" };
  await caller.call("POST", `${AUTH}/password`, { body: passwords });

  const events = (await eventsOf(caller)).filter(({ event }) => event !== "ACCOUNT_CREATED");
  const { addressDigest } = session;
  for (const item of events) {
    const { event } = item;
    const expected = { event, addressDigest, client: "Firefox on Windows" };
    assertEquals({ event, addressDigest: item.addressDigest, client: item.client }, expected);
  }
  const names = new Set(events.map(({ event }) => event));
  assertEquals([...names].sort(), [
    "LOGIN",
    "LOGIN_FAILED",
    "PASSWORD_CHANGED",
    "SESSION_REVOKED",
    "STEP_UP",
    "STEP_UP_FAILED",
    "TOKEN_CREATED",
    "TOKEN_REVOKED",
  ]);
});

Deno.test("Addresses of one IPv6 network share a digest", async () => {
  const known = await register(world());
  const peers = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"];
  const digests = [];
  for (const peer of peers) digests.push((await signIn(known, peer)).session.addressDigest);
  assertEquals(digests[0], digests[1]);
  assertNotEquals(digests[0], digests[2]);
});

Deno.test("An address has another digest under another server secret", async () => {
  await using own = await createWorld({ serverSecret: new TextEncoder().encode("another secret") });
  const body = { ...await register(own), transport: "bearer" };
  const response = await own.call("POST", `${AUTH}/login`, { body, peer: HERE });
  const { session } = await signIn(await register(world()), HERE);
  assertMatch(response.body.data.session.addressDigest, DIGEST);
  assertNotEquals(response.body.data.session.addressDigest, session.addressDigest);
});

Deno.test("Neither an address nor the client's User-Agent reaches the database, log or responses", async () => {
  const own = apart();
  const known = await register(own);
  const headers = { "User-Agent": FIREFOX, "X-Request-Id": "a-request-id" };
  const body = { ...known, transport: "bearer" };
  const login = await own.call("POST", `${AUTH}/login`, { body, headers, peer: HERE });
  await own.call("POST", `${AUTH}/login`, {
    body: { ...body, password: "wrong" },
    headers,
    peer: HERE,
  });
  const kept = JSON.stringify([
    await own.rows("select * from sessions"),
    await own.rows("select * from access_events"),
    own.log,
    login.body,
  ]);
  for (const text of [HERE, "192.0.2", "secret-word", "Gecko", "NT 10.0"]) {
    assertEquals(kept.includes(text), false, text);
  }
});

Deno.test("An operator's command and rows older than the columns have no client", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  await own.raw(`
    insert into access_events (account_id, event_id, event, request_id, created_at)
    values ('${caller.accountId}', '01KA${"0".repeat(22)}', 'LOGOUT', 'older', now())`);
  const operator = await own.createCaller();
  const email = `${operator.accountId}@example.org`;
  await disableAccount(own.database, email, { requestId: "r", now: own.now(), client: null });
  const rows = await own.rows("select address_digest, client from access_events");
  for (const row of rows) assertEquals({ ...row }, { address_digest: null, client: null });
  const { items } = (await caller.call("GET", "/api/v2/audit?kind=access")).body.data;
  assertEquals([items[0].addressDigest, items[0].client], [null, null]);
  const sessions = (await caller.call("GET", `${AUTH}/sessions`)).body.data.items;
  assertEquals([sessions[0].addressDigest, sessions[0].client], [null, null]);
});
