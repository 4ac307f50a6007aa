import { isPermission, type Permission, PERMISSIONS } from "../access/permissions.ts";
import { STEP_UP_PURPOSES } from "../access/step_up.ts";
import { MODULE_CODES } from "../catalog/module_codes.ts";
import { emailAddress, newPassword } from "../validate/account_fields.ts";
import { enumOf, type JsonSchema, objectOf } from "../validate/json_schema.ts";
import {
  boolean,
  distinctStrings,
  identifier,
  oneOf,
  optional,
  type Schema,
  string,
  stringMatching,
  timestamp,
} from "../validate/schema.ts";

/** How a client wants its new session. */
export const SIGN_IN = {
  transport: optional(oneOf("cookie", "bearer")),
  deviceName: optional(string({ maximum: 200 })),
};
const presentPassword = string({ maximum: 1024, blank: true, multiline: true });
const totpCode = stringMatching("field.format", (text) => /^[0-9]{6}$/.test(text), {
  type: "string",
  pattern: "^[0-9]{6}$",
});
/** A request has at most one of the two. */
const SECOND_FACTOR = {
  code: optional(totpCode),
  recoveryCode: optional(string({ maximum: 100 })),
};
const names = distinctStrings(PERMISSIONS.length, 64);
const codes = distinctStrings(MODULE_CODES.length, 64);

const permissionNames: Schema<Permission[]> = {
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

/** One or more modules of the catalog, answered in its order. */
export const moduleCodes: Schema<readonly string[]> = {
  check(value, field, violations) {
    const listed = codes.check(value, field, violations);
    if (listed === undefined) return undefined;
    if (listed.length === 0) violations.add("field.length", field);
    const known = MODULE_CODES.filter((code) => listed.includes(code));
    if (listed.some((code) => !MODULE_CODES.includes(code))) violations.add("field.option", field);
    return known;
  },
  json: { ...codes.json, items: enumOf(MODULE_CODES), minItems: 1 },
};

export const SETUP_BODY = {
  setupToken: string({ maximum: 200 }),
  email: emailAddress,
  password: newPassword,
  displayName: string({ maximum: 200 }),
  ...SIGN_IN,
};
export const LOGIN_BODY = {
  email: string({ maximum: 254, blank: true }),
  password: presentPassword,
  ...SECOND_FACTOR,
  ...SIGN_IN,
};
export const PASSWORD_BODY = {
  currentPassword: presentPassword,
  ...SECOND_FACTOR,
  newPassword,
  revokeTokens: optional(boolean),
};
export const STEP_UP_BODY = {
  password: presentPassword,
  ...SECOND_FACTOR,
  purpose: oneOf(...STEP_UP_PURPOSES),
  targetId: optional(identifier),
};
export const SECOND_FACTOR_BODY = { code: totpCode };
export const TOKEN_BODY = {
  name: string({ maximum: 200 }),
  permissions: permissionNames,
  modules: optional(moduleCodes),
  expiresAt: optional(timestamp),
};

export const EXAMPLE = {
  email: "someone@example.org",
  password: "correct horse battery staple",
} as const;

/** A component with the members of another one and more. */
export function extended(
  component: string,
  { properties, required = [] }: JsonSchema,
  more: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const all = objectOf({ ...properties, ...more });
  return { ...all, component, required: [...required, ...Object.keys(more)] };
}
