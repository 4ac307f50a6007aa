/** The contract of passkeys: their shape, the options for browsers, and their life. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { BE, BS, bytesOf, SoftwarePasskey } from "../support/software_authenticator.ts";
import { makeToken, proofOf } from "../support/tokens.ts";
import { callerOf, createWorld, type Json, sharedWorld } from "../support/world.ts";
import { assertRefused } from "./access.ts";
import {
  addPasskey,
  assertRule,
  beginRegistration,
  beginSignIn,
  emailOf,
  finishRegistration,
  finishSignIn,
  PASSKEYS,
  removePasskey,
  signInBy,
} from "./passkey.ts";

const world = sharedWorld();
const MINUTES = 60_000;

Deno.test("Registration options are those of the contract, and the user id stays the same", async () => {
  const caller = await world().createCaller();
  const begun = await beginRegistration(world(), caller);
  const { challenge, user, ...rest } = begun.publicKey;
  assertEquals(Object.keys(begun).sort(), ["ceremonyId", "expiresAt", "publicKey"]);
  assertEquals(Date.parse(begun.expiresAt) - world().now().getTime(), 5 * MINUTES);
  assertEquals(bytesOf(challenge).length, 32);
  assertEquals(bytesOf(user.id).length, 32);
  assertEquals({ ...user, id: "" }, { id: "", name: emailOf(caller), displayName: "Person" });
  assertEquals(rest, {
    rp: { id: "records.example", name: "Personal Records" },
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    attestation: "none",
    extensions: { credProps: true },
  });
  const { key } = await addPasskey(world(), caller);
  const again = (await beginRegistration(world(), caller)).publicKey;
  assertEquals(again.user.id, user.id);
  assert(again.challenge !== challenge);
  const present = { type: "public-key", id: again.excludeCredentials[0].id };
  assertEquals(again.excludeCredentials, [{ ...present, transports: ["hybrid", "internal"] }]);
  assertEquals(bytesOf(present.id), key.id);
});

Deno.test("Passkey of each algorithm is added, shown, listed, renamed, and signs in", async () => {
  const caller = await world().createCaller();
  const made = [];
  for (const algorithm of ["ES256", "EdDSA", "RS256"] as const) {
    const flags = algorithm === "EdDSA" ? BE | BS : 0;
    const key = await SoftwarePasskey.make(algorithm, { flags, counter: flags === 0 ? 0 : 7 });
    const begun = await beginRegistration(world(), caller);
    const fault = { response: { transports: ["internal", "telepathy", "usb", "usb", 7] } };
    const response = await finishRegistration(caller, begun, key, fault, algorithm);
    assertEquals(response.status, 201, response.text);
    const { passkeyId, ...rest } = response.body.data;
    assertEquals(response.headers.get("Location"), `${PASSKEYS}/${passkeyId}`);
    assertEquals(rest, {
      name: algorithm,
      algorithm,
      rpId: "records.example",
      transports: ["internal", "usb"],
      backupEligible: flags !== 0,
      backedUp: flags !== 0,
      createdAt: world().now().toISOString(),
      lastUsedAt: null,
    });
    const signedIn = await signInBy(world(), key);
    assertEquals(signedIn.status, 200, signedIn.text);
    assertEquals(signedIn.body.data.account.accountId, caller.accountId);
    assertMatch(signedIn.body.data.accessToken, /^prs_s_/);
    assertEquals(Object.keys(signedIn.body.data).sort(), ["accessToken", "account", "session"]);
    made.unshift(passkeyId);
  }
  const list = (await caller.call("GET", PASSKEYS)).body.data;
  assertEquals([list.items.map((item: Json) => item.passkeyId), list.nextCursor], [made, null]);
  assertEquals(list.items[0].lastUsedAt, world().now().toISOString());
  const page = (await caller.call("GET", `${PASSKEYS}?limit=2`)).body.data;
  assertEquals(page.nextCursor, made[1]);
  const rest = await caller.call("GET", `${PASSKEYS}?cursor=${page.nextCursor}`);
  assertEquals(rest.body.data.items.length, 1);
  const renamed = await caller.call("PATCH", `${PASSKEYS}/${made[0]}`, { body: { name: "Other" } });
  assertEquals(renamed.body.data, { ...list.items[0], name: "Other" });
  assertEquals((await caller.call("GET", `${PASSKEYS}/${made[0]}`)).body.data, renamed.body.data);
  const stranger = await world().createCaller();
  const body = { name: "Mine" };
  assertRefused(await stranger.call("GET", `${PASSKEYS}/${made[0]}`), "RECORD_NOT_FOUND");
  assertRefused(
    await stranger.call("PATCH", `${PASSKEYS}/${made[0]}`, { body }),
    "RECORD_NOT_FOUND",
  );
  assertRefused(
    await removePasskey(world(), stranger, { passkeyId: made[0] }),
    "RECORD_NOT_FOUND",
  );
});

Deno.test("Names have 1 to 100 characters, bodies are strict, and tokens get nothing", async () => {
  const caller = await world().createCaller();
  const { passkey } = await addPasskey(world(), caller, undefined, "x".repeat(100));
  const path = `${PASSKEYS}/${passkey.passkeyId}`;
  for (const name of ["", "  ", "a\nb", "x".repeat(101), 7]) {
    const body = { name } as Json;
    assertEquals((await caller.call("PATCH", path, { body })).status, 400, `${name}`);
  }
  const calls = [
    ["PATCH", path, { name: "A", more: 1 }],
    ["POST", `${PASSKEYS}/sign-in/begin`, { password: "x" }],
    ["POST", `${PASSKEYS}/step-up/begin`, { purpose: "TOKEN_CREATE", more: 1 }],
    ["POST", `${PASSKEYS}/step-up/begin`, { purpose: "PASSKEY_CHANGE", targetId: ulid() }],
    ["POST", `${PASSKEYS}/registration/begin`, { name: "A" }],
  ] as const;
  for (const [method, route, body] of calls) {
    const response = await caller.call(method, route, { body });
    assertEquals([response.status, response.body.error.code], [400, "PAYLOAD_INVALID"], route);
  }
  const { token } = await makeToken(world(), caller);
  const asToken = callerOf(world().app, { ...caller, secret: token });
  const body = { purpose: "TOKEN_CREATE" };
  assertRefused(await asToken.call("GET", PASSKEYS), "FORBIDDEN");
  assertRefused(await asToken.call("POST", `${PASSKEYS}/step-up/begin`, { body }), "FORBIDDEN");
});

Deno.test("An account has 20 passkeys at most, also of registrations at once", async () => {
  const caller = await world().createCaller();
  for (let index = 0; index < 18; index++) await addPasskey(world(), caller);
  const begun = [];
  for (let index = 0; index < 4; index++) begun.push(await beginRegistration(world(), caller));
  const responses = await Promise.all(
    begun.map(async (each) => finishRegistration(caller, each, await SoftwarePasskey.make())),
  );
  assertEquals(responses.map(({ status }) => status).sort(), [201, 201, 400, 400]);
  for (const response of responses) {
    if (response.status === 400) assertRule(response, "passkey.count", null, { limit: 20 });
  }
  const headers = await proofOf(world(), caller, "PASSKEY_CHANGE");
  const begin = () => caller.call("POST", `${PASSKEYS}/registration/begin`, { headers });
  assertRule(await begin(), "passkey.count", null, { limit: 20 });
  const [newest] = (await caller.call("GET", PASSKEYS)).body.data.items;
  assertEquals((await removePasskey(world(), caller, newest)).status, 200);
  // The proof was not spent by the refusal.
  assertEquals((await begin()).status, 200);
  assertRefused(await begin(), "STEP_UP_REQUIRED");
});

Deno.test("Removed passkeys are gone, end no session, and their credentials can come back", async () => {
  const caller = await world().createCaller();
  const { key, passkey } = await addPasskey(world(), caller);
  const open = await beginSignIn(world());
  const path = `${PASSKEYS}/${passkey.passkeyId}`;
  assertRefused(await caller.call("POST", `${path}/remove`), "STEP_UP_REQUIRED");
  const other = await world().createCaller();
  const begun = await beginRegistration(world(), other);
  assertRule(await finishRegistration(other, begun, key), "passkey.known", "credential");
  const removed = await removePasskey(world(), caller, passkey);
  assertEquals(removed.body.data, {
    passkeyId: passkey.passkeyId,
    removedAt: world().now().toISOString(),
  });
  assertRefused(await removePasskey(world(), caller, passkey), "RECORD_NOT_FOUND");
  assertRefused(await caller.call("GET", path), "RECORD_NOT_FOUND");
  assertEquals((await caller.call("GET", PASSKEYS)).body.data.items, []);
  // It is a cursor still.
  assertEquals((await caller.call("GET", `${PASSKEYS}?cursor=${passkey.passkeyId}`)).status, 200);
  assertRefused(await finishSignIn(world(), open, key), "AUTH_REQUIRED");
  await addPasskey(world(), other, key);
  assertEquals((await signInBy(world(), key)).body.data.account.accountId, other.accountId);
});

Deno.test("Sign-in options tell nothing of an account", async () => {
  const [caller, without, disabled] = await Promise.all(
    [1, 2, 3].map(() => world().createCaller()),
  );
  assert(caller && without && disabled);
  const { key } = await addPasskey(world(), caller);
  await addPasskey(world(), disabled);
  await world().raw(
    `update accounts set disabled_at = now() where account_id = '${disabled.accountId}'`,
  );
  const { publicKey } = await beginSignIn(world());
  assertEquals(Object.keys(publicKey).sort(), [
    "allowCredentials",
    "challenge",
    "rpId",
    "timeout",
    "userVerification",
  ]);
  assertEquals([publicKey.allowCredentials, publicKey.timeout], [[], 300_000]);
  assertEquals([publicKey.rpId, publicKey.userVerification], ["records.example", "required"]);
  const idsFor = async (email: string) => {
    const { allowCredentials } = (await beginSignIn(world(), email)).publicKey;
    for (const each of allowCredentials) {
      assertEquals({ ...each, id: "" }, { type: "public-key", id: "" });
      assertEquals(bytesOf(each.id).length, 32);
    }
    return allowCredentials.map((each: Json) => each.id);
  };
  const known = await idsFor(emailOf(caller).toUpperCase());
  assertEquals(known.map(bytesOf), [key.id]);
  for (const email of [emailOf(without), emailOf(disabled), `${ulid()}@example.org`]) {
    const ids = await idsFor(email);
    assertEquals([ids.length, ids], [1, await idsFor(email.toUpperCase())]);
    assert(await idsFor("nobody@example.org") !== ids);
    // A registration refuses a made-up id as it refuses a real one.
    const made = await SoftwarePasskey.make("ES256", { id: bytesOf(ids[0]) });
    const begun = await beginRegistration(world(), without);
    assertRule(await finishRegistration(without, begun, made), "passkey.known", "credential");
  }
});

Deno.test("No passkeys under an IP address, and none of another host name", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const { key, passkey } = await addPasskey(own, caller);
  const proof = await proofOf(own, caller, "PASSKEY_CHANGE");
  for (const publicOrigin of ["http://127.0.0.1:8000", "http://[::1]:8000"]) {
    const app = own.again({ publicOrigin, allowedHosts: ["records.example"] });
    const there = callerOf(app, caller);
    const step = { body: { purpose: "TOKEN_CREATE" } };
    for (
      const refused of [
        there.call("POST", `${PASSKEYS}/registration/begin`, { headers: proof }),
        there.call("POST", `${PASSKEYS}/sign-in/begin`, { body: {} }),
        there.call("POST", `${PASSKEYS}/step-up/begin`, step),
      ]
    ) {
      assertRefused(await refused, "PASSKEY_STATE_CONFLICT");
    }
  }
  const renamed = callerOf(
    own.again({ publicOrigin: "https://other.example", allowedHosts: ["records.example"] }),
    caller,
  );
  assertEquals((await renamed.call("GET", PASSKEYS)).body.data.items, [passkey]);
  const step = { body: { purpose: "TOKEN_CREATE" } };
  assertRefused(
    await renamed.call("POST", `${PASSKEYS}/step-up/begin`, step),
    "PASSKEY_STATE_CONFLICT",
  );
  const { publicKey } = await beginRegistration(own, renamed);
  assertEquals([publicKey.rp.id, publicKey.excludeCredentials], ["other.example", []]);
  const begun = await beginSignIn(renamed, emailOf(caller));
  assert(begun.publicKey.allowCredentials[0].id !== key.id);
  const credential = await key.assert(begun.publicKey, "https://other.example");
  const body = { ceremonyId: begun.ceremonyId, credential };
  assertRefused(
    await renamed.call("POST", `${PASSKEYS}/sign-in/finish`, { body }),
    "AUTH_REQUIRED",
  );
});
