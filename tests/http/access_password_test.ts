/** The current password: its change, and step-up proofs. */

import { assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { type StepUpUse, storedStepUp } from "../../src/access/step_up.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { makeToken } from "../support/tokens.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  type Json,
  sharedWorld,
  type World,
} from "../support/world.ts";
import { assertRefused, AUTH, givePassword, type Login, PASSWORD, register } from "./access.ts";
import { assertInvalid } from "./kernel.ts";

const world = sharedWorld();
const NEW_PASSWORD = "a new password, long enough";
const MINUTE = 60_000;

async function signIn(own: World, known: Login): Promise<Caller> {
  const response = await own.call("POST", `${AUTH}/login`, {
    body: { ...known, transport: "bearer" },
  });
  assertEquals(response.status, 200, response.text);
  const { account, session, accessToken } = response.body.data;
  const { accountId } = account;
  return callerOf(own.app, { accountId, sessionId: session.sessionId, secret: accessToken });
}

async function status(caller: Caller): Promise<number> {
  return (await caller.call("GET", `${AUTH}/session`)).status;
}

function change(caller: Caller, more: Json = {}): ReturnType<Caller["call"]> {
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...more };
  return caller.call("POST", `${AUTH}/password`, { body });
}

async function tokenOf(caller: Caller): Promise<Caller> {
  const { token } = await makeToken(world(), caller);
  return callerOf(world().app, { ...caller, secret: token });
}

/** Returns a proof for a use. */
async function prove(caller: Caller, use: Json): Promise<string> {
  const response = await caller.call("POST", `${AUTH}/step-up`, {
    body: { password: PASSWORD, ...use },
  });
  assertEquals(response.status, 200, response.text);
  return response.body.data.proof;
}

/** Uses the proof in its own transaction; returns whether it was accepted. */
async function spend(own: World, caller: Caller, use: StepUpUse & { proof: string | null }) {
  const identity = {
    account: { accountId: caller.accountId, email: "", displayName: "", role: null, createdAt: "" },
    credential: { kind: "SESSION", id: caller.sessionId, expiresAt: "" },
    permissions: new Set<never>(),
  } as const;
  try {
    await own.database.transaction((tx) => storedStepUp.consume(tx.sql, identity, use, own.now()));
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "STEP_UP_REQUIRED") return false;
    throw error;
  }
}

Deno.test("POST password sets the new password, and ends all other sessions, every proof and token", async () => {
  const known = await register(world());
  const caller = await signIn(world(), known);
  const other = await signIn(world(), known);
  const token = await tokenOf(caller);
  const purpose = "IDENTITY_PUBLISH";
  const proofs = [await prove(caller, { purpose }), await prove(other, { purpose })];

  const response = await change(caller);
  assertEquals([response.status, response.body.data], [200, {
    revokedSessions: 1,
    revokedTokens: 1,
  }]);
  assertEquals(await Promise.all([caller, other, token].map(status)), [200, 401, 401]);
  for (const [index, session] of [caller, other].entries()) {
    const use = { purpose, targetId: null, proof: proofs[index] ?? null } as const;
    assertEquals(await spend(world(), session, use), false);
  }
  const login = (password: string) =>
    world().call("POST", `${AUTH}/login`, { body: { ...known, password } });
  assertRefused(await login(PASSWORD), "AUTH_REQUIRED");
  assertEquals((await login(NEW_PASSWORD)).status, 200);
});

Deno.test("POST password keeps the tokens only if requested", async () => {
  for (const [revokeTokens, revokedTokens] of [[true, 2], [false, 0]] as const) {
    const caller = await signIn(world(), await register(world()));
    const tokens = [await tokenOf(caller), await tokenOf(caller)];
    const response = await change(caller, { revokeTokens });
    assertEquals(response.body.data, { revokedSessions: 0, revokedTokens });
    const expected = revokeTokens ? 401 : 200;
    assertEquals(await Promise.all(tokens.map(status)), [expected, expected]);
  }
});

Deno.test("POST password rejects a wrong password and changes nothing", async () => {
  const known = await register(world());
  const [caller, other] = [await signIn(world(), known), await signIn(world(), known)];
  assertRefused(await change(caller, { currentPassword: "not the password" }), "STEP_UP_REQUIRED");
  assertEquals(await Promise.all([caller, other].map(status)), [200, 200]);
  assertEquals((await change(caller)).status, 200);
});

Deno.test("POST password and step-up reject a body by field and rule", async () => {
  const caller = await signIn(world(), await register(world()));
  const wrong: readonly [Json, string[], string[]][] = [
    [{ newPassword: "eleven char" }, ["newPassword"], ["account.password_length"]],
    [{ newPassword: "p".repeat(257) }, ["newPassword"], ["account.password_length"]],
    [{ currentPassword: undefined }, ["currentPassword"], ["field.required"]],
    [{ revokeTokens: "yes" }, ["revokeTokens"], ["field.type"]],
    [{ email: "x@example.org" }, [], ["undeclared_field"]],
  ];
  for (const [more, fields, rules] of wrong) {
    assertInvalid(await change(caller, more), rules, fields, JSON.stringify(more));
  }
  const purpose = "MEMORY_PRIVACY_DOWNGRADE";
  const bodies: readonly [Json, string[], string[]][] = [
    [{ password: PASSWORD }, ["purpose"], ["field.required"]],
    [{ password: PASSWORD, purpose: "EVERYTHING" }, ["purpose"], ["field.option"]],
    [{ password: PASSWORD, purpose, targetId: "x" }, ["targetId"], ["field.identifier"]],
    [{ purpose }, ["password"], ["field.required"]],
    [
      { password: PASSWORD, purpose: "TOKEN_CREATE", targetId: ulid() },
      ["targetId"],
      ["step_up.no_target"],
    ],
  ];
  for (const [body, fields, rules] of bodies) {
    const response = await caller.call("POST", `${AUTH}/step-up`, { body });
    assertInvalid(response, rules, fields, JSON.stringify(body));
  }
});

Deno.test("Of concurrent password changes with one password, one wins", async () => {
  const known = await register(world());
  const caller = await signIn(world(), known);
  const elsewhere = callerOf(world().again(), caller);
  const answers = await Promise.all([
    change(caller, { newPassword: "the first new password" }),
    change(elsewhere, { newPassword: "the second new password" }),
  ]);
  const statuses = answers.map((response) => response.status).sort();
  assertEquals(statuses, [200, 403], answers.map((response) => response.text).join());
  const winner = answers[0]?.status === 200 ? "the first new password" : "the second new password";
  const login = await world().call("POST", `${AUTH}/login`, {
    body: { ...known, password: winner },
  });
  assertEquals(login.status, 200);
});

Deno.test("POST step-up issues a proof for five minutes, and rejects a wrong password", async () => {
  const caller = await signIn(world(), await register(world()));
  const response = await caller.call("POST", `${AUTH}/step-up`, {
    body: { password: PASSWORD, purpose: "IDENTITY_PUBLISH" },
  });
  const { proof, expiresAt } = response.body.data;
  assertMatch(proof, /^prs_x_[A-Za-z0-9_-]{43}$/);
  assertEquals(expiresAt, new Date(world().now().getTime() + 5 * MINUTE).toISOString());
  const wrong = await caller.call("POST", `${AUTH}/step-up`, {
    body: { password: "not the password", purpose: "IDENTITY_PUBLISH" },
  });
  assertRefused(wrong, "STEP_UP_REQUIRED");
});

Deno.test("A proof works once, for its purpose and target, from its own session", async () => {
  const known = await register(world());
  const [caller, other] = [await signIn(world(), known), await signIn(world(), known)];
  const stranger = await world().createCaller();
  const [target, elsewhere] = [ulid(), ulid()];
  const purpose = "MEMORY_PRIVACY_DOWNGRADE";
  const proof = await prove(caller, { purpose, targetId: target });
  const use = { purpose, targetId: target, proof } as const;
  const wrong: readonly [Caller, StepUpUse & { proof: string | null }][] = [
    [caller, { ...use, proof: null }],
    [caller, { ...use, proof: "" }],
    [caller, { ...use, proof: `${proof}x` }],
    [caller, { ...use, purpose: "MEMORY_SECRET_EXPORT" }],
    [caller, { ...use, targetId: elsewhere }],
    [caller, { ...use, targetId: null }],
    [other, use],
    [stranger, use],
  ];
  for (const [caller, each] of wrong) assertEquals(await spend(world(), caller, each), false);
  assertEquals(await spend(world(), caller, use), true);
  assertEquals(await spend(world(), caller, use), false);
});

Deno.test("A proof without a target works once for any target of its purpose", async () => {
  const caller = await signIn(world(), await register(world()));
  const purpose = "MEMORY_SECRET_EXPORT";
  for (const targetId of [null, ulid()]) {
    const proof = await prove(caller, { purpose });
    assertEquals(await spend(world(), caller, { purpose, targetId, proof }), true);
    assertEquals(await spend(world(), caller, { purpose, targetId, proof }), false);
  }
});

Deno.test("Of concurrent uses of one proof in two processes, one wins", async () => {
  const caller = await signIn(world(), await register(world()));
  const purpose = "IDENTITY_PUBLISH";
  for (let round = 0; round < 3; round++) {
    const use = { purpose, targetId: null, proof: await prove(caller, { purpose }) } as const;
    const taken = await Promise.all([1, 2, 3, 4].map(() => spend(world(), caller, use)));
    assertEquals(taken.filter((each) => each).length, 1);
  }
});

Deno.test("A use that is rolled back does not use up its proof", async () => {
  const caller = await signIn(world(), await register(world()));
  const purpose = "IDENTITY_PUBLISH";
  const use = { purpose, targetId: null, proof: await prove(caller, { purpose }) } as const;
  const failing: World = {
    ...world(),
    database: {
      ...world().database,
      transaction: (run) =>
        world().database.transaction(async (tx) => {
          await run(tx);
          throw new Error("rolled back");
        }),
    },
  };
  await spend(failing, caller, use).catch(() => {});
  assertEquals(await spend(world(), caller, use), true);
});

Deno.test("A proof ends after five minutes, to the millisecond", async () => {
  await using own = await createWorld();
  const caller = await signIn(own, await register(own));
  const purpose = "IDENTITY_PUBLISH";
  const proofs = [await prove(caller, { purpose }), await prove(caller, { purpose })];
  const use = (index: number) =>
    ({ purpose, targetId: null, proof: proofs[index] ?? null }) as const;
  own.advance(5 * MINUTE - 1);
  assertEquals(await spend(own, caller, use(0)), true);
  own.advance(1);
  assertEquals(await spend(own, caller, use(1)), false);
});

Deno.test("A proof ends with its session", async () => {
  const known = await register(world());
  const purpose = "IDENTITY_PUBLISH";
  const ways: readonly ((caller: Caller, other: Caller) => ReturnType<Caller["call"]>)[] = [
    (caller) => caller.call("POST", `${AUTH}/logout`),
    (caller, other) => other.call("POST", `${AUTH}/sessions/${caller.sessionId}/revoke`),
    (_, other) => other.call("POST", `${AUTH}/sessions/revoke-others`),
  ];
  for (const end of ways) {
    const [caller, other] = [await signIn(world(), known), await signIn(world(), known)];
    const proof = await prove(caller, { purpose });
    assertEquals((await end(caller, other)).status, 200);
    assertEquals(await spend(world(), caller, { purpose, targetId: null, proof }), false);
  }
});

Deno.test("Without a step-up adapter no proof is issued", async () => {
  const caller = await world().createCaller();
  await givePassword(world(), caller);
  const bare = callerOf(world().again({ stepUp: null }), caller);
  const response = await bare.call("POST", `${AUTH}/step-up`, {
    body: { password: PASSWORD, purpose: "IDENTITY_PUBLISH" },
  });
  assertRefused(response, "STEP_UP_REQUIRED");
});
