/** The list of an account's sessions, and the end of one or of all others. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { createWorld, type Json, type Person, personOf, sharedWorld } from "../support/world.ts";
import { assertRefused, AUTH, DAY, givePassword, PASSWORD } from "./access.ts";
import { assertInvalid, walkPages } from "./kernel.ts";

const world = sharedWorld();
const SESSIONS = `${AUTH}/sessions`;

/** Signs a person in once more, and gives the same person at the new session. */
async function signInAgain(person: Person, deviceName?: string): Promise<Person> {
  await givePassword(world(), person);
  const [account] = await world().rows(
    `select email from accounts where account_id = '${person.accountId}'`,
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
  const { accountId } = person;
  return personOf(world().app, { accountId, sessionId: session.sessionId, secret: accessToken });
}

async function status(person: Person): Promise<number> {
  return (await person.call("GET", `${AUTH}/session`)).status;
}

Deno.test("GET sessions lists the account's open sessions, newest first, and marks the asking one", async () => {
  const [person, stranger] = [await world().person(), await world().person()];
  const phone = await signInAgain(person, "A phone");
  const ended = await signInAgain(person);
  assertEquals((await ended.call("POST", `${AUTH}/logout`)).status, 200);

  const { items, nextCursor } = (await phone.call("GET", SESSIONS)).body.data;
  const at = world().now().toISOString();
  const expiresAt = new Date(world().now().getTime() + 30 * DAY).toISOString();
  const times = { addressDigest: null, createdAt: at, lastSeenAt: at, expiresAt };
  const [here, there] = [{ client: "unknown", current: true }, { client: null, current: false }];
  const expected = [
    { sessionId: phone.sessionId, deviceName: "A phone", ...here, ...times },
    { sessionId: person.sessionId, deviceName: null, ...there, ...times },
  ];
  const byId = (one: Json, other: Json) => one.sessionId < other.sessionId ? 1 : -1;
  assertEquals(items, expected.sort(byId));
  assertEquals(nextCursor, null);
  const theirs = (await stranger.call("GET", SESSIONS)).body.data.items;
  assertEquals(theirs.map((item: Json) => item.sessionId), [stranger.sessionId]);
});

Deno.test("GET sessions walks in pages, and refuses a cursor that was not handed out", async () => {
  const person = await world().person();
  for (let index = 0; index < 4; index++) await signInAgain(person, `Device ${index}`);
  const pages = await walkPages(person, SESSIONS, { limit: "2" });
  assertEquals(pages.map((page) => page.length), [2, 2, 1]);
  const whole = (await person.call("GET", SESSIONS)).body.data.items;
  assertEquals(pages.flat(), whole);
  const stranger = await world().person();
  for (const cursor of [ulid(), stranger.sessionId]) {
    const response = await person.call("GET", `${SESSIONS}?cursor=${cursor}`);
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
});

Deno.test("GET sessions leaves out what is idle or too old", async () => {
  await using own = await createWorld();
  const person = await own.person();
  await own.raw(`
    insert into sessions (account_id, session_id, secret_digest, transport, created_at,
                          last_seen_at, expires_at)
    values ('${person.accountId}', '${ulid()}', sha256('one'), 'cookie', '2026-11-01',
            '2026-11-06T11:00:00Z', '2026-12-01'),
           ('${person.accountId}', '${ulid()}', sha256('two'), 'cookie', '2026-10-21T12:00:00Z',
            '2026-11-20', '2026-11-20T12:00:00Z')`);
  const { items } = (await person.call("GET", SESSIONS)).body.data;
  assertEquals(items.map((item: Json) => item.sessionId), [person.sessionId]);
});

Deno.test("POST sessions/{id}/revoke ends that session, in every process, and no other", async () => {
  const person = await world().person();
  const phone = await signInAgain(person);
  const elsewhere = personOf(world().again(), phone);
  assertEquals(await status(elsewhere), 200);
  const response = await person.call("POST", `${SESSIONS}/${phone.sessionId}/revoke`);
  assertEquals(response.status, 200, response.text);
  const { sessionId } = phone;
  assertEquals(response.body.data, { sessionId, revokedAt: world().now().toISOString() });
  assertEquals(await Promise.all([phone, elsewhere, person].map(status)), [401, 401, 200]);
  const again = await person.call("POST", `${SESSIONS}/${phone.sessionId}/revoke`);
  assertEquals([again.status, again.body.data], [200, response.body.data]);
  const own = await person.call("POST", `${SESSIONS}/${person.sessionId}/revoke`);
  assertEquals([own.status, await status(person)], [200, 401]);
});

Deno.test("POST sessions/{id}/revoke knows no session of another account", async () => {
  const [person, other] = [await world().person(), await world().person()];
  for (const sessionId of [other.sessionId, ulid()]) {
    assertRefused(await person.call("POST", `${SESSIONS}/${sessionId}/revoke`), "RECORD_NOT_FOUND");
  }
  assertEquals(await status(other), 200);
  assertInvalid(await person.call("POST", `${SESSIONS}/mine/revoke`), ["session_id.format"]);
});

Deno.test("POST sessions/revoke-others ends every session but the asking one", async () => {
  const [person, stranger] = [await world().person(), await world().person()];
  const others = [await signInAgain(person), await signInAgain(person)];
  const response = await person.call("POST", `${SESSIONS}/revoke-others`);
  assertEquals([response.status, response.body.data], [200, { revokedSessions: 2 }]);
  const all = [...others, person, stranger];
  assertEquals(await Promise.all(all.map(status)), [401, 401, 200, 200]);
  const again = await person.call("POST", `${SESSIONS}/revoke-others`);
  assertEquals(again.body.data, { revokedSessions: 0 });
});
