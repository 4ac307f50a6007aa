/** Rows of second factors, and what their constraints must refuse. */

import { ulid } from "@std/ulid";
import type { Person } from "../support/world.ts";
import { digest } from "./authorization_rows.ts";
import { AT, insertInto, type Offences, type Row } from "./rows.ts";

/** A secret of a person's session that waits for its first code. */
export function newPending(person: Person, columns: Row = {}): Row {
  return {
    account_id: person.accountId,
    session_id: person.sessionId,
    encrypted_secret: digest(48),
    created_at: AT,
    expires_at: "2026-11-20T12:10:00.000Z",
    ...columns,
  };
}

/** The factor of a person. */
export function newFactor({ accountId }: Person, columns: Row = {}): Row {
  const row = { account_id: accountId, encrypted_secret: digest(48), enabled_at: AT };
  return { ...row, last_step: 60_000_000, ...columns };
}

/** A recovery code of a person, who must have a factor. */
export function newRecoveryCode({ accountId }: Person, columns: Row = {}): Row {
  return { account_id: accountId, code_digest: digest(), created_at: AT, ...columns };
}

const pending = (person: Person, columns: Row) =>
  insertInto("pending_second_factors", newPending(person, columns));
const factor = (person: Person, columns: Row = {}) =>
  insertInto("second_factors", newFactor(person, columns));
const recoveryCode = (person: Person, columns: Row = {}) =>
  insertInto("recovery_codes", newRecoveryCode(person, columns));

/** What the constraints of `sql/0022_second_factor.sql` must refuse, by their names. */
export const SECOND_FACTOR_OFFENCES: Readonly<Record<string, Offences>> = {
  pending_second_factor_of_session: (person) => [
    pending(person, { session_id: ulid() }),
    pending(person, { account_id: ulid() }),
  ],
  pending_second_factor_secret_length: (person) =>
    [0, 20, 47, 49].map((length) => pending(person, { encrypted_secret: digest(length) })),
  pending_second_factor_lifetime: (person) =>
    [AT, "2026-11-20T11:59:59.999Z", "2026-11-20T12:10:00.001Z", "infinity"].map((expires_at) =>
      pending(person, { expires_at })
    ),
  second_factor_of_account: (person) => [factor(person, { account_id: ulid() })],
  second_factor_secret_length: (person) =>
    [0, 20, 47, 49].map((length) => factor(person, { encrypted_secret: digest(length) })),
  second_factor_step_positive: (person) =>
    [0, -1].map((last_step) => factor(person, { last_step })),
  recovery_code_of_factor: (person) => [recoveryCode(person)],
  recovery_code_digest_length: (person) =>
    [0, 31, 33].map((length) =>
      factor(person) + recoveryCode(person, { code_digest: digest(length) })
    ),
};
