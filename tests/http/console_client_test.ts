/// <reference types="../../src/console/web/logic/types.d.ts" />

/** The console's client and outbox on the real service, over good and bad connections. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { ApiError } from "../../src/console/web/core/base/api.js";
import { newKey } from "../../src/console/web/core/base/keys.js";
import { createSender } from "../../src/console/web/core/base/sender.js";
import { Outbox } from "../../src/console/web/core/browser_outbox/outbox.js";
import { type Fault, FAULTS, startFaultyProxy } from "../support/faulty_proxy.ts";
import { memoryStorage, oneAtATime } from "../support/outbox.ts";
import { seededRandom } from "../support/random.ts";
import { type Caller, sharedWorld } from "../support/world.ts";

const world = sharedWorld();
const API = "/api/v2/records/commitment";
/** Enough for an answer on a slow machine. */
const SILENCE_MS = 2_000;

/** A client with faults chosen by the test. */
function connect(caller: Caller, nextFault: () => Fault) {
  const serve = (request: Request) => {
    // For a list in order of creation.
    world().advance(1);
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.delete("host");
    const url = `https://records.example${pathname}${search}`;
    return world().app.fetch(new Request(url, new Request(request, { headers })));
  };
  const proxy = startFaultyProxy(serve, nextFault);
  const send = createSender((path, request) => {
    const headers = new Headers(request.headers);
    headers.set("Authorization", `Bearer ${caller.secret}`);
    return fetch(new URL(path, proxy.origin), { ...request, headers });
  });
  return { proxy, send };
}

const commitment = (title: string) => ({
  title,
  payload: { commitmentType: "BORROWED", content: "Bring it back", completionStatus: "OPEN" },
});

function write(name: string): Write {
  const place = { method: "POST", path: API, page: "/", brief: false };
  return { key: newKey(), body: commitment(name), ...place };
}

Deno.test("Each failure of a request has one true code", async () => {
  const caller = await world().createCaller();
  let fault: Fault = "none";
  const { proxy, send } = connect(caller, () => fault);
  await using _ = proxy;
  const expected: Readonly<Partial<Record<Fault, readonly [string, number]>>> = {
    "drop before": ["NETWORK_ERROR", 0],
    "drop after": ["NETWORK_ERROR", 0],
    "half answer": ["INTERNAL_ERROR", 201],
    "broken JSON": ["INTERNAL_ERROR", 201],
    silence: ["NETWORK_ERROR", 0],
    "502 with HTML": ["INTERNAL_ERROR", 502],
    "503 without a body": ["HTTP_503", 503],
    "429 with Retry-After": ["HTTP_429", 429],
    "503 maintenance": ["SYSTEM_MAINTENANCE", 503],
  };
  for (fault of FAULTS) {
    const { key, body } = write(fault);
    const isSilent = fault === "silence";
    const signal = isSilent ? { signal: AbortSignal.timeout(SILENCE_MS) } : {};
    const post = (): Promise<Answer> => send("POST", API, { body, key, ...signal });
    const outcome = expected[fault];
    if (outcome === undefined) {
      assertEquals((await post()).status, 201);
      continue;
    }
    const error = await assertRejects(post, ApiError);
    assertEquals([error.code, error.status], outcome, fault);
    if (fault === "429 with Retry-After") assertEquals(error.retryAfter, 2);
    fault = "none";
    // Done now or before, under one key.
    const { data } = await send("POST", API, { body, key });
    const found = (await caller.call("GET", API)).body.data.items;
    const same = found.filter(({ title }: { title: string }) => title === data.title);
    assertEquals(same.map(({ recordId }: { recordId: string }) => recordId), [data.recordId]);
  }
});

Deno.test("A status gives the code if the body does not", async () => {
  const codes = [
    [400, "PAYLOAD_INVALID"],
    [401, "AUTH_REQUIRED"],
    [403, "FORBIDDEN"],
    [404, "HTTP_404"],
    [409, "HTTP_409"],
    [413, "HTTP_413"],
    [429, "HTTP_429"],
    [503, "HTTP_503"],
    [500, "INTERNAL_ERROR"],
    [502, "INTERNAL_ERROR"],
    [418, "INTERNAL_ERROR"],
  ] as const;
  const bodies = [
    "",
    "<h1>Sorry</h1>",
    "{",
    "null",
    `{"error":"not found"}`,
    `{"error":{"code":404,"message":"Of a proxy","requestId":"x"}}`,
    `{"error":{"code":"REVISION_CONFLICT"}}`,
    `{"error":{"code":"no code","message":"Of a proxy","requestId":"x"}}`,
  ];
  for (const [status, code] of codes) {
    for (const body of bodies) {
      const send = createSender(() => Promise.resolve(new Response(body, { status })));
      const error = await assertRejects(() => send("GET", "/"), ApiError);
      assertEquals([error.code, error.details], [code, {}], `${status} ${body}`);
    }
  }
});

Deno.test("A request cancelled by its caller is not a network failure", async () => {
  const controller = new AbortController();
  const send = createSender((_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    })
  );
  const sent = send("GET", "/", { signal: controller.signal });
  controller.abort();
  const error = await assertRejects(() => sent, DOMException);
  assertEquals(error.name, "AbortError");
});

Deno.test("With any connection faults, each record of an outbox is created exactly once", async () => {
  const random = seededRandom(32);
  const caller = await world().createCaller();
  let isBad = true;
  // Avoids full time-outs; a maintenance rejection stays until a manual retry.
  const faults = FAULTS.filter((fault) => fault !== "silence" && fault !== "503 maintenance");
  const { proxy, send } = connect(caller, () => isBad ? random.pick(faults) : "none");
  await using _ = proxy;
  let now = 0;
  const parts = { storage: memoryStorage(), lock: oneAtATime(), clock: () => now };
  const open = () =>
    new Outbox({
      ...parts,
      send: ({ method, path, body, key }) => send(method, String(path), { body, key }),
    });
  const titles = Array.from({ length: 12 }, (_, index) => `Commitment ${index}`);
  for (const title of titles) assert(await open().add(write(title)));
  for (let tries = 0; (await open().list()).length > 0; tries++) {
    assert(tries < 300);
    now += 10_000;
    isBad = tries < 60;
    await open().flush();
  }
  const { items } = (await caller.call("GET", API)).body.data;
  assertEquals(items.map(({ title }: { title: string }) => title).reverse(), titles);
});
