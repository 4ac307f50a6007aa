import { sessionCookie } from "../access/credentials.ts";
import { type Account, ACCOUNT_SCHEMA } from "../access/identity.ts";
import {
  openSession,
  SESSION_SCHEMA,
  type SessionLives,
  type Transport,
} from "../access/sessions.ts";
import type { Clock } from "../core/clock.ts";
import type { Tx } from "../database/database.ts";
import { ok, type Reply } from "../http/reply.ts";
import type { PublicCall } from "../http/route.ts";
import { objectOf, TEXT } from "../validate/json_schema.ts";
import type { ConfirmationServices } from "./confirm_password.ts";
import { insertAccessEvent } from "./events.ts";
import { endSurplusSessions } from "./revocation.ts";

export interface SignInServices extends ConfirmationServices {
  readonly clock: Clock;
  /** Decides the cookie's name and flags. */
  readonly origin: string;
  readonly sessions: SessionLives;
}

interface SignInOptions {
  readonly transport?: Transport;
  readonly deviceName?: string;
}

export const SIGNED_IN_RESPONSES = {
  200: {
    data: objectOf({
      account: ACCOUNT_SCHEMA,
      session: SESSION_SCHEMA,
      accessToken: { ...TEXT, description: "The session's secret, if `transport` is `bearer`." },
    }, ["accessToken"]),
    headers: ["Set-Cookie"],
  },
} as const;

/**
 * Opens a session, in the transaction that authenticated the account and holds its row. If it is
 * one too many, the oldest ends.
 */
export async function signIn(
  { throttle, sessions, eventContextOf, clock, origin }: SignInServices,
  tx: Tx,
  account: Account,
  { transport = "cookie", deviceName }: SignInOptions,
  call: PublicCall,
  attemptId: string,
): Promise<Reply> {
  const { accountId } = account;
  const context = { ...eventContextOf(call), now: clock() };
  const { client, now } = context;
  const { absoluteDays } = sessions;
  const wanted = { transport, deviceName: deviceName ?? null, client, absoluteDays };
  const { session, secret } = await openSession(tx, accountId, wanted, now);
  const credential = { kind: "SESSION", id: session.sessionId } as const;
  await Promise.all([
    throttle.succeeded(tx.sql, attemptId, account.email),
    insertAccessEvent(tx.sql, { ...context, event: "LOGIN", accountId, credential }),
    endSurplusSessions(tx, accountId, session.sessionId, sessions, context),
  ]);
  if (transport === "bearer") return ok({ account, session, accessToken: secret });
  const maxAge = Math.round(absoluteDays * 24 * 60 * 60);
  return ok({ account, session }, { "Set-Cookie": sessionCookie(secret, maxAge, origin) });
}
