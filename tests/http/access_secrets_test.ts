import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { issueSetupToken } from "../../src/accounts/setup_routes.ts";
import { createWorld, type Json, type TestResponse, type World } from "../support/world.ts";
import { AUTH, parseSetCookie } from "./access.ts";
import { Authenticator } from "./second_factor.ts";

const SERVER_SECRET = "the secret of this test's own server";
const PASSWORD = "the password of this test's owner";
const NEW_PASSWORD = "the next password of this test's owner";
const WRONG = "a password that was never anyone's";
const MISTYPED = "a-password-typed-as@email";
const ADDRESS = "203.0.113.77";

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

/** Plain, as bytes, in base64. */
function disguises(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  return [secret, bytes.toHex(), bytes.toBase64().replace(/=+$/, "")];
}

/** Uses every secret rightly and wrongly; returns all of them. */
async function useEverySecret(world: World): Promise<{ secrets: Json[]; answers: TestResponse[] }> {
  const replaced = await issueSetupToken(world.database, world.now());
  const setupToken = await issueSetupToken(world.database, world.now());
  const email = "me@example.org";
  const setup = await world.call("POST", `${AUTH}/setup`, {
    body: { setupToken, email, password: PASSWORD, displayName: "Me" },
  });
  const login = await world.call("POST", `${AUTH}/login`, {
    body: { email, password: PASSWORD, transport: "bearer" },
    peer: ADDRESS,
  });
  await world.call("POST", `${AUTH}/login`, { body: { email: MISTYPED, password: WRONG } });
  const cookie = parseSetCookie(setup).pair.split("=")[1] ?? "";
  const { accessToken } = login.body.data;
  const post = (path: string, body: Json, secret = accessToken, proof = "") =>
    world.call("POST", path, {
      body,
      key: ulid(),
      headers: { Authorization: `Bearer ${secret}`, "Step-Up-Proof": proof },
    });
  const use = { purpose: "TOKEN_CREATE", password: PASSWORD };
  const { proof } = (await post(`${AUTH}/step-up`, use)).body.data;
  const wanted = { name: "A", permissions: ["record.write"] };
  const made = await post(`${AUTH}/tokens`, wanted, accessToken, proof);
  const { token } = made.body.data;
  const change = (await post(`${AUTH}/step-up`, { ...use, purpose: "SECOND_FACTOR_CHANGE" })).body;
  const begun = await post(`${AUTH}/totp`, undefined, accessToken, change.data.proof);
  const { secret: totpSecret, uri } = begun.body.data;
  const code = await new Authenticator(uri).codeAt(world.now());
  const confirmed = await post(`${AUTH}/totp/confirm`, { code });
  const { recoveryCodes } = confirmed.body.data;
  const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  const record = {
    title: "A promise",
    payload: { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" },
  };
  const RECORDS = "/api/v2/records/commitment";
  const next = { ...passwords, recoveryCode: recoveryCodes[1], revokeTokens: false };
  const calls: readonly (readonly [answer: TestResponse, status: number])[] = [
    [await post(RECORDS, record, token), 201],
    [await post(RECORDS, { ...record, token }), 400],
    [await post(`${AUTH}/step-up`, { ...use, password: WRONG }), 403],
    [await post(`${AUTH}/step-up`, { ...use, recoveryCode: recoveryCodes[0] }), 200],
    [await post(`${AUTH}/step-up`, { ...use, recoveryCode: recoveryCodes[0] }), 403],
    [await post(`${AUTH}/totp/confirm`, { code }), 409],
    [await post(`${AUTH}/password`, { ...passwords, newPassword: "short one" }), 400],
    [await post(`${AUTH}/password`, next), 200],
    [await post(`${AUTH}/tokens`, wanted, token), 403],
    [await post(`${AUTH}/logout`, undefined, `${accessToken}x`), 401],
  ];
  const answers = calls.map(([answer]) => answer);
  assertEquals(answers.map(({ status }) => status), calls.map(([, status]) => status));
  const credentials = [replaced, setupToken, cookie, accessToken, token, proof];
  const factor = [totpSecret, change.data.proof, ...recoveryCodes];
  const shown = [...factor, ...factor.map((text: string) => text.replaceAll("-", ""))];
  return {
    secrets: [...credentials, ...shown, PASSWORD, NEW_PASSWORD, WRONG, SERVER_SECRET],
    answers,
  };
}

Deno.test("Database, log and answers hold digests of secrets, never a secret", async () => {
  await using world = await createWorld({ serverSecret: new TextEncoder().encode(SERVER_SECRET) });
  const { secrets, answers } = await useEverySecret(world);
  const stored = await dump(world);
  assert(stored.includes("me@example.org"), "the dump does not hold what is stored");
  const logged = JSON.stringify(world.log);
  const answered = answers.map(({ text }) => text).join("\n");
  for (const secret of secrets) {
    assert(typeof secret === "string" && secret.length > 20, "a secret is missing");
    for (const disguise of disguises(secret)) {
      assertEquals(stored.includes(disguise), false, "a secret is stored");
      assertEquals(logged.includes(disguise), false, "a secret is logged");
      assertEquals(answered.includes(disguise), false, "a secret is answered");
    }
  }
  // Neither the mistyped email nor the address.
  for (const word of [MISTYPED, ADDRESS]) {
    assertEquals([stored, logged].some((text) => text.includes(word)), false, word);
  }
});
