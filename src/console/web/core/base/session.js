/** The session, in all tabs of the browser. */

import { hasCode } from "./api.js";
import { send } from "./sender.js";

export const tabs = new BroadcastChannel("session");

/** Null without a session. @returns {Promise<Session | null>} */
export async function readSession() {
  try {
    return (await send("GET", "/api/v2/auth/session")).data;
  } catch (error) {
    if (hasCode(error, "AUTH_REQUIRED")) return null;
    throw error;
  }
}

/**
 * @param {string} email
 * @param {string} password
 * @param {string} code From the authenticator, or a recovery code; empty for none.
 * @throws {ApiError} `SECOND_FACTOR_REQUIRED` if a code is missing.
 */
export async function signIn(email, password, code) {
  const body = { email, password, ...secondFactorOf(code), deviceName: deviceName() };
  await send("POST", "/api/v2/auth/login", { body });
  announceSignIn();
}

export function deviceName() {
  return navigator.userAgent.slice(0, 200);
}

export function announceSignIn() {
  sessionStorage.setItem("signedIn", "yes");
  tabs.postMessage("in");
}

/** Six digits, also with spaces, or else a recovery code. @param {string} text */
export function secondFactorOf(text) {
  const code = text.replaceAll(/\s/g, "");
  if (code === "") return {};
  return /^[0-9]{6}$/.test(code) ? { code } : { recoveryCode: code.slice(0, 100) };
}

/** True if only the code is missing. @param {unknown} error */
export function needsCode(error) {
  return hasCode(error, "SECOND_FACTOR_REQUIRED");
}

/** Clears the tab; its forms store nothing afterwards. */
export function emptyTab() {
  owner = "";
  sessionStorage.clear();
}

/**
 * When another tab signs in or out, or the page comes from the browser's cache: its session may
 * have ended.
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

/** @type {Session} Always of one account, as another one reloads the page. */
let signedIn;

export function session() {
  return signedIn;
}

/** @param {Session} shown */
export function setSession(shown) {
  signedIn = shown;
  owner = shown.account.accountId;
}

/** True if the service's settings turn assistants on. */
export function hasAssistants() {
  return document.documentElement.dataset.assistants !== undefined;
}

/** @param {string} permission */
export function may(permission) {
  return signedIn.permissions.includes(permission);
}

/** True if others use this computer: text is stored no longer than its tab. */
export function isShared() {
  return localStorage.getItem("shared") === "yes";
}

/** The storage for text of this device. */
export function storage() {
  return isShared() ? sessionStorage : localStorage;
}

/** @param {boolean} shared For all tabs, until a sign-out or the next change. */
export function setShared(shared) {
  if (shared) localStorage.setItem("shared", "yes");
  else localStorage.removeItem("shared");
}
