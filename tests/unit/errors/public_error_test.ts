import { assert, assertEquals, assertMatch } from "@std/assert";
import { ERROR_CODES, type ErrorCode } from "../../../src/errors/codes.ts";
import { payloadInvalid, ServiceError } from "../../../src/errors/service_error.ts";
import { toPublicError } from "../../../src/errors/public_error.ts";

const REQUEST_ID = "01JD5A0000000000000000REQ1";

const INTERNAL = {
  status: 500,
  headers: {},
  body: {
    error: {
      code: "INTERNAL_ERROR",
      message: "The service failed to answer the request",
      requestId: REQUEST_ID,
    },
  },
} as const;

Deno.test("toPublicError() gives every code its status and fixed message", () => {
  for (const code of Object.keys(ERROR_CODES).filter(isErrorCode)) {
    const failure = toPublicError(new ServiceError(code, { cause: "wine" }), REQUEST_ID);
    const { status, message } = ERROR_CODES[code];
    assertEquals(failure.status, status, code);
    assertEquals(failure.body.error, { code, message, requestId: REQUEST_ID }, code);
  }
});

Deno.test("toPublicError() gives data to FEATURE_NOT_IMPLEMENTED alone", () => {
  for (const code of Object.keys(ERROR_CODES).filter(isErrorCode)) {
    const { body } = toPublicError(new ServiceError(code), REQUEST_ID);
    assertEquals("data" in body, code === "FEATURE_NOT_IMPLEMENTED", code);
  }
  const { body } = toPublicError(new ServiceError("FEATURE_NOT_IMPLEMENTED"), REQUEST_ID);
  assertEquals(body.data, null);
});

Deno.test("toPublicError() passes scrubbed details and headers on", () => {
  const invalid = toPublicError(payloadInvalid(["json.depth", "a wine"], ["title"]), REQUEST_ID);
  assertEquals(invalid.body.error.details, { fields: ["title"], rules: ["json.depth"] });
  const limited = toPublicError(
    new ServiceError("HTTP_429", { headers: { "Retry-After": "3" }, details: { limit: 1 } }),
    REQUEST_ID,
  );
  assertEquals(limited.headers, { "Retry-After": "3" });
  assert(!("details" in limited.body.error));
});

Deno.test("toPublicError() sets Retry-After exactly if waiting helps", () => {
  for (const code of Object.keys(ERROR_CODES).filter(isErrorCode)) {
    const { status, headers } = toPublicError(new ServiceError(code), REQUEST_ID);
    const passes = status === 429 || status === 503 || code === "IDEMPOTENCY_IN_PROGRESS";
    if (passes) assertMatch(headers["Retry-After"] ?? "", /^[1-9]\d?$/, code);
    else assertEquals(headers, {}, code);
  }
});

Deno.test("toPublicError() returns headers that are not shared", () => {
  const error = new ServiceError("HTTP_405", { headers: { Allow: "GET" } });
  toPublicError(error, REQUEST_ID).headers["Allow"] = "PUT";
  assertEquals(toPublicError(error, REQUEST_ID).headers, { Allow: "GET" });
});

Deno.test("toPublicError() maps the legacy code for a missing key to the public one", () => {
  const failures = [
    { code: "IDEMPOTENCY_KEY_REQUIRED", message: "wine", details: { operation: "wine" } },
    Object.assign(new Error("wine"), { code: "IDEMPOTENCY_KEY_REQUIRED" }),
  ];
  for (const failure of failures) {
    assertEquals(toPublicError(failure, REQUEST_ID), {
      status: 400,
      headers: {},
      body: {
        error: {
          code: "RECORD_IDEMPOTENCY_KEY_REQUIRED",
          message: "An Idempotency-Key header is required",
          requestId: REQUEST_ID,
        },
      },
    });
  }
});

Deno.test("toPublicError() reveals nothing of an unknown failure", () => {
  const failures: unknown[] = [
    undefined,
    null,
    "wine",
    7,
    7n,
    Symbol("wine"),
    () => "wine",
    ["wine"],
    {},
    new Error("wine"),
    new TypeError("wine", { cause: new ServiceError("FORBIDDEN") }),
    Object.assign(new Error("wine"), { code: "23505", detail: "Key (name)=(wine) exists" }),
    // Public codes require a ServiceError.
    { code: "FORBIDDEN", status: 403, message: "wine" },
    Object.assign(new Error("wine"), { code: "RECORD_NOT_FOUND", status: 404 }),
    new AggregateError([new ServiceError("FORBIDDEN")], "wine"),
    new DOMException("wine", "AbortError"),
    new Response("wine", { status: 418 }),
  ];
  for (const failure of failures) assertEquals(toPublicError(failure, REQUEST_ID), INTERNAL);
});

Deno.test("toPublicError() treats objects that imitate a ServiceError as unknown", () => {
  for (const code of ["toString", "__proto__", "WINE", "", null, undefined, {}]) {
    const pretender = Object.create(ServiceError.prototype, {
      code: { value: code },
      details: { value: {} },
      headers: { value: {} },
    });
    assertEquals(toPublicError(pretender, REQUEST_ID), INTERNAL);
  }
});

Deno.test("toPublicError() survives objects that throw when inspected", () => {
  const explode = () => {
    throw new Error("wine");
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const failures = [
    proxy,
    new Proxy({}, { get: explode, has: explode, getPrototypeOf: explode }),
    new Proxy({}, { has: () => true, get: explode }),
    Object.defineProperty({}, "code", { get: explode }),
    Object.defineProperty(new Error("wine"), "code", { get: explode }),
    Object.defineProperty(new ServiceError("FORBIDDEN"), "code", { get: explode }),
    Object.defineProperty(payloadInvalid(["a"]), "details", { get: explode }),
    Object.defineProperty(payloadInvalid(["a"]), "details", {
      value: Object.defineProperty({}, "rules", { get: explode }),
    }),
    Object.defineProperty(new ServiceError("FORBIDDEN"), "headers", { get: explode }),
  ];
  for (const failure of failures) assertEquals(toPublicError(failure, REQUEST_ID), INTERNAL);
});

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
