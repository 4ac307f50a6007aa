/** The command palette: every place, new records, and records by their words. */

import { latest } from "../acts/typing.js";
import { hasCode } from "../base/api.js";
import { h, showDialog } from "../base/elements.js";
import { loadArea, t } from "../base/language.js";
import { send } from "../base/sender.js";
import { wait } from "../base/timing.js";
import { visit } from "../base/visits.js";
import { KINDS, label, labelOfOne, linkedPages, modulePath, PLACES, recordPath } from "../names.js";
import { fits, optionList, plainWords } from "./options.js";

const SEARCH_DELAY_MS = 200;
const MAX_RECORDS = 8;
const MAX_QUERY = { words: 16, characters: 256 };

/** Works by the keyboard alone. */
export async function openPalette() {
  // Names of its pages; without a connection the other pages still work.
  if (!isDialogOpen()) await loadArea("account").catch(() => {});
  if (isDialogOpen()) return;
  const known = goals();
  const note = h("p.quiet", { role: "status", hidden: true });
  const about = { type: "text", autocomplete: "off", spellcheck: "false" };
  const input = h("input", { ...about, "aria-label": t("goTo"), placeholder: t("goToHint") });
  const options = optionList(input, t("goTo"), (/** @type {Goal} */ goal) => follow(goal), "");
  const states = { class: "palette", "aria-label": t("goTo"), onclose: () => find.cancel() };
  const dialog = showDialog(states, input, options.element, note);
  const say = (/** @type {string} */ text) => {
    note.textContent = text;
    note.hidden = text === "";
  };
  /** @type {(goals: readonly Goal[], at?: number) => void} */
  const show = (goals, at) => {
    options.show(goals, at);
    say(goals.length > 0 ? "" : t("nothingHere"));
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
    show(fittingGoals(known, input.value), 0);
    void find(input.value);
  };
  input.addEventListener("input", read);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing || (step === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (step === undefined) follow(options.active());
    else options.move(step);
  });
  read();
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

/**
 * Each word of the query begins a word of the goal; first those that begin like the query.
 * @param {readonly Goal[]} known
 * @param {string} query
 */
function fittingGoals(known, query) {
  const wanted = plainWords(query);
  const fitting = known.filter(({ text, words = "" }) => fits(`${text} ${words}`, query));
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
    const search = (/** @type {object} */ body) => send("POST", "/api/v2/search", { body, signal });
    const { data } = await search({ ...body, order: "BEST" }).catch((error) => {
      // The order is being prepared.
      if (hasCode(error, "HTTP_503")) return search(body);
      throw error;
    });
    return data.items.map((/** @type {SearchResult} */ { moduleCode, recordId, title }) => {
      const note = labelOfOne(moduleCode);
      return { path: recordPath(moduleCode, recordId), text: title || note, note };
    });
  } catch {
    return [];
  }
}

export function isDialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}
