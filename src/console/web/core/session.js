import { ApiError, send } from "./api.js";

/**
 * @typedef {object} Session
 * @property {{ accountId: string, email: string, displayName: string, role: string }} account
 * @property {readonly string[]} permissions
 * @property {boolean} secondFactor True if the account requires a code.
 */

export const tabs = new BroadcastChannel("session");
let email = "";

/**
 * Null without a session.
 *
 * @returns {Promise<Session | null>}
 * @throws {ApiError} if the service could not be reached.
 */
export async function readSession() {
  try {
    const { data } = await send("GET", "/api/v2/auth/session");
    email = data.account.email;
    return data;
  } catch (error) {
    if (error instanceof ApiError && error.code === "AUTH_REQUIRED") return null;
    throw error;
  }
}

export function lastEmail() {
  return email;
}

/**
 * The cookie cannot be read by scripts.
 *
 * @param {string} email
 * @param {string} password
 * @param {string} code From the authenticator, or a recovery code; empty for none.
 * @throws {ApiError} `SECOND_FACTOR_REQUIRED` if a code is missing.
 */
export async function signIn(email, password, code) {
  const deviceName = navigator.userAgent.slice(0, 200);
  await send("POST", "/api/v2/auth/login", {
    body: { email, password, ...secondFactorOf(code), deviceName },
  });
  sessionStorage.setItem("signedIn", "yes");
  tabs.postMessage("in");
}

/**
 * Six digits, with or without spaces, are an authenticator's code; other text is a recovery code.
 *
 * @param {string} text
 */
export function secondFactorOf(text) {
  const code = text.replaceAll(/\s/g, "");
  if (code === "") return {};
  return /^[0-9]{6}$/.test(code) ? { code } : { recoveryCode: code.slice(0, 100) };
}

/**
 * True if only the code is missing.
 *
 * @param {unknown} error
 */
export function needsCode(error) {
  return error instanceof ApiError && error.code === "SECOND_FACTOR_REQUIRED";
}

/** Clears the tab; its forms store nothing afterwards. */
export function emptyTab() {
  setDraftOwner("");
  sessionStorage.clear();
}

/**
 * Calls back when another tab signs in or out, and when the page comes from the browser's cache:
 * its session may have ended.
 *
 * @param {(what: "in" | "out" | "back") => void} changed
 */
export function onSessionChange(changed) {
  tabs.addEventListener("message", ({ data }) => {
    if (data === "out") emptyTab();
    changed(data);
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) changed("back");
  });
}

/** One account never sees another's drafts in the same browser. */
let owner = "";

/** Empty after a sign-out. */
export function draftOwner() {
  return owner;
}

/** @param {string} accountId */
export function setDraftOwner(accountId) {
  owner = accountId;
}

/** True if others use this computer: text is stored no longer than its tab. */
export function isShared() {
  return localStorage.getItem("shared") === "yes";
}

/** @param {boolean} shared For all tabs, until a sign-out or the next change. */
export function setShared(shared) {
  if (shared) localStorage.setItem("shared", "yes");
  else localStorage.removeItem("shared");
}
