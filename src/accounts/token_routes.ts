import { lockOpenSession } from "../access/sessions.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { bodyOf } from "../http/contract.ts";
import { PAGE_QUERY, pageOf, readPageQuery, toPage } from "../http/page.ts";
import { readOnlyPathId } from "../http/path.ts";
import { created, ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { spendProof } from "../kit/proof.ts";
import { objectOf, TEXT, TIME, ULID } from "../validate/json_schema.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import { insertAccessEvent } from "./events.ts";
import { endCredential } from "./revocation.ts";
import { extended } from "./account_schema.ts";
import type { StepUpServices } from "./step_up_routes.ts";
import { assertUnfrozen } from "./account_store.ts";
import { TOKEN_BODY, TOKEN_SCHEMA, toNewToken } from "./token.ts";
import { findToken, hadToken, insertToken, listTokens } from "./token_store.ts";

export interface TokenEndpoints {
  readonly listTokens: Endpoint;
  readonly createToken: Endpoint;
  readonly token: Endpoint;
  readonly revokeToken: Endpoint;
}

export function createTokenEndpoints(services: StepUpServices): TokenEndpoints {
  return {
    listTokens: listEndpoint(services),
    createToken: createEndpoint(services),
    token: detailEndpoint(services),
    revokeToken: revokeEndpoint(services),
  };
}

function listEndpoint({ database }: StepUpServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the account's valid tokens, newest first",
      query: PAGE_QUERY,
      responses: { 200: { data: pageOf(TOKEN_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: (call) => readPageQuery(call.query),
    async handle({ parsed: { cursor, limit }, caller }) {
      const { accountId } = caller.account;
      const [tokens, known] = await database.read(async (sql) =>
        await Promise.all([
          listTokens(sql, accountId, cursor, limit + 1),
          cursor === null || hadToken(sql, accountId, cursor),
        ])
      );
      if (!known) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
      return ok(toPage(tokens, limit, (token) => token, (token) => token.tokenId));
    },
  });
}

function createEndpoint({ database, eventContextOf, stepUp }: StepUpServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Create a token and return its secret once; requires a step-up proof",
      stepUp: "TOKEN_CREATE",
      body: bodyOf(TOKEN_BODY, { name: "My program", permissions: ["record.read"] }),
      responses: { 201: { data: extended("CreatedToken", TOKEN_SCHEMA, { token: TEXT }) } },
      errors: ["SYSTEM_MAINTENANCE"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { caller, now } = call;
      const stated = toNewToken(readBody(TOKEN_BODY, call.body), now);
      const { accountId } = caller.account;
      const { token, secret } = await database.transaction(async (tx) => {
        await lockOpenSession(tx, caller);
        await assertUnfrozen(tx.sql, accountId, call.operation);
        // The proof prevents that a stolen session creates a lasting token without the password.
        await spendProof({ stepUp }, call, tx.sql, { purpose: "TOKEN_CREATE" });
        const made = await insertToken(tx, accountId, stated, now);
        const credential = { kind: "TOKEN", id: made.token.tokenId } as const;
        const event = { ...eventContextOf(call), event: "TOKEN_CREATED", credential } as const;
        await insertAccessEvent(tx.sql, { ...event, accountId });
        return made;
      });
      return created({ ...token, token: secret }, `/api/v2/auth/tokens/${token.tokenId}`);
    },
  });
}

function detailEndpoint({ database }: StepUpServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Describe a token",
      responses: { 200: { data: TOKEN_SCHEMA } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "tokenId"),
    async handle({ parsed: tokenId, caller: { account: { accountId } } }) {
      const token = await database.read((sql) => findToken(sql, accountId, tokenId));
      if (token === null) throw new ServiceError("RECORD_NOT_FOUND");
      return ok(token);
    },
  });
}

/** Ends a token. Ending one twice is not an error. */
function revokeEndpoint({ database, eventContextOf }: StepUpServices): Endpoint {
  return endpoint({
    contract: {
      summary: "End one token",
      responses: { 200: { data: objectOf({ tokenId: ULID, revokedAt: TIME }) } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "tokenId"),
    async handle(call) {
      const { parsed: tokenId, caller: { account } } = call;
      const token = { kind: "TOKEN", id: tokenId } as const;
      const ended = await database.transaction((tx) =>
        endCredential(tx, account.accountId, token, eventContextOf(call))
      );
      if (ended === null) throw new ServiceError("RECORD_NOT_FOUND");
      return ok({ tokenId, revokedAt: ended.revokedAt.toISOString() });
    },
  });
}
