/**
 * Access to a new service: the configured owner or the set-up token. `process/first_start` has the
 * printed link. A later start stores the host name of passkeys.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { createInstallation } from "../support/installation.ts";
import type { OwnService } from "../support/own_service.ts";
import { failStart } from "../support/server_process.ts";
import { insertInto } from "../storage/rows.ts";
import { newPasskey, newUser } from "../storage/passkey_rows.ts";
import { callApp, type CallOptions } from "../support/world.ts";

const OWNER = { email: "owner@example.org", password: "the configured password" };

async function setUp({ app }: OwnService, setupToken: string | null) {
  const body = { ...OWNER, displayName: "Owner", setupToken };
  return await callApp(app, "POST", "/api/v2/auth/setup", { body });
}

Deno.test("Later start replaces the set-up token", async () => {
  await using place = await createInstallation();
  let earlier: string | null;
  {
    await using first = await place.serve();
    earlier = first.setupToken;
  }
  await using second = await place.serve();
  const old = await setUp(second, earlier);
  assertEquals([old.status, old.body.error.code], [401, "AUTH_REQUIRED"]);
  const present = await setUp(second, second.setupToken);
  assertEquals(present.status, 200, present.text);
  // Plain http: the cookie must not require https.
  const cookie = present.headers.get("Set-Cookie") ?? "";
  assertStringIncludes(cookie, "prs_session=");
  assert(!cookie.includes("Secure"), cookie);
});

Deno.test("First start creates the owner with the password of a file, and a later one keeps her", async () => {
  await using place = await createInstallation();
  await Deno.mkdir(place.dataDir, { recursive: true });
  const path = `${place.dataDir}/owner_password`;
  await Deno.writeTextFile(path, `${OWNER.password}\n`);
  const start = () => place.serve({ OWNER_EMAIL: OWNER.email, OWNER_PASSWORD_FILE: path });
  let headers: CallOptions["headers"];
  let record: { recordId: string };
  {
    await using first = await start();
    assertEquals(first.setupToken, null);
    assertEquals((await setUp(first, "prs_i_")).body.error?.code, "SETUP_CLOSED");
    const login = await callApp(first.app, "POST", "/api/v2/auth/login", {
      body: { ...OWNER, transport: "bearer" },
    });
    assertEquals(login.status, 200, login.text);
    headers = { Authorization: `Bearer ${login.body.data.accessToken}` };
    const body = { title: "A promise", payload: COMMITMENT };
    const created = await callApp(first.app, "POST", COMMITMENTS, { key: "one", headers, body });
    assertEquals(created.status, 201, created.text);
    record = created.body.data;
  }
  const [hash] = await place.rows("select password_hash from accounts");
  // Has no effect, although no new account may have it.
  await Deno.writeTextFile(path, "password1234");
  {
    await using second = await start();
    const read = await callApp(second.app, "GET", `${COMMITMENTS}/${record.recordId}`, { headers });
    assertEquals(read.body.data, record, read.text);
  }
  assertEquals(await place.rows("select password_hash from accounts"), [hash]);
});

Deno.test("First start refuses an owner's password that is easy to guess, and makes no account", async () => {
  await using place = await createInstallation({ untouched: true });
  const settings = { OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: "password1234" };
  const ended = await failStart({ ...place.env, ...settings });
  assertEquals(ended.code, 78, ended.stderr);
  assertStringIncludes(ended.stderr, "  OWNER_PASSWORD: The password is too common");
  await using service = await place.serve();
  assertEquals((await setUp(service, service.setupToken)).status, 200);
});

Deno.test("Start stores the host name of the passkeys of an earlier release", async () => {
  await using place = await createInstallation();
  const owner = await place.settle();
  const passkey = newPasskey(owner, { host_name: "localhost" });
  await place.raw(
    insertInto("passkey_users", newUser(owner)) + insertInto("passkeys", passkey),
  );
  await (await place.serve())[Symbol.asyncDispose]();
  const stored = await place.rows("select host_name from passkey_host");
  assertEquals(stored, [{ host_name: "localhost" }]);
});
