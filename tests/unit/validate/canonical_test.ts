import { assertEquals, assertNotEquals } from "@std/assert";
import { canonicalJson, utf8Length } from "../../../src/validate/canonical.ts";
import { parseJson } from "../../../src/validate/json_safety.ts";
import { randomJson, reordered, writtenFreely } from "../../support/json_values.ts";
import { seededRandom } from "../../support/random.ts";

Deno.test("canonicalJson() sorts keys by their UTF-16 code units", () => {
  // RFC 8785, 3.2.3: the emoji's surrogates sort before U+FB33.
  const keys = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"];
  const sorted = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\u{1f600}", "\ufb33"];
  const members = sorted.map((key) => `${JSON.stringify(key)}:0`);
  assertEquals(
    canonicalJson(Object.fromEntries(keys.map((key) => [key, 0]))),
    `{${members.join(",")}}`,
  );
});

Deno.test("canonicalJson() sorts keys that look like numbers as text", () => {
  assertEquals(canonicalJson({ 9: 0, 10: 0, "-1": 0, a: 0 }), '{"-1":0,"10":0,"9":0,"a":0}');
});

Deno.test("canonicalJson() writes numbers and strings in one way", () => {
  // RFC 8785, 3.2.2.
  const value = parseJson(
    '{ "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, -0],' +
      ' "string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/",' +
      ' "literals": [null, true, false] }',
  );
  assertEquals(
    canonicalJson(value),
    '{"literals":[null,true,false],' +
      '"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

Deno.test("canonicalJson() is equal for equal values, in any order and spelling", () => {
  const random = seededRandom(6);
  for (let run = 0; run < 1000; run++) {
    const value = randomJson(random);
    const canonical = canonicalJson(value);
    assertEquals(canonicalJson(reordered(value, random)), canonical);
    assertEquals(canonicalJson(parseJson(writtenFreely(value, random))), canonical);
    assertEquals(parseJson(canonical), value);
  }
});

Deno.test("canonicalJson() is different for different values", () => {
  const values = [
    null,
    false,
    0,
    "",
    "0",
    [],
    {},
    [[]],
    [{}],
    { a: [] },
    { a: {} },
    { a: null },
    ["a"],
    [1, 2],
    [2, 1],
    [12],
    ["1,2"],
    { a: 1, b: 2 },
    { a: 2, b: 1 },
    { "a,b": 1 },
    "[]",
    "null",
  ];
  assertEquals(new Set(values.map(canonicalJson)).size, values.length);
  assertNotEquals(canonicalJson("\u00e9"), canonicalJson("e\u0301"));
});

Deno.test("utf8Length() counts an encoder's bytes", () => {
  const encoder = new TextEncoder();
  const units = [
    "a",
    "\u007f",
    "\u0080",
    "\u07ff",
    "\u0800",
    "\uffff",
    "🙂",
    "\ud83d",
    "\ude42",
    "\0",
  ];
  const random = seededRandom(7);
  for (let run = 0; run < 2000; run++) {
    const text = Array.from({ length: random.integer(0, 12) }, () => random.pick(units)).join("");
    assertEquals(utf8Length(text), encoder.encode(text).length, JSON.stringify(text));
  }
});
