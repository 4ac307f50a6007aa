/** Fixtures of the suites about tokens: assistants that sign in, codes, requests for tokens. */

import { assertEquals } from "@std/assert";
import type { AppServices } from "../../src/app.ts";
import { insertCode } from "../../src/assistants/sign_in/code_store.ts";
import { toBase64url } from "../../src/core/base64url.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/digest.ts";
import { newId } from "../../src/core/ids.ts";
import { OAUTH_ERRORS, type OAuthErrorCode } from "../../src/errors/oauth_error.ts";
import { callApp, callerOf, type Json, type TestResponse, type World } from "../support/world.ts";
import { LIMITS } from "./assistants.ts";
import { CALLBACK } from "./sign_in.ts";

export const SIGN_IN = { assistants: LIMITS };
export const VERIFIER = "a-verifier-of-43-characters-or-more.0123456789~_";
export const CHALLENGE = toBase64url(sha256(VERIFIER));
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** A service to call. */
export interface Place extends Pick<World, "call"> {
  readonly app: Pick<World["app"], "fetch">;
}

/** The service with other settings. */
export function servedWith(world: World, services: Partial<AppServices>): Place {
  const app = world.again(services);
  return { app, call: (method, path, options) => callApp(app, method, path, options) };
}

/** An assistant that signs in. */
export interface Program {
  readonly accountId: string;
  readonly assistantId: string;
}

export async function addProgram(
  { database, now }: Pick<World, "database" | "now">,
  accountId: string,
  until: Date = new Date(now().getTime() + 90 * DAY_MS),
): Promise<Program> {
  const assistantId = newId(now());
  await database.write((sql) =>
    sql`
      insert into assistants (account_id, assistant_id, name, modules, may_propose, sensitive,
                              program, created_at, expires_at)
      values (${accountId}, ${assistantId}, 'Claude', 'commitment', false, 'HIDDEN', 'CLAUDE',
              ${now()}, ${until})`
  );
  return { accountId, assistantId };
}

/** Returns a code, as Allow does. */
export async function allow(
  { database, now }: Pick<World, "database" | "now">,
  { accountId, assistantId }: Program,
  more: { readonly client?: string; readonly isOffline?: boolean } = {},
): Promise<string> {
  const code = {
    account_id: accountId,
    assistant_id: assistantId,
    client: more.client ?? assistantId,
    callback: CALLBACK,
    challenge: CHALLENGE,
    is_offline: more.isOffline ?? false,
  };
  return await database.transaction((tx) => insertCode(tx, code, now()));
}

/** Parameters; undefined ones are left out. */
export type Form = Readonly<Record<string, string | undefined>>;

export function post(
  { call }: Pick<Place, "call">,
  form: Form | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  const stated = typeof form === "string"
    ? form
    : Object.entries(form).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
    ).join("&");
  return call("POST", "/oauth/token", { raw: stated, headers: { ...FORM, ...headers } });
}

export function exchangeForm({ assistantId }: Program, code: string, more: Form = {}): Form {
  return {
    grant_type: "authorization_code",
    client_id: assistantId,
    code,
    code_verifier: VERIFIER,
    redirect_uri: CALLBACK,
    ...more,
  };
}

export function refreshForm({ assistantId }: Program, token: string, more: Form = {}): Form {
  const grant = { grant_type: "refresh_token", client_id: assistantId };
  return { ...grant, refresh_token: token, ...more };
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** The tokens of an answer, which must be a success. */
export function tokensOf(response: TestResponse): Tokens {
  assertEquals(response.status, 200, response.text);
  const { access_token: access, refresh_token: refresh } = response.body;
  return { access, refresh };
}

/** Allows a program and exchanges the code. */
export async function signIn(world: World, program: Program): Promise<Tokens> {
  return tokensOf(await post(world, exchangeForm(program, await allow(world, program))));
}

/** Exactly the failure of OAuth. */
export function assertOAuthFailure(
  response: TestResponse,
  error: OAuthErrorCode,
  status = 400,
  label = response.text,
): void {
  assertEquals(response.body, { error, error_description: OAUTH_ERRORS[error] }, label);
  assertEquals(response.status, status, label);
  assertEquals(response.headers.get("Content-Type"), "application/json", label);
  assertEquals(response.headers.get("Cache-Control"), "no-store", label);
  assertEquals(response.headers.has("WWW-Authenticate"), status === 401, label);
}

/** Whether an access token opens `/mcp`. */
export async function opens({ app }: Pick<Place, "app">, token: string): Promise<boolean> {
  const caller = callerOf(app, { accountId: "", sessionId: "", secret: token });
  const body = { jsonrpc: "2.0", id: 1, method: "ping" };
  const { status } = await caller.call("POST", "/mcp", { body });
  assertEquals([200, 401].includes(status), true, `${status}`);
  return status === 200;
}

/** The account's events of sign-ins, oldest first. */
export async function signInEvents(
  { rows }: Pick<World, "rows">,
  { accountId }: Pick<Program, "accountId">,
): Promise<Json[]> {
  const events = await rows(`
    select event, credential_kind, credential_id from access_events
     where account_id = '${accountId}' and event ~ '^ASSISTANT_(SIGNED|TOKEN)' order by event_id`);
  return events.map(Object.values);
}
