import { type DetailField, ERROR_CODES, type ErrorCode } from "./codes.ts";

/** Details of an error: names, codes, revision numbers. Never a stored or sent value. */
export type ErrorDetails = {
  readonly [Field in DetailField]?: string | number | readonly string[];
};

/** How an error is raised beyond its code. */
export interface ServiceErrorOptions {
  readonly details?: ErrorDetails;
  /** Response headers that belong to the failure, such as `Retry-After` or `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The reason. It is never serialised, and of it only class and code are logged. */
  readonly cause?: unknown;
}

/**
 * A failure of the public contract (specification, Errors). All other errors reach the client as
 * `INTERNAL_ERROR`.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(ERROR_CODES[code].message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

/** A `PAYLOAD_INVALID` that names the declared fields and the stable rules that refused. */
export function payloadInvalid(
  rules: readonly string[],
  fields: readonly string[] = [],
): ServiceError {
  return new ServiceError("PAYLOAD_INVALID", {
    details: fields.length > 0 ? { fields, rules } : { rules },
  });
}
