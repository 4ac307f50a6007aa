import { assert, assertFalse } from "@std/assert";
import { isAllowedPassword, isEmail } from "../../../src/validate/account_fields.ts";

Deno.test("isAllowedPassword() accepts 12 to 256 code points of any kind", () => {
  for (const character of ["x", " ", "é", "🙂", "\u0301"]) {
    const ofLength = (length: number) => "xkq4-vhnm" + character.repeat(length - 9);
    assertFalse(isAllowedPassword(ofLength(11)), character);
    assert(isAllowedPassword(ofLength(12)), character);
    assert(isAllowedPassword(ofLength(256)), character);
    assertFalse(isAllowedPassword(ofLength(257)), character);
  }
  assertFalse(isAllowedPassword(""));
});

Deno.test("isEmail() requires text around one at sign", () => {
  const addresses = [
    "a@b",
    "ada.lovelace+x@example.org",
    "ädä@例え.jp",
    "🙂@example.org",
    "a@[::1]",
  ];
  for (const address of addresses) assert(isEmail(address), address);
  for (const text of ["", "@", "a@", "@b", "ab", "a@b@c", "a@@b"]) assertFalse(isEmail(text), text);
});

Deno.test("isEmail() rejects white space, control characters and long texts", () => {
  for (
    const unit of [" ", "\n", "\t", "\u00a0", "\u3000", "\ufeff", "\u0000", "\u0001", "\u007f"]
  ) {
    for (const text of [`a${unit}@b`, `a@b${unit}`, `${unit}a@b`]) {
      assertFalse(isEmail(text), JSON.stringify(text));
    }
  }
  assert(isEmail(`${"a".repeat(252)}@b`));
  assertFalse(isEmail(`${"a".repeat(253)}@b`));
});
