/** Requests to the API, and their errors. */

import { announce, h } from "./elements.js";
import { failureText, refusalText } from "./language.js";

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

/**
 * The sentence of a refusal. The new address of a moved account is a link in a new tab, and only
 * the person opens it.
 * @param {ApiError} error @returns {readonly Child[]}
 */
export function refusalWords({ code, details: { movedTo } }) {
  if (code !== "ACCOUNT_MOVED") return [failureText(code)];
  const about = { href: movedTo, target: "_blank", rel: "noopener noreferrer" };
  return [failureText(code), " ", h("a", about, movedTo)];
}

/** The sentences of the rules that a refusal names, or that of its code. @param {ApiError} error */
export async function reasonText(error) {
  const { rules = [], limit } = error.details;
  if (rules.length === 0) return refusalText(error);
  try {
    const { loadRules, ruleText } = await import("../../fields/refusals.js");
    await loadRules();
    return rules.map((/** @type {string} */ rule) => ruleText(rule, { limit })).join(" ");
  } catch {
    // The connection was lost.
    return failureText(error.code);
  }
}

/** @param {unknown} error @param {string} code */
export function hasCode(error, code) {
  return error instanceof ApiError && error.code === code;
}
