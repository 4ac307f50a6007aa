import type { Caller } from "../../access/identity.ts";
import { lockOpenSession } from "../../access/sessions.ts";
import { toBase64url } from "../../core/base64url.ts";
import type { Tx } from "../../database/database.ts";
import { payloadInvalid, ServiceError, tooMany } from "../../errors/service_error.ts";
import { bodyOf } from "../../http/contract.ts";
import { created, ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { type InferObject, readBody, refuseQuery } from "../../validate/schema.ts";
import { assertUnfrozen } from "../account_store.ts";
import { insertAccessEvent } from "../events.ts";
import { spendProof } from "../../kit/proof.ts";
import { beginCeremony, endCeremony } from "./ceremony_store.ts";
import { offeredAlgorithms } from "./cose_key.ts";
import {
  begunSchema,
  CREATION_OPTIONS,
  type Passkey,
  PASSKEY_SCHEMA,
  REGISTRATION_BODY,
  REGISTRATION_EXAMPLE,
} from "./passkey_schema.ts";
import { readSite, readUsableSite, storeHost } from "./passkey_host.ts";
import { begun, type PasskeyServices, toDescriptor } from "./passkey_services.ts";
import {
  hasAllPasskeys,
  insertPasskey,
  listOffered,
  MAX_PASSKEYS,
  passkeyUserId,
} from "./passkey_store.ts";
import { orRefusal, PasskeyRefusal } from "./refusal.ts";
import { verifyRegistration } from "./verification.ts";

/**
 * `POST /registration/begin`. The proof is spent last, so that a refused request keeps it.
 */
export function beginRegistrationEndpoint(services: PasskeyServices): Endpoint {
  const { database, stepUp } = services;
  return endpoint({
    contract: {
      summary: "Begin to add a passkey and return the browser's options; requires a step-up proof",
      stepUp: "PASSKEY_CHANGE",
      responses: { 200: { data: begunSchema(CREATION_OPTIONS) } },
      errors: ["PASSKEY_STATE_CONFLICT", "SYSTEM_MAINTENANCE"],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { caller, now } = call;
      const { accountId } = caller.account;
      return await database.transaction(async (tx) => {
        const site = await readUsableSite(tx.sql, services);
        await lockOpenSession(tx, caller);
        await assertUnfrozen(tx.sql, accountId, call.operation);
        if (await hasAllPasskeys(tx.sql, accountId)) throw tooMany("passkey.count", MAX_PASSKEYS);
        await spendProof({ stepUp }, call, tx.sql, { purpose: "PASSKEY_CHANGE" });
        const userId = await passkeyUserId(tx, accountId);
        const present = await listOffered(tx.sql, accountId, site.rpId);
        const ceremony = await beginCeremony(tx, caller, null, now);
        return ok(begun(ceremony, creationOptions(site.rpId, caller, userId, present)));
      });
    },
  });
}

function creationOptions(
  rpId: string,
  { account: { email, displayName } }: Caller,
  userId: Uint8Array,
  present: Awaited<ReturnType<typeof listOffered>>,
): Parameters<typeof begun>[1] {
  return {
    rp: { id: rpId, name: "Personal Records" },
    user: { id: toBase64url(userId), name: email, displayName },
    pubKeyCredParams: offeredAlgorithms().map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: present.map(toDescriptor),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none",
    extensions: { credProps: true },
  };
}

/** `POST /registration/finish`. */
export function finishRegistrationEndpoint(services: PasskeyServices): Endpoint {
  const { database, eventContextOf } = services;
  return endpoint({
    contract: {
      summary: "Add the passkey that the authenticator created",
      body: bodyOf(REGISTRATION_BODY, REGISTRATION_EXAMPLE),
      responses: { 201: { data: PASSKEY_SCHEMA } },
      errors: ["SYSTEM_MAINTENANCE"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const body = readBody(REGISTRATION_BODY, call.body);
      const { caller, now } = call;
      const { account: { accountId }, credential } = caller;
      const outcome = await database.transaction(async (tx) => {
        await lockOpenSession(tx, caller);
        await assertUnfrozen(tx.sql, accountId, call.operation);
        const made = await register(services, tx, caller, body, now);
        if (made instanceof ServiceError) return made;
        const event = { ...eventContextOf(call), event: "PASSKEY_ADDED" } as const;
        await insertAccessEvent(tx.sql, { ...event, accountId, credential });
        return made;
      });
      // Thrown after the commit, because the ceremony has ended.
      if (outcome instanceof ServiceError) throw outcome;
      return created(outcome, `/api/v2/auth/passkeys/${outcome.passkeyId}`);
    },
  });
}

/** Ends the ceremony, and adds its passkey or returns the refusal. */
async function register(
  services: PasskeyServices,
  tx: Tx,
  caller: Caller,
  { ceremonyId, name, credential }: InferObject<typeof REGISTRATION_BODY>,
  now: Date,
): Promise<Passkey | ServiceError> {
  const { accountId } = caller.account;
  const site = await readSite(tx.sql, services);
  const ceremony = await endCeremony(tx, caller, ceremonyId, "registration", now);
  if (ceremony === null) return payloadInvalid(["passkey.ceremony"], ["ceremonyId"]);
  const expected = toBase64url(ceremony.challenge);
  const verified = await orRefusal(
    verifyRegistration(credential, site, (challenge) => challenge === expected),
  );
  if (verified instanceof PasskeyRefusal) return payloadInvalid([verified.rule], ["credential"]);
  if (await hasAllPasskeys(tx.sql, accountId)) return tooMany("passkey.count", MAX_PASSKEYS);
  await storeHost(tx.sql, site.rpId);
  // Another process may have added the first passkey since, for another host name.
  if ((await readSite(tx.sql, services)).rpId !== site.rpId) {
    return payloadInvalid(["passkey.rp"], ["credential"]);
  }
  const { transports } = credential;
  const passkey = { ...verified, name, rpId: site.rpId, transports };
  const made = await insertPasskey(tx, accountId, passkey, now);
  return made ?? payloadInvalid(["passkey.known"], ["credential"]);
}
