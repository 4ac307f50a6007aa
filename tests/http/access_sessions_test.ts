import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, callerOf, createWorld, type Json, sharedWorld } from "../support/world.ts";
import { assertRefused, AUTH, DAY, givePassword, PASSWORD } from "./access.ts";
import { assertInvalid, walkPages } from "./kernel.ts";

const world = sharedWorld();
const SESSIONS = `${AUTH}/sessions`;

/** The same caller with a new session. */
async function signInAgain(caller: Caller, deviceName?: string): Promise<Caller> {
  await givePassword(world(), caller);
  const [account] = await world().rows(
    `select email from accounts where account_id = '${caller.accountId}'`,
  );
  const body = {
    email: account.email,
    password: PASSWORD,
    transport: "bearer",
    ...(deviceName && { deviceName }),
  };
  const response = await world().call("POST", `${AUTH}/login`, { body });
  assertEquals(response.status, 200, response.text);
  const { session, accessToken } = response.body.data;
  const { accountId } = caller;
  return callerOf(world().app, { accountId, sessionId: session.sessionId, secret: accessToken });
}

async function status(caller: Caller): Promise<number> {
  return (await caller.call("GET", `${AUTH}/session`)).status;
}

Deno.test("GET sessions lists the account's open sessions, newest first, and marks the caller's", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const phone = await signInAgain(caller, "A phone");
  const ended = await signInAgain(caller);
  assertEquals((await ended.call("POST", `${AUTH}/logout`)).status, 200);

  const { items, nextCursor } = (await phone.call("GET", SESSIONS)).body.data;
  const at = world().now().toISOString();
  const expiresAt = new Date(world().now().getTime() + 30 * DAY).toISOString();
  const times = { addressDigest: null, createdAt: at, lastSeenAt: at, expiresAt };
  const [here, there] = [{ client: "unknown", current: true }, { client: null, current: false }];
  const expected = [
    { sessionId: phone.sessionId, deviceName: "A phone", ...here, ...times },
    { sessionId: caller.sessionId, deviceName: null, ...there, ...times },
  ];
  const byId = (one: Json, other: Json) => one.sessionId < other.sessionId ? 1 : -1;
  assertEquals(items, expected.sort(byId));
  assertEquals(nextCursor, null);
  const theirs = (await stranger.call("GET", SESSIONS)).body.data.items;
  assertEquals(theirs.map((item: Json) => item.sessionId), [stranger.sessionId]);
});

Deno.test("GET sessions pages, and rejects a cursor that the service did not make", async () => {
  const caller = await world().createCaller();
  for (let index = 0; index < 4; index++) await signInAgain(caller, `Device ${index}`);
  const pages = await walkPages(caller, SESSIONS, { limit: "2" });
  assertEquals(pages.map((page) => page.length), [2, 2, 1]);
  const whole = (await caller.call("GET", SESSIONS)).body.data.items;
  assertEquals(pages.flat(), whole);
  const stranger = await world().createCaller();
  for (const cursor of [ulid(), stranger.sessionId]) {
    const response = await caller.call("GET", `${SESSIONS}?cursor=${cursor}`);
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
});

Deno.test("GET sessions omits idle and expired sessions", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  await own.raw(`
    insert into sessions (account_id, session_id, secret_digest, transport, created_at,
                          last_seen_at, expires_at)
    values ('${caller.accountId}', '${ulid()}', sha256('one'), 'cookie', '2026-11-01',
            '2026-11-06T11:00:00Z', '2026-12-01'),
           ('${caller.accountId}', '${ulid()}', sha256('two'), 'cookie', '2026-10-21T12:00:00Z',
            '2026-11-20', '2026-11-20T12:00:00Z')`);
  const { items } = (await caller.call("GET", SESSIONS)).body.data;
  assertEquals(items.map((item: Json) => item.sessionId), [caller.sessionId]);
});

Deno.test("POST sessions/{id}/revoke ends that session, in every process, and no other", async () => {
  const caller = await world().createCaller();
  const phone = await signInAgain(caller);
  const elsewhere = callerOf(world().again(), phone);
  assertEquals(await status(elsewhere), 200);
  const response = await caller.call("POST", `${SESSIONS}/${phone.sessionId}/revoke`);
  assertEquals(response.status, 200, response.text);
  const { sessionId } = phone;
  assertEquals(response.body.data, { sessionId, revokedAt: world().now().toISOString() });
  assertEquals(await Promise.all([phone, elsewhere, caller].map(status)), [401, 401, 200]);
  const again = await caller.call("POST", `${SESSIONS}/${phone.sessionId}/revoke`);
  assertEquals([again.status, again.body.data], [200, response.body.data]);
  const own = await caller.call("POST", `${SESSIONS}/${caller.sessionId}/revoke`);
  assertEquals([own.status, await status(caller)], [200, 401]);
});

Deno.test("POST sessions/{id}/revoke does not find another account's session", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  for (const sessionId of [other.sessionId, ulid()]) {
    assertRefused(await caller.call("POST", `${SESSIONS}/${sessionId}/revoke`), "RECORD_NOT_FOUND");
  }
  assertEquals(await status(other), 200);
  assertInvalid(await caller.call("POST", `${SESSIONS}/mine/revoke`), ["session_id.format"]);
});

Deno.test("POST sessions/revoke-others ends every session but the caller's", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const others = [await signInAgain(caller), await signInAgain(caller)];
  const response = await caller.call("POST", `${SESSIONS}/revoke-others`);
  assertEquals([response.status, response.body.data], [200, { revokedSessions: 2 }]);
  const all = [...others, caller, stranger];
  assertEquals(await Promise.all(all.map(status)), [401, 401, 200, 200]);
  const again = await caller.call("POST", `${SESSIONS}/revoke-others`);
  assertEquals(again.body.data, { revokedSessions: 0 });
});
