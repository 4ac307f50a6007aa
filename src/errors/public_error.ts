/**
 * Converts thrown errors to public ones; no other code does (specification, Errors). Never throws:
 * anything that it does not recognise or cannot read is an `INTERNAL_ERROR`.
 */
import { ERROR_CODES, type ErrorCode } from "./codes.ts";
import { scrubDetails } from "./scrub.ts";
import { type ErrorDetails, ServiceError } from "./service_error.ts";

interface FailureBody {
  /** Present only for `FEATURE_NOT_IMPLEMENTED`. */
  readonly data?: null;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly requestId: string;
    readonly details?: ErrorDetails;
  };
}

export interface PublicFailure {
  readonly status: number;
  /** Headers of the response, such as `Retry-After` or `Allow`. */
  readonly headers: Record<string, string>;
  readonly body: FailureBody;
}

/** A code that older callers throw; it never appears in a response. */
const LEGACY_KEY_REQUIRED = "IDEMPOTENCY_KEY_REQUIRED";

/**
 * Returns the status, fixed message and scrubbed details of a {@linkcode ServiceError}, and
 * `INTERNAL_ERROR` for anything else. Never includes the original's message, stack or values.
 */
export function toPublicError(error: unknown, requestId: string): PublicFailure {
  try {
    if (error instanceof ServiceError) {
      const { code, details, headers } = error;
      return shape(code, requestId, scrubDetails(code, details), headers);
    }
    if (hasLegacyCode(error)) return shape("RECORD_IDEMPOTENCY_KEY_REQUIRED", requestId);
  } catch {
    // A getter or proxy threw, or the object imitates a ServiceError with an unknown code.
  }
  return shape("INTERNAL_ERROR", requestId);
}

function shape(
  code: ErrorCode,
  requestId: string,
  details?: ErrorDetails,
  headers?: Readonly<Record<string, string>>,
): PublicFailure {
  const { status, message, retryAfter } = ERROR_CODES[code];
  const error = details === undefined
    ? { code, message, requestId }
    : { code, message, requestId, details };
  const body = code === "FEATURE_NOT_IMPLEMENTED" ? { data: null, error } : { error };
  const standard = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  return { status, headers: { ...standard, ...headers }, body };
}

function hasLegacyCode(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error &&
    error.code === LEGACY_KEY_REQUIRED;
}
