import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { newRecoveryCodes, recoveryCodeDigest } from "../../../src/accounts/recovery_codes.ts";

Deno.test("newRecoveryCodes() returns ten different codes, easy to copy", () => {
  const codes = [...newRecoveryCodes(), ...newRecoveryCodes()];
  assertEquals([codes.length, new Set(codes).size], [20, 20]);
  for (const code of codes) assertMatch(code, /^[A-Z2-7]{6}(-[A-Z2-7]{6}){3}$/);
});

Deno.test("recoveryCodeDigest() depends on the code, not on how it is typed", () => {
  const [code = "", other = ""] = newRecoveryCodes();
  const digest = recoveryCodeDigest(code);
  assertEquals(digest.length, 32);
  const spellings = [code.toLowerCase(), code.replaceAll("-", ""), code.replaceAll("-", " ")];
  for (const spelling of [...spellings, ` ${code}\n`]) {
    assertEquals(recoveryCodeDigest(spelling), digest, spelling);
  }
  for (const wrong of [other, code.slice(1), `${code}A`, ""]) {
    assertNotEquals(recoveryCodeDigest(wrong), digest, wrong);
  }
});
