import { assert, assertEquals, assertThrows } from "@std/assert";
import type { JsonValue } from "../../../src/core/json.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { JSON_CEILINGS } from "../../../src/validate/json_limits.ts";
import { decodeJsonBytes, parseJson } from "../../../src/validate/json_safety.ts";
import { seededRandom } from "../../support/random.ts";
import { damaged, randomJson, writtenFreely } from "../../support/json_values.ts";
import { refusalOf } from "../../support/refusals.ts";

Deno.test("parseJson() reads every kind of value as the platform does", () => {
  const texts = [
    "null",
    " true ",
    "\t\r\nfalse",
    '""',
    '"a\\u0062\\n\\"\\\\\\/\\ud83d\\ude42"',
    '"\u007f\u2028\ufeff🙂"',
    "0",
    "-12.50e+3",
    "1E-2",
    "1e-999",
    "123456789012345678901234567890.0",
    "[]",
    "{ }",
    '[1,[ ],{"a":{"b":[null]}}]',
    '{"toString":1,"hasOwnProperty":2,"":3,"0":4,"Constructor":5}',
  ];
  for (const text of texts) assertEquals(parseJson(text), JSON.parse(text), text);
  assert(Object.is(parseJson("-0"), -0));
});

Deno.test("parseJson() rejects what RFC 8259 does not allow", () => {
  const texts = [
    "",
    " ",
    ..."\ufeff1 \u00a01 nul nulls True undefined NaN Infinity".split(" "),
    ..."- +1 01 -01 1. .5 1e 1e+ -e1 0x10 1_000 1n ٣".split(" "),
    "1 2",
    ..."[1,] [,1] [1 [ ] [1} [1]] { {] }".split(" "),
    "[1 2]",
    ...`{"a"} {"a":} {"a":1,} {"a":1}} {a:1} {'a':1} {1:1} 'a'`.split(" "),
    '{"a":1 "b":2}',
    '{"a" 1}',
    "// note\n1",
    "/* note */ 1",
    ...String.raw`" "a "\" "\ "\x41" "\u00g0" "\u12" "\U0041"`.split(" "),
    ...'"\\\n" "\t" "\n" "\u0000" "\\n\u001f"'.split(" "),
  ];
  for (const text of texts) {
    assertThrows(() => JSON.parse(text), SyntaxError, undefined, text);
    assertEquals(ruleAgainst(text), "json.syntax", text);
  }
});

Deno.test("parseJson() accepts 32 nested containers and rejects 33", () => {
  assertEquals(ruleAgainst(nested(JSON_CEILINGS.depth)), null);
  assertEquals(ruleAgainst(nested(JSON_CEILINGS.depth + 1)), "json.depth");
  assertEquals(ruleAgainst("[".repeat(1_000_000)), "json.depth");
  assertEquals(ruleAgainst('{"a":'.repeat(400_000)), "json.depth");
  // Siblings do not add depth.
  assertEquals(ruleAgainst(`[${Array(1000).fill(nested(31)).join()}]`), "json.nodes");
  assertEquals(ruleAgainst(`[${Array(100).fill(nested(31)).join()}]`), null);
});

Deno.test("parseJson() accepts 20,000 values and rejects one more", () => {
  const members = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":0`);
  assertEquals(ruleAgainst(`[${Array(19_999).fill("[]").join()}]`), null);
  assertEquals(ruleAgainst(`[${Array(20_000).fill("[]").join()}]`), "json.nodes");
  assertEquals(ruleAgainst(`{${members(19_999).join()}}`), null);
  assertEquals(ruleAgainst(`{${members(20_000).join()}}`), "json.nodes");
});

Deno.test("parseJson() rejects dangerous keys at any depth, in any spelling", () => {
  for (const key of ["__proto__", "prototype", "constructor"]) {
    assertEquals(ruleAgainst(`{"${key}":1}`), "json.key");
    assertEquals(ruleAgainst(`[{"a":[{"b":1,"${key}":{}}]}]`), "json.key");
    assertEquals(ruleAgainst(`{"${escaped(key)}":1}`), "json.key");
    assertEquals(parseJson(`["${key}"]`), [key]);
  }
  assertEquals(ruleAgainst('{"\\u005f_proto__":1}'), "json.key");
});

Deno.test("parseJson() accepts keys of 128 code points and rejects longer ones", () => {
  for (const character of ["a", "ß", "漢", "🙂", "\\n", "\\ud83d\\ude42"]) {
    assertEquals(ruleAgainst(`{"${character.repeat(128)}":1}`), null, character);
    assertEquals(ruleAgainst(`{"${character.repeat(129)}":1}`), "json.key_length", character);
  }
  assertEquals(ruleAgainst(`["${"a".repeat(129)}"]`), null);
});

Deno.test("parseJson() rejects a key twice in one object, after unescaping", () => {
  assertEquals(ruleAgainst('{"a":1,"a":1}'), "json.duplicate_key");
  assertEquals(ruleAgainst('{"a":1,"b":2,"\\u0061":3}'), "json.duplicate_key");
  assertEquals(ruleAgainst('[{"0":1,"0":2}]'), "json.duplicate_key");
  assertEquals(ruleAgainst('{"":1,"":2}'), "json.duplicate_key");
  assertEquals(ruleAgainst('[{"a":1},{"a":{"a":2}}]'), null);
  // Canonically equivalent, but different texts.
  assertEquals(ruleAgainst('{"\u00e9":1,"e\u0301":2}'), null);
});

Deno.test("parseJson() rejects numbers beyond the largest finite one", () => {
  for (const text of ["1e309", "-1e309", "1e999999999", "9".repeat(400), "[1.8e308]"]) {
    assertEquals(ruleAgainst(text), "json.number", text);
  }
  assertEquals(parseJson("1.7976931348623157e308"), Number.MAX_VALUE);
});

/** Integers that a double cannot hold, or holds only by chance, as texts. */
const UNSAFE_INTEGERS = [
  "9007199254740992",
  "-9007199254740992",
  "9007199254740993",
  "12345678901234567890",
  "-12345678901234567890",
  "100000000000000000000",
  "1" + "0".repeat(300),
];

Deno.test("parseJson() rejects integers beyond 2^53 - 1 at any depth, and no other numbers", () => {
  for (const integer of UNSAFE_INTEGERS) {
    for (const text of [integer, `[[${integer} ]]`, `{"a":{"b":[0,${integer}]}}`]) {
      assertEquals(ruleAgainst(text), "json.number", text);
    }
    for (const text of [`${integer}.0`, `${integer}e0`, `${integer}E-3`]) {
      assertEquals(parseJson(text), Number(text), text);
    }
    assertEquals(parseJson(`"${integer}"`), integer);
  }
  for (const text of ["9007199254740991", "-9007199254740991", "-0", "0", "0.1", "1e22"]) {
    assertEquals(parseJson(text), Number(text), text);
  }
});

Deno.test("parseJson() reads stored integers in the form of the service only", () => {
  const ceilings = { depth: 2, nodes: 9, storedIntegers: true };
  for (const value of [2 ** 53, -(2 ** 53), 12345678901234567890, 1e20]) {
    assertEquals(parseJson(JSON.stringify([value]), ceilings), [value]);
  }
  for (const text of ["9007199254740993", "12345678901234567890", "1" + "0".repeat(22)]) {
    const error = assertThrows(() => parseJson(text, ceilings), ServiceError);
    assertEquals(error.details.rules, ["json.number"], text);
  }
});

Deno.test("parseJson() rejects U+0000 and lone surrogates in keys and values", () => {
  for (const text of ["\\u0000", "\\ud83d", "\\ude42", "\\ude42\\ud83d", "\\ud83d \\ude42"]) {
    assertEquals(ruleAgainst(`["a${text}b"]`), "json.text", text);
    assertEquals(ruleAgainst(`{"a${text}b":1}`), "json.text", text);
  }
  for (const text of ['"\ud83d"', '{"\ude42":1}', '"\\ud83d\ude42"', "\ud83d"]) {
    assertEquals(ruleAgainst(text), "json.text");
  }
  assertEquals(parseJson('"\\\\u0000\\\\ud83d"'), "\\u0000\\ud83d");
});

Deno.test("parseJson() reveals nothing of rejected text", () => {
  for (const text of ['{"wine":wine}', '{"wine":1,"wine":2}', '["wine\\u0000"]', "wine"]) {
    const error = assertThrows(() => parseJson(text), ServiceError);
    assertEquals(error.cause, undefined);
    assert(!JSON.stringify([error.message, error.details, error.stack]).includes("wine"));
  }
});

Deno.test("parseJson() matches the platform on valid texts, in any spelling", () => {
  const random = seededRandom(1);
  for (let run = 0; run < 1_000; run++) {
    const value = randomJson(random);
    const text = writtenFreely(value, random);
    assertEquals(parseJson(text), JSON.parse(text), text);
    assertEquals(parseJson(text), value, text);
  }
});

Deno.test("parseJson() matches the platform on damaged texts, or names the problem", () => {
  const random = seededRandom(2);
  const outcomes = new Map<string | null, number>();
  for (let run = 0; run < 12_000; run++) {
    const text = damaged(writtenFreely(randomJson(random, 3), random), random);
    const rule = ruleAgainst(text);
    outcomes.set(rule, (outcomes.get(rule) ?? 0) + 1);
    assertVerdict(text, rule);
  }
  for (const rule of [null, "json.syntax", "json.duplicate_key", "json.number", "json.text"]) {
    assert((outcomes.get(rule) ?? 0) > 10, `${rule} came up too rarely to mean anything`);
  }
});

Deno.test("parseJson() reads each character a few times at most", () => {
  const texts = [
    "a".repeat(1_000_000),
    `"${"a".repeat(1_000_000)}"`,
    `"${"\\u0041".repeat(300_000)}"`,
    `"${"\\\\".repeat(500_000)}`,
    `["${"\\n".repeat(500_000)}`,
    " ".repeat(1_000_000),
    "1".repeat(1_000_000),
    `[${Array(19_999).fill('"\\"\\\\\\""').join()}]`,
    `{${Array.from({ length: 19_999 }, (_, index) => `"${index * 32_768}" : 1`).join(" , ")}}`,
    "[".repeat(1_000_000),
  ];
  for (const text of texts) {
    const looks = countLooks(() => refusalOf(() => parseJson(text)));
    assert(looks <= 4 * text.length, `${looks} looks at ${text.length} characters`);
  }
});

Deno.test("decodeJsonBytes() reads UTF-8", () => {
  assertEquals(decodeJsonBytes(new TextEncoder().encode('{"ß漢🙂":"é"}')), { "ß漢🙂": "é" });
});

Deno.test("decodeJsonBytes() rejects ill-formed UTF-8 and stays usable", () => {
  const sequences = [
    [0xff],
    [0x80],
    [0xc3],
    [0xc0, 0x80],
    [0xe2, 0x82],
    [0xf4, 0x90, 0x80, 0x80],
    // An encoded lone surrogate.
    [0xed, 0xa0, 0xbd],
  ];
  for (const sequence of sequences) {
    const bytes = Uint8Array.from([0x22, ...sequence, 0x22]);
    assertEquals(refusalOf(() => decodeJsonBytes(bytes))?.rules, ["json.encoding"]);
    assertEquals(decodeJsonBytes(Uint8Array.from([0x31])), 1);
  }
});

Deno.test("decodeJsonBytes() rejects a byte order mark and other encodings", () => {
  const bodies: [rule: string, bytes: number[]][] = [
    ["json.syntax", []],
    ["json.syntax", [0xef, 0xbb, 0xbf, 0x31]],
    ["json.syntax", [0x31, 0x00]],
    ["json.encoding", [0xff, 0xfe, 0x31, 0x00]],
  ];
  for (const [rule, bytes] of bodies) {
    assertEquals(refusalOf(() => decodeJsonBytes(Uint8Array.from(bytes)))?.rules, [rule]);
  }
});

/** Null if accepted. */
function ruleAgainst(text: string): string | null {
  const refusal = refusalOf(() => parseJson(text));
  if (refusal === null) return null;
  assertEquals(refusal.fields, []);
  assertEquals(refusal.rules.length, 1);
  return refusal.rules.join();
}

/** Checked independently of our parser. */
function assertVerdict(text: string, rule: string | null): void {
  if (rule === "json.syntax") {
    assertThrows(() => JSON.parse(text), SyntaxError, undefined, text);
  } else if (rule === "json.number") {
    assert(/\d[eE]\+?\d{3}|\d{16}/.test(text), text);
  } else if (rule === "json.text") {
    assert(/\\u(?:d[89a-f]|0000)/i.test(text) || !text.isWellFormed(), text);
  } else if (rule === "json.duplicate_key") {
    // Damage may also have made the text invalid.
    const value = platformValue(text);
    if (value !== undefined) assert(countMembersOf(value) < countColons(text), text);
  } else {
    assertEquals(rule, null, text);
    const value: JsonValue = JSON.parse(text);
    assertEquals(parseJson(text), value, text);
    assertEquals(countMembersOf(value), countColons(text), text);
  }
}

function platformValue(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Members of all objects, with duplicates. */
function countColons(text: string): number {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;
}

function countMembersOf(value: JsonValue): number {
  if (value === null || typeof value !== "object") return 0;
  const members = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce<number>((sum, member) => sum + countMembersOf(member), own);
}

function nested(depth: number): string {
  let text = depth % 2 === 0 ? "[]" : "{}";
  for (let level = 1; level < depth; level++) {
    text = level % 2 === 0 ? `[${text}]` : `{"a":${text}}`;
  }
  return text;
}

function escaped(text: string): string {
  return [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Code units read, plus copied lengths. */
function countLooks(action: () => unknown): number {
  const { charCodeAt, slice } = String.prototype;
  let looks = 0;
  String.prototype.charCodeAt = function (index: number) {
    looks++;
    return charCodeAt.call(this, index);
  };
  String.prototype.slice = function (start?: number, end?: number) {
    const part = slice.call(this, start, end);
    looks += part.length;
    return part;
  };
  try {
    action();
  } finally {
    Object.assign(String.prototype, { charCodeAt, slice });
  }
  return looks;
}
