/** What the current password opens to a session: its own change, and step-up proofs. */

import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { ok } from "../../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../../http/route.ts";
import { checkNewPassword } from "../../validate/new_password.ts";
import { readBody, refuseQuery } from "../../validate/schema.ts";
import { findAccount, lockAccountIfUnchanged, updatePasswordHash } from "../accounts.ts";
import { type Confirmed, confirmPassword, withdrawUnchecked } from "../confirm_password.ts";
import { insertAccessEvent } from "../events.ts";
import { PASSWORD_BODY, PASSWORD_CONTRACTS, STEP_UP_BODY } from "./contracts.ts";
import type { AccessServices } from "./services.ts";
import { endProofs, revokeSessions, revokeTokens } from "../revocation.ts";
import { lockOpenSession } from "../sessions.ts";
import type { StepUpPurpose } from "../step_up.ts";

/** One endpoint for each route. */
export interface PasswordEndpoints {
  readonly changePassword: Endpoint;
  readonly stepUp: Endpoint;
}

/** The endpoints that ask for the current password. A wrong one fails with `STEP_UP_REQUIRED`. */
export function createPasswordEndpoints(services: AccessServices): PasswordEndpoints {
  const { database, throttle, passwords, eventContextOf, stepUp } = services;

  const confirm = async (call: CheckedCall<void>, password: string): Promise<Confirmed> => {
    const { accountId, email } = call.identity.account;
    const confirmed = await confirmPassword(
      services,
      () => database.read((sql) => findAccount(sql, accountId)),
      { ...eventContextOf(call), address: call.address, email, password },
      "STEP_UP_FAILED",
    );
    if (confirmed === null) throw new ServiceError("STEP_UP_REQUIRED");
    return confirmed;
  };

  return {
    /** Sets a new password; ends all other sessions, every proof, and the tokens unless asked not to. */
    changePassword: endpoint({
      contract: PASSWORD_CONTRACTS.changePassword,
      body: "json",
      parse: ({ query }) => refuseQuery(query),
      async handle(call) {
        const body = readBody(PASSWORD_BODY, call.body);
        const { currentPassword, newPassword, revokeTokens: endsTokens = true } = body;
        const { identity, now } = call;
        const { account: { accountId, email }, credential } = identity;
        checkNewPassword(newPassword, { email, former: currentPassword }, "newPassword");
        const { account, attemptId } = await confirm(call, currentPassword);
        const passwordHash = await withdrawUnchecked(
          throttle,
          attemptId,
          () => passwords.hash(newPassword, "known"),
        );
        return await database.transaction(async (tx) => {
          if (!await lockOpenSession(tx, identity)) throw new ServiceError("AUTH_REQUIRED");
          if (!await lockAccountIfUnchanged(tx, account)) {
            throw new ServiceError("STEP_UP_REQUIRED");
          }
          await updatePasswordHash(tx, accountId, passwordHash);
          const context = eventContextOf(call);
          const revokedSessions = await revokeSessions(tx, accountId, context, credential.id);
          await endProofs(tx, accountId, now);
          const revokedTokens = endsTokens ? await revokeTokens(tx, accountId, context) : 0;
          await throttle.succeeded(tx.sql, attemptId, account.email);
          const event = "PASSWORD_CHANGED";
          await insertAccessEvent(tx.sql, { ...context, event, accountId, credential });
          return ok({ revokedSessions, revokedTokens });
        });
      },
    }),

    /** Gives a one-time proof that the password was just confirmed. */
    stepUp: endpoint({
      contract: PASSWORD_CONTRACTS.stepUp,
      body: "json",
      parse: ({ query }) => refuseQuery(query),
      async handle(call) {
        const { password, purpose, targetId = null } = readBody(STEP_UP_BODY, call.body);
        assertTarget(purpose, targetId);
        if (stepUp === null) throw new ServiceError("STEP_UP_REQUIRED");
        const { identity, now } = call;
        const { account: { accountId }, credential } = identity;
        const { account, attemptId } = await confirm(call, password);
        return await database.transaction(async (tx) => {
          if (!await lockOpenSession(tx, identity)) throw new ServiceError("AUTH_REQUIRED");
          if (!await lockAccountIfUnchanged(tx, account)) {
            throw new ServiceError("STEP_UP_REQUIRED");
          }
          const issued = await stepUp.issue(tx, identity, { purpose, targetId }, now);
          await throttle.succeeded(tx.sql, attemptId, account.email);
          const event = "STEP_UP";
          await insertAccessEvent(tx.sql, {
            ...eventContextOf(call),
            event,
            accountId,
            credential,
          });
          return ok(issued);
        });
      },
    }),
  };
}

/** A new token has no identifier yet that a proof could be bound to. */
function assertTarget(purpose: StepUpPurpose, targetId: string | null): void {
  if (purpose === "TOKEN_CREATE" && targetId !== null) {
    throw payloadInvalid(["step_up.no_target"], ["targetId"]);
  }
}
