/**
 * Our implementation of the used part of the JSR package `@std/assert`, with the same names,
 * signatures and behaviour, so that `deno.json` may map either. Failures throw {@linkcode
 * AssertionError}.
 *
 * @module
 */

export { AssertionError } from "./assert/assertion_error.ts";
export {
  assertAlmostEquals,
  assertGreater,
  assertGreaterOrEqual,
  assertLess,
  assertLessOrEqual,
} from "./assert/comparison.ts";
export {
  assert,
  assertExists,
  assertFalse,
  assertInstanceOf,
  fail,
  type Falsy,
  unreachable,
} from "./assert/condition.ts";
export { equal } from "./assert/equal.ts";
export { assertEquals, assertNotEquals, assertStrictEquals } from "./assert/equality.ts";
export { assertIsError, assertRejects, assertThrows } from "./assert/failure.ts";
export {
  type ArrayLikeArg,
  assertArrayIncludes,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "./assert/inclusion.ts";
export { assertObjectMatch } from "./assert/object_match.ts";
