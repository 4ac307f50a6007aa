/** Failures of routes of OAuth, which have a form of their own. */

import { OAUTH_ERRORS, type OAuthErrorCode } from "../errors/oauth_error.ts";
import { oauthErrorOf } from "../http/oauth_failure.ts";
import type { Route } from "../http/route.ts";
import { enumOf, type JsonSchema, objectOf } from "../validate/json_schema.ts";
import { MOVED_TO } from "./errors.ts";

/** A request under another host name is refused before its route is looked up. */
const OTHER_HOST = 421;

/** Returns null if failures with this status have the common form. */
export function oauthErrorsOf(route: Route, status: number): readonly OAuthErrorCode[] | null {
  if (route.access !== "public" || route.kind !== "oauth" || status === OTHER_HOST) return null;
  if (status === 400) return route.endpoint.contract.oauthErrors ?? [];
  return [status === 401 ? "invalid_client" : oauthErrorOf(status)];
}

export function describeOAuthErrors(errors: readonly OAuthErrorCode[]): string {
  return errors.map((error) => `\`${error}\`: ${OAUTH_ERRORS[error]}.`).join(" ");
}

export function oauthErrorSchema(errors: readonly OAuthErrorCode[], status: number): JsonSchema {
  return objectOf({
    error: enumOf(errors),
    error_description: enumOf(errors.map((error) => OAUTH_ERRORS[error])),
    ...(status === 410 && { movedTo: MOVED_TO }),
  });
}
