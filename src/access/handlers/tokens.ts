/** Personal access tokens of the account. */

import { isUlid } from "../../core/ids.ts";
import type { Tx } from "../../database/database.ts";
import { payloadInvalid, ServiceError } from "../../errors/service_error.ts";
import { readPageQuery, toPage } from "../../http/page.ts";
import { created, ok } from "../../http/reply.ts";
import { type Endpoint, endpoint, type SignedInCall } from "../../http/route.ts";
import { readBody, refuseQuery } from "../../validate/schema.ts";
import { insertAccessEvent } from "../events.ts";
import { TOKEN_BODY, TOKEN_CONTRACTS } from "./contracts.ts";
import type { AccessServices } from "./services.ts";
import { lockOpenSession } from "../sessions.ts";
import { PROOF_HEADER, type StepUp } from "../step_up.ts";
import {
  findToken,
  hadToken,
  insertToken,
  listTokens,
  revokeToken,
  TOKEN_LIFETIME_MS,
} from "../tokens.ts";

/** One endpoint for each route. */
export interface TokenEndpoints {
  readonly listTokens: Endpoint;
  readonly createToken: Endpoint;
  readonly token: Endpoint;
  readonly revokeToken: Endpoint;
}

/** The endpoints of `/api/v2/auth/tokens`. */
export function createTokenEndpoints(
  { database, eventContextOf, stepUp }: AccessServices,
): TokenEndpoints {
  return {
    listTokens: endpoint({
      contract: TOKEN_CONTRACTS.listTokens,
      body: "none",
      parse: (call) => readPageQuery(call.query),
      async handle({ parsed: { cursor, limit }, identity }) {
        const { accountId } = identity.account;
        const [tokens, known] = await database.read(async (sql) =>
          await Promise.all([
            listTokens(sql, accountId, cursor, limit + 1),
            cursor === null || hadToken(sql, accountId, cursor),
          ])
        );
        if (!known) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
        return ok(toPage(tokens, limit, (token) => token, (token) => token.tokenId));
      },
    }),

    /** Makes a token for a proof of the password, and shows its secret, this once. */
    createToken: endpoint({
      contract: TOKEN_CONTRACTS.createToken,
      body: "json",
      parse: ({ query }) => refuseQuery(query),
      async handle(call) {
        const { identity, now } = call;
        const { name, permissions, expiresAt } = readBody(TOKEN_BODY, call.body);
        const wanted = { name, permissions, expiresAt: readExpiry(expiresAt, now) };
        const { accountId } = identity.account;
        const { token, secret } = await database.transaction(async (tx) => {
          if (!await lockOpenSession(tx, identity)) throw new ServiceError("AUTH_REQUIRED");
          await spendProof(stepUp, call, tx);
          const made = await insertToken(tx, accountId, wanted, now);
          const credential = { kind: "TOKEN", id: made.token.tokenId } as const;
          const event = "TOKEN_CREATED";
          await insertAccessEvent(tx.sql, {
            ...eventContextOf(call),
            event,
            accountId,
            credential,
          });
          return made;
        });
        return created({ ...token, token: secret }, `/api/v2/auth/tokens/${token.tokenId}`);
      },
    }),

    token: endpoint({
      contract: TOKEN_CONTRACTS.token,
      body: "none",
      parse: readTokenId,
      async handle({ parsed: tokenId, identity: { account: { accountId } } }) {
        const token = await database.read((sql) => findToken(sql, accountId, tokenId));
        if (token === null) throw new ServiceError("RECORD_NOT_FOUND");
        return ok(token);
      },
    }),

    /** Ends a token. Ending it twice is no error. */
    revokeToken: endpoint({
      contract: TOKEN_CONTRACTS.revokeToken,
      body: "none",
      parse: readTokenId,
      async handle(call) {
        const { parsed: tokenId, identity: { account: { accountId } }, now } = call;
        const ended = await database.transaction(async (tx) => {
          const ended = await revokeToken(tx, accountId, tokenId, now);
          if (ended?.isNew) {
            const credential = { kind: "TOKEN", id: tokenId } as const;
            const event = "TOKEN_REVOKED";
            await insertAccessEvent(tx.sql, {
              ...eventContextOf(call),
              event,
              accountId,
              credential,
            });
          }
          return ended;
        });
        if (ended === null) throw new ServiceError("RECORD_NOT_FOUND");
        return ok({ tokenId, revokedAt: ended.revokedAt.toISOString() });
      },
    }),
  };
}

/** An attacker with a session, but without the password, must not be able to create a lasting token. */
async function spendProof(
  stepUp: StepUp | null,
  { identity, request, now }: SignedInCall,
  tx: Tx,
): Promise<void> {
  if (stepUp === null) throw new ServiceError("STEP_UP_REQUIRED");
  const proof = request.headers.get(PROOF_HEADER);
  const use = { purpose: "TOKEN_CREATE", targetId: null, proof } as const;
  await stepUp.consume(tx.sql, identity, use, now);
}

function readTokenId({ query, params: { tokenId = "" } }: SignedInCall): string {
  refuseQuery(query);
  if (!isUlid(tokenId)) throw payloadInvalid(["token_id.format"]);
  return tokenId;
}

/** @throws ServiceError `PAYLOAD_INVALID` for a past moment, or one that is over 365 days away. */
function readExpiry(expiresAt: Date | undefined, now: Date): Date {
  if (expiresAt === undefined) return new Date(now.getTime() + TOKEN_LIFETIME_MS.standard);
  const lifetime = expiresAt.getTime() - now.getTime();
  if (lifetime > 0 && lifetime <= TOKEN_LIFETIME_MS.maximum) return expiresAt;
  throw payloadInvalid(["field.range"], ["expiresAt"]);
}
