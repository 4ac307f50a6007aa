/** Keyboard shortcuts. All but the palette's are inactive while someone types. */

import { h, showDialog } from "../base/elements.js";
import { t } from "../base/language.js";
import { visit } from "../base/visits.js";
import { modulePath } from "../names.js";
import { isDialogOpen, openPalette } from "./palette.js";

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

/** @param {string} selector */
export function follow(selector) {
  const found = document.querySelector(`main :is(${selector})`);
  if (found instanceof HTMLAnchorElement) found.click();
  else if (found instanceof HTMLElement) found.focus();
}

/** @param {1 | -1} step */
function moveAlong(step) {
  const lines = [...document.querySelectorAll("main .lines :is(a, summary)")]
    .filter((line) => line.checkVisibility({ visibilityProperty: true }));
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
    { keys: ["/"], text: t("search") },
    { keys: ["n"], text: t("keyNew") },
    { keys: ["e"], text: t("edit") },
    { keys: ["h"], text: t("history") },
    { keys: ["j", "k"], text: t("keyMove") },
    { keys: ["x"], text: t("keyComplete") },
    ...Object.entries(KEYS_PLACES).map(([letter, [, name]]) => ({
      keys: ["g", letter],
      text: t(name),
    })),
    { keys: ["Ctrl", "K"], text: t("goTo") },
    { keys: ["Ctrl", "Enter"], text: t("keep") },
    { keys: ["?"], text: t("keysHelp") },
    { keys: ["Esc"], text: t("close") },
  ];
  return h(
    "dl.values.keys",
    rows.flatMap(({ keys, text }) => [
      h("dt", keys.flatMap((key) => [h("kbd", key), " "])),
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
