/** Features and modules that the generic entry does not serve. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { CATALOG } from "../../src/catalog/catalog.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { anotherProcess, type Caller, createWorld, sharedWorld } from "../support/world.ts";
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

function run(caller: Caller, module: string, featureId: string, recordId = ulid()) {
  const path = `/api/v2/records/${module}/${recordId}/features/${featureId}`;
  return caller.call("POST", path, { key: ulid(), body: {} });
}

Deno.test("POST feature answers each of the 192 features with its own code and writes nothing", async () => {
  const caller = await world().createCaller();
  const features = CATALOG.modules.flatMap((module) =>
    module.features.map(({ id }) => ({ moduleCode: module.code, featureId: id }))
  );
  assertEquals(features.length, 24 * 8);
  await assertWritesNothing(world(), async () => {
    for (const details of features) {
      const { moduleCode, featureId } = details;
      const response = await run(caller, moduleCode, featureId);
      assertEquals(assertFailure(response, expectedCode(featureId), featureId), details);
      assertEquals("data" in response.body, response.status === 501 && !/^IDN/.test(featureId));
    }
  });
});

Deno.test("POST feature rejects a partial feature before it reads record, key or body", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const path = `${pathOf(made)}/features/CMT-001`;
  await assertWritesNothing(world(), async () => {
    assertFailure(await run(caller, "commitment", "CMT-001", "no-id"), "FEATURE_NOT_IMPLEMENTED");
    assertFailure(await caller.call("POST", path), "FEATURE_NOT_IMPLEMENTED");
    assertFailure(await caller.call("POST", `${path}?x=1`), "FEATURE_NOT_IMPLEMENTED");
    const twice = { key: "one-key", body: {} };
    assertFailure(await caller.call("POST", path, twice), "FEATURE_NOT_IMPLEMENTED");
    assertFailure(await caller.call("POST", path, twice), "FEATURE_NOT_IMPLEMENTED");
  });
});

Deno.test("POST feature distinguishes an unknown feature from another module's", async () => {
  const caller = await world().createCaller();
  const unknown = ["CMT-000", "CMT-009", "cmt-001", "CMT-01", "CMT", "XXX-001", "toString", "%00"];
  for (const featureId of unknown) {
    const response = await run(caller, "commitment", featureId);
    assertFailure(response, "FEATURE_NOT_FOUND", featureId);
  }
  for (const featureId of ["HLT-001", "MEM-001", "TAX-001", "IDN-001", "REL-001"]) {
    const response = await run(caller, "commitment", featureId);
    const details = assertFailure(response, "FEATURE_MODULE_MISMATCH", featureId);
    assertEquals(details, { moduleCode: "commitment", featureId });
  }
  assertFailure(await run(caller, "nothing", "CMT-001"), "RECORD_MODULE_NOT_FOUND");
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

Deno.test("Generic writes to the six dedicated modules are rejected and write nothing", async () => {
  const caller = await world().createCaller();
  const dedicated = CATALOG.modules.filter(({ access: entry }) => entry !== "GENERIC");
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
          await caller.call(method, path, keyed),
          await caller.call(method, `${path}?unknown=1`),
        ];
        for (const response of answers) {
          assertEquals(assertFailure(response, code), { moduleCode, operation }, path);
        }
      }
    }
  });
});

Deno.test("Generic writes to a dedicated module are rejected in the maintenance window too", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  await own.raw("update maintenance_window set active = true");
  const response = await caller.call("POST", "/api/v2/records/memory", { key: "k", body: {} });
  assertFailure(response, "MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED");
  assertFailure(await run(caller, "commitment", "CMT-001"), "FEATURE_NOT_IMPLEMENTED");
});

Deno.test("POST feature of a dedicated module fails closed even if the catalog implements it", async () => {
  const implemented = { status: "implemented_local", strategy: "record" } as const;
  const own = anotherProcess(world(), {
    catalog: catalogWith({
      "REL-001": implemented,
      "DEC-001": implemented,
      "RES-001": implemented,
    }),
    executors: { record: () => ({}) },
  });
  const caller = await own.createCaller();
  await assertWritesNothing(own, async () => {
    for (const [module, featureId] of [["relationship", "REL-001"], ["decision", "DEC-001"]]) {
      const response = await run(caller, module ?? "", featureId ?? "");
      const code = DEDICATED_WRITES[module ?? ""]?.[1] ?? "INTERNAL_ERROR";
      assertFailure(response, code);
    }
    assertFailure(await run(caller, "resource", "RES-001"), "RESOURCE_DEDICATED_ENDPOINT_REQUIRED");
  });
});

Deno.test("GET catalog describes every module with its fields, rules and features", async () => {
  const caller = await world().createCaller();
  const response = await caller.call("GET", "/api/v2/catalog");
  assertEquals(response.status, 200);
  const { modules } = response.body.data;
  assertEquals(modules.length, CATALOG.modules.length);
  for (const [index, module] of CATALOG.modules.entries()) {
    const { normalise: _normalise, example: _example, access, ...described } = module;
    const expected = {
      ...described,
      measure: module.measure ?? null,
      entry: access === "GENERIC" ? "GENERIC" : "DEDICATED",
      rules: module.rules.map(({ name, statement, fields }) => ({ name, statement, fields })),
      features: module.features.map(({ dedicatedCode: _code, ...feature }) => feature),
    };
    assertEquals(modules[index], JSON.parse(JSON.stringify(expected)));
  }
});

Deno.test("No route of the Record Kernel deletes", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const paths = [COMMITMENTS, pathOf(made), `${pathOf(made)}/archive`, `${pathOf(made)}/revisions`];
  for (const path of paths) assertFailure(await caller.call("DELETE", path), "HTTP_405");
  assertEquals((await caller.call("GET", pathOf(made))).body.data, made);
});
