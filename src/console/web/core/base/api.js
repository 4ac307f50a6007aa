/** Requests to the API, and their errors. */

import { announce } from "./elements.js";
import { failureText } from "./language.js";

/** Codes by status, for bodies without one (specification, Errors, rule 5). @type {Texts} */
export const FALLBACK = {
  400: "PAYLOAD_INVALID",
  401: "AUTH_REQUIRED",
  403: "FORBIDDEN",
  404: "HTTP_404",
  409: "HTTP_409",
  413: "HTTP_413",
  429: "HTTP_429",
  503: "HTTP_503",
};

export class ApiError extends Error {
  /** @param {string} code `NETWORK_ERROR` without a response. @param {ErrorAbout} [about] */
  constructor(code, { status = 0, details = {}, retryAfter = null } = {}) {
    super(code);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.details = details;
    /** Seconds to wait. */
    this.retryAfter = retryAfter;
  }
}

/** Throws errors other than refusals of the API. @param {unknown} error */
export function announceFailure(error) {
  if (!(error instanceof ApiError)) throw error;
  void reasonText(error).then(announce);
  return error;
}

/** The sentences of the rules that a refusal names, or that of its code. @param {ApiError} error */
export async function reasonText({ code, details: { rules = [], limit } }) {
  if (rules.length === 0) return failureText(code);
  try {
    const { loadRules, ruleText } = await import("../../fields/refusals.js");
    await loadRules();
    return rules.map((/** @type {string} */ rule) => ruleText(rule, { limit })).join(" ");
  } catch {
    // The connection was lost.
    return failureText(code);
  }
}

/** @param {unknown} error @param {string} code */
export function hasCode(error, code) {
  return error instanceof ApiError && error.code === code;
}
