import { assertEquals } from "@std/assert";
import { base32 } from "../../../src/core/base32.ts";

Deno.test("base32() returns RFC 4648's vectors, without padding", () => {
  const vectors = {
    "": "",
    f: "MY",
    fo: "MZXQ",
    foo: "MZXW6",
    foob: "MZXW6YQ",
    fooba: "MZXW6YTB",
    foobar: "MZXW6YTBOI",
  };
  for (const [text, expected] of Object.entries(vectors)) {
    assertEquals(base32(new TextEncoder().encode(text)), expected, text);
  }
});

Deno.test("base32() encodes all 32 letters, and bytes of ones", () => {
  const everyValue = Uint8Array.fromHex("00443214c74254b635cf84653a56d7c675be77df");
  assertEquals(base32(everyValue), "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
  assertEquals(base32(new Uint8Array(20).fill(255)), "7".repeat(32));
});
