import type { ErrorCode } from "./codes.ts";
import { ServiceError } from "./service_error.ts";

/** The codes of OAuth that the service sends, with the sentence of each. */
export const OAUTH_ERRORS = {
  invalid_request: "A part of the request is missing, wrong, or there twice",
  invalid_client: "This client is not known",
  invalid_grant: "The code or token is wrong, was used, or has ended",
  unsupported_grant_type: "This grant type is not supported",
  invalid_target: "The resource is not one of this service",
  invalid_client_metadata: "The description of the client cannot be read",
  invalid_redirect_uri: "No redirect URI belongs to a program that this service knows",
  temporarily_unavailable: "The service cannot answer now; try again later",
  server_error: "The service failed",
} as const;

export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

/** A refusal by a route of OAuth (RFC 6749 section 5.2). */
export class OAuthError extends ServiceError {
  readonly error: OAuthErrorCode;

  /** @param code The public code with the status; by default that of 400. */
  constructor(
    error: OAuthErrorCode,
    code: ErrorCode = "PAYLOAD_INVALID",
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(code, { headers });
    this.error = error;
  }
}
