/** Who is signed in, in this tab and in the others. */

import { ApiError, send } from "./api.js";
import { setDraftOwner } from "./device.js";

/**
 * @typedef {object} Session
 * @property {{ accountId: string, email: string, displayName: string, role: string }} account
 * @property {readonly string[]} permissions
 * @property {boolean} secondFactor Whether the account asks for a code besides the password.
 */

const tabs = new BroadcastChannel("session");

/**
 * Asks who is signed in; null for no one.
 *
 * @returns {Promise<Session | null>}
 * @throws {ApiError} where the service could not say.
 */
export async function readSession() {
  try {
    return (await send("GET", "/api/v2/auth/session")).data;
  } catch (error) {
    if (error instanceof ApiError && error.code === "AUTH_REQUIRED") return null;
    throw error;
  }
}

/**
 * Signs in, by a cookie that no script can read.
 *
 * @param {string} email
 * @param {string} password
 * @param {string} code Of the second factor: an authenticator's, or a recovery code; empty for none.
 * @throws {ApiError} `SECOND_FACTOR_REQUIRED` where the account asks for one.
 */
export async function signIn(email, password, code) {
  const deviceName = navigator.userAgent.slice(0, 200);
  await send("POST", "/api/v2/auth/login", {
    body: { email, password, ...secondFactorOf(code), deviceName },
  });
  tabs.postMessage("in");
}

/**
 * The members of a request's body that carry a code: six digits are an authenticator's, which some show
 * with a space; all else is a recovery code. None for an empty text.
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

/**
 * Makes the first account and signs it in.
 *
 * @param {{ setupToken: string, email: string, password: string, displayName: string }} account
 */
export async function setUp(account) {
  await send("POST", "/api/v2/auth/setup", { body: account });
}

/** Settings of this device, which say nothing of a person. */
const SETTINGS = ["theme", "language", "keys"];

/**
 * Signs out here and in every other tab, and leaves nothing in the browser's storage but settings. What
 * the page itself still holds goes with it: load it anew.
 */
export async function signOut() {
  // The response has the browser clear its storage.
  const settings = SETTINGS.map((name) => ({ name, value: localStorage.getItem(name) }));
  try {
    await send("POST", "/api/v2/auth/logout");
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "AUTH_REQUIRED")) throw error;
  }
  localStorage.clear();
  emptyTab();
  for (const { name, value } of settings) {
    if (value !== null) localStorage.setItem(name, value);
  }
  tabs.postMessage("out");
}

/** Removes what this tab alone keeps; its forms keep nothing more. */
function emptyTab() {
  setDraftOwner("");
  sessionStorage.clear();
}

/**
 * Calls back when another tab has signed in or out, and when a page comes back out of the browser's
 * cache: what it shows may be of a session that has ended.
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
