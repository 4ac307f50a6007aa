/** What the generic entry answers for features and modules that it does not serve. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { createWorld, type Person, sharedWorld } from "../support/world.ts";
import {
  assertFailure,
  assertWritesNothing,
  catalogWith,
  COMMITMENT,
  COMMITMENTS,
  pathOf,
} from "./kernel.ts";

const world = sharedWorld();

const DEDICATED_FEATURES: Readonly<Record<string, ErrorCode>> = {
  "MEM-001": "MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-002": "MEMORY_SLICE_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-003": "MEMORY_DRAFT_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-004": "MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-005": "MEMORY_AI_DRAFT_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-006": "MEMORY_TIME_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-007": "MEMORY_PRIVACY_DEDICATED_ENDPOINT_REQUIRED",
  "MEM-008": "MEMORY_EXPORT_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-001": "TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-002": "TAXONOMY_CATEGORY_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-003": "TAXONOMY_ALIAS_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-004": "TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-005": "TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-006": "TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-007": "TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED",
  "TAX-008": "TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED",
};

function expectedCode(featureId: string): ErrorCode {
  if (featureId.startsWith("IDN-")) return "IDENTITY_DEDICATED_ENDPOINT_REQUIRED";
  return DEDICATED_FEATURES[featureId] ?? "FEATURE_NOT_IMPLEMENTED";
}

function run(person: Person, module: string, featureId: string, recordId = ulid()) {
  const path = `/api/v2/records/${module}/${recordId}/features/${featureId}`;
  return person.call("POST", path, { key: ulid(), body: {} });
}

Deno.test("POST feature answers each of the 192 features by its own code and writes nothing", async () => {
  const person = await world().person();
  const features = CATALOG.modules.flatMap((module) =>
    module.features.map(({ id }) => ({ moduleCode: module.code, featureId: id }))
  );
  assertEquals(features.length, 24 * 8);
  await assertWritesNothing(world(), async () => {
    for (const details of features) {
      const { moduleCode, featureId } = details;
      const response = await run(person, moduleCode, featureId);
      assertEquals(assertFailure(response, expectedCode(featureId), featureId), details);
      assertEquals("data" in response.body, response.status === 501 && !/^IDN/.test(featureId));
    }
  });
});

Deno.test("POST feature refuses a partial feature before it reads record, key or body", async () => {
  const person = await world().person();
  const made = await person.create("commitment", COMMITMENT);
  const path = `${pathOf(made)}/features/CMT-001`;
  await assertWritesNothing(world(), async () => {
    assertFailure(await run(person, "commitment", "CMT-001", "no-id"), "FEATURE_NOT_IMPLEMENTED");
    assertFailure(await person.call("POST", path), "FEATURE_NOT_IMPLEMENTED");
    assertFailure(await person.call("POST", `${path}?x=1`), "FEATURE_NOT_IMPLEMENTED");
    const twice = { key: "one-key", body: {} };
    assertFailure(await person.call("POST", path, twice), "FEATURE_NOT_IMPLEMENTED");
    assertFailure(await person.call("POST", path, twice), "FEATURE_NOT_IMPLEMENTED");
  });
});

Deno.test("POST feature tells an unknown feature from another module's", async () => {
  const person = await world().person();
  const unknown = ["CMT-000", "CMT-009", "cmt-001", "CMT-01", "CMT", "XXX-001", "toString", "%00"];
  for (const featureId of unknown) {
    const response = await run(person, "commitment", featureId);
    assertFailure(response, "FEATURE_NOT_FOUND", featureId);
  }
  for (const featureId of ["HLT-001", "MEM-001", "TAX-001", "IDN-001", "REL-001"]) {
    const response = await run(person, "commitment", featureId);
    const details = assertFailure(response, "FEATURE_MODULE_MISMATCH", featureId);
    assertEquals(details, { moduleCode: "commitment", featureId });
  }
  assertFailure(await run(person, "nothing", "CMT-001"), "RECORD_MODULE_NOT_FOUND");
});

/** Codes of create, modify, archive, restore. */
const DEDICATED_WRITES: Readonly<Record<string, readonly [ErrorCode, ErrorCode]>> = {
  relationship: [
    "RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED",
    "RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED",
  ],
  decision: ["DECISION_DEDICATED_ENDPOINT_REQUIRED", "DECISION_DEDICATED_ENDPOINT_REQUIRED"],
  identity: ["IDENTITY_DEDICATED_ENDPOINT_REQUIRED", "IDENTITY_DEDICATED_ENDPOINT_REQUIRED"],
  resource: ["RESOURCE_DEDICATED_ENDPOINT_REQUIRED", "RESOURCE_DEDICATED_ENDPOINT_REQUIRED"],
  memory: [
    "MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED",
    "MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED",
  ],
  taxonomy: [
    "TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED",
    "TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED",
  ],
};

Deno.test("Generic writes to the six dedicated modules are refused and write nothing", async () => {
  const person = await world().person();
  const dedicated = CATALOG.modules.filter(({ entry }) => entry !== "GENERIC");
  assertEquals(dedicated.map(({ code }) => code).sort(), Object.keys(DEDICATED_WRITES).sort());
  await assertWritesNothing(world(), async () => {
    for (const [moduleCode, [onCreate, onChange]] of Object.entries(DEDICATED_WRITES)) {
      const root = `/api/v2/records/${moduleCode}`;
      const writes = [
        ["record.create", "POST", root, onCreate],
        ["record.modify", "PATCH", `${root}/${ulid()}`, onChange],
        ["record.archive", "POST", `${root}/${ulid()}/archive`, onChange],
        ["record.restore", "POST", `${root}/not-an-id/restore`, onChange],
      ] as const;
      for (const [operation, method, path, code] of writes) {
        const keyed = { key: "k", body: { title: "A", payload: {} } };
        const answers = [
          await person.call(method, path, keyed),
          await person.call(method, `${path}?unknown=1`),
        ];
        for (const response of answers) {
          assertEquals(assertFailure(response, code), { moduleCode, operation }, path);
        }
      }
    }
  });
});

Deno.test("Generic writes to a dedicated module are refused in the maintenance window too", async () => {
  await using own = await createWorld();
  const person = await own.person();
  await own.raw("update maintenance_window set active = true");
  const response = await person.call("POST", "/api/v2/records/memory", { key: "k", body: {} });
  assertFailure(response, "MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED");
  assertFailure(await run(person, "commitment", "CMT-001"), "FEATURE_NOT_IMPLEMENTED");
});

Deno.test("POST feature of a dedicated module fails closed even where the catalog implements it", async () => {
  const implemented = { status: "implemented_local", strategy: "record" } as const;
  await using own = await createWorld({
    catalog: catalogWith({
      "REL-001": implemented,
      "DEC-001": implemented,
      "RES-001": implemented,
    }),
    executors: { record: () => ({}) },
  });
  const person = await own.person();
  await assertWritesNothing(own, async () => {
    for (const [module, featureId] of [["relationship", "REL-001"], ["decision", "DEC-001"]]) {
      const response = await run(person, module ?? "", featureId ?? "");
      const code = DEDICATED_WRITES[module ?? ""]?.[1] ?? "INTERNAL_ERROR";
      assertFailure(response, code);
    }
    assertFailure(await run(person, "resource", "RES-001"), "RESOURCE_DEDICATED_ENDPOINT_REQUIRED");
  });
});

Deno.test("GET catalog describes every module with its fields, rules and features", async () => {
  const person = await world().person();
  const response = await person.call("GET", "/api/v2/catalog");
  assertEquals(response.status, 200);
  const { modules } = response.body.data;
  assertEquals(modules.length, CATALOG.modules.length);
  for (const [index, module] of CATALOG.modules.entries()) {
    const { normalise: _normalise, example: _example, ...described } = module;
    const expected = {
      ...described,
      entry: module.entry === "GENERIC" ? "GENERIC" : "DEDICATED",
      rules: module.rules.map(({ name, statement, fields }) => ({ name, statement, fields })),
      features: module.features.map(({ dedicatedCode: _code, ...feature }) => feature),
    };
    assertEquals(modules[index], JSON.parse(JSON.stringify(expected)));
  }
});

Deno.test("No route of the Record Kernel deletes", async () => {
  const person = await world().person();
  const made = await person.create("commitment", COMMITMENT);
  const paths = [COMMITMENTS, pathOf(made), `${pathOf(made)}/archive`, `${pathOf(made)}/revisions`];
  for (const path of paths) assertFailure(await person.call("DELETE", path), "HTTP_405");
  assertEquals((await person.call("GET", pathOf(made))).body.data, made);
});
