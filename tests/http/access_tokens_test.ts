/** Personal access tokens: made once, listed, used, expired, revoked. */

import { assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { PERMISSIONS } from "../../src/access/permissions.ts";
import { askForToken } from "../support/tokens.ts";
import { waitUntil } from "../support/wait.ts";
import {
  createWorld,
  type Json,
  type Person,
  personOf,
  sharedWorld,
  type World,
} from "../support/world.ts";
import { assertRefused, AUTH, DAY, HOUR } from "./access.ts";
import { assertFailure, assertInvalid, COMMITMENT, COMMITMENTS, walkPages } from "./kernel.ts";

const world = sharedWorld();
const TOKENS = `${AUTH}/tokens`;

/** A token as its making answered, and a caller that bears it. */
interface Made {
  readonly data: Json;
  readonly bearer: Person;
}

async function makeToken(own: World, person: Person, body: Json = {}): Promise<Made> {
  const response = await askForToken(own, person, body);
  assertEquals(response.status, 201, response.text);
  const { data } = response.body;
  assertEquals(response.headers.get("Location"), `${TOKENS}/${data.tokenId}`);
  return { data, bearer: personOf(own.app, { ...person, secret: data.token }) };
}

async function listed(person: Person): Promise<Json[]> {
  return (await person.call("GET", TOKENS)).body.data.items;
}

Deno.test("POST tokens makes a token whose secret is shown once", async () => {
  const person = await world().person();
  const permissions = ["record.write", "record.read"];
  const { data } = await makeToken(world(), person, { name: "Backup 🙂", permissions });
  const { token, ...shown } = data;
  assertMatch(token, /^prs_p_[A-Za-z0-9_-]{43}$/);
  assertEquals(shown, {
    tokenId: data.tokenId,
    name: "Backup 🙂",
    permissions: ["record.read", "record.write"],
    createdAt: world().now().toISOString(),
    expiresAt: new Date(world().now().getTime() + 90 * DAY).toISOString(),
    lastUsedAt: null,
  });
  assertEquals(await listed(person), [shown]);
  const path = `${TOKENS}/${data.tokenId}`;
  assertEquals((await person.call("GET", path)).body.data, shown);
  const stranger = await world().person();
  assertRefused(await stranger.call("GET", path), "RECORD_NOT_FOUND");
  await person.call("POST", `${path}/revoke`);
  assertRefused(await person.call("GET", path), "RECORD_NOT_FOUND");
});

Deno.test("POST tokens refuses a body by field and rule", async () => {
  const person = await world().person();
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
    [{ accountId: person.accountId }, [], ["undeclared_field"]],
  ];
  for (const [change, fields, rules] of wrong) {
    const response = await person.call("POST", TOKENS, { body: { ...good, ...change } });
    assertInvalid(response, rules, fields, JSON.stringify(change));
  }
  assertEquals(await listed(person), []);
  const { data } = await makeToken(world(), person, { expiresAt: at(365) });
  assertEquals(data.expiresAt, at(365));
});

Deno.test("A token may do what it was made for, as far as its account may", async () => {
  const person = await world().person();
  const { bearer } = await makeToken(world(), person, {
    permissions: ["record.read", "audit.read"],
  });
  const { account, permissions, credential } =
    (await bearer.call("GET", `${AUTH}/session`)).body.data;
  assertEquals(account.accountId, person.accountId);
  assertEquals(permissions, ["audit.read", "platform.operate", "record.read"]);
  assertEquals(credential.kind, "TOKEN");
  assertEquals((await bearer.call("GET", COMMITMENTS)).status, 200);
  const write = { key: ulid(), body: { title: "A", payload: COMMITMENT } };
  assertFailure(await bearer.call("POST", COMMITMENTS, write), "FORBIDDEN");

  await world().raw(`update accounts set role = 'VIEWER' where account_id = '${person.accountId}'`);
  const narrowed = (await bearer.call("GET", `${AUTH}/session`)).body.data.permissions;
  assertEquals(narrowed, ["platform.operate", "record.read"]);
  await world().raw(`update accounts set role = null where account_id = '${person.accountId}'`);
  assertEquals((await bearer.call("GET", `${AUTH}/session`)).body.data.permissions, []);
  assertFailure(await bearer.call("GET", COMMITMENTS), "FORBIDDEN");
});

Deno.test("A token can make no token and end none, step up or change the password", async () => {
  const person = await world().person();
  const { bearer, data } = await makeToken(world(), person, { permissions: [...PERMISSIONS] });
  const refused: readonly [string, string, Json?][] = [
    ["GET", TOKENS],
    ["POST", TOKENS, { name: "A", permissions: ["record.read"] }],
    ["POST", `${TOKENS}/${data.tokenId}/revoke`],
    ["GET", `${AUTH}/sessions`],
    ["POST", `${AUTH}/sessions/revoke-others`],
    ["POST", `${AUTH}/sessions/${person.sessionId}/revoke`],
    ["POST", `${AUTH}/logout`],
    ["POST", `${AUTH}/password`, { currentPassword: "x", newPassword: "y".repeat(12) }],
    ["POST", `${AUTH}/step-up`, { password: "x", purpose: "IDENTITY_PUBLISH" }],
  ];
  for (const [method, path, body] of refused) {
    assertRefused(await bearer.call(method, path, { body }), "FORBIDDEN", `${method} ${path}`);
  }
});

Deno.test("What a token writes names the token in the audit", async () => {
  const person = await world().person();
  const { bearer, data } = await makeToken(world(), person, { permissions: ["record.write"] });
  await bearer.create("commitment", COMMITMENT);
  const [entry] = await world().rows(`
    select actor_id, credential_kind, credential_id from audit_entries
     where owner_id = '${person.accountId}'`);
  const { accountId } = person;
  assertEquals(entry, {
    actor_id: accountId,
    credential_kind: "TOKEN",
    credential_id: data.tokenId,
  });
});

Deno.test("A token ends at its expiry, to the millisecond", async () => {
  await using own = await createWorld();
  const person = await own.person();
  const expiresAt = new Date(own.now().getTime() + HOUR).toISOString();
  const { bearer } = await makeToken(own, person, { expiresAt });
  own.advance(HOUR - 1);
  assertEquals((await bearer.call("GET", COMMITMENTS)).status, 200);
  own.advance(1);
  assertRefused(await bearer.call("GET", COMMITMENTS), "AUTH_REQUIRED");
  // It stays in the list, so that its owner can see why the script has stopped.
  assertEquals((await listed(person)).length, 1);
});

Deno.test("A token's last use is noted at most once an hour", async () => {
  await using own = await createWorld();
  const person = await own.person();
  const { bearer } = await makeToken(own, person);
  const lastUse = async () => (await listed(person))[0].lastUsedAt;
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

Deno.test("POST tokens/{id}/revoke ends a token at once, in every process", async () => {
  const person = await world().person();
  const { bearer, data: { tokenId } } = await makeToken(world(), person);
  const elsewhere = personOf(world().again(), bearer);
  const kept = await makeToken(world(), person, { name: "Kept" });
  assertEquals((await elsewhere.call("GET", COMMITMENTS)).status, 200);
  const response = await person.call("POST", `${TOKENS}/${tokenId}/revoke`);
  const revokedAt = world().now().toISOString();
  assertEquals([response.status, response.body.data], [200, { tokenId, revokedAt }]);
  for (const caller of [bearer, elsewhere]) {
    assertRefused(await caller.call("GET", COMMITMENTS), "AUTH_REQUIRED");
  }
  assertEquals((await kept.bearer.call("GET", COMMITMENTS)).status, 200);
  const again = await person.call("POST", `${TOKENS}/${tokenId}/revoke`);
  assertEquals([again.status, again.body.data], [200, { tokenId, revokedAt }]);
  assertEquals((await listed(person)).map((item) => item.name), ["Kept"]);
});

Deno.test("POST tokens/{id}/revoke knows no token of another account", async () => {
  const [person, other] = [await world().person(), await world().person()];
  const { bearer, data } = await makeToken(world(), other);
  for (const tokenId of [data.tokenId, ulid()]) {
    assertRefused(await person.call("POST", `${TOKENS}/${tokenId}/revoke`), "RECORD_NOT_FOUND");
  }
  assertEquals((await bearer.call("GET", COMMITMENTS)).status, 200);
  assertInvalid(await person.call("POST", `${TOKENS}/mine/revoke`), ["token_id.format"]);
  assertEquals(await listed(person), []);
});

Deno.test("GET tokens walks in pages, and refuses a cursor that was not handed out", async () => {
  const [person, other] = [await world().person(), await world().person()];
  for (let index = 0; index < 5; index++) await makeToken(world(), person, { name: `${index}` });
  const pages = await walkPages(person, TOKENS, { limit: "2" });
  assertEquals(pages.map((page) => page.length), [2, 2, 1]);
  assertEquals(pages.flat(), await listed(person));
  const { data } = await makeToken(world(), other);
  for (const cursor of [ulid(), data.tokenId]) {
    const response = await person.call("GET", `${TOKENS}?cursor=${cursor}`);
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
});

Deno.test("Of many revocations of a token at once one leaves its event", async () => {
  const person = await world().person();
  const { data, bearer } = await makeToken(world(), person);
  const elsewhere = personOf(world().again(), person);
  const answers = await Promise.all(
    [person, elsewhere, person, elsewhere].map((caller) =>
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
