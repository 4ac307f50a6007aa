/** Requests of programs, and the answers to them. */

import { assert, assertEquals } from "@std/assert";
import { sha256Hex } from "../../src/core/digest.ts";
import { type Caller, fileWorld, type Json, ORIGIN } from "../support/world.ts";
import { askForAssistant, ASSISTANTS, LIMITS } from "./assistants.ts";
import { assertInvalid } from "./kernel.ts";
import {
  answerOf,
  AUTHORIZATION,
  CALLBACK,
  CHALLENGE,
  createSigningIn,
  decideRequest,
  readRequest,
  requestOf,
} from "./sign_in.ts";

const world = fileWorld({ assistants: LIMITS });

/** Both routes refuse the request, and the rule is the only one. */
async function assertUnanswered(owner: Caller, request: string, rule: string): Promise<void> {
  const rules = [`authorization.${rule}`];
  assertInvalid(await readRequest(owner, request), rules, ["request"], request);
  assertInvalid(await decideRequest(owner, request), rules, ["request"], request);
}

async function countOf(table: string, owner: Caller): Promise<number> {
  const [row] = await world().rows(
    `select count(*)::integer as n from ${table} where account_id = '${owner.accountId}'`,
  );
  return row.n;
}

Deno.test("An owner reads a request, denies it, and allows it", async () => {
  const owner = await world().createCaller();
  const made = await createSigningIn(world(), owner);
  const id = made.assistantId;
  const request = requestOf(id, { scope: "mcp offline_access", claude: "x", resource: ORIGIN });
  assertEquals((await readRequest(owner, request)).body.data, {
    callback: CALLBACK,
    onThisDevice: false,
    assistants: [made],
    refusal: null,
    proofRequired: false,
  });
  const denied = await decideRequest(owner, request);
  assertEquals(
    denied.body.data.redirectTo,
    `${CALLBACK}?error=access_denied&state=a%20state&iss=` +
      encodeURIComponent(ORIGIN),
  );
  assertEquals(await countOf("assistant_codes", owner), 0);

  const { code, ...answer } = answerOf(await decideRequest(owner, request, id));
  assertEquals(answer, { state: "a state", iss: ORIGIN });
  assert(/^prs_g_[A-Za-z0-9_-]{43}$/.test(code), code);
  const [row] = await world().rows(
    `select assistant_id, encode(code_digest, 'hex') as digest, client, callback, challenge,
            is_offline, extract(epoch from expires_at - created_at)::integer as seconds
       from assistant_codes where account_id = '${owner.accountId}'`,
  );
  assertEquals(row, {
    assistant_id: id,
    digest: sha256Hex(code),
    client: id,
    callback: CALLBACK,
    challenge: CHALLENGE,
    is_offline: true,
    seconds: 60,
  });
  const events = (await owner.call("GET", "/api/v2/audit?kind=access")).body.data.items;
  assertEquals(
    events.filter(({ event }: Json) => event === "ASSISTANT_ALLOWED")
      .map(({ credentialKind, credentialId }: Json) => [credentialKind, credentialId]),
    [["SESSION", owner.sessionId]],
  );
});

Deno.test("A request that cannot be answered has one rule, the first of the order", async () => {
  const owner = await world().createCaller();
  const stranger = await world().createCaller();
  const { assistantId: id } = await createSigningIn(world(), owner);
  const other = await createSigningIn(world(), stranger);
  const pasted = await askForAssistant(world(), owner, { modules: ["memory"] });
  const short = await askForAssistant(world(), owner, {
    modules: ["memory"],
    signIn: { program: "CLAUDE" },
    until: new Date(world().now().getTime() + 1000).toISOString(),
  });
  const revoked = await createSigningIn(world(), owner);
  await owner.call("POST", `${ASSISTANTS}/${revoked.assistantId}/revoke`);
  world().advance(1000);

  for (const text of ["%", "a=%zz", "a=%E4", "%C3=b", "a=%F4%90%80%80", "a=%ED%A0%80"]) {
    await assertUnanswered(owner, `${text}&${requestOf(id)}`, "request");
  }
  const unknown = [
    other.assistantId,
    pasted.body.data.assistantId,
    short.body.data.assistantId,
    revoked.assistantId,
    "01J00000000000000000000000",
    id.toLowerCase(),
    ` ${id}`,
    `${id}\0`,
    "personal-records",
    "",
  ];
  for (const client of unknown) {
    await assertUnanswered(owner, requestOf(client, { redirect_uri: "x" }), "client");
  }
  await assertUnanswered(owner, "&", "client");
  await assertUnanswered(owner, requestOf(id, { client_id: undefined }), "client");
  await assertUnanswered(owner, `${requestOf(id)}&client_id=${id}`, "client");
  const wrong = [
    "",
    "x",
    `${CALLBACK}/`,
    `${CALLBACK}?a`,
    "http://localhost/callback",
    "x".repeat(501),
  ];
  for (const callback of wrong) {
    const mistaken = { redirect_uri: callback, response_type: "token" };
    await assertUnanswered(owner, requestOf(id, mistaken), "callback");
  }
  const twice = `${requestOf(id)}&redirect_uri=${encodeURIComponent(CALLBACK)}`;
  await assertUnanswered(owner, twice, "callback");
  // An empty parameter is absent, and a plus is a space.
  const empty = `client_id=&${requestOf(id, { state: undefined })}&redirect_uri=&state=+&x=%00`;
  assertEquals((await readRequest(owner, empty)).body.data.refusal, null);
  assertEquals(answerOf(await decideRequest(owner, empty)).state, " ");
});

Deno.test("A mistake of the program is sent back to it, and cannot be decided", async () => {
  const owner = await world().createCaller();
  const { assistantId: id } = await createSigningIn(world(), owner);
  const mistakes: readonly [Record<string, string | undefined> | string, string][] = [
    ...[
      "response_type",
      "response_mode",
      "code_challenge",
      "code_challenge_method",
      "resource",
      "scope",
    ].map((name): [string, string] => [`${name}=a&${name}=a`, "invalid_request"]),
    ["state=a&response_type=token", "invalid_request"],
    [{ response_type: undefined, resource: "x" }, "invalid_request"],
    [{ response_type: "", resource: "x" }, "invalid_request"],
    [{ response_type: "token", response_mode: "fragment" }, "unsupported_response_type"],
    [{ response_type: "code token" }, "unsupported_response_type"],
    [{ response_mode: "fragment", resource: "x" }, "invalid_request"],
    [{ response_mode: "form_post" }, "invalid_request"],
    [{ code_challenge_method: undefined }, "invalid_request"],
    [{ code_challenge_method: "plain", resource: "x" }, "invalid_request"],
    [{ code_challenge_method: "s256" }, "invalid_request"],
    [{ code_challenge: undefined }, "invalid_request"],
    [{ code_challenge: CHALLENGE.slice(1), resource: "x" }, "invalid_request"],
    [{ code_challenge: `${CHALLENGE}=` }, "invalid_request"],
    [{ code_challenge: `+${CHALLENGE.slice(1)}` }, "invalid_request"],
    [{ code_challenge: `${CHALLENGE.slice(1)}\n` }, "invalid_request"],
    [{ resource: "https://other.example/mcp" }, "invalid_target"],
    [{ resource: `${ORIGIN}/api` }, "invalid_target"],
  ];
  for (const [mistake, error] of mistakes) {
    const request = typeof mistake === "string"
      ? `${requestOf(id)}&${mistake}`
      : requestOf(id, mistake);
    const { refusal } = (await readRequest(owner, request)).body.data;
    assertEquals(refusal?.error, error, request);
    const hasState = !request.includes("state=a&");
    assertEquals(Object.fromEntries(new URL(refusal.redirectTo).searchParams), {
      error,
      ...(hasState && { state: "a state" }),
      iss: ORIGIN,
    });
    const rules = ["authorization.request"];
    assertInvalid(await decideRequest(owner, request), rules, ["request"], request);
    assertInvalid(await decideRequest(owner, request, id), rules, ["request"], request);
  }
  for (const resource of [ORIGIN, `${ORIGIN}/`, `${ORIGIN}/mcp`, `${ORIGIN}/mcp/`, "", undefined]) {
    const request = requestOf(id, { resource, response_mode: "query", scope: "claudeai" });
    assertEquals((await readRequest(owner, request)).body.data.refusal, null, resource);
  }
  assertEquals(await countOf("assistant_codes", owner), 0);
});

Deno.test("The answer is added to the callback, with the state as it was sent", async () => {
  const owner = await world().createCaller();
  const callbacks = ["https://a.example/cb", "https://a.example/cb?x={id}&y=%2F", "http://[::1]/"];
  const { assistantId: id } = await createSigningIn(world(), owner, {
    program: "OTHER",
    callbacks,
  });
  const states = ["a b", "%20+&=#?/\\", "é\u{1f600}\0\r\n", "<script>'\"", "x".repeat(4000)];
  for (const callback of ["https://a.example/cb", "http://[::1]:8080/"]) {
    for (const state of states) {
      const request = requestOf(id, { redirect_uri: callback, state });
      const { redirectTo } = (await decideRequest(owner, request)).body.data;
      assert(redirectTo.startsWith(`${callback}?error=access_denied&state=`), redirectTo);
      assert(/^[\x21-\x7e]+$/.test(redirectTo) && !redirectTo.includes("#"), redirectTo);
      assertEquals(new URL(redirectTo).searchParams.get("state"), state);
    }
  }
  const asked = requestOf(id, { redirect_uri: callbacks[1], state: undefined });
  const { redirectTo } = (await decideRequest(owner, asked)).body.data;
  const iss = encodeURIComponent(ORIGIN);
  assertEquals(redirectTo, `${callbacks[1]}&error=access_denied&iss=${iss}`);
  const local = requestOf(id, { redirect_uri: "http://[::1]:8080/" });
  const { callback, onThisDevice } = (await readRequest(owner, local)).body.data;
  assertEquals([callback, onThisDevice], ["http://[::1]:8080/", true]);
  const longest = `http://localhost/${"x".repeat(483)}`;
  const long = await createSigningIn(world(), owner, { program: "OTHER", callbacks: [longest] });
  const short = requestOf(long.assistantId, { redirect_uri: longest });
  assertEquals((await readRequest(owner, short)).status, 200);
  const withPort = longest.replace("localhost", "localhost:80");
  await assertUnanswered(
    owner,
    requestOf(long.assistantId, { redirect_uri: withPort }),
    "callback",
  );
});

Deno.test("The bodies are strict", async () => {
  const owner = await world().createCaller();
  const { assistantId: id } = await createSigningIn(world(), owner);
  const request = requestOf(id);
  const wrong: readonly [string, Json, string, string[]][] = [
    ["read", {}, "field.required", ["request"]],
    ["read", { request: "" }, "field.length", ["request"]],
    ["read", { request: "a".repeat(8193) }, "field.length", ["request"]],
    ["read", { request: 1 }, "field.type", ["request"]],
    ["read", { request, decision: "DENY" }, "undeclared_field", []],
    ["decide", { request }, "field.required", ["decision"]],
    ["decide", { request, decision: "allow" }, "field.option", ["decision"]],
    ["decide", { request, decision: "ALLOW" }, "field.required", ["assistantId"]],
    ["decide", { request, decision: "ALLOW", assistantId: "x" }, "field.identifier", [
      "assistantId",
    ]],
    ["decide", { request, decision: "DENY", proof: "x" }, "undeclared_field", []],
  ];
  for (const [path, body, rule, fields] of wrong) {
    assertInvalid(await owner.call("POST", `${AUTHORIZATION}/${path}`, { body }), [rule], fields);
  }
  const longest = `${request}&x=`.padEnd(8192, "a");
  assertEquals((await readRequest(owner, longest)).status, 200);
  const asked = await owner.call("POST", `${AUTHORIZATION}/read?a=b`, { body: { request } });
  assertInvalid(asked, ["undeclared_field"], ["a"]);
});
