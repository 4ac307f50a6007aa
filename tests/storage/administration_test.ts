// engines: postgres
/** Account administration, seen by every process. */

import { assertEquals, assertMatch } from "@std/assert";
import {
  createAccount,
  disableAccount,
  enableAccount,
  endAccountSessions,
  endAccountToken,
  listAccounts,
  listAccountTokens,
  resetPassword,
  resetSecondFactor,
} from "../../src/accounts/administration.ts";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { issueSetupToken, setUpAccount } from "../../src/accounts/setup_routes.ts";
import { storedStepUp } from "../../src/access/step_up.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { assertRefused, AUTH, PASSWORD, register } from "../http/access.ts";
import { begin, confirm, enrol, factorEvents, isOn, login } from "../http/second_factor.ts";
import { makeToken } from "../support/tokens.ts";
import {
  callApp,
  type Caller,
  callerOf,
  CHEAP_COST,
  createWorld,
  fileWorld,
  sharedWorld,
  type World,
} from "../support/world.ts";
import { emailOf, eventContextOf, eventsOf, refusalOf } from "./operator.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld();

const world = sharedWorld();
const SESSION = `${AUTH}/session`;
const UNKNOWN = "No account has this email";

async function accountIdOf({ email }: { readonly email: string }): Promise<string> {
  const [row] = await world().rows(`select account_id from accounts where email = '${email}'`);
  return row.account_id;
}

/** Calls two processes. */
async function statusesOf(secret: string): Promise<number[]> {
  const headers = { Authorization: `Bearer ${secret}` };
  const apps = [world().app, world().again()];
  const answers = await Promise.all(apps.map((app) => callApp(app, "GET", SESSION, { headers })));
  return answers.map((response) => response.status);
}

/** Makes a proof, and a check that it is unused. */
async function makeProof(
  { database, now }: World,
  { accountId, sessionId }: Caller,
): Promise<() => Promise<boolean>> {
  const account = { accountId, email: "", displayName: "", role: "OWNER", createdAt: "" };
  const credential = { kind: "SESSION", id: sessionId, expiresAt: "" } as const;
  const identity = { account, credential, permissions: new Set<never>() };
  const use = { purpose: "IDENTITY_PUBLISH", targetId: null } as const;
  const { proof } = await database.transaction((tx) =>
    storedStepUp.issue(tx, identity, use, now())
  );
  return async () => {
    try {
      await database.transaction((tx) =>
        storedStepUp.consume(tx.sql, identity, { ...use, proof }, now())
      );
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "STEP_UP_REQUIRED") return false;
      throw error;
    }
  };
}

Deno.test("Account created by an operator can sign in, with its role", async () => {
  const account = {
    email: "Made@Example.org",
    displayName: "Made",
    passwordHash: await new PasswordHasher({ cost: CHEAP_COST }).hash(PASSWORD, "known"),
    role: "VIEWER" as const,
  };
  const made = await createAccount(world().database, account, eventContextOf(world()));
  const body = { email: "made@example.ORG", password: PASSWORD, transport: "bearer" };
  const login = await world().call("POST", `${AUTH}/login`, { body });
  assertEquals(login.body.data.account, {
    accountId: made.accountId,
    email: "Made@Example.org",
    displayName: "Made",
    role: "VIEWER",
    createdAt: world().now().toISOString(),
  });
  assertEquals(await eventsOf(world(), made.accountId), ["ACCOUNT_CREATED null", "LOGIN SESSION"]);
  const listed = (await listAccounts(world().database)).find(({ email }) => email === made.email);
  const states = { disabledAt: null, frozenAt: null, movedTo: null };
  assertEquals(listed, { ...made, granted: [], ...states });
});

Deno.test("Account without a stated role is an owner, with its email in any case", async () => {
  const account = { email: "first@example.org", displayName: "First", passwordHash: "none" };
  const make = (email: string) =>
    createAccount(world().database, { ...account, email }, eventContextOf(world()));
  assertEquals((await make("first@example.org")).role, "OWNER");
  assertEquals(await refusalOf(make("FIRST@example.org")), "An account has this email already");
});

Deno.test("Of concurrent accounts with one email one is created", async () => {
  const account = { displayName: "Racer", passwordHash: "none" };
  const refusals = await Promise.all(
    ["racer@example.org", "Racer@example.org", "RACER@example.org", "racer@EXAMPLE.org"].map(
      (email) =>
        refusalOf(createAccount(world().database, { ...account, email }, eventContextOf(world()))),
    ),
  );
  const taken = "An account has this email already";
  assertEquals(refusals.toSorted(), [taken, taken, taken, null].toSorted());
  const named = (await listAccounts(world().database)).filter(({ displayName }) =>
    displayName === "Racer"
  );
  assertEquals(named.length, 1);
});

Deno.test("Account created by an operator closes an open set-up", async () => {
  const own = apart();
  const setupToken = await issueSetupToken(own.database, own.now());
  const account = { email: "me@example.org", displayName: "Me", passwordHash: "none" };
  await createAccount(own.database, account, eventContextOf(own));
  assertEquals((await own.rows("select 1 from setup_token")).length, 0);
  const body = { setupToken, email: "you@example.org", password: PASSWORD, displayName: "You" };
  assertRefused(await own.call("POST", `${AUTH}/setup`, { body }), "SETUP_CLOSED");
});

for (const first of ["command", "set-up"]) {
  Deno.test(`Concurrent set-up and command, ${first} first, leave set-up closed`, async () => {
    await using own = await createWorld();
    const token = await issueSetupToken(own.database, own.now()) ?? "";
    const account = { displayName: "Someone", passwordHash: "none" };
    const contenders = [
      () =>
        createAccount(own.database, { ...account, email: "a@example.org" }, eventContextOf(own)),
      () =>
        own.database.transaction((tx) =>
          setUpAccount(tx, token, { ...account, email: "b@example.org" }, eventContextOf(own))
        ),
    ];
    if (first === "set-up") contenders.reverse();
    const results = await Promise.allSettled(contenders.map((contend) => contend()));
    const refused = results.filter((result) => result.status === "rejected");
    for (const { reason } of refused) {
      assertEquals(reason instanceof ServiceError && reason.code, "SETUP_CLOSED");
    }
    const emails = (await listAccounts(own.database)).map(({ email }) => email);
    assertEquals(emails.includes("a@example.org"), true, "the command must make its account");
    assertEquals(emails.length, 2 - refused.length);
    assertEquals(await issueSetupToken(own.database, own.now()), null);
    assertEquals((await own.rows("select 1 from setup_token")).length, 0);
  });
}

Deno.test("Disabling ends sessions, tokens and proofs immediately everywhere, and enabling does not restore them", async () => {
  const caller = await world().createCaller();
  const other = await world().createCaller();
  const { token } = await makeToken(world(), caller);
  const canSpend = await makeProof(world(), caller);
  const secrets = [caller.secret, token];
  for (const secret of secrets) assertEquals(await statusesOf(secret), [200, 200]);
  const before = await eventsOf(world(), caller.accountId);

  const email = emailOf(caller).toLowerCase();
  assertEquals(await disableAccount(world().database, email, eventContextOf(world())), true);
  for (const secret of secrets) assertEquals(await statusesOf(secret), [401, 401]);
  assertEquals(await canSpend(), false);
  assertEquals(await statusesOf(other.secret), [200, 200], "another's session must go on");
  const disabled = [
    ...before,
    "ACCOUNT_DISABLED ADMIN",
    "SESSION_REVOKED SESSION",
    "TOKEN_REVOKED TOKEN",
  ].sort();
  assertEquals(await eventsOf(world(), caller.accountId), disabled);

  assertEquals(await disableAccount(world().database, email, eventContextOf(world())), false);
  assertEquals(await eventsOf(world(), caller.accountId), disabled, "nothing happened");

  assertEquals(await enableAccount(world().database, email, eventContextOf(world())), true);
  assertEquals(await enableAccount(world().database, email, eventContextOf(world())), false);
  for (const secret of secrets) assertEquals(await statusesOf(secret), [401, 401]);
  assertEquals(await canSpend(), false);
  const enabled = [...disabled, "ACCOUNT_ENABLED ADMIN"].sort();
  assertEquals(await eventsOf(world(), caller.accountId), enabled);
});

Deno.test("Disabled account cannot sign in until it is enabled", async () => {
  const login = await register(world());
  const signIn = () => world().call("POST", `${AUTH}/login`, { body: login });
  await disableAccount(world().database, login.email, eventContextOf(world()));
  assertRefused(await signIn(), "AUTH_REQUIRED");
  await enableAccount(world().database, login.email, eventContextOf(world()));
  assertEquals((await signIn()).status, 200);
});

Deno.test("Sign-ins during a disabling open no session", async () => {
  const login = await register(world());
  const body = { ...login, transport: "bearer" };
  const signIns = [world().app, world().again()].map((app) =>
    callApp(app, "POST", `${AUTH}/login`, { body })
  );
  // Checked concurrently, so that the disabling meets the later sign-in.
  await Promise.race(signIns);
  await disableAccount(world().database, login.email, eventContextOf(world()));
  for (const response of await Promise.all(signIns)) {
    const secret = response.body.data?.accessToken;
    if (secret === undefined) assertEquals(response.status, 401);
    else assertEquals(await statusesOf(secret), [401, 401]);
  }
});

Deno.test("Reset password replaces the old one and ends sessions and proofs, not tokens", async () => {
  const login = await register(world());
  const signIn = (password: string) => {
    const body = { email: login.email, password, transport: "bearer" };
    return world().call("POST", `${AUTH}/login`, { body });
  };
  const { session, accessToken: secret } = (await signIn(login.password)).body.data;
  const { sessionId } = session;
  const accountId = await accountIdOf(login);
  const caller = callerOf(world().app, { accountId, sessionId, secret });
  const { token } = await makeToken(world(), caller);
  const canSpend = await makeProof(world(), caller);

  const hash = await new PasswordHasher({ cost: CHEAP_COST }).hash(
    "another password for this one",
    "known",
  );
  await resetPassword(world().database, login.email, hash, eventContextOf(world()));
  assertEquals(await statusesOf(secret), [401, 401]);
  assertEquals(await statusesOf(token), [200, 200]);
  assertEquals(await canSpend(), false);
  assertRefused(await signIn(login.password), "AUTH_REQUIRED");
  assertEquals((await signIn("another password for this one")).status, 200);
  const events = await eventsOf(world(), accountId);
  assertEquals(events.filter((event) => event === "PASSWORD_RESET ADMIN").length, 1);
});

Deno.test("Resetting the second factor turns it off and leaves sessions and tokens", async () => {
  const enrolled = await enrol(world());
  const { caller, recoveryCodes: [recoveryCode = ""] } = enrolled;
  const { token } = await makeToken(world(), caller);
  const pending = await begin(world(), caller);
  const reset = () =>
    resetSecondFactor(world().database, enrolled.email.toUpperCase(), eventContextOf(world()));
  assertRefused(await login(world(), enrolled), "SECOND_FACTOR_REQUIRED");
  assertEquals([await reset(), await reset()], [true, false]);
  assertEquals((await login(world(), enrolled)).status, 200);
  assertEquals(await isOn(caller), false);
  for (const secret of [caller.secret, token]) assertEquals(await statusesOf(secret), [200, 200]);
  const late = await confirm(caller, await pending.codeAt(world().now()));
  assertRefused(late, "SECOND_FACTOR_STATE_CONFLICT");
  assertEquals(await factorEvents(world(), caller), [
    "SECOND_FACTOR_ENABLED SESSION",
    "SECOND_FACTOR_REQUIRED null",
    "SECOND_FACTOR_RESET ADMIN",
  ]);
  await enrol(world(), caller);
  assertRefused(await login(world(), enrolled, { recoveryCode }), "AUTH_REQUIRED");
});

Deno.test("A password reset and a disabling keep the second factor on", async () => {
  const enrolled = await enrol(world());
  const { email } = enrolled;
  const context = eventContextOf(world());
  const hash = await new PasswordHasher({ cost: CHEAP_COST }).hash(PASSWORD, "known");
  await resetPassword(world().database, email, hash, context);
  assertRefused(await login(world(), enrolled), "SECOND_FACTOR_REQUIRED");
  await disableAccount(world().database, email, context);
  assertRefused(await login(world(), enrolled), "AUTH_REQUIRED");
  await enableAccount(world().database, email, context);
  assertRefused(await login(world(), enrolled), "SECOND_FACTOR_REQUIRED");
});

Deno.test("Ending all sessions keeps the tokens", async () => {
  const caller = await world().createCaller();
  const { token } = await makeToken(world(), caller);
  const canSpend = await makeProof(world(), caller);
  const end = () => endAccountSessions(world().database, emailOf(caller), eventContextOf(world()));
  assertEquals(await end(), 1);
  assertEquals(await statusesOf(caller.secret), [401, 401]);
  assertEquals(await canSpend(), false);
  assertEquals(await statusesOf(token), [200, 200]);
  assertEquals(await end(), 0);
  const events = await eventsOf(world(), caller.accountId);
  assertEquals(events.filter((event) => event === "SESSION_REVOKED SESSION").length, 1);
});

Deno.test("Tokens are listed without secrets and revoked one by one", async () => {
  const caller = await world().createCaller();
  const [first, second] = [
    await makeToken(world(), caller),
    await makeToken(world(), caller, { permissions: ["search.read"] }),
  ];
  const listed = await listAccountTokens(world().database, emailOf(caller));
  assertEquals(new Set(listed.map(({ tokenId }) => tokenId)), new Set([first, second].map(idOf)));
  assertEquals(JSON.stringify(listed).includes("prs_p_"), false);
  const end = (tokenId: string, of = caller) =>
    endAccountToken(world().database, emailOf(of), tokenId, eventContextOf(world()));

  assertEquals(await end(first.tokenId), true);
  assertEquals(await end(first.tokenId), false);
  assertEquals(await statusesOf(first.token), [401, 401]);
  assertEquals(await statusesOf(second.token), [200, 200]);
  const left = await listAccountTokens(world().database, emailOf(caller));
  assertEquals(left.map(({ tokenId }) => tokenId), [second.tokenId]);

  const stranger = await world().createCaller();
  assertEquals(await refusalOf(end(second.tokenId, stranger)), "The account has no such token");
  assertEquals(await statusesOf(second.token), [200, 200]);
  const events = await eventsOf(world(), caller.accountId);
  assertEquals(events.filter((event) => event === "TOKEN_REVOKED TOKEN").length, 1);
});

function idOf({ tokenId }: { readonly tokenId: string }): string {
  return tokenId;
}

Deno.test("Unknown account is rejected without effect", async () => {
  await using own = await createWorld();
  const { database } = own;
  const email = "nobody@example.org";
  const commands = [
    disableAccount(database, email, eventContextOf(own)),
    enableAccount(database, email, eventContextOf(own)),
    resetPassword(database, email, "none", eventContextOf(own)),
    resetSecondFactor(database, email, eventContextOf(own)),
    endAccountSessions(database, email, eventContextOf(own)),
    endAccountToken(database, email, eventContextOf(own).requestId, eventContextOf(own)),
    listAccountTokens(database, email),
  ];
  for (const refusal of await Promise.all(commands.map(refusalOf))) assertEquals(refusal, UNKNOWN);
  assertEquals((await own.rows("select 1 from access_events")).length, 0);
  assertMatch(await issueSetupToken(database, own.now()) ?? "", /^prs_i_/);
});
