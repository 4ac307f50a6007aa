import { hmacSha256 } from "../core/digest.ts";
import { newId } from "../core/ids.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { emailKey } from "./account_store.ts";

/** An attempt to be counted. */
export interface Attempt {
  /** The email as sent, known or not; null for a set-up, which is limited by address only. */
  readonly email: string | null;
  /** The client's address in its canonical form. */
  readonly address: string;
  readonly now: Date;
}

/** An attempt that is under way. */
export interface TakenAttempt {
  /** Identifies the attempt for the functions below. */
  readonly attemptId: string;
  /** Whether the address succeeded for that email within 30 days. */
  readonly isKnown: boolean;
}

/**
 * Limits how often passwords and set-up tokens can be guessed, for all processes together (specification,
 * Authentication). At most 10 failures for an email from one address and 30 from one address in 15 minutes,
 * and 100 for an email in an hour. The last limit does not apply to an address that succeeded for that
 * email within 30 days, so that strangers cannot lock the owner out.
 */
export interface Throttle {
  /**
   * Starts an attempt before any expensive work. It counts as a failure from now on, so that concurrent
   * guesses are limited too.
   *
   * @throws ServiceError `HTTP_429` with the seconds until another attempt is accepted.
   */
  take(attempt: Attempt): Promise<TakenAttempt>;
  /**
   * Marks an attempt as successful, in the caller's transaction, and remembers this address for the email
   * for 30 days. During set-up the email becomes known only here. Does nothing if the attempt is older than
   * an hour and was removed.
   */
  succeeded(sql: Sql, attemptId: string, email: string): Query<object>;
  /**
   * Confirms that an attempt failed. It changes nothing, but makes the transaction take as long as one that
   * writes.
   */
  failed(sql: Sql, attemptId: string): Query<object>;
  /**
   * Removes an attempt that neither failed nor succeeded: its password was not checked, or was right but
   * not sufficient.
   */
  withdraw(sql: Sql, attemptId: string): Query<object>;
}

/** How long an address is known after a success; `take_access_attempt` has the same. */
const KNOWN_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/** The throttle whose limits are in the database's function `take_access_attempt`. */
export function createThrottle(database: Database, serverSecret: Uint8Array): Throttle {
  const key = hmacSha256(serverSecret, "access attempts");
  const subjectOf = (email: string) => hmacSha256(key, `email\n${emailKey(email)}`);
  return {
    async take({ email, address, now }) {
      const attemptId = newId(now);
      const subject = email === null ? null : subjectOf(email);
      const origin = hmacSha256(key, `address\n${address}`);
      const [taken] = await database.transaction((tx) =>
        tx.commitWith(tx.sql<{ seconds_to_wait: number | null; is_known: boolean }>`
          select take_access_attempt(${attemptId}, ${subject}, ${origin}, ${now})
                 as seconds_to_wait,
                 exists (select from access_attempts
                          where subject = ${subject} and address = ${origin} and succeeded
                            and attempted_at > ${new Date(now.getTime() - KNOWN_FOR_MS)})
                 as is_known`)
      );
      if (taken === undefined) throw new Error("The throttle gave no answer");
      // Expired rows stay removed, also for a refused attempt.
      if (taken.seconds_to_wait !== null) throw tooManyAttempts(taken.seconds_to_wait);
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

/** The refusal of an attempt that can be repeated after so many seconds. */
export function tooManyAttempts(secondsToWait: number): ServiceError {
  return new ServiceError("HTTP_429", { headers: { "Retry-After": String(secondsToWait) } });
}
