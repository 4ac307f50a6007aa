/// <reference types="../../../src/console/web/logic/types.d.ts" />

import { assert, assertEquals, assertThrows } from "@std/assert";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import { askedOf, conditionsOf } from "../../../src/console/web/fields/filters.js";
import { readListQuery } from "../../../src/records/list_query.ts";

/** As in the API. */
const described = (module: typeof CATALOG.modules[number]) => ({
  ...module,
  measure: module.measure ?? null,
  entry: module.access === "GENERIC" ? "GENERIC" as const : "DEDICATED" as const,
});
const SAMPLES = { text: "a word", tags: "a tag", number: "-2.5", boolean: "true" } as const;

Deno.test("The service accepts every condition of every module", () => {
  for (const module of CATALOG.modules) {
    const conditions = conditionsOf(described(module));
    assertEquals(conditions.length > 0, module.access === "GENERIC", module.code);
    for (const { field } of conditions) {
      assert(module.fields.some(({ name, sensitive }) => name === field && !sensitive), field);
    }
    const query = new URLSearchParams(conditions.map(({ name, edit, options }) => [
      name,
      edit === "select" ? options[0] ?? "" : edit === "datetime" ? "2026-11-22" : SAMPLES[edit],
    ]));
    const asked = askedOf(conditions, query);
    assertEquals(asked.size, conditions.length, module.code);
    assertEquals(readListQuery(module, asked).filters.length, conditions.length);
  }
});

Deno.test("The service rejects filters on every omitted field", () => {
  for (const module of CATALOG.modules) {
    const met = new Set(conditionsOf(described(module)).map(({ field }) => field));
    for (const { name } of module.fields.filter((field) => !met.has(field.name))) {
      const query = new URLSearchParams({ [`filter[${name}]`]: "x" });
      assertThrows(() => readListQuery(module, query), `${module.code}.${name}`);
    }
  }
});

Deno.test("Days are whole days of this device, and invalid values are not requested", () => {
  const commitment = CATALOG.modules.find(({ code }) => code === "commitment");
  assert(commitment !== undefined);
  const conditions = conditionsOf(described(commitment));
  const asked = askedOf(
    conditions,
    new URLSearchParams({
      "filter[dueAt][gte]": "2026-11-22",
      "filter[dueAt][lte]": "2026-11-22",
      "filter[completedAt][lte]": "yesterday",
      "filter[completionStatus]": "LOST",
      "filter[reliabilityImpact][gte]": "much",
      "filter[counterparty]": "",
      "filter[content]": "sensitive",
      sort: "title",
      limit: "1000",
      cursor: "X",
    }),
  );
  assertEquals(Object.fromEntries(asked), {
    "filter[dueAt][gte]": new Date(2026, 10, 22).toISOString(),
    "filter[dueAt][lte]": new Date(2026, 10, 22, 23, 59, 59, 999).toISOString(),
  });
});
