/** The service on a real socket. */

import { assertEquals, assertMatch } from "@std/assert";
import { createLog } from "../../src/core/log.ts";
import { serve } from "../../src/http/server.ts";
import { ORIGIN, sharedWorld } from "../support/world.ts";
import { exchange, lines } from "../support/wire.ts";
import { assertWritesNothing, COMMITMENT, COMMITMENTS } from "./kernel.ts";

const world = sharedWorld();

const HOST = `Host: ${new URL(ORIGIN).host}`;

Deno.test("An invalid Host header is a public failure like any other", async () => {
  for (
    const host of [
      "two words",
      "[",
      "a:99999999",
      "a:b",
      "%",
      "a/b",
      "a/healthz?",
      "a#",
      "b@a",
      "a\\b",
      "",
      "é",
    ]
  ) {
    const request = lines(
      "GET /api/v2/catalog HTTP/1.1",
      `Host: ${host}`,
      "Connection: close",
      "",
      "",
    );
    const { status, text } = await exchange(world().again(), request);
    assertEquals(status, 400, `${host}: ${text}`);
    assertMatch(text, /"code":"PAYLOAD_INVALID".*"rules":\["url\.format"\]/);
    assertMatch(text, /x-request-id: [0-9A-HJKMNP-TV-Z]{26}/i);
  }
});

Deno.test("An address in absolute or asterisk form is answered by the same routes", async () => {
  const paths = ["*", "http://records.example/nothing", "//api/v2/catalog"];
  const head = (path: string) =>
    lines(`OPTIONS ${path} HTTP/1.1`, HOST, "Connection: close", "", "");
  for (const path of paths) {
    assertMatch((await exchange(world().again(), head(path))).text, /"code":"HTTP_404"/, path);
  }
  const other = head("http://elsewhere.example/api/v2/catalog");
  assertMatch((await exchange(world().again(), other)).text, /"rules":\["url\.format"\]/);
});

Deno.test("A creation may arrive in chunks without a length", async () => {
  const caller = await world().createCaller();
  const body = JSON.stringify({ title: "A title", payload: COMMITMENT });
  const half = body.length >> 1;
  const chunks = [body.slice(0, half), body.slice(half), ""];
  const { status, text } = await exchange(
    world().again(),
    lines(
      `POST ${COMMITMENTS} HTTP/1.1`,
      HOST,
      "Connection: close",
      `Authorization: Bearer ${caller.secret}`,
      "Content-Type: application/json",
      "Idempotency-Key: k",
      "Transfer-Encoding: chunked",
      "",
      ...chunks.flatMap((chunk) => [chunk.length.toString(16), chunk]),
      "",
    ),
  );
  assertEquals(status, 201, text);
});

Deno.test("A creation whose connection closes before its body is complete writes nothing", async () => {
  const caller = await world().createCaller();
  const answered = Promise.withResolvers<Response>();
  const server = serve({ host: "127.0.0.1", port: 0 }, () => ({
    async fetch(request) {
      const response = await world().app.fetch(request);
      answered.resolve(response.clone());
      return response;
    },
    drain: () => Promise.resolve(),
    listenerFailed: () => {},
  }), createLog("silent"));
  await assertWritesNothing(world(), async () => {
    const connection = await Deno.connect({ hostname: server.hostname, port: server.port });
    await connection.write(new TextEncoder().encode(lines(
      `POST ${COMMITMENTS} HTTP/1.1`,
      HOST,
      `Authorization: Bearer ${caller.secret}`,
      "Content-Type: application/json",
      "Idempotency-Key: k",
      "Content-Length: 1000",
      "",
      '{"title":"A title"',
    )));
    connection.close();
    const { error } = await (await answered.promise).json();
    assertEquals(error.code, "HTTP_408");
  });
  await server.stop();
});

Deno.test("A request without a Host header is rejected on every path, its body unread", async () => {
  const paths = [
    "/healthz",
    "/readyz",
    "/metrics",
    "/",
    "/api/v2/openapi.json",
    "/api/v2/nothing",
    "*",
    COMMITMENTS,
    "/api/v2/auth/login",
    "/api/v2/attachments",
    `${ORIGIN}/healthz`,
  ];
  const methods = ["GET", "HEAD", "POST", "OPTIONS", "DELETE", "TRACE", "OTHER"];
  for (const path of paths) {
    for (const method of methods) {
      if (path === "*" && method !== "OPTIONS") continue;
      const hasBody = method === "POST" || method === "OTHER";
      const request = lines(
        `${method} ${path} HTTP/1.1`,
        "Connection: close",
        ...(hasBody ? ["Content-Type: application/json", "Content-Length: 2"] : []),
        "",
        hasBody ? "{}" : "",
      );
      const { status, text } = await exchange(world().again(), request);
      assertEquals(status, 400, `${method} ${path}: ${text}`);
      if (method === "HEAD") continue;
      assertMatch(text, /"code":"PAYLOAD_INVALID".*"rules":\["url\.format"\]/, `${method} ${path}`);
    }
  }
});

Deno.test("A request without a Host header is answered before its body arrives", async () => {
  const server = serve({ host: "127.0.0.1", port: 0 }, () => world().again(), createLog("silent"));
  using connection = await Deno.connect({ hostname: server.hostname, port: server.port });
  const head = lines("POST /api/v2/auth/login HTTP/1.1", "Content-Length: 1000", "", "{");
  await connection.write(new TextEncoder().encode(head));
  const buffer = new Uint8Array(4096);
  const count = await connection.read(buffer) ?? 0;
  assertMatch(new TextDecoder().decode(buffer.subarray(0, count)), /^HTTP\/1\.1 400 /);
  connection.close();
  await server.stop();
});
