import { distinctStrings, type Schema } from "../validate/schema.ts";
import { enumOf } from "../validate/json_schema.ts";
import { isPermission, type Permission, PERMISSIONS } from "../access/permissions.ts";

const names = distinctStrings(PERMISSIONS.length, 64);

/** At least one permission, each by its public name. */
export const permissionNames: Schema<Permission[]> = {
  check(value, field, violations) {
    const listed = names.check(value, field, violations);
    if (listed === undefined) return undefined;
    if (listed.length === 0) violations.add("field.length", field);
    const known = listed.filter(isPermission);
    if (known.length < listed.length) violations.add("field.option", field);
    return known;
  },
  json: { ...names.json, items: enumOf(PERMISSIONS), minItems: 1 },
};
