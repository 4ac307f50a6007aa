/** The client package before a service that a test plays: keys, tries, waits, refusals, secrets. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { inspect } from "node:util";
import { AccountMovedError, Client, Refusal, Unreachable } from "../../../src/client/mod.ts";
import {
  answer,
  CREATE,
  DETAIL,
  ID,
  LOST,
  ORIGIN,
  play,
  refusal,
  TOKEN,
  waitsOf,
} from "./played_service.ts";

Deno.test("An origin is https, or http on this machine, and nothing else", () => {
  for (
    const origin of [
      "https://records.example",
      "https://records.example:8443",
      "HTTPS://Records.Example/",
      "http://localhost:8000",
      "http://127.0.0.1",
      "http://127.9.9.9:1",
      "http://[::1]:8000",
      new URL("https://records.example"),
    ]
  ) new Client({ origin });
  for (
    const origin of [
      "",
      "records.example",
      "http://records.example",
      "http://localhost.example",
      "ftp://a",
      "https://a:b@records.example",
      "https://records.example/path",
      "https://records.example?",
      "https://records.example#",
      "http://128.0.0.1",
      "http://0.0.0.0",
      "http://[::2]",
      " https://records.example",
      "https://",
      "javascript:alert(1)",
      "http://localhost@evil.example",
    ]
  ) {
    const { message } = assertThrows(() => new Client({ origin }), RangeError);
    assert(origin === "" || !message.includes(origin.trim()), origin);
  }
});

Deno.test("A write keeps its key and its bytes through all tries", async () => {
  const { client, sent } = play([
    LOST,
    refusal("HTTP_408", 408),
    refusal("IDEMPOTENCY_IN_PROGRESS", 409),
    new Response("busy", { status: 503 }),
    refusal("HTTP_429", 429),
    answer({ recordId: ID }, 201, { "Idempotency-Replayed": "true", ETag: '"1"' }),
  ]);
  const body: { title: string; readonly payload: typeof CREATE.body.payload } = { ...CREATE.body };
  let made: Promise<unknown> | undefined;
  const waits = await waitsOf(async () => {
    made = client.call("record.create", { ...CREATE, body });
    body.title = "Changed later";
    assertEquals(await made, {
      data: { recordId: ID },
      status: 201,
      requestId: "request-1",
      replayed: true,
      etag: '"1"',
    });
  });
  assertEquals(sent.length, 6);
  assertEquals(new Set(sent.map(({ body }) => body)), new Set([JSON.stringify(CREATE.body)]));
  const keys = new Set(sent.map(({ headers }) => headers.get("Idempotency-Key")));
  assertEquals(keys.size, 1);
  assert(/^[0-9a-f-]{36}$/.test([...keys][0] ?? ""));
  for (const [index, wait] of waits.entries()) {
    const full = 250 * 2 ** index;
    assert(wait >= full / 2 && wait <= full, `${wait} of ${full}`);
  }
  const [{ headers, url, redirect } = assert(false) as never] = sent;
  assertEquals([url, redirect], [`${ORIGIN}/api/v2/records/commitment`, "manual"]);
  assertEquals(headers.get("Authorization"), `Bearer ${TOKEN}`);
  assertEquals(headers.get("Content-Type"), "application/json");
});

Deno.test("A wait is that of Retry-After if it is longer, and none begins that would end too late", async () => {
  const date = { Date: "Wed, 25 Nov 2020 10:00:00 GMT" };
  for (
    const [headers, least] of [
      [{ "Retry-After": "7" }, 7000],
      [{ ...date, "Retry-After": "Wed, 25 Nov 2020 10:00:20 GMT" }, 20_000],
      [{ ...date, "Retry-After": "Wed, 25 Nov 2020 09:00:00 GMT" }, 125],
      [{ "Retry-After": "soon" }, 125],
    ] as const
  ) {
    const busy = () => new Response("", { status: 503, headers });
    const { client } = play([busy, () => answer({})]);
    const [wait = 0] = await waitsOf(() => client.call("record.detail", DETAIL));
    assert(wait >= least && wait <= Math.max(least, 250), `${wait}`);
  }
  const slow = play([refusal("HTTP_429", 429, { headers: { "Retry-After": "400" } })]);
  const waits = await waitsOf(() =>
    assertRejects(() => slow.client.call("record.detail", DETAIL), Refusal)
  );
  assertEquals([waits, slow.sent.length], [[], 1]);
  const once = play([LOST], { retryFor: 0 });
  const error = await assertRejects(() => once.client.call("record.create", CREATE), Unreachable);
  assertEquals([error.name, error.cause, once.sent.length], ["Unreachable", LOST, 1]);
  const long = play([LOST]);
  const all = await waitsOf(() =>
    assertRejects(() => long.client.call("search", { body: { q: "a" } }))
  );
  const total = all.reduce((sum, wait) => sum + wait, 0);
  assert(total > 290_000 - 10_000 && total <= 300_000, `${total}`);
  assert(Math.max(...all) <= 10_000);
});

Deno.test("A write without a key is tried once, and so is a request with any other failure", async () => {
  const login = { body: { email: "a@example.org", password: "p" } };
  for (const failure of [LOST, refusal("HTTP_503", 503), refusal("HTTP_429", 429)]) {
    const { client, sent } = play([failure]);
    await assertRejects(() => client.call("auth.login", login));
    assertEquals([sent.length, sent[0]?.headers.has("Idempotency-Key")], [1, false]);
  }
  for (
    const [given, code, status] of [
      [refusal("INTERNAL_ERROR", 500), "INTERNAL_ERROR", 500],
      [new Response("<h1>Bad Gateway</h1>", { status: 502 }), "HTTP_502", 502],
      [new Response("", { status: 504 }), "HTTP_504", 504],
      [new Response("<h1>Sign in to the café's network</h1>"), "HTTP_200", 200],
      [Response.json({ items: [] }), "HTTP_200", 200],
      [Response.json(null, { status: 201 }), "HTTP_201", 201],
      [Response.json({ error: { code: 7 } }, { status: 400 }), "HTTP_400", 400],
      [
        new Response(null, { status: 302, headers: { Location: "https://evil.example" } }),
        "HTTP_302",
        302,
      ],
      [new Response(null, { status: 304 }), "HTTP_304", 304],
    ] as const
  ) {
    const { client, sent } = play([given]);
    const error = await assertRejects(() => client.call("record.detail", DETAIL), Refusal);
    assertEquals([error.name, error.code, error.status, sent.length], ["Refusal", code, status, 1]);
    assertEquals([error.message, error.details], [`${code} (${status})`, {}]);
  }
});

Deno.test("A refusal has the service's code, request and details", async () => {
  const { client } = play([refusal("PAYLOAD_INVALID", 400, { fields: ["title"] })]);
  const error = await assertRejects(() => client.call("record.create", CREATE), Refusal);
  assertEquals([error.requestId, error.details], ["request-2", { fields: ["title"] }]);
  const hostile = { error: { code: "HTTP_404", requestId: "a\n\u001b[31m" } };
  const unnamed = play([Response.json(hostile, { status: 404 })]);
  const other = await assertRejects(() => unnamed.client.call("record.detail", DETAIL), Refusal);
  assertEquals(other.requestId, null);
});

Deno.test("A moved account is an error with the new address, which is never asked", async () => {
  const movedTo = "https://new.example";
  const { client, sent } = play([
    refusal("ACCOUNT_MOVED", 410, { movedTo }),
    refusal("ACCOUNT_MOVED", 410, { movedTo: "javascript:alert(1)" }),
    refusal("ACCOUNT_MOVED", 410, { movedTo: "http://new.example" }),
    // A person copies it into a shell.
    refusal("ACCOUNT_MOVED", 410, { movedTo: "https://new;{rm,-r,.}" }),
  ]);
  const moved = await assertRejects(() => client.call("record.detail", DETAIL), AccountMovedError);
  assertEquals([moved.movedTo, moved.code, moved.status], [movedTo, "ACCOUNT_MOVED", 410]);
  assert(moved instanceof Refusal);
  // An address that no service of ours states is not shown as one.
  for (let index = 0; index < 3; index++) {
    const other = await assertRejects(() => client.call("record.detail", DETAIL), Refusal);
    assert(!(other instanceof AccountMovedError));
  }
  assertEquals(sent.length, 4);
});

Deno.test("Invalid input is a RangeError, and no request is made", async () => {
  const { client, sent } = play([answer({})]);
  // deno-lint-ignore no-explicit-any -- calls that the types forbid
  const call = client.call.bind(client) as (...args: any[]) => Promise<unknown>;
  for (
    const args of [
      ["record.destroy", {}],
      ["attachment.create", {}],
      ["constructor", {}],
      ["record.detail"],
      ["record.detail", { path: { moduleCode: "commitment" } }],
      ["record.detail", { path: { ...DETAIL.path, recordId: "" } }],
      ["record.detail", { path: { ...DETAIL.path, recordId: ".." } }],
      ["record.detail", { path: { ...DETAIL.path, other: "x" } }],
      ["record.detail", { ...DETAIL, key: "k" }],
      ["auth.login", { body: {}, key: "k" }],
      ["record.create", { ...CREATE, key: "two words\n" }],
      ["record.create", { ...CREATE, headers: { "idempotency-KEY": "k" } }],
      ["record.create", { ...CREATE, headers: { Authorization: "Bearer x" } }],
      ["record.create", { ...CREATE, headers: { "content-type": "text/plain" } }],
      ["record.detail", { ...DETAIL, headers: new Headers({ "Idempotency-Key": "k" }) }],
    ]
  ) await assertRejects(() => call(...args), RangeError, undefined, JSON.stringify(args));
  assertEquals(sent, []);
});

Deno.test("Path and query are encoded, headers and proof are sent", async () => {
  const { client, sent } = play([answer({ items: [], nextCursor: null })]);
  await client.call("record.list", {
    // A module that the types do not know, so that the encoding shows.
    path: { moduleCode: "a/b?c#é" as "health" },
    query: { limit: 3, filter: { unit: "km&h", value: { gte: "1" } } },
    headers: { "X-Request-Id": "mine-1234" },
    proof: "prs_x_proof",
  });
  assertEquals(
    sent[0]?.url,
    `${ORIGIN}/api/v2/records/a%2Fb%3Fc%23%C3%A9?limit=3&filter%5Bunit%5D=km%26h&filter%5Bvalue%5D%5Bgte%5D=1`,
  );
  const names = ["X-Request-Id", "Step-Up-Proof", "Idempotency-Key", "Content-Type"];
  const values = names.map((name) => sent[0]?.headers.get(name) ?? null);
  assertEquals(values, ["mine-1234", "prs_x_proof", null, null]);
});

Deno.test("An abort ends a call with its reason, also during a wait and without an answer", async () => {
  const reason = new Error("Enough");
  const controller = new AbortController();
  const waiting = play([refusal("HTTP_503", 503, { headers: { "Retry-After": "100" } })]);
  const call = waiting.client.call("record.detail", { ...DETAIL, signal: controller.signal });
  const rejected = assertRejects(() => call);
  while (waiting.sent.length === 0) await Promise.resolve();
  controller.abort(reason);
  assertEquals(await rejected, reason);
  const silent = play([() => new Promise<Response>(() => {})]);
  const other = new AbortController();
  const asked = silent.client.call("record.create", { ...CREATE, signal: other.signal });
  const ended = assertRejects(() => asked);
  other.abort(reason);
  assertEquals(await ended, reason);
  const file = new AbortController();
  const stalled = silent.client.upload(new ReadableStream(), {
    filename: "a",
    signal: file.signal,
  });
  const stopped = assertRejects(() => stalled);
  file.abort(reason);
  assertEquals(await stopped, reason);
  const before = play([answer({})]);
  await assertRejects(() =>
    before.client.call("record.detail", { ...DETAIL, signal: other.signal })
  );
  assertEquals([waiting.sent.length, before.sent.length], [1, 0]);
});

Deno.test("A try without an answer ends and is repeated; a body is read for as long as it takes", async () => {
  const real = AbortSignal.timeout;
  const limits: [number, AbortController][] = [];
  AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController();
    limits.push([milliseconds, controller]);
    return controller.signal;
  };
  try {
    const end = () => limits.at(-1)?.[1].abort(new DOMException("Too late", "TimeoutError"));
    const silent = () => {
      queueMicrotask(end);
      return new Promise<Response>(() => {});
    };
    const signals: AbortSignal[] = [];
    const { client, sent } = play([silent, answer({})]);
    await waitsOf(() => client.call("record.create", CREATE));
    assertEquals([sent.length, limits.map(([limit]) => limit)], [2, [60_000, 60_000]]);
    const fetch = (_: string, { signal }: RequestInit) => {
      if (signal) signals.push(signal);
      return Promise.resolve(new Response("bytes"));
    };
    const response = await new Client({ origin: ORIGIN, fetch }).send("GET", "/a");
    end();
    assertEquals([signals[0]?.aborted, await response.text()], [false, "bytes"]);
  } finally {
    AbortSignal.timeout = real;
  }
});

Deno.test("A token is asked for before each try, and is nowhere to be seen", async () => {
  const tokens = ["prs_p_first", "prs_p_second"];
  let asked = 0;
  const { client, sent } = play([LOST, answer({})], { token: () => tokens[asked++] ?? "" });
  await waitsOf(() => client.call("record.detail", DETAIL));
  const bearers = sent.map(({ headers }) => headers.get("Authorization"));
  assertEquals(bearers, tokens.map((token) => `Bearer ${token}`));
  const secret = play([refusal("AUTH_REQUIRED", 401), LOST], { retryFor: 0 });
  const errors = [
    await assertRejects(() => secret.client.call("record.detail", DETAIL)),
    await assertRejects(() => secret.client.call("record.detail", DETAIL)),
    assertThrows(() => new Client({ origin: ORIGIN, token: `${TOKEN}\n` }), RangeError),
  ];
  for (const value of [secret.client, ...errors]) {
    const shown = [
      String(value),
      JSON.stringify(value),
      Deno.inspect(value),
      inspect(value),
      inspect(value, { showHidden: true }),
      String((value as Error).stack),
    ];
    assert(!shown.join().includes(TOKEN), shown.join());
  }
  assert(!secret.sent.some(({ url }) => url.includes(TOKEN)));
  const none = play([answer({})], { token: undefined });
  await none.client.call("auth.setup.state");
  assertEquals(none.sent[0]?.headers.has("Authorization"), false);
});
