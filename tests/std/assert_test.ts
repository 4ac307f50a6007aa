import {
  assert,
  assertAlmostEquals,
  assertArrayIncludes,
  assertEquals,
  assertExists,
  assertFalse,
  assertGreater,
  assertGreaterOrEqual,
  assertInstanceOf,
  AssertionError,
  assertIsError,
  assertLess,
  assertLessOrEqual,
  assertMatch,
  assertNotMatch,
  assertObjectMatch,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  equal,
  fail,
  unreachable,
} from "@std/assert";
import { seededRandom } from "../support/random.ts";

/** Independent of the assertions under test. */
function require(condition: boolean, description: string): void {
  if (!condition) throw new Error(`Expected: ${description}`);
}

/** The assertion must fail. */
function messageOf(assertion: () => unknown): string {
  try {
    assertion();
  } catch (error) {
    if (error instanceof AssertionError) return error.message;
    throw error;
  }
  throw new Error(`Expected an assertion to fail: ${assertion}`);
}

function requireFailure(assertion: () => unknown, ...parts: string[]): void {
  const message = messageOf(assertion);
  for (const part of parts) require(message.includes(part), `"${part}" in "${message}"`);
}

const shared = { v: 1 };

Deno.test("assertEquals() marks the lines that differ when objects differ", () => {
  const message = messageOf(() => assertEquals({ a: 1, b: 2, d: 4 }, { d: 4, c: 3, a: 1 }, "why"));
  require(message.startsWith("Values are not equal: why\n"), "own message after the summary");
  const diff = ["    {", "      a: 1,", "-     b: 2,", "+     c: 3,", "      d: 4,", "    }"];
  require(message.endsWith(diff.join("\n")), `line by line comparison in ${message}`);
});

Deno.test("assertEquals() shows white space and line ends when texts differ", () => {
  const message = messageOf(() => assertEquals("a\nb \nc", "a\nb\nc"));
  const diff = ['    "a\\n"', '-   "b \\n"', '+   "b\\n"', '    "c"'];
  require(message.endsWith(diff.join("\n")), `line by line comparison in ${message}`);
});

Deno.test("assertEquals() says so when different values read the same", () => {
  requireFailure(() => assertEquals(() => 1, () => 1), "Both values read the same");
});

Deno.test("assertEquals() prints both texts in full for random lines", () => {
  const random = seededRandom(2);
  const randomLines = () =>
    Array.from({ length: random.integer(1, 8) }, () => random.pick(["a", "b", "c"]));
  for (let count = 0; count < 1000; count++) {
    const [actual, expected] = [randomLines(), randomLines()];
    if (equal(actual, expected)) continue;
    const message = messageOf(() => assertEquals(actual.join("\n"), expected.join("\n")));
    const lines = message.split("\n").slice(4);
    const textOf = (marks: string) =>
      lines.filter((line) => marks.includes(line.charAt(0)))
        .map((line) => JSON.parse(line.slice(1))).join("");
    assertStrictEquals(textOf(" -"), actual.join("\n"));
    assertStrictEquals(textOf(" +"), expected.join("\n"));
  }
});

Deno.test("assertEquals() still explains itself when the values are very long", () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
  const message = messageOf(() => assertEquals(lines, lines.toReversed()));
  assertStringIncludes(message, '-     "line 0",');
  assertStringIncludes(message, '+     "line 0",');
});

Deno.test("assertStrictEquals() distinguishes what Object.is() distinguishes", () => {
  assertStrictEquals(NaN, NaN);
  assertStrictEquals(shared, shared);
  requireFailure(() => assertStrictEquals(0, -0, "why"), "not strictly equal: why", "-0");
  requireFailure(() => assertStrictEquals({}, {}), "same structure but are not reference-equal");
  requireFailure(() => assertStrictEquals<unknown>(1, "1"), "not strictly equal");
});

Deno.test("assert() fails with exactly the given message when the condition is falsy", () => {
  assert(1);
  assertFalse(0);
  assertStrictEquals(messageOf(() => assert("", "why")), "why");
  assertStrictEquals(messageOf(() => assertFalse("a", "why")), "why");
  assertStrictEquals(messageOf(() => assert(null)), "");
});

Deno.test("assertExists() fails when the value is null or undefined", () => {
  for (const value of [0, "", false, NaN]) assertExists(value);
  requireFailure(() => assertExists(null, "why"), '"null": why');
  requireFailure(() => assertExists(undefined), '"undefined"');
});

Deno.test("assertInstanceOf() fails and names both types when they differ", () => {
  assertInstanceOf(new TypeError(), Error);
  requireFailure(
    () => assertInstanceOf(new Error(), TypeError, "why"),
    '"TypeError"',
    '"Error": why',
  );
  requireFailure(() => assertInstanceOf(null, Date), '"Date"', '"null"');
  requireFailure(() => assertInstanceOf(Date, Date), '"function"');
  requireFailure(() => assertInstanceOf(Object.create(null), Date), '"Object"');
});

Deno.test("assertMatch() and assertNotMatch() fail when the other holds", () => {
  assertMatch("abc", /b/);
  assertNotMatch("abc", /x/);
  requireFailure(() => assertMatch("abc", /x/, "why"), '"abc" to match "/x/": why');
  requireFailure(() => assertNotMatch("abc", /b/, "why"), '"abc" not to match "/b/": why');
});

Deno.test("assertStringIncludes() fails when the part is missing", () => {
  assertStringIncludes("abc", "bc");
  requireFailure(() => assertStringIncludes("abc", "x", "why"), '"abc" to contain "x": why');
});

Deno.test("assertArrayIncludes() compares in depth and lists what is missing", () => {
  assertArrayIncludes([{ a: 1 }, NaN, 2], [NaN, { a: 1 }]);
  assertArrayIncludes(Uint8Array.of(1, 2), Uint8Array.of(2));
  assertArrayIncludes([], []);
  requireFailure(
    () => assertArrayIncludes([1, 2], [2, 3, 4], "why"),
    "why",
    "Missing: [\n  3,\n  4,",
  );
});

Deno.test("the assertions of order fail exactly when their operator does not hold", () => {
  for (const [a, b] of [[1, 2], [2, 2], [3, 2], [NaN, 2]] as const) {
    const outcomes: [boolean, () => void][] = [
      [a > b, () => assertGreater(a, b)],
      [a >= b, () => assertGreaterOrEqual(a, b)],
      [a < b, () => assertLess(a, b)],
      [a <= b, () => assertLessOrEqual(a, b)],
    ];
    for (const [holds, assertion] of outcomes) {
      if (holds) assertion();
      else requireFailure(assertion, `${a}`, "2");
    }
  }
  requireFailure(() => assertLess("b", "a", "why"), '"b" < "a": why');
});

Deno.test("assertAlmostEquals() allows the given distance or a ten-millionth", () => {
  assertAlmostEquals(0.1 + 0.2, 0.3);
  assertAlmostEquals(99, 100, 1);
  assertAlmostEquals(Infinity, Infinity);
  assertAlmostEquals(NaN, NaN);
  requireFailure(() => assertAlmostEquals(1.000_000_2, 1), "greater than");
  requireFailure(() => assertAlmostEquals(98, 100, 1, "why"), '"2" is greater than "1": why');
  requireFailure(() => assertAlmostEquals(1, Infinity), '"Infinity"');
  requireFailure(() => assertAlmostEquals(NaN, 1), '"NaN"');
});

Deno.test("fail() and unreachable() always fail", () => {
  assertStrictEquals(messageOf(() => fail("why")), "Failed assertion: why");
  assertStrictEquals(messageOf(() => unreachable("why")), "Unreachable: why");
});

Deno.test("AssertionError is an error with its own name and a cause", () => {
  const error = new AssertionError("why", { cause: 1 });
  assertInstanceOf(error, Error);
  assertEquals([error.name, error.message, error.cause], ["AssertionError", "why", 1]);
});

Deno.test("assertIsError() checks the class and the message", () => {
  assertIsError(new TypeError("one two"), Error, "two");
  assertIsError(new TypeError("one two"), TypeError, /^one/);
  requireFailure(() => assertIsError("text", Error, "", "why"), '"text": why');
  requireFailure(
    () => assertIsError(new Error("one"), TypeError),
    '"TypeError"',
    '"Error"',
    '"one"',
  );
  requireFailure(() => assertIsError(new Error("one"), Error, "two", "why"), '"two"', '"one": why');
  requireFailure(() => assertIsError(new Error("one"), Error, /^two/), '"/^two/"');
});

/** Synchronous or not. */
type ErrorAssertion = (error: unknown, ...expected: unknown[]) => Promise<unknown>;

const ERROR_ASSERTIONS: Record<string, ErrorAssertion> = {
  assertThrows: (error, ...expected) =>
    new Promise((resolve) => {
      const action = () => {
        if (error !== undefined) throw error;
      };
      resolve(Reflect.apply(assertThrows, undefined, [action, ...expected]));
    }),
  assertRejects: (error, ...expected) => {
    const action = () => error === undefined ? Promise.resolve() : Promise.reject(error);
    return Reflect.apply(assertRejects, undefined, [action, ...expected]);
  },
};

for (const [name, assertion] of Object.entries(ERROR_ASSERTIONS)) {
  const messageOfFailure = async (...parameters: Parameters<ErrorAssertion>): Promise<string> => {
    const error = await assertion(...parameters).then(() => fail("Expected a failure"), String);
    require(error.startsWith("AssertionError: "), `an AssertionError, not ${error}`);
    return error;
  };

  Deno.test(`${name}() returns the error when it is as expected`, async () => {
    const error = new RangeError("too large");
    assertStrictEquals(await assertion(error), error);
    assertStrictEquals(await assertion(error, "why"), error);
    assertStrictEquals(await assertion(error, RangeError), error);
    assertStrictEquals(await assertion(error, Error, "large"), error);
    assertStrictEquals(await assertion(error, Error, ""), error);
    assertStrictEquals(await assertion("no error"), "no error");
  });

  Deno.test(`${name}() fails when the error is not as expected`, async () => {
    const error = new RangeError("too large");
    assertStringIncludes(await messageOfFailure(error, TypeError), '"TypeError"');
    assertStringIncludes(await messageOfFailure(error, RangeError, "small", "why"), '"small"');
    assertMatch(await messageOfFailure(error, RangeError, "small", "why"), /: why$/);
    assertMatch(await messageOfFailure("no error", Error, "", "why"), /non-Error .*: why$/);
  });

  Deno.test(`${name}() fails when there is no error`, async () => {
    assertStringIncludes(await messageOfFailure(undefined), "Expected function to");
    assertMatch(await messageOfFailure(undefined, "why"), /: why$/);
    assertMatch(await messageOfFailure(undefined, Error, "", "why"), /: why$/);
  });
}

Deno.test("assertRejects() fails when the function throws instead of rejecting", async () => {
  const cause = new TypeError("thrown early");
  const error = await assertRejects(
    () =>
      assertRejects(() => {
        throw cause;
      }, TypeError),
    AssertionError,
    "throws when expected to reject",
  );
  assertStrictEquals(error.cause, cause);
});

Deno.test("assertRejects() fails when the function returns no promise", async () => {
  const action = JSON.parse.bind(JSON, "1");
  await assertRejects(() => assertRejects(action), AssertionError, "returns no promise");
});

const symbol = Symbol("symbol");
const cyclic: Record<string, unknown> = { kind: "ring" };
cyclic["self"] = cyclic;

const MATCHES: [actual: object, expected: Record<PropertyKey, unknown>][] = [
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ a: 1 }, {}],
  [{ a: { b: { c: 1, d: 2 } }, e: 3 }, { a: { b: { d: 2 } } }],
  [{ a: [1, { b: 2, c: 3 }, 4] }, { a: [1, { b: 2 }] }],
  [{ a: new Set([1, 2]) }, { a: new Set([2]) }],
  [{ a: new Map([["x", { b: 1, c: 2 }], ["y", { b: 3, c: 4 }]]) }, {
    a: new Map([["x", { b: 1 }]]),
  }],
  [{ a: new Date(1), b: /c/g }, { a: new Date(1), b: /c/g }],
  [{ a: Uint8Array.of(1, 2) }, { a: Uint8Array.of(1, 2) }],
  [{ [symbol]: 1, a: 2 }, { [symbol]: 1 }],
  [{ a: null, b: 1 }, { a: null }],
  [{ error: new TypeError("why") }, { error: { message: "why" } }],
  [cyclic, { self: { self: { kind: "ring" } } }],
  [cyclic, cyclic],
  [{ a: [1, 2] }, { a: { length: 2, 1: 2 } }],
];

const MISMATCHES: [actual: object, expected: Record<PropertyKey, unknown>][] = [
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: undefined }],
  [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }],
  [{ a: [1] }, { a: [1, 2] }],
  [{ a: [1, 2] }, { a: [2] }],
  [{ a: { 0: 1 } }, { a: [1] }],
  [{ a: new Set([1]) }, { a: new Set([2]) }],
  [{ a: new Map([["x", { b: 1 }]]) }, { a: new Map([["x", { b: 2 }]]) }],
  [{ a: new Map() }, { a: new Map([["x", undefined]]) }],
  [{ a: new Date(1) }, { a: new Date(2) }],
  [{ a: /c/g }, { a: /c/i }],
  [{ a: Uint8Array.of(1, 2) }, { a: Uint8Array.of(1, 3) }],
  [{ a: Uint8Array.of(1, 2) }, { a: Uint8Array.of(1) }],
  [{ [symbol]: 1 }, { [symbol]: 2 }],
  [{ a: null }, { a: {} }],
  [{ a: undefined }, { a: null }],
  [cyclic, { self: { self: { kind: "line" } } }],
];

Deno.test("assertObjectMatch() holds when the object has all that is expected", () => {
  for (const [actual, expected] of MATCHES) assertObjectMatch(actual, expected);
});

Deno.test("assertObjectMatch() fails when something expected is missing or differs", () => {
  for (const [actual, expected] of MISMATCHES) {
    requireFailure(() => assertObjectMatch(actual, expected, "why"), "not equal: why");
  }
});

Deno.test("assertObjectMatch() shows only what was expected when it fails", () => {
  const message = messageOf(() => assertObjectMatch({ a: 1, b: 2, c: 3 }, { a: 1, b: 0 }));
  assert(message.endsWith("    {\n      a: 1,\n-     b: 2,\n+     b: 0,\n    }"), message);
});

Deno.test("assertObjectMatch() throws a TypeError when the value is not an object", () => {
  for (const value of [null, undefined, 1, "text"]) {
    const match = () => Reflect.apply(assertObjectMatch, undefined, [value, {}]);
    assertThrows(match, TypeError, `"${value}"`);
  }
});
