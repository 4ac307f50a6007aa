/** How long sessions live where the operator says so, and what that does to those that are open. */

import { assert, assertEquals } from "@std/assert";
import {
  createWorld,
  type Person,
  personOf,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { assertRefused, AUTH, DAY, HOUR, parseSetCookie, register } from "./access.ts";

function visit(person: Person): Promise<TestResponse> {
  return person.call("GET", `${AUTH}/session`);
}

/** The same person after a start with other lives. */
function restarted(world: World, person: Person, idleDays: number, absoluteDays: number): Person {
  return personOf(world.again({ sessions: { idleDays, absoluteDays } }), person);
}

/** When the session ends, as each response that says so has it. */
async function endsOf(person: Person): Promise<Set<string>> {
  const { credential } = (await visit(person)).body.data;
  const { items } = (await person.call("GET", `${AUTH}/sessions`)).body.data;
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
    const person = personOf(world.app, { accountId, sessionId, secret });
    assertEquals(await endsOf(person), new Set([after(world, absoluteDays)]));
  }
});

Deno.test("A shorter absolute life binds the sessions that are open already", async () => {
  await using world = await createWorld();
  const person = await world.person();
  const shortened = restarted(world, person, 14, 2);
  assertEquals(await endsOf(person), new Set([after(world, 30)]));
  assertEquals(await endsOf(shortened), new Set([after(world, 2)]));
  world.advance(2 * DAY - 1);
  assertEquals((await visit(shortened)).status, 200);
  world.advance(1);
  assertRefused(await visit(shortened), "AUTH_REQUIRED");
  const { items } = (await person.call("GET", `${AUTH}/sessions`)).body.data;
  assertEquals(items.length, 1);
});

Deno.test("A longer absolute life leaves open sessions the end that they were opened with", async () => {
  await using world = await createWorld();
  const person = await world.person();
  const extended = restarted(world, person, 90, 365);
  assertEquals(await endsOf(extended), new Set([after(world, 30)]));
  world.advance(30 * DAY);
  assertRefused(await visit(extended), "AUTH_REQUIRED");
});

Deno.test("A session ends after SESSION_IDLE_DAYS without a request, also one that is open already", async () => {
  await using world = await createWorld();
  const person = await world.person();
  const impatient = restarted(world, person, 1, 30);
  // The tolerance: when the last request came is known to the hour.
  world.advance(DAY + HOUR);
  assertRefused(await visit(impatient), "AUTH_REQUIRED");
  const elsewhere = await person.call("GET", `${AUTH}/sessions`);
  assertEquals(elsewhere.status, 200);
});

Deno.test("No session ends early because its last request was not noted", async () => {
  await using world = await createWorld({ sessions: { idleDays: 1, absoluteDays: 30 } });
  const person = await world.person();
  world.advance(HOUR - 1);
  // Within an hour of the sign-in: answered, and not noted.
  assertEquals((await visit(person)).status, 200);
  world.advance(DAY - 1);
  assertEquals((await visit(person)).status, 200);
});
