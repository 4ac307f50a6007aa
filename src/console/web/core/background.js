/** Loaded after a page is drawn: shortcuts, the palette, leaving, and news of the account. */

import { discardForms, saveForms } from "./acts.js";
import {
  byId,
  emptyTab,
  fill,
  get,
  h,
  hasCode,
  isShared,
  link,
  loadArea,
  may,
  numberText,
  send,
  showDialog,
  t,
  tabs,
  visit,
  wait,
} from "./base.js";
import { listUnsynced } from "./browser_outbox.js";
import {
  ACCOUNT_PAGES,
  KINDS,
  label,
  labelOfOne,
  modulePath,
  PLACES,
  recordPath,
} from "./names.js";
import { ask } from "../fields/controls.js";
import { counted, timeText } from "../fields/shown.js";

/** Keyboard shortcuts. All but the palette's are inactive while someone types. */

const SETTING = "keys";
const WAITING_MS = 2_000;

/** By the letter after `g`. @type {Record<string, readonly [path: string, name: Sentence]>} */
const KEYS_PLACES = {
  h: ["/", "home"],
  s: ["/console/search", "search"],
  d: ["/console/drafts", "drafts"],
  a: ["/console/account", "account"],
  m: [modulePath("memory"), "memories"],
  p: [modulePath("relationship"), "people"],
};

/** They do nothing if their link is not on the page. @type {Record<string, () => unknown>} */
const ACTIONS = {
  "/": () => visit("/console/search"),
  n: () => follow('[aria-keyshortcuts="n"], a[href$="/new"]'),
  e: () => follow('a[href$="/edit"]'),
  h: () => follow('a[href$="/history"]'),
  j: () => moveAlong(1),
  k: () => moveAlong(-1),
  x: pressInLine,
  g: () => goingSince = performance.now(),
  "?": showHelp,
};

/** When `g` was pressed, in milliseconds since page load. */
let goingSince = -Infinity;

export function startKeys() {
  addEventListener("keydown", (event) => {
    const isOff = localStorage.getItem(SETTING) === "off";
    if (isOff || document.querySelector("header nav") === null) return;
    if (isPaletteKey(event)) {
      event.preventDefault();
      return void openPalette();
    }
    if (isTakenElsewhere(event)) return;
    const isGoing = event.timeStamp - goingSince < WAITING_MS;
    goingSince = -Infinity;
    const path = isGoing && KEYS_PLACES[event.key]?.[0];
    const action = path ? () => visit(path) : ACTIONS[event.key];
    if (action === undefined) return;
    event.preventDefault();
    void action();
  });
}

/** Also while someone types. @param {KeyboardEvent} event */
function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey, isComposing }) {
  return key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey && !isComposing;
}

/** @param {KeyboardEvent} event */
function isTakenElsewhere({ ctrlKey, metaKey, altKey, isComposing, defaultPrevented, target }) {
  const isWriting = target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable]") !== null;
  return ctrlKey || metaKey || altKey || isComposing || defaultPrevented || isWriting ||
    isDialogOpen();
}

function isDialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}

/** @param {string} selector */
function follow(selector) {
  const found = document.querySelector(`main :is(${selector})`);
  if (found instanceof HTMLAnchorElement) found.click();
  else if (found instanceof HTMLElement) found.focus();
}

/** @param {1 | -1} step */
function moveAlong(step) {
  const lines = [...document.querySelectorAll("main .lines :is(a:not(.offer), summary)")]
    .filter((line) => line.checkVisibility());
  const at = lines.indexOf(document.activeElement ?? document.body);
  const next = lines[at === -1 && step === -1 ? lines.length - 1 : at + step];
  if (next instanceof HTMLElement) next.focus();
}

function pressInLine() {
  const line = document.activeElement?.closest("main .lines > li");
  const button = line?.querySelector('button[aria-keyshortcuts="x"]');
  if (button instanceof HTMLElement) button.click();
}

export function keyList() {
  const rows = [
    ["/", t("search")],
    ["n", t("keyNew")],
    ["e", t("edit")],
    ["h", t("history")],
    ["j k", t("keyMove")],
    ["x", t("keyComplete")],
    ...Object.entries(KEYS_PLACES).map(([letter, [, name]]) => [`g ${letter}`, t(name)]),
    ["Ctrl K", t("goTo")],
    ["Ctrl Enter", t("keep")],
    ["?", t("keysHelp")],
    ["Esc", t("close")],
  ];
  return h(
    "dl.values.keys",
    rows.flatMap(([keys = "", text]) => [
      h("dt", keys.split(" ").flatMap((key) => [h("kbd", key), " "])),
      h("dd", text),
    ]),
  );
}

function showHelp() {
  const enabled = h("input", { type: "checkbox", checked: true });
  enabled.addEventListener("change", () => {
    if (enabled.checked) localStorage.removeItem(SETTING);
    else localStorage.setItem(SETTING, "off");
  });
  const dialog = showDialog(
    { "aria-labelledby": "keys-title" },
    h("h2", { id: "keys-title" }, t("keysHelp")),
    keyList(),
    h("label.choice", enabled, t("keysOn")),
    h("p.hint", t("keysHint")),
    h("div.bar", h("button", { onclick: () => dialog.close() }, t("close"))),
  );
}

const SEARCH_DELAY_MS = 200;
const MAX_RECORDS = 8;
const MAX_QUERY = { words: 16, characters: 256 };

/** The command palette: every page, every new record, and a search, by the keyboard alone. */
export async function openPalette() {
  // Names of its pages; without a connection the other pages still work.
  if (!isDialogOpen()) await loadArea("account").catch(() => {});
  if (isDialogOpen()) return;
  const known = goals();
  const list = h("ul", { id: "goals", role: "listbox", "aria-label": t("goTo") });
  const nothing = h("p.quiet", { hidden: true }, t("nothingHere"));
  const input = h("input", {
    type: "text",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": t("goTo"),
    "aria-autocomplete": "list",
    "aria-controls": "goals",
    placeholder: t("goToHint"),
  });
  const states = { class: "palette", "aria-label": t("goTo"), onclose: () => search.abort() };
  const dialog = showDialog(states, input, list, nothing);
  /** @type {readonly Goal[]} */
  let shown = [];
  let chosen = 0;
  let search = new AbortController();
  const choose = (/** @type {number} */ index) => {
    chosen = index;
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(at === chosen));
    }
    const option = list.children[chosen];
    if (option === undefined) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", option.id);
    option?.scrollIntoView({ block: "nearest" });
  };
  const show = (/** @type {readonly Goal[]} */ goals) => {
    shown = goals;
    fill(list, goals.map((goal, at) => option(goal, at, () => follow(goal))));
    list.hidden = goals.length === 0;
    nothing.hidden = goals.length > 0;
    input.setAttribute("aria-expanded", String(goals.length > 0));
    choose(Math.min(chosen, Math.max(0, goals.length - 1)));
  };
  const follow = (/** @type {Goal | undefined} */ goal) => {
    if (goal === undefined) return;
    dialog.close();
    void visit(goal.path);
  };
  const read = () => {
    search.abort();
    search = new AbortController();
    chosen = 0;
    const fitting = fittingGoals(known, input.value);
    show(fitting);
    void findRecords(input.value, search.signal).then((found) => {
      if (found.length > 0) show([...fitting, ...found]);
    });
  };
  input.addEventListener("input", read);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing || (step === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (step === undefined) follow(shown[chosen]);
    else if (shown.length > 0) choose((chosen + step + shown.length) % shown.length);
  });
  read();
}

/** @param {Goal} goal @param {number} at @param {() => void} onclick */
function option({ text, kind }, at, onclick) {
  const note = kind !== undefined && h("span.quiet.small", kind);
  return h("li", { id: `goal-${at}`, role: "option", onclick }, h("span", text), note);
}

/** @returns {readonly Goal[]} */
function goals() {
  const codes = Object.values(KINDS).flat();
  const places = Object.entries(PLACES).filter(([place]) => place !== "records").map(
    ([place, [path = ""]]) => ({
      path,
      text: t(/** @type {Place} */ (place)),
      words: codes.filter((code) => modulePath(code) === path).map(label).join(" "),
    }),
  );
  const taken = new Set(places.map(({ path }) => path));
  const kinds = codes.map((code) => ({ path: modulePath(code), text: label(code) }));
  // There is one profile, and one form for it.
  const forms = codes.filter((code) => code !== "identity").map((code) => ({
    path: `${modulePath(code)}/new`,
    text: t("newOf", { name: labelOfOne(code) }),
  }));
  const others = Object.entries(ACCOUNT_PAGES).map(([name, path]) => ({
    path,
    text: t(/** @type {keyof typeof ACCOUNT_PAGES} */ (name)),
  }));
  return [
    ...places,
    ...kinds.filter(({ path }) => !taken.has(path)),
    { path: "/console/drafts", text: t("drafts") },
    ...others,
    ...forms,
  ];
}

/** @param {string} text */
function plainWords(text) {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Each word of the query begins a word of the goal; first those that begin like the query.
 * @param {readonly Goal[]} known
 * @param {string} query
 */
function fittingGoals(known, query) {
  const wanted = plainWords(query);
  const fitting = known.filter(({ text, words = "" }) => {
    const all = plainWords(`${text} ${words}`);
    return wanted.every((start) => all.some((word) => word.startsWith(start)));
  });
  const isFirst = (/** @type {Goal} */ { text }) =>
    plainWords(text).join(" ").startsWith(wanted.join(" "));
  return [...fitting.filter(isFirst), ...fitting.filter((goal) => !isFirst(goal))];
}

/**
 * Empty if the search fails: the pages can still be chosen.
 * @param {string} query
 * @param {AbortSignal} signal
 * @returns {Promise<readonly Goal[]>}
 */
async function findRecords(query, signal) {
  const words = plainWords(query);
  const isLong = words.length > MAX_QUERY.words || query.length > MAX_QUERY.characters;
  if (words.join("").length < 2 || isLong) return [];
  await wait(SEARCH_DELAY_MS);
  if (signal.aborted) return [];
  const body = { q: query.trim(), limit: MAX_RECORDS };
  try {
    const { data } = await send("POST", "/api/v2/search", { body, signal });
    return data.items.map((/** @type {SearchResult} */ { moduleCode, recordId, title }) => {
      const kind = labelOfOne(moduleCode);
      return { path: recordPath(moduleCode, recordId), text: title || kind, kind };
    });
  } catch {
    return [];
  }
}

/**
 * The newest checked seals, by account. They contain no user text, so they survive a sign-out; on a
 * shared computer they end with the tab.
 */

const PREFIX = "seals ";

const place = () => isShared() ? sessionStorage : localStorage;

/** @param {string} accountId @returns {TrailLook} */
export function keptSeals(accountId) {
  try {
    const { audit, access } = JSON.parse(place().getItem(PREFIX + accountId) ?? "{}");
    return { audit: toHead(audit), access: toHead(access) };
  } catch {
    return { audit: null, access: null };
  }
}

/** @param {string} accountId @param {TrailKind} kind @param {TrailHead} head */
export function keepSeal(accountId, kind, head) {
  const kept = { ...keptSeals(accountId), [kind]: head };
  place().setItem(PREFIX + accountId, JSON.stringify(kept));
}

/**
 * For a trail that fits the seal that was seen.
 * @param {TrailHead | null} seen
 * @param {number} unchecked
 */
export function checkedText(seen, unchecked) {
  if (seen === null) return t("firstCheck");
  const time = timeText(seen.at);
  return unchecked === 0
    ? t("nothingRewritten", { time })
    : t("partlyChecked", { time, count: numberText(unchecked) });
}

/** @type {(kept: any) => TrailHead | null} */
function toHead(kept) {
  const isHead = Number.isInteger(kept?.number) && Number.isInteger(kept.entries) &&
    typeof kept.digest === "string" && !Number.isNaN(Date.parse(kept.at));
  return isHead ? kept : null;
}

/** @returns {Promise<boolean>} */
export async function askSignOut() {
  const work = async () => {
    await signOut();
    discardForms();
    return true;
  };
  const inPage = await saveForms();
  const { queued, drafts } = await listUnsynced();
  const count = inPage + queued.length + drafts.length;
  if (count === 0) return await work();
  const text = counted(count, "unsyncedLost");
  return await ask({ title: t("signOutQuestion"), text, action: t("signOutNow") }, work);
}

/** Settings of the device, without personal data. */
const SETTINGS = ["theme", "language", "keys", "veil"];

/**
 * Signs out in every tab, and clears the browser's storage except for settings and checked seals.
 * Reload afterwards to clear memory.
 */
async function signOut() {
  // The response clears the browser's storage.
  const kept = Object.entries(localStorage).filter(([name]) =>
    SETTINGS.includes(name) || name.startsWith(PREFIX)
  );
  try {
    await send("POST", "/api/v2/auth/logout");
  } catch (error) {
    if (!hasCode(error, "AUTH_REQUIRED")) throw error;
  }
  localStorage.clear();
  emptyTab();
  for (const [name, value] of kept) localStorage.setItem(name, value);
  tabs.postMessage("out");
}

const WRONG = ["LOGIN_FAILED", "STEP_UP_FAILED", "SECOND_FACTOR_FAILED"];
const FACTOR = [
  "SECOND_FACTOR_ENABLED",
  "SECOND_FACTOR_DISABLED",
  "SECOND_FACTOR_RESET",
  "RECOVERY_CODES_REPLACED",
  "RECOVERY_CODE_USED",
];
const PASSKEYS = ["PASSKEY_ADDED", "PASSKEY_REMOVED", "PASSKEY_COUNTER"];
const PASSWORD = ["PASSWORD_CHANGED", "PASSWORD_RESET"];
const OPERATOR = [
  "ROLE_GRANTED",
  "ROLE_REVOKED",
  "PERMISSION_GRANTED",
  "PERMISSION_REVOKED",
  "ACCOUNT_DISABLED",
  "ACCOUNT_ENABLED",
  "ACCOUNT_FROZEN",
  "ACCOUNT_UNFROZEN",
  "ACCOUNT_EXPORTED",
  "ACCOUNT_IMPORTED",
  "ACCOUNT_RETIRED",
];

/** Lists the events, most serious first, without zero counts. @param {TrailSummary} summary */
export function happenings({ events, newSources, exports }) {
  const count = (/** @type {readonly string[]} */ names, kind = "") =>
    events.filter(({ event, credentialKind }) =>
      names.includes(event) && (kind === "" || kind === credentialKind)
    ).reduce((sum, event) => sum + event.count, 0);
  // With a second factor each sign-in asks for its code first.
  const withoutCode = Math.max(0, count(["SECOND_FACTOR_REQUIRED"]) - count(["LOGIN"]));
  const byTokens = count(["SECRET_READ"], "TOKEN");
  /** @type {readonly (readonly [Sentence, number, boolean?])[]} */
  const all = [
    ["newSources", newSources],
    ["wrongTries", count(WRONG)],
    ["withoutCode", withoutCode],
    ["passwordChanges", count(PASSWORD)],
    ["factorChanges", count(FACTOR)],
    ["passkeyChanges", count(PASSKEYS)],
    ["operatorActs", count(OPERATOR)],
    ["newTokens", count(["TOKEN_CREATED"])],
    ["newAssistants", count(["ASSISTANT_CREATED"])],
    ["exports", exports],
    ["tokenSecrets", byTokens],
    ["assistantReadings", count(["ASSISTANT_READ", "ASSISTANT_PROPOSED"]), false],
    ["secretReads", count(["SECRET_READ"]) - byTokens, false],
  ];
  return all.map(([name, count, isNotable = true]) => ({ name, count, isNotable }))
    .filter(({ count }) => count > 0);
}

/** @param {TrailSummary} summary */
export async function happenedList(summary) {
  await loadArea("account");
  const lines = happenings(summary).map(({ count, name }) => h("li", counted(count, name)));
  return lines.length === 0 ? h("p", t("nothingHappened")) : h("ul", lines);
}

/** After a sign-in in this tab. */
export async function showNotice() {
  sessionStorage.removeItem("signedIn");
  if (!may("audit.read")) return;
  /** @type {any} */
  const summary = await get("/api/v2/audit/summary");
  const happened = happenings(summary);
  if (summary.since === null || !happened.some(({ isNotable }) => isNotable)) return;
  const list = await happenedList(summary);
  const id = "since-sign-in";
  const notice = h(
    "section.note",
    { "aria-labelledby": id },
    h("h2", { id }, t("sinceSignIn", { time: timeText(summary.since) })),
    list,
    h("p", link("/console/witness", t("seeWhatHappened"))),
  );
  byId("main").querySelector("h1")?.after(notice);
}
