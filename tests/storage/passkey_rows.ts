/** Rows of passkeys, and rows that violate their constraints. */

import { ulid } from "@std/ulid";
import type { Caller } from "../support/world.ts";
import { digest } from "./authorization_rows.ts";
import { AT, insertInto, type Offences, type Row } from "./rows.ts";

const AFTER_FIVE_MINUTES = "2026-11-20T12:05:00.000Z";

/** The identifier by which authenticators know a caller. */
export function newUser({ accountId }: Pick<Caller, "accountId">, columns: Row = {}): Row {
  return { account_id: accountId, user_handle: digest(), ...columns };
}

/** A passkey of a caller, who must have such an identifier. */
export function newPasskey({ accountId }: Pick<Caller, "accountId">, columns: Row = {}): Row {
  return {
    account_id: accountId,
    passkey_id: ulid(),
    name: "A key",
    host_name: "records.example",
    algorithm: "ES256",
    credential: digest(),
    public_key: digest(77),
    transports: "usb nfc",
    backup_eligible: true,
    backed_up: false,
    counter: 5,
    created_at: AT,
    ...columns,
  };
}

/** A challenge of a caller's session. */
export function newCeremony(caller: Caller, columns: Row = {}): Row {
  return {
    account_id: caller.accountId,
    ceremony_id: ulid(),
    session_id: caller.sessionId,
    challenge: digest(),
    created_at: AT,
    expires_at: AFTER_FIVE_MINUTES,
    ...columns,
  };
}

const user = (caller: Caller, columns: Row = {}) =>
  insertInto("passkey_users", newUser(caller, columns));
const passkey = (caller: Caller, columns: Row = {}) =>
  user(caller) + insertInto("passkeys", newPasskey(caller, columns));
const ceremony = (caller: Caller, columns: Row) =>
  insertInto("passkey_ceremonies", newCeremony(caller, columns));

const host = (columns: Row) =>
  insertInto("passkey_host", { host_name: "records.example", ...columns });

/** Rows that violate the constraints of passkeys, by the names of these. */
export const PASSKEY_OFFENCES: Readonly<Record<string, Offences>> = {
  passkey_user_of_account: (caller) => [user(caller, { account_id: ulid() })],
  passkey_user_handle_length: (caller) =>
    [0, 31, 33].map((length) => user(caller, { user_handle: digest(length) })),
  passkey_of_user: (caller) => [insertInto("passkeys", newPasskey(caller))],
  passkey_name_length: (caller) => ["", "x".repeat(101)].map((name) => passkey(caller, { name })),
  passkey_host_name_length: (caller) =>
    ["", "x".repeat(254)].map((host_name) => passkey(caller, { host_name })),
  passkey_algorithm_known: (caller) =>
    ["", "es256", "ES384"].map((algorithm) => passkey(caller, { algorithm })),
  passkey_credential_unique: (caller) => {
    const same = { credential: digest() };
    return [passkey(caller, same) + insertInto("passkeys", newPasskey(caller, same))];
  },
  passkey_credential_length: (caller) =>
    [0, 1024].map((length) => passkey(caller, { credential: digest(length) })),
  passkey_public_key_length: (caller) =>
    [0, 2049].map((length) => passkey(caller, { public_key: digest(length) })),
  passkey_transports_known: (caller) =>
    [" ", "usb ", "usb  nfc", "USB", "usb,nfc", "usb\nnfc", "telepathy"].map((transports) =>
      passkey(caller, { transports })
    ),
  passkey_counter_range: (caller) => [-1, 2 ** 32].map((counter) => passkey(caller, { counter })),
  passkey_backed_up_is_eligible: (caller) => [
    passkey(caller, { backup_eligible: false, backed_up: true }),
  ],
  passkey_removed_without_key: (caller) => [
    passkey(caller, { removed_at: AT }),
    passkey(caller, { removed_at: AT, credential: null }),
    passkey(caller, { removed_at: AT, public_key: null }),
    passkey(caller, { credential: null, public_key: null }),
  ],
  passkey_host_single: () => [host({ singleton: false })],
  passkey_host_length: () => ["", "x".repeat(254)].map((host_name) => host({ host_name })),
  passkey_ceremony_of_session: (caller) => [ceremony(caller, { session_id: ulid() })],
  passkey_ceremony_challenge_length: (caller) =>
    [0, 31, 33].map((length) => ceremony(caller, { challenge: digest(length) })),
  passkey_ceremony_lifetime: (caller) =>
    [AT, "2026-11-20T11:59:59.999Z", "2026-11-20T12:05:00.001Z", "infinity"].map((expires_at) =>
      ceremony(caller, { expires_at })
    ),
  passkey_ceremony_target_has_purpose: (caller) => [ceremony(caller, { target_id: ulid() })],
};
