import { assertEquals } from "@std/assert";
import { packWords, selectKnownPasswords } from "../../../scripts/select_known_passwords.ts";
import { unpackWords } from "../../../src/validate/known_passwords.ts";
import { seededRandom } from "../../support/random.ts";

Deno.test("selectKnownPasswords() takes long ones, then the most frequent short ones, in order", () => {
  const byFrequency = [
    "123456",
    "password",
    "Password",
    "qwertyuiop12",
    "monkey1",
    "QWERTYUIOP12",
    "dragon",
    "zzzzzzzzzzzz",
    "somebody@example.org",
    "xK4mNv8qRtZa",
    "ﬁfteenletters",
    "shadow",
    "aaaaaaaaaaaa",
    "short",
  ];
  const long = ["aaaaaaaaaaaa", "fifteenletters", "qwertyuiop12", "zzzzzzzzzzzz"];
  assertEquals(selectKnownPasswords(byFrequency, 6), [...long, "dragon", "password"].sort());
  assertEquals(selectKnownPasswords(byFrequency, 4), long);
});

Deno.test("packWords() and unpackWords() are inverse", () => {
  const random = seededRandom(3);
  const units = ["a", "b", "0", "é", "漢", "🙂", "🙃", " ", '"', "\\"];
  for (let round = 0; round < 20; round++) {
    const length = () => random.chance(0.1) ? 60 : random.integer(1, 6);
    const word = () => Array.from({ length: length() }, () => random.pick(units)).join("");
    const words = [...new Set(Array.from({ length: random.integer(1, 40) }, word))].sort();
    assertEquals(unpackWords(packWords(words)), words);
  }
});
