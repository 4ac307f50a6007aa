import type { EventContext } from "../access/event_context.ts";
import type { Caller } from "../access/identity.ts";
import { endProofs } from "../access/step_up.ts";
import type { Tx } from "../database/database.ts";
import { bodyOf } from "../http/contract.ts";
import { ok, type Reply } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { COUNT, objectOf } from "../validate/json_schema.ts";
import { checkNewPassword } from "../validate/new_password.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import { confirmCaller, hashAttempted, lockConfirmed } from "./confirm_password.ts";
import { insertAccessEvent } from "./events.ts";
import { endAssistants, endCredentials } from "./revocation.ts";
import { EXAMPLE, PASSWORD_BODY } from "./account_schema.ts";
import {
  assertOneFactor,
  type SecondFactorServices,
  withSecondFactor,
} from "./second_factor_check.ts";
import { endCeremonies } from "./passkeys/ceremony_store.ts";
import { endPendingSecret } from "./second_factor_store.ts";
import { assertUnfrozen, updatePasswordHash } from "./account_store.ts";

/** Sets a new password, and ends sessions opened with the old one (`/api/v2/auth/password`). */
export function createPasswordEndpoint(services: SecondFactorServices): Endpoint {
  return endpoint({
    contract: {
      summary:
        "Change the password; end all other sessions and, unless the body keeps them, the tokens",
      body: bodyOf(PASSWORD_BODY, {
        currentPassword: EXAMPLE.password,
        newPassword: `${EXAMPLE.password}!`,
      }),
      responses: { 200: { data: objectOf({ revokedSessions: COUNT, revokedTokens: COUNT }) } },
      errors: ["STEP_UP_REQUIRED", "SECOND_FACTOR_REQUIRED", "SYSTEM_MAINTENANCE"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    handle: (call) => changePassword(services, call),
  });
}

async function changePassword(
  services: SecondFactorServices,
  call: CheckedCall<void>,
): Promise<Reply> {
  const { database, throttle, eventContextOf } = services;
  const { currentPassword, newPassword, revokeTokens = true, ...sent } = readBody(
    PASSWORD_BODY,
    call.body,
  );
  assertOneFactor(sent);
  const { caller, operation } = call;
  const { account: { accountId, email }, credential } = caller;
  checkNewPassword(newPassword, { email, former: currentPassword }, "newPassword");
  // Checked here too, so that a right password is not counted as a failure.
  await database.read((sql) => assertUnfrozen(sql, accountId, operation));
  const confirmed = await confirmCaller(services, call, currentPassword);
  const { attemptId } = confirmed;
  const passwordHash = await hashAttempted(services, attemptId, email, newPassword);
  const context = eventContextOf(call);
  return await withSecondFactor(
    services,
    { confirmed, sent, context, credential, refusal: "STEP_UP_REQUIRED" },
    async (tx) => {
      await lockConfirmed(tx, caller, confirmed);
      await assertUnfrozen(tx.sql, accountId, operation);
    },
    async (tx) => {
      await updatePasswordHash(tx, accountId, passwordHash);
      const ended = await endOthers(tx, caller, context, revokeTokens);
      await throttle.succeeded(tx.sql, attemptId, email);
      const event = { ...context, event: "PASSWORD_CHANGED", accountId, credential } as const;
      await insertAccessEvent(tx.sql, event);
      return ok(ended);
    },
  );
}

/** Ends everything that the old password opened, except the caller's session. */
async function endOthers(
  tx: Tx,
  { account: { accountId }, credential }: Caller,
  context: EventContext,
  revokeTokens: boolean,
): Promise<{ readonly revokedSessions: number; readonly revokedTokens: number }> {
  const revokedSessions = await endCredentials(tx, accountId, "SESSION", context, credential.id);
  await endProofs(tx, accountId, context.now);
  await endPendingSecret(tx.sql, accountId);
  await endCeremonies(tx.sql, accountId);
  if (!revokeTokens) return { revokedSessions, revokedTokens: 0 };
  const revokedTokens = await endCredentials(tx, accountId, "TOKEN", context);
  await endCredentials(tx, accountId, "CALENDAR", context);
  await endAssistants(tx, accountId, credential, context);
  return { revokedSessions, revokedTokens };
}
