/**
 * Passkeys and other parts of an account: second factor, password, disabling, moving, throttle,
 * backup.
 */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { freezeAccount, retireAccount } from "../../src/accounts/moving.ts";
import { removeAccountPasskeys } from "../../src/accounts/administration.ts";
import { base64url, BE, BS, SoftwarePasskey } from "../support/software_authenticator.ts";
import { proofOf } from "../support/tokens.ts";
import { callerOf, createWorld, fileWorld, sharedWorld } from "../support/world.ts";
import { backupFolder, backUpWorld, restoreFile } from "../storage/backup.ts";
import { assertRefused, AUTH, givePassword, PASSWORD } from "./access.ts";
import {
  accessEvents,
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
  signInBy,
} from "./passkey.ts";
import { enrol } from "./second_factor.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld();

const world = sharedWorld();

Deno.test("Passkey stands for password and code, for every purpose", async () => {
  const own = apart();
  const { caller, email } = await enrol(own);
  const { key } = await addPasskey(own, caller);
  assertEquals((await signInBy(own, key, {}, email)).status, 200);
  const stepUp = async (purpose: "SECOND_FACTOR_CHANGE" | "PASSKEY_CHANGE") => {
    const { status, body, text } = await finishStepUp(
      caller,
      await beginStepUp(caller, purpose),
      key,
    );
    assertEquals(status, 200, text);
    assertEquals(Object.keys(body.data).sort(), ["expiresAt", "proof"]);
    return { "Step-Up-Proof": body.data.proof };
  };
  // The password alone does not suffice.
  const body = { password: PASSWORD, purpose: "PASSKEY_CHANGE" };
  assertRefused(await caller.call("POST", `${AUTH}/step-up`, { body }), "SECOND_FACTOR_REQUIRED");
  const headers = await stepUp("SECOND_FACTOR_CHANGE");
  assertEquals((await caller.call("POST", `${AUTH}/totp/disable`, { headers })).status, 200);
  const begun = await caller.call("POST", `${PASSKEYS}/registration/begin`, {
    headers: await stepUp("PASSKEY_CHANGE"),
  });
  assertEquals(begun.status, 200);
  // A proof is bound to the target with which its ceremony began.
  const targetId = ulid();
  const bound = await beginStepUp(caller, "MEMORY_PRIVACY_DOWNGRADE", { targetId });
  assertEquals((await finishStepUp(caller, bound, key)).status, 200);
  assertEquals(
    await own.rows("select purpose, target_id from step_up_proofs where ended_at is null"),
    [
      { purpose: "MEMORY_PRIVACY_DOWNGRADE", target_id: targetId },
    ],
  );
});

Deno.test("A new password ends ceremonies, and no passkey", async () => {
  const own = apart();
  const caller = await own.createCaller();
  await givePassword(own, caller);
  const { key } = await addPasskey(own, caller);
  const email = emailOf(caller);
  const [stepUp, signIn] = [await beginStepUp(caller), await beginSignIn(own, email)];
  const registration = await beginRegistration(own, caller);
  const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD}, new` };
  assertEquals((await caller.call("POST", `${AUTH}/password`, { body })).status, 200);
  assertRefused(await finishStepUp(caller, stepUp, key), "STEP_UP_REQUIRED");
  assertRefused(await finishSignIn(own, signIn, key), "AUTH_REQUIRED");
  const fresh = await SoftwarePasskey.make();
  assertRule(
    await finishRegistration(caller, registration, fresh),
    "passkey.ceremony",
    "ceremonyId",
  );
  assertEquals((await signInBy(own, key, {}, email)).status, 200);
});

Deno.test("Disabled account answers as an unknown one, and gets its passkeys back", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const { key } = await addPasskey(own, caller);
  const open = await beginSignIn(own, emailOf(caller));
  const setDisabled = (value: string) =>
    own.raw(`update accounts set disabled_at = ${value} where account_id = '${caller.accountId}'`);
  await setDisabled("now()");
  assertRefused(await finishSignIn(own, open, key), "AUTH_REQUIRED");
  assertRefused(await signInBy(own, key), "AUTH_REQUIRED");
  await setDisabled("null");
  assertEquals((await signInBy(own, key)).status, 200);
});

Deno.test("Frozen account signs in and steps up, and its passkeys do not change", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const { key, passkey } = await addPasskey(own, caller);
  const registration = await beginRegistration(own, caller);
  const context = { requestId: ulid(), now: own.now(), client: null };
  await freezeAccount(own.database, emailOf(caller), () => context);
  assertEquals((await signInBy(own, key)).status, 200);
  assertEquals((await finishStepUp(caller, await beginStepUp(caller), key)).status, 200);
  const path = `${PASSKEYS}/${passkey.passkeyId}`;
  const headers = await proofOf(own, caller, "PASSKEY_CHANGE");
  const fresh = await SoftwarePasskey.make();
  for (
    const refused of [
      caller.call("POST", `${PASSKEYS}/registration/begin`, { headers }),
      finishRegistration(caller, registration, fresh),
      caller.call("PATCH", path, { body: { name: "Other" } }),
      caller.call("POST", `${path}/remove`, { headers }),
    ]
  ) {
    const { status, body } = await refused;
    assertEquals([status, body.error.code], [503, "SYSTEM_MAINTENANCE"]);
    assertEquals(body.error.details.scope, "ACCOUNT_WRITES");
  }
  // A moved account returns its new address only to its own passkey.
  await own.raw(`
    insert into access_events (account_id, event_id, event, request_id, created_at)
    values ('${caller.accountId}', '${
    ulid(own.now().getTime() + 1)
  }', 'ACCOUNT_EXPORTED', 'r', now())`);
  await retireAccount(own.database, emailOf(caller), "https://new.example", context);
  for (const email of [undefined, emailOf(caller)]) {
    const moved = await signInBy(own, key, {}, email);
    assertEquals(moved.body.error.details, { movedTo: "https://new.example" });
    assertEquals([moved.status, moved.body.error.code], [410, "ACCOUNT_MOVED"]);
  }
  assertRefused(await signInBy(own, key, { counter: 3, flags: 1 }), "AUTH_REQUIRED");
});

Deno.test("Operator removes all passkeys, and tells how many", async () => {
  const caller = await world().createCaller();
  const { key } = await addPasskey(world(), caller);
  await addPasskey(world(), caller);
  const context = { requestId: ulid(), now: world().now(), client: null };
  const remove = () => removeAccountPasskeys(world().database, emailOf(caller), context);
  assertEquals([await remove(), await remove()], [2, 0]);
  assertRefused(await signInBy(world(), key), "AUTH_REQUIRED");
  assertEquals((await accessEvents(world(), caller)).at(-1), "PASSKEY_REMOVED ADMIN");
});

Deno.test("Refused answers count as wrong passwords, and right ones for nothing", async () => {
  await using own = await createWorld({
    limits: { perCredential: 1_000_000, perAddress: 0, inFlight: 10_000 },
  });
  const caller = await own.createCaller();
  await givePassword(own, caller);
  const { key } = await addPasskey(own, caller);
  const unknown = await SoftwarePasskey.make();
  unknown.userHandle = key.userHandle;
  const peer = "192.0.2.1";
  const attempt = async (by: SoftwarePasskey, fault = {}, from = peer) =>
    (await finishSignIn(own, await beginSignIn(own), by, fault, from)).status;
  const login = async (from = peer) => {
    const body = { email: emailOf(caller), password: PASSWORD };
    return (await own.call("POST", `${AUTH}/login`, { body, peer: from })).status;
  };
  // Attempts with an unknown credential are counted only for the address.
  for (let index = 0; index < 20; index++) assertEquals(await attempt(unknown), 401);
  for (let index = 0; index < 9; index++) assertEquals(await attempt(key, { flags: 1 }), 401);
  assertEquals(await attempt(key), 200);
  const wrongStepUp = finishStepUp(caller, await beginStepUp(caller), key, { flags: 1 }, peer);
  assertEquals((await wrongStepUp).status, 403);
  assertEquals([await attempt(key), await attempt(unknown), await login()], [429, 429, 429]);
  assertEquals(await login("192.0.2.2"), 200);
  for (let index = 0; index < 30; index++) {
    const proof = await finishStepUp(caller, await beginStepUp(caller), key, {}, "192.0.2.3");
    assertEquals(proof.status, 200);
  }
  const body = { password: PASSWORD, purpose: "TOKEN_CREATE" };
  assertEquals((await caller.call("POST", `${AUTH}/step-up`, { body })).status, 200);
});

Deno.test("Passkeys work after a restore, and no ceremony is in a backup", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const { key } = await addPasskey(
    own,
    caller,
    await SoftwarePasskey.make("ES256", { counter: 3 }),
  );
  await beginStepUp(caller);
  const used = (await signInBy(own, key)).status;
  await using folder = await backupFolder();
  await backUpWorld(own, `${folder.path}/backup`);
  await using other = await createWorld();
  await restoreFile(other, `${folder.path}/backup`);
  assertEquals([...await other.rows("select 1 from passkey_ceremonies")], []);
  const host = await other.rows("select host_name from passkey_host");
  assertEquals(host, [{ host_name: "records.example" }]);
  // The counter came along.
  assertRefused(await signInBy(other, key, { counter: key.counter }), "AUTH_REQUIRED");
  const signedIn = await signInBy(other, key);
  assertEquals([used, signedIn.status], [200, 200], signedIn.text);
  const there = callerOf(other.app, {
    accountId: caller.accountId,
    sessionId: signedIn.body.data.session.sessionId,
    secret: signedIn.body.data.accessToken,
  });
  const { publicKey } = await beginRegistration(other, there);
  assertEquals(publicKey.user.id, key.userHandle);
});

Deno.test("Each use notes its time and the backup, and the log holds paths alone", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const { key, passkey } = await addPasskey(own, caller, await backedUpLater(), "Name in no log");
  own.advance(60_000);
  key.flags |= BS;
  const begun = await beginSignIn(own);
  assertEquals((await finishSignIn(own, begun, key)).status, 200);
  const path = `${PASSKEYS}/${passkey.passkeyId}`;
  const used = { ...passkey, backedUp: true, lastUsedAt: own.now().toISOString() };
  assertEquals((await caller.call("GET", path)).body.data, used);
  own.advance(60_000);
  key.flags &= ~BS;
  assertEquals((await finishStepUp(caller, await beginStepUp(caller), key)).status, 200);
  const again = { ...used, backedUp: false, lastUsedAt: own.now().toISOString() };
  assertEquals((await caller.call("GET", path)).body.data, again);
  const lines = JSON.stringify(own.log);
  for (
    const secret of [base64url(key.id), key.userHandle, begun.publicKey.challenge, passkey.name]
  ) {
    assertEquals(lines.includes(secret ?? ""), false, secret);
  }
});

/** A passkey that can be copied to other devices, and was not yet. */
function backedUpLater(): Promise<SoftwarePasskey> {
  return SoftwarePasskey.make("ES256", { flags: BE });
}
