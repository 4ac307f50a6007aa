import { assertEquals } from "@std/assert";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import type { CatalogModule } from "../../../src/catalog/module.ts";
import { MODULE_CODES } from "../../../src/catalog/module_codes.ts";

/** In order of the columns. */
function figures({ fields, rules }: CatalogModule): (number | number[])[] {
  return [
    fields.length,
    fields.filter((field) => field.required).length,
    fields.filter((field) => field.sensitive).length,
    rules.length,
    fields.flatMap((field) => field.options === undefined ? [] : [field.options.length]),
  ];
}

/** Code, prefix, fields, required, sensitive, rules, and option counts. */
const EXPECTED: (string | number | number[])[][] = [
  ["relationship", "REL", 8, 3, 4, 1, [9]],
  ["commitment", "CMT", 8, 3, 1, 2, [6, 6]],
  ["identity", "IDN", 8, 1, 0, 2, [8]],
  ["constitution", "CON", 8, 3, 0, 2, [6]],
  ["resource", "RES", 8, 2, 0, 2, [8]],
  ["decision", "DEC", 8, 2, 0, 5, []],
  ["health", "HLT", 8, 5, 1, 3, [15, 5]],
  ["action", "ACT", 8, 4, 0, 2, [5, 6]],
  ["routine", "ROU", 8, 4, 0, 3, []],
  ["review", "REV", 8, 3, 1, 2, [8]],
  ["ai-agent", "AIA", 8, 3, 2, 2, [8, 5]],
  ["personal-model", "PMD", 8, 4, 1, 2, [8]],
  ["interview", "INT", 8, 2, 2, 2, [7]],
  ["memory", "MEM", 8, 3, 3, 6, [8, 8]],
  ["capture", "CAP", 8, 5, 1, 4, [7, 8, 5]],
  ["timeline", "TIM", 8, 4, 1, 4, [12, 8]],
  ["knowledge", "KNO", 8, 4, 1, 2, [8, 5]],
  ["media", "MED", 8, 2, 1, 3, [5]],
  ["integration", "ING", 8, 5, 0, 3, [10, 5, 3, 3]],
  ["legacy", "LEG", 8, 3, 4, 4, [6, 6]],
  ["taxonomy", "TAX", 8, 3, 0, 3, [2]],
  ["community", "COM", 8, 2, 2, 3, [9]],
  ["place", "PLC", 8, 2, 4, 3, [8]],
  ["publication", "PUB", 8, 4, 0, 2, [6, 4]],
];

const FEATURES = CATALOG.modules.flatMap((module) => module.features);

function count(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

Deno.test("the catalog has 24 modules with their fields, rules and options", () => {
  assertEquals(CATALOG.modules.length, 24);
  assertEquals(
    CATALOG.modules.map((module) => [module.code, module.prefix, ...figures(module)]),
    EXPECTED,
  );
});

Deno.test("the catalog has 192 fields of nine edit types", () => {
  const fields = CATALOG.modules.flatMap((module) => module.fields);
  assertEquals(fields.length, 192);
  assertEquals(count(fields.map((field) => field.edit)), {
    textarea: 52,
    text: 39,
    select: 36,
    datetime: 32,
    number: 19,
    tags: 7,
    json: 3,
    boolean: 3,
    file: 1,
  });
});

Deno.test("the catalog has 192 features, numbered from 001 to 008 in each module", () => {
  const numbers = ["001", "002", "003", "004", "005", "006", "007", "008"];
  assertEquals(FEATURES.length, 192);
  for (const { prefix, features } of CATALOG.modules) {
    assertEquals(features.map(({ id }) => id), numbers.map((number) => `${prefix}-${number}`));
  }
});

Deno.test("the features have their strategies, versions, states and annotations", () => {
  assertEquals(count(FEATURES.map((feature) => feature.strategy)), {
    record: 123,
    analyze: 17,
    import: 15,
    schedule: 7,
    snapshot: 6,
    export: 6,
    publish: 4,
    verify: 4,
    simulate: 3,
    generate: 3,
    compare: 2,
    rank: 1,
    notify: 1,
  });
  assertEquals(count(FEATURES.map((feature) => feature.plannedVersion)), {
    "V1.0": 94,
    "V2.0": 72,
    "V3.0": 26,
  });
  assertEquals(count(FEATURES.map((feature) => feature.status)), {
    partial: 176,
    implemented_local: 16,
  });
  assertEquals(count(FEATURES.flatMap((feature) => feature.annotations)), {
    EXTERNAL_BLOCKER: 12,
    HISTORICAL_PROVIDER: 8,
  });
});

Deno.test("only identity and memory are implemented, with all their features", () => {
  for (const { code, completion, features } of CATALOG.modules) {
    const expected = code === "identity" || code === "memory" ? "implemented_local" : "partial";
    assertEquals(completion, expected);
    assertEquals(features.every((feature) => feature.status === expected), true, code);
  }
});

Deno.test("six modules are written through routes of their own", () => {
  const dedicated = CATALOG.modules.filter(({ access: entry }) => entry !== "GENERIC");
  assertEquals(dedicated.map((module) => module.code), [
    "relationship",
    "identity",
    "resource",
    "decision",
    "memory",
    "taxonomy",
  ]);
});

Deno.test("the annotated features are these", () => {
  const annotated = (annotation: "EXTERNAL_BLOCKER" | "HISTORICAL_PROVIDER") =>
    FEATURES.filter(({ annotations }) => annotations.includes(annotation)).map(({ id }) => id);
  assertEquals(annotated("EXTERNAL_BLOCKER"), [
    "IDN-007",
    "HLT-002",
    "HLT-003",
    "HLT-004",
    "KNO-002",
    "KNO-006",
    "MED-004",
    "ING-002",
    "ING-003",
    "ING-004",
    "ING-006",
    "ING-007",
  ]);
  assertEquals(annotated("HISTORICAL_PROVIDER"), [
    "AIA-001",
    "AIA-002",
    "AIA-003",
    "AIA-004",
    "AIA-006",
    "AIA-007",
    "AIA-008",
    "PMD-005",
  ]);
});

Deno.test("the list of module codes agrees with the catalog", () => {
  assertEquals(MODULE_CODES, CATALOG.modules.map((module) => module.code));
});
