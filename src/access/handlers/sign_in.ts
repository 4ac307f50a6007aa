/** Set-up, login, logout, and the caller's own identity. */

import type { Tx } from "../../database/database.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { ok, type Reply } from "../../http/reply.ts";
import { type Endpoint, endpoint, type PublicCall, type PublicEndpoint } from "../../http/route.ts";
import { checkNewPassword } from "../../validate/new_password.ts";
import { readBody, refuseQuery } from "../../validate/schema.ts";
import {
  findAccountByEmail,
  lockAccountIfUnchanged,
  toAccount,
  updatePasswordHash,
} from "../accounts.ts";
import { confirmPassword, withdrawUnchecked } from "../confirm_password.ts";
import { endedSessionCookie, sessionCookie } from "../credentials.ts";
import { insertAccessEvent } from "../events.ts";
import { LOGIN_BODY, SETUP_BODY, SIGN_IN_CONTRACTS } from "./contracts.ts";
import type { AccessServices } from "./services.ts";
import type { Account } from "../identity.ts";
import { openSession, revokeSession, type Transport } from "../sessions.ts";
import { assertSetupOpen, assertSetupToken, setUpAccount } from "../setup.ts";

/** How a client wants its new session. */
interface SignInOptions {
  readonly transport?: Transport;
  readonly deviceName?: string;
}

/** One endpoint for each route. */
export interface SignInEndpoints {
  readonly setup: PublicEndpoint;
  readonly login: PublicEndpoint;
  readonly logout: Endpoint;
  readonly session: Endpoint;
}

/** The endpoints that open and end the caller's session. */
export function createSignInEndpoints(services: AccessServices): SignInEndpoints {
  const {
    database,
    throttle,
    passwords,
    sessions: { absoluteDays },
    eventContextOf,
    clock,
    origin,
  } = services;

  const signIn = async (
    tx: Tx,
    account: Account,
    options: SignInOptions,
    call: PublicCall,
    attemptId: string,
  ): Promise<Reply> => {
    const { accountId } = account;
    const transport = options.transport ?? "cookie";
    const deviceName = options.deviceName ?? null;
    const context = { ...eventContextOf(call), now: clock() };
    const { client, now } = context;
    const wanted = { transport, deviceName, client, absoluteDays };
    const opened = await openSession(tx, accountId, wanted, now);
    await Promise.all([
      throttle.succeeded(tx.sql, attemptId, account.email),
      insertAccessEvent(tx.sql, {
        ...context,
        event: "LOGIN",
        accountId,
        credential: { kind: "SESSION", id: opened.session.sessionId },
      }),
    ]);
    const data = { account, session: opened.session };
    if (transport === "bearer") return ok({ ...data, accessToken: opened.secret });
    const maxAge = absoluteDays * 24 * 60 * 60;
    return ok(data, { "Set-Cookie": sessionCookie(opened.secret, maxAge, origin) });
  };

  return {
    /** Makes the first account with the one-time set-up token and signs it in. */
    setup: {
      contract: SIGN_IN_CONTRACTS.setup,
      body: "json",
      parse: ({ query }) => refuseQuery(query),
      async handle(call) {
        const { address, body } = call;
        const { setupToken, email, password, displayName, ...options } = readBody(SETUP_BODY, body);
        checkNewPassword(password, { email }, "password");
        await assertSetupOpen(database);
        const { attemptId } = await throttle.take({ email: null, address, now: call.now });
        await assertSetupToken(database, setupToken, clock());
        const passwordHash = await withdrawUnchecked(
          throttle,
          attemptId,
          () => passwords.hash(password, "known"),
        );
        return await database.transaction(async (tx) => {
          const context = { ...eventContextOf(call), now: clock() };
          const account = { email, displayName, passwordHash };
          const made = await setUpAccount(tx, setupToken, account, context);
          return await signIn(tx, made, options, call, attemptId);
        });
      },
    },

    /** Signs in. An unknown email, a wrong password and a disabled account get the same response. */
    login: {
      contract: SIGN_IN_CONTRACTS.login,
      body: "json",
      parse: ({ query }) => refuseQuery(query),
      async handle(call) {
        const { email, password, ...options } = readBody(LOGIN_BODY, call.body);
        const confirmed = await confirmPassword(
          services,
          () => database.read((sql) => findAccountByEmail(sql, email)),
          { ...eventContextOf(call), address: call.address, email, password },
          "LOGIN_FAILED",
        );
        if (confirmed === null) throw new ServiceError("AUTH_REQUIRED");
        const { account, attemptId } = confirmed;
        const rehash = () => passwords.hash(password, "known");
        const rehashed = confirmed.outdated
          ? await withdrawUnchecked(throttle, attemptId, rehash)
          : null;
        return await database.transaction(async (tx) => {
          if (!await lockAccountIfUnchanged(tx, account)) throw new ServiceError("AUTH_REQUIRED");
          if (rehashed !== null) await updatePasswordHash(tx, account.account_id, rehashed);
          return await signIn(tx, toAccount(account), options, call, attemptId);
        });
      },
    },

    /** Ends the caller's session. */
    logout: endpoint({
      contract: SIGN_IN_CONTRACTS.logout,
      body: "none",
      parse: ({ query }) => refuseQuery(query),
      async handle(call) {
        const { identity: { account: { accountId }, credential }, now } = call;
        const event = "LOGOUT";
        await database.transaction(async (tx) => {
          const ended = await revokeSession(tx, accountId, credential.id, now);
          if (!ended?.isNew) return;
          await insertAccessEvent(tx.sql, {
            ...eventContextOf(call),
            event,
            accountId,
            credential,
          });
        });
        return ok({ revoked: true }, { "Set-Cookie": endedSessionCookie(origin) });
      },
    }),

    /** The caller's account, permissions and credential. */
    session: endpoint({
      contract: SIGN_IN_CONTRACTS.session,
      body: "none",
      parse: ({ query }) => refuseQuery(query),
      handle({ identity: { account, permissions, credential } }) {
        return Promise.resolve(ok({
          account,
          permissions: [...permissions].sort(),
          credential: { kind: credential.kind, expiresAt: credential.expiresAt },
        }));
      },
    }),
  };
}
