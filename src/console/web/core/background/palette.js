/** The command palette: every place, new records, and records by their words. */

import { fill, h, showDialog } from "../base/elements.js";
import { loadArea, t } from "../base/language.js";
import { latest } from "../acts/typing.js";
import { send } from "../base/sender.js";
import { wait } from "../base/timing.js";
import { visit } from "../base/visits.js";
import { KINDS, label, labelOfOne, linkedPages, modulePath, PLACES, recordPath } from "../names.js";

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
  const note = h("p.quiet", { role: "status", hidden: true });
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
  const states = { class: "palette", "aria-label": t("goTo"), onclose: () => find.cancel() };
  const dialog = showDialog(states, input, list, note);
  /** @type {readonly Goal[]} */
  let shown = [];
  let chosen = 0;
  const say = (/** @type {string} */ text) => {
    fill(note, text);
    note.hidden = text === "";
  };
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
    say(goals.length > 0 ? "" : t("nothingHere"));
    input.setAttribute("aria-expanded", String(goals.length > 0));
    choose(Math.min(chosen, Math.max(0, goals.length - 1)));
  };
  const follow = (/** @type {Goal | undefined} */ goal) => {
    if (goal === undefined) return;
    dialog.close();
    void visit(goal.path);
  };
  const find = latest(
    findRecords,
    (found, query) => show([...fittingGoals(known, query), ...found]),
    (isWaiting) => say(isWaiting ? t("loading") : ""),
  );
  const read = () => {
    chosen = 0;
    show(fittingGoals(known, input.value));
    void find(input.value);
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
    ([place, path]) => ({
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
  const others = linkedPages().filter(({ path }) => !taken.has(path))
    .map(({ path, name }) => ({ path, text: t(name) }));
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

export function isDialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}
