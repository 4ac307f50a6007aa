/** The configured owner of a new service; `http/access_setup` has the set-up token. */

import { assertEquals } from "@std/assert";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";

const OWNER = { email: "owner@example.org", password: "the configured password" };

Deno.test("First start creates the owner with the password of a file, and a later one keeps her", async () => {
  await using place = await createInstallation();
  await Deno.mkdir(place.dataDir, { recursive: true });
  const path = `${place.dataDir}/owner_password`;
  await Deno.writeTextFile(path, `${OWNER.password}\n`);
  const env = { ...place.env, OWNER_EMAIL: OWNER.email, OWNER_PASSWORD_FILE: path };
  let accessToken: string;
  let record: { recordId: string };
  {
    await using first = await startServer(env);
    assertEquals(first.welcome.includes("#setup="), false, first.welcome);
    const setup = await first.call("POST", "/api/v2/auth/setup", {
      body: { setupToken: "prs_i_", ...OWNER, displayName: "Other" },
    });
    assertEquals(setup.body.error?.code, "SETUP_CLOSED", setup.text);
    const body = { ...OWNER, transport: "bearer" };
    const login = await first.call("POST", "/api/v2/auth/login", { body });
    assertEquals(login.status, 200, login.text);
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
  const [hash] = await place.rows("select password_hash from accounts");
  await Deno.writeTextFile(path, "another password now");
  await using second = await startServer(env);
  const read = await second.call("GET", `${COMMITMENTS}/${record.recordId}`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  assertEquals(read.body.data, record, read.text);
  assertEquals(await place.rows("select password_hash from accounts"), [hash]);
});
