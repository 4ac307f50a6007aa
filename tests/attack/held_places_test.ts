/** Clients that never end their bodies, so that others find no place. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { App } from "../../src/app.ts";
import { Secret } from "../../src/operator/config/secrets.ts";
import { givePassword, PASSWORD, register } from "../http/access.ts";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { stalledBody } from "../support/stalled_body.ts";
import { makeToken } from "../support/tokens.ts";
import { waitUntil } from "../support/wait.ts";
import {
  callApp,
  type Caller,
  callerOf,
  type CallOptions,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";

const TOKEN = "a-token-that-only-tests-know";
const UPLOADS = "/api/v2/attachments";
const JSON_TYPE = { "Content-Type": "application/json" };
const world = sharedWorld();

function createApp(inFlight = 256): App {
  const limits = { perCredential: 0, perAddress: 60, inFlight };
  return world().again({ limits, metricsToken: new Secret(TOKEN) });
}

async function runningIn(app: App): Promise<number> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const { text } = await callApp(app, "GET", "/metrics", { headers });
  return Number(/^http_requests_in_flight (\d+)$/m.exec(text)?.[1]);
}

/** Waits until this many unfinished requests hold a place. */
async function hold(
  app: App,
  { sent, held }: { readonly sent: number; readonly held: number },
  path: string,
  optionsOf: (index: number) => CallOptions,
): Promise<{ refused: TestResponse[]; release: () => Promise<TestResponse[]> }> {
  const refused: TestResponse[] = [];
  const bodies = Array.from({ length: sent }, () => stalledBody("{"));
  const answers = bodies.map(async ({ stream }, index) => {
    const response = await callApp(app, "POST", path, { ...optionsOf(index), raw: stream });
    refused.push(response);
    return response;
  });
  await waitUntil(
    `${held} of ${sent} hold a place`,
    async () => await runningIn(app) === held && refused.length === sent - held,
  );
  const release = async () => {
    for (const { breakOff } of bodies) breakOff();
    return (await Promise.all(answers)).filter((response) => !before.includes(response));
  };
  const before = [...refused];
  return { refused: before, release };
}

function tally(answers: readonly TestResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { body } of answers) counts[body.error.code] = (counts[body.error.code] ?? 0) + 1;
  return counts;
}

async function assertServed(app: App, caller: Caller): Promise<void> {
  const { status } = await callerOf(app, caller).call("GET", COMMITMENTS);
  assertEquals(status, 200);
}

Deno.test("Strangers' unfinished bodies use at most a quarter of the places", async () => {
  const caller = await world().createCaller();
  const app = createApp();
  const { refused, release } = await hold(
    app,
    { sent: 300, held: 64 },
    "/api/v2/auth/login",
    (index) => ({
      headers: JSON_TYPE,
      peer: `192.0.2.${index % 5}`,
    }),
  );
  await assertServed(app, caller);
  assertEquals(tally(refused), { HTTP_503: 236 });
  assertEquals(new Set(refused.map(({ headers }) => headers.get("Retry-After"))), new Set(["1"]));
  assertEquals(tally(await release()), { HTTP_408: 64 });
  assertEquals(await runningIn(app), 0);
});

Deno.test("A known address is served while strangers use all their places", async () => {
  const caller = await world().createCaller();
  const known = await register(world());
  const app = createApp();
  const peer = "198.51.100.7";
  const bearer = callerOf(app, caller);
  assertEquals((await bearer.call("GET", COMMITMENTS, { peer })).status, 200);
  // Its claim verifies the credential without a look-up.
  const movedTo = "198.51.100.8";
  const body = { title: "A promise", payload: COMMITMENT };
  const options = { peer: movedTo, key: "from-elsewhere", body };
  assertEquals((await bearer.call("POST", COMMITMENTS, options)).status, 201);
  const { release } = await hold(
    app,
    { sent: 64, held: 64 },
    "/api/v2/auth/login",
    (index) => ({ headers: JSON_TYPE, peer: `192.0.2.${index % 5}` }),
  );
  const login = (from: string) =>
    callApp(app, "POST", "/api/v2/auth/login", { body: known, peer: from });
  assertEquals((await login("203.0.113.9")).status, 503);
  for (const from of [peer, movedTo]) assertEquals((await login(from)).status, 200);
  await release();
});

Deno.test("Unfinished bodies of an account's sessions use at most a quarter of the places", async () => {
  const [slow, other] = [await world().createCaller(), await world().createCaller()];
  const app = createApp(8);
  const { refused, release } = await hold(app, { sent: 8, held: 2 }, COMMITMENTS, () => ({
    headers: { ...JSON_TYPE, "Authorization": `Bearer ${slow.secret}` },
    key: ulid(),
  }));
  await assertServed(app, other);
  await assertServed(app, slow);
  assertEquals(tally(refused), { HTTP_429: 6 });
  assertEquals(tally(await release()), { HTTP_408: 2 });
});

Deno.test("A token whose bodies fill its places can still be revoked by its owner", async () => {
  const caller = await world().createCaller();
  await givePassword(world(), caller);
  const { token, tokenId } = await makeToken(world(), caller, { permissions: ["record.write"] });
  const app = createApp(8);
  const { release } = await hold(app, { sent: 8, held: 2 }, COMMITMENTS, () => ({
    headers: { ...JSON_TYPE, "Authorization": `Bearer ${token}` },
    key: ulid(),
  }));
  const owner = callerOf(app, caller);
  const body = { password: PASSWORD, purpose: "TOKEN_CREATE" };
  assertEquals((await owner.call("POST", "/api/v2/auth/step-up", { body })).status, 200);
  assertEquals((await owner.call("POST", `/api/v2/auth/tokens/${tokenId}/revoke`)).status, 200);
  await release();
});

Deno.test("A session whose bodies fill its places can still revoke others", async () => {
  const caller = await world().createCaller();
  const app = createApp(8);
  const { release } = await hold(app, { sent: 2, held: 2 }, COMMITMENTS, () => ({
    headers: { ...JSON_TYPE, "Authorization": `Bearer ${caller.secret}` },
    key: ulid(),
  }));
  // On the wire every POST has a body, perhaps empty.
  const raw = new ReadableStream({ start: (controller) => controller.close() });
  const headers = JSON_TYPE;
  const path = "/api/v2/auth/sessions/revoke-others";
  const ended = await callerOf(app, caller).call("POST", path, { headers, raw });
  assertEquals(ended.status, 200, ended.text);
  await release();
});

Deno.test("One account's uploads use at most four places, none of them for other requests", async () => {
  const caller = await world().createCaller();
  const app = createApp();
  const { refused, release } = await hold(
    app,
    { sent: 262, held: 4 },
    UPLOADS,
    () => uploadOf(caller),
  );
  await assertServed(app, caller);
  // Some found no place even to be identified.
  const { HTTP_503 = 0, HTTP_429 = 0 } = tally(refused);
  assertEquals(HTTP_503 + HTTP_429, 258);
  const fifth = await callApp(app, "POST", UPLOADS, { ...uploadOf(caller), raw: "a note" });
  assertEquals([fifth.status, fifth.headers.get("Retry-After")], [429, "5"]);
  assertEquals(tally(await release()), { HTTP_408: 4 });
  assertEquals(await runningIn(app), 0);
  const whole = { ...uploadOf(caller), raw: "a note" };
  assertEquals((await callApp(app, "POST", UPLOADS, whole)).status, 201);
});

Deno.test("Uploads of all accounts use at most a quarter of the places", async () => {
  const callers = await Promise.all([1, 2, 3].map(() => world().createCaller()));
  const [first, second, third] = callers as [Caller, Caller, Caller];
  const app = createApp(32);
  const uploaderOf = (index: number) => uploadOf(index % 2 === 0 ? first : second);
  const { refused, release } = await hold(app, { sent: 8, held: 8 }, UPLOADS, uploaderOf);
  assertEquals(refused, []);
  const beyond = await callApp(app, "POST", UPLOADS, {
    ...uploadOf(third),
    raw: "a note",
  });
  assertEquals(tally([beyond]), { HTTP_503: 1 });
  await assertServed(app, third);
  assertEquals(tally(await release()), { HTTP_408: 8 });
});

function uploadOf({ secret }: Caller): CallOptions {
  const head = { "Content-Type": "text/plain", "X-Filename": "a.txt" };
  return { headers: { ...head, Authorization: `Bearer ${secret}` } };
}
