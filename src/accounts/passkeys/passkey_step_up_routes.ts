import { lockOpenSession } from "../../access/sessions.ts";
import type { StepUpUse } from "../../access/step_up.ts";
import { toBase64url } from "../../core/base64url.ts";
import type { Tx } from "../../database/database.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { bodyOf } from "../../http/contract.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint, type SignedInCall } from "../../http/route.ts";
import { objectOf, TEXT, TIME } from "../../validate/json_schema.ts";
import { type InferObject, readBody, refuseQuery } from "../../validate/schema.ts";
import { insertAccessEvent } from "../events.ts";
import { assertTarget } from "../step_up_routes.ts";
import { beginCeremony, endCeremony } from "./ceremony_store.ts";
import {
  ASSERTION_EXAMPLE,
  begunSchema,
  REQUEST_OPTIONS,
  STEP_UP_BEGIN_BODY,
  STEP_UP_BODY,
} from "./passkey_schema.ts";
import { readSite, readUsableSite } from "./passkey_host.ts";
import { begun, type PasskeyServices, requestOptions, toDescriptor } from "./passkey_services.ts";
import { findCredentialOwner, listOffered } from "./passkey_store.ts";
import { noteRefusedUse, usePasskey } from "./passkey_use.ts";
import { orRefusal, PasskeyRefusal } from "./refusal.ts";

/** `POST /step-up/begin`. */
export function beginStepUpEndpoint(services: PasskeyServices): Endpoint {
  const { database, stepUp } = services;
  return endpoint({
    contract: {
      summary: "Begin to confirm an operation by passkey and return the browser's options",
      body: bodyOf(STEP_UP_BEGIN_BODY, { purpose: "MEMORY_SECRET_EXPORT" }),
      responses: { 200: { data: begunSchema(REQUEST_OPTIONS) } },
      errors: ["STEP_UP_REQUIRED", "PASSKEY_STATE_CONFLICT"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { purpose, targetId = null } = readBody(STEP_UP_BEGIN_BODY, call.body);
      assertTarget(purpose, targetId);
      if (stepUp === null) throw new ServiceError("STEP_UP_REQUIRED");
      const { caller, now } = call;
      return await database.transaction(async (tx) => {
        const site = await readUsableSite(tx.sql, services);
        await lockOpenSession(tx, caller);
        const present = await listOffered(tx.sql, caller.account.accountId, site.rpId);
        if (present.length === 0) throw new ServiceError("PASSKEY_STATE_CONFLICT");
        const ceremony = await beginCeremony(tx, caller, { purpose, targetId }, now);
        return ok(begun(ceremony, requestOptions(site, present.map(toDescriptor))));
      });
    },
  });
}

/** `POST /step-up/finish`. The proof has the purpose and target of the beginning. */
export function finishStepUpEndpoint(services: PasskeyServices): Endpoint {
  const { database, throttle, eventContextOf, stepUp } = services;
  return endpoint({
    contract: {
      summary: "Return a one-time proof for the answer of a passkey",
      body: bodyOf(STEP_UP_BODY, ASSERTION_EXAMPLE),
      responses: { 200: { data: objectOf({ proof: TEXT, expiresAt: TIME }) } },
      errors: ["STEP_UP_REQUIRED"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const body = readBody(STEP_UP_BODY, call.body);
      if (stepUp === null) throw new ServiceError("STEP_UP_REQUIRED");
      const { caller, now, address } = call;
      const { account: { accountId }, credential } = caller;
      const { credentialId } = body.credential;
      const owner = await database.read((sql) => findCredentialOwner(sql, credentialId));
      const { attemptId } = await throttle.take({ email: owner?.email ?? null, address, now });
      const context = { ...eventContextOf(call), accountId };
      const proof = await database.transaction(async (tx) => {
        await lockOpenSession(tx, caller);
        const use = await orRefusal(proveCaller(services, tx, call, body));
        if (use instanceof PasskeyRefusal) {
          const refused = { ...context, event: "STEP_UP_FAILED", credential, attemptId } as const;
          await noteRefusedUse(tx, throttle, { ...refused, refusal: use });
          return null;
        }
        await throttle.succeeded(tx.sql, attemptId, caller.account.email);
        await insertAccessEvent(tx.sql, { ...context, event: "STEP_UP", credential });
        return await stepUp.issue(tx, caller, { ...use, byPasskey: true }, now);
      });
      // Thrown after the commit, because the ceremony has ended.
      if (proof === null) throw new ServiceError("STEP_UP_REQUIRED");
      return ok(proof);
    },
  });
}

/** Ends the ceremony, and returns the use of its proof. */
async function proveCaller(
  services: PasskeyServices,
  tx: Tx,
  { caller, now }: SignedInCall,
  { ceremonyId, credential: sent }: InferObject<typeof STEP_UP_BODY>,
): Promise<StepUpUse> {
  const ceremony = await endCeremony(tx, caller, ceremonyId, "step-up", now);
  if (ceremony === null || ceremony.purpose === null) throw new PasskeyRefusal("passkey.ceremony");
  const expected = toBase64url(ceremony.challenge);
  await usePasskey(tx, {
    accountId: caller.account.accountId,
    site: await readSite(tx.sql, services),
    sent,
    isChallenge: (challenge) => challenge === expected,
    now,
  });
  return { purpose: ceremony.purpose, targetId: ceremony.target_id };
}
