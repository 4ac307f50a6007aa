import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { ensureOwner, issueSetupToken } from "../../src/accounts/setup_routes.ts";
import { callApp, createWorld, type Json, type World } from "../support/world.ts";
import { assertRefused, AUTH, COOKIE, DAY, parseSetCookie, PASSWORD } from "./access.ts";

function setupBody(setupToken: string | null): Json {
  return { setupToken, email: "me@example.org", password: PASSWORD, displayName: "Me" };
}

async function accountsOf(world: World): Promise<number> {
  const [row] = await world.rows("select count(*)::int as accounts from accounts");
  return row.accounts;
}

Deno.test("POST setup makes the first account once, with the newest token", async () => {
  await using world = await createWorld();
  const earlier = await issueSetupToken(world.database, world.now());
  const token = await issueSetupToken(world.database, world.now());
  assertMatch(token ?? "", /^prs_i_[A-Za-z0-9_-]{43}$/);
  assertNotEquals(token, earlier);
  for (const wrong of [earlier, `${token}x`, "prs_i_", "x"]) {
    const response = await world.call("POST", `${AUTH}/setup`, { body: setupBody(wrong) });
    assertRefused(response, "AUTH_REQUIRED", wrong ?? "");
  }
  assertEquals(await accountsOf(world), 0);

  const response = await world.call("POST", `${AUTH}/setup`, { body: setupBody(token) });
  assertEquals(response.status, 200, response.text);
  const { account, session, accessToken } = response.body.data;
  assertEquals([account.email, account.displayName, account.role], [
    "me@example.org",
    "Me",
    "OWNER",
  ]);
  assertEquals(account.createdAt, world.now().toISOString());
  assertEquals(session.expiresAt, new Date(world.now().getTime() + 30 * DAY).toISOString());
  assertEquals(accessToken, undefined);
  const { pair } = parseSetCookie(response);
  assertMatch(pair, new RegExp(`^${COOKIE}=prs_s_[A-Za-z0-9_-]{43}$`));
  const whoAmI = await world.call("GET", `${AUTH}/session`, { headers: { Cookie: pair } });
  assertEquals(whoAmI.body.data.account, account);

  for (const body of [setupBody(token), setupBody("prs_i_wrong")]) {
    assertRefused(await world.call("POST", `${AUTH}/setup`, { body }), "SETUP_CLOSED");
  }
  assertEquals(await issueSetupToken(world.database, world.now()), null);
  assertEquals(await accountsOf(world), 1);
});

Deno.test("POST setup lets one of several concurrent requests win", async () => {
  await using world = await createWorld();
  const token = await issueSetupToken(world.database, world.now());
  const apps = [world.app, world.again(), world.app, world.again()];
  const answers = await Promise.all(apps.map((app, index) =>
    callApp(app, "POST", `${AUTH}/setup`, {
      body: { ...setupBody(token), email: `person-${index}@example.org`, transport: "bearer" },
    })
  ));
  const winners = answers.filter((response) => response.status === 200);
  assertEquals(winners.length, 1, answers.map((response) => response.text).join("\n"));
  assertMatch(winners[0]?.body.data.accessToken, /^prs_s_/);
  assertEquals(winners[0]?.headers.has("Set-Cookie"), false);
  for (const response of answers.filter((each) => each.status !== 200)) {
    assertRefused(response, "SETUP_CLOSED");
  }
  assertEquals(await accountsOf(world), 1);
});

Deno.test("POST setup rejects its token after 24 hours", async () => {
  await using world = await createWorld();
  const token = await issueSetupToken(world.database, world.now());
  world.advance(DAY);
  const late = await world.call("POST", `${AUTH}/setup`, { body: setupBody(token) });
  assertRefused(late, "AUTH_REQUIRED");
  const fresh = await issueSetupToken(world.database, world.now());
  world.advance(DAY - 1);
  const inTime = await world.call("POST", `${AUTH}/setup`, { body: setupBody(fresh) });
  assertEquals(inTime.status, 200, inTime.text);
});

Deno.test("POST setup rejects a body by field and rule, and keeps its token", async () => {
  await using world = await createWorld();
  const token = await issueSetupToken(world.database, world.now());
  const wrong: readonly [Json, string[], string[]][] = [
    [{ password: "eleven char" }, ["password"], ["account.password_length"]],
    [{ password: "🙂".repeat(11) }, ["password"], ["account.password_length"]],
    [{ password: "p".repeat(257) }, ["password"], ["account.password_length"]],
    [{ password: 123456789012 }, ["password"], ["field.type"]],
    [{ password: "Password1234" }, ["password"], ["account.password_known"]],
    [{ password: "me-example.org-1" }, ["password"], ["account.password_is_email"]],
    [{ email: "nobody" }, ["email"], ["account.email"]],
    [{ email: `${"m".repeat(250)}@x.org` }, ["email"], ["account.email"]],
    [{ displayName: " " }, ["displayName"], ["field.blank"]],
    [{ transport: "header" }, ["transport"], ["field.option"]],
    [{ deviceName: "d".repeat(201) }, ["deviceName"], ["field.length"]],
    [{ role: "OWNER" }, [], ["undeclared_field"]],
    [{ email: undefined }, ["email"], ["field.required"]],
  ];
  for (const [change, fields, rules] of wrong) {
    const body = { ...setupBody(token), ...change };
    const response = await world.call("POST", `${AUTH}/setup`, { body });
    assertEquals(response.status, 400, JSON.stringify(change));
    const { fields: named = [], rules: broken } = response.body.error.details;
    assertEquals([named, broken], [fields, rules], JSON.stringify(change));
  }
  assertEquals(await accountsOf(world), 0);
  const body = { ...setupBody(token), password: "🙂🙃😀😁😂😃".repeat(2) + "🙄" };
  const response = await world.call("POST", `${AUTH}/setup`, { body });
  assertEquals(response.status, 200, response.text);
});

Deno.test("Configured owner is created once, also by several processes at once", async () => {
  await using world = await createWorld();
  const token = await issueSetupToken(world.database, world.now());
  let hashes = 0;
  const ensure = (email: string) =>
    ensureOwner(world.database, {
      email,
      hash: () => Promise.resolve(`scrypt$16$8$1$AAAA$${++hashes}`),
    }, world.now());
  await Promise.all(["a", "b", "c"].map((name) => ensure(`${name}@example.org`)));
  assertEquals(await accountsOf(world), 1);
  const made = hashes;
  await ensure("later@example.org");
  assertEquals([await accountsOf(world), hashes], [1, made]);
  const response = await world.call("POST", `${AUTH}/setup`, { body: setupBody(token) });
  assertRefused(response, "SETUP_CLOSED");
});
