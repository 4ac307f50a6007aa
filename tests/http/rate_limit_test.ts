/** Rate limits over HTTP; tests/unit/http/rate_limit_test.ts has the buckets. */

import { assertEquals, assertMatch } from "@std/assert";
import { withPermissions } from "../families/memory/api.ts";
import type { Caller, TestResponse, World } from "../support/world.ts";
import { callerOf, createWorld } from "../support/world.ts";
import { COOKIE, register } from "./access.ts";
import { assertFailure, COMMITMENTS } from "./kernel.ts";

const SESSION = "/api/v2/auth/session";
const LOGIN = "/api/v2/auth/login";
const HERE = "192.0.2.1";
const THERE = "192.0.2.2";

function limitedWorld(perCredential: number, perAddress: number): Promise<World> {
  return createWorld({ limits: { perCredential, perAddress, inFlight: 256 } });
}

/** The draft's structured fields, or nulls. */
function standingOf({ headers }: TestResponse) {
  const policy = /^"([a-z]+)";q=(\d+);w=(\d+)$/.exec(headers.get("RateLimit-Policy") ?? "");
  const state = /^"([a-z]+)";r=(\d+);t=(\d+)$/.exec(headers.get("RateLimit") ?? "");
  if (policy === null || state === null) return null;
  assertEquals(policy[1], state[1]);
  return { name: policy[1], q: Number(policy[2]), r: Number(state[2]), t: Number(state[3]) };
}

function assertLimited(response: TestResponse, name: string, seconds: number): void {
  assertEquals(assertFailure(response, "HTTP_429"), undefined);
  assertEquals(response.headers.get("Retry-After"), String(seconds));
  assertEquals([standingOf(response)?.name, standingOf(response)?.r], [name, 0]);
}

function tokenOf(world: World, caller: Caller): Promise<Caller> {
  return withPermissions(world, caller, "record.read");
}

Deno.test("A credential may send as many requests as its bucket has, and more as it refills", async () => {
  await using world = await limitedWorld(6, 0);
  const caller = await world.createCaller();
  for (let left = 5; left >= 0; left--) {
    const response = await caller.call("GET", SESSION);
    assertEquals(response.status, 200);
    assertEquals(standingOf(response), { name: "default", q: 6, r: left, t: (6 - left) * 10 });
  }
  assertLimited(await caller.call("GET", SESSION), "default", 10);
  world.advance(9_000);
  assertLimited(await caller.call("GET", SESSION), "default", 1);
  world.advance(1_000);
  assertEquals((await caller.call("GET", SESSION)).status, 200);
  assertLimited(await caller.call("GET", SESSION), "default", 10);
  world.advance(60_000);
  assertEquals(standingOf(await caller.call("GET", SESSION))?.r, 5);
});

Deno.test("Each account has its own bucket, at any address", async () => {
  await using world = await limitedWorld(3, 1);
  const peer = HERE;
  for (const caller of [await world.createCaller(), await world.createCaller()]) {
    for (let times = 0; times < 3; times++) {
      assertEquals((await caller.call("GET", COMMITMENTS, { peer })).status, 200);
    }
    assertLimited(await caller.call("GET", COMMITMENTS, { peer }), "default", 20);
  }
});

Deno.test("Ten tokens of an account share one limit, separate from its sessions", async () => {
  await using world = await limitedWorld(12, 1);
  const caller = await world.createCaller();
  const tokens: Caller[] = [];
  for (let index = 0; index < 10; index++) tokens.push(await tokenOf(world, caller));
  const answers: TestResponse[] = [];
  for (let round = 0; round < 3; round++) {
    for (const token of tokens) answers.push(await token.call("GET", COMMITMENTS, { peer: HERE }));
  }
  const expected = Array.from({ length: 30 }, (_, index) => index < 12 ? 200 : 429);
  assertEquals(answers.map(({ status }) => status), expected);
  // The rest counts all tokens.
  const remaining = Array.from({ length: 12 }, (_, index) => 11 - index);
  assertEquals(answers.slice(0, 12).map((response) => standingOf(response)?.r), remaining);
  // So the owner can revoke a runaway token.
  const response = await caller.call("GET", "/api/v2/auth/tokens", { peer: HERE });
  assertEquals([response.status, standingOf(response)?.r], [200, 11]);
});

Deno.test("All sessions of an account share one bucket", async () => {
  await using world = await limitedWorld(4, 0);
  const body = await register(world);
  const sessions: Caller[] = [];
  for (let index = 0; index < 2; index++) {
    const signedIn = await world.call("POST", LOGIN, { body: { ...body, transport: "bearer" } });
    const { account, session, accessToken } = signedIn.body.data;
    sessions.push(callerOf(world.app, { ...account, ...session, secret: accessToken }));
  }
  const left: (number | undefined)[] = [];
  for (const session of [...sessions, ...sessions]) {
    left.push(standingOf(await session.call("GET", SESSION))?.r);
  }
  assertEquals(left, [3, 2, 1, 0]);
  for (const session of sessions) assertLimited(await session.call("GET", SESSION), "default", 15);
});

Deno.test("Rejections count too, and requests beyond the limit are only rejected", async () => {
  await using world = await limitedWorld(2, 0);
  const caller = await world.createCaller();
  assertFailure(await caller.call("GET", `${COMMITMENTS}?limit=0`), "PAYLOAD_INVALID");
  assertFailure(await caller.call("GET", "/api/v2/records/nothing"), "RECORD_MODULE_NOT_FOUND");
  const body = { title: "A", payload: {} };
  assertLimited(await caller.call("POST", COMMITMENTS, { body, key: "k" }), "default", 30);
  const [line] = world.log.filter(({ status }) => status === 429);
  assertEquals(line.ownerId, caller.accountId);
});

/** Without a valid credential. */
const STRANGERS: Readonly<Record<string, (caller: Caller) => Record<string, string>>> = {
  "no credential": () => ({}),
  "a malformed credential": () => ({ Authorization: "Bearer prs_s_short" }),
  "an unknown credential": () => ({ Authorization: `Bearer prs_s_${"A".repeat(43)}` }),
  "an unknown token": () => ({ Authorization: `Bearer prs_p_${"A".repeat(43)}` }),
  "an unknown cookie": () => ({ Cookie: `${COOKIE}=prs_s_${"A".repeat(43)}` }),
};

for (const [what, headersOf] of Object.entries(STRANGERS)) {
  Deno.test(`A client with ${what} counts for its address`, async () => {
    await using world = await limitedWorld(10, 2);
    const caller = await world.createCaller();
    const headers = headersOf(caller);
    for (let left = 1; left >= 0; left--) {
      const response = await world.call("GET", SESSION, { headers, peer: HERE });
      assertFailure(response, "AUTH_REQUIRED");
      assertEquals(standingOf(response)?.name, "unauthenticated");
      assertEquals(standingOf(response)?.r, left);
    }
    assertLimited(
      await world.call("GET", SESSION, { headers, peer: HERE }),
      "unauthenticated",
      30,
    );
    // Other addresses and signed-in callers are unaffected.
    assertFailure(await world.call("GET", SESSION, { headers, peer: THERE }), "AUTH_REQUIRED");
    assertEquals((await caller.call("GET", SESSION, { peer: HERE })).status, 200);
    world.advance(30_000);
    assertFailure(await world.call("GET", SESSION, { headers, peer: HERE }), "AUTH_REQUIRED");
  });
}

Deno.test("A cookie from a foreign page counts for the sender's address", async () => {
  await using world = await limitedWorld(10, 1);
  const caller = await world.createCaller();
  const headers = { Cookie: `${COOKIE}=${caller.secret}`, Origin: "https://elsewhere.example" };
  const path = "/api/v2/auth/sessions/revoke-others";
  assertFailure(await world.call("POST", path, { headers, peer: HERE }), "FORBIDDEN");
  assertLimited(await world.call("POST", path, { headers, peer: HERE }), "unauthenticated", 60);
});

Deno.test("A public route counts for the address, also with a valid credential", async () => {
  await using world = await limitedWorld(10, 2);
  const caller = await world.createCaller();
  for (let times = 0; times < 2; times++) {
    const response = await caller.call("POST", LOGIN, { body: {}, peer: HERE });
    assertFailure(response, "PAYLOAD_INVALID");
  }
  const response = await caller.call("POST", LOGIN, { body: {}, peer: HERE });
  assertLimited(response, "unauthenticated", 30);
});

Deno.test("The /56 network of an IPv6 address has four times its limit", async () => {
  await using world = await limitedWorld(10, 2);
  const from = (peer: string, path = SESSION) => world.call("GET", path, { peer });
  const shown: unknown[] = [];
  for (const subnet of ["1", "1", "2", "2", "3", "3", "4", "5"]) {
    const response = await from(`2001:db8:0:a${subnet}::${subnet}`);
    assertFailure(response, "AUTH_REQUIRED");
    const { name, r } = standingOf(response) ?? {};
    shown.push(`${name} ${r}`);
    // A refused address does not use its network up.
    if (r === 0 && name === "unauthenticated") {
      assertLimited(await from(`2001:db8:0:a${subnet}::ffff`), "unauthenticated", 30);
    }
  }
  // The limit with the smaller rest is shown.
  const own = ["unauthenticated 1", "unauthenticated 0"];
  assertEquals(shown, [...own, ...own, ...own, "unauthenticated 1", "network 0"]);
  assertLimited(await from("2001:db8:0:ff::1"), "network", 8);
  // Public routes count as well.
  for (const path of ["/api/v2/auth/setup", "/api/v2/identity/public/nobody"]) {
    assertLimited(await from("2001:db8:0:b0::1", path), "network", 8);
  }
  for (const peer of ["2001:db8:0:1a1::1", "192.0.2.1"]) {
    assertFailure(await from(peer), "AUTH_REQUIRED");
  }
  world.advance(7_500);
  assertFailure(await from("2001:db8:0:b1::1"), "AUTH_REQUIRED");
});

Deno.test("Unknown addresses, documents and monitoring are not counted", async () => {
  await using world = await limitedWorld(1, 1);
  for (let times = 0; times < 3; times++) {
    for (const path of ["/.well-known/webauthn", "/healthz", "/readyz", "/nothing"]) {
      const response = await world.call("GET", path, { peer: HERE });
      assertEquals([response.status, standingOf(response)], [
        path === "/nothing" ? 404 : 200,
        null,
      ]);
      assertEquals(response.headers.has("RateLimit"), false);
    }
  }
});

Deno.test("A limit of 0 disables the limit and its headers", async () => {
  await using world = await limitedWorld(0, 0);
  const owner = await world.createCaller();
  for (const caller of [owner, world]) {
    const { headers } = await caller.call("GET", SESSION);
    assertEquals([headers.get("RateLimit"), headers.get("RateLimit-Policy")], [null, null]);
  }
});

Deno.test("Each process counts separately", async () => {
  await using world = await limitedWorld(1, 1);
  const caller = await world.createCaller();
  const other = callerOf(world.again(), caller);
  assertEquals((await caller.call("GET", SESSION)).status, 200);
  assertLimited(await caller.call("GET", SESSION), "default", 60);
  const response = await other.call("GET", SESSION);
  assertEquals(response.status, 200);
  assertMatch(response.headers.get("RateLimit") ?? "", /^"default";r=0;t=60$/);
});
