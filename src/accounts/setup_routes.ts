import type { EventContext } from "../access/event_context.ts";
import type { Account } from "../access/identity.ts";
import { DAY_MS } from "../core/clock.ts";
import { newSecret, sha256 } from "../core/digest.ts";
import { newId } from "../core/ids.ts";
import type { Database, Tx } from "../database/database.ts";
import { ServiceError } from "../errors/service_error.ts";
import { bodyOf } from "../http/contract.ts";
import { ok } from "../http/reply.ts";
import type { PublicEndpoint } from "../http/route.ts";
import { objectOf } from "../validate/json_schema.ts";
import { checkNewPassword } from "../validate/new_password.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import { hashAttempted } from "./confirm_password.ts";
import { EXAMPLE, SETUP_BODY } from "./account_schema.ts";
import { SIGNED_IN_RESPONSES, signIn, type SignInServices } from "./sign_in.ts";
import { anyAccountExists, insertAccount, lockAccounts, type NewAccount } from "./account_store.ts";

const SETUP_LIFETIME_MS = DAY_MS;

export function createSetupStateEndpoint({ database }: SignInServices): PublicEndpoint {
  return {
    contract: {
      summary: "Report whether set-up is open, because no account exists",
      responses: { 200: { data: objectOf({ open: { type: "boolean" } }) } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    handle: async () => ok({ open: !await database.read(anyAccountExists) }),
  };
}

/** Creates the first account, with the one-time set-up token. */
export function createSetupEndpoint(services: SignInServices): PublicEndpoint {
  const { database, throttle, eventContextOf, clock } = services;
  return {
    contract: {
      summary: "Create the first account with the one-time set-up token and sign it in",
      body: bodyOf(SETUP_BODY, {
        setupToken: "prs_i_...",
        displayName: "Someone",
        ...EXAMPLE,
        transport: "bearer",
      }),
      responses: SIGNED_IN_RESPONSES,
      errors: ["SETUP_CLOSED", "ACCOUNT_CONFLICT", "AUTH_REQUIRED"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { address, body } = call;
      const { setupToken, email, password, displayName, ...options } = readBody(SETUP_BODY, body);
      checkNewPassword(password, { email }, "password");
      if (await database.read(anyAccountExists)) throw new ServiceError("SETUP_CLOSED");
      const { attemptId } = await throttle.take({ email: null, address, now: call.now });
      await assertSetupToken(database, setupToken, clock());
      const passwordHash = await hashAttempted(services, attemptId, email, password);
      return await database.transaction(async (tx) => {
        const context = { ...eventContextOf(call), now: clock() };
        const account = { email, displayName, passwordHash };
        const made = await setUpAccount(tx, setupToken, account, context);
        return await signIn(services, tx, made, options, call, attemptId);
      });
    },
  };
}

/**
 * Creates a set-up token, which replaces an earlier one.
 *
 * @returns null if an account exists and set-up is closed.
 */
export async function issueSetupToken(database: Database, now: Date): Promise<string | null> {
  return await database.transaction(async (tx) => {
    if (await anyAccountExists(tx.sql)) return null;
    const token = newSecret("prs_i_");
    const expiresAt = new Date(now.getTime() + SETUP_LIFETIME_MS);
    await tx.sql`
      insert into setup_token (secret_digest, expires_at) values (${sha256(token)}, ${expiresAt})
      on conflict (singleton)
      do update set secret_digest = excluded.secret_digest, expires_at = excluded.expires_at`;
    return token;
  });
}

/**
 * Checks a set-up token before costly work.
 *
 * @throws ServiceError `SETUP_CLOSED` if an account exists, `AUTH_REQUIRED` for a wrong token.
 */
async function assertSetupToken(
  database: Database,
  token: string,
  now: Date,
): Promise<void> {
  await database.read(async (sql) => {
    const open = await sql`
      select 1 from setup_token
       where secret_digest = ${sha256(token)} and expires_at > ${now}`;
    // A concurrent set-up may have succeeded since the first check.
    if (await anyAccountExists(sql)) throw new ServiceError("SETUP_CLOSED");
    if (open.length === 0) throw new ServiceError("AUTH_REQUIRED");
  });
}

/**
 * Creates the first account, and consumes the token. One of several concurrent calls succeeds.
 *
 * @throws ServiceError `SETUP_CLOSED` if an account exists, `AUTH_REQUIRED` for a wrong token.
 */
export async function setUpAccount(
  tx: Tx,
  token: string,
  account: NewAccount,
  context: EventContext,
): Promise<Account> {
  // The deleted row is the lock: a second set-up waits here and then finds the token used.
  const spent = await tx.sql`
    delete from setup_token
     where secret_digest = ${sha256(token)} and expires_at > ${context.now} returning 1`;
  await lockAccounts(tx);
  if (await anyAccountExists(tx.sql)) throw new ServiceError("SETUP_CLOSED");
  if (spent.length === 0) throw new ServiceError("AUTH_REQUIRED");
  return await insertAccount(tx, account, context);
}

/** Does nothing if an account exists. */
export async function ensureOwner(
  database: Database,
  owner: { readonly email: string; readonly hash: () => Promise<string> },
  now: Date,
): Promise<void> {
  if (await database.read(anyAccountExists)) return;
  const passwordHash = await owner.hash();
  await database.transaction(async (tx) => {
    // The token first, as in a set-up, to prevent deadlocks.
    await tx.sql`delete from setup_token`;
    await lockAccounts(tx);
    if (await anyAccountExists(tx.sql)) return;
    const { email } = owner;
    await insertAccount(tx, { email, displayName: email, passwordHash }, {
      requestId: newId(now),
      now,
      client: null,
    });
  });
}
