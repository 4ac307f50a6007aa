import { assertEquals } from "@std/assert";
import { inspect } from "node:util";
import { Secret } from "../../../../src/operator/config/secrets.ts";

const VALUE = "correct horse battery staple";
const secret = new Secret(VALUE);

Deno.test("Secret reveals its value only on request", () => {
  assertEquals(secret.reveal(), VALUE);
});

const PRINTERS: Readonly<Record<string, (value: unknown) => string>> = {
  "String()": (value) => String(value),
  "a template": (value) => `${value}`,
  "concatenation": (value) => "" + value,
  "JSON": (value) => JSON.stringify({ value }),
  "Deno.inspect": (value) => Deno.inspect(value, { showHidden: true, depth: 10, getters: true }),
  "Deno.inspect of what holds it": (value) => Deno.inspect({ nested: [value] }, { depth: 10 }),
  "node's inspect": (value) => inspect(value, { showHidden: true, depth: 10 }),
  "its own keys": (value) => JSON.stringify(Object.entries(value as object)),
  "an error's message": (value) => new Error(`Cannot use ${value}`).message,
  "a structured clone": (value) => JSON.stringify(structuredClone(value)),
};

for (const [name, print] of Object.entries(PRINTERS)) {
  Deno.test(`Secret stays hidden from ${name}`, () => {
    assertEquals(print(secret).includes(VALUE), false, print(secret));
  });
}
