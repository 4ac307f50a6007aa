import { lockOpenSession } from "../access/sessions.ts";
import { endProofs } from "../access/step_up.ts";
import { base32 } from "../core/base32.ts";
import type { JsonObject } from "../core/json.ts";
import type { Tx } from "../database/database.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { bodyOf } from "../http/contract.ts";
import { ok } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { COUNT, type JsonSchema, listOf, objectOf, TEXT, TIME } from "../validate/json_schema.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import { type AccessEventName, insertAccessEvent } from "./events.ts";
import { SECOND_FACTOR_BODY } from "./account_schema.ts";
import type { SecondFactorServices } from "./second_factor_check.ts";
import {
  enableSecondFactor,
  findPendingSecret,
  findSecondFactor,
  hasSecondFactor,
  isLocked,
  removeSecondFactor,
  replacePendingSecret,
  replaceRecoveryCodes,
} from "./second_factor_store.ts";
import type { StepUpServices } from "./step_up_routes.ts";
import { spendProof } from "../kit/proof.ts";
import { assertUnfrozen } from "./account_store.ts";
import { matchingStep, newTotpSecret, totpUri } from "./totp.ts";

export interface SecondFactorEndpoints {
  readonly secondFactor: Endpoint;
  readonly beginSecondFactor: Endpoint;
  readonly confirmSecondFactor: Endpoint;
  readonly disableSecondFactor: Endpoint;
  readonly replaceRecoveryCodes: Endpoint;
}

interface Services extends SecondFactorServices, StepUpServices {
  /** Shown in authenticators to distinguish installations. */
  readonly origin: string;
}

const RECOVERY_CODES = { ...listOf(TEXT), minItems: 10, maxItems: 10 };
const PURPOSE = "SECOND_FACTOR_CHANGE";
const NO_STEP = 0;

export function createSecondFactorEndpoints(services: Services): SecondFactorEndpoints {
  return {
    secondFactor: stateEndpoint(services),
    beginSecondFactor: beginEndpoint(services),
    confirmSecondFactor: confirmEndpoint(services),

    disableSecondFactor: changeEndpoint(services, {
      summary: "Turn the second factor off; requires a step-up proof",
      data: objectOf({ secondFactor: { const: false } }),
      event: "SECOND_FACTOR_DISABLED",
      change: async (tx, { caller: { account } }) => {
        await removeSecondFactor(tx, account.accountId);
        return { secondFactor: false };
      },
    }),

    replaceRecoveryCodes: changeEndpoint(services, {
      summary: "Replace the recovery codes and return them once; requires a step-up proof",
      data: objectOf({ recoveryCodes: RECOVERY_CODES }),
      event: "RECOVERY_CODES_REPLACED",
      change: async (tx, { caller: { account }, now }) => ({
        recoveryCodes: await replaceRecoveryCodes(tx, account.accountId, now),
      }),
    }),
  };
}

function stateEndpoint({ database }: Services): Endpoint {
  return endpoint({
    contract: {
      summary: "Report whether the second factor is on, and whether wrong codes have locked it",
      responses: {
        200: {
          data: objectOf({
            secondFactor: { type: "boolean" },
            wrongCodes: {
              ...COUNT,
              description: "Since the last correct code or recovery code; at most 20.",
            },
            locked: {
              type: "boolean",
              description: "After 20 wrong codes, only a recovery code is accepted.",
            },
          }),
        },
      },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle({ caller: { account } }) {
      const factor = await database.read((sql) => findSecondFactor(sql, account.accountId));
      return ok({
        secondFactor: factor !== null,
        wrongCodes: factor?.wrong_codes ?? 0,
        locked: factor !== null && isLocked(factor),
      });
    },
  });
}

/** The current factor stays valid until the new secret is confirmed. */
function beginEndpoint({ database, stepUp, secrets, origin }: Services): Endpoint {
  // Authenticators end the issuer at a colon, which an IPv6 address contains.
  const issuer = `Personal Records ${new URL(origin).hostname.replaceAll(":", ".")}`;
  return endpoint({
    contract: {
      summary:
        "Create an authenticator secret, which a code must confirm; requires a step-up proof",
      stepUp: PURPOSE,
      responses: { 200: { data: objectOf({ secret: TEXT, uri: TEXT }) } },
      errors: ["SYSTEM_MAINTENANCE"],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { caller, now } = call;
      const { accountId, email } = caller.account;
      const secret = newTotpSecret();
      await database.transaction(async (tx) => {
        await lockOpenSession(tx, caller);
        await assertUnfrozen(tx.sql, accountId, call.operation);
        await spendProof({ stepUp }, call, tx.sql, { purpose: PURPOSE });
        await replacePendingSecret(tx, caller, secrets.encrypt(accountId, secret), now);
      });
      return ok({ secret: base32(secret), uri: totpUri(secret, { issuer, account: email }) });
    },
  });
}

/** Throttled like a password, because the response contains recovery codes. */
function confirmEndpoint(services: Services): Endpoint {
  return endpoint({
    contract: {
      summary:
        "Turn the second factor on with a code of the new secret; returns recovery codes once",
      body: bodyOf(SECOND_FACTOR_BODY, { code: "123456" }),
      responses: { 200: { data: objectOf({ enabledAt: TIME, recoveryCodes: RECOVERY_CODES }) } },
      errors: ["SECOND_FACTOR_STATE_CONFLICT", "SYSTEM_MAINTENANCE"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { code } = readBody(SECOND_FACTOR_BODY, call.body);
      const { address, now, caller: { account: { accountId, email } } } = call;
      // Checked here too, so that a right code is not counted as a failure.
      await services.database.read((sql) => assertUnfrozen(sql, accountId, call.operation));
      const { attemptId } = await services.throttle.take({ email, address, now });
      const outcome = await services.database.transaction((tx) =>
        turnOn(services, call, { code, attemptId }, tx)
      );
      // Thrown after the commit, because rows about the refusal must stay.
      if (outcome === "NOT_PENDING") throw new ServiceError("SECOND_FACTOR_STATE_CONFLICT");
      if (outcome === "WRONG") throw payloadInvalid(["second_factor.code"], ["code"]);
      return ok(outcome);
    },
  });
}

async function turnOn(
  { throttle, secrets, eventContextOf }: Services,
  call: CheckedCall<void>,
  { code, attemptId }: { readonly code: string; readonly attemptId: string },
  tx: Tx,
): Promise<"NOT_PENDING" | "WRONG" | JsonObject> {
  const { caller, now } = call;
  const { account: { accountId, email }, credential } = caller;
  const note = (event: AccessEventName) =>
    insertAccessEvent(tx.sql, { ...eventContextOf(call), event, accountId, credential });
  await lockOpenSession(tx, caller);
  await assertUnfrozen(tx.sql, accountId, call.operation);
  const encrypted = await findPendingSecret(tx.sql, caller, now);
  if (encrypted === null) {
    await throttle.withdraw(tx.sql, attemptId);
    return "NOT_PENDING";
  }
  const secret = secrets.decrypt(accountId, encrypted);
  const step = secret === null ? null : matchingStep(secret, code, now, NO_STEP);
  if (step === null) {
    await throttle.failed(tx.sql, attemptId);
    await note("SECOND_FACTOR_FAILED");
    return "WRONG";
  }
  const factor = { encrypted_secret: encrypted, last_step: step };
  const recoveryCodes = await enableSecondFactor(tx, accountId, factor, now);
  // Pending proofs were not confirmed with a code of this factor.
  await endProofs(tx, accountId, now);
  await throttle.succeeded(tx.sql, attemptId, email);
  await note("SECOND_FACTOR_ENABLED");
  return { enabledAt: now.toISOString(), recoveryCodes };
}

interface Change {
  readonly summary: string;
  readonly data: JsonSchema;
  readonly event: AccessEventName;
  readonly change: (tx: Tx, call: CheckedCall<void>) => Promise<JsonObject>;
}

function changeEndpoint(
  { database, stepUp, eventContextOf }: Services,
  { summary, data, event, change }: Change,
): Endpoint {
  return endpoint({
    contract: {
      summary,
      stepUp: PURPOSE,
      responses: { 200: { data } },
      errors: ["SECOND_FACTOR_STATE_CONFLICT", "SYSTEM_MAINTENANCE"],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { caller } = call;
      const { account: { accountId }, credential } = caller;
      return await database.transaction(async (tx) => {
        await lockOpenSession(tx, caller);
        await assertUnfrozen(tx.sql, accountId, call.operation);
        await spendProof({ stepUp }, call, tx.sql, { purpose: PURPOSE });
        if (!await hasSecondFactor(tx.sql, accountId)) {
          throw new ServiceError("SECOND_FACTOR_STATE_CONFLICT");
        }
        const changed = await change(tx, call);
        await insertAccessEvent(tx.sql, { ...eventContextOf(call), event, accountId, credential });
        return ok(changed);
      });
    },
  });
}
