/**
 * Every public failure: status, fixed message and permitted detail fields (specification, Errors).
 * A message never contains a value, a path or client text.
 */

/** The only names permitted at the top level of `error.details`. */
export type DetailField =
  | "fields"
  | "rules"
  | "moduleCode"
  | "featureId"
  | "expectedRevision"
  | "currentRevision"
  | "operation"
  | "scope"
  | "entryPoint"
  | "limit"
  | "movedTo"
  | "looksLike"
  | "purpose";

interface ErrorRow {
  readonly status: number;
  readonly message: string;
  readonly details: readonly DetailField[];
  /** `Retry-After` in seconds, unless the failure sets its own. */
  readonly retryAfter?: number;
}

export const ERROR_CODES = {
  PAYLOAD_INVALID: row(400, "The request is not valid", ["fields", "rules", "limit"]),
  RECORD_IDEMPOTENCY_KEY_REQUIRED: row(400, "An Idempotency-Key header is required", ["operation"]),
  FEATURE_MODULE_MISMATCH: row(400, "The feature does not belong to this module", [
    "moduleCode",
    "featureId",
  ]),

  // Authentication.
  AUTH_REQUIRED: row(401, "A valid credential is required", []),
  SECOND_FACTOR_REQUIRED: row(401, "A code of the second factor is required as well", []),
  FORBIDDEN: row(403, "The credential does not allow this operation", []),
  STEP_UP_REQUIRED: row(403, "The current password must be confirmed for this operation", [
    "operation",
    "purpose",
  ]),
  PRIVACY_DOWNGRADE_FORBIDDEN: row(403, "The privacy level cannot be lowered", ["operation"]),
  SECOND_FACTOR_STATE_CONFLICT: row(
    409,
    "The state of the second factor forbids this operation",
    [],
  ),
  PASSKEY_STATE_CONFLICT: row(409, "Passkeys cannot be used here, or the account has none", []),
  ACCOUNT_MOVED: row(410, "The account has moved to another address", ["movedTo"]),
  SETUP_CLOSED: row(409, "Set-up is closed because an account exists", []),
  ACCOUNT_CONFLICT: row(409, "The account already exists", []),

  RECORD_MODULE_NOT_FOUND: row(404, "The module does not exist", []),
  RECORD_NOT_FOUND: row(404, "The record does not exist", []),
  RECORD_ERASED: row(410, "The record was erased", ["moduleCode"]),
  ATTACHMENT_LOST: row(410, "The bytes of the attachment are missing or damaged", []),
  ATTACHMENT_CONFLICT: conflict("The attachment has another thumbnail"),
  FEATURE_NOT_FOUND: row(404, "The feature does not exist", []),

  REVISION_CONFLICT: row(409, "The record has changed since the expected revision", [
    "expectedRevision",
    "currentRevision",
  ]),
  MEMORY_STATE_CONFLICT: conflict("The state of the memory or draft forbids this operation"),
  IDENTITY_STATE_CONFLICT: conflict("The state of the identity forbids this operation"),
  DECISION_STATE_CONFLICT: conflict("The state of the decision forbids this operation"),
  RELATIONSHIP_STATUS_CONFLICT: conflict("The status of the person forbids this operation"),
  RELATIONSHIP_ENTRY_CONFLICT: conflict("The state of the entry forbids this operation"),
  RELATIONSHIP_PROPOSAL_CONFLICT: conflict("The state of the proposal forbids this operation"),
  RELATIONSHIP_PROPOSAL_STALE: conflict("What the proposal was made of has changed"),
  PROPOSAL_STATE_CONFLICT: conflict("The proposal can no longer be decided"),
  TAXONOMY_STATE_CONFLICT: conflict("The state of the tag or category forbids this operation"),
  TAXONOMY_TAG_NAME_CONFLICT: row(409, "The name or an alias of the tag is taken", []),
  TAXONOMY_CATEGORY_NAME_CONFLICT: row(409, "The name or an alias of the category is taken", []),
  TAXONOMY_CATEGORY_PARENT_INVALID: row(409, "The parent is no active category", []),
  TAXONOMY_CATEGORY_CYCLE: row(409, "The category would be below itself", []),
  TAXONOMY_CATEGORY_DEPTH_EXCEEDED: row(409, "The categories would have too many levels", [
    "limit",
  ]),
  ACCOUNT_STORAGE_FULL: row(413, "The account has no storage left", ["limit"]),
  ACCOUNT_NOT_EMPTY: row(409, "The account holds something already", []),
  IMPORT_STATE_CONFLICT: row(409, "The state of the import forbids this operation", ["rules"]),
  IDEMPOTENCY_IN_PROGRESS: row(409, "The same operation is still in progress", ["operation"], 1),
  IDEMPOTENCY_KEY_REUSED: conflict("The Idempotency-Key belongs to a different request"),
  SYSTEM_MAINTENANCE: row(503, "Writing is paused for maintenance", ["scope", "entryPoint"], 30),

  // Modules and features that are not available here.
  FEATURE_NOT_IMPLEMENTED: row(501, "The feature is not implemented", ["moduleCode", "featureId"]),
  MEMORY_TEXT_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  MEMORY_SLICE_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  MEMORY_DRAFT_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  MEMORY_REVISION_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  MEMORY_AI_DRAFT_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  MEMORY_TIME_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  MEMORY_PRIVACY_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  MEMORY_EXPORT_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  TAXONOMY_CATEGORY_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  TAXONOMY_ALIAS_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  TAXONOMY_GOVERNANCE_DEDICATED_ENDPOINT_REQUIRED: dedicated(400),
  IDENTITY_DEDICATED_ENDPOINT_REQUIRED: dedicated(501),
  RELATIONSHIP_DEDICATED_ENDPOINT_REQUIRED: dedicated(501),
  RESOURCE_DEDICATED_ENDPOINT_REQUIRED: dedicated(501),
  DECISION_DEDICATED_ENDPOINT_REQUIRED: dedicated(501),

  // Writes of version 1, closed permanently.
  IDENTITY_LEGACY_WRITE_DISABLED: closed(),
  RELATIONSHIP_LEGACY_WRITE_DISABLED: closed(),
  RESOURCE_LEGACY_WRITE_DISABLED: closed(),

  // Named after their status.
  HTTP_404: row(404, "The address does not exist", []),
  HTTP_405: row(405, "The address does not support this method", []),
  HTTP_408: row(408, "The request body did not arrive in time", []),
  HTTP_413: row(413, "The request body is too large", ["limit"]),
  HTTP_415: row(415, "The request body has an unsupported media type", ["rules", "looksLike"]),
  HTTP_416: row(416, "The requested range cannot be served", []),
  HTTP_421: row(421, "The service is not served under this host name", []),
  HTTP_429: row(429, "Too many requests", [], 5),
  HTTP_503: row(503, "The service is not available right now", [], 1),
  INTERNAL_ERROR: row(500, "The service failed to answer the request", []),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_CODES;

export type DedicatedEndpointCode = Extract<ErrorCode, `${string}_DEDICATED_ENDPOINT_REQUIRED`>;

export type LegacyWriteCode = Extract<ErrorCode, `${string}_LEGACY_WRITE_DISABLED`>;

function row(
  status: number,
  message: string,
  details: readonly DetailField[],
  retryAfter?: number,
): ErrorRow {
  return { status, message, details, ...(retryAfter !== undefined && { retryAfter }) };
}

/** A conflict whose details name the operation. */
function conflict(message: string): ErrorRow {
  return row(409, message, ["operation"]);
}

function closed(): ErrorRow {
  return row(410, "The legacy routes of this module are read-only", ["moduleCode", "operation"]);
}

function dedicated(status: number): ErrorRow {
  return row(status, "This module is served by its dedicated routes", [
    "moduleCode",
    "featureId",
    "operation",
  ]);
}
