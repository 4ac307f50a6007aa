/** Configured session lifetimes, and their effect on open sessions. */

import { assert, assertEquals } from "@std/assert";
import {
  type Caller,
  callerOf,
  createWorld,
  fileWorld,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { waitUntil } from "../support/wait.ts";
import { COMMITMENT, COMMITMENTS } from "./kernel.ts";
import { assertRefused, AUTH, DAY, HOUR, parseSetCookie, register } from "./access.ts";

const shared = fileWorld();

function visit(caller: Caller): Promise<TestResponse> {
  return caller.call("GET", `${AUTH}/session`);
}

/** The caller after a start with other lifetimes. */
function restarted(world: World, caller: Caller, idleDays: number, absoluteDays: number): Caller {
  return callerOf(world.again({ sessions: { idleDays, absoluteDays } }), caller);
}

/** According to each response. */
async function endsOf(caller: Caller): Promise<Set<string>> {
  const { credential } = (await visit(caller)).body.data;
  const { items } = (await caller.call("GET", `${AUTH}/sessions`)).body.data;
  return new Set([credential.expiresAt, ...items.map((item: typeof credential) => item.expiresAt)]);
}

function after(world: World, days: number): string {
  return new Date(world.now().getTime() + days * DAY).toISOString();
}

Deno.test("SESSION_ABSOLUTE_DAYS sets the end of a new session and the age of its cookie", async () => {
  for (const absoluteDays of [1, 365]) {
    await using world = await createWorld({ sessions: { idleDays: 90, absoluteDays } });
    const body = await register(world);
    const cookie = await world.call("POST", `${AUTH}/login`, { body });
    const { attributes } = parseSetCookie(cookie);
    assert(attributes.includes(`Max-Age=${absoluteDays * 86_400}`), attributes.join());
    const login = { ...body, transport: "bearer" };
    const { data } = (await world.call("POST", `${AUTH}/login`, { body: login })).body;
    assertEquals(data.session.expiresAt, after(world, absoluteDays));
    const { account: { accountId }, session: { sessionId }, accessToken: secret } = data;
    const caller = callerOf(world.app, { accountId, sessionId, secret });
    assertEquals(await endsOf(caller), new Set([after(world, absoluteDays)]));
  }
});

Deno.test("A shorter absolute lifetime applies to existing sessions", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const shortened = restarted(world, caller, 14, 2);
  assertEquals(await endsOf(caller), new Set([after(world, 30)]));
  assertEquals(await endsOf(shortened), new Set([after(world, 2)]));
  world.advance(2 * DAY - 1);
  assertEquals((await visit(shortened)).status, 200);
  world.advance(1);
  assertRefused(await visit(shortened), "AUTH_REQUIRED");
  const { items } = (await caller.call("GET", `${AUTH}/sessions`)).body.data;
  assertEquals(items.length, 1);
});

Deno.test("A longer absolute lifetime does not extend existing sessions", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const extended = restarted(world, caller, 90, 365);
  assertEquals(await endsOf(extended), new Set([after(world, 30)]));
  world.advance(30 * DAY);
  assertRefused(await visit(extended), "AUTH_REQUIRED");
});

Deno.test("A session, existing or new, ends after SESSION_IDLE_DAYS without a request", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const impatient = restarted(world, caller, 1, 30);
  // The last request is recorded to the hour.
  world.advance(DAY + HOUR);
  assertRefused(await visit(impatient), "AUTH_REQUIRED");
  const elsewhere = await caller.call("GET", `${AUTH}/sessions`);
  assertEquals(elsewhere.status, 200);
});

Deno.test("No session ends early because its last request was not recorded", async () => {
  await using world = await createWorld({ sessions: { idleDays: 1, absoluteDays: 30 } });
  const caller = await world.createCaller();
  world.advance(HOUR - 1);
  // Answered but not recorded, within an hour.
  assertEquals((await visit(caller)).status, 200);
  world.advance(DAY - 1);
  assertEquals((await visit(caller)).status, 200);
});

Deno.test("A session can end after 30 minutes without a request, and 12 hours in all", async () => {
  const MINUTE = HOUR / 60;
  const sessions = { idleDays: 0.5 / 24, absoluteDays: 0.5 };
  await using world = await createWorld({ sessions });
  const body = await register(world);
  const { attributes } = parseSetCookie(await world.call("POST", `${AUTH}/login`, { body }));
  assert(attributes.includes("Max-Age=43200"), attributes.join());
  const [busy, idle] = [await world.createCaller(), await world.createCaller()];
  for (let minutes = 0; minutes < 12 * 60; minutes += 20) {
    assertEquals((await visit(busy)).status, 200, `${minutes}`);
    // The command verifies the identity itself.
    const key = `k${minutes}`;
    const made = await busy.call("POST", COMMITMENTS, {
      key,
      body: { title: "A", payload: COMMITMENT },
    });
    assertEquals(made.status, 201, `${minutes}: ${made.text}`);
    world.advance(20 * MINUTE);
  }
  assertRefused(await visit(busy), "AUTH_REQUIRED");
  assertRefused(await visit(idle), "AUTH_REQUIRED");
});

Deno.test("A session that was idle for too long ends for reads and for commands", async () => {
  await using world = await createWorld({ sessions: { idleDays: 0.5 / 24, absoluteDays: 30 } });
  for (const write of [false, true]) {
    const caller = await world.createCaller();
    const use = (key: string) =>
      write
        ? caller.call("POST", COMMITMENTS, { key, body: { title: "A", payload: COMMITMENT } })
        : visit(caller);
    assert((await use("first")).status < 300);
    world.advance(30 * HOUR / 60 - 1);
    assert((await use("second")).status < 300);
    await settled(world, caller);
    // Tolerance: a twelfth of the idle lifetime.
    world.advance(32.5 * HOUR / 60);
    assertRefused(await use("third"), "AUTH_REQUIRED");
  }
});

/** Waits until the use is recorded, which answers do not wait for. */
async function settled(world: World, { sessionId }: Caller): Promise<void> {
  const query = `select 1 from sessions
    where session_id = '${sessionId}' and last_seen_at = '${world.now().toISOString()}'`;
  await waitUntil("the use is noted", async () => (await world.rows(query)).length > 0, {
    deadlineMs: 10_000,
  });
}
