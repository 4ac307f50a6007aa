/** The parts of every page, also before a sign-in. */

const STATUS_MS = 6_000;
let statusTimer = 0;

/**
 * Builds an element of a tag and classes: `h("p.quiet", { id }, "text")`. User text never becomes
 * HTML. A function among the attributes listens to the event named after `on`; true sets an empty
 * attribute; null, undefined and false omit it. A button submits only with the type "submit".
 * @type {BuildElement}
 */
export function h(selector, ...parts) {
  const [tag = "", ...classes] = selector.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  if (tag === "button") element.setAttribute("type", "button");
  const [first, ...others] = parts;
  const isChild = typeof first !== "object" || first === null || first instanceof Node ||
    Array.isArray(first);
  for (const [name, value] of Object.entries(isChild ? {} : first)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) {
      if (name === "href" && !isOwnAddress(String(value))) {
        throw new Error("A link leads elsewhere");
      }
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...nodes(/** @type {Children} */ (isChild ? parts : others)));
  return /** @type {any} */ (element);
}

/** @param {string} href @param {Child} text @param {"main" | "words"} [look] */
export function link(href, text, look) {
  return h("a", { href, class: look }, text);
}

/** @param {Element} element @param {...(Child | readonly Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/** It is removed when it closes. @type {(...parts: Parts) => HTMLDialogElement} */
export function showDialog(...parts) {
  const dialog = h("dialog", ...parts);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The shell has no ${id}`);
  return element;
}

/** Leaves out hidden children. @param {Children} children */
export function nodes(children) {
  return children.flat().filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => typeof child === "number" ? String(child) : child);
}

/** @param {string} address A path of this origin, or a file made by the page. */
function isOwnAddress(address) {
  // Browsers read "/\host" as "//host", and drop tabs and line ends.
  return /^\/(?![/\\])[^\t\n\r]*$/.test(address) || address.startsWith("#") ||
    address.startsWith("blob:");
}

/** Announces a text visibly and to screen readers. @param {string} text */
export function announce(text) {
  const status = byId("status");
  clearTimeout(statusTimer);
  status.textContent = text;
  statusTimer = setTimeout(() => status.textContent = "", STATUS_MS);
}

/** Codes by status, for bodies without one (specification, Errors, rule 5). @type {Texts} */
const FALLBACK = {
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
  announce(failureText(error.code));
  return error;
}

/** @param {unknown} error @param {string} code */
export function hasCode(error, code) {
  return error instanceof ApiError && error.code === code;
}

/**
 * Calls it once, unless that fails.
 * @template Result
 * @param {() => Promise<Result>} work
 */
export function once(work) {
  /** @type {Promise<Result> | undefined} */
  let done;
  return () =>
    done ??= work().catch((error) => {
      done = undefined;
      throw error;
    });
}

/** @param {number} ms */
export function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export function newKey() {
  // `randomUUID` is missing on plain HTTP from another machine.
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Repetitions of a write share its Idempotency-Key, so the service does it once. Answers have local
 * times. A write whose zone the service refuses is sent again with the offset alone.
 * @type {(fetch: (path: string, request: RequestInit) => Promise<Response>) => Send}
 */
export function createSender(fetch) {
  /** @type {Send} */
  const sendOnce = async (method, path, { body, key, proof, signal } = {}) => {
    /** @type {RequestInit} */
    const request = {
      method,
      signal: signal ?? null,
      credentials: "same-origin",
      redirect: "error",
      headers: {
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(key !== undefined && { "Idempotency-Key": key }),
        ...(proof !== undefined && { "Step-Up-Proof": proof }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
    const { response, answer } = await ask(() => fetch(path, request), signal);
    if (!response.ok) throw toError(response, answer);
    // A broken response does not show whether the write was done: repeat with the same key.
    if (answer?.data === undefined) throw toError(response, null);
    return { status: response.status, data: withLocalTimes(answer.data) };
  };
  /** @type {Send} */
  const send = (method, path, options = {}) =>
    sendOnce(method, path, options)
      .catch((error) => send(method, path, withOffsetsAlone(error, options)));
  return send;
}

/** Release 2.0.0 knows no zones, and answers with the last. */
const ZONE_RULES = ["field.time_zone", "field.time_offset", "field.datetime"];

/**
 * The request without the zones that the service refused.
 * @param {unknown} error Thrown again if something else was refused.
 * @param {SendOptions} sent
 */
function withOffsetsAlone(error, { body, key, ...options }) {
  if (!hasCode(error, "PAYLOAD_INVALID")) throw error;
  const { rules = [], fields = [] } = /** @type {ApiError} */ (error).details;
  if (!ZONE_RULES.some((rule) => rules.includes(rule))) throw error;
  const changed = JSON.stringify(
    body,
    (name, value) =>
      fields.includes(name) && typeof value === "string"
        ? value.replace(/([+-]\d\d:\d\d)\[[^\]]*\]$/, "$1")
        : value,
  );
  if (changed === JSON.stringify(body)) throw error;
  // Repetitions have the same new key, so that the write is done once.
  return { ...options, body: JSON.parse(changed), ...(key && { key: `${key}-offset` }) };
}

/**
 * Replaces the owner's times of an answer by their local times, so that they are shown, compared
 * and written back with their clocks.
 * @param {any} data
 */
function withLocalTimes(data) {
  const items = Array.isArray(data?.items) ? data.items : [];
  for (const object of [data, ...items].flatMap((one) => [one, one?.latestSnapshot])) {
    for (const [name, time] of Object.entries(object?.localTimes ?? {})) {
      const holder = [object.payload, object.fields, object].find((each) => each?.[name]);
      if (holder !== undefined) holder[name] = time;
    }
  }
  return data;
}

export const send = createSender((path, request) => fetch(path, request));

/** @param {() => Promise<Response>} fetch @param {AbortSignal | undefined} signal */
async function ask(fetch, signal) {
  /** @type {Response | undefined} */
  let response;
  try {
    response = await fetch();
    return { response, answer: JSON.parse(await response.text()) };
  } catch (error) {
    if (signal?.aborted && signal.reason?.name !== "TimeoutError") throw error;
    if (response === undefined) throw new ApiError("NETWORK_ERROR");
    // The response broke off or is not JSON.
    return { response, answer: null };
  }
}

/** @template [Result=Data] @param {string} path @returns {Promise<Result>} */
export async function get(path) {
  return (await send("GET", path)).data;
}

/** Null if it cannot be read now, or not by this account. @param {string} path */
export async function readOrNull(path) {
  try {
    return (await send("GET", path)).data;
  } catch (error) {
    if (error instanceof ApiError && error.code !== "AUTH_REQUIRED") return null;
    throw error;
  }
}

/** @param {string} path @param {number} [limit] */
export async function readAll(path, limit = Infinity) {
  const items = [];
  let cursor = "";
  do {
    const page = cursor === "" ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
    const data = await get(page);
    items.push(...data.items);
    cursor = data.nextCursor ?? "";
  } while (cursor !== "" && items.length < limit);
  return items.slice(0, limit);
}

/**
 * The code of the body, or else of the status.
 * @param {{ status: number, headers: Headers }} response
 * @param {any} answer
 */
export function toError({ status, headers }, answer) {
  const error = answer?.error;
  const isValid = /^[A-Z][A-Z0-9_]+$/.test(error?.code) &&
    typeof error.message === "string" && typeof error.requestId === "string";
  const seconds = Number(headers.get("Retry-After") ?? NaN);
  return new ApiError(isValid ? error.code : FALLBACK[status] ?? "INTERNAL_ERROR", {
    status,
    details: isValid ? error.details ?? {} : {},
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  });
}

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

/** @param {string} permission */
export function may(permission) {
  return signedIn.permissions.includes(permission);
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

export const LANGUAGES = { en: "English", de: "Deutsch" };

let language = "en";
/** @type {Record<string, string>} */
let sentences = {};
/** @type {Texts} */
let failures = {};
/** @type {Map<string, any>} */
const formats = new Map();

/** The device's setting; otherwise the first supported language of the browser. */
export async function loadLanguage() {
  const wanted = [localStorage.getItem("language") ?? "", ...navigator.languages];
  const codes = wanted.map((tag) => tag.split("-")[0] ?? "");
  language = codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? "en";
  document.documentElement.lang = language;
  const { default: shell } = await import(`../lang/${language}.js`);
  sentences = { ...shell.sentences };
  failures = shell.failures;
}

/** @param {keyof Areas} area */
export async function loadArea(area) {
  Object.assign(sentences, (await import(`../lang/${language}/${area}.js`)).default);
}

/** Texts of failures other than those of sign-in. */
export async function loadFailures() {
  const more = await import(`../lang/${language}/records.js`);
  failures = { ...failures, ...more.failures };
}

/** @param {Sentence} name @param {Readonly<Record<string, string | number>>} [values] */
export function t(name, values = {}) {
  return (sentences[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/** The text of a name that the service gives. @param {string} name @param {string} [other] */
export function textOf(name, other = name) {
  return sentences[name] ?? other;
}

/** @param {string} code */
export function failureText(code) {
  // Families share some: the text of MEMORY_STATE_CONFLICT is that of STATE_CONFLICT.
  const shared = code.replace(/^.*_(?=(STATE|DEDICATED|LEGACY)_)/, "");
  return failures[code] ?? failures[shared] ?? t("unexpected", { code });
}

/**
 * The address of a moved account is text, not a link: the reader decides whether to go there.
 * @param {ApiError} error
 */
export function refusalText({ code, details }) {
  return code === "ACCOUNT_MOVED" ? `${failureText(code)} ${details.movedTo}` : failureText(code);
}

/** The person's variant of the language, for dates and numbers. */
export function locale() {
  return navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
}

/** Cached: creating a formatter costs a hundred uses. @type {FormatOf} */
export function formatOf(Format, options) {
  const key = `${Format.name} ${locale()} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Format(locale(), options);
  formats.set(key, format);
  return format;
}

/**
 * Rounds to three decimals. Smaller values are powers of ten, because 0 would be wrong.
 * @param {number} value
 */
export function numberText(value) {
  const isTiny = value !== 0 && Math.abs(value) < 0.001;
  return formatNumber(
    value,
    isTiny ? { notation: "scientific", maximumFractionDigits: 2 } : { maximumFractionDigits: 3 },
  );
}

/** @param {number} value @param {Intl.NumberFormatOptions} options */
export function formatNumber(value, options) {
  return formatOf(Intl.NumberFormat, options).format(value);
}

/** @type {() => Promise<void>} */
let redraw = () => Promise.resolve();
let present = new AbortController();

/** @param {() => Promise<void>} draw */
export function onVisit(draw) {
  redraw = draw;
}

/** Aborts the visit before it. */
export function beginVisit() {
  present.abort();
  present = new AbortController();
  return present.signal;
}

export function thisVisit() {
  return present.signal;
}

/**
 * Visits a page; redraws it if it is the current one.
 * @param {string} path
 * @param {AbortSignal} [from] Does nothing if this visit has ended.
 */
export async function visit(path, from) {
  if (location.pathname === path) await redraw();
  else if (from?.aborted !== true) location.assign(path);
}

/** For a failed `import()`: the connection was lost. @returns {never} */
export function notLoaded() {
  throw new ApiError("NETWORK_ERROR");
}

/**
 * The Idempotency-Key: equal requests have equal keys.
 * @param {string} seed Unique to the form or button.
 * @param {{ method: string, path: string, body?: unknown }} request
 */
export function requestKey(seed, { method, path, body }) {
  return `${seed}-${digest(JSON.stringify([method, path, body]))}`;
}

/** FNV-1a, 64 bits. The browser's digests are missing on plain HTTP. @param {string} text */
function digest(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}

/** Paths of changes, so that a form shows another tab's before it is sent. */
const tabsOfChanges = new BroadcastChannel("changes");

/** @param {string} path */
export function announceChange(path) {
  tabsOfChanges.postMessage(path);
}

/**
 * When another tab has changed an object or something below its path.
 * @param {string} one @param {() => unknown} changed @param {AbortSignal} signal
 */
export function onChange(one, changed, signal) {
  tabsOfChanges.addEventListener("message", ({ data: path }) => {
    if (`${path}/`.startsWith(`${one}/`)) void changed();
  }, { signal });
}
