import type { EventContext, EventContextReader } from "../access/event_context.ts";
import type { Caller } from "../access/identity.ts";
import { lockOpenSession } from "../access/sessions.ts";
import type { Database, Tx } from "../database/database.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { SignedInCall } from "../http/route.ts";
import { insertAccessEvent } from "./events.ts";
import type { PasswordHasher } from "./password_hasher.ts";
import {
  emailKey,
  findAccount,
  lockAccountIfUnchanged,
  type StoredAccount,
} from "./account_store.ts";
import type { Throttle } from "./throttle.ts";

interface PasswordAttempt extends EventContext {
  readonly email: string;
  readonly password: string;
  readonly address: string;
}

export interface Confirmed {
  readonly account: StoredAccount;
  /** The attempt to mark as successful, in the transaction that uses the confirmation. */
  readonly attemptId: string;
  /** The stored hash has a lower cost than new ones. */
  readonly outdated: boolean;
}

export interface ConfirmationServices {
  readonly database: Database;
  readonly throttle: Throttle;
  readonly passwords: PasswordHasher;
  readonly eventContextOf: EventContextReader;
}

/**
 * Checks a password. If it is wrong, or the account is missing or disabled, the function does the
 * same work, writes the given event and returns null.
 *
 * @throws ServiceError `HTTP_429` after too many failures, or if too many hashes are waiting.
 */
export async function confirmPassword(
  { database, throttle, passwords }: ConfirmationServices,
  find: () => Promise<StoredAccount | null>,
  { email, password, address, ...context }: PasswordAttempt,
  failure: "LOGIN_FAILED" | "STEP_UP_FAILED",
): Promise<Confirmed | null> {
  const { attemptId, isKnown } = await throttle.take({ email, address, now: context.now });
  // A step-up always comes from a session.
  const caller = isKnown || failure === "STEP_UP_FAILED" ? "known" : "stranger";
  const account = await find();
  const check = await withdrawRefused(
    { database, throttle },
    attemptId,
    () => passwords.check(password, account?.password_hash ?? null, caller, emailKey(email)),
  );
  if (account !== null && check.matches && account.disabled_at === null) {
    return { account, attemptId, outdated: check.outdated };
  }
  const accountId = account?.account_id ?? null;
  const event = { ...context, event: failure, accountId, credential: null } as const;
  await database.transaction(async (tx) => {
    // The event of an unknown account may be skipped; this write keeps the response from being
    // faster then.
    await throttle.failed(tx.sql, attemptId);
    await tx.commitWith(insertAccessEvent(tx.sql, event));
  });
  return null;
}

/** @throws ServiceError `STEP_UP_REQUIRED` for a wrong password, `HTTP_429` as above. */
export async function confirmCaller(
  services: ConfirmationServices,
  call: SignedInCall,
  password: string,
): Promise<Confirmed> {
  const { accountId, email } = call.caller.account;
  const confirmed = await confirmPassword(
    services,
    () => services.database.read((sql) => findAccount(sql, accountId)),
    { ...services.eventContextOf(call), address: call.address, email, password },
    "STEP_UP_FAILED",
  );
  if (confirmed === null) throw new ServiceError("STEP_UP_REQUIRED");
  return confirmed;
}

/**
 * @throws ServiceError `AUTH_REQUIRED` if the session has ended since, `STEP_UP_REQUIRED` if the
 *   password was changed.
 */
export async function lockConfirmed(
  tx: Tx,
  caller: Caller,
  { account }: Confirmed,
): Promise<void> {
  await lockOpenSession(tx, caller);
  if (!await lockAccountIfUnchanged(tx, account)) throw new ServiceError("STEP_UP_REQUIRED");
}

export async function hashAttempted(
  services: ConfirmationServices,
  attemptId: string,
  email: string,
  password: string,
): Promise<string> {
  const hash = () => services.passwords.hash(password, "known", emailKey(email));
  return await withdrawRefused(services, attemptId, hash);
}

/** Runs a part of an attempt. A refusal with `HTTP_429` does not count as a failure. */
export async function withdrawRefused<T>(
  { database, throttle }: Pick<ConfirmationServices, "database" | "throttle">,
  attemptId: string,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ServiceError && error.code === "HTTP_429") {
      await database.transaction((tx) => tx.commitWith(throttle.withdraw(tx.sql, attemptId)));
    }
    throw error;
  }
}
