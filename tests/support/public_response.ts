/** The contract of every response. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { ERROR_CODES, type ErrorCode } from "../../src/errors/codes.ts";
import type { TestResponse } from "./world.ts";

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** A declared field, a query parameter as it was sent, a stable rule, or a code. */
const DETAIL_NAME = /^[A-Za-z][A-Za-z0-9_.:-]{0,63}(?:\[[A-Za-z_-]{1,64}\]){0,2}$/;

/**
 * Data with its meta, "not modified", or a public error in its exact form. `INTERNAL_ERROR` never
 * passes.
 */
export function assertPublicAnswer(response: TestResponse, about: string): void {
  const { status, body, headers } = response;
  assertMatch(headers.get("X-Request-Id") ?? "", REQUEST_ID, about);
  if (status >= 400) return assertPublicError(response, about);
  assert([200, 201, 206, 304].includes(status), `${about}: ${status}`);
  if (body === null) return;
  assertEquals(Object.keys(body), ["data", "meta"], about);
  assertEquals(body.meta, { requestId: headers.get("X-Request-Id") }, about);
}

/** Asserts the exact public form, except `INTERNAL_ERROR`. */
export function assertPublicError(
  { status, body, headers, text }: TestResponse,
  about: string,
): void {
  const problem = `${about}: ${status} ${text}`;
  assert(status < 500 || status === 501 || status === 503, problem);
  if (text === "") return;
  const code: string = body.error.code;
  assert(isErrorCode(code) && code !== "INTERNAL_ERROR", problem);
  const { message, details: whitelist, status: documented } = ERROR_CODES[code];
  assertEquals(status, documented, problem);
  const { details, ...rest } = body.error;
  assertEquals(rest, { code, message, requestId: headers.get("X-Request-Id") }, problem);
  const union = code === "FEATURE_NOT_IMPLEMENTED" ? { data: null } : {};
  assertEquals({ ...body, error: undefined }, { ...union, error: undefined }, problem);
  if (details !== undefined) assertDetails(details, whitelist, problem);
}

function assertDetails(
  details: Record<string, unknown>,
  whitelist: readonly string[],
  problem: string,
): void {
  assert(Object.keys(details).length > 0, problem);
  for (const [name, detail] of Object.entries(details)) {
    assert(whitelist.includes(name), problem);
    for (const value of Array.isArray(detail) ? detail : [detail]) {
      if (typeof value === "number") assert(Number.isSafeInteger(value), problem);
      else assertMatch(String(value), DETAIL_NAME, problem);
    }
  }
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
