/** A stolen session without the password gains no token. */

import { assertEquals } from "@std/assert";
import { assertRefused, AUTH } from "../http/access.ts";
import { assertInvalid } from "../http/kernel.ts";
import { askForToken, makeToken, proofOf } from "../support/tokens.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";

const world = sharedWorld();

const BODY = { name: "Mine now", permissions: ["record.read"] };

function ask(caller: Caller, headers = {}, body = BODY): Promise<TestResponse> {
  return caller.call("POST", `${AUTH}/tokens`, { body, headers });
}

async function tokensOf({ accountId }: Caller): Promise<number> {
  return (await world().rows(`select 1 from tokens where account_id = '${accountId}'`)).length;
}

Deno.test("A stolen session cannot make a token without its own proof for that purpose", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const { "Step-Up-Proof": proof } = await proofOf(world(), caller, "TOKEN_CREATE");
  const wrong = [
    {},
    { "Step-Up-Proof": "" },
    { "Step-Up-Proof": `${proof}x` },
    await proofOf(world(), caller, "MEMORY_SECRET_EXPORT"),
    await proofOf(world(), stranger, "TOKEN_CREATE"),
    // A proof for one target does not work for none.
    await proofOf(world(), caller, "TOKEN_CREATE", caller.sessionId),
  ];
  for (const headers of wrong) {
    assertRefused(await ask(caller, headers), "STEP_UP_REQUIRED", JSON.stringify(headers));
  }
  assertEquals(await tokensOf(caller), 0);
});

Deno.test("A replayed proof does not make a second token", async () => {
  const caller = await world().createCaller();
  const proof = await proofOf(world(), caller, "TOKEN_CREATE");
  assertEquals((await ask(caller, proof)).status, 201);
  assertRefused(await ask(caller, proof), "STEP_UP_REQUIRED");
  assertEquals(await tokensOf(caller), 1);
});

Deno.test("Of concurrent requests with one proof in two processes, exactly one makes a token", async () => {
  const caller = await world().createCaller();
  const callers = [caller, callerOf(world().again(), caller)];
  for (let round = 1; round <= 3; round++) {
    const proof = await proofOf(world(), caller, "TOKEN_CREATE");
    const answers = await Promise.all([...callers, ...callers].map((each) => ask(each, proof)));
    assertEquals(answers.map(({ status }) => status).sort(), [201, 403, 403, 403]);
    assertEquals(await tokensOf(caller), round);
  }
});

Deno.test("A proof for a token ends after five minutes", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const proof = await proofOf(own, caller, "TOKEN_CREATE");
  own.advance(5 * 60_000);
  assertRefused(await ask(caller, proof), "STEP_UP_REQUIRED");
});

Deno.test("An invalid body or an aborted creation does not use up the proof", async () => {
  const caller = await world().createCaller();
  const proof = await proofOf(world(), caller, "TOKEN_CREATE");
  const wrong = await ask(caller, proof, { ...BODY, permissions: ["record.destroy"] });
  assertInvalid(wrong, ["field.option"], ["permissions"]);
  const broken = world().again({
    database: {
      ...world().database,
      transaction: (run) =>
        world().database.transaction(async (tx) => {
          await run(tx);
          throw new Error("Rolled back");
        }),
    },
  });
  assertEquals((await ask(callerOf(broken, caller), proof)).status, 500);
  assertEquals(await tokensOf(caller), 0);
  assertEquals((await ask(caller, proof)).status, 201);
});

Deno.test("Without a step-up adapter no token can be made", async () => {
  const caller = await world().createCaller();
  const bare = callerOf(world().again({ stepUp: null }), caller);
  assertRefused(await askForToken(world(), bare), "STEP_UP_REQUIRED");
  assertEquals(await tokensOf(caller), 0);
});

Deno.test("The permission is checked before the proof, and a token uses up no proof", async () => {
  const [caller, viewer] = [await world().createCaller(), await world().createCaller("VIEWER")];
  const { token } = await makeToken(world(), caller, { permissions: ["token.manage"] });
  assertRefused(await ask(viewer), "FORBIDDEN");
  assertRefused(await ask(callerOf(world().app, { ...caller, secret: token })), "FORBIDDEN");
});
