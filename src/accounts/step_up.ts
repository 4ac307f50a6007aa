import type { StepUp, StepUpPurpose } from "../access/step_up.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { bodyOf } from "../http/contract.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { objectOf, TEXT, TIME } from "../validate/json_schema.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import { type ConfirmationServices, confirmCaller, lockConfirmed } from "./confirm_password.ts";
import { insertAccessEvent } from "./events.ts";
import { EXAMPLE, STEP_UP_BODY } from "./schema.ts";

/** What the routes need that issue and spend proofs. */
export interface StepUpServices extends ConfirmationServices {
  /** Null where the application was given none: then whatever needs a proof is refused. */
  readonly stepUp: StepUp | null;
}

/** The endpoint of `/api/v2/auth/step-up`: a one-time proof that the password was just confirmed. */
export function createStepUpEndpoint(services: StepUpServices): Endpoint {
  const { database, throttle, eventContextOf, stepUp } = services;
  return endpoint({
    contract: {
      summary: "Confirm the current password and get a one-time proof of it",
      body: bodyOf(STEP_UP_BODY, { password: EXAMPLE.password, purpose: "MEMORY_SECRET_EXPORT" }),
      responses: { 200: { data: objectOf({ proof: TEXT, expiresAt: TIME }) } },
      errors: ["STEP_UP_REQUIRED"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { password, purpose, targetId = null } = readBody(STEP_UP_BODY, call.body);
      assertTarget(purpose, targetId);
      if (stepUp === null) throw new ServiceError("STEP_UP_REQUIRED");
      const { identity, now } = call;
      const { account: { accountId }, credential } = identity;
      const confirmed = await confirmCaller(services, call, password);
      return await database.transaction(async (tx) => {
        await lockConfirmed(tx, identity, confirmed);
        const issued = await stepUp.issue(tx, identity, { purpose, targetId }, now);
        await throttle.succeeded(tx.sql, confirmed.attemptId, confirmed.account.email);
        const event = { ...eventContextOf(call), event: "STEP_UP", accountId, credential } as const;
        await insertAccessEvent(tx.sql, event);
        return ok(issued);
      });
    },
  });
}

/** A new token has no identifier yet that a proof could be bound to. */
function assertTarget(purpose: StepUpPurpose, targetId: string | null): void {
  if (purpose === "TOKEN_CREATE" && targetId !== null) {
    throw payloadInvalid(["step_up.no_target"], ["targetId"]);
  }
}
