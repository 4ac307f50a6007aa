import { assertEquals, assertThrows } from "@std/assert";
import { numberField, textField } from "../../../src/catalog/field_schema.ts";
import { MEMORY } from "../../../src/catalog/modules/memory.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { readBody } from "../../../src/validate/schema.ts";

const SHAPE = {
  memoryType: textField(MEMORY, "memoryType"),
  importance: numberField(MEMORY, "importance"),
  occurredAt: textField(MEMORY, "occurredAt"),
};
const BODY = { memoryType: "EVENT", importance: 3, occurredAt: "2001-01-01T00:00:00+02:00" };

Deno.test("A catalog field's schema accepts its values unchanged", () => {
  assertEquals(readBody(SHAPE, BODY), BODY);
});

Deno.test("A catalog field's schema rejects by the field's rules", () => {
  const error = assertThrows(
    () => readBody(SHAPE, { memoryType: "NONE", importance: 9, occurredAt: "2001-01-01" }),
    ServiceError,
  );
  assertEquals(error.details, {
    fields: ["memoryType", "importance", "occurredAt"],
    rules: ["field.option", "field.range", "field.datetime"],
  });
});

Deno.test("A missing field, or one of another type, is a programming error", () => {
  assertThrows(() => textField(MEMORY, "nothing"), Error, "nothing");
  assertThrows(() => textField(MEMORY, "importance"), Error, "importance");
  assertThrows(() => numberField(MEMORY, "memoryType"), Error, "memoryType");
});
