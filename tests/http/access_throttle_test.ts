/** Guessing over HTTP. tests/storage has the limits themselves. */

import { assertEquals } from "@std/assert";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { issueSetupToken } from "../../src/accounts/setup_routes.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import type { Caller, Json, TestResponse, World } from "../support/world.ts";
import { anotherProcess, callApp, createWorld, fileWorld } from "../support/world.ts";
import {
  assertRefused,
  AUTH,
  COOKIE,
  DAY,
  givePassword,
  MeetingHasher,
  PASSWORD,
  register,
} from "./access.ts";

const shared = fileWorld();

/** The world without attempts of other tests. */
async function untried(): Promise<World> {
  await shared().raw("delete from access_attempts");
  return shared();
}

// Cheap, because these suites guess often.
const CHEAP = await new PasswordHasher({ cost: { N: 2 ** 4, r: 8, p: 1 } }).hash(PASSWORD, "known");
const WRONG = "not the password, surely";
const WINDOW_SECONDS = 15 * 60;
const HOUR_SECONDS = 60 * 60;

/** A 429 with the wait, and nothing about the account. */
function assertThrottled(response: TestResponse, seconds: number, label?: string): void {
  assertRefused(response, "HTTP_429", label);
  assertEquals(response.headers.get("Retry-After"), String(seconds), label);
}

/** Sends in sequence: concurrently the hash queue would reject some. */
async function repeat(
  times: number,
  send: (index: number) => Promise<TestResponse>,
): Promise<TestResponse[]> {
  const answers: TestResponse[] = [];
  for (let index = 0; index < times; index++) answers.push(await send(index));
  return answers;
}

function login(world: World, body: Json, peer: string): Promise<TestResponse> {
  return world.call("POST", `${AUTH}/login`, { body, peer });
}

/** A hundred failures from as many addresses. */
async function fillAccountLimit(world: World): Promise<void> {
  await world.raw(`
    insert into access_attempts (attempt_id, subject, address, attempted_at)
    select '0000000000' || lpad(n::text, 16, '0'), taken.subject, sha256(n::text::bytea),
           '${world.now().toISOString()}'
      from generate_series(1, 100) n, (select subject from access_attempts limit 1) taken`);
}

Deno.test("POST login answers 429 after ten failures, for known and unknown emails alike", async () => {
  const world = await untried();
  const known = await register(world, CHEAP);
  const unknown = { email: "nobody@example.org", password: WRONG };
  for (
    const [body, peer] of [[{ ...known, password: WRONG }, "192.0.2.1"], [
      unknown,
      "192.0.2.2",
    ]] as const
  ) {
    const answers = await repeat(10, () => login(world, body, peer));
    for (const response of answers) assertRefused(response, "AUTH_REQUIRED");
    assertThrottled(await login(world, body, peer), WINDOW_SECONDS);
  }
  // Until the window has passed the right password fails too; elsewhere it works.
  assertThrottled(await login(world, known, "192.0.2.1"), WINDOW_SECONDS);
  assertEquals((await login(world, known, "192.0.2.3")).status, 200);
  world.advance(WINDOW_SECONDS * 1000);
  assertEquals((await login(world, known, "192.0.2.1")).status, 200);
});

Deno.test("POST login counts failures of all processes together, and no successes", async () => {
  const world = await untried();
  const known = await register(world, CHEAP);
  const other = world.again();
  const wrong = { ...known, password: WRONG };
  await repeat(5, () => login(world, wrong, "192.0.2.1"));
  assertEquals((await login(world, known, "192.0.2.1")).status, 200);
  const options = { body: wrong, peer: "192.0.2.1" };
  for (const response of await repeat(5, () => callApp(other, "POST", `${AUTH}/login`, options))) {
    assertRefused(response, "AUTH_REQUIRED");
  }
  assertThrottled(await login(world, known, "192.0.2.1"), WINDOW_SECONDS);
});

Deno.test("POST login uses the client's address from a trusted proxy only", async () => {
  const world = anotherProcess(await untried(), { trustedProxies: 1 });
  const known = await register(world, CHEAP);
  const wrong = { ...known, password: WRONG };
  const through = (client: string, body: Json) =>
    world.call("POST", `${AUTH}/login`, {
      body,
      peer: "10.0.0.1",
      headers: { "X-Forwarded-For": client },
    });
  // The client's own entries are left of the proxy's.
  await repeat(10, (index) => through(`203.0.113.${index}, 198.51.100.7`, wrong));
  assertThrottled(await through("203.0.113.99, 198.51.100.7", known), WINDOW_SECONDS);
  assertEquals((await through("198.51.100.8", known)).status, 200);
});

Deno.test("POST setup answers 429 after thirty wrong tokens from an address", async () => {
  await using world = await createWorld();
  const setupToken = await issueSetupToken(world.database, world.now());
  const setup = (token: string | null, peer: string) =>
    world.call("POST", `${AUTH}/setup`, {
      body: { setupToken: token, email: "me@example.org", password: PASSWORD, displayName: "Me" },
      peer,
    });
  for (const response of await repeat(30, () => setup("prs_i_wrong", "192.0.2.1"))) {
    assertRefused(response, "AUTH_REQUIRED");
  }
  assertThrottled(await setup(setupToken, "192.0.2.1"), WINDOW_SECONDS);
  assertEquals((await setup(setupToken, "192.0.2.2")).status, 200);
  // A closed set-up is not a guess.
  for (const response of await repeat(31, () => setup("prs_i_wrong", "192.0.2.3"))) {
    assertRefused(response, "SETUP_CLOSED");
  }
});

Deno.test("POST step-up and password answer 429 after ten wrong passwords together", async () => {
  const world = await untried();
  const caller = await world.createCaller();
  await givePassword(world, caller, CHEAP);
  const ask = (path: string, body: Json) => caller.call("POST", `${AUTH}/${path}`, { body });
  const stepUp = (password: string) => ask("step-up", { password, purpose: "IDENTITY_PUBLISH" });
  const change = (currentPassword: string) =>
    ask("password", { currentPassword, newPassword: `${PASSWORD}, new` });
  const answers = await repeat(10, (index) => index % 2 === 0 ? stepUp(WRONG) : change(WRONG));
  for (const response of answers) assertRefused(response, "STEP_UP_REQUIRED");
  assertThrottled(await stepUp(PASSWORD), WINDOW_SECONDS);
  assertThrottled(await change(PASSWORD), WINDOW_SECONDS);
  // The session stays valid.
  assertEquals((await caller.call("GET", `${AUTH}/session`)).status, 200);
});

Deno.test("Strangers cannot lock the owner out at a known address", async () => {
  const world = await untried();
  const known = await register(world, CHEAP);
  assertEquals((await login(world, known, "192.0.2.1")).status, 200);
  world.advance(DAY);
  await fillAccountLimit(world);
  assertThrottled(await login(world, known, "192.0.2.2"), HOUR_SECONDS);
  assertEquals((await login(world, known, "192.0.2.1")).status, 200);
});

Deno.test("The address of the set-up is known too", async () => {
  await using world = await createWorld();
  const setupToken = await issueSetupToken(world.database, world.now());
  const me = { email: "me@example.org", password: PASSWORD };
  const body = { ...me, setupToken, displayName: "Me" };
  const setup = await world.call("POST", `${AUTH}/setup`, { body, peer: "192.0.2.1" });
  assertEquals(setup.status, 200, setup.text);
  await fillAccountLimit(world);
  assertThrottled(await login(world, me, "192.0.2.2"), HOUR_SECONDS);
  assertEquals((await login(world, me, "192.0.2.1")).status, 200);
});

Deno.test("A login rejected before its password check does not count", async () => {
  const passwords = new MeetingHasher(14);
  const world = anotherProcess(await untried(), { passwords });
  const known = await register(world);
  // One hash runs and four wait; the rejected others must not be stored.
  const many = await passwords.all(
    Array.from({ length: 14 }, (_, index) => login(world, known, `192.0.2.${index + 1}`)),
  );
  assertEquals(many.filter(({ status }) => status === 200).length, 5);
  const [row] = await world.rows(
    "select count(*)::integer as failures from access_attempts where not succeeded",
  );
  assertEquals(row.failures, 0);
});

Deno.test("A new password without a place for its hash does not count as wrong", async () => {
  class FullHasher extends PasswordHasher {
    override hash(): Promise<string> {
      return Promise.reject(new ServiceError("HTTP_429"));
    }
  }
  const world = anotherProcess(await untried(), { passwords: new FullHasher() });
  const caller = await world.createCaller();
  await givePassword(world, caller, CHEAP);
  const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD}, new` };
  assertRefused(await caller.call("POST", `${AUTH}/password`, { body }), "HTTP_429");
  assertEquals(await world.rows("select 1 from access_attempts"), []);
});

Deno.test("A session with a cookie has the same limits", async () => {
  const world = await untried();
  const caller: Caller = await world.createCaller();
  await givePassword(world, caller, CHEAP);
  const headers = { Cookie: `${COOKIE}=${caller.secret}`, "Sec-Fetch-Site": "same-origin" };
  const body = { password: WRONG, purpose: "IDENTITY_PUBLISH" };
  const stepUp = () => world.call("POST", `${AUTH}/step-up`, { body, headers, peer: "192.0.2.1" });
  await repeat(10, stepUp);
  assertThrottled(await stepUp(), WINDOW_SECONDS);
});
