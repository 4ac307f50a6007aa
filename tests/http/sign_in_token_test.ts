/** The token route: its checks and their order, codes, refresh tokens, and the ends of sign-ins. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { disableAccount, enableAccount } from "../../src/accounts/administration.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import { emailOf, eventContextOf } from "../storage/operator.ts";
import type { AppServices } from "../../src/app.ts";
import type { OAuthErrorCode } from "../../src/errors/oauth_error.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { stalledBody } from "../support/stalled_body.ts";
import { callerOf, fileWorld, ORIGIN, readResponse } from "../support/world.ts";
import { answerOf, createSigningIn, decideRequest, requestOf } from "./sign_in.ts";
import { ASSISTANTS, LIMITS, send } from "./assistants.ts";
import { assertFailure, assertWritesNothing, setMaintenance } from "./kernel.ts";
import {
  addProgram,
  allow,
  assertOAuthFailure,
  CHALLENGE,
  exchangeForm,
  type Form,
  opens,
  post,
  type Program,
  refreshForm,
  servedWith,
  SIGN_IN,
  signIn,
  signInEvents,
  type Tokens,
  tokensOf,
  VERIFIER,
} from "./sign_in_tokens.ts";

const world = fileWorld(SIGN_IN);
const HOUR_MS = 60 * 60 * 1000;
const REFUSED = "invalid_grant";

async function newProgram(): Promise<Program> {
  return await addProgram(world(), (await world().createCaller()).accountId);
}

Deno.test("A code gives a pair of tokens, and the access token is the assistant on /mcp alone", async () => {
  const owner = await world().createCaller();
  const { assistantId } = await createSigningIn(world(), owner);
  const program = { accountId: owner.accountId, assistantId };
  const scope = "offline_access claudeai";
  const request = requestOf(assistantId, { code_challenge: CHALLENGE, scope });
  const { code } = answerOf(await decideRequest(owner, request, assistantId));
  const response = await post(world(), exchangeForm(program, code));
  const { access_token: access, refresh_token: refresh, ...others } = response.body;
  assertEquals(others, { token_type: "Bearer", expires_in: 3600, scope: "mcp offline_access" });
  assertMatch(access, /^prs_o_[A-Za-z0-9_-]{43}$/);
  assertMatch(refresh, /^prs_r_[A-Za-z0-9_-]{43}$/);
  assertEquals(response.headers.get("Cache-Control"), "no-store");
  assertEquals(response.headers.get("Content-Type"), "application/json");
  assertEquals(response.headers.has("Set-Cookie"), false);
  // The event of the sign-in is not a call.
  const { app } = servedWith(world(), { assistants: { ...LIMITS, callsPerDay: 1 } });
  const assistant = callerOf(app, { ...owner, secret: access });
  const listed = await send(assistant, "tools/call", { name: "list_modules", arguments: {} });
  const { modules } = listed.body.result.structuredContent;
  assertEquals(modules.map(({ moduleCode }: { moduleCode: string }) => moduleCode), ["commitment"]);
  const shown = (await owner.call("GET", `${ASSISTANTS}/${assistantId}`)).body.data;
  assertEquals(shown.signIn.signIns, 1);
  for (const secret of [refresh, code, program.assistantId]) {
    assertEquals(await opens(world(), secret), false);
  }
  assertEquals(await signInEvents(world(), owner), [
    ["ASSISTANT_SIGNED_IN", "ASSISTANT", program.assistantId],
  ]);
});

Deno.test("The token route checks in the order of its contract", async () => {
  const { assistantId } = await newProgram();
  // Each request repairs the mistake of the one before, and has all the later ones.
  const form = { client_secret: "typed by the person", other: "1", other2: "" };
  const wrong: readonly (readonly [string, number, Form | string, Record<string, string>])[] = [
    ["invalid_request", 415, "x".repeat(8193), { "Content-Type": "application/json" }],
    ["invalid_request", 413, "%".repeat(8193), {}],
    ["invalid_request", 400, "%zz&scope=1&scope=2", {}],
    ["invalid_request", 400, "scope=1&scope=2", { Authorization: "Basic eDp5" }],
    ["invalid_client", 401, form, { Authorization: "Basic eDp5" }],
    ["invalid_request", 400, { ...form, client_id: "x", resource: "x" }, {}],
    ["invalid_request", 400, { ...form, grant_type: "password", resource: "x" }, {}],
    [
      "unsupported_grant_type",
      400,
      { ...form, grant_type: "password", client_id: "x", resource: "x" },
      {},
    ],
    [
      "invalid_request",
      400,
      { ...form, grant_type: "refresh_token", client_id: "x", resource: "x" },
      {},
    ],
    ["invalid_target", 400, {
      ...refreshForm({ accountId: "", assistantId: "x" }, "x"),
      resource: "x",
    }, {}],
    ["invalid_client", 400, refreshForm({ accountId: "", assistantId: "x" }, "x"), {}],
    ["invalid_grant", 400, refreshForm({ accountId: "", assistantId }, "x"), {}],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [error, status, sent, headers] of wrong) {
      const response = await post(world(), sent, headers);
      assertOAuthFailure(
        response,
        error as "invalid_request",
        status,
        JSON.stringify(sent).slice(0, 200),
      );
      const challenge = response.headers.get("WWW-Authenticate");
      assertEquals(challenge, status === 401 ? 'Basic realm="records"' : null);
    }
  });
});

Deno.test("Every parameter of the contract may occur once; empty and unknown ones are absent", async () => {
  const program = await newProgram();
  const code = await allow(world(), program);
  const form = exchangeForm(program, code, { resource: `${ORIGIN}/mcp/` });
  const text = new URLSearchParams(form as Record<string, string>).toString();
  for (const name of [...Object.keys(form), "refresh_token", "scope"]) {
    assertOAuthFailure(await post(world(), `${text}&${name}=a&${name}=a`), "invalid_request");
  }
  for (const name of ["grant_type", "client_id", "code", "code_verifier"]) {
    assertOAuthFailure(await post(world(), { ...form, [name]: undefined }), "invalid_request");
    assertOAuthFailure(await post(world(), { ...form, [name]: "" }), "invalid_request");
  }
  const refused: readonly (readonly [string, Record<string, string>, number])[] = [
    [text, { "Content-Type": "application/x-www-form-urlencoded2" }, 415],
    [text, { "Content-Type": "multipart/form-data" }, 415],
    [text, { "Content-Encoding": "gzip" }, 415],
    [`${text}&x=%e4`, {}, 400],
    [`${text}&x=${"y".repeat(8192 - text.length)}`, {}, 413],
  ];
  for (const [sent, headers, status] of refused) {
    assertOAuthFailure(await post(world(), sent, headers), "invalid_request", status);
  }
  assertOAuthFailure(await world().call("POST", "/oauth/token"), "invalid_request", 415);
  const more = `code=&${text}&redirect_uri=&client_secret=a&client_secret=b&x=%00&__proto__=y`;
  const filled = `${more}&z=${"y".repeat(8192 - more.length - 3)}`;
  const response = await world().call("POST", "/oauth/token?code=x&grant_type=password", {
    raw: filled,
    headers: {
      "Content-Type": "Application/X-WWW-Form-Urlencoded ; charset=utf-8",
      Cookie: "__Host-prs_session=prs_s_x",
      Origin: "https://elsewhere.example",
      "MCP-Protocol-Version": "2025-11-25",
    },
  });
  tokensOf(response);
});

Deno.test("A wrong exchange spends nothing and ends nothing; a second right one ends the sign-in", async () => {
  const owner = await world().createCaller();
  const program = await addProgram(world(), owner.accountId);
  const other = await addProgram(world(), owner.accountId);
  const stays = await signIn(world(), program);
  const code = await allow(world(), program);
  const wrong: readonly Form[] = [
    { client_id: other.assistantId },
    { code_verifier: VERIFIER.toUpperCase() },
    { code_verifier: "a" },
    { code_verifier: `${VERIFIER}\0` },
    { redirect_uri: "https://claude.com/api/mcp/auth_callback" },
    { code: `${code}x` },
    { code: code.replace("prs_g_", "prs_o_") },
  ];
  const assertWrongRefused = async () => {
    for (const more of wrong) {
      assertOAuthFailure(await post(world(), exchangeForm(program, code, more)), REFUSED);
    }
  };
  await assertWrongRefused();
  const first = tokensOf(
    await post(world(), exchangeForm(program, code, { redirect_uri: undefined })),
  );
  await assertWrongRefused();
  const second = tokensOf(await post(world(), refreshForm(program, first.refresh)));
  assertEquals(await opens(world(), first.access), true);
  for (let time = 0; time < 2; time++) {
    assertOAuthFailure(await post(world(), exchangeForm(program, code)), REFUSED);
  }
  assertEquals(await opens(world(), first.access), false);
  assertEquals(await opens(world(), second.access), false);
  assertOAuthFailure(await post(world(), refreshForm(program, second.refresh)), REFUSED);
  assertEquals(await opens(world(), stays.access), true);
  tokensOf(await post(world(), refreshForm(program, stays.refresh)));
  const events = (await signInEvents(world(), owner)).map(([event]) => event).sort();
  assertEquals(events, ["ASSISTANT_SIGNED_IN", "ASSISTANT_SIGNED_IN", "ASSISTANT_TOKEN_REUSED"]);
});

Deno.test("A refresh token gives further pairs for a minute; a later use ends its sign-in", async () => {
  const owner = await world().createCaller();
  const program = await addProgram(world(), owner.accountId);
  const stays = await signIn(world(), program);
  const first = await signIn(world(), program);
  const again = refreshForm(program, first.refresh, { scope: "other", resource: ORIGIN });
  const pairs = [tokensOf(await post(world(), again))];
  world().advance(30_000);
  pairs.push(...(await Promise.all([post(world(), again), post(world(), again)])).map(tokensOf));
  world().advance(30_000);
  pairs.push(tokensOf(await post(world(), again)));
  assertEquals(new Set(pairs.map(({ refresh }) => refresh)).size, 4);
  for (const { access } of [first, ...pairs]) assert(await opens(world(), access));
  const latest = tokensOf(await post(world(), refreshForm(program, pairs[0]?.refresh ?? "")));
  world().advance(HOUR_MS - 60_001);
  // Used refresh tokens do not shorten their access tokens.
  assert(await opens(world(), first.access));
  world().advance(1);
  assertEquals(await opens(world(), first.access), false);
  assert(await opens(world(), latest.access));
  const stranger = await addProgram(world(), owner.accountId);
  assertOAuthFailure(await post(world(), refreshForm(stranger, first.refresh)), REFUSED);
  assert(await opens(world(), latest.access));
  for (let time = 0; time < 2; time++) assertOAuthFailure(await post(world(), again), REFUSED);
  assertEquals(await opens(world(), latest.access), false);
  assertOAuthFailure(await post(world(), refreshForm(program, latest.refresh)), REFUSED);
  tokensOf(await post(world(), refreshForm(program, stays.refresh)));
  assertEquals(await signInEvents(world(), owner), [
    ["ASSISTANT_SIGNED_IN", "ASSISTANT", program.assistantId],
    ["ASSISTANT_SIGNED_IN", "ASSISTANT", program.assistantId],
    ["ASSISTANT_TOKEN_REUSED", "ASSISTANT", program.assistantId],
  ]);
});

Deno.test("A code lives a minute, an access token an hour, a refresh token 30 days, none past the end", async () => {
  const owner = await world().createCaller();
  const program = await addProgram(world(), owner.accountId);
  const [kept, late] = [await allow(world(), program), await allow(world(), program)];
  world().advance(59_999);
  const first = tokensOf(await post(world(), exchangeForm(program, kept)));
  world().advance(1);
  assertOAuthFailure(await post(world(), exchangeForm(program, late)), REFUSED);
  world().advance(HOUR_MS - 2);
  assert(await opens(world(), first.access));
  world().advance(1);
  assertEquals(await opens(world(), first.access), false);
  world().advance(30 * DAY_MS - HOUR_MS - 1);
  const second = tokensOf(await post(world(), refreshForm(program, first.refresh)));
  world().advance(30 * DAY_MS);
  // An expired token that was not used ends nothing.
  assertOAuthFailure(await post(world(), refreshForm(program, second.refresh)), REFUSED);
  assertEquals((await signInEvents(world(), owner)).map(([event]) => event), [
    "ASSISTANT_SIGNED_IN",
  ]);

  const soon = await addProgram(
    world(),
    owner.accountId,
    new Date(world().now().getTime() + 90_999),
  );
  const code = await allow(world(), soon);
  const answer = await post(world(), exchangeForm(soon, code));
  assertEquals([answer.body.expires_in, answer.body.scope], [90, "mcp"]);
  world().advance(90_998);
  assert(await opens(world(), answer.body.access_token));
  const short = await post(world(), refreshForm(soon, answer.body.refresh_token));
  assertEquals(short.body.expires_in, 0);
  world().advance(1);
  assertEquals(await opens(world(), answer.body.access_token), false);
  assertOAuthFailure(await post(world(), refreshForm(soon, short.body.refresh_token)), REFUSED);
});

Deno.test("The eleventh sign-in of an assistant ends its oldest", async () => {
  const owner = await world().createCaller();
  const [program, other] = [
    await addProgram(world(), owner.accountId),
    await addProgram(world(), owner.accountId),
  ];
  const elsewhere = await signIn(world(), other);
  const late = await allow(world(), program);
  const made: Tokens[] = [];
  for (let count = 0; count < 10; count++) {
    world().advance(1_000);
    made.push(await signIn(world(), program));
  }
  const open = async () => await Promise.all(made.map(({ access }) => opens(world(), access)));
  assertEquals((await open()).filter(Boolean).length, 10);
  // Its code is older than all others, but the sign-in is the newest.
  made.push(tokensOf(await post(world(), exchangeForm(program, late))));
  assertEquals(await open(), [false, ...Array.from({ length: 10 }, () => true)]);
  assertOAuthFailure(await post(world(), refreshForm(program, made[0]?.refresh ?? "")), REFUSED);
  assert(await opens(world(), elsewhere.access));
});

Deno.test("Codes and tokens end with their assistant, in each process", async () => {
  const process = world().again();
  for (const way of ["revoke", "disable"]) {
    const owner = await world().createCaller();
    const program = await addProgram(world(), owner.accountId);
    const { access, refresh } = await signIn(world(), program);
    const code = await allow(world(), program);
    assert(await opens({ app: process }, access));
    const assertEnded = async () => {
      assertEquals(await opens({ app: process }, access), false);
      assertOAuthFailure(await post(world(), refreshForm(program, refresh)), REFUSED);
      assertOAuthFailure(await post(world(), exchangeForm(program, code)), REFUSED);
    };
    if (way === "revoke") {
      await owner.call("POST", `${ASSISTANTS}/${program.assistantId}/revoke`);
    } else {
      await disableAccount(world().database, emailOf(owner), eventContextOf(world()));
      await assertEnded();
      await enableAccount(world().database, emailOf(owner), eventContextOf(world()));
    }
    await assertEnded();
  }
});

Deno.test("A frozen account and the maintenance window change nothing", async () => {
  const program = await newProgram();
  await setMaintenance(world(), true);
  await world().raw(
    `update accounts set frozen_at = now() where account_id = '${program.accountId}'`,
  );
  const { refresh } = await signIn(world(), program);
  const next = tokensOf(await post(world(), refreshForm(program, refresh)));
  assert(await opens(world(), next.access));
  await setMaintenance(world(), false);
});

Deno.test("Limits and failures of the service have the form of OAuth, and end nothing", async () => {
  const program = await newProgram();
  const { refresh } = await signIn(world(), program);
  const { database } = world();
  const failing = (error: Error) => ({
    database: { ...database, transaction: () => Promise.reject(error) },
  });
  const off = { perCredential: 0, perAddress: 0, inFlight: 10_000 };
  const cases: readonly [Partial<AppServices>, OAuthErrorCode, number][] = [
    [{ limits: { ...off, perAddress: 1 } }, "temporarily_unavailable", 429],
    [{ limits: { ...off, inFlight: 0 } }, "temporarily_unavailable", 503],
    [{ accountStorageBytes: 1 }, "temporarily_unavailable", 503],
    [failing(new ServiceError("HTTP_503")), "temporarily_unavailable", 503],
    [failing(new Error("broken")), "server_error", 500],
  ];
  for (const [services, error, status] of cases) {
    const place = servedWith(world(), services);
    // The first one uses up the limit of the address.
    if (status === 429) await post(place, "");
    const response = await post(place, refreshForm(program, refresh));
    assertOAuthFailure(response, error, status);
    assertEquals(response.headers.has("Retry-After"), status !== 500, `${status}`);
  }
  const { stream, breakOff } = stalledBody("grant_type=");
  const stalled = world().call("POST", "/oauth/token", {
    raw: stream,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  breakOff();
  assertOAuthFailure(await stalled, "invalid_request", 408);
  tokensOf(await post(world(), refreshForm(program, refresh)));
});

Deno.test("Paths, methods and hosts without the route have the common failures", async () => {
  const closed = servedWith(world(), { console: false });
  assertFailure(await post(closed, ""), "HTTP_404");
  assertFailure(await world().call("GET", "/oauth/token"), "HTTP_405");
  assertFailure(await world().call("POST", "/oauth/register", { body: {} }), "HTTP_404");
  const request = new Request("https://elsewhere.example/oauth/token", { method: "POST" });
  const response = await readResponse(await world().app.fetch(request));
  assertFailure(response, "HTTP_421");
});
