/** The contract of passkeys: their shape, the options for browsers, and their life. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ulid } from "@std/ulid";
import { BE, BS, bytesOf, SoftwarePasskey } from "../support/software_authenticator.ts";
import { makeToken, proofOf } from "../support/tokens.ts";
import { callerOf, type Json, ORIGIN, sharedWorld } from "../support/world.ts";
import { assertRefused } from "./access.ts";
import {
  addPasskey,
  assertRule,
  beginRegistration,
  beginSignIn,
  beginStepUp,
  emailOf,
  finishRegistration,
  finishSignIn,
  finishStepUp,
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
    pubKeyCredParams: [-7, -8, -257, -48, -49].map((alg) => ({ type: "public-key", alg })),
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
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
  for (const algorithm of ["ES256", "EdDSA", "RS256", "ML-DSA-44", "ML-DSA-65"] as const) {
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
    assertEquals((await finishStepUp(caller, await beginStepUp(caller), key)).status, 200);
    made.unshift(passkeyId);
  }
  const list = (await caller.call("GET", PASSKEYS)).body.data;
  assertEquals([list.items.map((item: Json) => item.passkeyId), list.nextCursor], [made, null]);
  assertEquals(list.items[0].lastUsedAt, world().now().toISOString());
  const page = (await caller.call("GET", `${PASSKEYS}?limit=2`)).body.data;
  assertEquals(page.nextCursor, made[1]);
  const rest = await caller.call("GET", `${PASSKEYS}?cursor=${page.nextCursor}`);
  assertEquals(rest.body.data.items.length, 3);
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

Deno.test("A runtime that cannot verify ML-DSA does not offer it", async () => {
  const { supports } = SubtleCrypto;
  const offered = async () => {
    const { publicKey } = await beginRegistration(world(), await world().createCaller());
    return publicKey.pubKeyCredParams.map(({ alg }: Json) => alg);
  };
  try {
    Object.assign(SubtleCrypto, { supports: (_: string, name: string) => name !== "ML-DSA-65" });
    assertEquals(await offered(), [-7, -8, -257, -48]);
    Object.assign(SubtleCrypto, { supports: undefined });
    assertEquals(await offered(), [-7, -8, -257]);
  } finally {
    Object.assign(SubtleCrypto, { supports });
  }
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

Deno.test("Sign-in options list no credentials, whoever is named", async () => {
  const [caller, without, disabled] = await Promise.all(
    [1, 2, 3].map(() => world().createCaller()),
  );
  assert(caller && without && disabled);
  for (const owner of [caller, caller, disabled]) await addPasskey(world(), owner);
  await world().raw(
    `update accounts set disabled_at = now() where account_id = '${disabled.accountId}'`,
  );
  const emails = [caller, without, disabled].map(emailOf);
  for (const email of [undefined, ...emails, `${ulid()}@example.org`, "not an email", ""]) {
    const { challenge, ...options } = (await beginSignIn(world(), email)).publicKey;
    assertEquals(bytesOf(challenge).length, 32);
    assertEquals(options, {
      timeout: 300_000,
      rpId: "records.example",
      userVerification: "required",
      allowCredentials: [],
    });
  }
});

Deno.test("Passkey that is not discoverable confirms a step-up, and does not sign in", async () => {
  const caller = await world().createCaller();
  const key = await SoftwarePasskey.make("ES256", { isDiscoverable: false });
  const { ceremonyId, publicKey } = await beginRegistration(world(), caller);
  await assertRejects(() => key.register(publicKey, ORIGIN), Error, "discoverable");
  // As it was registered before registration required it.
  const authenticatorSelection = { residentKey: "preferred", userVerification: "required" };
  const options = { ...publicKey, authenticatorSelection };
  const begun = { ceremonyId, publicKey: options, expiresAt: "" };
  assertEquals((await finishRegistration(caller, begun, key)).status, 201);
  await assertRejects(() => signInBy(world(), key, {}, emailOf(caller)), Error, "discoverable");
  assertEquals((await finishStepUp(caller, await beginStepUp(caller), key)).status, 200);
});

Deno.test("No passkeys under an IP address, whatever PASSKEY_HOST is", async () => {
  const caller = await world().createCaller();
  await addPasskey(world(), caller);
  const proof = await proofOf(world(), caller, "PASSKEY_CHANGE");
  const settings = { host: "records.example", origins: [] };
  for (const publicOrigin of ["http://127.0.0.1:8000", "http://[::1]:8000"]) {
    const allowedHosts = ["records.example"];
    const app = world().again({ publicOrigin, allowedHosts, passkeys: settings });
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
});
