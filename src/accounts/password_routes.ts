import { endProofs } from "../access/step_up.ts";
import { bodyOf } from "../http/contract.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
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
  const { database, throttle, eventContextOf } = services;
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
    async handle(call) {
      const body = readBody(PASSWORD_BODY, call.body);
      const { currentPassword, newPassword, revokeTokens = true, code, recoveryCode } = body;
      const sent = { code, recoveryCode };
      assertOneFactor(sent);
      const { caller: { account: { accountId, email }, credential }, now } = call;
      checkNewPassword(newPassword, { email, former: currentPassword }, "newPassword");
      // Checked here too, so that a right password is not counted as a failure.
      await database.read((sql) => assertUnfrozen(sql, accountId, call.operation));
      const confirmed = await confirmCaller(services, call, currentPassword);
      const { attemptId } = confirmed;
      const passwordHash = await hashAttempted(services, attemptId, email, newPassword);
      const context = eventContextOf(call);
      return await withSecondFactor(
        services,
        { confirmed, sent, context, credential, refusal: "STEP_UP_REQUIRED" },
        async (tx) => {
          await lockConfirmed(tx, call.caller, confirmed);
          await assertUnfrozen(tx.sql, accountId, call.operation);
        },
        async (tx) => {
          await updatePasswordHash(tx, accountId, passwordHash);
          const own = credential.id;
          const revokedSessions = await endCredentials(tx, accountId, "SESSION", context, own);
          await endProofs(tx, accountId, now);
          await endPendingSecret(tx.sql, accountId);
          await endCeremonies(tx.sql, accountId);
          const revokedTokens = revokeTokens
            ? await endCredentials(tx, accountId, "TOKEN", context)
            : 0;
          if (revokeTokens) {
            await endCredentials(tx, accountId, "CALENDAR", context);
            await endAssistants(tx, accountId, credential, context);
          }
          await throttle.succeeded(tx.sql, attemptId, email);
          const event = { ...context, event: "PASSWORD_CHANGED", accountId, credential } as const;
          await insertAccessEvent(tx.sql, event);
          return ok({ revokedSessions, revokedTokens });
        },
      );
    },
  });
}
