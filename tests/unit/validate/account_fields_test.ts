import { assert, assertFalse } from "@std/assert";
import { isEmail } from "../../../src/validate/account_fields.ts";

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
