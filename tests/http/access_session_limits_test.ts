/** The limit of an account's sessions, and credentials that began while the clock was ahead. */

import { assertEquals } from "@std/assert";
import { openSession } from "../../src/access/sessions.ts";
import { newId } from "../../src/core/ids.ts";
import { makeToken, proofOf } from "../support/tokens.ts";
import { type Caller, callerOf, createWorld, fileWorld, type World } from "../support/world.ts";
import { assertRefused, AUTH, DAY, givePassword, PASSWORD } from "./access.ts";
import { COMMITMENT, COMMITMENTS } from "./kernel.ts";
import { addPasskey, emailOf, signInBy } from "./passkey.ts";

const LIMIT = 100;
const MINUTE = 60_000;
const shared = fileWorld();

/** Opens a session without a sign-in, so without the limit. */
async function openAnother(world: World, { accountId }: Caller): Promise<Caller> {
  const wanted = { transport: "bearer", deviceName: null, client: null, absoluteDays: 30 } as const;
  const { session: { sessionId }, secret } = await world.database.transaction((tx) =>
    openSession(tx, accountId, wanted, world.now())
  );
  return callerOf(world.app, { accountId, sessionId, secret });
}

/** Returns the identifiers of the opened sessions, oldest first. */
async function openSessions(world: World, caller: Caller, count: number): Promise<string[]> {
  const opened: string[] = [];
  for (let index = 0; index < count; index++) {
    world.advance(1);
    opened.push((await openAnother(world, caller)).sessionId);
  }
  return opened;
}

async function openIds(world: World, { accountId }: Caller): Promise<string[]> {
  const rows = await world.rows(`
    select session_id from sessions where account_id = '${accountId}' and revoked_at is null
     order by session_id`);
  return rows.map((row) => row.session_id);
}

async function signIn(world: World, caller: Caller, transport: string): Promise<string> {
  const body = { email: emailOf(caller), password: PASSWORD, transport };
  const response = await world.call("POST", `${AUTH}/login`, { body });
  assertEquals(response.status, 200, response.text);
  return response.body.data.session.sessionId;
}

Deno.test("The 101st session of an account ends its oldest one, with an event", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const stranger = await world.createCaller();
  await givePassword(world, caller);
  const { key } = await addPasskey(world, caller);
  const headers = await proofOf(world, caller, "TOKEN_CREATE");
  const opened = await openSessions(world, caller, LIMIT - 1);
  assertEquals((await caller.call("GET", `${AUTH}/session`)).status, 200);
  world.advance(1);
  const sessions = [caller.sessionId, ...opened];
  sessions.push(await signIn(world, caller, "bearer"));
  assertEquals(await openIds(world, caller), sessions.slice(1));
  world.advance(1);
  sessions.push(await signIn(world, caller, "cookie"));
  world.advance(1);
  sessions.push((await signInBy(world, key)).body.data.session.sessionId);
  assertEquals(await openIds(world, caller), sessions.slice(3));
  const ended = await world.rows(`
    select credential_kind, credential_id from access_events
     where account_id = '${caller.accountId}' and event = 'SESSION_REVOKED' order by event_id`);
  assertEquals(
    ended.map((row) => [row.credential_kind, row.credential_id]),
    sessions.slice(0, 3).map((id) => ["SESSION", id]),
  );
  assertRefused(await caller.call("GET", `${AUTH}/session`), "AUTH_REQUIRED");
  const [proof] = await world.rows(`
    select ended_at from step_up_proofs where account_id = '${caller.accountId}'
     order by proof_id desc limit 1`);
  assertEquals(proof.ended_at instanceof Date, true, headers["Step-Up-Proof"]);
  assertEquals((await stranger.call("GET", `${AUTH}/session`)).status, 200);
});

Deno.test("Sign-ins at once leave 100 sessions, also if an earlier release left more", async () => {
  const world = shared();
  const caller = await world.createCaller();
  await givePassword(world, caller);
  const opened = await openSessions(world, caller, LIMIT + 40);
  world.advance(1);
  const made = await Promise.all(
    Array.from({ length: 4 }, () => signIn(world, caller, "bearer")),
  );
  const left = await openIds(world, caller);
  assertEquals(left, [...opened.slice(4 - LIMIT), ...made.sort()]);
});

Deno.test("Sessions that are idle or expired do not count, and a new one is never ended", async () => {
  await using world = await createWorld({ sessions: { idleDays: 1, absoluteDays: 30 } });
  const caller = await world.createCaller();
  await givePassword(world, caller);
  const idle = await openSessions(world, caller, 3);
  world.advance(2 * DAY);
  const opened = await openSessions(world, caller, LIMIT);
  // The clock goes back, so the new session is older than all others.
  world.advance(-MINUTE);
  const made = await signIn(world, caller, "bearer");
  assertEquals(
    new Set(await openIds(world, caller)),
    new Set([caller.sessionId, ...idle, ...opened.slice(1), made]),
  );
});

Deno.test("Credentials of a clock that was ahead are not open before they begin", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const ahead = 20 * DAY;
  world.advance(ahead);
  const session = await openAnother(world, caller);
  const { token } = await makeToken(world, session, { permissions: ["record.read"] });
  const program = callerOf(world.app, { ...session, secret: token });
  const late = await proofOf(world, caller, "TOKEN_CREATE");
  const write = { body: { title: "A plant", payload: COMMITMENT } };
  // Their identities are cached now.
  for (const each of [session, program]) {
    assertEquals((await each.call("GET", COMMITMENTS)).status, 200);
  }
  assertEquals(
    (await session.call("POST", COMMITMENTS, { ...write, key: newId(world.now()) })).status,
    201,
  );
  world.advance(-ahead);
  for (const each of [session, program]) {
    assertRefused(await each.call("GET", COMMITMENTS), "AUTH_REQUIRED");
  }
  assertRefused(await session.call("POST", COMMITMENTS, { ...write, key: "k" }), "AUTH_REQUIRED");
  const { items } = (await caller.call("GET", `${AUTH}/sessions`)).body.data;
  assertEquals(items.map(({ sessionId }: Caller) => sessionId), [caller.sessionId]);
  const body = { name: "A program", permissions: ["record.read"] };
  assertRefused(
    await caller.call("POST", `${AUTH}/tokens`, { body, headers: late }),
    "STEP_UP_REQUIRED",
  );
  // The clocks of two processes may differ by five minutes.
  world.advance(ahead - 5 * MINUTE - 1);
  assertRefused(await session.call("GET", COMMITMENTS), "AUTH_REQUIRED");
  world.advance(1);
  for (const each of [session, program]) {
    assertEquals((await each.call("GET", COMMITMENTS)).status, 200);
  }
});
