import { assert, assertEquals, assertFalse, assertThrows } from "@std/assert";
import { ServiceError } from "../../../src/errors/service_error.ts";
import {
  brokenPasswordRules,
  checkNewPassword,
  hasPasswordLength,
  isPasswordOfEmail,
} from "../../../src/validate/new_password.ts";
import { unpackWords } from "../../../src/validate/known_passwords.ts";
import { caselessKey, countCodePoints } from "../../../src/validate/text.ts";
import { seededRandom } from "../../support/random.ts";

const FILE = new URL("../../../src/validate/known_passwords.txt", import.meta.url);
const KNOWN = unpackWords((await Deno.readTextFile(FILE)).trimEnd());

function assertBreaks(rule: string, passwords: readonly string[]): void {
  for (const password of passwords) {
    assertEquals(brokenPasswordRules(password).filter((name) => name === rule), [rule], password);
  }
}

function assertAllowed(passwords: readonly string[]): void {
  for (const password of passwords) assertEquals(brokenPasswordRules(password), [], password);
}

Deno.test("hasPasswordLength() accepts 12 to 256 code points of any kind", () => {
  for (const character of ["x", " ", "é", "🙂", "\u0301"]) {
    assertFalse(hasPasswordLength(character.repeat(11)), character);
    assert(hasPasswordLength(character.repeat(12)), character);
    assert(hasPasswordLength(character.repeat(256)), character);
    assertFalse(hasPasswordLength(character.repeat(257)), character);
  }
  assertFalse(hasPasswordLength(""));
});

Deno.test("brokenPasswordRules() accepts a phrase or random characters", () => {
  assertAllowed([
    "correct horse battery staple",
    "at least twelve characters",
    "Drei Chinesen mit dem Kontrabass",
    "на золотом крыльце сидели",
    "xKq4-vHnm-7RzB",
    "asdf and then some more",
    "my dog is 12345678 years",
    "The personal records of a lighthouse",
  ]);
  const random = seededRandom(7);
  const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
  for (let round = 0; round < 500; round++) {
    assertAllowed([Array.from({ length: 14 }, () => random.pick(letters)).join("")]);
  }
});

Deno.test("brokenPasswordRules() ignores invisible characters", () => {
  assertBreaks("account.password_known", [
    "pass\u200bword1234",
    "password\u00ad1234",
    "\u202epassword1234",
  ]);
});

Deno.test("brokenPasswordRules() knows the listed passwords in any spelling", () => {
  const long = KNOWN.filter((known) => countCodePoints(known) >= 12);
  for (const known of long.filter((_, index) => index % 200 === 0 || index === long.length - 1)) {
    const marked = /[\p{L}\p{N}]$/u.test(known) ? `${known}!` : known;
    for (const password of [known, known.toUpperCase(), marked]) {
      const isKnown = brokenPasswordRules(password).includes("account.password_known");
      assertEquals(isKnown, true, password);
    }
  }
  assertBreaks("account.password_known", [
    "Password2026!",
    "P@$$w0rd.1234",
    "ＰＡＳＳＷＯＲＤ１２３４",
    "Liverpool 1892",
    "administrator",
    // Rarer ones.
    "yourloveisalie",
    "Epicfail 1987!",
    "Luciana.2026!!",
  ]);
});

Deno.test("List of known passwords has 100,000, in order, in less than 400 kB", async () => {
  const long = KNOWN.filter((known) => countCodePoints(known) >= 12);
  assertEquals([KNOWN.length, long.length >= 32_000], [100_000, true]);
  assertEquals((await Deno.stat(FILE)).size < 400_000, true);
  assertEquals([...new Set(KNOWN)].sort(), KNOWN);
  assertEquals(KNOWN.filter((known) => caselessKey(known) !== known), []);
});

Deno.test("brokenPasswordRules() rejects repetitions, and few different characters", () => {
  assertBreaks("account.password_repetitive", [
    "aaaaaaaaaaaa",
    " ".repeat(12),
    "\u00a0 \u2003".repeat(4),
    "🙂".repeat(256),
    "kvnkvnkvnkvn",
    "horse-Horse-horse-",
    "x1y2z3q4x1y2z3q4",
    "ababababcdcd",
    "zzzzzzzzzzz1",
  ]);
  assertAllowed(["never say never again", "a password, then a password"]);
});

Deno.test("brokenPasswordRules() rejects sequences of alphabet, digits or keyboard", () => {
  assertBreaks("account.password_sequence", [
    "123456789012",
    "210987654321",
    "abcdefghijkl",
    "ZYXWVUTSRQPO",
    "abcd1234efgh",
    "qwertyuiopas",
    "poiuytrewqlk",
    "asdfghjkl;'1",
    "qwertzuiopas",
    "azertyuiopqs",
    "1qaz2wsx3edc",
    "1q2w3e4r5t6y",
    "йцукенгшщзхъ",
    "!@#$%^&*()_+",
  ]);
});

Deno.test("brokenPasswordRules() rejects the service's name", () => {
  assertBreaks("account.password_is_service", [
    "personal records",
    "Personal-Records-Service",
    "PersonalRecords2026",
  ]);
});

Deno.test("isPasswordOfEmail() finds the email, its name, and little more", () => {
  const email = "Ada.Lovelace@example.org";
  for (
    const password of [
      email,
      "ada.lovelace@EXAMPLE.org!",
      "adalovelace1815",
      "ada lovelace ada lovelace",
      "ＡＤＡ－ＬＯＶＥＬＡＣＥ",
      "1815-ada.lovelace",
    ]
  ) assertEquals(isPasswordOfEmail(password, email), true, password);
  for (const password of ["ada lovelace wrote notes", "the analytical engine", "example.org!!"]) {
    assertEquals(isPasswordOfEmail(password, email), false, password);
  }
  // Three letters occur in too many words.
  assertEquals(isPasswordOfEmail("banana banana an", "ana@example.org"), false);
  assertEquals(isPasswordOfEmail("ana@example.org", "ana@example.org"), true);
});

Deno.test("checkNewPassword() names the rules that the account violates", () => {
  const refusedFor = (password: string, former?: string) => {
    const account = { email: "ada.lovelace@example.org", ...former !== undefined && { former } };
    const error = assertThrows(() => checkNewPassword(password, account, "password"), ServiceError);
    return error.details;
  };
  assertEquals(refusedFor("ada.lovelace!"), {
    rules: ["account.password_is_email"],
    fields: ["password"],
  });
  assertEquals(refusedFor("ﬁfty ﬂoating ﬁshes", "fifty floating fishes"), {
    rules: ["account.password_unchanged"],
    fields: ["password"],
  });
  const account = { email: "ada@example.org", former: "fifty floating fishes" };
  checkNewPassword("Fifty floating fishes", account, "password");
});

Deno.test("brokenPasswordRules() checks the length first, so that a huge text costs nothing", () => {
  const huge = "a" + "\u0301\u0316".repeat(1_000_000);
  assertEquals(brokenPasswordRules(huge), ["account.password_length"]);
});
