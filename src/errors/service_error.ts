import { type DetailField, ERROR_CODES, type ErrorCode } from "./codes.ts";

/** Names, codes and revision numbers; never a stored or sent value. */
export type ErrorDetails = {
  readonly [Field in DetailField]?: string | number | readonly string[];
};

interface ServiceErrorOptions {
  readonly details?: ErrorDetails;
  /** Such as `Retry-After` or `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Never serialised; only its class and code are logged. */
  readonly cause?: unknown;
}

/** A failure of the public contract (specification, Errors). */
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

/** Returns the error that names the declared fields, and the stable rules that they violate. */
export function payloadInvalid(
  rules: readonly string[],
  fields: readonly string[] = [],
): ServiceError {
  return new ServiceError("PAYLOAD_INVALID", {
    details: fields.length > 0 ? { fields, rules } : { rules },
  });
}

/** The refusal of one item beyond a limit. */
export function tooMany(rule: string, limit: number): ServiceError {
  return new ServiceError("PAYLOAD_INVALID", { details: { rules: [rule], limit } });
}

/** The refusal of a credential whose account has moved; it has the new address. */
export function accountMoved(movedTo: string): ServiceError {
  return new ServiceError("ACCOUNT_MOVED", { details: { movedTo } });
}

export function tooManyRequests(secondsToWait: number): ServiceError {
  return new ServiceError("HTTP_429", { headers: { "Retry-After": String(secondsToWait) } });
}
