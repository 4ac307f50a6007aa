/** Tokens: columns, public form and body. No SQL, no HTTP. */

import { readNames } from "../access/account_row.ts";
import { isPermission, type Permission, PERMISSIONS } from "../access/permissions.ts";
import { DAY_MS } from "../core/clock.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import {
  type Kind,
  membersOf,
  orNull,
  type RowOf,
  showColumns,
  type ShownOf,
} from "../kit/columns.ts";
import { id, shortText, stamp } from "../kit/kinds.ts";
import { component, enumOf, type JsonSchema, listOf } from "../validate/json_schema.ts";
import {
  distinctStrings,
  type InferObject,
  optional,
  type Schema,
  string,
  timestamp,
} from "../validate/schema.ts";
import { moduleCodes, moduleList } from "./account_schema.ts";

const LIFETIME_MS = { standard: 90 * DAY_MS, maximum: 365 * DAY_MS } as const;

/** Names of permissions with a space between. */
const permissionList: Kind<string, readonly Permission[]> = {
  ...shortText(listOf(enumOf(PERMISSIONS))),
  show: (names) => readNames(names).sort(),
};

/** The members of the public form, in its order. */
const SHOWN = {
  token_id: id,
  name: shortText(),
  /** Rows of `token_permissions`; the account's current permissions limit them. */
  permissions: permissionList,
  /** The modules that the token is limited to; null without a limit. */
  modules: orNull(moduleList),
  created_at: stamp,
  expires_at: stamp,
  last_used_at: orNull(stamp),
};

const { permissions: _, ...STORED } = SHOWN;

/** Columns of `tokens`, without the digest of the secret. */
export const TOKEN = STORED;

export type TokenRow = RowOf<typeof SHOWN>;
export type Token = ShownOf<typeof SHOWN>;

export const TOKEN_SCHEMA: JsonSchema = component<Token>("Token", membersOf(SHOWN));

export function toToken(row: TokenRow): Token {
  return showColumns(SHOWN, row);
}

const names = distinctStrings(PERMISSIONS.length, 64);

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

export const TOKEN_BODY = {
  name: string({ maximum: 200 }),
  permissions: permissionNames,
  modules: optional(moduleCodes),
  expiresAt: optional(timestamp),
};

/** The columns that a request states. */
export type NewToken = Pick<TokenRow, "name" | "permissions" | "modules" | "expires_at">;

/** @throws ServiceError `PAYLOAD_INVALID` for a past end, or one over 365 days away. */
export function toNewToken(
  { name, permissions, modules, expiresAt }: InferObject<typeof TOKEN_BODY>,
  now: Date,
): NewToken {
  const expires_at = expiresAt ?? new Date(now.getTime() + LIFETIME_MS.standard);
  const lifetime = expires_at.getTime() - now.getTime();
  if (lifetime <= 0 || lifetime > LIFETIME_MS.maximum) {
    throw payloadInvalid(["field.range"], ["expiresAt"]);
  }
  return {
    name,
    permissions: permissions.join(" "),
    modules: modules?.join(" ") ?? null,
    expires_at,
  };
}
