import { assertEquals } from "@std/assert";
import { isJsonObject, type JsonValue } from "../../../src/core/json.ts";

Deno.test("isJsonObject() accepts objects only", () => {
  const cases: readonly (readonly [JsonValue | undefined, boolean])[] = [
    [{}, true],
    [{ a: null }, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    [undefined, false],
    ["{}", false],
    [0, false],
    [true, false],
  ];
  for (const [value, expected] of cases) {
    assertEquals(isJsonObject(value), expected, JSON.stringify(value));
  }
});
