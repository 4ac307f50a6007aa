import { assertEquals } from "@std/assert";
import { PERMISSIONS, permissionsOf } from "../../../src/access/permissions.ts";

Deno.test("permissionsOf() gives an owner every permission", () => {
  assertEquals(permissionsOf("OWNER"), new Set(PERMISSIONS));
});

Deno.test("permissionsOf() gives an unknown role none", () => {
  for (const role of ["", "owner", "ROOT", "constructor", "__proto__", "toString"]) {
    assertEquals(permissionsOf(role).size, 0, role);
  }
});
