/** The search page, whose query never appears in an address. */

import { withSession } from "../core/acts/password.js";
import { ApiError } from "../core/base/api.js";
import { fill, h } from "../core/base/elements.js";
import { newKey } from "../core/base/keys.js";
import { failureText, t } from "../core/base/language.js";
import { delayed, latest } from "../core/acts/typing.js";
import { send } from "../core/base/sender.js";
import { session } from "../core/base/session.js";
import { thisVisit, visit } from "../core/base/visits.js";
import { keepDraft, readDraft } from "../core/browser_outbox/drafts.js";
import { choiceField, choicesOf } from "../fields/controls/choices.js";
import { form, severalField } from "../fields/controls/forms.js";
import { lineField } from "../fields/controls/lines.js";
import { counted } from "../fields/shown/figures.js";
import { dayText, timeOfUlid } from "../fields/shown/times.js";
import {
  generalPath,
  label,
  labelled,
  labelOfOne,
  readCatalog,
  recordPath,
} from "../core/names.js";

/** A word may occur anywhere in a run of these letters. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const WORDS = /[\p{L}\p{M}\p{Nd}]+/gu;

/** The text in parts, of searched words and others. @param {string} text @param {string} query */
export function markedParts(text, query) {
  const words = fold(query).match(WORDS) ?? [];
  const parts = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(WORDS)) {
    for (const { at, length } of placesIn(run, words)) {
      if (index + at < end) continue;
      parts.push({ text: text.slice(end, index + at), isMarked: false });
      end = index + at + length;
      parts.push({ text: text.slice(index + at, end), isMarked: true });
    }
  }
  parts.push({ text: text.slice(end), isMarked: false });
  return parts.filter((part) => part.text !== "");
}

/** @param {string} run @param {readonly string[]} words */
function placesIn(run, words) {
  const folded = fold(run);
  const isWhole = words.some((word) =>
    [...word].length === 1 ? folded === word : folded.startsWith(word)
  );
  const whole = [{ at: 0, length: run.length }];
  if (!UNSPACED.test(run)) return isWhole ? whole : [];
  const found = words.filter((word) => folded.includes(word));
  // Positions are unknown if folding changes the length.
  if (folded.length !== run.length) return found.length > 0 ? whole : [];
  return found.flatMap((word) => occurrences(folded, word)).sort((one, other) => one.at - other.at);
}

/** @param {string} text @param {string} word */
function occurrences(text, word) {
  const found = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    found.push({ at, length: word.length });
  }
  return found;
}

/** Like the service, ignores case, width and accents. @param {string} text */
function fold(text) {
  const lower = text.normalize("NFKC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return lower.normalize("NFD").replaceAll(/[\u0300-\u036f]+/g, "").normalize("NFC");
}

const DELAY_MS = 200;
const MAX_TITLE = 200;
const MAX_KINDS = 5;

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
  const results = h("section", { "aria-label": t("found") });
  /** @type {SearchQuestions["show"]} */
  const show = (found) => {
    last = found && { ...found, accountId };
    fill(status, found !== null && countText(found));
    fill(results, found === null ? [] : shown(found, { modules, ask, only }));
  };
  const query = () => ({ q: words.text(), ...filter.query() });
  const { ask, typed } = questions({ here, status, query, show });
  /** @type {SearchActs["only"]} */
  const only = async (codes) => {
    filter.choose(codes);
    await ask(query());
    focusLine(0);
  };
  const element = form([words], t("search"), () => ask(query()), {
    before: [filter.element],
    staysOpen: true,
  });
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
    (/** @type {SearchQuestion} */ { query, before }, signal) =>
      withSession(() => readPage(query, before.nextCursor ?? null, signal)),
    ({ items, nextCursor }, { query, before }) =>
      show({ query, items: [...before.items ?? [], ...items], nextCursor }),
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

/** @param {readonly CatalogModule[]} all @param {Partial<SearchQuery>} query */
function filterOf(all, { modules = [], archived = "exclude" }) {
  const where = severalField(
    { name: "modules", label: t("searchIn") },
    labelled(all.map(({ code }) => code)),
  );
  const views = choiceField(
    { name: "archived", label: t("shown"), required: true, initial: archived },
    choicesOf({ exclude: t("currentItems"), only: t("archivedItems"), include: t("both") }),
  );
  const choose = (/** @type {readonly string[]} */ codes) =>
    where.setText(codes.length === 0 ? "" : JSON.stringify(codes));
  choose(modules);
  const summary = h("summary", t("filter"));
  const open = modules.length > 0 || archived !== "exclude";
  return {
    element: h("details", { open }, summary, views.element, where.element),
    choose,
    query: () => ({
      archived: views.text(),
      ...(where.text() !== "" && { modules: JSON.parse(where.text()) }),
    }),
  };
}

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
function countText({ items: { length }, nextCursor }) {
  if (length === 0) return t("nothingFound");
  return nextCursor === null ? counted(length, "manyFound") : t("newestFound", { count: length });
}

/** @param {FoundRecords} found @param {SearchActs} page */
function shown(found, { modules, ask, only }) {
  const { query, items, nextCursor } = found;
  const more = async () => {
    await ask(query, found);
    focusLine(items.length);
  };
  if (items.length === 0) return [creation(modules, query)];
  return [
    kinds(items, query, only),
    h("ul.lines.entries", items.map((item) => line(item, query.q))),
    nextCursor !== null && h("button", { onclick: more }, t("older")),
  ];
}

/** @type {(items: FoundRecords["items"], query: SearchQuery, only: SearchActs["only"]) => Child} */
function kinds(items, query, only) {
  const isNarrow = query.modules !== undefined;
  const counts = Map.groupBy(items, ({ moduleCode }) => moduleCode);
  if (counts.size === 1 && !isNarrow) return null;
  const most = [...counts].sort(([, one], [, other]) => other.length - one.length);
  /** @type {(text: string, codes: readonly string[], name?: string) => Element} */
  const button = (text, codes, name = text) =>
    h("button", { "aria-label": name, onclick: () => only(codes) }, text);
  return h(
    "div.bar",
    { role: "group", "aria-label": t("searchIn") },
    isNarrow
      ? button(t("everyKind"), [])
      : most.slice(0, MAX_KINDS).map(([code]) =>
        button(label(code), [code], t("onlyKind", { name: label(code) }))
      ),
  );
}

/**
 * Offers to create a record with the words.
 * @param {readonly CatalogModule[]} modules
 * @param {SearchQuery} query
 */
function creation(modules, query) {
  const own = modules.filter(({ entry }) => entry === "GENERIC");
  const [moduleCode = ""] = query.modules ?? [];
  const initial = own.some(({ code }) => code === moduleCode) ? moduleCode : "action";
  const kind = choiceField(
    { name: "kind", label: t("createAs"), required: true, initial },
    labelled(own.map(({ code }) => code), labelOfOne),
  );
  const words = query.q.trim().replaceAll(/\s+/g, " ").slice(0, MAX_TITLE);
  const create = () => {
    const path = `${generalPath(kind.text())}/new`;
    const draft = readDraft(path) ?? { base: null, seed: newKey(), sent: null, texts: {} };
    // Text in the draft stays.
    const texts = { title: words, ...draft.texts };
    keepDraft(path, { ...draft, at: Date.now(), texts }, new Set());
    return visit(path);
  };
  return form([kind], t("createThis", { words }), create);
}

/** @param {number} index */
function focusLine(index) {
  const line = document.querySelectorAll("main .entries > li")[index];
  line?.querySelector("a")?.focus();
}

/** @param {SearchResult} found @param {string} query */
function line({ moduleCode, recordId, title, snippet }, query) {
  // Imported records of the profile, which it does not show.
  const href = moduleCode === "identity"
    ? generalPath(moduleCode, recordId)
    : recordPath(moduleCode, recordId);
  const marked = (/** @type {string} */ text) =>
    markedParts(text, query).map(({ text, isMarked }) => isMarked ? h("mark", text) : text);
  const time = timeOfUlid(recordId);
  return h(
    "li",
    h("a.words", { href }, h("span", marked(title))),
    snippet !== title && h("p.words", h("span", marked(snippet))),
    h(
      "span.quiet.small",
      `${labelOfOne(moduleCode)} · `,
      h("time", { datetime: new Date(time).toISOString() }, dayText(time)),
    ),
  );
}
