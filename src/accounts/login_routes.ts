import { toAccount } from "../access/account_row.ts";
import { endedSessionCookie } from "../access/credentials.ts";
import { accountMoved, ServiceError } from "../errors/service_error.ts";
import { bodyOf } from "../http/contract.ts";
import { ok, type Reply } from "../http/reply.ts";
import { type Endpoint, endpoint, type PublicCall, type PublicEndpoint } from "../http/route.ts";
import { objectOf } from "../validate/json_schema.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import { confirmPassword, hashAttempted } from "./confirm_password.ts";
import { type AccessEvent, insertAccessEvent } from "./events.ts";
import { endCredential } from "./revocation.ts";
import { EXAMPLE, LOGIN_BODY } from "./account_schema.ts";
import {
  assertOneFactor,
  type SecondFactorServices,
  withSecondFactor,
} from "./second_factor_check.ts";
import { SIGNED_IN_RESPONSES, signIn, type SignInServices } from "./sign_in.ts";
import { findAccountByEmail, lockAccountIfUnchanged, updatePasswordHash } from "./account_store.ts";

export interface LoginEndpoints {
  readonly login: PublicEndpoint;
  readonly logout: Endpoint;
}

type LoginServices = SignInServices & SecondFactorServices;

export function createLoginEndpoints(services: LoginServices): LoginEndpoints {
  return { login: loginEndpoint(services), logout: logoutEndpoint(services) };
}

/**
 * Signs an account in. An unknown email, a wrong password and a disabled account get the same
 * response. For a moved account the right password suffices to learn its new address.
 */
function loginEndpoint(services: LoginServices): PublicEndpoint {
  return {
    contract: {
      summary: "Sign in with email and password",
      body: bodyOf(LOGIN_BODY, { ...EXAMPLE, transport: "bearer" }),
      responses: SIGNED_IN_RESPONSES,
      errors: ["ACCOUNT_MOVED", "AUTH_REQUIRED", "SECOND_FACTOR_REQUIRED"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    handle: (call) => logIn(services, call),
  };
}

async function logIn(services: LoginServices, call: PublicCall): Promise<Reply> {
  const { database, eventContextOf } = services;
  const { email, password, code, recoveryCode, ...options } = readBody(LOGIN_BODY, call.body);
  const sent = { code, recoveryCode };
  assertOneFactor(sent);
  const context = eventContextOf(call);
  const confirmed = await confirmPassword(
    services,
    () => database.read((sql) => findAccountByEmail(sql, email)),
    { ...context, address: call.address, email, password },
    "LOGIN_FAILED",
  );
  if (confirmed === null) throw new ServiceError("AUTH_REQUIRED");
  const { account, attemptId } = confirmed;
  // Only the right password may reveal that the account exists.
  if (account.moved_to !== null) {
    const event = { ...context, accountId: account.account_id, credential: null };
    await refuseMoved(services, attemptId, event, account.moved_to);
  }
  const rehashed = confirmed.outdated
    ? await hashAttempted(services, attemptId, email, password)
    : null;
  return await withSecondFactor(
    services,
    { confirmed, sent, context, credential: null, refusal: "AUTH_REQUIRED" },
    async (tx) => {
      if (!await lockAccountIfUnchanged(tx, account)) throw new ServiceError("AUTH_REQUIRED");
    },
    async (tx) => {
      if (rehashed !== null) await updatePasswordHash(tx, account.account_id, rehashed);
      return await signIn(services, tx, toAccount(account), options, call, attemptId);
    },
  );
}

function logoutEndpoint({ database, eventContextOf, origin }: SignInServices): Endpoint {
  return endpoint({
    contract: {
      summary: "End the current session",
      responses: {
        200: {
          data: objectOf({ revoked: { const: true } }),
          headers: ["Clear-Site-Data", "Set-Cookie"],
        },
      },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { account: { accountId }, credential: { id } } = call.caller;
      const session = { kind: "SESSION", id } as const;
      await database.transaction((tx) =>
        endCredential(tx, accountId, session, eventContextOf(call), "LOGOUT")
      );
      return ok({ revoked: true }, {
        // Clears the console's storage, and thumbnails, which a browser may keep for a year.
        "Clear-Site-Data": '"cache", "storage"',
        "Set-Cookie": endedSessionCookie(origin),
      });
    },
  });
}

/**
 * Refuses the sign-in of a moved account. The throttle counts no failure, because the password or
 * passkey was right. The event is a failed sign-in, because there is no session.
 */
export async function refuseMoved(
  { database, throttle }: SignInServices,
  attemptId: string,
  event: Omit<AccessEvent, "event">,
  movedTo: string,
): Promise<never> {
  await database.transaction(async (tx) => {
    await throttle.withdraw(tx.sql, attemptId);
    await tx.commitWith(insertAccessEvent(tx.sql, { ...event, event: "LOGIN_FAILED" }));
  });
  throw accountMoved(movedTo);
}
