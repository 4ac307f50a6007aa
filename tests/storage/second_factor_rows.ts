/** Rows of second factors, and rows that the tables must reject. */

import { ulid } from "@std/ulid";
import type { Caller } from "../support/world.ts";
import { digest } from "./authorization_rows.ts";
import { AT, insertInto, type Offences, type Row } from "./rows.ts";

/** Waits for its first code. */
export function newPending(caller: Caller, columns: Row = {}): Row {
  return {
    account_id: caller.accountId,
    session_id: caller.sessionId,
    encrypted_secret: digest(48),
    created_at: AT,
    expires_at: "2026-11-20T12:10:00.000Z",
    ...columns,
  };
}

export function newFactor({ accountId }: Caller, columns: Row = {}): Row {
  const row = { account_id: accountId, encrypted_secret: digest(48), enabled_at: AT };
  return { ...row, last_step: 60_000_000, wrong_codes: 0, ...columns };
}

/** The caller must have a factor. */
export function newRecoveryCode({ accountId }: Caller, columns: Row = {}): Row {
  return { account_id: accountId, code_digest: digest(), created_at: AT, ...columns };
}

const pending = (caller: Caller, columns: Row) =>
  insertInto("pending_second_factors", newPending(caller, columns));
const factor = (caller: Caller, columns: Row = {}) =>
  insertInto("second_factors", newFactor(caller, columns));
const recoveryCode = (caller: Caller, columns: Row = {}) =>
  insertInto("recovery_codes", newRecoveryCode(caller, columns));

/** By constraint of `sql/0002_access.sql`. */
export const SECOND_FACTOR_OFFENCES: Readonly<Record<string, Offences>> = {
  pending_second_factor_of_session: (caller) => [
    pending(caller, { session_id: ulid() }),
    pending(caller, { account_id: ulid() }),
  ],
  pending_second_factor_secret_length: (caller) =>
    [0, 20, 47, 49].map((length) => pending(caller, { encrypted_secret: digest(length) })),
  pending_second_factor_lifetime: (caller) =>
    [AT, "2026-11-20T11:59:59.999Z", "2026-11-20T12:10:00.001Z", "infinity"].map((expires_at) =>
      pending(caller, { expires_at })
    ),
  second_factor_of_account: (caller) => [factor(caller, { account_id: ulid() })],
  second_factor_secret_length: (caller) =>
    [0, 20, 47, 49].map((length) => factor(caller, { encrypted_secret: digest(length) })),
  second_factor_step_positive: (caller) =>
    [0, -1].map((last_step) => factor(caller, { last_step })),
  second_factor_wrong_codes_range: (caller) =>
    [-1, 21].map((wrong_codes) => factor(caller, { wrong_codes })),
  recovery_code_of_factor: (caller) => [recoveryCode(caller)],
  recovery_code_digest_length: (caller) =>
    [0, 31, 33].map((length) =>
      factor(caller) + recoveryCode(caller, { code_digest: digest(length) })
    ),
};
