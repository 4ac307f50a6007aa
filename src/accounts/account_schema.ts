import { STEP_UP_PURPOSES } from "../access/step_up.ts";
import { MODULE_CODES } from "../catalog/module_codes.ts";
import type { Kind } from "../kit/columns.ts";
import { shortText } from "../kit/kinds.ts";
import { emailAddress, newPassword } from "../validate/account_fields.ts";
import { enumOf, type JsonSchema, listOf, objectOf, TEXT } from "../validate/json_schema.ts";
import {
  boolean,
  distinctStrings,
  identifier,
  oneOf,
  optional,
  type Schema,
  string,
  stringMatching,
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
const codes = distinctStrings(MODULE_CODES.length, 64);

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

/** Stored codes of modules, with a space between. */
export const moduleList: Kind<string, readonly string[]> = {
  ...shortText(listOf(TEXT)),
  show: (codes) => codes.split(" "),
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

export const EXAMPLE = {
  email: "someone@example.org",
  password: "correct horse battery staple",
} as const;

/** A component with the members of another one and more, all of them required except the listed. */
export function extended(
  component: string,
  { properties, required = [] }: JsonSchema,
  more: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const added = objectOf(more, optional).required ?? [];
  const all = objectOf({ ...properties, ...more });
  return { ...all, component, required: [...required, ...added] };
}
