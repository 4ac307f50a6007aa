/**
 * The only place where a thrown error becomes public (specification, Errors). It is pure, and it cannot
 * fail: anything that it does not recognise, or cannot read, is an `INTERNAL_ERROR`.
 */
import { ERROR_CODES, type ErrorCode } from "./codes.ts";
import { scrubDetails } from "./scrub.ts";
import { type ErrorDetails, ServiceError } from "./service_error.ts";

/** The body of a failed request. */
export interface FailureBody {
  /** Only `FEATURE_NOT_IMPLEMENTED` has it: its response is a union body without business data. */
  readonly data?: null;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly requestId: string;
    readonly details?: ErrorDetails;
  };
}

/** A failure as a client sees it. */
export interface PublicFailure {
  readonly status: number;
  /** The headers that belong to the failure, such as `Retry-After` or `Allow`. */
  readonly headers: Record<string, string>;
  readonly body: FailureBody;
}

/** The code that older callers throw; it never appears in a response. */
const LEGACY_KEY_REQUIRED = "IDEMPOTENCY_KEY_REQUIRED";

/**
 * Turns any thrown value into its public failure: a {@linkcode ServiceError} into the status and fixed
 * message of its code with scrubbed details, anything else into `INTERNAL_ERROR`. No message, stack or
 * value of the original is included (specification, Errors).
 */
export function toPublicError(error: unknown, requestId: string): PublicFailure {
  try {
    if (error instanceof ServiceError) {
      const { code, details, headers } = error;
      return shape(code, requestId, scrubDetails(code, details), headers);
    }
    if (hasLegacyCode(error)) return shape("RECORD_IDEMPOTENCY_KEY_REQUIRED", requestId);
  } catch {
    // A getter or a proxy threw, or the object only pretends to be a ServiceError and has no row in
    // the table: nothing is known about the failure.
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
