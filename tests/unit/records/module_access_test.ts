import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Caller } from "../../../src/access/identity.ts";
import { type Permission, PERMISSIONS } from "../../../src/access/permissions.ts";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import { COMMITMENT } from "../../../src/catalog/modules/commitment.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import {
  requireFeature,
  requireGenericWrite,
  requireReadable,
  withinModule,
} from "../../../src/records/module_access.ts";

function identityWith(permissions: readonly Permission[]): Caller {
  const at = "2026-11-20T12:00:00.000Z";
  return {
    account: { accountId: "a", email: "e", displayName: "n", role: "OWNER", createdAt: at },
    credential: { kind: "SESSION", id: "s", expiresAt: at },
    permissions: new Set(permissions),
  };
}

/** Null on success. */
function codeOf(action: () => unknown): string | null {
  try {
    action();
    return null;
  } catch (error) {
    assert(error instanceof ServiceError);
    return error.code;
  }
}

function callOf(moduleCode: string, featureId: string) {
  return { params: { moduleCode, featureId }, operation: "record.feature" };
}

const FAMILY_READ: Readonly<Record<string, Permission>> = {
  relationship: "relationship.person.read",
  decision: "decision.read",
  identity: "identity.read",
  resource: "resource.read",
  memory: "memory.read",
  taxonomy: "taxonomy.read",
};

Deno.test("requireReadable() requires the family's permission for a dedicated module only", () => {
  for (const { code } of CATALOG.modules) {
    const needed = FAMILY_READ[code];
    const others = identityWith(PERMISSIONS.filter((permission) => permission !== needed));
    const expected = needed === undefined ? null : "FORBIDDEN";
    assertEquals(codeOf(() => requireReadable(CATALOG, code, others)), expected, code);
    assertEquals(
      codeOf(() => requireReadable(CATALOG, code, identityWith(PERMISSIONS))),
      null,
      code,
    );
  }
});

Deno.test("requireReadable() and requireGenericWrite() accept only the catalog's modules", () => {
  for (const code of ["", "nothing", "Commitment", "toString", "__proto__", undefined]) {
    const read = () => requireReadable(CATALOG, code, identityWith(PERMISSIONS));
    const write = () => requireGenericWrite(CATALOG, code, "record.create", "createCode");
    for (const check of [read, write]) assertEquals(codeOf(check), "RECORD_MODULE_NOT_FOUND", code);
  }
});

Deno.test("requireGenericWrite() allows generic modules and rejects dedicated ones", () => {
  for (const { code, access: entry } of CATALOG.modules) {
    for (const kind of ["createCode", "changeCode"] as const) {
      const refusal = codeOf(() => requireGenericWrite(CATALOG, code, "any.write", kind));
      assertEquals(refusal === null, entry === "GENERIC", code);
      if (refusal !== null) assert(refusal.endsWith("_DEDICATED_ENDPOINT_REQUIRED"));
    }
  }
});

Deno.test("requireFeature() allows no feature of the shipped catalog", () => {
  for (const module of CATALOG.modules) {
    for (const { id } of module.features) {
      assert(codeOf(() => requireFeature(CATALOG, callOf(module.code, id))) !== null, id);
    }
  }
});

Deno.test("withinModule() returns the module's own row and hides every other", () => {
  const row = { module_code: "commitment" };
  assertEquals(withinModule(CATALOG, COMMITMENT, row), row);
  const absent = [null, undefined, { module_code: "health" }];
  for (const other of absent) {
    const code = codeOf(() => withinModule(CATALOG, COMMITMENT, other));
    assertEquals(code, "RECORD_NOT_FOUND");
  }
});

Deno.test("withinModule() treats an unknown module as drift", () => {
  const drift = () => withinModule(CATALOG, COMMITMENT, { module_code: "bygone" });
  assert(!(assertThrows(drift, Error) instanceof ServiceError));
});
