import { assertEquals } from "@std/assert";
import type { JsonValue } from "../../../src/core/json.ts";
import {
  distinctIdentifiers,
  distinctStrings,
  identifier,
  integer,
  jsonObject,
  oneOf,
  optional,
  readBody,
  readQuery,
  refuseQuery,
  revision,
  type Schema,
  string,
  stringMatching,
  timestamp,
} from "../../../src/validate/schema.ts";
import { refusalOf } from "../../support/refusals.ts";

/** Null if accepted. */
function rulesOf(schema: Schema<unknown>, value: JsonValue): readonly string[] | null {
  return refusalOf(() => readBody({ value: schema }, { value }))?.rules ?? null;
}

Deno.test("string() counts code points and rejects blanks and control characters", () => {
  const name = string({ maximum: 3 });
  for (const text of ["a", "🙂🙂🙂", " a "]) assertEquals(rulesOf(name, text), null, text);
  assertEquals(rulesOf(name, "abcd"), ["field.length"]);
  assertEquals(rulesOf(name, " \u3000"), ["field.blank"]);
  assertEquals(rulesOf(name, ""), ["field.blank"]);
  assertEquals(rulesOf(name, "a\nb"), ["field.control_character"]);
  assertEquals(rulesOf(name, "\n\n\n\n"), [
    "field.length",
    "field.blank",
    "field.control_character",
  ]);
  for (const value of [1, null, true, [], {}]) assertEquals(rulesOf(name, value), ["field.type"]);
});

Deno.test("string() allows blanks and lines if its limits say so", () => {
  const note = string({ maximum: 3, blank: true, multiline: true });
  for (const text of ["", "\n\t", "a\nb"]) assertEquals(rulesOf(note, text), null);
});

Deno.test("stringMatching() names its own rule", () => {
  const even = stringMatching("test.even", (text) => text.length % 2 === 0, { type: "string" });
  assertEquals(rulesOf(even, "ab"), null);
  assertEquals(rulesOf(even, "abc"), ["test.even"]);
  assertEquals(rulesOf(even, 2), ["field.type"]);
});

Deno.test("integer() accepts whole numbers of a body, not digits", () => {
  const count = integer(1, 10);
  for (const value of [1, 10, 1e1]) assertEquals(rulesOf(count, value), null);
  for (const value of [0, 11, -1, 1e300]) assertEquals(rulesOf(count, value), ["field.range"]);
  for (const value of [1.5, "1", "", null, true, [1]]) {
    assertEquals(rulesOf(count, value), ["field.type"], String(value));
  }
  assertEquals(rulesOf(revision, 2 ** 31 - 1), null);
  assertEquals(rulesOf(revision, 2 ** 31), ["field.range"]);
});

Deno.test("integer() accepts the plain digits of a query", () => {
  const shape = { count: integer(0, 100) };
  const read = (text: string) => readQuery(shape, new URLSearchParams({ count: text }));
  assertEquals([read("0"), read("7"), read("100")], [{ count: 0 }, { count: 7 }, { count: 100 }]);
  assertEquals(refusalOf(() => read("101"))?.rules, ["field.range"]);
  for (const text of ["", "007", "+7", "-7", "7.0", "7e0", "0x7", " 7", "٧", "99999999999"]) {
    assertEquals(refusalOf(() => read(text))?.rules, ["field.type"], text);
  }
});

Deno.test("identifier accepts canonical ULIDs only", () => {
  assertEquals(rulesOf(identifier, "01JD5A0000000000000000RECD"), null);
  for (const text of ["01jd5a0000000000000000recd", "81JD5A0000000000000000RECD", "", "1"]) {
    assertEquals(rulesOf(identifier, text), ["field.identifier"]);
  }
});

Deno.test("timestamp returns the moment of any offset", () => {
  const { value } = readBody({ value: timestamp }, { value: "2026-01-01T01:00:00+01:00" });
  assertEquals(value.toISOString(), "2026-01-01T00:00:00.000Z");
  for (const value of ["2026-01-01", 0, null]) {
    assertEquals(rulesOf(timestamp, value), ["field.datetime"]);
  }
});

Deno.test("oneOf() accepts its words only", () => {
  const choice = oneOf("a", "b");
  assertEquals(rulesOf(choice, "b"), null);
  for (const value of ["c", "A", "", 1, null]) {
    assertEquals(rulesOf(choice, value), ["field.option"]);
  }
});

Deno.test("distinctStrings() limits number, length and repetition", () => {
  const names = distinctStrings(2, 3);
  for (const value of [[], ["a"], ["a", "abc"]]) assertEquals(rulesOf(names, value), null);
  assertEquals(rulesOf(names, ["a", "b", "c"]), ["field.length"]);
  assertEquals(rulesOf(names, ["abcd"]), ["field.length"]);
  assertEquals(rulesOf(names, ["a", "a"]), ["field.repeated"]);
  for (const value of ["a", [1], [null], {}]) assertEquals(rulesOf(names, value), ["field.type"]);
});

Deno.test("distinctIdentifiers() accepts one to a maximum of distinct ULIDs", () => {
  const ids = distinctIdentifiers(2);
  const start = "01JD5A0000000000000000REC";
  const [one, other, third] = [`${start}A`, `${start}B`, `${start}C`];
  assertEquals(rulesOf(ids, [one, other]), null);
  assertEquals(rulesOf(ids, []), ["field.length"]);
  assertEquals(rulesOf(ids, [one, other, third]), ["field.length"]);
  assertEquals(rulesOf(ids, [one, one]), ["field.repeated"]);
  assertEquals(rulesOf(ids, [one, "x"]), ["field.identifier"]);
  assertEquals(rulesOf(ids, [`${one}A`]), ["field.length", "field.identifier"]);
  for (const value of ["a", [1], [null], {}]) assertEquals(rulesOf(ids, value), ["field.type"]);
});

const SHAPE = { title: string({ maximum: 9 }), extra: optional(jsonObject) };

Deno.test("readBody() returns declared members, without absent ones", () => {
  assertEquals(readBody(SHAPE, { title: "A" }), { title: "A" });
  const body = { title: "A", extra: { anything: [null] } };
  assertEquals(readBody(SHAPE, body), body);
});

Deno.test("readBody() names exactly the wrong declared members", () => {
  const refusal = refusalOf(() => readBody(SHAPE, { title: 1, extra: null, "my secret": 2 }));
  assertEquals(refusal, {
    rules: ["field.type", "undeclared_field"],
    fields: ["title", "extra"],
  });
  assertEquals(refusalOf(() => readBody(SHAPE, {})), {
    rules: ["field.required"],
    fields: ["title"],
  });
});

Deno.test("readBody() treats inherited names as undeclared", () => {
  for (const name of ["toString", "constructor", "__proto__", "hasOwnProperty"]) {
    const body = JSON.parse(`{"title":"A","${name}":1}`);
    assertEquals(refusalOf(() => readBody(SHAPE, body))?.rules, ["undeclared_field"], name);
  }
  const inherited = { toString: string({ maximum: 9 }) };
  assertEquals(refusalOf(() => readBody(inherited, {}))?.rules, ["field.required"]);
});

Deno.test("readBody() rejects non-objects", () => {
  for (const body of [null, [], "text", 1, true]) {
    assertEquals(refusalOf(() => readBody({}, body))?.rules, ["body.object"]);
  }
});

Deno.test("readQuery() rejects unknown, repeated and NUL-bearing parameters", () => {
  const shape = { q: optional(string({ maximum: 9, blank: true })) };
  const rules = (query: string) =>
    refusalOf(() => readQuery(shape, new URLSearchParams(query)))?.rules;
  assertEquals(readQuery(shape, new URLSearchParams("q=a%20b")), { q: "a b" });
  assertEquals(readQuery(shape, new URLSearchParams("")), {});
  assertEquals(rules("p=1"), ["undeclared_field"]);
  assertEquals(rules("q=1&q=1"), ["query.repeated"]);
  assertEquals(rules("p=1&p=2"), ["query.repeated", "undeclared_field"]);
  assertEquals(rules("q=%00"), ["json.text", "field.control_character"]);
  for (const name of ["__proto__", "constructor", "toString", ""]) {
    assertEquals(rules(`${name}=x`), ["undeclared_field"], name);
  }
  const fields = (query: string) =>
    refusalOf(() => readQuery(shape, new URLSearchParams(query)))?.fields;
  assertEquals(fields("due[from]=1"), ["due[from]"]);
  assertEquals(fields("q=1&q=2"), ["q"]);
});

Deno.test("refuseQuery() accepts an empty query only", () => {
  assertEquals(refusalOf(() => refuseQuery(new URLSearchParams(""))), null);
  for (const query of ["a", "a=1", "="]) {
    assertEquals(refusalOf(() => refuseQuery(new URLSearchParams(query)))?.rules, [
      "undeclared_field",
    ]);
  }
});
