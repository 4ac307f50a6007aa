/** Permission and confirmation of an Allow, and its connection. */

import { assertEquals } from "@std/assert";
import { makeToken, proofOf } from "../support/tokens.ts";
import {
  anotherProcess,
  type Caller,
  callerOf,
  fileWorld,
  type Json,
  ORIGIN,
} from "../support/world.ts";
import { assertRefused, COOKIE } from "./access.ts";
import { ASSISTANTS, createAssistant, LIMITS } from "./assistants.ts";
import { holdBeforeBegin } from "./held_database.ts";
import { assertFailure, assertInvalid } from "./kernel.ts";
import {
  answerOf,
  AUTHORIZATION,
  CALLBACK,
  createSigningIn,
  decideRequest,
  readRequest,
  requestOf,
} from "./sign_in.ts";

const world = fileWorld({ assistants: LIMITS });
const YOUNG_MS = 5 * 60 * 1000;
const CONNECTION = "https://chatgpt.com/connector/oauth/";
const proof = (owner: Caller, target: string | null = null) =>
  proofOf(world(), owner, "ASSISTANT_ALLOW", target);
const boundTo = async (owner: Caller, id: string) =>
  (await owner.call("GET", `${ASSISTANTS}/${id}`)).body.data.signIn.boundTo;

async function traces(owner: Caller): Promise<Json> {
  const [row] = await world().rows(`
    select (select count(*)::integer from assistant_codes where account_id = '${owner.accountId}')
             as codes,
           (select count(*)::integer from access_events
             where account_id = '${owner.accountId}' and event = 'ASSISTANT_ALLOWED') as events`);
  return [row.codes, row.events];
}

Deno.test("A session of five minutes needs a proof for this assistant, which is spent", async () => {
  const owner = await world().createCaller();
  const { assistantId: id } = await createSigningIn(world(), owner);
  const { assistantId: other } = await createSigningIn(world(), owner);
  const request = requestOf(id);
  const needsProof = async () => (await readRequest(owner, request)).body.data.proofRequired;
  world().advance(YOUNG_MS - 1);
  assertEquals(await needsProof(), false);
  assertEquals(answerOf(await decideRequest(owner, request, id)).error, undefined);
  world().advance(1);
  assertEquals(await needsProof(), true);
  const refused = [
    {},
    { "Step-Up-Proof": "prs_x_" },
    await proof(owner, other),
    await proofOf(world(), owner, "TOKEN_CREATE"),
    await proof(await world().createCaller()),
  ];
  for (const headers of refused) {
    const response = await decideRequest(owner, request, id, headers);
    const details = assertFailure(response, "STEP_UP_REQUIRED");
    assertEquals(details, { purpose: "ASSISTANT_ALLOW" });
  }
  assertEquals(answerOf(await decideRequest(owner, request)).error, "access_denied");
  assertEquals(await traces(owner), [1, 1]);
  const good = await proof(owner, id);
  const both = await Promise.all([1, 2].map(() => decideRequest(owner, request, id, good)));
  assertEquals(both.map(({ status }) => status).sort(), [200, 403]);
  assertRefused(await decideRequest(owner, request, id, good), "STEP_UP_REQUIRED");
  answerOf(await decideRequest(owner, request, id, await proof(owner)));
  assertEquals(await traces(owner), [3, 3]);
});

Deno.test("Of two connections that two processes allow at once, one is bound", async () => {
  const owner = await world().createCaller();
  const { assistantId: id } = await createSigningIn(world(), owner, { program: "CHATGPT" });
  const ask = (redirect_uri: string) => requestOf(id, { redirect_uri });
  const [first, second] = [ask(`${CONNECTION}one`), ask(`${CONNECTION}two`)];
  const general = ask("https://chatgpt.com/connector_platform_oauth_redirect");
  answerOf(await decideRequest(owner, general, id));
  assertEquals(await boundTo(owner, id), null);
  world().advance(YOUNG_MS);
  const held = holdBeforeBegin(world().database);
  const other = callerOf(anotherProcess(world(), { database: held.database }).app, owner);
  const headers = await proof(owner, id);
  const slow = decideRequest(other, second, id, headers);
  await held.reached;
  answerOf(await decideRequest(owner, first, id, await proof(owner, id)));
  held.letGo();
  const refused = [
    await slow,
    await readRequest(owner, second),
    await decideRequest(owner, second),
    await decideRequest(owner, second, id, headers),
  ];
  for (const response of refused) {
    assertInvalid(response, ["authorization.bound"], ["request"]);
  }
  assertEquals(await boundTo(owner, id), `${CONNECTION}one`);
  // The refused Allow did not spend its proof.
  answerOf(await decideRequest(owner, first, id, headers));
  answerOf(await decideRequest(owner, general, id, await proof(owner)));
  assertEquals(await traces(owner), [4, 4]);
  const again = await createSigningIn(world(), owner, { program: "CHATGPT" });
  const request = requestOf(again.assistantId, { redirect_uri: `${CONNECTION}two` });
  answerOf(await decideRequest(owner, request, again.assistantId, await proof(owner)));
});

Deno.test("Only the owner's session reads and decides, with a cookie from the own origin", async () => {
  const owner = await world().createCaller();
  const { assistantId: id } = await createSigningIn(world(), owner);
  const { assistantId: other } = await createSigningIn(world(), owner);
  const request = requestOf(id);
  assertRefused(await decideRequest(owner, request, other), "RECORD_NOT_FOUND");
  const stranger = await world().createCaller();
  assertInvalid(await decideRequest(stranger, request, id), ["authorization.client"], ["request"]);
  const personal = (await makeToken(world(), owner)).token;
  const assistant = await createAssistant(world(), owner, { modules: ["memory"] });
  const reader = await world().createCaller("VIEWER");
  for (const path of ["read", "decide"]) {
    const send = (headers: Record<string, string>) =>
      world().call("POST", `${AUTHORIZATION}/${path}`, {
        body: { request, ...(path === "decide" && { decision: "DENY" }) },
        headers,
      });
    const cookie = { Cookie: `${COOKIE}=${owner.secret}` };
    assertRefused(await send({}), "AUTH_REQUIRED");
    assertRefused(await send(cookie), "FORBIDDEN");
    assertRefused(await send({ ...cookie, Origin: "https://evil.example" }), "FORBIDDEN");
    assertEquals((await send({ ...cookie, Origin: ORIGIN })).status, 200);
    assertRefused(await send({ Authorization: `Bearer ${personal}` }), "FORBIDDEN");
    assertRefused(await send({ Authorization: `Bearer ${assistant.token}` }), "AUTH_REQUIRED");
    assertRefused(await send({ Authorization: `Bearer ${reader.secret}` }), "FORBIDDEN");
  }
});

Deno.test("A frozen account allows nothing, and denies", async () => {
  const owner = await world().createCaller();
  const { assistantId: id } = await createSigningIn(world(), owner);
  await world().raw(
    `update accounts set frozen_at = now() where account_id = '${owner.accountId}'`,
  );
  const request = requestOf(id);
  assertEquals((await readRequest(owner, request)).status, 200);
  assertFailure(await decideRequest(owner, request, id), "SYSTEM_MAINTENANCE");
  assertEquals(answerOf(await decideRequest(owner, request)).error, "access_denied");
  assertEquals(await traces(owner), [0, 0]);
});

Deno.test("Programs that registered are offered the assistants that accept their callback", async () => {
  const open = anotherProcess(world(), { assistants: { ...LIMITS, registration: true } });
  const owner = await open.createCaller();
  const make = async (signIn: Json) => (await createSigningIn(open, owner, signIn)).assistantId;
  const claude = await make({ program: "CLAUDE" });
  await make({ program: "OTHER", callbacks: [CALLBACK] });
  await make({ program: "CURSOR" });
  const [free, taken] = [await make({ program: "CHATGPT" }), await make({ program: "CHATGPT" })];
  const revoked = await make({ program: "CLAUDE" });
  await owner.call("POST", `${ASSISTANTS}/${revoked}/revoke`);
  await createSigningIn(open, await open.createCaller());

  const ask = (redirect_uri: string) => requestOf("personal-records", { redirect_uri });
  const offered = async (callback: string) =>
    (await readRequest(owner, ask(callback))).body.data.assistants
      .map(({ assistantId }: Json) => assistantId).sort();
  assertEquals(await offered(CALLBACK), [claude]);
  assertEquals(await offered("https://vscode.dev/redirect"), []);
  const own = requestOf(taken, { redirect_uri: `${CONNECTION}one` });
  answerOf(await decideRequest(owner, own, taken));
  assertEquals(await offered(`${CONNECTION}one`), [free, taken].sort());
  assertEquals(await offered(`${CONNECTION}two`), [free]);
  const typed = await readRequest(owner, ask("https://own.example/"));
  assertInvalid(typed, ["authorization.callback"], ["request"]);
  for (const id of [free, revoked]) {
    assertRefused(await decideRequest(owner, ask(CALLBACK), id), "RECORD_NOT_FOUND");
  }
  answerOf(await decideRequest(owner, ask(CALLBACK), claude));
  const rows = await world().rows(`select client from assistant_codes
    where account_id = '${owner.accountId}' order by assistant_id = '${claude}'`);
  assertEquals(rows, [{ client: taken }, { client: "personal-records" }]);
});

Deno.test("Without the console or assistants the routes do not exist", async () => {
  for (const services of [{ console: false }, { assistants: null }]) {
    const closed = anotherProcess(world(), services);
    const owner = await closed.createCaller();
    assertRefused(await readRequest(owner, "x"), "HTTP_404");
    assertRefused(await decideRequest(owner, "x"), "HTTP_404");
  }
});
