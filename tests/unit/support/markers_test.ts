import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { Markers } from "../../support/markers.ts";

const encoded = (text: string, form: BufferEncoding) => Buffer.from(text).toString(form);

Deno.test("Markers are found in any case and encoding, at any byte offset", () => {
  const markers = new Markers();
  const made = markers.make("a purpose");
  for (const before of ["", "a", "ab", "abc"]) {
    for (const marker of [made, made.toLowerCase(), made.toUpperCase()]) {
      const text = `${before}${marker} and more`;
      const forms = [
        text,
        encoded(text, "hex"),
        encoded(text, "hex").toUpperCase(),
        encoded(text, "base64"),
        encoded(text, "base64url"),
      ];
      for (const form of forms) assertEquals(markers.in(`so: ${form}.`), ["a purpose"], form);
    }
  }
  assertEquals(markers.in(`so: ${made.slice(0, -2)}.`), []);
});
