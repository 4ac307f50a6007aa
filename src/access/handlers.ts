import type { Clock } from "../core/clock.ts";
import type { Database, Tx } from "../database/database.ts";
import { ServiceError } from "../errors/service_error.ts";
import { ok, type Reply } from "../http/reply.ts";
import { type Endpoint, endpoint, type PublicEndpoint } from "../http/route.ts";
import { isAllowedPassword, isEmail } from "../validate/account_fields.ts";
import { oneOf, optional, readBody, refuseQuery, string, stringWhere } from "../validate/schema.ts";
import {
  findAccountByEmail,
  holdProvenAccount,
  toAccount,
  updatePasswordHash,
} from "./accounts.ts";
import { endedSessionCookie, sessionCookie } from "./credentials.ts";
import type { Account } from "./identity.ts";
import { checkPassword, hashPassword } from "./passwords.ts";
import { openSession, revokeSession, type Transport } from "./sessions.ts";
import { assertSetupOpen, setUpAccount } from "./setup.ts";

const SIGN_IN = {
  transport: optional(oneOf("cookie", "bearer")),
  deviceName: optional(string({ maximum: 200 })),
};
const SETUP_BODY = {
  setupToken: string({ maximum: 200 }),
  email: stringWhere("account.email", isEmail),
  password: stringWhere("account.password_length", isAllowedPassword),
  displayName: string({ maximum: 200 }),
  ...SIGN_IN,
};
const LOGIN_BODY = {
  email: string({ maximum: 254, blank: true }),
  password: string({ maximum: 1024, blank: true, multiline: true }),
  ...SIGN_IN,
};

/** How a client wants its new session. */
interface SignInOptions {
  readonly transport?: Transport;
  readonly deviceName?: string;
}

/** What the access routes need of the application. */
export interface AccessServices {
  readonly database: Database;
  readonly clock: Clock;
  /** The public origin, which decides the cookie's name and flags. */
  readonly origin: string;
}

/** The endpoints of `/api/v2/auth` (specification, Authentication). */
export function createAccessEndpoints(services: AccessServices): AccessEndpoints {
  const { database, clock, origin } = services;

  const signIn = async (tx: Tx, account: Account, options: SignInOptions): Promise<Reply> => {
    const transport = options.transport ?? "cookie";
    const deviceName = options.deviceName ?? null;
    const opened = await openSession(
      tx,
      account.accountId,
      { transport, deviceName },
      clock(),
    );
    const data = { account, session: opened.session };
    if (transport === "bearer") return ok({ ...data, accessToken: opened.secret });
    return ok(data, { "Set-Cookie": sessionCookie(opened.secret, origin) });
  };

  return {
    /** Makes the first account with the one-time set-up token and signs it in. */
    setup: {
      body: "json",
      parse: ({ query }) => refuseQuery(query),
      async answer({ body }) {
        const { setupToken, email, password, displayName, ...options } = readBody(SETUP_BODY, body);
        await assertSetupOpen(database, setupToken, clock());
        const passwordHash = await hashPassword(password);
        return await database.transaction(async (tx) => {
          const account = { email, displayName, passwordHash };
          return await signIn(tx, await setUpAccount(tx, setupToken, account, clock()), options);
        });
      },
    },

    /** Signs in. An unknown email, a wrong password and a disabled account answer alike. */
    login: {
      body: "json",
      parse: ({ query }) => refuseQuery(query),
      async answer({ body }) {
        const { email, password, ...options } = readBody(LOGIN_BODY, body);
        const stored = await database.read((sql) => findAccountByEmail(sql, email));
        const check = await checkPassword(password, stored?.password_hash ?? null);
        if (stored === null || !check.matches || stored.disabled_at !== null) {
          throw new ServiceError("AUTH_REQUIRED");
        }
        const rehashed = check.outdated ? await hashPassword(password) : null;
        return await database.transaction(async (tx) => {
          if (!await holdProvenAccount(tx, stored)) throw new ServiceError("AUTH_REQUIRED");
          if (rehashed !== null) await updatePasswordHash(tx, stored.account_id, rehashed);
          return await signIn(tx, toAccount(stored), options);
        });
      },
    },

    /** Ends the session that asks. */
    logout: endpoint({
      body: "none",
      parse: ({ query }) => refuseQuery(query),
      async answer({ identity: { account, credential } }) {
        await database.transaction((tx) =>
          tx.commitWith(revokeSession(tx, account.accountId, credential.id, clock()))
        );
        return ok({ revoked: true }, { "Set-Cookie": endedSessionCookie(origin) });
      },
    }),

    /** Tells who is asking and what it may do. */
    session: endpoint({
      body: "none",
      parse: ({ query }) => refuseQuery(query),
      answer({ identity: { account, permissions, credential } }) {
        return Promise.resolve(ok({
          account,
          permissions: [...permissions].sort(),
          credential: { kind: credential.kind, expiresAt: credential.expiresAt },
        }));
      },
    }),
  };
}

/** One endpoint a route. */
export interface AccessEndpoints {
  readonly setup: PublicEndpoint;
  readonly login: PublicEndpoint;
  readonly logout: Endpoint;
  readonly session: Endpoint;
}
