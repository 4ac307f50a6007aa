/** `POST /oauth/token`: exchanges codes and refresh tokens (RFC 6749, OAuth 2.1). */

import type { EventContext, EventContextReader } from "../../access/event_context.ts";
import { type AccessEvent, insertAccessEvent } from "../../accounts/port.ts";
import { constraintRefusal } from "../../command/refusals.ts";
import { limitStorage, type WriteLimits } from "../../command/write_limits.ts";
import { toBase64url } from "../../core/base64url.ts";
import { sha256 } from "../../core/digest.ts";
import { isUlid } from "../../core/ids.ts";
import type { Database, Tx } from "../../database/database.ts";
import { OAuthError } from "../../errors/oauth_error.ts";
import { accountMoved, ServiceError } from "../../errors/service_error.ts";
import { bareJson } from "../../http/reply.ts";
import type { PublicEndpoint } from "../../http/route.ts";
import { COUNT, enumOf, type JsonSchema, objectOf, TEXT } from "../../validate/json_schema.ts";
import { OFFLINE_SCOPE, SCOPE } from "./documents.ts";
import { FORM_TYPE, readForm, repeatsAny } from "./form.ts";
import { SHARED_CLIENT } from "./registration.ts";
import { isOurResource } from "./resource.ts";
import {
  endSignIn,
  endSurplusSignIns,
  findCode,
  findMovedTo,
  findRefreshed,
  insertPair,
  noteFirstUse,
  readRefreshToken,
  type SignIn,
  type TokenPair,
} from "./token_store.ts";

export interface TokenServices {
  readonly database: Database;
  readonly eventContextOf: EventContextReader;
  readonly writes: WriteLimits;
  readonly origin: string;
  /** Whether programs may use the client id that registration gives to all of them. */
  readonly registration: boolean;
}

/** How long a used refresh token gives further pairs: programs refresh for each parallel call. */
const REUSE_MS = 60_000;

const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/** Required parameters of each grant. */
const GRANTS = {
  authorization_code: ["code", "code_verifier"],
  refresh_token: ["refresh_token"],
} as const;

/** Parameters that the route knows; others are ignored. */
const PARAMETERS = [
  "grant_type",
  "client_id",
  "resource",
  "code",
  "code_verifier",
  "redirect_uri",
  "refresh_token",
  "scope",
];

interface TokenRequest {
  readonly clientId: string;
  readonly grant: keyof typeof GRANTS;
  readonly form: URLSearchParams;
}

interface Issued {
  readonly pair: TokenPair;
  readonly signIn: SignIn;
}

export function createTokenEndpoint(services: TokenServices): PublicEndpoint {
  const { origin } = services;
  return {
    contract: {
      summary: "Exchange a code or a refresh token of an assistant for a pair of tokens",
      streamed: FORM_TYPE,
      body: { schema: TOKEN_REQUEST, examples: {} },
      responses: { 200: { content: { mediaType: "application/json", schema: TOKEN_ANSWER } } },
      errors: ["ACCOUNT_MOVED", "AUTH_REQUIRED"],
      oauthErrors: [
        "invalid_request",
        "unsupported_grant_type",
        "invalid_target",
        "invalid_client",
        "invalid_grant",
      ],
    },
    body: "stream",
    parse: () => {},
    async handle(call) {
      const request = readTokenRequest(await readForm(call.request), call.request.headers, origin);
      await assertKnownClient(services, request.clientId);
      const issued = await issue(services, request, services.eventContextOf(call));
      return bareJson(200, toTokenAnswer(issued, call.now));
    },
  };
}

/** @throws OAuthError */
function readTokenRequest(form: URLSearchParams, headers: Headers, origin: string): TokenRequest {
  if (repeatsAny(form, PARAMETERS)) throw new OAuthError("invalid_request");
  if (headers.has("Authorization")) {
    const challenge = { "WWW-Authenticate": 'Basic realm="records"' };
    throw new OAuthError("invalid_client", "AUTH_REQUIRED", challenge);
  }
  const grant = form.get("grant_type");
  const clientId = form.get("client_id");
  if (grant === null || clientId === null) throw new OAuthError("invalid_request");
  if (!isGrant(grant)) throw new OAuthError("unsupported_grant_type");
  if (!GRANTS[grant].every((name) => form.has(name))) throw new OAuthError("invalid_request");
  const resource = form.get("resource");
  if (resource !== null && !isOurResource(origin, resource)) throw new OAuthError("invalid_target");
  return { clientId, grant, form };
}

function isGrant(text: string): text is keyof typeof GRANTS {
  return Object.hasOwn(GRANTS, text);
}

/**
 * Accepts the client of an assistant that has ended: programs forget a client that is not known.
 *
 * @throws OAuthError `invalid_client`
 */
async function assertKnownClient(
  { database, registration }: TokenServices,
  clientId: string,
): Promise<void> {
  if (clientId === SHARED_CLIENT && registration) return;
  const found = isUlid(clientId) &&
    await database.read(async (sql) =>
      await sql`select 1 from assistants where assistant_id = ${clientId} and program is not null`
    );
  if (!found || found.length === 0) throw new OAuthError("invalid_client");
}

/**
 * @throws OAuthError `invalid_grant`; ServiceError `HTTP_503` if the account is full,
 *   `ACCOUNT_MOVED` if the account's move ended the refresh token.
 */
async function issue(
  { database, writes: { accountBytes } }: TokenServices,
  request: TokenRequest,
  context: EventContext,
): Promise<Issued> {
  const use = request.grant === "authorization_code" ? exchangeCode : refresh;
  const run = async (tx: Tx) => {
    await limitStorage(tx.sql, accountBytes);
    return await use(tx, request, context);
  };
  const issued = await database.transaction(run).catch((error) => {
    throw constraintRefusal(error, { account_storage_limit: () => new ServiceError("HTTP_503") });
  });
  // Thrown after COMMIT, because a refused reuse ends the sign-in.
  if (issued === null) throw await refusalOf(database, request, context.now);
  return issued;
}

async function refusalOf(
  database: Database,
  { clientId, form }: TokenRequest,
  now: Date,
): Promise<ServiceError> {
  const sent = { refreshToken: form.get("refresh_token") ?? "", client: clientId };
  const [moved] = await database.read(async (sql) => await findMovedTo(sql, sent, now));
  return moved === undefined ? new OAuthError("invalid_grant") : accountMoved(moved.moved_to);
}

/** Exchanges a code for the first pair of a sign-in. Returns null if that is refused. */
async function exchangeCode(
  tx: Tx,
  { clientId, form }: TokenRequest,
  context: EventContext,
): Promise<Issued | null> {
  const { now } = context;
  const [code] = await findCode(tx, form.get("code") ?? "", now);
  if (code === undefined || !isOfRequest(code, clientId, form)) return null;
  // Also after the minute of the code, as for a refresh token after its 30 days.
  if (code.is_exchanged) return await endReused(tx, code, context);
  if (code.expires_at <= now) return null;
  const pair = await insertPair(tx, code, null, now);
  // A concurrent exchange was faster.
  if (pair === null) return null;
  await endSurplusSignIns(tx, code, now);
  await insertEvent(tx, code, "ASSISTANT_SIGNED_IN", context);
  return { pair, signIn: code };
}

/** Whether the client that was given the code sent it (RFC 7636 section 4.6). */
function isOfRequest(
  { client, challenge, callback }: SignIn,
  clientId: string,
  form: URLSearchParams,
): boolean {
  const verifier = form.get("code_verifier") ?? "";
  return client === clientId && VERIFIER.test(verifier) &&
    toBase64url(sha256(verifier)) === challenge &&
    (form.get("redirect_uri") ?? callback) === callback;
}

/** Uses a refresh token. Returns null if that is refused. */
async function refresh(
  tx: Tx,
  { clientId, form }: TokenRequest,
  context: EventContext,
): Promise<Issued | null> {
  const { now } = context;
  const [used] = await findRefreshed(tx, form.get("refresh_token") ?? "", now);
  if (used === undefined || used.client !== clientId) return null;
  const [token] = await readRefreshToken(tx, used);
  if (token === undefined || token.ended_at !== null) return null;
  const { refreshed_at: firstUse } = token;
  if (firstUse !== null && now.getTime() > firstUse.getTime() + REUSE_MS) {
    return await endReused(tx, used, context);
  }
  if (token.refresh_expires_at <= now) return null;
  if (firstUse === null) await noteFirstUse(tx, used, now);
  const pair = await insertPair(tx, used, used.token_id, now);
  return pair === null ? null : { pair, signIn: used };
}

/** Ends the whole sign-in, because its code or refresh token may be stolen. */
async function endReused(tx: Tx, signIn: SignIn, context: EventContext): Promise<null> {
  if (await endSignIn(tx, signIn, context.now)) {
    await insertEvent(tx, signIn, "ASSISTANT_TOKEN_REUSED", context);
  }
  return null;
}

async function insertEvent(
  { sql }: Tx,
  { account_id: accountId, assistant_id: id }: SignIn,
  event: AccessEvent["event"],
  context: EventContext,
): Promise<void> {
  const credential = { kind: "ASSISTANT", id } as const;
  await insertAccessEvent(sql, { ...context, event, accountId, credential });
}

const TOKEN_REQUEST: JsonSchema = {
  ...objectOf({
    grant_type: enumOf(Object.keys(GRANTS)),
    client_id: TEXT,
    resource: TEXT,
    code: TEXT,
    code_verifier: { type: "string", pattern: VERIFIER.source },
    redirect_uri: TEXT,
    refresh_token: TEXT,
    scope: TEXT,
  }, PARAMETERS.filter((name) => !["grant_type", "client_id"].includes(name))),
  additionalProperties: true,
};

const TOKEN_ANSWER: JsonSchema = objectOf({
  access_token: { type: "string", pattern: "^prs_o_[A-Za-z0-9_-]{43}$" },
  token_type: { const: "Bearer" },
  expires_in: COUNT,
  refresh_token: { type: "string", pattern: "^prs_r_[A-Za-z0-9_-]{43}$" },
  scope: enumOf([SCOPE, `${SCOPE} ${OFFLINE_SCOPE}`]),
});

function toTokenAnswer({ pair, signIn }: Issued, now: Date) {
  return {
    access_token: pair.access,
    token_type: "Bearer",
    expires_in: Math.floor((pair.accessExpiresAt.getTime() - now.getTime()) / 1000),
    refresh_token: pair.refresh,
    scope: signIn.is_offline ? `${SCOPE} ${OFFLINE_SCOPE}` : SCOPE,
  };
}
