import { Buffer } from "node:buffer";
import { DAY_MS } from "../core/clock.ts";
import { hmacSha256 } from "../core/digest.ts";
import { newId } from "../core/ids.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { tooManyRequests } from "../errors/service_error.ts";
import { networkOf } from "../http/client_address.ts";
import { emailKey } from "./account_store.ts";

export interface Attempt {
  /** As sent, known or not; null for a set-up or an unknown passkey. */
  readonly email: string | null;
  readonly address: string;
  readonly now: Date;
}

interface TakenAttempt {
  readonly attemptId: string;
  /** The address succeeded for that email within 30 days. */
  readonly isKnown: boolean;
}

/**
 * Limits guesses at passwords and set-up tokens, for all processes together (specification,
 * Authentication). In 15 minutes: 10 failures for an email from one address, 30 from one address,
 * and four times as many from the /56 network of an IPv6 address. In an hour: 100 for an email, but
 * not for an address that succeeded for it within 30 days, so that strangers cannot lock the owner
 * out.
 */
export interface Throttle {
  /**
   * Begins an attempt; call it before any expensive work. The attempt counts as a failure from now
   * on, so that concurrent guesses are limited too.
   *
   * @throws ServiceError `HTTP_429` with the seconds until another attempt is accepted.
   */
  take(attempt: Attempt): Promise<TakenAttempt>;
  /**
   * Marks an attempt as successful, and remembers its address for the email for 30 days. Does
   * nothing if the attempt is over an hour old and was removed.
   *
   * @param email Needed for a set-up, whose attempt has none.
   */
  succeeded(sql: Sql, attemptId: string, email: string): Query<object>;
  /** Changes nothing (the attempt already counts), but takes as long as a write. */
  failed(sql: Sql, attemptId: string): Query<object>;
  /** Removes an attempt whose password was not checked, or was right but not sufficient. */
  withdraw(sql: Sql, attemptId: string): Query<object>;
}

const EMAIL_DIGEST_BYTES = 16;

/** The same as in `take_access_attempt`. */
const KNOWN_FOR_MS = 30 * DAY_MS;

/** The limits are in `take_access_attempt`. */
export function createThrottle(database: Database, serverSecret: Uint8Array): Throttle {
  const key = hmacSha256(serverSecret, "access attempts");
  const emailDigests = hmacSha256(serverSecret, "email digests");
  const subjectOf = (email: string) => {
    const digest = hmacSha256(emailDigests, emailKey(email)).subarray(0, EMAIL_DIGEST_BYTES);
    return hmacSha256(key, `email\n${Buffer.from(digest).toString("hex")}`);
  };
  return {
    async take({ email, address, now }) {
      const attemptId = newId(now);
      const subject = email === null ? null : subjectOf(email);
      const origin = hmacSha256(key, `address\n${address}`);
      const network = networkOf(address);
      const wider = network === null ? null : hmacSha256(key, `address\n${network}`);
      const [taken] = await database.transaction((tx) =>
        tx.commitWith(tx.sql<{ seconds_to_wait: number | null; is_known: boolean }>`
          select take_access_attempt(${attemptId}, ${subject}, ${origin}, ${wider}, ${now})
                 as seconds_to_wait,
                 exists (select from access_attempts
                          where subject = ${subject} and address = ${origin} and succeeded
                            and attempted_at > ${new Date(now.getTime() - KNOWN_FOR_MS)})
                 as is_known`)
      );
      if (taken === undefined) throw new Error("The throttle gave no answer");
      // Thrown after the commit, so that expired rows stay removed.
      if (taken.seconds_to_wait !== null) throw tooManyRequests(taken.seconds_to_wait);
      return { attemptId, isKnown: taken.is_known };
    },

    succeeded: (sql, attemptId, email) =>
      sql`
        update access_attempts set succeeded = true, subject = ${subjectOf(email)}
         where attempt_id = ${attemptId}`,

    failed: (sql, attemptId) =>
      sql`update access_attempts set succeeded = false where attempt_id = ${attemptId}`,

    withdraw: (sql, attemptId) => sql`delete from access_attempts where attempt_id = ${attemptId}`,
  };
}
