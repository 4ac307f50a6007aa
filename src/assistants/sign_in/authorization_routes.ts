/** The endpoints with which the page of the sign-in reads a program's request and decides it. */

import { isYoungSession, lockOpenSession } from "../../access/sessions.ts";
import { assertUnfrozen, insertAccessEvent, type StepUpServices } from "../../accounts/port.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { bodyOf } from "../../http/contract.ts";
import { ok } from "../../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../../http/route.ts";
import { spendProof } from "../../kit/proof.ts";
import { enumOf, listOf, nullable, objectOf, TEXT } from "../../validate/json_schema.ts";
import {
  identifier,
  oneOf,
  optional,
  readBody,
  refuseQuery,
  stringMatching,
} from "../../validate/schema.ts";
import { isLongerThan } from "../../validate/text.ts";
import { ASSISTANT_SCHEMA, toAssistant } from "../assistant.ts";
import { bindCallback } from "../assistant_store.ts";
import { type Authorization, findAuthorization } from "./authorization.ts";
import { insertCode } from "./code_store.ts";
import { bindsCallback, isOnThisDevice } from "./programs.ts";
import {
  asksForOffline,
  authorizationInvalid,
  redirectTo,
  refusalOf,
  REFUSALS,
} from "./request.ts";

export interface AuthorizationServices
  extends Pick<StepUpServices, "database" | "eventContextOf" | "stepUp"> {
  readonly origin: string;
  /** Whether programs that registered share a client id. */
  readonly registration: boolean;
}

export type AuthorizationEndpoints = Readonly<Record<"read" | "decide", Endpoint>>;

const MAX_REQUEST_LENGTH = 8192;

/** The query of the page, as the program sent it. */
const request = stringMatching(
  "field.length",
  (text) => text !== "" && !isLongerThan(text, MAX_REQUEST_LENGTH),
  { type: "string", minLength: 1, maxLength: MAX_REQUEST_LENGTH },
);

const READ_BODY = { request };
const DECIDE_BODY = {
  request,
  decision: oneOf("ALLOW", "DENY"),
  assistantId: optional(identifier),
};

const EXAMPLE = "response_type=code&client_id=01J00000000000000000000000";

export function createAuthorizationEndpoints(
  services: AuthorizationServices,
): AuthorizationEndpoints {
  return { read: readEndpoint(services), decide: decideEndpoint(services) };
}

function readEndpoint(services: AuthorizationServices): Endpoint {
  const { database, origin } = services;
  return endpoint({
    contract: {
      summary: "Read what a program asks for that wants to sign in as an assistant",
      body: bodyOf(READ_BODY, { request: EXAMPLE }),
      responses: {
        200: {
          data: objectOf({
            callback: TEXT,
            onThisDevice: { type: "boolean" },
            assistants: listOf(ASSISTANT_SCHEMA),
            refusal: nullable(objectOf({ error: enumOf(REFUSALS), redirectTo: TEXT })),
            proofRequired: { type: "boolean" },
          }),
        },
      },
      errors: [],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { request } = readBody(READ_BODY, call.body);
      const [{ form, callback, assistants }, isYoung] = await database.read(async (sql) => [
        await findAuthorization(sql, request, scopeOf(services, call)),
        await isYoungSession(sql, call.caller, call.now),
      ]);
      const error = refusalOf(form, origin);
      return ok({
        callback,
        onThisDevice: isOnThisDevice(callback),
        assistants: assistants.map(toAssistant),
        refusal: error && { error, redirectTo: redirectTo(callback, form, origin, { error }) },
        proofRequired: !isYoung,
      });
    },
  });
}

function decideEndpoint(services: AuthorizationServices): Endpoint {
  const { database, origin } = services;
  return endpoint({
    contract: {
      summary: "Allow or deny a program to sign in as an assistant",
      stepUp: "ASSISTANT_ALLOW",
      body: bodyOf(DECIDE_BODY, { request: EXAMPLE, decision: "DENY" }),
      responses: { 200: { data: objectOf({ redirectTo: TEXT }) } },
      errors: ["RECORD_NOT_FOUND", "SYSTEM_MAINTENANCE"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { request, decision, assistantId } = readBody(DECIDE_BODY, call.body);
      if (decision === "ALLOW" && assistantId === undefined) {
        throw payloadInvalid(["field.required"], ["assistantId"]);
      }
      const authorization = await database.read((sql) =>
        findAuthorization(sql, request, scopeOf(services, call))
      );
      const { form, callback } = authorization;
      if (refusalOf(form, origin) !== null) throw authorizationInvalid("authorization.request");
      const answer = assistantId === undefined || decision === "DENY"
        ? { error: "access_denied" } as const
        : { code: await allow(services, call, authorization, assistantId) };
      return ok({ redirectTo: redirectTo(callback, form, origin, answer) });
    },
  });
}

/**
 * Stores that the owner allowed the request, and returns its code. A sign-in is a lasting
 * credential, so it needs a proof, as tokens do: a stolen session must not create one.
 */
async function allow(
  services: AuthorizationServices,
  call: CheckedCall<unknown>,
  { form, client, callback, assistants }: Authorization,
  assistantId: string,
): Promise<string> {
  const { caller, now, operation } = call;
  const { account: { accountId }, credential } = caller;
  const assistant = assistants.find(({ assistant_id }) => assistant_id === assistantId);
  if (assistant === undefined) throw new ServiceError("RECORD_NOT_FOUND");
  return await services.database.transaction(async (tx) => {
    await lockOpenSession(tx, caller);
    await assertUnfrozen(tx.sql, accountId, operation);
    if (!(await isYoungSession(tx.sql, caller, now))) {
      const use = { purpose: "ASSISTANT_ALLOW", targetId: assistantId } as const;
      await spendProof(services, call, tx.sql, use);
    }
    const isBound = !bindsCallback(assistant.program, callback) ||
      await bindCallback(tx, accountId, assistantId, callback);
    if (!isBound) throw authorizationInvalid("authorization.bound");
    const event = { ...services.eventContextOf(call), event: "ASSISTANT_ALLOWED" } as const;
    await insertAccessEvent(tx.sql, { ...event, credential, accountId });
    return await insertCode(tx, {
      account_id: accountId,
      assistant_id: assistantId,
      client,
      callback,
      challenge: form.get("code_challenge") ?? "",
      is_offline: asksForOffline(form),
    }, now);
  });
}

function scopeOf({ registration }: AuthorizationServices, { caller, now }: CheckedCall<unknown>) {
  return { accountId: caller.account.accountId, registration, now };
}
