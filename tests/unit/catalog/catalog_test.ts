import { assertEquals, assertThrows } from "@std/assert";
import { CATALOG, createCatalog } from "../../../src/catalog/catalog.ts";
import { feature, select, text } from "../../../src/catalog/fields.ts";
import type { CatalogModule } from "../../../src/catalog/module.ts";
import { storageRule } from "../../../src/catalog/rules.ts";

const GARDEN: CatalogModule = {
  code: "herb-garden",
  prefix: "GAR",
  group: "Test",
  completion: "partial",
  access: "GENERIC",
  fields: [text("herb"), select("season", ["SPRING"])],
  rules: [storageRule("herb_garden.herb_is_rare", "the herb is rare", ["herb"])],
  times: [],
  features: [feature("GAR-001", "planting", "record", "V1.0")],
};

function assertInvalid(change: Partial<CatalogModule>, message: string): void {
  assertThrows(() => createCatalog([{ ...GARDEN, ...change }]), Error, message);
}

Deno.test("createCatalog() finds modules by code and features by id", () => {
  const catalog = createCatalog([GARDEN]);
  assertEquals(catalog.modules, [GARDEN]);
  assertEquals(catalog.module("herb-garden"), GARDEN);
  assertEquals(catalog.feature("GAR-001"), { module: GARDEN, feature: GARDEN.features[0] });
});

Deno.test("createCatalog() finds nothing under unknown and inherited names", () => {
  for (const name of ["", "toString", "__proto__", "HERB-GARDEN", "GAR-002"]) {
    assertEquals(CATALOG.module(name), undefined);
    assertEquals(CATALOG.feature(name), undefined);
  }
});

Deno.test("createCatalog() rejects repeated codes, prefixes and feature ids", () => {
  const other = { ...GARDEN, code: "other", prefix: "OTH", rules: [], features: [] };
  assertThrows(() => createCatalog([GARDEN, { ...other, code: GARDEN.code }]), Error, "code");
  assertThrows(() => createCatalog([GARDEN, { ...other, prefix: "GAR" }]), Error, "prefix");
  assertInvalid({ features: [...GARDEN.features, ...GARDEN.features] }, "feature id");
});

Deno.test("createCatalog() rejects a contradictory module", () => {
  assertInvalid({ prefix: "OTH" }, '"GAR-001" does not begin with "OTH-"');
  assertInvalid({ code: "other" }, 'does not begin with "other."');
  assertInvalid({ fields: [text("herb"), text("herb")] }, 'repeats the field "herb"');
  assertInvalid({ fields: [text("tree")] }, 'undeclared field "herb"');
  assertInvalid({ fields: [text("herb"), select("season", [])] }, '"season" no options');
  assertInvalid({ rules: [...GARDEN.rules, ...GARDEN.rules] }, "repeats the rule");
});
