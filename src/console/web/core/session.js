/** The signed-in session, in this tab and in others. */

import { ApiError, send } from "./api.js";

/**
 * @typedef {object} Session
 * @property {{ accountId: string, email: string, displayName: string, role: string }} account
 * @property {readonly string[]} permissions
 * @property {boolean} secondFactor Whether the account asks for a code besides the password.
 */

/** Tells the other tabs that someone has signed in or out. */
export const tabs = new BroadcastChannel("session");
let email = "";

/**
 * Returns the current session, or null.
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

/** The email of the last session. */
export function lastEmail() {
  return email;
}

/**
 * Signs in, with a cookie that no script can read.
 *
 * @param {string} email
 * @param {string} password
 * @param {string} code A code of the authenticator, or a recovery code; empty for none.
 * @throws {ApiError} `SECOND_FACTOR_REQUIRED` if the account requires one.
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
 * The members of a request's body for a code: six digits are an authenticator's, which some show with a
 * space; anything else is a recovery code. Empty for an empty text.
 *
 * @param {string} text
 */
export function secondFactorOf(text) {
  const code = text.replaceAll(/\s/g, "");
  if (code === "") return {};
  return /^[0-9]{6}$/.test(code) ? { code } : { recoveryCode: code.slice(0, 100) };
}

/**
 * Whether a sign-in failed for want of a code alone.
 *
 * @param {unknown} error
 */
export function needsCode(error) {
  return error instanceof ApiError && error.code === "SECOND_FACTOR_REQUIRED";
}

/** Removes the data of this tab; its forms store nothing afterwards. */
export function emptyTab() {
  setDraftOwner("");
  sessionStorage.clear();
}

/**
 * Calls back when another tab has signed in or out, and when the browser shows a page from its cache:
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

/** The owner of drafts: one account never sees those of another in the same browser. */
let owner = "";

/** The account that is signed in; empty once it has signed out. */
export function draftOwner() {
  return owner;
}

/** @param {string} accountId */
export function setDraftOwner(accountId) {
  owner = accountId;
}

/** True if other people use this computer too: then text is stored no longer than its tab. */
export function isShared() {
  return localStorage.getItem("shared") === "yes";
}

/** @param {boolean} shared Applies to every tab, until someone signs out or changes it. */
export function setShared(shared) {
  if (shared) localStorage.setItem("shared", "yes");
  else localStorage.removeItem("shared");
}
