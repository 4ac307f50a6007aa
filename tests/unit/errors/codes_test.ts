import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { ERROR_CODES } from "../../../src/errors/codes.ts";

/** The specification's error rows for the Record Kernel. */
const SPECIFIED: Readonly<Record<string, number>> = {
  PAYLOAD_INVALID: 400,
  RECORD_IDEMPOTENCY_KEY_REQUIRED: 400,
  FEATURE_MODULE_MISMATCH: 400,
  MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED: 400,
  MEMORY_SLICE_DEDICATED_ENDPOINT_REQUIRED: 400,
  MEMORY_DRAFT_DEDICATED_ENDPOINT_REQUIRED: 400,
  MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED: 400,
  MEMORY_AI_DRAFT_DEDICATED_ENDPOINT_REQUIRED: 400,
  MEMORY_TIME_DEDICATED_ENDPOINT_REQUIRED: 400,
  MEMORY_PRIVACY_DEDICATED_ENDPOINT_REQUIRED: 400,
  MEMORY_EXPORT_DEDICATED_ENDPOINT_REQUIRED: 400,
  TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED: 400,
  TAXONOMY_CATEGORY_DEDICATED_ENDPOINT_REQUIRED: 400,
  TAXONOMY_ALIAS_DEDICATED_ENDPOINT_REQUIRED: 400,
  TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED: 400,
  AUTH_REQUIRED: 401,
  FORBIDDEN: 403,
  RECORD_MODULE_NOT_FOUND: 404,
  RECORD_NOT_FOUND: 404,
  FEATURE_NOT_FOUND: 404,
  REVISION_CONFLICT: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  IDENTITY_LEGACY_WRITE_DISABLED: 410,
  FEATURE_NOT_IMPLEMENTED: 501,
  IDENTITY_DEDICATED_ENDPOINT_REQUIRED: 501,
  SYSTEM_MAINTENANCE: 503,
  INTERNAL_ERROR: 500,
};

/** Rows that the specification leaves open. */
const DECIDED: Readonly<Record<string, number>> = {
  IDEMPOTENCY_KEY_REUSED: 409,
  STEP_UP_REQUIRED: 403,
  SECOND_FACTOR_REQUIRED: 401,
  SECOND_FACTOR_STATE_CONFLICT: 409,
  PASSKEY_STATE_CONFLICT: 409,
  SETUP_CLOSED: 409,
  ACCOUNT_MOVED: 410,
  ATTACHMENT_CONFLICT: 409,
  ATTACHMENT_LOST: 410,
  ACCOUNT_CONFLICT: 409,
  ACCOUNT_STORAGE_FULL: 413,
  RELATIONSHIP_LEGACY_WRITE_DISABLED: 410,
  RESOURCE_LEGACY_WRITE_DISABLED: 410,
  RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED: 501,
  RESOURCE_DEDICATED_ENDPOINT_REQUIRED: 501,
  DECISION_DEDICATED_ENDPOINT_REQUIRED: 501,
  PRIVACY_DOWNGRADE_FORBIDDEN: 403,
  RECORD_ERASED: 410,
  MEMORY_STATE_CONFLICT: 409,
  IDENTITY_STATE_CONFLICT: 409,
  DECISION_STATE_CONFLICT: 409,
  RELATIONSHIP_STATUS_CONFLICT: 409,
  RELATIONSHIP_ENTRY_CONFLICT: 409,
  RELATIONSHIP_PROPOSAL_CONFLICT: 409,
  RELATIONSHIP_PROPOSAL_STALE: 409,
  PROPOSAL_STATE_CONFLICT: 409,
  TAXONOMY_STATE_CONFLICT: 409,
  TAXONOMY_TAG_NAME_CONFLICT: 409,
  TAXONOMY_CATEGORY_NAME_CONFLICT: 409,
  TAXONOMY_CATEGORY_PARENT_INVALID: 409,
  TAXONOMY_CATEGORY_CYCLE: 409,
  TAXONOMY_CATEGORY_DEPTH_EXCEEDED: 409,
  ACCOUNT_NOT_EMPTY: 409,
  IMPORT_STATE_CONFLICT: 409,
  HTTP_421: 421,
  HTTP_404: 404,
  HTTP_405: 405,
  HTTP_408: 408,
  HTTP_413: 413,
  HTTP_415: 415,
  HTTP_416: 416,
  HTTP_429: 429,
  HTTP_503: 503,
};

Deno.test("ERROR_CODES has the specified and the decided codes with their status, and no other", () => {
  const statuses = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]);
  assertEquals(Object.fromEntries(statuses), { ...SPECIFIED, ...DECIDED });
});

Deno.test("ERROR_CODES names codes in capitals and gives each a status of failure", () => {
  for (const [code, { status }] of Object.entries(ERROR_CODES)) {
    assertMatch(code, /^[A-Z]+(?:_[A-Z0-9]+)*$/);
    assert(Number.isInteger(status) && status >= 400 && status <= 599, code);
  }
});

Deno.test("ERROR_CODES names each HTTP code after its status", () => {
  for (const [code, { status }] of Object.entries(ERROR_CODES)) {
    if (code.startsWith("HTTP_")) assertEquals(code, `HTTP_${status}`);
  }
});

Deno.test("ERROR_CODES keeps the legacy key code out of the public set", () => {
  assert(!Object.hasOwn(ERROR_CODES, "IDEMPOTENCY_KEY_REQUIRED"));
});

Deno.test("ERROR_CODES has one short fixed sentence a code, without full stop or placeholder", () => {
  for (const [code, { message }] of Object.entries(ERROR_CODES)) {
    assertMatch(message, /^[A-Z][A-Za-z ,-]{5,78}[a-z]$/, code);
    assertNotMatch(message, / {2}|undefined|null/, code);
  }
});

Deno.test("ERROR_CODES lists each public detail field once", () => {
  for (const [code, { details }] of Object.entries(ERROR_CODES)) {
    assertEquals(new Set(details).size, details.length, code);
  }
  for (
    const code of ["INTERNAL_ERROR", "AUTH_REQUIRED", "FORBIDDEN", "RECORD_NOT_FOUND"] as const
  ) {
    assertEquals(ERROR_CODES[code].details, [], code);
  }
});
