/** Guessable passwords: rejected for new, accepted for existing accounts. */

import { assertEquals } from "@std/assert";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import { issueSetupToken } from "../../src/accounts/setup_routes.ts";
import { AUTH, givePassword, PASSWORD, register } from "../http/access.ts";
import { assertInvalid } from "../http/kernel.ts";
import { createWorld, fileWorld } from "../support/world.ts";

const shared = fileWorld();

const EMAIL = "ada.lovelace@example.org";

/** With the violated rules. */
const REFUSED: readonly [string, string[]][] = [
  ["password1234", ["account.password_known"]],
  ["Password2026!", ["account.password_known"]],
  ["P@ssw0rd1234", ["account.password_known"]],
  ["123456789012", ["account.password_known", "account.password_sequence"]],
  ["qwertyuiopas", ["account.password_known", "account.password_sequence"]],
  ["aaaaaaaaaaaa", ["account.password_known", "account.password_repetitive"]],
  [" ".repeat(12), ["account.password_repetitive"]],
  ["kvnkvnkvnkvn", ["account.password_repetitive"]],
  ["personal-records-service", ["account.password_is_service"]],
];

Deno.test("POST setup rejects easily guessed passwords", async () => {
  const world = shared();
  const setupToken = await issueSetupToken(world.database, world.now());
  const setup = (password: string) =>
    world.call("POST", `${AUTH}/setup`, {
      body: { setupToken, email: EMAIL, password, displayName: "Ada" },
    });
  for (const [password, rules] of REFUSED) {
    assertInvalid(await setup(password), rules, ["password"], password);
  }
  for (const password of [EMAIL, "ADA.LOVELACE!", "ada lovelace 1815"]) {
    assertInvalid(await setup(password), ["account.password_is_email"], ["password"], password);
  }
  const response = await setup(PASSWORD);
  assertEquals(response.status, 200, response.text);
});

Deno.test("POST password rejects easily guessed passwords and the current one", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  await givePassword(world, caller);
  const change = (newPassword: string) =>
    caller.call("POST", `${AUTH}/password`, { body: { currentPassword: PASSWORD, newPassword } });
  for (const [password, rules] of REFUSED) {
    assertInvalid(await change(password), rules, ["newPassword"], password);
  }
  const email = `${caller.accountId}@example.org`;
  assertInvalid(await change(email), ["account.password_is_email"], ["newPassword"]);
  assertInvalid(await change(PASSWORD), ["account.password_unchanged"], ["newPassword"]);
  // Not counted as guesses.
  assertEquals(await world.rows("select 1 from access_attempts"), []);
});

Deno.test("An existing password that is now forbidden still signs in", async () => {
  const world = shared();
  const passwords = new PasswordHasher({ cost: { N: 2 ** 4, r: 8, p: 1 } });
  const { email } = await register(world, await passwords.hash("password1234", "known"));
  const body = { email, password: "password1234" };
  assertEquals((await world.call("POST", `${AUTH}/login`, { body })).status, 200);
});
