import { secondsUntilProof, type StepUp, type StepUpPurpose } from "../access/step_up.ts";
import type { Sql } from "../database/sql.ts";
import { payloadInvalid, ServiceError, tooManyRequests } from "../errors/service_error.ts";
import { bodyOf } from "../http/contract.ts";
import { ok, type Reply } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { objectOf, TEXT, TIME } from "../validate/json_schema.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import { confirmCaller, lockConfirmed, withdrawRefused } from "./confirm_password.ts";
import { insertAccessEvent } from "./events.ts";
import { EXAMPLE, STEP_UP_BODY } from "./account_schema.ts";
import {
  assertOneFactor,
  type SecondFactorServices,
  withSecondFactor,
} from "./second_factor_check.ts";

export interface StepUpServices extends SecondFactorServices {
  /** If null, everything that requires a proof is refused. */
  readonly stepUp: StepUp | null;
  /** True if an account gets at most 20 proofs in 15 minutes. */
  readonly limitsProofs: boolean;
}

/** Issues a one-time proof that the password was just confirmed. */
export function createStepUpEndpoint(services: StepUpServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Confirm the current password and get a one-time proof of it",
      body: bodyOf(STEP_UP_BODY, { password: EXAMPLE.password, purpose: "MEMORY_SECRET_EXPORT" }),
      responses: { 200: { data: objectOf({ proof: TEXT, expiresAt: TIME }) } },
      errors: ["STEP_UP_REQUIRED", "SECOND_FACTOR_REQUIRED"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    handle: (call) => issueProof(services, call),
  });
}

async function issueProof(services: StepUpServices, call: CheckedCall<void>): Promise<Reply> {
  const { database, throttle, eventContextOf, stepUp } = services;
  const { password, purpose, targetId = null, ...sent } = readBody(STEP_UP_BODY, call.body);
  assertTarget(purpose, targetId);
  assertOneFactor(sent);
  if (stepUp === null) throw new ServiceError("STEP_UP_REQUIRED");
  const { caller, now } = call;
  const { account: { accountId }, credential } = caller;
  const context = eventContextOf(call);
  await database.read((sql) => assertProofLeft(services, sql, accountId, now));
  const confirmed = await confirmCaller(services, call, password);
  const prove = () =>
    withSecondFactor(
      services,
      { confirmed, sent, context, credential, refusal: "STEP_UP_REQUIRED" },
      async (tx) => {
        await lockConfirmed(tx, caller, confirmed);
        // Again: other step-ups may have succeeded while this one waited for its hash.
        await assertProofLeft(services, tx.sql, accountId, now);
      },
      async (tx) => {
        const issued = await stepUp.issue(tx, caller, { purpose, targetId }, now);
        await throttle.succeeded(tx.sql, confirmed.attemptId, confirmed.account.email);
        const event = { ...context, event: "STEP_UP", accountId, credential } as const;
        await insertAccessEvent(tx.sql, event);
        return ok(issued);
      },
    );
  return await withdrawRefused(services, confirmed.attemptId, prove);
}

/** @throws ServiceError `HTTP_429` if the account received too many proofs. */
async function assertProofLeft(
  { limitsProofs }: StepUpServices,
  sql: Sql,
  accountId: string,
  now: Date,
): Promise<void> {
  const seconds = limitsProofs ? await secondsUntilProof(sql, accountId, now) : 0;
  if (seconds > 0) throw tooManyRequests(seconds);
}

/** Purposes without an identifier that a proof could be bound to. */
const WITHOUT_TARGET: readonly StepUpPurpose[] = [
  "TOKEN_CREATE",
  "SECOND_FACTOR_CHANGE",
  "PASSKEY_CHANGE",
];

/** @throws ServiceError `PAYLOAD_INVALID` if the purpose cannot have the target. */
export function assertTarget(purpose: StepUpPurpose, targetId: string | null): void {
  if (WITHOUT_TARGET.includes(purpose) && targetId !== null) {
    throw payloadInvalid(["step_up.no_target"], ["targetId"]);
  }
}
