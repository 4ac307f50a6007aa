import { assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { PERMISSIONS } from "../../src/access/permissions.ts";
import { askForToken } from "../support/tokens.ts";
import { waitUntil } from "../support/wait.ts";
import {
  type Caller,
  callerOf,
  createWorld,
  type Json,
  sharedWorld,
  type World,
} from "../support/world.ts";
import { assertRefused, AUTH, DAY, HOUR } from "./access.ts";
import { assertFailure, assertInvalid, COMMITMENT, COMMITMENTS, walkPages } from "./kernel.ts";

const world = sharedWorld();
const TOKENS = `${AUTH}/tokens`;

/** A token and its caller. */
interface Made {
  readonly data: Json;
  readonly bearer: Caller;
}

async function makeToken(own: World, caller: Caller, body: Json = {}): Promise<Made> {
  const response = await askForToken(own, caller, body);
  assertEquals(response.status, 201, response.text);
  const { data } = response.body;
  assertEquals(response.headers.get("Location"), `${TOKENS}/${data.tokenId}`);
  return { data, bearer: callerOf(own.app, { ...caller, secret: data.token }) };
}

async function listed(caller: Caller): Promise<Json[]> {
  return (await caller.call("GET", TOKENS)).body.data.items;
}

Deno.test("POST tokens makes a token whose secret is shown once", async () => {
  const caller = await world().createCaller();
  const permissions = ["record.write", "record.read"];
  const { data } = await makeToken(world(), caller, { name: "Backup 🙂", permissions });
  const { token, ...shown } = data;
  assertMatch(token, /^prs_p_[A-Za-z0-9_-]{43}$/);
  assertEquals(shown, {
    tokenId: data.tokenId,
    name: "Backup 🙂",
    permissions: ["record.read", "record.write"],
    modules: null,
    createdAt: world().now().toISOString(),
    expiresAt: new Date(world().now().getTime() + 90 * DAY).toISOString(),
    lastUsedAt: null,
  });
  assertEquals(await listed(caller), [shown]);
  const path = `${TOKENS}/${data.tokenId}`;
  assertEquals((await caller.call("GET", path)).body.data, shown);
  const stranger = await world().createCaller();
  assertRefused(await stranger.call("GET", path), "RECORD_NOT_FOUND");
  await caller.call("POST", `${path}/revoke`);
  assertRefused(await caller.call("GET", path), "RECORD_NOT_FOUND");
});

Deno.test("POST tokens rejects a body by field and rule", async () => {
  const caller = await world().createCaller();
  const good = { name: "A", permissions: ["record.read"] };
  const at = (days: number, milliseconds = 0) =>
    new Date(world().now().getTime() + days * DAY + milliseconds).toISOString();
  const wrong: readonly [Json, string[], string[]][] = [
    [{ name: " " }, ["name"], ["field.blank"]],
    [{ name: "n".repeat(201) }, ["name"], ["field.length"]],
    [{ name: undefined }, ["name"], ["field.required"]],
    [{ permissions: [] }, ["permissions"], ["field.length"]],
    [{ permissions: ["record.destroy"] }, ["permissions"], ["field.option"]],
    [{ permissions: ["toString"] }, ["permissions"], ["field.option"]],
    [{ permissions: ["record.read", "record.read"] }, ["permissions"], ["field.repeated"]],
    [{ permissions: "record.read" }, ["permissions"], ["field.type"]],
    [{ expiresAt: at(0) }, ["expiresAt"], ["field.range"]],
    [{ expiresAt: at(-1) }, ["expiresAt"], ["field.range"]],
    [{ expiresAt: at(365, 1) }, ["expiresAt"], ["field.range"]],
    [{ expiresAt: "2027-01-01" }, ["expiresAt"], ["field.datetime"]],
    [{ accountId: caller.accountId }, [], ["undeclared_field"]],
  ];
  for (const [change, fields, rules] of wrong) {
    const response = await caller.call("POST", TOKENS, { body: { ...good, ...change } });
    assertInvalid(response, rules, fields, JSON.stringify(change));
  }
  assertEquals(await listed(caller), []);
  const { data } = await makeToken(world(), caller, { expiresAt: at(365) });
  assertEquals(data.expiresAt, at(365));
});

Deno.test("A token has its permissions, limited to those of its account", async () => {
  const caller = await world().createCaller();
  const { bearer } = await makeToken(world(), caller, {
    permissions: ["record.read", "audit.read"],
  });
  const { account, permissions, credential } =
    (await bearer.call("GET", `${AUTH}/session`)).body.data;
  assertEquals(account.accountId, caller.accountId);
  assertEquals(permissions, ["audit.read", "platform.operate", "record.read"]);
  assertEquals(credential.kind, "TOKEN");
  assertEquals((await bearer.call("GET", COMMITMENTS)).status, 200);
  const write = { key: ulid(), body: { title: "A", payload: COMMITMENT } };
  assertFailure(await bearer.call("POST", COMMITMENTS, write), "FORBIDDEN");

  await world().raw(`update accounts set role = 'VIEWER' where account_id = '${caller.accountId}'`);
  const narrowed = (await bearer.call("GET", `${AUTH}/session`)).body.data.permissions;
  assertEquals(narrowed, ["platform.operate", "record.read"]);
  await world().raw(`update accounts set role = null where account_id = '${caller.accountId}'`);
  assertEquals((await bearer.call("GET", `${AUTH}/session`)).body.data.permissions, []);
  assertFailure(await bearer.call("GET", COMMITMENTS), "FORBIDDEN");
});

Deno.test("A token cannot make or revoke tokens, step up or change the password", async () => {
  const caller = await world().createCaller();
  const { bearer, data } = await makeToken(world(), caller, { permissions: [...PERMISSIONS] });
  const refused: readonly [string, string, Json?][] = [
    ["GET", TOKENS],
    ["POST", TOKENS, { name: "A", permissions: ["record.read"] }],
    ["POST", `${TOKENS}/${data.tokenId}/revoke`],
    ["GET", `${AUTH}/sessions`],
    ["POST", `${AUTH}/sessions/revoke-others`],
    ["POST", `${AUTH}/sessions/${caller.sessionId}/revoke`],
    ["POST", `${AUTH}/logout`],
    ["POST", `${AUTH}/password`, { currentPassword: "x", newPassword: "y".repeat(12) }],
    ["POST", `${AUTH}/step-up`, { password: "x", purpose: "IDENTITY_PUBLISH" }],
  ];
  for (const [method, path, body] of refused) {
    assertRefused(await bearer.call(method, path, { body }), "FORBIDDEN", `${method} ${path}`);
  }
});

Deno.test("A token's writes name the token in the audit trail", async () => {
  const caller = await world().createCaller();
  const { bearer, data } = await makeToken(world(), caller, { permissions: ["record.write"] });
  await bearer.create("commitment", COMMITMENT);
  const [entry] = await world().rows(`
    select actor_id, credential_kind, credential_id from audit_entries
     where owner_id = '${caller.accountId}'`);
  const { accountId } = caller;
  assertEquals(entry, {
    actor_id: accountId,
    credential_kind: "TOKEN",
    credential_id: data.tokenId,
  });
});

Deno.test("A token ends at its expiry, to the millisecond", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const expiresAt = new Date(own.now().getTime() + HOUR).toISOString();
  const { bearer } = await makeToken(own, caller, { expiresAt });
  own.advance(HOUR - 1);
  assertEquals((await bearer.call("GET", COMMITMENTS)).status, 200);
  own.advance(1);
  assertRefused(await bearer.call("GET", COMMITMENTS), "AUTH_REQUIRED");
  // It stays listed, so that its owner sees why a script stopped.
  assertEquals((await listed(caller)).length, 1);
});

Deno.test("A token's last use is recorded at most once an hour", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const { bearer } = await makeToken(own, caller);
  const lastUse = async () => (await listed(caller))[0].lastUsedAt;
  const first = own.now().toISOString();
  await bearer.call("GET", COMMITMENTS);
  await waitUntil("the first use is noted", async () => await lastUse() === first);
  own.advance(HOUR - 1);
  await bearer.call("GET", COMMITMENTS);
  await own.database.transaction(() => Promise.resolve());
  assertEquals(await lastUse(), first);
  own.advance(1);
  await bearer.call("GET", COMMITMENTS);
  const second = own.now().toISOString();
  await waitUntil("the next use is noted", async () => await lastUse() === second);
});

Deno.test("POST tokens/{id}/revoke ends a token immediately in every process", async () => {
  const caller = await world().createCaller();
  const { bearer, data: { tokenId } } = await makeToken(world(), caller);
  const elsewhere = callerOf(world().again(), bearer);
  const kept = await makeToken(world(), caller, { name: "Kept" });
  assertEquals((await elsewhere.call("GET", COMMITMENTS)).status, 200);
  const response = await caller.call("POST", `${TOKENS}/${tokenId}/revoke`);
  const revokedAt = world().now().toISOString();
  assertEquals([response.status, response.body.data], [200, { tokenId, revokedAt }]);
  for (const caller of [bearer, elsewhere]) {
    assertRefused(await caller.call("GET", COMMITMENTS), "AUTH_REQUIRED");
  }
  assertEquals((await kept.bearer.call("GET", COMMITMENTS)).status, 200);
  const again = await caller.call("POST", `${TOKENS}/${tokenId}/revoke`);
  assertEquals([again.status, again.body.data], [200, { tokenId, revokedAt }]);
  assertEquals((await listed(caller)).map((item) => item.name), ["Kept"]);
});

Deno.test("POST tokens/{id}/revoke does not find another account's token", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const { bearer, data } = await makeToken(world(), other);
  for (const tokenId of [data.tokenId, ulid()]) {
    assertRefused(await caller.call("POST", `${TOKENS}/${tokenId}/revoke`), "RECORD_NOT_FOUND");
  }
  assertEquals((await bearer.call("GET", COMMITMENTS)).status, 200);
  assertInvalid(await caller.call("POST", `${TOKENS}/mine/revoke`), ["token_id.format"]);
  assertEquals(await listed(caller), []);
});

Deno.test("GET tokens pages, and rejects a cursor that the service did not make", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  for (let index = 0; index < 5; index++) await makeToken(world(), caller, { name: `${index}` });
  const pages = await walkPages(caller, TOKENS, { limit: "2" });
  assertEquals(pages.map((page) => page.length), [2, 2, 1]);
  assertEquals(pages.flat(), await listed(caller));
  const { data } = await makeToken(world(), other);
  for (const cursor of [ulid(), data.tokenId]) {
    const response = await caller.call("GET", `${TOKENS}?cursor=${cursor}`);
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
});

Deno.test("Concurrent revocations of a token leave one event", async () => {
  const caller = await world().createCaller();
  const { data, bearer } = await makeToken(world(), caller);
  const elsewhere = callerOf(world().again(), caller);
  const answers = await Promise.all(
    [caller, elsewhere, caller, elsewhere].map((caller) =>
      caller.call("POST", `${TOKENS}/${data.tokenId}/revoke`)
    ),
  );
  assertEquals(answers.map((response) => response.status), [200, 200, 200, 200]);
  const events = await world().rows(
    `select 1 from access_events where credential_id = '${data.tokenId}' and event = 'TOKEN_REVOKED'`,
  );
  assertEquals(events.length, 1);
  assertRefused(await bearer.call("GET", COMMITMENTS), "AUTH_REQUIRED");
});
