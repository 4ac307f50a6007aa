/** The contracts of the access routes. */

import type { JsonObject } from "../../core/json.ts";
import { bodyOf, type Contract, type ResponseHeader } from "../../http/contract.ts";
import { PAGE_QUERY, pageOf } from "../../http/page.ts";
import { emailAddress, newPassword } from "../../validate/account_fields.ts";
import {
  COUNT,
  enumOf,
  type JsonSchema,
  listOf,
  objectOf,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import { boolean, identifier, oneOf, optional, string, timestamp } from "../../validate/schema.ts";
import { ACCOUNT_SCHEMA } from "../identity.ts";
import { PERMISSIONS } from "../permissions.ts";
import { SESSION_SCHEMA } from "../sessions.ts";
import { STEP_UP_PURPOSES } from "../step_up.ts";
import { TOKEN_SCHEMA } from "../tokens.ts";
import { permissionNames } from "./permission_names.ts";

const SIGN_IN = {
  transport: optional(oneOf("cookie", "bearer")),
  deviceName: optional(string({ maximum: 200 })),
};
const presentPassword = string({ maximum: 1024, blank: true, multiline: true });

/** The body of the set-up. */
export const SETUP_BODY = {
  setupToken: string({ maximum: 200 }),
  email: emailAddress,
  password: newPassword,
  displayName: string({ maximum: 200 }),
  ...SIGN_IN,
};
/** The body of a login. */
export const LOGIN_BODY = {
  email: string({ maximum: 254, blank: true }),
  password: presentPassword,
  ...SIGN_IN,
};
/** The body of a change of password. */
export const PASSWORD_BODY = {
  currentPassword: presentPassword,
  newPassword,
  revokeTokens: optional(boolean),
};
/** The body of a step-up. */
export const STEP_UP_BODY = {
  password: presentPassword,
  purpose: oneOf(...STEP_UP_PURPOSES),
  targetId: optional(identifier),
};
/** The body of a new token. */
export const TOKEN_BODY = {
  name: string({ maximum: 200 }),
  permissions: permissionNames,
  expiresAt: optional(timestamp),
};

const EMAIL = "someone@example.org";
const PASSWORD = "correct horse battery staple";
const BEARER = { email: EMAIL, password: PASSWORD, transport: "bearer" } as const;

const SIGNED_IN: JsonSchema = objectOf({
  account: ACCOUNT_SCHEMA,
  session: SESSION_SCHEMA,
  accessToken: { ...TEXT, description: "The session's secret, where `transport` is `bearer`." },
}, ["accessToken"]);

const SIGNED_IN_RESPONSE = { 200: { data: SIGNED_IN, headers: ["Set-Cookie"] } } as const;

/** One contract for each endpoint of set-up, login and logout. */
export const SIGN_IN_CONTRACTS = {
  setup: {
    summary: "Create the first account with the one-time set-up token and sign it in",
    body: bodyOf(SETUP_BODY, { setupToken: "prs_i_...", displayName: "Someone", ...BEARER }),
    responses: SIGNED_IN_RESPONSE,
    errors: ["SETUP_CLOSED", "ACCOUNT_CONFLICT", "AUTH_REQUIRED"],
  },
  login: {
    summary: "Sign in with email and password",
    body: bodyOf(LOGIN_BODY, BEARER),
    responses: SIGNED_IN_RESPONSE,
    errors: ["AUTH_REQUIRED"],
  },
  logout: {
    summary: "End the session that asks",
    ...answering(objectOf({ revoked: { const: true } }), ["Set-Cookie"]),
    errors: [],
  },
  session: {
    summary: "Tell who is asking and what it may do",
    ...answering(objectOf({
      account: ACCOUNT_SCHEMA,
      permissions: listOf(enumOf(PERMISSIONS)),
      credential: objectOf({ kind: enumOf(["SESSION", "TOKEN"]), expiresAt: TIME }),
    })),
    errors: [],
  },
} as const satisfies Record<string, Contract>;

/** One contract for each endpoint of sessions. */
export const SESSION_CONTRACTS = {
  listSessions: {
    summary: "List the account's open sessions, newest first",
    query: PAGE_QUERY,
    ...answering(pageOf({
      ...extended(SESSION_SCHEMA, { current: { type: "boolean" } }),
      component: "ListedSession",
    })),
    errors: [],
  },
  revokeSession: {
    summary: "End one session",
    ...answering(objectOf({ sessionId: ULID, revokedAt: TIME })),
    errors: ["RECORD_NOT_FOUND"],
  },
  revokeOtherSessions: {
    summary: "End every session but the one that asks",
    ...answering(objectOf({ revokedSessions: COUNT })),
    errors: [],
  },
} as const satisfies Record<string, Contract>;

/** One contract for each endpoint of personal access tokens. */
export const TOKEN_CONTRACTS = {
  listTokens: {
    summary: "List the account's valid tokens, newest first",
    query: PAGE_QUERY,
    ...answering(pageOf(TOKEN_SCHEMA)),
    errors: [],
  },
  createToken: {
    summary: "Create a token for a proof of the password and show its secret, this once",
    headers: ["Step-Up-Proof"],
    body: bodyOf(TOKEN_BODY, { name: "My program", permissions: ["record.read"] }),
    responses: {
      201: {
        data: { ...extended(TOKEN_SCHEMA, { token: TEXT }), component: "CreatedToken" },
      },
    },
    errors: ["STEP_UP_REQUIRED"],
  },
  token: {
    summary: "Describe a token",
    ...answering(TOKEN_SCHEMA),
    errors: ["RECORD_NOT_FOUND"],
  },
  revokeToken: {
    summary: "End one token",
    ...answering(objectOf({ tokenId: ULID, revokedAt: TIME })),
    errors: ["RECORD_NOT_FOUND"],
  },
} as const satisfies Record<string, Contract>;

const CHANGED: JsonObject = { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` };

/** One contract for each endpoint that asks for the current password. */
export const PASSWORD_CONTRACTS = {
  changePassword: {
    summary: "Set a new password; end all other sessions, and the tokens unless they are to go on",
    body: bodyOf(PASSWORD_BODY, CHANGED),
    ...answering(objectOf({ revokedSessions: COUNT, revokedTokens: COUNT })),
    errors: ["STEP_UP_REQUIRED"],
  },
  stepUp: {
    summary: "Confirm the current password and get a one-time proof of it",
    body: bodyOf(STEP_UP_BODY, { password: PASSWORD, purpose: "MEMORY_SECRET_EXPORT" }),
    ...answering(objectOf({ proof: TEXT, expiresAt: TIME })),
    errors: ["STEP_UP_REQUIRED"],
  },
} as const satisfies Record<string, Contract>;

function answering(
  data: JsonSchema,
  headers: readonly ResponseHeader[] = [],
): Pick<Contract, "responses"> {
  return { responses: { 200: { data, headers } } };
}

/** The members of an object and more of them. */
function extended(
  { properties, required = [] }: JsonSchema,
  more: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const all = objectOf({ ...properties, ...more });
  return { ...all, required: [...required, ...Object.keys(more)] };
}
