/** `/calendar/feeds` and the addresses of feeds: access, limits and their end. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { disableAccount, resetPassword } from "../../src/accounts/administration.ts";
import { callRoute, makeExample } from "./examples.ts";
import { proofOf } from "../support/tokens.ts";
import {
  anotherProcess,
  callerOf,
  createWorld,
  fileWorld,
  ORIGIN,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";
import { AUTH, COOKIE, givePassword, PASSWORD } from "./access.ts";
import { ALL_KINDS, askForFeed, FEED, FEEDS, makeFeed, pathOfFeed } from "./calendar.ts";
import { assertFailure, assertInvalid, readPage, setMaintenance } from "./kernel.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld();

const world = sharedWorld();
const MINUTE = 60_000;
const ADDRESS = /^https:\/\/records\.example\/calendar\/prs_c_[A-Za-z0-9_-]{43}\/My-phone\.ics$/;

const operator = () => ({ requestId: ulid(), now: world().now(), client: null });

Deno.test("A feed is created for a proof and its address shown once", async () => {
  const caller = await world().createCaller();
  const body = {
    name: "My; phone",
    kinds: ["DATE", "ACTION"],
    detail: "BUSY",
    alarms: { timed: [40_320, 0, 15], allDay: "09:30" },
    timeZone: "europe/berlin",
    expiresAt: "2027-11-20T14:00:00+02:00",
  };
  assertFailure(await caller.call("POST", FEEDS, { body }), "STEP_UP_REQUIRED");
  const response = await askForFeed(world(), caller, body);
  assertEquals(response.status, 201);
  const { address, ...feed } = response.body.data;
  assertMatch(address, ADDRESS);
  assertEquals(feed, {
    feedId: feed.feedId,
    name: "My; phone",
    kinds: ["ACTION", "DATE"],
    detail: "BUSY",
    alarms: { timed: [0, 15, 40_320], allDay: "09:30" },
    timeZone: "europe/berlin",
    createdAt: world().now().toISOString(),
    expiresAt: "2027-11-20T12:00:00.000Z",
    revokedAt: null,
    lastUsedAt: null,
    lastUsedBy: null,
  });
  assertEquals(response.headers.get("Location"), `${FEEDS}/${feed.feedId}`);
  assertEquals((await caller.call("GET", `${FEEDS}/${feed.feedId}`)).body.data, feed);
  const plain = await makeFeed(world(), caller, { kinds: ALL_KINDS.toReversed() });
  assertEquals(plain.kinds, ALL_KINDS);
  assertEquals([plain.alarms, plain.expiresAt], [{ timed: [], allDay: null }, null]);
  const { items, nextCursor } = await readPage(caller, FEEDS, { limit: "1" });
  const second = await readPage(caller, FEEDS, { cursor: String(nextCursor) });
  const { address: _, ...listed } = plain;
  const ids = [listed.feedId, feed.feedId].sort().reverse();
  assertEquals([...items, ...second.items].map(({ feedId }) => feedId), ids);
  const other = await world().createCaller();
  assertFailure(await other.call("GET", `${FEEDS}/${feed.feedId}`), "RECORD_NOT_FOUND");
  assertInvalid(await other.call("GET", `${FEEDS}?cursor=${feed.feedId}`), ["cursor.unknown"], [
    "cursor",
  ]);
  const [{ event, credentialKind, credentialId }] =
    (await readPage(caller, "/api/v2/audit", { kind: "access" })).items;
  assertEquals([event, credentialKind], ["CALENDAR_FEED_CREATED", "CALENDAR"]);
  assert(ids.includes(credentialId));
});

Deno.test("A wrong body is refused before the proof is asked for", async () => {
  const caller = await world().createCaller();
  const alarms = (more: object) => ({ alarms: { timed: [], allDay: null, ...more } });
  const refusals: readonly [object, string, string][] = [
    [{ name: " " }, "field.blank", "name"],
    [{ name: "a".repeat(101) }, "field.length", "name"],
    [{ name: "a\nb" }, "field.control_character", "name"],
    [{ kinds: [] }, "field.length", "kinds"],
    [{ kinds: ["DATE", "DATE"] }, "field.repeated", "kinds"],
    [{ kinds: ["BIRTHDAY"] }, "field.option", "kinds"],
    [{ detail: "ALL" }, "field.option", "detail"],
    [{ timeZone: "Europe/Atlantis" }, "field.time_zone", "timeZone"],
    [{ timeZone: "+02:00" }, "field.time_zone", "timeZone"],
    [{ timeZone: "BST" }, "field.time_zone", "timeZone"],
    [{ timeZone: "" }, "field.time_zone", "timeZone"],
    [{ expiresAt: world().now().toISOString() }, "field.range", "expiresAt"],
    [{ expiresAt: null }, "field.datetime", "expiresAt"],
    [alarms({ timed: [1, 1] }), "field.repeated", "timed"],
    [alarms({ timed: [0, 1, 2, 3, 4, 5] }), "field.length", "timed"],
    [alarms({ timed: [1.5] }), "field.type", "timed"],
    [alarms({ timed: [40_321] }), "field.range", "timed"],
    [alarms({ allDay: "24:00" }), "field.format", "allDay"],
    [alarms({ allDay: "9:00" }), "field.format", "allDay"],
    [{ alarms: { timed: [] } }, "field.required", "allDay"],
    [{ alarms: null }, "field.type", "alarms"],
  ];
  for (const [more, rule, field] of refusals) {
    const body = { ...FEED, ...more };
    assertInvalid(
      await caller.call("POST", FEEDS, { body }),
      [rule],
      [field],
      JSON.stringify(more),
    );
  }
  const { name: _, ...nameless } = FEED;
  assertInvalid(await caller.call("POST", FEEDS, { body: nameless }), ["field.required"], ["name"]);
  const more = { body: { ...FEED, secret: "mine" } };
  assertInvalid(await caller.call("POST", FEEDS, more), ["undeclared_field"]);
});

Deno.test("A new address ends the old one, and a revocation ends the feed for good", async () => {
  const caller = await world().createCaller();
  const feed = await makeFeed(world(), caller);
  const path = `${FEEDS}/${feed.feedId}`;
  assertFailure(await caller.call("POST", `${path}/rotate`), "STEP_UP_REQUIRED");
  const rotated = await caller.call("POST", `${path}/rotate`, {
    headers: await proofOf(world(), caller, "TOKEN_CREATE"),
  });
  const { address, ...others } = rotated.body.data;
  assertMatch(address, ADDRESS);
  const { address: old, ...before } = feed;
  assertEquals(others, before);
  assertNotEquals(address, old);
  assertFailure(await world().call("GET", pathOfFeed(feed)), "HTTP_404");
  assertEquals((await world().call("GET", pathOfFeed({ address }))).status, 200);

  const revoked = await caller.call("POST", `${path}/revoke`);
  assertEquals(revoked.body.data.revokedAt, world().now().toISOString());
  const events = async () =>
    (await readPage(caller, "/api/v2/audit", { kind: "access" })).items
      .map(({ event }) => event).sort();
  const trail = ["CALENDAR_FEED_CREATED", "CALENDAR_FEED_REVOKED", "CALENDAR_FEED_ROTATED"];
  assertEquals(await events(), trail);
  assertEquals((await caller.call("POST", `${path}/revoke`)).body.data, revoked.body.data);
  assertEquals(await events(), trail);
  assertFailure(await world().call("GET", pathOfFeed({ address })), "HTTP_404");
  assertEquals((await caller.call("GET", path)).body.data, revoked.body.data);
  assertEquals((await readPage(caller, FEEDS)).items, []);
  const headers = await proofOf(world(), caller, "TOKEN_CREATE");
  assertFailure(await caller.call("POST", `${path}/rotate`, { headers }), "RECORD_NOT_FOUND");
  for (const action of ["revoke", "rotate"]) {
    const unknown = await caller.call("POST", `${FEEDS}/${ulid()}/${action}`, { headers });
    assertFailure(unknown, "RECORD_NOT_FOUND");
  }
});

Deno.test("An account has at most 20 live feeds, and those that expired do not count", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const expiresAt = new Date(own.now().getTime() + MINUTE).toISOString();
  const brief = await makeFeed(own, caller, { expiresAt });
  for (let count = 1; count < 20; count++) await makeFeed(own, caller);
  const refused = await askForFeed(own, caller);
  assertEquals(refused.body.error.details, { rules: ["feed.count"], limit: 20 });
  assertFailure(refused, "PAYLOAD_INVALID");
  own.advance(MINUTE);
  assertFailure(await own.call("GET", pathOfFeed(brief)), "HTTP_404");
  await makeFeed(own, caller);
  assertEquals((await readPage(caller, FEEDS)).items.length, 20);
  assertEquals((await caller.call("GET", `${FEEDS}/${brief.feedId}`)).status, 200);
});

Deno.test("What ends tokens ends feeds, with an event each", async () => {
  const caller = await world().createCaller();
  const other = await world().createCaller();
  await givePassword(world(), caller);
  const feed = await makeFeed(world(), caller);
  const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD}, new` };
  const kept = { ...body, revokeTokens: false };
  assertEquals((await caller.call("POST", `${AUTH}/password`, { body: kept })).status, 200);
  assertEquals((await world().call("GET", pathOfFeed(feed))).status, 200);
  const again = { currentPassword: body.newPassword, newPassword: PASSWORD };
  const changed = await caller.call("POST", `${AUTH}/password`, { body: again });
  assertEquals(changed.body.data, { revokedSessions: 0, revokedTokens: 0 });
  assertFailure(await world().call("GET", pathOfFeed(feed)), "HTTP_404");
  const { items } = await readPage(caller, "/api/v2/audit", { kind: "access" });
  assert(
    items.some(({ event, credentialId }) =>
      event === "CALENDAR_FEED_REVOKED" && credentialId === feed.feedId
    ),
  );

  const second = await makeFeed(world(), caller);
  const spared = await makeFeed(world(), other);
  const email = `${caller.accountId}@example.org`;
  await resetPassword(world().database, email, "none", operator());
  assertEquals((await world().call("GET", pathOfFeed(second))).status, 200);
  await disableAccount(world().database, email, operator());
  assertFailure(await world().call("GET", pathOfFeed(second)), "HTTP_404");
  assertEquals((await world().call("GET", pathOfFeed(spared))).status, 200);
});

Deno.test("The maintenance window does not freeze feeds", async () => {
  const own = apart();
  const caller = await own.createCaller();
  await setMaintenance(own, true);
  const feed = await makeFeed(own, caller);
  assertEquals((await own.call("GET", pathOfFeed(feed))).status, 200);
  assertEquals((await caller.call("POST", `${FEEDS}/${feed.feedId}/revoke`)).status, 200);
});

/** A response without the identifier and time of its request. */
function seen({ status, headers, body }: TestResponse) {
  const names = Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id"));
  const { requestId: _, ...error } = body.error;
  return { status, names, error };
}

Deno.test("Every wrong address is answered like a path that does not exist", async () => {
  const caller = await world().createCaller();
  const [feed, ended] = [await makeFeed(world(), caller), await makeFeed(world(), caller)];
  await caller.call("POST", `${FEEDS}/${ended.feedId}/revoke`);
  const path = pathOfFeed(feed);
  const unknown = seen(await world().call("GET", "/nowhere"));
  const wrong = [
    pathOfFeed(ended),
    `/calendar/prs_c_${"A".repeat(43)}.ics`,
    path.slice(0, -".ics".length),
    path.replace(".ics", ".ICS"),
    `${path}/more`,
    `${path}/more?todo=x`,
    `${pathOfFeed(ended)}?todo=x`,
    `/calendar/${caller.secret}.ics`,
    "/calendar/.ics",
    "/calendar/",
    "/calendar",
  ];
  for (const address of wrong) assertEquals(seen(await world().call("GET", address)), unknown);
  for (const query of ["todo=1", "todo=", "todo=true&todo=true", "key=x&todo=1"]) {
    assertEquals((await world().call("GET", `${path}?${query}`)).status, 400, query);
  }
  const [secret = ""] = path.split("/My-phone");
  for (const right of [`${secret}.ics`, `${secret}/Another.ics`, `${path}?key=x&todo=false`]) {
    assertEquals((await world().call("GET", right)).status, 200, right);
  }
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const refused = await world().call(method, path);
    assertFailure(refused, "HTTP_405");
    assertEquals(refused.headers.get("Allow"), "GET, HEAD");
  }
});

Deno.test("A wrong address counts against the client's address, a right one does not", async () => {
  const own = anotherProcess(apart(), {
    limits: { perCredential: 1, perAddress: 5, inFlight: 100 },
  });
  const caller = await own.createCaller();
  const path = pathOfFeed(await makeFeed(own, caller));
  for (let read = 0; read < 20; read++) {
    assertEquals((await own.call("GET", path, { peer: "192.0.2.1" })).status, 200);
  }
  const wrong = [
    `${path}/more`,
    "/calendar/wrong.ics",
    path.slice(0, -4),
    "/calendar/x/y",
    "/calendar/z",
  ];
  for (const address of wrong) {
    assertFailure(await own.call("GET", address, { peer: "192.0.2.1" }), "HTTP_404");
  }
  for (const address of ["/calendar/wrong.ics", "/calendar/x/y"]) {
    const refused = await own.call("GET", address, { peer: "192.0.2.1" });
    assertFailure(refused, "HTTP_429");
    assertEquals(refused.headers.get("Retry-After"), "12");
  }
  assertEquals((await own.call("GET", path, { peer: "192.0.2.1" })).status, 200);
  assertFailure(await own.call("GET", "/calendar/wrong.ics", { peer: "192.0.2.2" }), "HTTP_404");
});

Deno.test("A feed is read 120 times an hour, 304 and HEAD among them", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const feed = await makeFeed(own, caller);
  const path = pathOfFeed(feed);
  const first = await own.call("GET", path);
  const headers = { "If-None-Match": String(first.headers.get("ETag")) };
  for (let read = 1; read < 120; read++) {
    const known = read % 2 === 0;
    const response = await own.call(
      read % 3 === 0 ? "HEAD" : "GET",
      path,
      known ? { headers } : {},
    );
    assertEquals(response.status, known ? 304 : 200);
  }
  const refused = await own.call("GET", path);
  assertFailure(refused, "HTTP_429");
  assertEquals(refused.headers.get("Retry-After"), "30");
  const rotated = await caller.call("POST", `${FEEDS}/${feed.feedId}/rotate`, {
    headers: await proofOf(own, caller, "TOKEN_CREATE"),
  });
  assertFailure(await own.call("GET", pathOfFeed(rotated.body.data)), "HTTP_429");
  own.advance(MINUTE / 2);
  assertEquals((await own.call("GET", pathOfFeed(rotated.body.data))).status, 200);
  assertFailure(await own.call("GET", pathOfFeed(rotated.body.data)), "HTTP_429");
  assertEquals((await own.call("GET", pathOfFeed(await makeFeed(own, caller)))).status, 200);
});

Deno.test("A read is known to the hour, by the family of its client", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const feed = await makeFeed(own, caller);
  const read = (agent: string) =>
    own.call("GET", pathOfFeed(feed), { headers: { "User-Agent": agent } });
  const used = async () => {
    const { lastUsedAt, lastUsedBy } =
      (await caller.call("GET", `${FEEDS}/${feed.feedId}`)).body.data;
    return [lastUsedAt, lastUsedBy];
  };
  const at = own.now().toISOString();
  await read("curl/8.5.0");
  assertEquals(await used(), [at, "curl"]);
  own.advance(59 * MINUTE);
  await read("Wget/1.21");
  assertEquals(await used(), [at, "curl"]);
  own.advance(MINUTE);
  await read("a private agent");
  assertEquals(await used(), [own.now().toISOString(), "unknown"]);
  const { items } = await readPage(caller, "/api/v2/audit", { kind: "access" });
  assertEquals(items.map(({ event }) => event), ["CALENDAR_FEED_CREATED"]);
});

Deno.test("Sessions alone manage feeds, and a session opens no calendar", async () => {
  const caller = await world().createCaller();
  const viewer = await world().createCaller("VIEWER");
  assertEquals((await viewer.call("GET", FEEDS)).status, 403);
  const headers = { Authorization: `Bearer ${caller.secret}` };
  assertFailure(await world().call("GET", "/calendar/mine.ics", { headers }), "HTTP_404");
});

Deno.test("The secret opens one path and nothing else, and no log has it", async () => {
  await using own = await createWorld();
  const example = await makeExample(own);
  const { address } = await makeFeed(own, example.caller);
  const [secret = ""] = String(address).slice(`${ORIGIN}/calendar/`.length).split("/");
  const bearer = callerOf(own.app, { ...example.caller, secret });
  for (const route of own.app.routes) {
    if (route.access === "public") continue;
    const label = `${route.method} ${route.path}`;
    const path = route.path.replaceAll(/:\w+/g, ulid());
    assertEquals((await callRoute(bearer, route, path)).status, 401, label);
    const cookie = { call: own.call } as const;
    const headers = { Cookie: `${COOKIE}=${secret}`, Origin: ORIGIN };
    assertEquals((await callRoute(cookie, route, path, { headers })).status, 401, label);
    assertEquals(
      (await own.call(route.method, `${path}?access_token=${secret}`)).status,
      401,
      label,
    );
  }
  await own.call("GET", `/calendar/${secret}.ics`);
  await own.call("GET", `/calendar/${secret}.ics/x`);
  await own.call("GET", `/calendar/${secret}/x.ics`);
  for (const pattern of ["/calendar/:secret", "/calendar/:secret/:name"]) {
    const line = own.log.find(({ route, status }) => route === pattern && status === 200);
    assertEquals(line?.method, "GET");
  }
  assert(!JSON.stringify(own.log).includes(secret));
});
