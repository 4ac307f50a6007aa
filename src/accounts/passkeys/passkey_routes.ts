import { lockOpenSession } from "../../access/sessions.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { bodyOf } from "../../http/contract.ts";
import { PAGE_QUERY, pageOf, readPageQuery, toPage } from "../../http/page.ts";
import { readOnlyPathId } from "../../http/path.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint, type PublicEndpoint } from "../../http/route.ts";
import { objectOf, TIME, ULID } from "../../validate/json_schema.ts";
import { readBody } from "../../validate/schema.ts";
import { assertUnfrozen } from "../account_store.ts";
import { insertAccessEvent } from "../events.ts";
import { spendProof } from "../../kit/proof.ts";
import { PASSKEY_SCHEMA, RENAME_BODY } from "./passkey_schema.ts";
import type { PasskeyServices } from "./passkey_services.ts";
import { beginSignInEndpoint, finishSignInEndpoint } from "./passkey_sign_in_routes.ts";
import { beginStepUpEndpoint, finishStepUpEndpoint } from "./passkey_step_up_routes.ts";
import {
  findPasskey,
  hadPasskey,
  listPasskeys,
  removePasskeys,
  renamePasskey,
} from "./passkey_store.ts";
import { beginRegistrationEndpoint, finishRegistrationEndpoint } from "./registration_routes.ts";
import { relatedOriginsEndpoint, signalEndpoint } from "./signal_routes.ts";

export type { PasskeyServices } from "./passkey_services.ts";

export interface PasskeyEndpoints {
  readonly beginRegistration: Endpoint;
  readonly finishRegistration: Endpoint;
  readonly list: Endpoint;
  readonly signal: Endpoint;
  readonly detail: Endpoint;
  readonly rename: Endpoint;
  readonly remove: Endpoint;
  readonly beginSignIn: PublicEndpoint;
  readonly finishSignIn: PublicEndpoint;
  readonly beginStepUp: Endpoint;
  readonly finishStepUp: Endpoint;
  readonly relatedOrigins: PublicEndpoint;
}

export function createPasskeyEndpoints(services: PasskeyServices): PasskeyEndpoints {
  return {
    beginRegistration: beginRegistrationEndpoint(services),
    finishRegistration: finishRegistrationEndpoint(services),
    list: listEndpoint(services),
    signal: signalEndpoint(services),
    detail: detailEndpoint(services),
    rename: renameEndpoint(services),
    remove: removeEndpoint(services),
    beginSignIn: beginSignInEndpoint(services),
    finishSignIn: finishSignInEndpoint(services),
    beginStepUp: beginStepUpEndpoint(services),
    finishStepUp: finishStepUpEndpoint(services),
    relatedOrigins: relatedOriginsEndpoint(services),
  };
}

function listEndpoint({ database }: PasskeyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the account's passkeys, newest first",
      query: PAGE_QUERY,
      responses: { 200: { data: pageOf(PASSKEY_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: (call) => readPageQuery(call.query),
    async handle({ parsed: { cursor, limit }, caller }) {
      const { accountId } = caller.account;
      const [passkeys, known] = await database.read(async (sql) =>
        await Promise.all([
          listPasskeys(sql, accountId, { cursor, limit: limit + 1 }),
          cursor === null || hadPasskey(sql, accountId, cursor),
        ])
      );
      if (!known) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
      return ok(toPage(passkeys, limit, (passkey) => passkey, (passkey) => passkey.passkeyId));
    },
  });
}

function detailEndpoint({ database }: PasskeyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Describe a passkey",
      responses: { 200: { data: PASSKEY_SCHEMA } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "passkeyId"),
    async handle({ parsed: passkeyId, caller: { account: { accountId } } }) {
      const passkey = await database.read((sql) => findPasskey(sql, accountId, passkeyId));
      if (passkey === null) throw new ServiceError("RECORD_NOT_FOUND");
      return ok(passkey);
    },
  });
}

function renameEndpoint({ database }: PasskeyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Rename a passkey",
      body: bodyOf(RENAME_BODY, { name: "My laptop" }),
      responses: { 200: { data: PASSKEY_SCHEMA } },
      errors: ["RECORD_NOT_FOUND", "SYSTEM_MAINTENANCE"],
    },
    body: "json",
    parse: (call) => readOnlyPathId(call, "passkeyId"),
    async handle(call) {
      const { parsed: passkeyId, caller } = call;
      const { name } = readBody(RENAME_BODY, call.body);
      const { accountId } = caller.account;
      return await database.transaction(async (tx) => {
        await lockOpenSession(tx, caller);
        await assertUnfrozen(tx.sql, accountId, call.operation);
        const renamed = await renamePasskey(tx, accountId, passkeyId, name);
        if (renamed === null) throw new ServiceError("RECORD_NOT_FOUND");
        return ok(renamed);
      });
    },
  });
}

/** Sessions that the passkey opened stay open. */
function removeEndpoint({ database, stepUp, eventContextOf }: PasskeyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Remove a passkey; requires a step-up proof",
      stepUp: "PASSKEY_CHANGE",
      responses: { 200: { data: objectOf({ passkeyId: ULID, removedAt: TIME }) } },
      errors: ["RECORD_NOT_FOUND", "SYSTEM_MAINTENANCE"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "passkeyId"),
    async handle(call) {
      const { parsed: passkeyId, caller, now } = call;
      const { account: { accountId }, credential } = caller;
      return await database.transaction(async (tx) => {
        await lockOpenSession(tx, caller);
        await assertUnfrozen(tx.sql, accountId, call.operation);
        if (await removePasskeys(tx, accountId, passkeyId, now) === 0) {
          throw new ServiceError("RECORD_NOT_FOUND");
        }
        await spendProof({ stepUp }, call, tx.sql, { purpose: "PASSKEY_CHANGE" });
        const event = { ...eventContextOf(call), event: "PASSKEY_REMOVED" } as const;
        await insertAccessEvent(tx.sql, { ...event, accountId, credential });
        return ok({ passkeyId, removedAt: now.toISOString() });
      });
    },
  });
}
