import { assertEquals, assertThrows } from "@std/assert";
import type { JsonValue } from "../../../src/core/json.ts";
import {
  RawJson,
  serialiseJson,
  UnsafeOutputError,
  type UnsafeOutputReason,
} from "../../../src/validate/json_output.ts";
import { parseJson } from "../../../src/validate/json_safety.ts";
import { randomJson } from "../../support/json_values.ts";
import { type Random, seededRandom } from "../../support/random.ts";

class Person {
  readonly name = "wine";
}

class List extends Array<unknown> {}

/** Unsafe values with their reason. */
const UNSAFE: readonly (readonly [UnsafeOutputReason, () => unknown])[] = [
  ["undefined", () => undefined],
  ["undefined", () => ({ wine: undefined })],
  ["undefined", () => ["wine", undefined]],
  ["function", () => () => "wine"],
  ["function", () => ({ toJSON: () => "wine" })],
  ["function", () => Person],
  ["bigint", () => 12n],
  ["symbol", () => Symbol("wine")],
  ["symbol", () => ({ [Symbol("wine")]: 1 })],
  ["symbol", () => Object.defineProperty({}, Symbol.iterator, { value: 1 })],
  ["non-finite number", () => NaN],
  ["non-finite number", () => -Infinity],
  ["lone surrogate", () => "wine\ud83d"],
  ["lone surrogate", () => ({ "\ude42wine": 1 })],
  ["dangerous key", () => JSON.parse('{"__proto__":1}')],
  ["dangerous key", () => ({ constructor: 1 })],
  ["dangerous key", () => ({ prototype: null })],
  ["class instance", () => new Person()],
  ["class instance", () => new Date(0)],
  ["class instance", () => new Map([["wine", 1]])],
  ["class instance", () => new Set(["wine"])],
  ["class instance", () => new Error("wine")],
  ["class instance", () => new Uint8Array(2)],
  ["class instance", () => /wine/],
  ["class instance", () => Promise.resolve("wine")],
  ["class instance", () => new Proxy(new Person(), {})],
  ["class instance", () => Object.create({ wine: 1 })],
  ["class instance", () => Object(1)],
  ["class instance", () => Object("wine")],
  ["class instance", () => new List("wine")],
  ["class instance", () => Object.setPrototypeOf(["wine"], null)],
  ["accessor", () => ({
    get wine() {
      return 1;
    },
  })],
  ["accessor", () => Object.defineProperty({}, "wine", { set: () => {}, enumerable: true })],
  ["accessor", () => Object.defineProperty([0], 0, { get: () => "wine" })],
  ["hidden property", () => Object.defineProperty({}, "wine", { value: 1 })],
  ["hidden property", () => Object.defineProperty([0], 0, { enumerable: false })],
  ["sparse array", () => new Array(1)],
  ["sparse array", () => {
    const items = ["wine", "bread", "salt"];
    delete items[1];
    return items;
  }],
  ["array with extra properties", () => Object.assign(["wine"], { wine: 1 })],
  ["array with extra properties", () => Object.assign([], { [Symbol("wine")]: 1 })],
  ["array with extra properties", () => /(?<wine>w)/.exec("w")],
  ["cycle", () => {
    const object: Record<string, unknown> = { wine: 1 };
    object.self = object;
    return object;
  }],
  ["cycle", () => {
    const items: unknown[] = [];
    items.push([{ items }]);
    return items;
  }],
  ["depth", () => nestedArrays(65)],
];

Deno.test("serialiseJson() writes plain data as the platform does", () => {
  const values = [
    null,
    true,
    false,
    0,
    -0,
    -1.5,
    1e21,
    5e-324,
    "",
    '"\\/\b\f\n\r\t\u0001\u2028🙂',
    [],
    {},
    [[], {}],
    { b: 1, a: [null, { "": "x" }], "0": 2, 'k"': 3 },
    Object.freeze({ frozen: Object.freeze([1]) }),
    Object.assign(Object.create(null), { a: 1 }),
  ];
  for (const value of values) assertEquals(serialiseJson(value), JSON.stringify(value));
});

Deno.test("serialiseJson() rejects everything else, by its kind only", () => {
  for (const [reason, make] of UNSAFE) {
    const error = assertThrows(() => serialiseJson(make()), UnsafeOutputError, undefined, reason);
    assertEquals(error.reason, reason, make.toString());
    assertEquals(error.message, `Cannot serialise the answer: ${reason}`);
    assertEquals(error.cause, undefined);
  }
});

Deno.test("serialiseJson() finds unsafe values wherever they are hidden", () => {
  const random = seededRandom(3);
  for (let run = 0; run < 700; run++) {
    const [reason, make] = random.pick(UNSAFE);
    const value = hidden(make(), random);
    const error = assertThrows(() => serialiseJson(value), UnsafeOutputError, undefined, reason);
    assertEquals(error.reason, reason, make.toString());
  }
});

Deno.test("serialiseJson() runs none of the value's code", () => {
  let calls = 0;
  const spy = () => {
    calls++;
    return {};
  };
  const values = [
    { toJSON: spy },
    Object.defineProperty({}, "a", { get: spy, enumerable: true }),
    Object.defineProperty([0], 0, { get: spy }),
    Object.create({ toJSON: spy }),
  ];
  for (const value of values) assertThrows(() => serialiseJson(value), UnsafeOutputError);
  assertEquals(calls, 0);
});

Deno.test("serialiseJson() allows the same object in two places", () => {
  const shared = { a: [1] };
  assertEquals(serialiseJson([shared, shared]), '[{"a":[1]},{"a":[1]}]');
  assertEquals(
    serialiseJson({ x: shared, y: { z: shared } }),
    JSON.stringify({ x: shared, y: { z: shared } }),
  );
});

Deno.test("serialiseJson() allows 64 containers and 1,000,000 values", () => {
  assertEquals(serialiseJson(nestedArrays(64)), "[".repeat(64) + "]".repeat(64));
  assertEquals(serialiseJson(new Array(999_999).fill(0)).length, 2 * 999_999 + 1);
  const error = assertThrows(() => serialiseJson(new Array(1_000_000).fill(0)), UnsafeOutputError);
  assertEquals(error.reason, "node count");
});

Deno.test("serialiseJson() limits the expansion of shared objects", () => {
  let value: unknown = [];
  for (let level = 0; level < 60; level++) value = [value, value];
  const error = assertThrows(() => serialiseJson(value), UnsafeOutputError);
  assertEquals(error.reason, "node count");
});

Deno.test("serialiseJson() splices RawJson in unchanged", () => {
  assertEquals(serialiseJson(new RawJson('{ "a": 1.0 }')), '{ "a": 1.0 }');
  assertEquals(
    serialiseJson({ items: [{ payload: new RawJson("{}") }, new RawJson("[1, 2]")], next: null }),
    '{"items":[{"payload":{}},[1, 2]],"next":null}',
  );
});

Deno.test("serialiseJson() writes a value and its RawJson alike", () => {
  const random = seededRandom(4);
  for (let run = 0; run < 200; run++) {
    const payloads = Array.from({ length: random.integer(0, 4) }, () => randomJson(random, 4));
    const raw = payloads.map((payload) => new RawJson(JSON.stringify(payload)));
    assertEquals(serialiseJson({ payloads: raw }), serialiseJson({ payloads }));
  }
});

Deno.test("parseJson() reads back what serialiseJson() wrote", () => {
  const random = seededRandom(5);
  for (let run = 0; run < 700; run++) {
    const value: JsonValue = randomJson(random);
    const text = serialiseJson(value);
    assertEquals(text, JSON.stringify(value));
    assertEquals(parseJson(text), value, text);
  }
});

function nestedArrays(depth: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < depth; level++) value = [value];
  return value;
}

/** Inside random plain data. */
function hidden(value: unknown, random: Random): unknown {
  let outer = value;
  for (let level = random.integer(0, 4); level > 0; level--) {
    const [before, after] = [randomJson(random, 2), randomJson(random, 2)];
    outer = random.chance(0.5) ? [before, outer, after] : { before, outer, after };
  }
  return outer;
}
