import { toAccount } from "../../access/account_row.ts";
import { toBase64url } from "../../core/base64url.ts";
import type { Tx } from "../../database/database.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { bodyOf } from "../../http/contract.ts";
import { ok, type Reply } from "../../http/reply.ts";
import type { PublicCall, PublicEndpoint } from "../../http/route.ts";
import { type InferObject, readBody, refuseQuery } from "../../validate/schema.ts";
import { EXAMPLE } from "../account_schema.ts";
import { findAccountByEmail, lockAccount, type StoredAccount } from "../account_store.ts";
import { refuseMoved } from "../login_routes.ts";
import { SIGNED_IN_RESPONSES, signIn } from "../sign_in.ts";
import {
  ASSERTION_EXAMPLE,
  begunSchema,
  REQUEST_OPTIONS,
  SIGN_IN_BEGIN_BODY,
  SIGN_IN_BODY,
} from "./passkey_schema.ts";
import { readSite, readUsableSite } from "./passkey_host.ts";
import { begun, type PasskeyServices, requestOptions } from "./passkey_services.ts";
import { type CredentialOwner, findCredentialOwner } from "./passkey_store.ts";
import { noteRefusedUse, usePasskey } from "./passkey_use.ts";
import { orRefusal, PasskeyRefusal } from "./refusal.ts";

/**
 * `POST /sign-in/begin`. The options never list credentials, so that they reveal nothing about an
 * email's account: the passkey names its account itself.
 */
export function beginSignInEndpoint(services: PasskeyServices): PublicEndpoint {
  const { database, passkeySignIns } = services;
  return {
    contract: {
      summary: "Begin to sign in by passkey and return the browser's options",
      body: bodyOf(SIGN_IN_BEGIN_BODY, { email: EXAMPLE.email }),
      responses: { 200: { data: begunSchema(REQUEST_OPTIONS) } },
      errors: ["PASSKEY_STATE_CONFLICT"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { email } = readBody(SIGN_IN_BEGIN_BODY, call.body);
      return await database.read(async (sql) => {
        const site = await readUsableSite(sql, services);
        const named = email === undefined
          ? null
          : { email, account: await findAccountByEmail(sql, email) };
        return ok(begun(passkeySignIns.begin(named, call.now), requestOptions(site, [])));
      });
    },
  };
}

/** `POST /sign-in/finish`. All refusals are the same, except for the passkey of a moved account. */
export function finishSignInEndpoint(services: PasskeyServices): PublicEndpoint {
  return {
    contract: {
      summary: "Sign in with the answer of a passkey, without password and code",
      body: bodyOf(SIGN_IN_BODY, { ...ASSERTION_EXAMPLE, transport: "bearer" }),
      responses: SIGNED_IN_RESPONSES,
      errors: ["ACCOUNT_MOVED", "AUTH_REQUIRED"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    handle: (call) => finishSignIn(services, call),
  };
}

async function finishSignIn(services: PasskeyServices, call: PublicCall): Promise<Reply> {
  const { database, throttle, eventContextOf } = services;
  const { ceremonyId, credential: sent, ...options } = readBody(SIGN_IN_BODY, call.body);
  const context = eventContextOf(call);
  const owner = await database.read((sql) => findCredentialOwner(sql, sent.credentialId));
  const { attemptId } = await throttle.take({
    email: owner?.email ?? null,
    address: call.address,
    now: context.now,
  });
  const event = { ...context, accountId: owner?.account_id ?? null, credential: null };
  const outcome = await database.transaction(async (tx) => {
    const proven = await orRefusal(
      proveOwner(services, tx, owner, { ceremonyId, sent }, context.now),
    );
    if (proven instanceof PasskeyRefusal) {
      const refused = { ...event, event: "LOGIN_FAILED", refusal: proven, attemptId } as const;
      await noteRefusedUse(tx, throttle, refused);
      return null;
    }
    if (proven.moved_to !== null) return proven.moved_to;
    return await signIn(services, tx, toAccount(proven), options, call, attemptId);
  });
  // Thrown after the commit, because the ceremony has ended.
  if (outcome === null) throw new ServiceError("AUTH_REQUIRED");
  if (typeof outcome === "string") {
    return await refuseMoved(services, attemptId, event, outcome);
  }
  return outcome;
}

/**
 * Ends the ceremony. Returns the account of its passkey, with the row locked.
 */
async function proveOwner(
  services: PasskeyServices,
  tx: Tx,
  owner: CredentialOwner | null,
  { ceremonyId, sent }: {
    readonly ceremonyId: string;
    readonly sent: InferObject<typeof SIGN_IN_BODY>["credential"];
  },
  now: Date,
): Promise<StoredAccount> {
  const { passkeySignIns } = services;
  const isOpen = await passkeySignIns.end(tx, ceremonyId, now);
  if (!isOpen || owner === null) throw new PasskeyRefusal("passkey.ceremony");
  const account = await lockAccount(tx, owner.account_id);
  if (account === null || account.disabled_at !== null) throw new PasskeyRefusal("passkey.user");
  const named = toBase64url(
    passkeySignIns.challengeOf(ceremonyId, { email: account.email, account }),
  );
  const unnamed = toBase64url(passkeySignIns.challengeOf(ceremonyId, null));
  await usePasskey(tx, {
    accountId: account.account_id,
    site: await readSite(tx.sql, services),
    sent,
    // Without an email the passkey must name the account.
    isChallenge: (challenge) =>
      challenge === named || (challenge === unnamed && sent.userHandle !== null),
    now,
  });
  return account;
}
