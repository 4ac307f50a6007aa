import { assert, assertEquals } from "@std/assert";
import { issueSetupToken } from "../../src/access/setup.ts";
import { createWorld, type World } from "../support/world.ts";
import { AUTH, parseSetCookie } from "./access.ts";

const SERVER_SECRET = "the secret of this test's own server";
const PASSWORD = "the password of this test's owner";

/** Every row of every table, as text. */
async function dump(world: World): Promise<string> {
  const tables = await world.rows(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  assert(tables.length > 8, "the tables were not found");
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await world.rows(`select t::text as row from "${name}" t`);
    parts.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return parts.join("\n");
}

/** The ways in which a database could hold a text: as it is, as bytes, in base64. */
function disguises(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  return [secret, bytes.toHex(), bytes.toBase64().replace(/=+$/, "")];
}

Deno.test("Database and log hold digests of secrets, never a secret", async () => {
  await using world = await createWorld({ serverSecret: new TextEncoder().encode(SERVER_SECRET) });
  const replaced = await issueSetupToken(world.database, world.now());
  const setupToken = await issueSetupToken(world.database, world.now());
  const email = "me@example.org";
  const setup = await world.call("POST", `${AUTH}/setup`, {
    body: { setupToken, email, password: PASSWORD, displayName: "Me" },
  });
  const login = await world.call("POST", `${AUTH}/login`, {
    body: { email, password: PASSWORD, transport: "bearer" },
  });
  const cookie = parseSetCookie(setup).pair.split("=")[1] ?? "";
  const { accessToken } = login.body.data;
  const created = await world.call("POST", "/api/v2/records/commitment", {
    key: "a-key",
    headers: { Authorization: `Bearer ${accessToken}` },
    body: {
      title: "A promise",
      payload: { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" },
    },
  });
  assertEquals(created.status, 201, created.text);

  const stored = await dump(world);
  assert(stored.includes(email), "the dump does not hold what is stored");
  const logged = JSON.stringify(world.log);
  const secrets = [replaced, setupToken, cookie, accessToken, PASSWORD, SERVER_SECRET];
  for (const secret of secrets) {
    assert(typeof secret === "string" && secret.length > 20, "a secret is missing");
    for (const disguise of disguises(secret)) {
      assertEquals(stored.includes(disguise), false, "a secret is stored");
      assertEquals(logged.includes(disguise), false, "a secret is logged");
    }
  }
});
