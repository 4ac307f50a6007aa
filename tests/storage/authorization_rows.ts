/** Rows of the authorization tables, and rows that they must reject. */

import { ulid } from "@std/ulid";
import type { Caller } from "../support/world.ts";
import { insertInto, type Offences, type Row } from "./rows.ts";

const AT = "2026-11-20T12:00:00.000Z";

/** Makes a value that occurs nowhere else. */
export function digest(length = 32): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return "\\x" + bytes.toHex();
}

/** Lasts thirty days. */
export function newSession(caller: Caller, columns: Row = {}): Row {
  return {
    account_id: caller.accountId,
    session_id: ulid(),
    secret_digest: digest(),
    transport: "bearer",
    created_at: AT,
    last_seen_at: AT,
    expires_at: "2026-12-20T12:00:00.000Z",
    ...columns,
  };
}

/** Lasts ninety days. */
export function newToken(caller: Caller, columns: Row = {}): Row {
  return {
    account_id: caller.accountId,
    token_id: ulid(),
    name: "A token",
    secret_digest: digest(),
    created_at: AT,
    expires_at: "2027-02-18T12:00:00.000Z",
    ...columns,
  };
}

/** Lasts five minutes. */
export function newProof(caller: Caller, columns: Row = {}): Row {
  return {
    account_id: caller.accountId,
    proof_id: ulid(),
    session_id: caller.sessionId,
    secret_digest: digest(),
    purpose: "IDENTITY_PUBLISH",
    target_id: ulid(),
    created_at: AT,
    expires_at: "2026-11-20T12:05:00.000Z",
    ...columns,
  };
}

export function newEvent(caller: Caller, columns: Row = {}): Row {
  const row = { account_id: caller.accountId, event_id: ulid(), event: "LOGIN" };
  return { ...row, request_id: "a-request", created_at: AT, ...columns };
}

const session = (caller: Caller, columns: Row) =>
  insertInto("sessions", newSession(caller, columns));
const token = (caller: Caller, columns: Row) => insertInto("tokens", newToken(caller, columns));
const proof = (caller: Caller, columns: Row) =>
  insertInto("step_up_proofs", newProof(caller, columns));
const event = (caller: Caller, columns: Row) =>
  insertInto("access_events", newEvent(caller, columns));

const ROLE = "01KAGQ0000RANK000000000004";
const PERMISSION = "01KAGQ0000PERM000000000001";

const DIGESTS = ["", "192.0.2.1", "0".repeat(15), "0".repeat(17), "G".repeat(16)];
const CLIENTS = ["", "curl/8", "x".repeat(65), "a\nb", "Firefox on Windows;"];

/** By constraint of `sql/0002_access.sql`. */
export const AUTHORIZATION_OFFENCES: Readonly<Record<string, Offences>> = {
  permission_name_unique: () => [
    insertInto("permissions", { permission_id: ulid(), name: "record.read" }),
  ],
  role_name_unique: () => [insertInto("roles", { role_id: ulid(), name: "OWNER" })],
  role_permission_of_role: () => [
    insertInto("role_permissions", { role_id: ulid(), permission_id: PERMISSION }),
  ],
  role_permission_of_permission: () => [
    insertInto("role_permissions", { role_id: ROLE, permission_id: ulid() }),
  ],
  account_permission_of_account: () => [
    insertInto("account_permissions", { account_id: ulid(), permission_id: PERMISSION }),
  ],
  account_permission_of_permission: ({ accountId }) => [
    insertInto("account_permissions", { account_id: accountId, permission_id: ulid() }),
  ],
  token_of_account: (caller) => [token(caller, { account_id: ulid() })],
  token_name_length: (caller) => ["", "x".repeat(201)].map((name) => token(caller, { name })),
  token_digest_unique: (caller) => {
    const same = { secret_digest: digest() };
    return [token(caller, same) + token(caller, same)];
  },
  token_digest_length: (caller) =>
    [0, 31, 33].map((length) => token(caller, { secret_digest: digest(length) })),
  token_lifetime: (caller) =>
    [AT, "2026-11-20T11:59:59.999Z", "2027-11-20T12:00:00.001Z", "infinity"].map((expires_at) =>
      token(caller, { expires_at })
    ),
  session_lifetime: (caller) =>
    ["2027-11-20T12:00:00.001Z", "infinity"].map((expires_at) => session(caller, { expires_at })),
  session_address_digest_form: (caller) =>
    DIGESTS.map((address_digest) => session(caller, { address_digest })),
  session_client_form: (caller) => CLIENTS.map((client) => session(caller, { client })),
  session_seen_in_its_life: (caller) =>
    ["2026-12-20T12:00:00.001Z", "infinity"].map((last_seen_at) =>
      session(caller, { last_seen_at })
    ),
  token_permission_of_token: (caller) => [
    insertInto("token_permissions", {
      account_id: caller.accountId,
      token_id: ulid(),
      permission_id: PERMISSION,
    }),
  ],
  token_permission_of_permission: (caller) => {
    const row = newToken(caller);
    const { account_id = null, token_id = null } = row;
    return [
      insertInto("tokens", row) +
      insertInto("token_permissions", { account_id, token_id, permission_id: ulid() }),
    ];
  },
  step_up_proof_of_session: (caller) => [
    proof(caller, { session_id: ulid() }),
    proof(caller, { account_id: ulid() }),
  ],
  step_up_proof_digest_unique: (caller) => {
    const same = { secret_digest: digest() };
    return [proof(caller, same) + proof(caller, same)];
  },
  step_up_proof_digest_length: (caller) =>
    [0, 31, 33].map((length) => proof(caller, { secret_digest: digest(length) })),
  step_up_purpose_known: (caller) =>
    ["", "identity_publish", "IDENTITY_PUBLISH ", "ANYTHING"].map((purpose) =>
      proof(caller, { purpose })
    ),
  step_up_proof_lifetime: (caller) =>
    [AT, "2026-11-20T11:59:59.999Z", "2026-11-20T12:05:00.001Z", "infinity"].map((expires_at) =>
      proof(caller, { expires_at })
    ),
  access_event_known: (caller) =>
    ["", "login", "LOGIN ", "RECORD_READ"].map((name) => event(caller, { event: name })),
  access_event_credential_known: (caller) =>
    ["", "session", "PASSWORD"].map((kind) => event(caller, { credential_kind: kind })),
  access_event_address_digest_form: (caller) =>
    DIGESTS.map((address_digest) => event(caller, { address_digest })),
  access_event_client_form: (caller) => CLIENTS.map((client) => event(caller, { client })),
};
