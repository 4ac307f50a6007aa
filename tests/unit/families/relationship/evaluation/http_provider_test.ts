/** Requests, accepted responses and failures of the HTTP provider. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Secret } from "../../../../../src/operator/config/secrets.ts";
import {
  createHttpProvider,
  type HttpEndpoint,
} from "../../../../../src/families/relationship/evaluation/http_provider.ts";
import {
  ProviderError,
  type ProviderFailure,
} from "../../../../../src/families/relationship/evaluation/provider.ts";
import type { ProviderInput } from "../../../../../src/families/relationship/sources.ts";
import { completion, serveBytes, serveProvider } from "../../../../support/provider_server.ts";

const MEBIBYTE = 1024 * 1024;
const KEY = "a-key-that-only-tests-know";
const REPLY_MARK = "words of the reply";
const INPUT: ProviderInput = {
  relationshipType: "FRIEND",
  importance: 4,
  lastContactAt: null,
  desiredContactIntervalDays: 30,
  evidenceCounts: { supporting: 2, counter: 1 },
  consented: {
    personName: "Lena",
    opinion: 'Reliable \u{1f642} "quoted"',
    evidence: null,
    counterEvidence: null,
    entries: [{ stance: "COUNTER", sourceKind: "MESSAGE", content: "Late again" }],
  },
};

async function propose(
  url: string,
  { signal = new AbortController().signal, ...more }:
    & Partial<HttpEndpoint>
    & { signal?: AbortSignal } = {},
): Promise<string> {
  const provider = createHttpProvider({ url, model: "sober-1", key: new Secret(KEY), ...more });
  return await provider.propose(INPUT, signal);
}

/** Must fail; returns the reason, and checks the error. */
async function failureOf(url: string, signal?: AbortSignal): Promise<ProviderFailure> {
  const error = await assertRejects(
    () => propose(url, signal === undefined ? {} : { signal }),
    ProviderError,
  );
  const shown = Deno.inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error);
  for (const word of [KEY, "Lena", "Late again", "127.0.0.1", "sober-1", REPLY_MARK]) {
    assertEquals(shown.includes(word), false, shown);
  }
  assertEquals(error.cause, undefined);
  return error.failure;
}

async function failureFor(respond: () => Response | Promise<Response>): Promise<ProviderFailure> {
  await using server = serveProvider(respond);
  return await failureOf(server.url);
}

/** With exactly this many bytes. */
function completionOf(bytes: number): string {
  const text = completion(REPLY_MARK);
  return text + " ".repeat(bytes - text.length);
}

Deno.test("The HTTP provider sends one POST of closed shape to exactly its address", async () => {
  await using server = serveProvider(() => new Response(completion("An evaluation")));
  const url = `http://127.0.0.1:${server.port}/v1/chat?api-version=1&a=%20`;
  assertEquals(await propose(url), "An evaluation");
  const [request, ...others] = server.requests;
  assert(request !== undefined);
  assertEquals(others, []);
  assertEquals([request.method, request.target], ["POST", "/v1/chat?api-version=1&a=%20"]);
  const { model, messages, stream, ...rest } = JSON.parse(request.body);
  assertEquals([model, stream, rest], ["sober-1", false, {}]);
  const [system, user, ...more] = messages;
  assertEquals(more, []);
  assertEquals([Object.keys(system), system.role], [["role", "content"], "system"]);
  assertEquals(user, { role: "user", content: JSON.stringify(INPUT) });
  // All user text is in one message.
  assertEquals(system.content.includes("Lena"), false);
  assertEquals(request.headers, {
    "accept": "application/json",
    "accept-encoding": "gzip,br",
    "accept-language": "*",
    "authorization": `Bearer ${KEY}`,
    "content-length": String(new TextEncoder().encode(request.body).length),
    "content-type": "application/json",
    "host": `127.0.0.1:${server.port}`,
    "user-agent": `Deno/${Deno.version.deno}`,
  });
});

Deno.test("The HTTP provider sends no credential without a key", async () => {
  await using server = serveProvider(() => new Response(completion("An evaluation")));
  await propose(server.url, { key: null });
  assertEquals("authorization" in (server.requests[0]?.headers ?? {}), false);
});

Deno.test("The HTTP provider accepts a plain text", async () => {
  const texts = [
    "One line",
    " Two\n\tlines \u{1f642}\u0007 ",
    "\u{1f642}".repeat(100_000),
  ];
  for (const text of texts) {
    await using server = serveProvider(() => new Response(completion(text)));
    assertEquals(await propose(server.url), text);
  }
});

Deno.test("The HTTP provider uses the first of several choices, compressed or not", async () => {
  const body = JSON.stringify({
    choices: [{ message: { content: "The first" } }, { message: { content: "The second" } }],
  });
  await using plain = serveProvider(() => new Response(body));
  assertEquals(await propose(plain.url), "The first");
  await using packed = serveProvider(() => {
    const stream = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
    return new Response(stream, { headers: { "Content-Encoding": "gzip" } });
  });
  assertEquals(await propose(packed.url), "The first");
});

const SHAPES: Readonly<Record<string, BodyInit>> = {
  "no body": "",
  "no JSON": REPLY_MARK,
  "half a JSON": completion(REPLY_MARK).slice(0, -1),
  "two JSON": completion(REPLY_MARK).repeat(2),
  "a byte order mark": `\ufeff${completion(REPLY_MARK)}`,
  "bytes that are no UTF-8": new Uint8Array([0x22, 0xff, 0x22]),
  "null": "null",
  "a text": JSON.stringify(REPLY_MARK),
  "a list": JSON.stringify([{ message: { content: REPLY_MARK } }]),
  "no choices": JSON.stringify({ error: { message: REPLY_MARK } }),
  "choices that are no list": JSON.stringify({ choices: { 0: { message: { content: "x" } } } }),
  "an empty list of choices": JSON.stringify({ choices: [] }),
  "a choice that is null": JSON.stringify({ choices: [null] }),
  "a choice without a message": JSON.stringify({ choices: [{ text: REPLY_MARK }] }),
  "a message that is a text": JSON.stringify({ choices: [{ message: REPLY_MARK }] }),
  "content that is null": completion(null),
  "content that is a number": completion(4),
  "content of parts": completion([{ type: "text", text: REPLY_MARK }]),
  "content below a prototype": '{"choices":[{"message":{"__proto__":{"content":"x"}}}]}',
  "content twice": '{"choices":[{"message":{"content":"x","content":"y"}}]}',
  "content with U+0000": completion("\u0000"),
  "content with half a character": completion("\ud800"),
  "a depth without end": "[".repeat(100_000),
};

for (const [what, body] of Object.entries(SHAPES)) {
  Deno.test(`The HTTP provider does not accept ${what} as an evaluation`, async () => {
    assertEquals(await failureFor(() => new Response(body)), "SHAPE");
  });
}

Deno.test("The HTTP provider rejects a text that a multi-line field would reject", async () => {
  for (const text of ["", " \n\t\u00a0", "x".repeat(100_001), "\u{1f642}".repeat(100_001)]) {
    assertEquals(await failureFor(() => new Response(completion(text))), "CANDIDATE");
  }
});

Deno.test("The HTTP provider accepts only status 200", async () => {
  for (const status of [201, 202, 203, 206, 400, 401, 403, 404, 408, 429, 500, 503]) {
    const failure = await failureFor(() => new Response(completion(REPLY_MARK), { status }));
    assertEquals(failure, "STATUS", String(status));
  }
  for (const status of [204, 304]) {
    assertEquals(await failureFor(() => new Response(null, { status })), "STATUS", String(status));
  }
});

Deno.test("The HTTP provider follows no redirect", async () => {
  await using elsewhere = serveProvider(() => new Response(completion("From elsewhere")));
  for (const status of [301, 302, 303, 307, 308]) {
    const headers = { Location: elsewhere.url };
    const failure = await failureFor(() => new Response(REPLY_MARK, { status, headers }));
    assertEquals(failure, "STATUS", String(status));
  }
  assertEquals(elsewhere.requests, []);
});

Deno.test("The HTTP provider reads at most one mebibyte", async () => {
  await using server = serveProvider(() => new Response(completionOf(MEBIBYTE)));
  assertEquals(await propose(server.url), REPLY_MARK);
  assertEquals(await failureFor(() => new Response(completionOf(MEBIBYTE + 1))), "SIZE");
});

Deno.test("The HTTP provider abandons a response that does not end", async () => {
  let sent = 0;
  const ended = Promise.withResolvers<void>();
  const endless = () =>
    new ReadableStream({
      pull(controller) {
        sent += 64 * 1024;
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
      },
      cancel: () => ended.resolve(),
    });
  await using server = serveProvider(() => new Response(endless()));
  assertEquals(await failureOf(server.url), "SIZE");
  await ended.promise;
  // Plus buffered bytes.
  assert(sent < 32 * MEBIBYTE, `${sent} bytes`);
});

Deno.test("The HTTP provider stops decompressing at a mebibyte", async () => {
  const zeros = new Blob([new Uint8Array(64 * MEBIBYTE)]);
  const packed = zeros.stream().pipeThrough(new CompressionStream("gzip"));
  const bomb = await new Response(packed).bytes();
  assert(bomb.length < MEBIBYTE / 8);
  const headers = { "Content-Encoding": "gzip" };
  assertEquals(await failureFor(() => new Response(bomb, { headers })), "SIZE");
});

Deno.test("The HTTP provider fails with its connection", async () => {
  const head = `HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${completion(REPLY_MARK)}`;
  for (const response of ["", "no HTTP at all\r\n\r\n", "HTTP/1.1 200 OK\r\nX: ", head]) {
    await using server = serveBytes(response);
    assertEquals(await failureOf(`http://127.0.0.1:${server.port}/`), "CONNECTION", response);
  }
  const { port } = await closedPort();
  assertEquals(await failureOf(`http://127.0.0.1:${port}/`), "CONNECTION");
  const unpacked = () => new Response(REPLY_MARK, { headers: { "Content-Encoding": "gzip" } });
  assertEquals(await failureFor(unpacked), "CONNECTION");
});

async function closedPort(): Promise<{ readonly port: number }> {
  await using server = serveProvider(() => new Response());
  return { port: server.port };
}

Deno.test("The HTTP provider can be aborted before the response head", async () => {
  const cut = new AbortController();
  const asked = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<Response>();
  await using server = serveProvider(() => {
    asked.resolve();
    return gone.promise;
  });
  const failure = failureOf(server.url, cut.signal);
  await asked.promise;
  cut.abort();
  assertEquals(await failure, "CONNECTION");
  gone.resolve(new Response());
});

Deno.test("The HTTP provider can be aborted within the response body", async () => {
  const cut = new AbortController();
  const begun = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const stalled = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"choices":[')),
      pull: () => begun.resolve(),
      cancel: () => left.resolve(),
    });
  await using server = serveProvider(() => new Response(stalled()));
  const failure = failureOf(server.url, cut.signal);
  await begun.promise;
  cut.abort();
  assertEquals(await failure, "CONNECTION");
  await left.promise;
});

Deno.test("The HTTP provider aborted beforehand sends nothing", async () => {
  await using server = serveProvider(() => new Response(completion("An evaluation")));
  assertEquals(await failureOf(server.url, AbortSignal.abort()), "CONNECTION");
  assertEquals(server.requests, []);
});

Deno.test("The HTTP provider on this machine is called without a proxy", async () => {
  await using server = serveProvider(() => new Response(completion("From this machine")));
  await using proxy = serveProvider(() => new Response(completion("From the proxy")));
  const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY"];
  const before = names.map((name) => Deno.env.get(name));
  try {
    for (const name of names) Deno.env.set(name, proxy.url);
    for (const host of ["127.0.0.1", "localhost"]) {
      const url = `http://${host}:${server.port}/`;
      assertEquals(await propose(url), "From this machine", host);
    }
  } finally {
    for (const [index, name] of names.entries()) {
      const value = before[index];
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
  assertEquals([server.requests.length, proxy.requests.length], [2, 0]);
});

Deno.test("The HTTP provider uses TLS if the address says https", async () => {
  const CLIENT_HELLO = [0x16, 0x03];
  await using server = serveBytes("");
  assertEquals(await failureOf(`https://localhost:${server.port}/`), "CONNECTION");
  const bytes = await server.received;
  assertEquals([...bytes.slice(0, 2)], CLIENT_HELLO);
});
