/** Concurrent exchanges, refreshes and ends of an assistant's sign-ins, at two processes. */

import { assertEquals } from "@std/assert";
import { holdBeforeCommit } from "../http/held_database.ts";
import { ASSISTANTS } from "../http/assistants.ts";
import {
  addProgram,
  allow,
  assertOAuthFailure,
  exchangeForm,
  opens,
  type Place,
  post,
  type Program,
  refreshForm,
  SIGN_IN,
  signIn,
  signInEvents,
  tokensOf,
} from "../http/sign_in_tokens.ts";
import { waitForBlocked } from "../storage/held.ts";
import {
  callApp,
  type Caller,
  callerOf,
  ENGINE,
  fileWorld,
  type TestResponse,
} from "../support/world.ts";

// Not shared: its tests move the clock.
const world = fileWorld(SIGN_IN);
const REFUSED = "invalid_grant";

type Request = (place: Place) => Promise<TestResponse>;

/** Holds the first request before COMMIT until the second one waits for it. */
async function meet(
  first: Request,
  second: Request,
): Promise<readonly [TestResponse, TestResponse]> {
  const held = holdBeforeCommit(world().database);
  const app = world().again({ database: held.database });
  const slow = first({ app, call: (...sent) => callApp(app, ...sent) });
  await held.reached;
  const waiting = second(world());
  await waitForBlocked(world(), 1);
  held.letGo();
  return await Promise.all([slow, waiting]);
}

/** The built-in engine runs one transaction at a time: its requests do not meet. */
function test(name: string, run: (owner: Caller, program: Program) => Promise<void>): void {
  Deno.test({
    name,
    ignore: ENGINE !== "postgres",
    async fn() {
      const owner = await world().createCaller();
      await run(owner, await addProgram(world(), owner.accountId));
    },
  });
}

test(
  "One of two exchanges at once succeeds, and its sign-in remains open",
  async (owner, program) => {
    const form = exchangeForm(program, await allow(world(), program));
    const exchange: Request = (place) => post(place, form);
    const [first, second] = await meet(exchange, exchange);
    assertOAuthFailure(second, REFUSED);
    assertEquals(await opens(world(), tokensOf(first).access), true);
    const events = await signInEvents(world(), owner);
    assertEquals(events.map(([event]) => event), ["ASSISTANT_SIGNED_IN"]);
  },
);

test("Two first uses of a refresh token at once give a pair each", async (_owner, program) => {
  const { refresh } = await signIn(world(), program);
  const use: Request = (place) => post(place, refreshForm(program, refresh));
  const answers = await meet(use, use);
  for (const answer of answers) assertEquals(await opens(world(), tokensOf(answer).access), true);
});

test(
  "The end of a sign-in waits for a refresh, and ends its pair",
  async (_owner, program) => {
    const { refresh: reused } = await signIn(world(), program);
    const { refresh } = tokensOf(await post(world(), refreshForm(program, reused)));
    world().advance(60_001);
    const [refreshed, refused] = await meet(
      (place) => post(place, refreshForm(program, refresh)),
      (place) => post(place, refreshForm(program, reused)),
    );
    assertOAuthFailure(refused, REFUSED);
    assertEquals(await opens(world(), tokensOf(refreshed).access), false);
  },
);

test("An exchange that waits for the end of its assistant is refused", async (owner, program) => {
  const form = exchangeForm(program, await allow(world(), program));
  const path = `${ASSISTANTS}/${program.assistantId}/revoke`;
  const [revoked, refused] = await meet(
    ({ app }) => callerOf(app, owner).call("POST", path),
    (place) => post(place, form),
  );
  assertEquals(revoked.status, 200, revoked.text);
  assertOAuthFailure(refused, REFUSED);
});

test("Two sign-ins at once do not pass the limit of ten", async (_owner, program) => {
  const made = [];
  for (let count = 0; count < 9; count++) made.push(await signIn(world(), program));
  const forms = [await allow(world(), program), await allow(world(), program)]
    .map((code) => exchangeForm(program, code));
  const [first = {}, second = {}] = forms;
  const answers = await meet((place) => post(place, first), (place) => post(place, second));
  const all = [...made, ...answers.map(tokensOf)];
  const open = await Promise.all(all.map(({ access }) => opens(world(), access)));
  assertEquals(open.filter(Boolean).length, 10);
});
