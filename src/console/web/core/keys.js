/** Keyboard shortcuts. All but the palette's are inactive while someone types. */

import { modulePath } from "../logic/addresses.js";
import { h } from "./dom.js";
import { loadArea, t } from "./text.js";
import { visit } from "./visit.js";

const SETTING = "keys";
/** How long `g` waits for its letter. */
const WAITING_MS = 2_000;

const PLACES =
  /** @type {Readonly<Record<string, readonly [path: string, name: () => string]>>} */ ({
    h: ["/", () => t("home")],
    s: ["/console/search", () => t("search")],
    d: ["/console/drafts", () => t("drafts")],
    a: ["/console/account", () => t("account")],
    m: [modulePath("memory"), () => t("memories")],
    p: [modulePath("relationship"), () => t("people")],
  });

/** Actions of the keys; they do nothing if the page has no such link. */
const ACTIONS = /** @type {Readonly<Record<string, () => unknown>>} */ ({
  "/": () => visit("/console/search"),
  n: () => follow('[aria-keyshortcuts="n"], a[href$="/new"]'),
  e: () => follow('a[href$="/edit"]'),
  h: () => follow('a[href$="/history"]'),
  j: () => moveAlong(1),
  k: () => moveAlong(-1),
  x: () => pressInLine("x"),
  g: () => awaitLetter(),
  "?": () => showHelp(),
});

/** When `g` was pressed, in milliseconds since page load. */
let goingSince = -Infinity;

function areKeysOn() {
  return localStorage.getItem(SETTING) !== "off";
}

/** @param {boolean} on */
function setKeys(on) {
  if (on) localStorage.removeItem(SETTING);
  else localStorage.setItem(SETTING, "off");
}

export function startKeys() {
  addEventListener("keydown", (event) => {
    if (areKeysOn() && isPaletteKey(event)) {
      event.preventDefault();
      return void import("./palette.js").then(({ openPalette }) => openPalette(), () => {});
    }
    if (!areKeysOn() || isTakenElsewhere(event)) return;
    const isGoing = event.timeStamp - goingSince < WAITING_MS;
    goingSince = -Infinity;
    const path = isGoing && PLACES[event.key]?.[0];
    const action = path ? () => visit(path) : ACTIONS[event.key];
    if (action === undefined) return;
    event.preventDefault();
    void action();
  });
}

/** The only key that works while someone types. @param {KeyboardEvent} event */
function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey, isComposing }) {
  return key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey && !isComposing &&
    document.querySelector("header nav") !== null;
}

/** @param {KeyboardEvent} event */
function isTakenElsewhere({ ctrlKey, metaKey, altKey, isComposing, defaultPrevented, target }) {
  const isWriting = target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable]") !== null;
  const isSignedOut = document.querySelector("header nav") === null;
  return ctrlKey || metaKey || altKey || isComposing || defaultPrevented || isWriting ||
    isSignedOut || document.querySelector("dialog[open]") !== null;
}

function awaitLetter() {
  goingSince = performance.now();
}

/** @param {string} selector */
function follow(selector) {
  const found = document.querySelector(`main :is(${selector})`);
  if (found instanceof HTMLAnchorElement) found.click();
  else if (found instanceof HTMLElement) found.focus();
}

/** @param {1 | -1} step Down or up the page's lists. */
function moveAlong(step) {
  const lines = [...document.querySelectorAll("main .lines :is(a:not(.offer), summary)")].filter((
    line,
  ) => line.checkVisibility());
  const at = lines.indexOf(document.activeElement ?? document.body);
  const next = lines[at === -1 && step === -1 ? lines.length - 1 : at + step];
  if (next instanceof HTMLElement) next.focus();
}

/** @param {string} key The selector of a button in the focused line. */
function pressInLine(key) {
  const line = document.activeElement?.closest("main .lines > li");
  const button = line?.querySelector(`button[aria-keyshortcuts="${key}"]`);
  if (button instanceof HTMLElement) button.click();
}

/** Reads the area `home`. */
export function keyList() {
  const rows = [
    ["/", t("search")],
    ["n", t("keyNew")],
    ["e", t("edit")],
    ["h", t("history")],
    ["j k", t("keyMove")],
    ["x", t("keyComplete")],
    ...Object.entries(PLACES).map(([letter, [, name]]) => [`g ${letter}`, name()]),
    ["Ctrl K", t("goTo")],
    ["Ctrl Enter", t("keep")],
    ["?", t("keysHelp")],
    ["Esc", t("keyClose")],
  ];
  return h(
    "dl",
    { class: "values" },
    rows.flatMap(([keys = "", text]) => [
      h("dt", {}, keys.split(" ").map((key) => [h("kbd", {}, key), " "]).flat()),
      h("dd", {}, text),
    ]),
  );
}

async function showHelp() {
  await loadArea("home");
  const enabled = h("input", { type: "checkbox", checked: true });
  enabled.addEventListener("change", () => setKeys(enabled.checked));
  const close = () => dialog.close();
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    {
      "aria-labelledby": "keys-title",
      onclose: () => dialog.remove(),
    },
    h("h2", { id: "keys-title" }, t("keysHelp")),
    keyList(),
    h("label", { class: "choice" }, enabled, t("keysOn")),
    h("p", { class: "hint" }, t("keysHint")),
    h("div", { class: "bar" }, h("button", { type: "button", onclick: close }, t("close"))),
  );
  document.body.append(dialog);
  dialog.showModal();
}
