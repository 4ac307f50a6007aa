/** A frozen and a moved account, on each route. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { disableAccount } from "../../src/accounts/administration.ts";
import {
  assertMovable,
  freezeAccount,
  insertExportEvent,
  retireAccount,
  unfreezeAccount,
} from "../../src/accounts/moving.ts";
import { findAccountByEmail } from "../../src/accounts/account_store.ts";
import type { ProtectedRoute } from "../../src/http/route.ts";
import { emailOf, eventContextOf, eventsOf, refusalOf } from "../storage/operator.ts";
import {
  type Caller,
  fileWorld,
  type Json,
  type TestResponse,
  type World,
} from "../support/world.ts";
import { AUTH, failureOf, givePassword, PASSWORD, register } from "./access.ts";
import { callRoute, type Example, EXAMPLE_SERVICES, makeExample, proofFor } from "./examples.ts";
import { assertFailure, assertWritesNothing, COMMITMENT, COMMITMENTS, pathOf } from "./kernel.ts";
import { assertNothing, look, publicCaller } from "../families/identity/public.ts";

/** Not writes of the account: POST reads, and authentication. */
const GO_ON: readonly string[] = [
  "search",
  "taxonomy.search",
  "relationship.person.find",
  "auth.logout",
  "session.revoke",
  "session.revoke_others",
  "token.revoke",
  "calendar.feed.revoke",
  "step_up.issue",
  "passkey.step_up_begin",
  "passkey.step_up",
];

const shared = fileWorld(EXAMPLE_SERVICES);

const NEW_ADDRESS = "https://cell-2.example.org";

function freeze(world: World, caller: Caller): Promise<boolean> {
  return freezeAccount(world.database, emailOf(caller), () => eventContextOf(world));
}

/** Records that a file has the account's content. */
async function noteCopy(world: World, email: string): Promise<void> {
  const context = () => eventContextOf(world);
  const account = await world.database.read((sql) => findAccountByEmail(sql, email));
  const frozenAt = await world.database.read((sql) =>
    assertMovable(sql, account?.account_id ?? "")
  );
  await insertExportEvent(world.database, email, frozenAt, context);
}

function retire(world: World, caller: Caller, movedTo = NEW_ADDRESS): Promise<boolean> {
  return retireAccount(world.database, emailOf(caller), movedTo, eventContextOf(world));
}

function assertFrozen(response: TestResponse, entryPoint: string): void {
  const details = assertFailure(response, "SYSTEM_MAINTENANCE", entryPoint);
  assertEquals(details, { scope: "ACCOUNT_WRITES", entryPoint });
  assertEquals(response.headers.get("Retry-After"), "30");
}

/** An example's owner and a repeatable call. */
async function prepare(world: World, route: ProtectedRoute, given?: Example) {
  const example = given ?? await makeExample(world);
  const { caller } = example;
  const path = await example.pathOf(route);
  const parts = await example.partsOf(route);
  const headers = await proofFor(world, route, caller);
  const call = (key: string) => callRoute(caller, route, path, { ...parts, key, headers });
  return { caller, call };
}

Deno.test("A frozen account rejects every write with 503, but reads, replays and session ends work", async () => {
  const world = shared();
  const routes = world.app.routes.filter((route) => route.access !== "public");
  const unsafe = routes.filter(({ method }) => method !== "GET");
  const goingOn: string[] = [];
  const refused: (() => Promise<void>)[] = [];
  const example = await makeExample(world);
  for (const route of unsafe) {
    // Routes that change their credential use another caller.
    const isOfAccess = /^\/api\/v2\/(auth|account)\//.test(route.path);
    const isAlone = isOfAccess || GO_ON.includes(route.operation);
    const { caller, call } = await prepare(world, route, isAlone ? undefined : example);
    if (isAlone) assert(await freeze(world, caller));
    if (GO_ON.includes(route.operation)) {
      const response = await call("during");
      assert(response.status < 300, `${route.operation}: ${response.text}`);
      goingOn.push(route.operation);
    } else {
      refused.push(async () => assertFrozen(await call("k"), route.operation));
    }
  }
  assert(await freeze(world, example.caller));
  await assertWritesNothing(world, async () => {
    for (const refuse of refused) await refuse();
  });
  assertEquals(goingOn.toSorted(), GO_ON.toSorted());
  const { caller } = await makeExample(world);
  const sent = { key: "k", body: { title: "A", payload: COMMITMENT } };
  const first = await caller.call("POST", COMMITMENTS, sent);
  await freeze(world, caller);
  const again = await caller.call("POST", COMMITMENTS, sent);
  assertEquals([again.status, again.body.data], [201, first.body.data]);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  const other = { ...sent, body: { title: "B", payload: COMMITMENT } };
  assertFailure(await caller.call("POST", COMMITMENTS, other), "IDEMPOTENCY_KEY_REUSED");
  assertEquals((await caller.call("GET", pathOf(first.body.data))).status, 200);
  // Other accounts are not affected.
  const { caller: neighbour } = await makeExample(world);
  assertEquals((await neighbour.call("POST", COMMITMENTS, sent)).status, 201);
  const context = eventContextOf(world);
  assert(await unfreezeAccount(world.database, emailOf(caller), context));
  assertEquals(await unfreezeAccount(world.database, emailOf(caller), context), false);
  const late = { ...sent, key: "late" };
  assertEquals((await caller.call("POST", COMMITMENTS, late)).status, 201);
});

Deno.test("A moved account reveals its address to the right password, not to a wrong one", async () => {
  const world = shared();
  const { caller: owner, slug } = await publicCaller(world);
  await givePassword(world, owner);
  const email = emailOf(owner);
  const login = (parts: Json = {}) =>
    world.call("POST", `${AUTH}/login`, { body: { email, password: PASSWORD, ...parts } });
  assertEquals(await refusalOf(retire(world, owner)), "The account is not frozen");
  await freeze(world, owner);
  assertEquals((await login()).status, 200);
  assertEquals((await look(world, slug)).status, 200);
  assertEquals(
    await refusalOf(retire(world, owner)),
    "The account was not exported since it was frozen",
  );
  await noteCopy(world, email);
  assert(await retire(world, owner));
  assertEquals(await retire(world, owner), false);
  assertEquals(assertFailure(await login(), "ACCOUNT_MOVED"), { movedTo: NEW_ADDRESS });
  const nobody = failureOf(await login({ email: "nobody@example.org" }));
  assertEquals(failureOf(await login({ password: `${PASSWORD}!` })), nobody);
  const unfreezing = unfreezeAccount(world.database, email, eventContextOf(world));
  assertEquals(await refusalOf(unfreezing), `The account has moved to ${NEW_ADDRESS}`);
  await assertRejects(
    () => world.raw("update accounts set moved_to = null where moved_to is not null"),
    Error,
    "an account that has moved does not come back",
  );
  // It may move again, and a disabled one reveals nothing.
  assert(await retire(world, owner, "http://localhost:8001"));
  assertEquals(assertFailure(await login(), "ACCOUNT_MOVED"), { movedTo: "http://localhost:8001" });
  const details = assertFailure(await owner.call("GET", COMMITMENTS), "ACCOUNT_MOVED");
  assertEquals(details, { movedTo: "http://localhost:8001" });
  const disabling = disableAccount(world.database, email, eventContextOf(world));
  assertEquals(await refusalOf(disabling), "The account has moved to http://localhost:8001");
  await world.raw(`
    update accounts set disabled_at = now() where account_id = '${owner.accountId}'`);
  assertEquals(failureOf(await login()), nobody);
  assertNothing(await look(world, slug), "publication");
  const told = await eventsOf(world, owner.accountId);
  assertEquals(told.filter((event) => /ACCOUNT/.test(event)), [
    "ACCOUNT_EXPORTED ADMIN",
    "ACCOUNT_FROZEN ADMIN",
    "ACCOUNT_RETIRED ADMIN",
    "ACCOUNT_RETIRED ADMIN",
  ]);
});

Deno.test("The right password of a moved account never counts as a failure", async () => {
  const world = shared();
  const known = await register(world);
  const context = eventContextOf(world);
  await freezeAccount(world.database, known.email, () => context);
  await noteCopy(world, known.email);
  await retireAccount(world.database, known.email, NEW_ADDRESS, context);
  for (let attempt = 0; attempt < 12; attempt++) {
    assertFailure(await world.call("POST", `${AUTH}/login`, { body: known }), "ACCOUNT_MOVED");
  }
  // In the account's trail.
  const rows = await world.rows(`
    select 1 from access_events join accounts using (account_id)
     where event = 'LOGIN_FAILED' and email = '${known.email}'`);
  assertEquals(rows.length, 12);
});
