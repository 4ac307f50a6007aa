/** Registration of programs, their shared client id, and the document of the routes of OAuth. */

import { assert, assertEquals } from "@std/assert";
import { ApiDocument } from "../support/api_document.ts";
import {
  type CallOptions,
  fileWorld,
  type Json,
  ORIGIN,
  type TestResponse,
} from "../support/world.ts";
import { LIMITS } from "./assistants.ts";
import { assertWritesNothing } from "./kernel.ts";
import {
  addProgram,
  allow,
  assertOAuthFailure,
  exchangeForm,
  opens,
  post,
  type Program,
  refreshForm,
  servedWith,
  SIGN_IN,
  tokensOf,
} from "./sign_in_tokens.ts";

const world = fileWorld(SIGN_IN);
const REFUSED = "invalid_grant";

async function newProgram(): Promise<Program> {
  return await addProgram(world(), (await world().createCaller()).accountId);
}

const REGISTRATION = { assistants: { ...LIMITS, registration: true } };

Deno.test("Registration gives one client id to all programs, and stores nothing", async () => {
  const { call } = servedWith(world(), REGISTRATION);
  const register = (options: CallOptions) => call("POST", "/oauth/register", options);
  const kept = [
    "http://localhost:33418/callback",
    "https://claude.ai/api/mcp/auth_callback",
    "https://chatgpt.com/connector/oauth/a_B-9",
  ];
  const refused = ["https://elsewhere.example/callback", 1, null, "http://localhost:33418/other"];
  await assertWritesNothing(world(), async () => {
    const metadata = { client_name: "X", scope: "all", token_endpoint_auth_method: "basic" };
    const response = await register({
      body: { ...metadata, redirect_uris: [...refused, ...kept] },
    });
    assertEquals([response.status, response.headers.get("Cache-Control")], [201, "no-store"]);
    assertEquals(response.body, {
      client_id: "personal-records",
      redirect_uris: kept,
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
    for (
      const body of [{}, { redirect_uris: [] }, { redirect_uris: refused }, {
        redirect_uris: kept[0],
      }]
    ) {
      assertOAuthFailure(await register({ body: body as Json }), "invalid_redirect_uri");
    }
    for (const raw of ["", "{", "[]", "null", '{"redirect_uris":[],"redirect_uris":[]}']) {
      const headers = { "Content-Type": "application/json" };
      assertOAuthFailure(await register({ raw, headers }), "invalid_client_metadata", 400, raw);
    }
    assertOAuthFailure(await register({ raw: "{}" }), "invalid_request", 415);
    const long = { client_name: "x".repeat(8192), redirect_uris: kept };
    assertOAuthFailure(await register({ body: long }), "invalid_request", 413);
  });
  const document = await call("GET", "/.well-known/oauth-authorization-server");
  assertEquals(document.body.registration_endpoint, `${ORIGIN}/oauth/register`);
});

Deno.test("The client id of registration belongs to its own codes and tokens", async () => {
  const open = servedWith(world(), REGISTRATION);
  const program = await newProgram();
  const shared = { client_id: "personal-records" };
  const own = await allow(world(), program);
  assertOAuthFailure(await post(open, exchangeForm(program, own, shared)), REFUSED);
  const code = await allow(world(), program, { client: shared.client_id });
  assertOAuthFailure(await post(open, exchangeForm(program, code)), REFUSED);
  assertOAuthFailure(await post(world(), exchangeForm(program, code, shared)), "invalid_client");
  const { refresh, access } = tokensOf(await post(open, exchangeForm(program, code, shared)));
  assert(await opens(open, access));
  assertOAuthFailure(await post(open, refreshForm(program, refresh)), REFUSED);
  tokensOf(await post(open, refreshForm(program, refresh, shared)));
});

Deno.test("The document describes the routes of OAuth with their own forms", async () => {
  const { call } = servedWith(world(), REGISTRATION);
  const { body } = await call("GET", "/api/v2/openapi.json");
  const api = new ApiDocument(body);
  const program = await newProgram();
  const answers: [string, TestResponse][] = [
    ["oauth.token", await post(world(), exchangeForm(program, await allow(world(), program)))],
    ["oauth.token", await post(world(), exchangeForm(program, "x"))],
    ["oauth.token", await post(world(), "", { Authorization: "x" })],
    ["oauth.token", await post(world(), "", { "Content-Type": "text/plain" })],
    ["oauth.register", await call("POST", "/oauth/register", { body: {} })],
  ];
  for (const [id, answer] of answers) {
    const { responses, tags, security } = api.operation(id).source;
    assertEquals([tags, security], [["oauth"], []]);
    const { schema } = responses[answer.status].content["application/json"];
    assertEquals(api.violations(schema, answer.body), [], answer.text);
    assertEquals(
      Object.keys(responses).filter((status) => status >= "400"),
      [
        "400",
        ...id === "oauth.token" ? ["401"] : [],
        "408",
        ...id === "oauth.token" ? ["410"] : [],
        "413",
        "415",
        "421",
        "429",
        "500",
        "503",
      ],
    );
    assertEquals(responses["421"].content["application/json"].schema, {
      $ref: "#/components/schemas/Error_HTTP_421",
    });
  }
  const { requestBody } = api.operation("oauth.token").source;
  assertEquals(Object.keys(requestBody.content), ["application/x-www-form-urlencoded"]);
});
