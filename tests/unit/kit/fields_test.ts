import { assertEquals, assertThrows } from "@std/assert";
import { number, text, textarea } from "../../../src/catalog/fields.ts";
import type { FieldSet } from "../../../src/catalog/module.ts";
import { RESOURCE } from "../../../src/catalog/modules/resource.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import {
  checkFieldPatch,
  type FieldPatch,
  fieldsBody,
  patchBody,
  patchFields,
} from "../../../src/kit/fields.ts";
import { describeObject, readBody } from "../../../src/validate/schema.ts";
import { seededRandom } from "../../support/random.ts";

const CONTEXT = { now: new Date("2026-11-20T12:00:00.000Z"), recordId: "" };
const STORED: JsonObject = { resourceType: "SKILL", name: "Rowing", capacity: 10, available: 4 };

function rulesOf(refuse: () => unknown): unknown {
  const error = assertThrows(refuse, ServiceError);
  assertEquals(error.code, "PAYLOAD_INVALID");
  return error.details.rules;
}

Deno.test("An invalid patch is rejected", () => {
  const wrong: [FieldPatch, string][] = [
    [{}, "change.required"],
    [{ set: {}, remove: [] }, "change.required"],
    [{ set: { secret: 1 } }, "undeclared_field"],
    [{ remove: ["secret"] }, "undeclared_field"],
    [{ remove: ["name"] }, "field.required"],
    [{ set: { unit: "h" }, remove: ["unit"] }, "payload.set_and_removed"],
  ];
  for (const [patch, rule] of wrong) {
    assertEquals(rulesOf(() => checkFieldPatch(RESOURCE, patch, CONTEXT)), [rule]);
  }
  checkFieldPatch(RESOURCE, { set: { level: 100 }, remove: ["notes"] }, CONTEXT);
});

Deno.test("patchFields() sets and removes, and applies the policy to the result", () => {
  const patch = { set: { available: 7 }, remove: ["capacity", "unit"] };
  const { capacity: _, ...others } = STORED;
  assertEquals(patchFields(RESOURCE, STORED, patch, CONTEXT).fields, { ...others, available: 7 });
  const tooMany = () => patchFields(RESOURCE, STORED, { set: { available: 11 } }, CONTEXT);
  assertEquals(rulesOf(tooMany), ["resource.available_not_above_capacity"]);
  assertEquals(STORED.available, 4);
});

Deno.test("A creation is a patch of nothing, and requires every required field", () => {
  assertEquals(patchFields(RESOURCE, {}, { set: STORED }, CONTEXT).fields, STORED);
  const { name: _, ...nameless } = STORED;
  const create = () => patchFields(RESOURCE, {}, { set: nameless }, CONTEXT);
  assertEquals(rulesOf(create), ["field.required"]);
  assertEquals(rulesOf(() => readBody(fieldsBody(RESOURCE), nameless)), ["field.required"]);
  assertEquals(readBody(fieldsBody(RESOURCE), STORED), STORED);
});

Deno.test("Successive patches equal one combined patch", () => {
  const random = seededRandom(5);
  const values: JsonObject = { amount: 1, unit: "h", level: 50, notes: "A note", available: 2 };
  const names = Object.keys(values);
  for (let run = 0; run < 200; run++) {
    let fields = STORED;
    const model = new Map(Object.entries(STORED));
    for (let step = 0; step < 5; step++) {
      const name = random.pick(names);
      const isRemoved = random.chance(0.4);
      const patch = isRemoved ? { remove: [name] } : { set: { [name]: values[name] ?? null } };
      checkFieldPatch(RESOURCE, patch, CONTEXT);
      ({ fields } = patchFields(RESOURCE, fields, patch, CONTEXT));
      if (isRemoved) model.delete(name);
      else model.set(name, values[name] ?? null);
    }
    assertEquals(fields, Object.fromEntries(model));
  }
});

Deno.test("Fields have only their own limits", () => {
  const longest = "\u{1f6a3}".repeat(100_000);
  const two: FieldSet = { fields: [textarea("one"), textarea("other")], rules: [] };
  const set = { one: longest, other: longest };
  assertEquals(patchFields(two, {}, { set }, CONTEXT).fields, set);
  const longer = () => patchFields(two, set, { set: { one: `${longest}x` } }, CONTEXT);
  assertEquals(rulesOf(longer), ["field.length"]);
});

Deno.test("A family may patch a part of a module, or its own fields", () => {
  const part: FieldSet = {
    ...RESOURCE,
    fields: RESOURCE.fields.filter(({ name }) => name !== "amount"),
  };
  assertEquals(rulesOf(() => checkFieldPatch(part, { set: { amount: 1 } }, CONTEXT)), [
    "undeclared_field",
  ]);
  const own: FieldSet = {
    fields: [
      text("statement", { required: true }),
      number("probability", { required: true, minimum: 0, maximum: 1 }),
    ],
    rules: [],
  };
  const stored = { statement: "It rains", probability: 0.5 };
  const { fields } = patchFields(own, stored, { set: { probability: 1 } }, CONTEXT);
  assertEquals(fields, { statement: "It rains", probability: 1 });
  assertEquals(rulesOf(() => checkFieldPatch(own, { set: { probability: 2 } }, CONTEXT)), [
    "field.range",
  ]);
});

Deno.test("Bodies are described by their fields", () => {
  const creation = describeObject(fieldsBody(RESOURCE));
  assertEquals(creation.required, ["resourceType", "name"]);
  assertEquals(Object.keys(creation.properties ?? {}), RESOURCE.fields.map(({ name }) => name));
  const { set, remove } = describeObject(patchBody(RESOURCE)).properties ?? {};
  assertEquals([set?.required, set?.additionalProperties], [[], false]);
  assertEquals(remove?.items?.enum?.length, RESOURCE.fields.length - 2);
  const required: FieldSet = { fields: [text("word", { required: true })], rules: [] };
  assertEquals(patchBody(required).remove.json.maxItems, 0);
});
