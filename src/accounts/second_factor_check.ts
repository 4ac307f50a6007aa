/** Checks the second factor, at sign-in, step-up and change of password, after a right password. */

import type { EventContext } from "../access/event_context.ts";
import type { Tx } from "../database/database.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import type { ConfirmationServices, Confirmed } from "./confirm_password.ts";
import { type AccessEvent, type AccessEventName, insertAccessEvent } from "./events.ts";
import type { SecretCipher } from "./secret_cipher.ts";
import {
  countWrongCode,
  findSecondFactor,
  isLocked,
  spendRecoveryCode,
  spendStep,
} from "./second_factor_store.ts";
import { matchingStep } from "./totp.ts";

export interface SecondFactorServices extends ConfirmationServices {
  readonly secrets: SecretCipher;
}

interface SentFactor {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

interface FactorAttempt {
  readonly confirmed: Confirmed;
  readonly sent: SentFactor;
  readonly context: EventContext;
  /** Null at sign-in. */
  readonly credential: AccessEvent["credential"];
  /** The error for a wrong code: the same as for a wrong password. */
  readonly refusal: "AUTH_REQUIRED" | "STEP_UP_REQUIRED";
}

/** @throws ServiceError `PAYLOAD_INVALID` if both are given. */
export function assertOneFactor({ code, recoveryCode }: SentFactor): void {
  if (code === undefined || recoveryCode === undefined) return;
  throw payloadInvalid(["second_factor.one_of"], ["code", "recoveryCode"]);
}

/**
 * Runs `run` if the account has no second factor or the code is right, in one transaction: a code
 * is used up only if `run` succeeds, and then in every process.
 *
 * @param lock Locks the account's row, or throws.
 * @throws ServiceError `SECOND_FACTOR_REQUIRED` if no code was sent (not counted as a failure);
 *   `refusal` of the attempt for a wrong code (counted).
 */
export async function withSecondFactor<T>(
  services: SecondFactorServices,
  attempt: FactorAttempt,
  lock: (tx: Tx) => Promise<void>,
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { database, throttle } = services;
  const { confirmed: { account, attemptId }, sent, context, credential, refusal } = attempt;
  const note = (tx: Tx, event: AccessEventName) =>
    insertAccessEvent(tx.sql, { ...context, event, accountId: account.account_id, credential });
  const outcome = await database.transaction(async (tx) => {
    await lock(tx);
    const verdict = await check(services, attempt, tx);
    if (verdict === "MISSING") {
      await throttle.withdraw(tx.sql, attemptId);
      await note(tx, "SECOND_FACTOR_REQUIRED");
      return { refusal: "SECOND_FACTOR_REQUIRED" } as const;
    }
    if (verdict === "WRONG") {
      await throttle.failed(tx.sql, attemptId);
      await note(tx, "SECOND_FACTOR_FAILED");
      // Recovery codes need no limit, because they have 120 bits.
      const isLast = sent.code !== undefined && await countWrongCode(tx.sql, account.account_id);
      if (isLast) await note(tx, "SECOND_FACTOR_LOCKED");
      return { refusal };
    }
    if (verdict === "RECOVERED") await note(tx, "RECOVERY_CODE_USED");
    return { result: await run(tx) };
  });
  // Thrown after the commit, because rows about the refusal must stay.
  if ("refusal" in outcome) throw new ServiceError(outcome.refusal);
  return outcome.result;
}

type Verdict = "NONE" | "MISSING" | "WRONG" | "CONFIRMED" | "RECOVERED";

/** Checks a code, and marks a right one as used. */
async function check(
  { secrets }: SecondFactorServices,
  { confirmed: { account }, sent: { code, recoveryCode }, context: { now } }: FactorAttempt,
  { sql }: Tx,
): Promise<Verdict> {
  const accountId = account.account_id;
  const factor = await findSecondFactor(sql, accountId);
  if (factor === null) return "NONE";
  if (recoveryCode !== undefined) {
    const isSpent = await spendRecoveryCode(sql, accountId, recoveryCode, now);
    return isSpent ? "RECOVERED" : "WRONG";
  }
  if (code === undefined) return "MISSING";
  const secret = secrets.decrypt(accountId, factor.encrypted_secret);
  // If the server secret has changed, no code is right; recovery codes still work.
  if (secret === null) return "WRONG";
  const step = matchingStep(secret, code, now, factor.last_step);
  // The lock is checked after the comparison: neither the response nor its time may reveal that a
  // code was right.
  if (step === null || isLocked(factor)) return "WRONG";
  return await spendStep(sql, accountId, step) ? "CONFIRMED" : "WRONG";
}
