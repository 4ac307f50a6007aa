/** The request of a program at the authorization endpoint, and the answer to it. No SQL. */

import { payloadInvalid, type ServiceError } from "../../errors/service_error.ts";
import { OFFLINE_SCOPE } from "./documents.ts";
import { parseForm, repeatsAny } from "./form.ts";
import { MAX_CALLBACK_LENGTH } from "./programs.ts";
import { isOurResource } from "./resource.ts";

/** Mistakes that are reported to the program (OAuth 2.1 section 4.1.2.1, RFC 8707). */
export const REFUSALS = ["invalid_request", "unsupported_response_type", "invalid_target"] as const;

export type Refusal = (typeof REFUSALS)[number];

/** All parameters except the two that decide where the answer goes. */
const PARAMETERS = [
  "response_type",
  "response_mode",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "state",
  "scope",
];

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** The failure of a request that cannot be answered by a redirect. */
export function authorizationInvalid(rule: `authorization.${string}`): ServiceError {
  return payloadInvalid([rule], ["request"]);
}

/** @throws ServiceError `PAYLOAD_INVALID`, rule `authorization.request`. */
export function readRequest(text: string): URLSearchParams {
  const form = parseForm(text);
  if (form === null) throw authorizationInvalid("authorization.request");
  return form;
}

/** Returns null unless the parameter occurs exactly once. */
export function onlyValue(form: URLSearchParams, name: string): string | null {
  const [value, ...more] = form.getAll(name);
  return value === undefined || more.length > 0 ? null : value;
}

/** @throws ServiceError `PAYLOAD_INVALID`, rule `authorization.callback`. */
export function readCallback(form: URLSearchParams): string {
  const callback = onlyValue(form, "redirect_uri");
  if (callback === null || callback.length > MAX_CALLBACK_LENGTH) {
    throw authorizationInvalid("authorization.callback");
  }
  return callback;
}

/** Returns the first mistake, or null. */
export function refusalOf(form: URLSearchParams, origin: string): Refusal | null {
  if (repeatsAny(form, PARAMETERS)) return "invalid_request";
  const type = form.get("response_type");
  if (type === null) return "invalid_request";
  if (type !== "code") return "unsupported_response_type";
  if ((form.get("response_mode") ?? "query") !== "query") return "invalid_request";
  const isHashed = form.get("code_challenge_method") === "S256";
  if (!isHashed || !CHALLENGE.test(form.get("code_challenge") ?? "")) return "invalid_request";
  const resource = form.get("resource");
  return resource === null || isOurResource(origin, resource) ? null : "invalid_target";
}

export function asksForOffline(form: URLSearchParams): boolean {
  return (form.get("scope") ?? "").split(" ").includes(OFFLINE_SCOPE);
}

/** Returns the callback with an answer for its program. */
export function redirectTo(
  callback: string,
  form: URLSearchParams,
  origin: string,
  answer: { readonly code: string } | { readonly error: Refusal | "access_denied" },
): string {
  const state = onlyValue(form, "state");
  const parameters = { ...answer, ...(state !== null && { state }), iss: origin };
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return `${callback}${callback.includes("?") ? "&" : "?"}${query}`;
}
