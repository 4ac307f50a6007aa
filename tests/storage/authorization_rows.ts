/** Rows of the authorization tables, and what their constraints must refuse. */

import { ulid } from "@std/ulid";
import type { Person } from "../support/world.ts";
import { insertInto, type Offences, type Row } from "./rows.ts";

const AT = "2026-11-20T12:00:00.000Z";

/** A digest of so many bytes that occurs nowhere else. */
export function digest(length = 32): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return "\\x" + bytes.toHex();
}

/** A session of a person that lives thirty days. */
export function newSession(person: Person, columns: Row = {}): Row {
  return {
    account_id: person.accountId,
    session_id: ulid(),
    secret_digest: digest(),
    transport: "bearer",
    created_at: AT,
    last_seen_at: AT,
    expires_at: "2026-12-20T12:00:00.000Z",
    ...columns,
  };
}

/** A token of a person that lives ninety days. */
export function newToken(person: Person, columns: Row = {}): Row {
  return {
    account_id: person.accountId,
    token_id: ulid(),
    name: "A token",
    secret_digest: digest(),
    created_at: AT,
    expires_at: "2027-02-18T12:00:00.000Z",
    ...columns,
  };
}

/** A proof of a person's session that lives five minutes. */
export function newProof(person: Person, columns: Row = {}): Row {
  return {
    account_id: person.accountId,
    proof_id: ulid(),
    session_id: person.sessionId,
    secret_digest: digest(),
    purpose: "IDENTITY_PUBLISH",
    target_id: ulid(),
    created_at: AT,
    expires_at: "2026-11-20T12:05:00.000Z",
    ...columns,
  };
}

/** An access event of a person. */
export function newEvent(person: Person, columns: Row = {}): Row {
  const row = { account_id: person.accountId, event_id: ulid(), event: "LOGIN" };
  return { ...row, request_id: "a-request", created_at: AT, ...columns };
}

const session = (person: Person, columns: Row) =>
  insertInto("sessions", newSession(person, columns));
const token = (person: Person, columns: Row) => insertInto("tokens", newToken(person, columns));
const proof = (person: Person, columns: Row) =>
  insertInto("step_up_proofs", newProof(person, columns));
const event = (person: Person, columns: Row) =>
  insertInto("access_events", newEvent(person, columns));

const ROLE = "01KAGQ0000RANK000000000004";
const PERMISSION = "01KAGQ0000PERM000000000001";

const DIGESTS = ["", "192.0.2.1", "0".repeat(15), "0".repeat(17), "G".repeat(16)];
const CLIENTS = ["", "curl/8", "x".repeat(65), "a\nb", "Firefox on Windows;"];

/** What the constraints of `sql/0006_authorization.sql` and `sql/0012…` must refuse, by their names. */
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
  token_of_account: (person) => [token(person, { account_id: ulid() })],
  token_name_length: (person) => ["", "x".repeat(201)].map((name) => token(person, { name })),
  token_digest_unique: (person) => {
    const same = { secret_digest: digest() };
    return [token(person, same) + token(person, same)];
  },
  token_digest_length: (person) =>
    [0, 31, 33].map((length) => token(person, { secret_digest: digest(length) })),
  token_lifetime: (person) =>
    [AT, "2026-11-20T11:59:59.999Z", "2027-11-20T12:00:00.001Z", "infinity"].map((expires_at) =>
      token(person, { expires_at })
    ),
  session_lifetime: (person) =>
    ["2027-11-20T12:00:00.001Z", "infinity"].map((expires_at) => session(person, { expires_at })),
  session_address_digest_form: (person) =>
    DIGESTS.map((address_digest) => session(person, { address_digest })),
  session_client_form: (person) => CLIENTS.map((client) => session(person, { client })),
  session_seen_in_its_life: (person) =>
    ["2026-12-20T12:00:00.001Z", "infinity"].map((last_seen_at) =>
      session(person, { last_seen_at })
    ),
  token_permission_of_token: (person) => [
    insertInto("token_permissions", {
      account_id: person.accountId,
      token_id: ulid(),
      permission_id: PERMISSION,
    }),
  ],
  token_permission_of_permission: (person) => {
    const row = newToken(person);
    const { account_id = null, token_id = null } = row;
    return [
      insertInto("tokens", row) +
      insertInto("token_permissions", { account_id, token_id, permission_id: ulid() }),
    ];
  },
  step_up_proof_of_session: (person) => [
    proof(person, { session_id: ulid() }),
    proof(person, { account_id: ulid() }),
  ],
  step_up_proof_digest_unique: (person) => {
    const same = { secret_digest: digest() };
    return [proof(person, same) + proof(person, same)];
  },
  step_up_proof_digest_length: (person) =>
    [0, 31, 33].map((length) => proof(person, { secret_digest: digest(length) })),
  step_up_purpose_known: (person) =>
    ["", "identity_publish", "IDENTITY_PUBLISH ", "ANYTHING"].map((purpose) =>
      proof(person, { purpose })
    ),
  step_up_proof_lifetime: (person) =>
    [AT, "2026-11-20T11:59:59.999Z", "2026-11-20T12:05:00.001Z", "infinity"].map((expires_at) =>
      proof(person, { expires_at })
    ),
  access_event_known: (person) =>
    ["", "login", "LOGIN ", "RECORD_READ"].map((name) => event(person, { event: name })),
  access_event_credential_known: (person) =>
    ["", "session", "PASSWORD"].map((kind) => event(person, { credential_kind: kind })),
  access_event_address_digest_form: (person) =>
    DIGESTS.map((address_digest) => event(person, { address_digest })),
  access_event_client_form: (person) => CLIENTS.map((client) => event(person, { client })),
};
