/** Who holds a session but not its password gains no token by it: nothing outlives the session. */

import { assertEquals } from "@std/assert";
import { assertRefused, AUTH } from "../http/access.ts";
import { assertInvalid } from "../http/kernel.ts";
import { askForToken, makeToken, proofOf } from "../support/tokens.ts";
import {
  createWorld,
  type Person,
  personOf,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";

const world = sharedWorld();

const BODY = { name: "Mine now", permissions: ["record.read"] };

function ask(person: Person, headers = {}, body = BODY): Promise<TestResponse> {
  return person.call("POST", `${AUTH}/tokens`, { body, headers });
}

async function tokensOf({ accountId }: Person): Promise<number> {
  return (await world().rows(`select 1 from tokens where account_id = '${accountId}'`)).length;
}

Deno.test("A stolen session makes no token without a proof, nor with another's or another purpose's", async () => {
  const [person, stranger] = [await world().person(), await world().person()];
  const { "Step-Up-Proof": proof } = await proofOf(world(), person, "TOKEN_CREATE");
  const wrong = [
    {},
    { "Step-Up-Proof": "" },
    { "Step-Up-Proof": `${proof}x` },
    await proofOf(world(), person, "MEMORY_SECRET_EXPORT"),
    await proofOf(world(), stranger, "TOKEN_CREATE"),
    // A proof for one target is not one for none.
    await proofOf(world(), person, "TOKEN_CREATE", person.sessionId),
  ];
  for (const headers of wrong) {
    assertRefused(await ask(person, headers), "STEP_UP_REQUIRED", JSON.stringify(headers));
  }
  assertEquals(await tokensOf(person), 0);
});

Deno.test("A proof that is replayed makes no second token", async () => {
  const person = await world().person();
  const proof = await proofOf(world(), person, "TOKEN_CREATE");
  assertEquals((await ask(person, proof)).status, 201);
  assertRefused(await ask(person, proof), "STEP_UP_REQUIRED");
  assertEquals(await tokensOf(person), 1);
});

Deno.test("Of requests with one proof at once exactly one makes a token, through two processes", async () => {
  const person = await world().person();
  const callers = [person, personOf(world().again(), person)];
  for (let round = 1; round <= 3; round++) {
    const proof = await proofOf(world(), person, "TOKEN_CREATE");
    const answers = await Promise.all([...callers, ...callers].map((each) => ask(each, proof)));
    assertEquals(answers.map(({ status }) => status).sort(), [201, 403, 403, 403]);
    assertEquals(await tokensOf(person), round);
  }
});

Deno.test("A proof for a token ends after five minutes", async () => {
  await using own = await createWorld();
  const person = await own.person();
  const proof = await proofOf(own, person, "TOKEN_CREATE");
  own.advance(5 * 60_000);
  assertRefused(await ask(person, proof), "STEP_UP_REQUIRED");
});

Deno.test("A wrong body and a creation that breaks off leave the proof unspent", async () => {
  const person = await world().person();
  const proof = await proofOf(world(), person, "TOKEN_CREATE");
  const wrong = await ask(person, proof, { ...BODY, permissions: ["record.destroy"] });
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
  assertEquals((await ask(personOf(broken, person), proof)).status, 500);
  assertEquals(await tokensOf(person), 0);
  assertEquals((await ask(person, proof)).status, 201);
});

Deno.test("Without a step-up adapter no token is made, whatever is sent", async () => {
  const person = await world().person();
  const bare = personOf(world().again({ stepUp: null }), person);
  assertRefused(await askForToken(world(), bare), "STEP_UP_REQUIRED");
  assertEquals(await tokensOf(person), 0);
});

Deno.test("A permission is asked for before the proof, and a token spends none", async () => {
  const [person, viewer] = [await world().person(), await world().person("VIEWER")];
  const { token } = await makeToken(world(), person, { permissions: ["token.manage"] });
  assertRefused(await ask(viewer), "FORBIDDEN");
  assertRefused(await ask(personOf(world().app, { ...person, secret: token })), "FORBIDDEN");
});
