/**
 * The ceremonies of passkeys: each is answered once, by its own account, with a counter that rises.
 */

import { assertEquals } from "@std/assert";
import { SoftwarePasskey } from "../support/software_authenticator.ts";
import { callerOf, createWorld, sharedWorld } from "../support/world.ts";
import { assertRefused } from "./access.ts";
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
  signInBy,
} from "./passkey.ts";

const world = sharedWorld();
const MINUTES = 60_000;

Deno.test("Ceremony is answered once, in its session and kind, within five minutes", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const { key } = await addPasskey(own, caller);
  const other = await own.createCaller();
  // A second session of the same account.
  const { session, accessToken } = (await signInBy(own, key)).body.data;
  const second = callerOf(own.app, {
    ...caller,
    sessionId: session.sessionId,
    secret: accessToken,
  });

  const stepUp = await beginStepUp(caller);
  const registration = await beginRegistration(own, caller);
  const signIn = await beginSignIn(own);
  for (const session of [second, other]) {
    assertRefused(await finishStepUp(session, stepUp, key), "STEP_UP_REQUIRED");
  }
  assertRefused(await finishStepUp(caller, registration, key), "STEP_UP_REQUIRED");
  assertRefused(await finishStepUp(caller, signIn, key), "STEP_UP_REQUIRED");
  assertRefused(await finishSignIn(own, stepUp, key), "AUTH_REQUIRED");
  const fresh = await SoftwarePasskey.make();
  const wrongKind = { ...registration, ceremonyId: stepUp.ceremonyId };
  assertRule(await finishRegistration(caller, wrongKind, fresh), "passkey.ceremony", "ceremonyId");
  assertRule(
    await finishRegistration(second, registration, fresh),
    "passkey.ceremony",
    "ceremonyId",
  );
  const malformed = { credential: { rawId: "AQID" } };
  for (
    const finish of [
      finishStepUp(caller, stepUp, key, malformed),
      finishSignIn(own, signIn, key, malformed),
      finishRegistration(caller, registration, fresh, malformed),
    ]
  ) {
    assertRule(await finish, "field.format", "credential");
  }
  // None of these ended it, and another process answers.
  const elsewhere = callerOf(own.again(), caller);
  assertEquals((await finishStepUp(elsewhere, stepUp, key)).status, 200);
  assertEquals((await finishRegistration(elsewhere, registration, fresh)).status, 201);
  assertEquals((await finishSignIn(own, signIn, key)).status, 200);
  assertRefused(await finishStepUp(caller, stepUp, key), "STEP_UP_REQUIRED");
  assertRefused(await finishSignIn(own, signIn, key), "AUTH_REQUIRED");
  assertRule(
    await finishRegistration(caller, registration, await SoftwarePasskey.make()),
    "passkey.ceremony",
    "ceremonyId",
  );

  // A wrong answer ends it, too.
  const spoilt = [await beginStepUp(caller), await beginSignIn(own)] as const;
  const wrong = { clientData: { origin: "https://evil.example" } };
  assertRefused(await finishStepUp(caller, spoilt[0], key, wrong), "STEP_UP_REQUIRED");
  assertRefused(await finishStepUp(caller, spoilt[0], key), "STEP_UP_REQUIRED");
  assertRefused(await finishSignIn(own, spoilt[1], key, wrong), "AUTH_REQUIRED");
  assertRefused(await finishSignIn(own, spoilt[1], key), "AUTH_REQUIRED");

  for (const [waited, status] of [[5 * MINUTES - 1, 200], [5 * MINUTES, 401]] as const) {
    const [late, lateStepUp] = [await beginSignIn(own), await beginStepUp(caller)];
    own.advance(waited);
    assertEquals((await finishSignIn(own, late, key)).status, status);
    assertEquals((await finishStepUp(caller, lateStepUp, key)).status, status === 200 ? 200 : 403);
  }
  // The sign-ins of the last minutes are remembered, and no others.
  own.advance(20 * MINUTES);
  await signInBy(own, key);
  assertEquals(await own.rows("select count(*)::integer as n from answered_passkey_sign_ins"), [
    { n: 1 },
  ]);
});

Deno.test("A process whose clock is ahead lets no sign-in be answered twice", async () => {
  await using own = await createWorld();
  const { key } = await addPasskey(own, await own.createCaller());
  const answered = await beginSignIn(own);
  assertEquals((await finishSignIn(own, answered, key)).status, 200);
  own.advance(MINUTES);
  const ahead = () => new Date(own.now().getTime() + 4.5 * MINUTES);
  const elsewhere = callerOf(own.again({ clock: ahead }), await own.createCaller());
  assertEquals((await signInBy(elsewhere, key)).status, 200);
  assertRefused(await finishSignIn(own, answered, key), "AUTH_REQUIRED");
});

Deno.test("Of two finishes at once one succeeds", async () => {
  const caller = await world().createCaller();
  const { key } = await addPasskey(
    world(),
    caller,
    await SoftwarePasskey.make("ES256", { counter: 1 }),
  );
  const signIn = await beginSignIn(world());
  const stepUp = await beginStepUp(caller);
  const signIns = await Promise.all([1, 2, 3].map(() => finishSignIn(world(), signIn, key)));
  assertEquals(signIns.filter(({ status }) => status === 200).length, 1);
  const proofs = await Promise.all([1, 2, 3].map(() => finishStepUp(caller, stepUp, key)));
  assertEquals(proofs.filter(({ status }) => status === 200).length, 1);
  const begun = await beginRegistration(world(), caller);
  const fresh = await SoftwarePasskey.make();
  const added = await Promise.all([1, 2].map(() => finishRegistration(caller, begun, fresh)));
  assertEquals(added.map(({ status }) => status).sort(), [201, 400]);
  // One counter is accepted once.
  const counter = key.counter + 10;
  const begunTwice = [await beginSignIn(world()), await beginSignIn(world())];
  const used = await Promise.all(
    begunTwice.map((each) => finishSignIn(world(), each, key, { counter })),
  );
  assertEquals(used.map(({ status }) => status).sort(), [200, 401]);
});

Deno.test("A session has 20 open ceremonies, and the oldest ends", async () => {
  const caller = await world().createCaller();
  const { key } = await addPasskey(world(), caller);
  const begun = [];
  for (let index = 0; index < 21; index++) begun.push(await beginStepUp(caller));
  const answers = [];
  for (const each of begun) answers.push((await finishStepUp(caller, each, key)).status);
  assertEquals(answers, [403, ...Array(20).fill(200)]);
});

Deno.test("Counter that does not rise is refused with an event, and the passkey goes on", async () => {
  const caller = await world().createCaller();
  const { key } = await addPasskey(
    world(),
    caller,
    await SoftwarePasskey.make("EdDSA", { counter: 5 }),
  );
  assertEquals((await signInBy(world(), key, { counter: 9 })).status, 200);
  for (const counter of [9, 8, 0]) {
    assertRefused(await signInBy(world(), key, { counter }), "AUTH_REQUIRED");
  }
  const stepUp = await finishStepUp(caller, await beginStepUp(caller), key, { counter: 9 });
  assertRefused(stepUp, "STEP_UP_REQUIRED");
  assertEquals((await signInBy(world(), key, { counter: 2 ** 32 - 1 })).status, 200);
  assertEquals((await accessEvents(world(), caller)).filter((event) => !/^LOGIN S/.test(event)), [
    ...Array(3).fill("LOGIN_FAILED null"),
    "PASSKEY_ADDED SESSION",
    "PASSKEY_COUNTER SESSION",
    ...Array(3).fill("PASSKEY_COUNTER null"),
    "STEP_UP_FAILED SESSION",
  ]);
});

Deno.test("Sign-in names its account by email or by user handle, and no other's", async () => {
  const [caller, other] = await Promise.all([world().createCaller(), world().createCaller()]);
  const { key } = await addPasskey(world(), caller);
  const { key: others } = await addPasskey(world(), other);
  const email = emailOf(caller);
  const withoutHandle = { response: { userHandle: null } };
  assertEquals((await signInBy(world(), key, withoutHandle, email)).status, 200);
  assertEquals(
    (await signInBy(world(), key, { response: { userHandle: undefined } }, email)).status,
    200,
  );
  assertRefused(await signInBy(world(), key, withoutHandle), "AUTH_REQUIRED");
  assertRefused(await signInBy(world(), others, {}, email), "AUTH_REQUIRED");
  for (const userHandle of [others.userHandle, "", "AQID"]) {
    for (const named of [undefined, email]) {
      assertRefused(
        await signInBy(world(), key, { response: { userHandle } }, named),
        "AUTH_REQUIRED",
      );
    }
  }
  assertRefused(await finishStepUp(caller, await beginStepUp(caller), others), "STEP_UP_REQUIRED");
});
