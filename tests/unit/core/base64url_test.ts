import { assertEquals } from "@std/assert";
import { fromBase64url, toBase64url } from "../../../src/core/base64url.ts";
import { seededRandom } from "../../support/random.ts";

Deno.test("toBase64url() and fromBase64url() are inverse, for any bytes", () => {
  const random = seededRandom(44);
  for (let length = 0; length < 60; length++) {
    const bytes = Uint8Array.from({ length }, () => random.integer(0, 255));
    const text = toBase64url(bytes);
    assertEquals(/^[A-Za-z0-9_-]*$/.test(text), true);
    assertEquals(fromBase64url(text)?.toHex(), bytes.toHex());
  }
});

Deno.test("fromBase64url() rejects padding, unused bits and other alphabets", () => {
  assertEquals(fromBase64url("-_8")?.toHex(), "fbff");
  for (const text of ["-_8=", "-_9", "-_8 ", " -_8", "+/8", "-", "-_8A=", "-_8\n", "é"]) {
    assertEquals(fromBase64url(text), null, text);
  }
});
