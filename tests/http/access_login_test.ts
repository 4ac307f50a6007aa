import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import type { Database } from "../../src/database/database.ts";
import {
  anotherProcess,
  callApp,
  CHEAP_COST,
  createWorld,
  type Json,
  sharedWorld,
} from "../support/world.ts";
import {
  assertRefused,
  AUTH,
  COOKIE,
  disable,
  failureOf,
  type Login,
  MeetingHasher,
  parseSetCookie,
  PASSWORD,
  register,
} from "./access.ts";
import { FAILURE_HEADERS } from "./kernel.ts";

const world = sharedWorld();

const login = (body: Json) => world().call("POST", `${AUTH}/login`, { body });

async function hashOf({ email }: Login): Promise<string> {
  const [row] = await world().rows(`select password_hash from accounts where email = '${email}'`);
  return row.password_hash;
}

Deno.test("POST login returns account and session, and sets a browser's cookie", async () => {
  const known = await register(world());
  const response = await login({ ...known, deviceName: "The kitchen tablet" });
  assertEquals(response.status, 200, response.text);
  const { account, session } = response.body.data;
  assertEquals(Object.keys(response.body.data).sort(), ["account", "session"]);
  assertEquals(account.email, known.email);
  assertEquals(session.deviceName, "The kitchen tablet");
  assertEquals([session.createdAt, session.lastSeenAt], [
    world().now().toISOString(),
    world().now().toISOString(),
  ]);
  const { pair } = parseSetCookie(response);
  assertMatch(pair, new RegExp(`^${COOKIE}=prs_s_[A-Za-z0-9_-]{43}$`));
  const opened = await world().call("GET", `${AUTH}/session`, { headers: { Cookie: pair } });
  assertEquals(opened.body.data.account, account);
});

Deno.test("POST login with the bearer transport returns a token and sets no cookie", async () => {
  const response = await login({ ...await register(world()), transport: "bearer" });
  assertEquals(response.status, 200, response.text);
  assertEquals(response.headers.has("Set-Cookie"), false);
  const { accessToken, session } = response.body.data;
  assertMatch(accessToken, /^prs_s_[A-Za-z0-9_-]{43}$/);
  const opened = await world().call("GET", `${AUTH}/session`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  assertEquals(opened.body.data.credential, { kind: "SESSION", expiresAt: session.expiresAt });
});

Deno.test("POST login opens a new session each time", async () => {
  const known = await register(world());
  const tokens = [];
  for (const _ of [1, 2]) {
    const response = await login({ ...known, transport: "bearer" });
    tokens.push(response.body.data.accessToken);
  }
  assertNotEquals(tokens[0], tokens[1]);
  for (const token of tokens) {
    const headers = { Authorization: `Bearer ${token}` };
    assertEquals((await world().call("GET", `${AUTH}/session`, { headers })).status, 200);
  }
});

Deno.test("POST login ignores the email's case and normalises the password", async () => {
  const known = await register(
    world(),
    await new PasswordHasher({ cost: CHEAP_COST }).hash("Ångström, ﬁve times", "known"),
  );
  const response = await login({
    email: known.email.toUpperCase(),
    password: "A\u030Angstro\u0308m, five times",
  });
  assertEquals(response.status, 200, response.text);
  assertEquals(response.body.data.account.email, known.email);
});

Deno.test("POST login answers an unknown email, a wrong password and a disabled account alike", async () => {
  const known = await register(world());
  const disabled = await register(world());
  await disable(world(), disabled);
  const answers = [
    await login({ email: "nobody@example.org", password: PASSWORD }),
    await login({ ...known, password: `${PASSWORD}!` }),
    await login(disabled),
    await login({ ...disabled, password: "" }),
  ];
  for (const response of answers) {
    assertRefused(response, "AUTH_REQUIRED");
    const names = [...response.headers.keys()].filter((name) => name !== "www-authenticate");
    assertEquals(names.sort(), FAILURE_HEADERS);
  }
});

Deno.test("POST login hashes for every kind of failure, for six strangers at once, and rejects others", async () => {
  // All arrive before the first hash is done.
  const passwords = new MeetingHasher(12);
  const full = anotherProcess(world(), { passwords });
  const attempt = (body: Json) => full.call("POST", `${AUTH}/login`, { body });
  const known = await register(full);
  const disabled = await register(full);
  await disable(full, disabled);
  // Two hash, four wait, six are rejected. A kind without a hash would leave more room.
  const bodies = [1, 2, 3, 4].flatMap((index) => [
    { email: `nobody-${index}@example.org`, password: PASSWORD },
    { ...known, password: `${PASSWORD} ${index}` },
    disabled,
  ]);
  const answers = await passwords.all(bodies.map(attempt));
  const turnedAway = answers.filter((response) => response.status === 429);
  assertEquals(turnedAway.length, 6, answers.map((response) => response.status).join(" "));
  for (const response of turnedAway) {
    assertRefused(response, "HTTP_429");
    assertMatch(response.headers.get("Retry-After") ?? "", /^[1-9]\d*$/);
  }
  for (const response of answers) {
    if (response.status !== 429) assertRefused(response, "AUTH_REQUIRED");
  }
  assertEquals((await attempt(known)).status, 200, "the places are free again");
});

Deno.test("POST login upgrades a hash to the current cost after the password is verified", async () => {
  const cheap = await new PasswordHasher({ cost: { N: 2 ** 4, r: 8, p: 1 } }).hash(
    PASSWORD,
    "known",
  );
  const app = world().again({ passwords: new PasswordHasher() });
  const attempt = (body: Json) => callApp(app, "POST", `${AUTH}/login`, { body });
  const known = await register(world(), cheap);
  assertRefused(await attempt({ ...known, password: "not the password" }), "AUTH_REQUIRED");
  assertEquals(await hashOf(known), cheap);
  assertEquals((await attempt(known)).status, 200);
  const raised = await hashOf(known);
  assertMatch(raised, /^scrypt\$131072\$8\$1\$/);
  assertEquals((await attempt(known)).status, 200);
  assertEquals(await hashOf(known), raised);
});

Deno.test("POST login rejects accounts that change while the password is checked", async () => {
  const changes = [
    "update accounts set password_hash = 'another' where email = ",
    "update accounts set disabled_at = now() where email = ",
  ];
  for (const change of changes) {
    const known = await register(world());
    const { database } = world();
    // Commits between the password check (the first transaction) and the session's opening.
    let transactions = 0;
    const transaction: Database["transaction"] = async (use) => {
      if (++transactions === 2) await world().raw(`${change}'${known.email}'`);
      return await database.transaction(use);
    };
    const app = world().again({ database: { ...database, transaction } });
    const response = await callApp(app, "POST", `${AUTH}/login`, { body: known });
    assertRefused(response, "AUTH_REQUIRED", change);
    assertEquals(
      await world().rows(
        `select 1 from sessions join accounts using (account_id) where email = '${known.email}'`,
      ).then((rows) => rows.length),
      0,
    );
  }
});

Deno.test("POST login rejects a body by field and rule, without its values", async () => {
  const known = { email: "me@example.org", password: PASSWORD };
  const wrong: readonly [Json, string[], string[]][] = [
    [{ ...known, remember: true }, [], ["undeclared_field"]],
    [{ email: known.email }, ["password"], ["field.required"]],
    [{ ...known, email: 5 }, ["email"], ["field.type"]],
    [{ ...known, password: "p".repeat(1025) }, ["password"], ["field.length"]],
    [{ ...known, transport: "COOKIE" }, ["transport"], ["field.option"]],
  ];
  for (const [body, fields, rules] of wrong) {
    const response = await login(body);
    assertEquals(failureOf(response).body.error.code, "PAYLOAD_INVALID", JSON.stringify(body));
    const { fields: named = [], rules: broken } = response.body.error.details;
    assertEquals([named, broken], [fields, rules], JSON.stringify(body));
    assertEquals(response.text.includes(PASSWORD), false);
  }
  const query = await world().call("POST", `${AUTH}/login?email=x`, { body: known });
  assertEquals(query.status, 400);
});

Deno.test("POST login logs none of the request's content", async () => {
  await using own = await createWorld();
  const known = await register(own);
  await own.call("POST", `${AUTH}/login`, { body: known });
  await own.call("POST", `${AUTH}/login`, { body: { ...known, password: "a wrong one, quite" } });
  const lines = JSON.stringify(own.log);
  for (const word of [known.email, PASSWORD, "a wrong one", "prs_s_"]) {
    assertEquals(lines.includes(word), false, word);
  }
});
