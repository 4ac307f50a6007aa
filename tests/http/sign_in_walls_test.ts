/** The walls around the sign-in of assistants: its documents, its secrets and its end. */

import { assertEquals } from "@std/assert";
import { freezeAccount, insertExportEvent, retireAccount } from "../../src/accounts/moving.ts";
import { emailOf, eventContextOf } from "../storage/operator.ts";
import { callApp, type Caller, fileWorld, ORIGIN, readResponse } from "../support/world.ts";
import { assertRefused, AUTH, COOKIE, givePassword, PASSWORD } from "./access.ts";
import { LIMITS } from "./assistants.ts";
import {
  addProgram,
  allow,
  assertOAuthFailure,
  exchangeForm,
  opens,
  post,
  refreshForm,
  signIn,
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

async function moveAway(caller: Caller): Promise<void> {
  const { database } = world();
  const context = () => eventContextOf(world());
  await freezeAccount(database, emailOf(caller), context);
  await insertExportEvent(database, emailOf(caller), world().now(), context);
  await retireAccount(database, emailOf(caller), "https://new.example", context());
}

/** Acts of an owner or an operator, and whether they end the account's assistants. */
const ACTS: readonly (readonly [isEnd: boolean, act: (caller: Caller) => Promise<void>])[] = [
  [false, (caller) => changePassword(caller, false)],
  [true, (caller) => changePassword(caller, true)],
  [true, moveAway],
];

Deno.test("A new password and a move end codes and tokens, if they end assistants", async () => {
  for (const [isEnd, act] of ACTS) {
    const owner = await world().createCaller();
    const program = await addProgram(world(), owner.accountId);
    const { access, refresh } = await signIn(world(), program);
    const code = await allow(world(), program);
    await act(owner);
    assertEquals(await opens(world(), access), !isEnd);
    for (const form of [refreshForm(program, refresh), exchangeForm(program, code)]) {
      const response = await post(world(), form);
      if (isEnd) assertOAuthFailure(response, "invalid_grant");
      else assertEquals(response.status, 200);
    }
  }
});
