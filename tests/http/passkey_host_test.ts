/** The host name of passkeys under another address, and the origins that use them. */

import { assertEquals } from "@std/assert";
import { storeHost, storeHostOfEarlierPasskeys } from "../../src/accounts/passkeys/passkey_host.ts";
import { base64url, type Fault, SoftwarePasskey } from "../support/software_authenticator.ts";
import { makeToken } from "../support/tokens.ts";
import {
  anotherProcess,
  type Caller,
  callerOf,
  createWorld,
  ENGINE,
  fileWorld,
  ORIGIN,
  type World,
} from "../support/world.ts";
import { begin, waitForBlocked } from "../storage/held.ts";
import { assertRefused } from "./access.ts";
import {
  addPasskey,
  assertRule,
  beginRegistration,
  beginSignIn,
  beginStepUp,
  finishRegistration,
  finishStepUp,
  PASSKEYS,
  removePasskey,
  signInBy,
} from "./passkey.ts";

const HOST = "records.example";
const NEW_ORIGIN = "https://new.example";
const DOCUMENT = "/.well-known/webauthn";

/** The installation of most tests, whose first passkey is of `HOST`. */
const world = fileWorld();

/** An answer from a page of another origin. */
const from = (origin: string): Fault => ({ clientData: { origin } });

/** The same database under another address, for the callers of the world. */
function moved(
  world: World,
  passkeys: { host?: string; origins?: string[] } = {},
  publicOrigin = NEW_ORIGIN,
): World {
  const settings = { host: null, origins: [], ...passkeys };
  return anotherProcess(world, { publicOrigin, passkeys: settings, allowedHosts: [HOST] });
}

const at = ({ app }: World, caller: Caller) => callerOf(app, caller);

const storedHosts = async (world: World): Promise<string[]> =>
  (await world.rows("select host_name from passkey_host")).map(({ host_name }) => host_name);

Deno.test("Passkey signs in and confirms under a new PUBLIC_ORIGIN, and further ones have its host", async () => {
  const caller = await world().createCaller();
  const { key } = await addPasskey(world(), caller);
  const there = moved(world());
  const owner = at(there, caller);
  const begun = await beginSignIn(there);
  assertEquals(begun.publicKey.rpId, HOST);
  assertEquals((await signInBy(there, key, from(NEW_ORIGIN))).status, 200);
  assertRefused(await signInBy(there, key, from(ORIGIN)), "AUTH_REQUIRED");
  const proof = await finishStepUp(owner, await beginStepUp(owner), key, from(NEW_ORIGIN));
  assertEquals(proof.status, 200, proof.text);
  const registration = await beginRegistration(there, owner);
  assertEquals(registration.publicKey.rp.id, HOST);
  assertEquals(registration.publicKey.excludeCredentials.length, 1);
  const other = await SoftwarePasskey.make();
  const added = await finishRegistration(owner, registration, other, from(NEW_ORIGIN));
  assertEquals(added.body.data.rpId, HOST);
  assertEquals((await signInBy(world(), other)).status, 200);
  assertEquals(await storedHosts(world()), [HOST]);
});

Deno.test("PASSKEY_HOST wins over the stored host, which stays", async () => {
  const caller = await world().createCaller();
  const { key, passkey } = await addPasskey(world(), caller);
  const there = moved(world(), { host: "new.example" });
  const owner = at(there, caller);
  assertEquals((await beginSignIn(there)).publicKey.rpId, "new.example");
  const step = { body: { purpose: "TOKEN_CREATE" } };
  const stepUp = await owner.call("POST", `${PASSKEYS}/step-up/begin`, step);
  assertRefused(stepUp, "PASSKEY_STATE_CONFLICT");
  const here = from(NEW_ORIGIN);
  assertRefused(await signInBy(there, key, here), "AUTH_REQUIRED");
  assertRefused(await signInBy(there, key, { ...here, rpId: HOST }), "AUTH_REQUIRED");
  const fresh = await SoftwarePasskey.make();
  const registration = await beginRegistration(there, owner);
  assertEquals(registration.publicKey.excludeCredentials, []);
  const added = await finishRegistration(owner, registration, fresh, here);
  assertEquals(added.body.data.rpId, "new.example");
  assertEquals((await signInBy(there, fresh, here)).status, 200);
  const { items } = (await owner.call("GET", PASSKEYS)).body.data;
  assertEquals(items, [
    { ...added.body.data, lastUsedAt: there.now().toISOString() },
    passkey,
  ]);
  assertEquals(await storedHosts(world()), [HOST]);
  assertEquals((await signInBy(world(), key)).status, 200);
});

Deno.test("Pages of PUBLIC_ORIGIN and PASSKEY_ORIGINS use passkeys, and those of a third none", async () => {
  const caller = await world().createCaller();
  const origins = ["https://app.example", "http://localhost:5173"];
  const there = moved(world(), { origins });
  const owner = at(there, caller);
  for (const origin of [NEW_ORIGIN, ...origins]) {
    const key = await SoftwarePasskey.make();
    const added = await finishRegistration(
      owner,
      await beginRegistration(there, owner),
      key,
      from(origin),
    );
    assertEquals(added.status, 201, added.text);
    assertEquals((await signInBy(there, key, from(origin))).status, 200);
    const proof = await finishStepUp(owner, await beginStepUp(owner), key, from(origin));
    assertEquals(proof.status, 200);
    for (const third of [ORIGIN, "https://app.example:8443", "http://localhost"]) {
      const begun = await beginRegistration(there, owner);
      const refused = await finishRegistration(
        owner,
        begun,
        await SoftwarePasskey.make(),
        from(third),
      );
      assertRule(refused, "passkey.origin", "credential");
      assertRefused(await signInBy(there, key, from(third)), "AUTH_REQUIRED");
      const denied = await finishStepUp(owner, await beginStepUp(owner), key, from(third));
      assertRefused(denied, "STEP_UP_REQUIRED");
    }
  }
});

Deno.test({
  name: "Of two first passkeys at once, for two hosts, one is refused",
  // The built-in engine runs one transaction at a time.
  ignore: ENGINE === "embedded",
  fn: async () => {
    await using own = await createWorld();
    const caller = await own.createCaller();
    const there = moved(own);
    const [here, elsewhere] = [await beginRegistration(own, caller), at(there, caller)];
    const begun = await beginRegistration(there, elsewhere);
    assertEquals([here.publicKey.rp.id, begun.publicKey.rp.id], [HOST, "new.example"]);
    const first = await begin(own.database, ({ sql }) => storeHost(sql, "new.example"));
    const second = finishRegistration(caller, here, await SoftwarePasskey.make());
    await waitForBlocked(own, 1);
    await first.commit();
    assertRule(await second, "passkey.rp", "credential");
    assertEquals((await beginSignIn(own)).publicKey.rpId, "new.example");
    const key = await SoftwarePasskey.make();
    const added = await finishRegistration(elsewhere, begun, key, from(NEW_ORIGIN));
    assertEquals([added.status, await storedHosts(own)], [201, ["new.example"]]);
  },
});

Deno.test("Refused first registration stores no host", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const begun = await beginRegistration(own, caller);
  const key = await SoftwarePasskey.make();
  const refused = await finishRegistration(caller, begun, key, from(NEW_ORIGIN));
  assertRule(refused, "passkey.origin", "credential");
  assertEquals(await storedHosts(own), []);
});

Deno.test("Start stores the host of PUBLIC_ORIGIN if a passkey has it, and none is stored", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const start = (origin: string | null) => storeHostOfEarlierPasskeys(own.database, origin);
  // As an earlier release left it.
  const forget = () =>
    own.raw(`
      alter table passkey_host disable trigger append_only;
      delete from passkey_host;
      alter table passkey_host enable always trigger append_only;`);
  const { passkey } = await addPasskey(own, caller);
  await removePasskey(own, caller, passkey);
  await forget();
  await start(ORIGIN);
  assertEquals(await storedHosts(own), []);
  await addPasskey(own, caller);
  await forget();
  await start(NEW_ORIGIN);
  await start(null);
  assertEquals(await storedHosts(own), []);
  await start(ORIGIN);
  await start(NEW_ORIGIN);
  assertEquals(await storedHosts(own), [HOST]);
});

Deno.test("Document of related origins is the same for anyone, under any Host", async () => {
  const origins = ["https://app.example", "https://old.example"];
  const settings = { host: "old.example", origins };
  const app = world().again({ passkeys: settings, assistants: null, console: false });
  for (const host of [HOST, "old.example", "203.0.113.5:8443"]) {
    for (const method of ["GET", "HEAD"]) {
      const headers = { Host: host, Origin: "https://evil.example" };
      const request = new Request(`http://${host}${DOCUMENT}`, { method, headers });
      const response = await app.fetch(request, "192.0.2.1");
      assertEquals([response.status, response.headers.get("Content-Type")], [
        200,
        "application/json",
      ]);
      const text = method === "GET" ? JSON.stringify({ origins: [ORIGIN, ...origins] }) : "";
      assertEquals(await response.text(), text);
    }
  }
  assertEquals((await world().call("GET", DOCUMENT)).body, { origins: [ORIGIN] });
});

Deno.test("Signal lists the account's live passkeys of the host in use", async () => {
  const caller = await world().createCaller();
  const signal = async (by = caller) => (await by.call("GET", `${PASSKEYS}/signal`)).body.data;
  assertEquals(await signal(), { rpId: HOST, userId: null, allAcceptedCredentialIds: [] });
  const { key, passkey } = await addPasskey(world(), caller);
  const { key: newer } = await addPasskey(world(), caller);
  await addPasskey(world(), await world().createCaller());
  const { userHandle: userId } = key;
  assertEquals(await signal(), {
    rpId: HOST,
    userId,
    allAcceptedCredentialIds: [newer, key].map(({ id }) => base64url(id)),
  });
  await removePasskey(world(), caller, passkey);
  const rest = { userId, allAcceptedCredentialIds: [base64url(newer.id)] };
  assertEquals(await signal(), { rpId: HOST, ...rest });
  assertEquals(await signal(at(moved(world()), caller)), { rpId: HOST, ...rest });
  const chosen = moved(world(), { host: "new.example" });
  assertEquals(await signal(at(chosen, caller)), {
    rpId: "new.example",
    userId,
    allAcceptedCredentialIds: [],
  });
  const { token } = await makeToken(world(), caller);
  const asToken = callerOf(world().app, { ...caller, secret: token });
  assertRefused(await asToken.call("GET", `${PASSKEYS}/signal`), "FORBIDDEN");
  assertRefused(await world().call("GET", `${PASSKEYS}/signal`), "AUTH_REQUIRED");
  const query = await caller.call("GET", `${PASSKEYS}/signal?limit=1`);
  assertEquals(query.status, 400);
});
