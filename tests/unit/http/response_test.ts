import { assertEquals, assertThrows } from "@std/assert";
import { ServiceError } from "../../../src/errors/service_error.ts";
import { toPublicError } from "../../../src/errors/public_error.ts";
import { created, ok } from "../../../src/http/reply.ts";
import { toErrorResponse, toResponse, transportSecurity } from "../../../src/http/response.ts";
import { RawJson, UnsafeOutputError } from "../../../src/validate/json_output.ts";

const ID = "request-0001";
const PLAIN_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-request-id": ID,
};
const JSON_HEADERS = {
  ...PLAIN_HEADERS,
  "content-disposition": 'attachment; filename="api.json"',
  "content-type": "application/json; charset=utf-8",
};

Deno.test("toResponse() wraps data in the success envelope", async () => {
  const response = toResponse(ok({ title: "漢字", payload: new RawJson('{ "a":1}') }), ID);
  assertEquals(response.status, 200);
  assertEquals(Object.fromEntries(response.headers), JSON_HEADERS);
  const text = `{"data":{"title":"漢字","payload":{ "a":1}},"meta":{"requestId":"${ID}"}}`;
  assertEquals(await response.text(), text);
});

Deno.test("toResponse() sets the location of a new object", () => {
  const response = toResponse(created({}, "/a/1", { "Idempotency-Replayed": "true" }), ID);
  assertEquals(response.status, 201);
  assertEquals(Object.fromEntries(response.headers), {
    ...JSON_HEADERS,
    "idempotency-replayed": "true",
    location: "/a/1",
  });
});

Deno.test("toResponse() sends no body and media type without data", async () => {
  const response = toResponse({ status: 304, headers: { ETag: '"1"' } }, ID);
  assertEquals([response.status, await response.text()], [304, ""]);
  assertEquals(Object.fromEntries(response.headers), { ...PLAIN_HEADERS, etag: '"1"' });
});

Deno.test("toResponse() passes bytes on unchanged, and states their length", async () => {
  const body = new Blob(["bytes"]).stream();
  const headers = { "Content-Type": "text/x" };
  const response = toResponse({ status: 200, body, length: 5, headers }, ID);
  assertEquals(Object.fromEntries(response.headers), {
    ...PLAIN_HEADERS,
    "content-length": "5",
    "content-type": "text/x",
  });
  assertEquals(await response.text(), "bytes");
});

Deno.test("toResponse() allows an answer its own policy", () => {
  const headers = { "Content-Security-Policy": "sandbox" };
  const response = toResponse({ status: 200, body: "", headers }, ID);
  assertEquals(response.headers.get("Content-Security-Policy"), "sandbox");
});

Deno.test("toResponse() rejects data that is not plain JSON", () => {
  for (const data of [new Date(), { a: undefined }, [NaN], { a: () => {} }, 1n]) {
    assertThrows(() => toResponse(ok(data), ID), UnsafeOutputError);
  }
});

Deno.test("toErrorResponse() answers a failure with its headers and its public body", async () => {
  const error = new ServiceError("HTTP_405", { headers: { Allow: "GET, HEAD" } });
  const response = toErrorResponse(toPublicError(error, ID));
  assertEquals(response.status, 405);
  assertEquals(Object.fromEntries(response.headers), { ...JSON_HEADERS, allow: "GET, HEAD" });
  const { error: body } = await response.json();
  assertEquals([body.code, body.requestId], ["HTTP_405", ID]);
});

Deno.test("toErrorResponse() reveals nothing of unknown failures", async () => {
  const response = toErrorResponse(toPublicError(new Error("row (secret) exists"), ID));
  assertEquals(response.status, 500);
  assertEquals((await response.text()).includes("secret"), false);
});

Deno.test("transportSecurity() asks for TLS only if people reach the service by TLS", () => {
  assertEquals(transportSecurity("https://records.example"), {
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  });
  assertEquals(transportSecurity("http://localhost:8000"), {});
});
