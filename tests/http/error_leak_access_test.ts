/**
 * Passwords, set-up tokens and session secrets: not in errors, log, database, or successes, except
 * when a bearer secret is issued.
 */

import { assert, assertEquals } from "@std/assert";
import { issueSetupToken } from "../../src/accounts/setup_routes.ts";
import type { JsonObject, JsonValue } from "../../src/core/json.ts";
import { Markers } from "../support/markers.ts";
import { createWorld, type TestResponse, type World } from "../support/world.ts";

function post(world: World, route: string, body: JsonValue): Promise<TestResponse> {
  return world.call("POST", `/api/v2/auth/${route}`, { body });
}

Deno.test("Set-up and login reveal no password or token, rejected or accepted", async () => {
  await using world = await createWorld();
  const markers = new Markers();
  const setupToken = await issueSetupToken(world.database, world.now()) ?? "";
  const password = markers.make("the password");
  const account = {
    email: `${markers.make("the email")}@example.org`,
    displayName: markers.make("the display name"),
  };
  const setup = { setupToken, password, ...account, transport: "bearer" };
  const wrongToken = `prs_i_${markers.make("a wrong set-up token")}`;
  const refusedSetups: JsonObject[] = [
    { ...setup, setupToken: wrongToken },
    { ...setup, password: markers.make("a short password").slice(0, 11) },
    { ...setup, password: markers.make("a long password").repeat(50) },
    { ...setup, email: markers.make("no email") },
    { ...setup, displayName: `${markers.make("a wrong name")}\n` },
    { ...setup, deviceName: markers.make("a long device name").repeat(20) },
    { ...setup, transport: markers.make("a wrong transport") },
    { ...setup, [markers.make("an undeclared key")]: 1 },
  ];
  for (const body of refusedSetups) {
    markers.assertTellsNothing(await post(world, "setup", body), JSON.stringify(body));
  }

  const opened = await post(world, "setup", { ...setup, deviceName: markers.make("the device") });
  assertEquals(opened.status, 200, opened.text);
  assertEquals(
    markers.inResponse(opened),
    ["the device", "the display name", "the email"].filter(
      (purpose) => opened.text.includes("deviceName") || purpose !== "the device",
    ),
  );
  markers.assertTellsNothing(await post(world, "setup", setup), "a second set-up");

  const login = { email: account.email, password };
  const refusedLogins: JsonObject[] = [
    { ...login, password: markers.make("a wrong password") },
    { ...login, email: `${markers.make("another email")}@example.org` },
    { ...login, transport: markers.make("a wrong transport") },
    { ...login, password: [markers.make("a wrong password")] },
  ];
  for (const body of refusedLogins) {
    markers.assertTellsNothing(await post(world, "login", body), JSON.stringify(body));
  }
  const entered = await post(world, "login", login);
  assertEquals(entered.status, 200, entered.text);
  assertEquals(markers.inResponse(entered), ["the display name", "the email"]);

  await markers.assertLedgersTellNothing(world);
  assertEquals(await markers.inDatabase(world), {
    "accounts.display_name": ["the display name"],
    "accounts.email": ["the email"],
    "accounts.email_key": ["the email"],
    "sessions.device_name": ["the device"],
  });
  await assertSecretsUntold(world, [setupToken, opened.body.data.accessToken]);
});

/** Not in log or database. */
async function assertSecretsUntold(world: World, secrets: readonly string[]): Promise<void> {
  const rows = await world.rows(`
    select row_to_json(a)::text as text from accounts a
    union all select row_to_json(s)::text from sessions s
    union all select row_to_json(t)::text from setup_token t`);
  const told = JSON.stringify([world.log, rows]);
  for (const secret of secrets) assert(secret.length > 40 && !told.includes(secret));
}
