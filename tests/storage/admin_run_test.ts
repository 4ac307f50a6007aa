// engines: postgres
/** The operator's commands from words to output. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parseArguments, readCommand } from "../../src/operator/admin/command.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { PASSWORD_RULES } from "../../src/validate/new_password.ts";
import { AUTH } from "../http/access.ts";
import { addPasskey, emailOf } from "../http/passkey.ts";
import { enrol } from "../http/second_factor.ts";
import { makeToken } from "../support/tokens.ts";
import { callerOf, createWorld, fileWorld, ORIGIN, type World } from "../support/world.ts";
import { refusalOf, servicesOf } from "./operator.ts";

const shared = fileWorld();

const EMAIL = "service@example.org";
const PASSWORD = "a password that only tests know";

async function say(world: World, ...words: string[]): Promise<string> {
  const { given, needsPassword } = parseArguments(words);
  const command = readCommand({ ...given, ...needsPassword && { password: PASSWORD } });
  const services = servicesOf(world);
  return (await runAdminCommand(services, command)).join("\n");
}

/** Done the first time, found done the second time. */
async function assertDoneOnce(
  world: World,
  words: readonly string[],
  done: string,
): Promise<void> {
  assertEquals(await say(world, ...words), done);
  assertMatch(await say(world, ...words), /^Nothing was changed: /);
}

Deno.test("Commands report their result, also if they did nothing", async () => {
  const world = shared();
  const of = ["--email", EMAIL];
  assertEquals(await say(world, "account", "list"), "No account exists");
  assertStringIncludes(await say(world, "setup-link"), `${ORIGIN}/#setup=prs_i_`);
  assertMatch(
    await say(world, "account", "create", ...of, "--name", 'A "name"', "--role", "OWNER"),
    /^The account \w{26} was created with the role OWNER$/,
  );
  assertEquals(await refusalOf(say(world, "setup-link")), "An account exists, so set-up is closed");

  const body = { email: EMAIL, password: PASSWORD, transport: "bearer" };
  const { data } = (await world.call("POST", `${AUTH}/login`, { body })).body;
  const { account: { accountId }, session: { sessionId }, accessToken: secret } = data;
  const caller = callerOf(world.app, { accountId, sessionId, secret });
  assertEquals(await say(world, "token", "list", ...of), "The account has no token");
  const { tokenId, token } = await makeToken(world, caller);
  const tokens = await say(world, "token", "list", ...of);
  assert(
    tokens.startsWith(tokenId) && tokens.endsWith('"A program"  record.read  all modules'),
    tokens,
  );
  assertEquals(tokens.includes(token), false);
  await assertDoneOnce(
    world,
    ["token", "revoke", ...of, "--token", tokenId],
    "The token has ended",
  );
  await assertDoneOnce(world, ["session", "revoke-all", ...of], "1 session has ended");

  const service = ["--role", "SERVICE"];
  const permission = ["--permission", "record.read"];
  await assertDoneOnce(
    world,
    ["role", "grant", ...of, ...service],
    "The account now has the role SERVICE instead of any other",
  );
  await assertDoneOnce(
    world,
    ["permission", "grant", ...of, ...permission],
    "The account now has the permission record.read",
  );
  assertEquals(
    await say(world, "account", "list"),
    `${accountId}  ${EMAIL}  SERVICE  enabled  made ${world.now().toISOString()}  ` +
      '"A \\"name\\""  record.read',
  );
  await assertDoneOnce(
    world,
    ["permission", "revoke", ...of, ...permission],
    "The account no longer has the permission record.read",
  );
  await assertDoneOnce(
    world,
    ["role", "revoke", ...of, ...service],
    "The account no longer has a role; it may do nothing",
  );
  assertStringIncludes(await say(world, "account", "list"), `${EMAIL}  no role  enabled`);

  await assertDoneOnce(
    world,
    ["account", "disable", ...of],
    "The account is disabled; its sessions and tokens have ended permanently",
  );
  assertStringIncludes(await say(world, "account", "list"), `${EMAIL}  no role  disabled`);
  await assertDoneOnce(
    world,
    ["account", "enable", ...of],
    "The account is enabled; it can sign in again",
  );
  const services = servicesOf(world);
  const reset = (password: string) =>
    runAdminCommand(services, { command: "account reset-password", email: EMAIL, password });
  assertEquals(await refusalOf(reset(PASSWORD)), PASSWORD_RULES["account.password_unchanged"]);
  assertEquals(await refusalOf(reset(`${EMAIL}!`)), PASSWORD_RULES["account.password_is_email"]);
  assertEquals(await reset("the next one that tests know"), [
    "The password was replaced; the account's sessions have ended, its tokens remain valid",
  ]);
});

Deno.test("Command turns a second factor off once", async () => {
  const world = shared();
  const { email } = await enrol(world);
  await assertDoneOnce(
    world,
    ["account", "reset-second-factor", "--email", email],
    "The second factor is off; the account signs in with its password alone",
  );
});

Deno.test("Command removes all passkeys, and reports how many", async () => {
  const world = shared();
  const caller = await world.createCaller();
  for (let index = 0; index < 2; index++) await addPasskey(world, caller);
  const of = ["--email", emailOf(caller)];
  await assertDoneOnce(
    world,
    ["account", "remove-passkeys", ...of],
    "2 passkeys were removed; the password stays valid",
  );
});

Deno.test("Maintenance command switches, and reports the state", async () => {
  const world = shared();
  const off = "Maintenance is off: ordinary writes are accepted";
  assertEquals(await say(world, "maintenance", "status"), off);
  await assertDoneOnce(
    world,
    ["maintenance", "on"],
    "Maintenance is on; ordinary writes are rejected until it is off",
  );
  const on = "Maintenance is on: ordinary writes are rejected";
  assertEquals(await say(world, "maintenance", "status"), on);
  await assertDoneOnce(
    world,
    ["maintenance", "off"],
    "Maintenance is off; ordinary writes are accepted",
  );
  assertEquals(await say(world, "maintenance", "status"), off);
});

Deno.test("Lists are in columns, oldest account first", async () => {
  await using world = await createWorld();
  for (const email of ["a@example.org", "much.longer@example.org"]) {
    await say(world, "account", "create", "--email", email, "--name", "N", "--role", "VIEWER");
    world.advance(1);
  }
  const lines = (await say(world, "account", "list")).split("\n");
  assertEquals(lines.map((line) => line.indexOf("VIEWER")), [53, 53]);
  assertEquals(lines.map((line) => line.split("  ")[1]), [
    "a@example.org",
    "much.longer@example.org",
  ]);
});
