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

Deno.test("permissionsOfAccount() gives a role what the matrix says", () => {
  const all = permissionsOfAccount({ role: "OWNER", granted: null }, ROLES);
  assertEquals(all, new Set(PERMISSIONS));
});

Deno.test("permissionsOfAccount() gives an unknown role, and an account without one, nothing", () => {
  for (const role of [null, "", "owner", "ROOT", "EDITOR", "constructor", "__proto__"]) {
    assertEquals(permissionsOfAccount({ role, granted: null }, ROLES).size, 0, `${role}`);
  }
});

Deno.test("permissionsOfAccount() adds single grants, and drops names that it does not know", () => {
  const granted = "record.read record.destroy  constructor RECORD.WRITE";
  const permissions = permissionsOfAccount({ role: "SERVICE", granted }, ROLES);
  assertEquals([...permissions].sort(), ["platform.operate", "record.read"]);
});

Deno.test("readNames() reads nothing from nothing", () => {
  assertEquals(readNames(""), []);
});

Deno.test("Permissions and roles have distinct canonical identifiers", () => {
  const identifiers = [...Object.values(PERMISSION_IDS), ...Object.values(ROLE_IDS)];
  assertEquals(new Set<string>(identifiers).size, identifiers.length);
  for (const identifier of identifiers) assertEquals(isUlid(identifier), true, identifier);
});

Deno.test("isPermission() and isRole() know no name of an object's own machinery", () => {
  for (const name of ["toString", "constructor", "__proto__", ""]) {
    assertEquals([isPermission(name), isRole(name)], [false, false], name);
  }
});
