/** The search page, whose query never appears in an address. */

import { withSession } from "../core/acts/password.js";
import { ApiError, hasCode } from "../core/base/api.js";
import { fill, h } from "../core/base/elements.js";
import { failureText, t } from "../core/base/language.js";
import { delayed, latest } from "../core/acts/typing.js";
import { send } from "../core/base/sender.js";
import { session } from "../core/base/session.js";
import { thisVisit } from "../core/base/visits.js";
import { form, row } from "../fields/controls/forms.js";
import { lineField } from "../fields/controls/lines.js";
import { disc, kindSymbol } from "../fields/shown/anchors.js";
import { counted } from "../fields/shown/figures.js";
import { dayText, formatTime, timeOfUlid } from "../fields/shown/times.js";
import { generalPath, label, labelOfOne, readCatalog, recordPath } from "../core/names.js";
import { DAY_MS, instantOf } from "../logic/local_time.js";
import { countedWords, formsOf, isClose, UNSPACED, WORDS, wordsOf } from "../logic/word_forms.js";
import { emptyPlace } from "./parts/empty.js";
import { chosenOrder, keepOrder, orderChoice } from "./parts/order.js";
import { creation, filterOf, kinds } from "./search_parts.js";

/**
 * The text in parts, of searched words and others.
 * @param {string} text @param {string} query
 * @param {string} [match] The class of a best-first result.
 */
export function markedParts(text, query, match) {
  const all = wordsOf(query.normalize("NFKC"));
  // Only the whole title has to have the small words.
  const isWhole = match === undefined || match === "EXACT" || match === "START";
  // Marks alone fold to nothing.
  const words = (isWhole ? all : countedWords(all)).map(formsOf).filter(([word]) => word !== "");
  const parts = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(WORDS)) {
    for (const { at, length } of placesIn(run, words, match === "CLOSE")) {
      if (index + at < end) continue;
      parts.push({ text: text.slice(end, index + at), isMarked: false });
      end = index + at + length;
      parts.push({ text: text.slice(index + at, end), isMarked: true });
    }
  }
  parts.push({ text: text.slice(end), isMarked: false });
  return parts.filter((part) => part.text !== "");
}

/** @param {string} run @param {readonly (readonly string[])[]} words @param {boolean} mayBeClose */
function placesIn(run, words, mayBeClose) {
  const forms = formsOf(run);
  const [folded = ""] = forms;
  const isFound = words.some((asked) => matches(asked, forms)) ||
    (mayBeClose && words.some(([word = ""]) => isClose(word, forms)));
  const whole = [{ at: 0, length: run.length }];
  if (!UNSPACED.test(run)) return isFound ? whole : [];
  const found = words.flatMap(([word = ""]) => folded.includes(word) ? [word] : []);
  // Positions are unknown if folding changes the length.
  if (folded.length !== run.length) return found.length > 0 ? whole : [];
  return found.flatMap((word) => occurrences(folded, word)).sort((one, other) => one.at - other.at);
}

/**
 * A form of one word begins a form of the other; a letter alone is a whole word.
 * @param {readonly string[]} asked @param {readonly string[]} forms
 */
function matches(asked, forms) {
  const isLetter = [...asked[0] ?? ""].length === 1;
  return asked.some((form) =>
    isLetter ? forms.includes(form) : forms.some((word) => word.startsWith(form))
  );
}

/** @param {string} text @param {string} word */
function occurrences(text, word) {
  const found = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    found.push({ at, length: word.length });
  }
  return found;
}

const PAGE = "/console/search";
const DELAY_MS = 200;
const BEST = "BEST";
const PEOPLE = "relationship";

/** @type {SearchState | null} Restored on return, from memory only. */
let last = null;

/** @type {Page} */
export async function searchPage() {
  const { accountId } = session().account;
  if (last?.accountId !== accountId) last = null;
  const here = thisVisit();
  const modules = await readCatalog();
  const initial = last?.query.q ?? "";
  const row = { name: "q", label: t("searchWords"), required: true, words: true, initial };
  const words = lineField(row);
  const filter = filterOf(modules, last?.query ?? {});
  const status = h("p.quiet.small", { role: "status" });
  const before = emptyPlace("lens", t("searchBegin"));
  const results = h("section", { "aria-label": t("found") });
  /** @type {SearchQuestions["show"]} */
  const show = (found) => {
    last = found && { ...found, accountId };
    fill(status, found !== null && countText(found));
    fill(results, found === null ? before : shown(found, { modules, ask, only }));
  };
  const orders = [[BEST, t("bestFirst")], ["NEWEST", t("newestFirst")]]
    .map(([value = "", text = ""]) => ({ value, text, asked: {} }));
  const chosen = chosenOrder(orders, PAGE, new URLSearchParams());
  let order = chosen?.value ?? BEST;
  const query = () => ({ q: words.text(), order, ...filter.query() });
  const { ask, typed } = questions({ here, status, query, show });
  /** @type {SearchActs["only"]} */
  const only = async (codes) => {
    filter.choose(codes);
    await ask(query());
    focusLine(0);
  };
  const reorder = (/** @type {ListOrder} */ chosen) => {
    order = chosen.value;
    keepOrder(PAGE, new URLSearchParams(), chosen);
    typed.now();
  };
  const element = form([words], t("search"), () => ask(query()), {
    staysOpen: true,
  });
  const tools = h("div.tools", orderChoice(orders, chosen, reorder));
  element.append(h("div.bar.controls", filter.element, tools));
  element.classList.add("one-line", "search");
  element.addEventListener("input", typed.soon);
  show(last);
  return {
    title: t("search"),
    body: [element, status, results],
    ...(last === null && { focus: words.focus }),
  };
}

/** Asks at once, or when the person stops typing. @param {SearchQuestions} page */
function questions({ here, status, query, show }) {
  const asking = latest(
    (/** @type {SearchQuestion} */ question, signal) =>
      withSession(() => readFound(question, signal)),
    (found, { before }) => show({ ...found, items: [...before.items ?? [], ...found.items] }),
    (isWaiting) => fill(status, isWaiting && t("loading")),
  );
  /** @type {SearchActs["ask"]} */
  const ask = (query, before = {}) => {
    typed.cancel();
    return asking({ query, before });
  };
  const askTyped = async () => {
    if (query().q.trim() === "") {
      asking.cancel();
      return show(null);
    }
    if (JSON.stringify(query()) !== JSON.stringify(last?.query)) await ask(query()).catch(refused);
  };
  const refused = (/** @type {unknown} */ error) => {
    if (!(error instanceof ApiError)) throw error;
    show(null);
    // Text without a word is not finished yet.
    if (error.code === "PAYLOAD_INVALID") return;
    fill(status, failureText(error.code));
    const retry = () => here.aborted || typed.soon();
    if (error.code === "HTTP_429") setTimeout(retry, 1_000 * (error.retryAfter ?? 1));
  };
  const typed = delayed(() => void askTyped(), DELAY_MS);
  here.addEventListener("abort", () => {
    typed.cancel();
    asking.cancel();
  });
  return { ask, typed };
}

/**
 * The next page, its people first. While the service prepares the best-first order, the newest.
 * @param {SearchQuestion} question @param {AbortSignal} signal
 */
async function readFound({ query, before }, signal) {
  try {
    const { items, nextCursor } = await readPage(query, before.nextCursor ?? null, signal);
    return { query, items: [...items.filter(isNamed), ...items.filter(isOther)], nextCursor };
  } catch (error) {
    if (query.order !== BEST || !hasCode(error, "HTTP_503")) throw error;
    const newest = { ...query, order: "NEWEST" };
    return { query: newest, isUnordered: true, ...await readPage(newest, null, signal) };
  }
}

/** True for a person whose name has the words. @param {SearchResult} found */
function isNamed({ moduleCode, match = "TEXT" }) {
  return moduleCode === PEOPLE && match !== "TEXT" && match !== "TAG";
}

/** @param {SearchResult} found */
const isOther = (found) => !isNamed(found);

/**
 * A page may be empty before the last one.
 * @param {SearchQuery} query
 * @param {string | null} cursor
 * @param {AbortSignal} signal
 */
async function readPage(query, cursor, signal) {
  while (true) {
    const body = { ...query, ...(cursor !== null && { cursor }) };
    const { data } = await send("POST", "/api/v2/search", { body, signal });
    if (data.items.length > 0 || data.nextCursor === null) return data;
    cursor = data.nextCursor;
  }
}

/** @param {FoundRecords} found */
function countText({ query, items: { length }, nextCursor, isUnordered }) {
  if (length === 0) return t("nothingFound");
  if (isUnordered) return t("orderUnready");
  if (nextCursor === null) return counted(length, "manyFound");
  return t(query.order === BEST ? "bestFound" : "newestFound", { count: length });
}

/** @param {FoundRecords} found @param {SearchActs} page */
function shown(found, { modules, ask, only }) {
  const { query, items, nextCursor } = found;
  const more = async () => {
    await ask(query, found);
    focusLine(items.length);
  };
  if (items.length === 0) return [creation(modules, query)];
  const first = items.findIndex(isOther);
  const list = (/** @type {FoundRecords["items"]} */ some) =>
    h("ul.lines.found", some.map((item) => line(item, query.q)));
  return [
    kinds(items, query, only),
    ...first > 0
      ? [
        h("h2", label(PEOPLE)),
        list(items.slice(0, first)),
        h("h2", t("otherFinds")),
        list(items.slice(first)),
      ]
      : [list(items)],
    nextCursor !== null && h("button.further", { onclick: more }, t("showMore")),
  ];
}

/** @param {number} index */
function focusLine(index) {
  const line = document.querySelectorAll("main .found > li")[index];
  line?.querySelector("a")?.focus();
}

/** @param {SearchResult} found @param {string} query */
function line({ moduleCode, recordId, title, snippet, time, match }, query) {
  // Imported records of the profile, which it does not show.
  const href = moduleCode === "identity"
    ? generalPath(moduleCode, recordId)
    : recordPath(moduleCode, recordId);
  const marked = (/** @type {string} */ text) =>
    markedParts(text, query, match).map(({ text, isMarked }) => isMarked ? h("mark", text) : text);
  const at = time ? instantOf(time) : timeOfUlid(recordId);
  const tags = match === "TAG" ? query.match(/(?<!\S)#[\p{L}\p{M}\p{Nd}]\S*/gu) ?? [] : [];
  return row({
    anchor: moduleCode === PEOPLE
      ? disc({ personId: recordId, personName: title, attachmentIds: [] })
      : kindSymbol(moduleCode),
    name: [
      h("a.words", { href }, marked(title)),
      snippet !== title && h("p", marked(textOfSnippet(moduleCode, snippet))),
    ],
    facts: [
      labelOfOne(moduleCode),
      ...tags.map((tag) => h("mark", tag)),
      // Without a time of its own, its day of writing would be mistaken for it.
      (time !== null || !VAGUE.includes(moduleCode)) &&
      h("time", { datetime: new Date(at).toISOString() }, shownTime(moduleCode, time, at)),
    ],
  });
}

/**
 * The text of a person without an opinion is the kind of the relationship, which has a name.
 * @param {string} moduleCode @param {string} snippet
 */
function textOfSnippet(moduleCode, snippet) {
  return moduleCode === PEOPLE && /^[A-Z_]+$/.test(snippet) ? label(snippet) : snippet;
}

/** They may be as vague as a year, which begins at midnight of any zone. */
const VAGUE = ["memory", "timeline"];

/** @type {(moduleCode: string, time: string | null | undefined, at: number) => string} */
function shownTime(moduleCode, time, at) {
  return time && VAGUE.includes(moduleCode)
    ? formatTime(at + DAY_MS / 2, { year: "numeric" })
    : dayText(at);
}
