// engines: postgres
/** The erasure of a whole account. */

import { assertEquals } from "@std/assert";
import { sealTrails } from "../../src/audit/sealing.ts";
import { control, createPerson, detail } from "../families/relationship/api.ts";
import { introduce } from "../families/identity/api.ts";
import { remember } from "../families/memory/api.ts";
import { uploaded } from "../support/attachments.ts";
import {
  backUp,
  CANARY,
  configFrom,
  createErasable,
  holdsCanary,
  makeFeed,
  operate,
  plan,
  run,
  signIn,
  unpacked,
  verify,
} from "../support/erasure.ts";
import type { Installation } from "../support/installation.ts";
import { type OwnService, setUpOwner, startOwn } from "../support/own_service.ts";
import { OWNER } from "../support/owner.ts";
import { waitUntil } from "../support/wait.ts";
import { callApp, type Caller, type TestResponse } from "../support/world.ts";
import { newPasskey, newUser } from "./passkey_rows.ts";
import { insertInto } from "./rows.ts";

const OTHER = "other@example.org";
const CREATE = {
  command: "account create",
  email: OTHER,
  name: "Other",
  password: OWNER.password,
} as const;

/** Transactions of other tests on the server hold entries back. */
async function sealTrailsOf(old: Installation, accountId: string): Promise<void> {
  const sealed = `select distinct kind from audit_seals where account_id = '${accountId}'`;
  await waitUntil("both trails have seals", async () => {
    await old.withDatabase((database) => sealTrails(database, () => new Date()));
    return (await old.rows(sealed)).length === 2;
  });
}

Deno.test("Erasure of an account takes all of it, but its slug stays taken", async () => {
  await using place = await createErasable();
  const { old, env, folder, fresh } = place;
  let [accountId, feed] = ["", ""];
  {
    await using service = await startOwn(configFrom(old.env));
    await remember(await setUpOwner(service));
  }
  await operate(old.env, CREATE);
  {
    await using service = await startOwn(configFrom(old.env));
    const other = await signIn(service, OTHER);
    accountId = other.accountId;
    feed = await fill(other);
    await uploaded(other, "bytes of the other");
    assertEquals((await publish(other)).status, 200);
    await old.raw(
      insertInto("passkey_users", newUser(other)) +
        insertInto("passkeys", newPasskey(other, { name: CANARY })),
    );
  }
  assertEquals(holdsCanary(await unpacked(await backUp(old.env))), true);
  await sealTrailsOf(old, accountId);
  const { digest } = await plan(env, OTHER, "account:");
  const { scope, counts, seals } = await run(env, digest, folder);
  assertEquals(scope, [{ kind: "ACCOUNT", id: accountId, moduleCode: null }]);
  const names = ["accounts", "passkey_users", "passkeys", "calendar_feeds", "person_details"];
  assertEquals(names.map((name) => counts[name]), [1, 1, 1, 1, 1]);
  const heads = Object.keys(seals).filter((trail) => trail.startsWith(accountId)).sort();
  assertEquals(heads, [`${accountId}/access`, `${accountId}/audit`]);
  assertEquals((await verify(fresh)).found, []);

  {
    await using service = await startOwn(configFrom(fresh));
    await assertGone(service);
    assertEquals((await callApp(service.app, "GET", feed)).status, 404);
  }
  assertEquals(holdsCanary(await unpacked(await backUp(fresh))), false);
  // The email is free again.
  await operate(fresh, CREATE);
});

/** Introduces the account, with a person, and returns the path of its calendar feed. */
async function fill(other: Caller): Promise<string> {
  await introduce(other, { displayName: CANARY });
  const known = await detail(other, await createPerson(other), { label: CANARY });
  await control(other, known, { kind: "RETRACTED" });
  return await makeFeed(other, CANARY);
}

/** Neither the account nor its page exists, and its slug is not free for other accounts. */
async function assertGone(service: OwnService): Promise<void> {
  const owner = await signIn(service);
  const login = await callApp(service.app, "POST", "/api/v2/auth/login", {
    body: { email: OTHER, password: OWNER.password },
  });
  assertEquals(login.body.error.code, "AUTH_REQUIRED");
  const page = await callApp(service.app, "GET", "/api/v2/identity/public/other-self");
  assertEquals(page.status, 404);
  await introduce(owner, { displayName: "Owner" });
  const taken = await publish(owner);
  assertEquals(taken.status, 409, taken.text);
}

/** Publishes the profile under one slug. */
async function publish(caller: Caller): Promise<TestResponse> {
  const profile = await caller.call("GET", "/api/v2/identity/profile");
  const step = await caller.call("POST", "/api/v2/auth/step-up", {
    body: {
      password: OWNER.password,
      purpose: "IDENTITY_PUBLISH",
      targetId: profile.body.data.profileId,
    },
  });
  return await caller.call("POST", "/api/v2/identity/public/publish", {
    key: "publish",
    body: { slug: "other-self", fields: ["displayName"] },
    headers: { "Step-Up-Proof": step.body.data.proof },
  });
}
