import { assertEquals, assertGreater } from "@std/assert";
import { PERMISSIONS } from "../../src/access/permissions.ts";
import type { Database } from "../../src/database/database.ts";
import { writingInTransactions } from "../support/single_writes.ts";
import { waitUntil } from "../support/wait.ts";
import { type Caller, callerOf, fileWorld, sharedWorld, type World } from "../support/world.ts";
import { assertRefused, AUTH, COOKIE, DAY, HOUR, parseSetCookie } from "./access.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld();

const world = sharedWorld();

async function lastSeen(own: World, caller: Caller): Promise<number> {
  const [row] = await own.rows(
    `select last_seen_at from sessions where session_id = '${caller.sessionId}'`,
  );
  return row.last_seen_at.getTime();
}

/** Waits until the use is recorded. */
async function visit(own: World, caller: Caller): Promise<void> {
  const response = await caller.call("GET", `${AUTH}/session`);
  assertEquals(response.status, 200, response.text);
  await waitUntil(
    "the visit is noted",
    async () => await lastSeen(own, caller) === own.now().getTime(),
  );
}

Deno.test("GET session returns the caller, its credential and its permissions", async () => {
  const caller = await world().createCaller();
  const response = await caller.call("GET", `${AUTH}/session`);
  assertEquals(response.status, 200, response.text);
  const { account, permissions, credential } = response.body.data;
  const members = ["account", "credential", "permissions", "secondFactor"];
  assertEquals(Object.keys(response.body.data).sort(), members);
  assertEquals(response.body.data.secondFactor, false);
  assertEquals(account, {
    accountId: caller.accountId,
    email: account.email,
    displayName: "Person",
    role: "OWNER",
    createdAt: world().now().toISOString(),
  });
  assertEquals(permissions, [...PERMISSIONS].sort());
  assertEquals(credential, {
    kind: "SESSION",
    expiresAt: new Date(world().now().getTime() + 30 * DAY).toISOString(),
  });
});

Deno.test("GET session works for a role without permissions, which can do nothing else", async () => {
  const caller = await world().createCaller("SERVICE");
  const response = await caller.call("GET", `${AUTH}/session`);
  assertEquals([response.status, response.body.data.permissions], [200, []]);
  assertRefused(await caller.call("GET", "/api/v2/catalog"), "FORBIDDEN");
  assertRefused(await caller.call("GET", "/api/v2/records/commitment"), "FORBIDDEN");
  assertEquals((await caller.call("POST", `${AUTH}/logout`)).status, 200);
});

Deno.test("POST logout ends its session immediately in every process, and no other session", async () => {
  const [owner, other] = [await world().createCaller(), await world().createCaller()];
  const elsewhere = callerOf(world().again(), owner);
  assertEquals((await elsewhere.call("GET", `${AUTH}/session`)).status, 200);
  const response = await owner.call("POST", `${AUTH}/logout`);
  assertEquals([response.status, response.body.data], [200, { revoked: true }]);
  const { pair, attributes } = parseSetCookie(response);
  assertEquals([pair, attributes.includes("Max-Age=0")], [`${COOKIE}=`, true]);
  for (const caller of [owner, elsewhere]) {
    assertRefused(await caller.call("GET", `${AUTH}/session`), "AUTH_REQUIRED");
    assertRefused(await caller.call("POST", `${AUTH}/logout`), "AUTH_REQUIRED");
  }
  assertEquals((await other.call("GET", `${AUTH}/session`)).status, 200);
});

Deno.test("Session of a disabled account ends immediately", async () => {
  const caller = await world().createCaller();
  await world().raw(
    `update accounts set disabled_at = now() where account_id = '${caller.accountId}'`,
  );
  assertRefused(await caller.call("GET", `${AUTH}/session`), "AUTH_REQUIRED");
});

Deno.test("Session ends after 14 days without a request, to the hour", async () => {
  const own = apart();
  const caller = await own.createCaller();
  own.advance(14 * DAY - 1);
  await visit(own, caller);
  own.advance(14 * DAY + HOUR);
  assertRefused(await caller.call("GET", `${AUTH}/session`), "AUTH_REQUIRED");
});

Deno.test("Session ends 30 days after it began, however much it is used", async () => {
  const own = apart();
  const caller = await own.createCaller();
  for (const days of [10, 10, 9]) {
    own.advance(days * DAY);
    await visit(own, caller);
  }
  own.advance(DAY - 1);
  await visit(own, caller);
  own.advance(1);
  assertRefused(await caller.call("GET", `${AUTH}/session`), "AUTH_REQUIRED");
});

/** Counts transactions, or runs a function instead. */
function watched(database: Database, transaction?: () => Promise<never>): Database & {
  readonly transactions: number;
} {
  let transactions = 0;
  const seen = writingInTransactions({
    ...database,
    transaction(use) {
      transactions++;
      return transaction?.() ?? database.transaction(use);
    },
  });
  return {
    ...seen,
    get transactions() {
      return transactions;
    },
  };
}

Deno.test("Last seen is written at most hourly", async () => {
  const own = apart();
  const owner = await own.createCaller();
  const counted = watched(own.database);
  const caller = callerOf(own.again({ database: counted }), owner);
  const began = own.now().getTime();
  own.advance(HOUR - 1);
  assertEquals((await caller.call("GET", `${AUTH}/session`)).status, 200);
  assertEquals([counted.transactions, await lastSeen(own, owner)], [0, began]);
  own.advance(1);
  await visit(own, caller);
  assertEquals(await lastSeen(own, owner), began + HOUR);

  // Each of them finds it due; the first to write is enough.
  own.advance(HOUR);
  const due = own.now().getTime();
  await Promise.all(Array.from({ length: 5 }, async () => {
    await caller.call("GET", `${AUTH}/session`);
    own.advance(1);
  }));
  await waitUntil("a visit is noted", async () => await lastSeen(own, owner) >= due);
  const noted = await lastSeen(own, owner);
  await own.database.transaction(async (tx) => {
    await tx.sql`select 1`;
  });
  assertEquals(await lastSeen(own, owner), noted);
});

Deno.test("A response neither waits for the last-seen write nor loses it", async () => {
  const own = apart();
  const caller = await own.createCaller();
  own.advance(HOUR);
  const never = watched(own.database, () => new Promise(() => {}));
  const fails = watched(own.database, () => Promise.reject(new Error("The database is away")));
  for (const database of [never, fails]) {
    const response = await callerOf(own.again({ database }), caller).call("GET", `${AUTH}/session`);
    assertEquals(response.status, 200, response.text);
    assertGreater(database.transactions, 0);
  }
});
