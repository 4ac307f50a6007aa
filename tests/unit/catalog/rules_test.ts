import { assert, assertArrayIncludes, assertEquals } from "@std/assert";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import type {
  CatalogModule,
  CheckedRule,
  EditType,
  PolicyContext,
} from "../../../src/catalog/module.ts";
import { PayloadView } from "../../../src/catalog/payload_view.ts";
import type { JsonObject, JsonValue } from "../../../src/core/json.ts";
import { applyPolicy } from "../../../src/catalog/policy.ts";
import { refusalOf } from "../../support/refusals.ts";
import { NOW, RECORD_ID, RULE_EXAMPLES } from "./rule_examples.ts";

/** Values of a wrong type, or an invalid time. */
const WRONG_VALUES: Readonly<Record<EditType, JsonValue>> = {
  text: 7,
  textarea: 7,
  select: 7,
  number: "seven",
  datetime: "yesterday",
  boolean: "true",
  tags: [7],
  file: [7],
  json: "{}",
};

const CHECKED_RULES = CATALOG.modules.flatMap((module) =>
  module.rules
    .filter((rule): rule is CheckedRule => rule.enforced === "policy")
    .map((rule) => ({ module, rule }))
);

function refusal(module: CatalogModule, payload: JsonObject) {
  return refusalOf(() => applyPolicy(module, payload, context(payload))) ??
    { rules: [], fields: [] };
}

function context(payload: JsonObject): PolicyContext {
  return { now: NOW, recordId: RECORD_ID, set: new Set(Object.keys(payload)) };
}

function withWrongValues(module: CatalogModule, names: readonly string[]): JsonObject {
  const fields = module.fields.filter((field) => names.includes(field.name));
  return Object.fromEntries(fields.map(({ name, edit }) => [name, WRONG_VALUES[edit]]));
}

Deno.test("every rule that a payload can break has examples, and no example is stale", () => {
  assertEquals(
    CHECKED_RULES.map(({ rule }) => rule.name).sort(),
    Object.keys(RULE_EXAMPLES).sort(),
  );
});

Deno.test("Only these rules are enforced elsewhere", () => {
  const stated = CATALOG.modules.flatMap((module) => module.rules)
    .filter((rule) => rule.enforced !== "policy")
    .map((rule) => `${rule.name}: ${rule.enforced}`);
  assertEquals(stated, [
    "routine.next_due_at_is_derived: normalisation",
    "memory.occurred_at_means_exact: normalisation",
    "memory.original_content_never_changes: storage",
    "timeline.change_to_unknown_removes_start_at: normalisation",
    "taxonomy.names_are_unique: storage",
  ]);
});

for (const { module, rule } of CHECKED_RULES) {
  const { keeps, breaks } = RULE_EXAMPLES[rule.name] ?? { keeps: [], breaks: [] };

  Deno.test(`${rule.name} is satisfied: ${rule.statement}`, () => {
    assert(keeps.length > 0);
    for (const payload of keeps) {
      const { rules } = refusal(module, payload);
      assert(!rules.includes(rule.name), JSON.stringify(payload));
    }
  });

  Deno.test(`${rule.name} rejects and names its fields`, () => {
    assert(breaks.length > 0);
    for (const payload of breaks) {
      const { rules, fields } = refusal(module, payload);
      assert(rules.includes(rule.name), JSON.stringify(payload));
      assertArrayIncludes([...fields], [...rule.fields]);
    }
  });

  Deno.test(`${rule.name} ignores fields that are absent or of the wrong type`, () => {
    const wrong = withWrongValues(module, rule.fields);
    assertEquals(rule.holds(new PayloadView({}), context({})), true);
    for (const payload of [wrong, ...keeps.flatMap((kept) => spoiled(kept, wrong))]) {
      assert(rule.holds(new PayloadView(payload), context(payload)), JSON.stringify(payload));
    }
  });
}

/** One wrong field each. */
function spoiled(payload: JsonObject, wrong: JsonObject): JsonObject[] {
  return Object.entries(wrong)
    .filter(([name]) => Object.hasOwn(payload, name))
    .map(([name, value]) => ({ ...payload, [name]: value }));
}

Deno.test("place.coordinates_are_complete leaves a wrong coordinate to the field rules", () => {
  const place = CATALOG.module("place");
  assert(place !== undefined);
  const { rules } = refusal(place, { latitude: "north" });
  assert(!rules.includes("place.coordinates_are_complete"));
  assert(rules.includes("field.type"));
});

Deno.test("routine compares nextDueAt only when the request sets it", () => {
  const payload = {
    lastCompletedAt: "2026-10-31T00:00:00.000Z",
    nextDueAt: "2026-10-01T00:00:00.000Z",
  };
  const name = "routine.next_due_at_not_before_last_completed_at";
  const found = CHECKED_RULES.find(({ rule }) => rule.name === name);
  const unset = { ...context(payload), set: new Set(["completionNote"]) };
  assertEquals(found?.rule.holds(new PayloadView(payload), unset), true);
  assertEquals(found?.rule.holds(new PayloadView(payload), context(payload)), false);
});

Deno.test("identity.tags_limits and decision.options_are_distinct_texts detect repetitions", () => {
  const payload = { tags: ["a", "a"], options: { items: ["a", "a ", "b"] } };
  for (const name of ["identity.tags_limits", "decision.options_are_distinct_texts"]) {
    const found = CHECKED_RULES.find(({ rule }) => rule.name === name);
    assertEquals(found?.rule.holds(new PayloadView(payload), context(payload)), false);
  }
});
