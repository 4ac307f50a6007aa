/** The walls around the sign-in of assistants: its documents, its secrets and its end. */

import { assert, assertEquals } from "@std/assert";
import { toBase64url } from "../../src/core/base64url.ts";
import { sha256 } from "../../src/core/digest.ts";
import { brokenOf, coverOf, sealAll } from "../storage/audit_trail.ts";
import { assertAllSeek } from "../storage/plans.ts";
import { createRecordingDatabase } from "../storage/recording.ts";

import {
  anotherProcess,
  callApp,
  type Caller,
  fileWorld,
  type Json,
  ORIGIN,
  readResponse,
  type World,
} from "../support/world.ts";
import { assertRefused, AUTH, COOKIE, givePassword, PASSWORD } from "./access.ts";
import { LIMITS } from "./assistants.ts";
import {
  answerOf,
  CALLBACK,
  createSigningIn,
  decideRequest,
  readRequest,
  requestOf,
} from "./sign_in.ts";
import {
  addProgram,
  allow,
  assertOAuthFailure,
  exchangeForm,
  opens,
  post,
  refreshForm,
  signIn,
  tokensOf,
  VERIFIER,
} from "./sign_in_tokens.ts";

const LISTED = "https://app.example";
const OTHER_HOST = "other.example";
const world = fileWorld({
  assistants: LIMITS,
  corsOrigins: [LISTED],
  allowedHosts: [OTHER_HOST],
});

const RESOURCE = "/.well-known/oauth-protected-resource";
const SERVER = "/.well-known/oauth-authorization-server";

const RESOURCE_DOCUMENT = {
  resource: `${ORIGIN}/mcp`,
  authorization_servers: [ORIGIN],
  scopes_supported: ["mcp"],
  bearer_methods_supported: ["header"],
  resource_name: "Personal Records",
};
const SERVER_DOCUMENT = {
  issuer: ORIGIN,
  authorization_endpoint: `${ORIGIN}/oauth/authorize`,
  token_endpoint: `${ORIGIN}/oauth/token`,
  scopes_supported: ["mcp", "offline_access"],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  protected_resources: [`${ORIGIN}/mcp`],
};
const DOCUMENTS = {
  [`${RESOURCE}/mcp`]: RESOURCE_DOCUMENT,
  [RESOURCE]: RESOURCE_DOCUMENT,
  [SERVER]: SERVER_DOCUMENT,
};

Deno.test("The documents name the service to anyone, whatever is sent", async () => {
  const sent: readonly Record<string, string>[] = [
    {},
    { "MCP-Protocol-Version": "2025-11-25" },
    { Authorization: "Bearer prs_o_nothing" },
    { Cookie: `${COOKIE}=nothing`, Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    { Origin: LISTED },
  ];
  for (const [path, document] of Object.entries(DOCUMENTS)) {
    for (const origin of [ORIGIN, `https://${OTHER_HOST}`, `http://${OTHER_HOST}:8000`]) {
      for (const headers of sent) {
        const request = new Request(`${origin}${path}`, { headers });
        const response = await readResponse(await world().app.fetch(request));
        assertEquals([response.status, response.body], [200, document]);
        const { headers: answered } = response;
        const names = ["Content-Type", "Cache-Control", "Set-Cookie"];
        assertEquals(
          names.map((name) => answered.get(name)),
          ["application/json", "no-store", null],
        );
        const readable = headers.Origin === LISTED ? LISTED : null;
        assertEquals(answered.get("Access-Control-Allow-Origin"), readable);
      }
    }
    const head = await world().call("HEAD", path);
    assertEquals([head.status, head.text], [200, ""]);
    assertRefused(await world().call("POST", path), "HTTP_405");
  }
  const registering = world().again({ assistants: { ...LIMITS, registration: true } });
  assertEquals((await callApp(registering, "GET", SERVER)).body, {
    ...SERVER_DOCUMENT,
    registration_endpoint: `${ORIGIN}/oauth/register`,
  });
});

/** Paths at which programs look for documents of other services. */
const ABSENT = [
  "/.well-known/openid-configuration",
  "/.well-known/openid-configuration/mcp",
  "/mcp/.well-known/openid-configuration",
  `${SERVER}/mcp`,
  `/mcp${SERVER}`,
  `/mcp${RESOURCE}`,
  `${RESOURCE}/`,
  `${RESOURCE}/mcp/`,
  "/.well-known/jwks.json",
  "/oauth/revoke",
  "/oauth/introspect",
  "/oauth/userinfo",
  "/authorize",
  "/token",
  "/register",
];

Deno.test("No other document exists, and no path of the sign-in unless it is open", async () => {
  for (const path of ABSENT) assertRefused(await world().call("GET", path), "HTTP_404");
  const paths = [...Object.keys(DOCUMENTS), "/oauth/authorize", "/oauth/token", "/oauth/register"];
  for (const services of [{ console: false }, { assistants: null }]) {
    const closed = world().again(services);
    for (const path of paths) {
      for (const method of ["GET", "POST"]) {
        assertRefused(await callApp(closed, method, path), "HTTP_404");
      }
    }
  }
  assertRefused(await world().call("POST", "/oauth/register"), "HTTP_404");
});

Deno.test("A 401 names the sign-in at /mcp alone, and only while it is open", async () => {
  const closed = world().again({ console: false });
  const scheme = `Bearer resource_metadata="${ORIGIN}${RESOURCE}/mcp", scope="mcp"`;
  const plain = 'Bearer realm="records"';
  const calls: readonly (readonly [app: typeof closed, path: string, challenge: string])[] = [
    [world().app, "/mcp", scheme],
    [closed, "/mcp", plain],
    [world().app, "/api/v2/auth/assistants", plain],
    [world().app, "/api/v2/auth/logout", plain],
  ];
  for (const [app, path, challenge] of calls) {
    for (const value of [null, "Bearer prs_o_nothing", "Bearer", "Basic eDp5"]) {
      const headers = { Origin: LISTED, ...(value !== null && { Authorization: value }) };
      const response = await callApp(app, "POST", path, { headers });
      assertRefused(response, "AUTH_REQUIRED");
      const error = value === null ? "" : ', error="invalid_token"';
      assertEquals(response.headers.get("WWW-Authenticate"), `${challenge}${error}`);
    }
  }
});

const NEW_PASSWORD = "a new password, long enough";

async function changePassword(caller: Caller, revokeTokens: boolean): Promise<void> {
  await givePassword(world(), caller);
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, revokeTokens };
  assertEquals((await caller.call("POST", `${AUTH}/password`, { body })).status, 200);
}

Deno.test("A new password ends codes and tokens, if it ends assistants", async () => {
  for (const isEnd of [false, true]) {
    const owner = await world().createCaller();
    const program = await addProgram(world(), owner.accountId);
    const { access, refresh } = await signIn(world(), program);
    const code = await allow(world(), program);
    await changePassword(owner, isEnd);
    assertEquals(await opens(world(), access), !isEnd);
    for (const form of [refreshForm(program, refresh), exchangeForm(program, code)]) {
      const response = await post(world(), form);
      if (isEnd) assertOAuthFailure(response, "invalid_grant");
      else assertEquals(response.status, 200);
    }
  }
});

/** Refuses and lists each connection that is tried, except those to the database. */
function withoutConnections(): Disposable & { readonly tried: readonly unknown[] } {
  const tried: unknown[] = [];
  const { fetch } = globalThis;
  const { connectTls, resolveDns } = Deno;
  const refuse = (...what: unknown[]) => {
    tried.push(what);
    throw new Error("A connection is not allowed here");
  };
  Object.assign(globalThis, { fetch: refuse });
  Object.assign(Deno, { connectTls: refuse, resolveDns: refuse });
  return {
    tried,
    [Symbol.dispose]() {
      Object.assign(globalThis, { fetch });
      Object.assign(Deno, { connectTls, resolveDns });
    },
  };
}

/**
 * Plays a sign-in from the page to the reuse of its code, which ends it.
 *
 * @returns its secrets.
 */
async function playSignIn(
  place: World,
  owner: Caller,
  assistantId: string,
  request: string,
): Promise<string[]> {
  await place.call("GET", `/oauth/authorize?${request}`);
  await readRequest(owner, request);
  await decideRequest(owner, request);
  const { code } = answerOf(await decideRequest(owner, request, assistantId));
  const program = { accountId: owner.accountId, assistantId };
  const exchange = exchangeForm(program, code);
  const first = tokensOf(await post(place, exchange));
  const next = tokensOf(await post(place, refreshForm(program, first.refresh)));
  assert(await opens(place, next.access));
  assertOAuthFailure(await post(place, exchange), "invalid_grant");
  assertEquals(await opens(place, next.access), false);
  return [code, VERIFIER, ...Object.values(first), ...Object.values(next)];
}

Deno.test("A sign-in leaves sealed events, connects to nothing, and is neither logged nor stored", async () => {
  const recording = createRecordingDatabase(world().database, "all");
  const place = anotherProcess(world(), { database: recording.database });
  const owner = await place.createCaller();
  const before = world().log.length;
  const { assistantId } = await createSigningIn(place, owner);
  const state = "a-state-that-only-its-program-knows";
  const code_challenge = toBase64url(sha256(VERIFIER));
  const request = requestOf(assistantId, { state, code_challenge });
  const secrets: string[] = [];
  using connections = withoutConnections();
  const statements = await recording.during(async () => {
    secrets.push(...await playSignIn(place, owner, assistantId, request));
  });
  assertEquals(connections.tried, []);
  await assertAllSeek(world(), statements);

  const logged = JSON.stringify(world().log.slice(before));
  for (const word of [...secrets, state, code_challenge, assistantId, CALLBACK, "claude.ai"]) {
    assertEquals(logged.includes(word), false, word);
  }
  const tables = ["assistants", "assistant_codes", "assistant_tokens", "access_events"];
  const stored = JSON.stringify(
    await Promise.all(tables.map((table) => world().rows(`select t::text as row from ${table} t`))),
  );
  assert(stored.includes(code_challenge));
  for (const secret of [...secrets, state]) assertEquals(stored.includes(secret), false);

  const { items } = (await owner.call("GET", "/api/v2/audit?kind=access")).body.data;
  const found = items.map(({ event, credentialKind, credentialId }: Json) =>
    `${event} ${credentialKind} ${credentialId}`
  );
  assertEquals(found.sort(), [
    `ASSISTANT_ALLOWED SESSION ${owner.sessionId}`,
    `ASSISTANT_CREATED SESSION ${owner.sessionId}`,
    `ASSISTANT_SIGNED_IN ASSISTANT ${assistantId}`,
    `ASSISTANT_TOKEN_REUSED ASSISTANT ${assistantId}`,
  ]);
  await sealAll(world());
  assertEquals(await brokenOf(world(), owner.accountId), []);
  assertEquals((await coverOf(world(), "access", owner.accountId)).flat().length, items.length);
});
