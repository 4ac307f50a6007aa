import { assertEquals } from "@std/assert";
import { permissionsOfAccount, readNames } from "../../../src/access/account_row.ts";
import {
  isPermission,
  isRole,
  PERMISSION_IDS,
  PERMISSIONS,
  ROLE_IDS,
} from "../../../src/access/permissions.ts";
import { isUlid } from "../../../src/core/ids.ts";

const ROLES = new Map([
  ["OWNER", new Set(PERMISSIONS)],
  ["SERVICE", new Set(["platform.operate"] as const)],
]);

Deno.test("permissionsOfAccount() returns a role's permissions from the matrix", () => {
  const all = permissionsOfAccount({ role: "OWNER", granted: null }, ROLES);
  assertEquals(all, new Set(PERMISSIONS));
});

Deno.test("permissionsOfAccount() returns nothing for an unknown role or none", () => {
  for (const role of [null, "", "owner", "ROOT", "EDITOR", "constructor", "__proto__"]) {
    assertEquals(permissionsOfAccount({ role, granted: null }, ROLES).size, 0, `${role}`);
  }
});

Deno.test("permissionsOfAccount() adds single grants, and drops unknown names", () => {
  const granted = "record.read record.destroy  constructor RECORD.WRITE";
  const permissions = permissionsOfAccount({ role: "SERVICE", granted }, ROLES);
  assertEquals([...permissions].sort(), ["platform.operate", "record.read"]);
});

Deno.test("readNames() reads an empty text as no names", () => {
  assertEquals(readNames(""), []);
});

Deno.test("Permissions and roles have distinct canonical identifiers", () => {
  const identifiers = [...Object.values(PERMISSION_IDS), ...Object.values(ROLE_IDS)];
  assertEquals(new Set<string>(identifiers).size, identifiers.length);
  for (const identifier of identifiers) assertEquals(isUlid(identifier), true, identifier);
});

Deno.test("isPermission() and isRole() reject names of inherited members", () => {
  for (const name of ["toString", "constructor", "__proto__", ""]) {
    assertEquals([isPermission(name), isRole(name)], [false, false], name);
  }
});
