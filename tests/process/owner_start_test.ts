/** Access to a new service: the configured owner or the set-up token. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";

const OWNER = { email: "owner@example.org", password: "the configured password" };

Deno.test("First start creates the configured owner and closes set-up", async () => {
  await using place = await createInstallation();
  const env = { ...place.env, OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password };
  await using server = await startServer(env);
  assertEquals(server.welcome.includes("#setup="), false, server.welcome);
  const setup = await server.call("POST", "/api/v2/auth/setup", {
    body: { setupToken: "prs_i_", ...OWNER, displayName: "Other" },
  });
  assertEquals(setup.body.error?.code, "SETUP_CLOSED", setup.text);
  const login = await server.call("POST", "/api/v2/auth/login", { body: OWNER });
  assertEquals(login.status, 200, login.text);
  assertEquals(login.body.data.account.email, OWNER.email);
});

Deno.test("First start reads the owner's password from a file", async () => {
  await using place = await createInstallation();
  await Deno.mkdir(place.dataDir, { recursive: true });
  const path = `${place.dataDir}/owner_password`;
  await Deno.writeTextFile(path, `${OWNER.password}\n`);
  const env = { ...place.env, OWNER_EMAIL: OWNER.email, OWNER_PASSWORD_FILE: path };
  await using server = await startServer(env);
  const login = await server.call("POST", "/api/v2/auth/login", { body: OWNER });
  assertEquals(login.status, 200, login.text);
});

Deno.test("Later start replaces the set-up token", async () => {
  await using place = await createInstallation();
  const tokenOf = (welcome: string) => /#setup=(\S+)/.exec(welcome)?.[1] ?? "";
  const body = { ...OWNER, displayName: "Owner" };
  let earlier: string;
  {
    await using first = await startServer(place.env);
    earlier = tokenOf(first.welcome);
  }
  await using second = await startServer(place.env);
  const old = await second.call("POST", "/api/v2/auth/setup", {
    body: { ...body, setupToken: earlier },
  });
  assertEquals([old.status, old.body.error.code], [401, "AUTH_REQUIRED"]);
  const present = await second.call("POST", "/api/v2/auth/setup", {
    body: { ...body, setupToken: tokenOf(second.welcome) },
  });
  assertEquals(present.status, 200, present.text);
  // Plain http: the cookie must not require https.
  const cookie = present.headers.get("Set-Cookie") ?? "";
  assertStringIncludes(cookie, "prs_session=");
  assert(!cookie.includes("Secure"), cookie);
});

Deno.test("Later start keeps the owner, the sessions and the records", async () => {
  await using place = await createInstallation();
  const env = { ...place.env, OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password };
  let accessToken: string;
  let record: { recordId: string };
  {
    await using first = await startServer(env);
    const body = { ...OWNER, transport: "bearer" };
    const login = await first.call("POST", "/api/v2/auth/login", { body });
    accessToken = login.body.data.accessToken;
    const created = await first.call("POST", COMMITMENTS, {
      key: "one",
      headers: { Authorization: `Bearer ${accessToken}` },
      body: { title: "A promise", payload: COMMITMENT },
    });
    assertEquals(created.status, 201, created.text);
    record = created.body.data;
    first.kill("SIGTERM");
    assertEquals((await first.ended).code, 0);
  }
  await using second = await startServer({ ...env, OWNER_PASSWORD: "another password now" });
  const read = await second.call("GET", `${COMMITMENTS}/${record.recordId}`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  assertEquals(read.body.data, record, read.text);
  const login = await second.call("POST", "/api/v2/auth/login", { body: OWNER });
  assertEquals(login.status, 200, "the configured password must not replace the owner's own");
});
