import { assertEquals, AssertionError, assertNotEquals, assertThrows, equal } from "@std/assert";
import { type Random, seededRandom } from "../../support/random.ts";

/** Independent of the assertions under test. */
function require(condition: boolean, description: string): void {
  if (!condition) throw new Error(`Expected: ${description}`);
}

class Point {
  constructor(readonly x: number, readonly y: number) {}
}

class OtherPoint {
  constructor(readonly x: number, readonly y: number) {}
}

class Celsius {
  #degrees: number;
  constructor(degrees: number) {
    this.#degrees = degrees;
  }
  get degrees(): number {
    return this.#degrees;
  }
}

function ring(length: number): object {
  const first: Record<string, unknown> = {};
  let last = first;
  for (let count = 1; count < length; count++) last = last["next"] = {};
  last["next"] = first;
  return first;
}

function selfContainingMap(value: number): Map<string, unknown> {
  const map = new Map<string, unknown>([["value", value]]);
  return map.set("self", map);
}

const shared = { v: 1 };
const symbol = Symbol("symbol");

const EQUAL_PAIRS: Record<string, [unknown, unknown]> = {
  "NaN": [NaN, NaN],
  "zeros of both signs": [[0], [-0]],
  "big integers": [10n, 10n],
  "nested literals": [{ a: [1, { b: null }] }, { a: [1, { b: null }] }],
  "keys in another order": [{ a: 1, b: 2 }, { b: 2, a: 1 }],
  "symbol keys": [{ [symbol]: [1] }, { [symbol]: [1] }],
  "an object without a prototype and a literal": [Object.assign(Object.create(null), { a: 1 }), {
    a: 1,
  }],
  "objects with a key named constructor": [{ constructor: { a: 1 } }, { constructor: { a: 1 } }],
  "dates": [new Date(5), new Date(5)],
  "invalid dates": [new Date(NaN), new Date(NaN)],
  "regular expressions": [/a+/gi, /a+/gi],
  "regular expressions that stopped apart": [/a+/g, Object.assign(/a+/g, { lastIndex: 1 })],
  "URLs": [new URL("http://a/b"), new URL("http://a/b")],
  "search parameters": [new URLSearchParams("a=1&b=2"), new URLSearchParams("a=1&b=2")],
  "search parameters of their own and of a URL": [
    new URLSearchParams("a=1"),
    new URL("http://a/?a=1").searchParams,
  ],
  "sets in another order": [new Set([1, "2", symbol]), new Set([symbol, 1, "2"])],
  "sets of objects in another order": [
    new Set([{ a: 1 }, { b: 2 }]),
    new Set([{ b: 2 }, { a: 1 }]),
  ],
  "maps in another order": [new Map([[1, [1]], [2, [2]]]), new Map([[2, [2]], [1, [1]]])],
  "maps with objects for keys": [new Map([[{ a: 1 }, 1]]), new Map([[{ a: 1 }, 1]])],
  "maps with equal keys of different values": [
    new Map([[{}, 1], [{}, 2]]),
    new Map([[{}, 2], [{}, 1]]),
  ],
  "typed arrays": [Uint8Array.of(1, 2), Uint8Array.of(1, 2)],
  "typed arrays with NaN": [Float64Array.of(NaN, 0), Float64Array.of(NaN, -0)],
  "array buffers": [Uint8Array.of(1, 2).buffer, Uint8Array.of(1, 2).buffer],
  "instances of a class": [new Point(1, 2), new Point(1, 2)],
  "values behind getters of a class": [new Celsius(20), new Celsius(20)],
  "cycles": [ring(1), ring(1)],
  "cycles of different lengths": [ring(2), ring(3)],
  "maps that contain themselves": [selfContainingMap(1), selfContainingMap(1)],
  "shared parts and copies of them": [[shared, shared], [{ v: 1 }, { v: 1 }]],
};

const UNEQUAL_PAIRS: Record<string, [unknown, unknown]> = {
  "null and undefined": [null, undefined],
  "a number and its text": [1, "1"],
  "a number and a big integer": [1, 1n],
  "different functions": [() => 1, () => 1],
  "different symbols": [Symbol("a"), Symbol("a")],
  "an undefined and a missing property": [{ a: undefined }, {}],
  "an undefined and another undefined property": [{ a: undefined }, { b: undefined }],
  "different symbol keys": [{ [Symbol("a")]: 1 }, { [Symbol("a")]: 1 }],
  "an array and an object": [["a"], { 0: "a" }],
  "arrays of different lengths": [[1, 2], [1, 2, 3]],
  "arrays in another order": [[1, 2], [2, 1]],
  "a hole and undefined": [new Array(1), [undefined]],
  "arrays with different holes at the end": [[1], Object.assign([1], { length: 2 })],
  "different dates": [new Date(5), new Date(6)],
  "a date and an invalid date": [new Date(5), new Date(NaN)],
  "a date and its number": [new Date(5), 5],
  "regular expressions with different flags": [/a/g, /a/i],
  "different URLs": [new URL("http://a/b"), new URL("http://a/c")],
  "different search parameters": [new URLSearchParams("a=1"), new URLSearchParams("a=2")],
  "different sets": [new Set([1, 2]), new Set([1, 3])],
  "sets that match in one direction alone": [
    new Set([{ a: 1 }, { a: 1 }]),
    new Set([{ a: 1 }, {}]),
  ],
  "sets with the same objects but one": [new Set([shared, { v: 2 }]), new Set([shared, { v: 3 }])],
  "maps with different values": [new Map([[1, 1]]), new Map([[1, 2]])],
  "maps with different keys": [new Map([[1, 1]]), new Map([[2, 1]])],
  "maps with an undefined and a missing value": [
    new Map([[1, undefined]]),
    new Map([[2, undefined]]),
  ],
  "a map and a set": [new Map(), new Set()],
  "different typed arrays": [Uint8Array.of(1, 2), Uint8Array.of(1, 3)],
  "typed arrays of different kinds": [Uint8Array.of(1), Int8Array.of(1)],
  "typed arrays of different lengths": [Uint8Array.of(1), Uint8Array.of(1, 0)],
  "different array buffers": [Uint8Array.of(1).buffer, Uint8Array.of(2).buffer],
  "instances of different classes": [new Point(1, 2), new OtherPoint(1, 2)],
  "an instance and a literal": [new Point(1, 2), { x: 1, y: 2 }],
  "an instance and a literal that names its class": [new Point(1, 2), {
    x: 1,
    y: 2,
    constructor: Point,
  }],
  "different values behind getters of a class": [new Celsius(20), new Celsius(21)],
  "errors with different messages": [new Error("a"), new Error("b")],
  "a cycle and an end": [ring(1), { next: { next: {} } }],
  "maps that contain themselves and differ": [selfContainingMap(1), selfContainingMap(2)],
};

for (const [description, [a, b]] of Object.entries(EQUAL_PAIRS)) {
  Deno.test(`equal() holds when given ${description}`, () => {
    require(equal(a, b) && equal(b, a), "equal");
    require(equal([a], [b]) && equal({ key: a }, { key: b }), "equal when nested");
    assertEquals(a, b);
    assertThrows(() => assertNotEquals(a, b), AssertionError, "Values are equal");
  });
}

for (const [description, [a, b]] of Object.entries(UNEQUAL_PAIRS)) {
  Deno.test(`equal() does not hold when given ${description}`, () => {
    require(!equal(a, b) && !equal(b, a), "unequal");
    require(!equal([a], [b]) && !equal({ key: a }, { key: b }), "unequal when nested");
    require(!equal(new Map([[1, a]]), new Map([[1, b]])), "unequal in a map");
    assertNotEquals(a, b);
    assertThrows(() => assertEquals(a, b), AssertionError, "Values are not equal");
  });
}

/** Differs only in its other part. */
function cycleWith(value: number): { part: { whole?: unknown }; value: number } {
  const part: { whole?: unknown } = {};
  const whole = { part, value };
  part.whole = whole;
  return whole;
}

Deno.test("equal() forgets what it assumed when a candidate in a set turns out unequal", () => {
  const one = cycleWith(1);
  const two = cycleWith(2);
  const set = new Set([one, cycleWith(2)]);
  const otherSet = new Set([two, cycleWith(1)]);
  // Finding `one` first compares `two`.
  require(equal([set, one], [otherSet, cycleWith(1)]), "equal");
  require(!equal([set, one], [otherSet, two]), "unequal");
  require(!equal([set, one.part], [otherSet, two.part]), "unequal");
});

Deno.test("equal() compares what weak references refer to", () => {
  const reference = (value: number) => new WeakRef({ value });
  require(equal(reference(1), reference(1)), "equal");
  require(!equal(reference(1), reference(2)), "unequal");
  require(!equal(reference(1), { value: 1 }), "unequal");
});

Deno.test("equal() is fast when parts are shared many times", () => {
  const nest = (depth: number): unknown => {
    let value: unknown = {};
    for (let level = 0; level < depth; level++) value = [value, value];
    return value;
  };
  // Without memory this takes 2^1000 comparisons.
  require(equal(nest(1000), nest(1000)), "equal");
});

Deno.test("equal() throws a TypeError when values cannot be read", () => {
  assertThrows(() => equal(new WeakMap(), new WeakMap()), TypeError, "WeakMap");
  assertThrows(() => equal(new WeakSet(), new WeakSet()), TypeError, "WeakSet");
  require(!equal(new WeakMap(), new WeakSet()), "unequal");
});

const LEAVES = [0, -0, 1, NaN, "", "a", undefined, null, true];

/** Small, so that some are equal. */
function randomValue(random: Random, depth: number): unknown {
  const kind = random.integer(0, 6);
  if (depth === 0 || kind === 0) return random.pick(LEAVES);
  const values = Array.from({ length: random.integer(0, 2) }, () => randomValue(random, depth - 1));
  if (kind === 1) return values;
  if (kind === 2) return new Set(values);
  if (kind === 3) return new Map(values.map((value) => [value, random.pick(LEAVES)]));
  if (kind === 4) {
    return Object.fromEntries(values.map((value) => [random.pick(["a", "b"]), value]));
  }
  if (kind === 5) return new Date(random.integer(0, 1));
  return Uint8Array.from(values, () => random.integer(0, 1));
}

/** Equal exactly for equal values. */
function canonicalText(value: unknown): string {
  const sorted = (texts: string[]) => texts.sort().join();
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  }
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof Uint8Array) return `Uint8Array(${value})`;
  if (Array.isArray(value)) return `[${value.map(canonicalText)}]`;
  if (value instanceof Set) return `Set(${sorted(Array.from(value, canonicalText))})`;
  if (value instanceof Map) return `Map(${sorted(Array.from(value, canonicalText))})`;
  return `{${sorted(Object.entries(value).map(canonicalText))}}`;
}

Deno.test("equal() agrees with a comparison of canonical texts for random values", () => {
  const random = seededRandom(1);
  const outcomes = { equal: 0, unequal: 0 };
  for (let count = 0; count < 50_000; count++) {
    const a = randomValue(random, 3);
    const b = randomValue(random, 3);
    const expected = canonicalText(a) === canonicalText(b);
    const description = `${canonicalText(a)} and ${canonicalText(b)}`;
    require(equal(a, b) === expected, `equal(${description}) is ${expected}`);
    require(equal(a, structuredClone(a)), `${canonicalText(a)} equals its copy`);
    if (typeof a === "object" && a !== null) outcomes[expected ? "equal" : "unequal"]++;
  }
  require(outcomes.equal > 500 && outcomes.unequal > 500, "both outcomes among objects");
});
