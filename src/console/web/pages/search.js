/** The query never appears in an address. */

import { send } from "../core/api.js";
import { readCatalog } from "../core/catalog.js";
import { announce, fill, h } from "../core/dom.js";
import { counted } from "../core/numbers.js";
import { withSession } from "../core/sign_in_again.js";
import { t } from "../core/text.js";
import { choiceField } from "../fields/choice.js";
import { form } from "../fields/form.js";
import { severalField } from "../fields/several.js";
import { lineField } from "../fields/text.js";
import { generalPath, recordPath } from "../logic/addresses.js";
import { label } from "../logic/labels.js";
import { markedParts } from "../logic/marks.js";

/**
 * @typedef {object} Search
 * @property {string} accountId
 * @property {any} wish The request.
 * @property {any[]} items
 * @property {string | null} nextCursor
 */

/** @type {Search | null} Restored on return, from memory only. */
let last = null;

/** @type {import("../pages.js").Page} */
export default async function search({ session }) {
  const { accountId, email } = session.account;
  if (last?.accountId !== accountId) last = null;
  const words = lineField({ name: "q", label: t("searchWords"), required: true, words: true });
  const narrowed = await narrowing(last?.wish ?? {});
  words.setText(last?.wish.q ?? "");

  const results = h("section", { "aria-label": t("found") });
  const ask = async (/** @type {any} */ wish, /** @type {Partial<Search>} */ before) => {
    const found = await withSession(email, () => readPage(wish, before.nextCursor ?? null));
    const items = [...before.items ?? [], ...found.items];
    last = { accountId, wish, items, nextCursor: found.nextCursor };
    fill(results, shown(last, ask));
  };
  const submit = async () => {
    await ask({ q: words.text(), ...narrowed.wish() }, {});
    announce(counted(last?.items.length ?? 0, "oneFound", "manyFound"));
  };
  if (last !== null) fill(results, shown(last, ask));
  const element = form([words], t("search"), submit, { before: [narrowed.element] });
  return {
    title: t("search"),
    body: [element, results],
    ...(last === null && { focus: words.focus }),
  };
}

/** @param {any} wish The previous request. */
async function narrowing({ modules = [], archived = "exclude" }) {
  const where = severalField(
    { name: "modules", label: t("searchIn") },
    (await readCatalog()).map(({ code }) => ({ value: code, label: label(code) })),
  );
  const views = choiceField({ name: "archived", label: t("shown"), required: true }, [
    { value: "exclude", label: t("currentItems") },
    { value: "only", label: t("archivedItems") },
    { value: "include", label: t("both") },
  ]);
  if (modules.length > 0) where.setText(JSON.stringify(modules));
  views.setText(archived);
  const summary = h("summary", {}, t("narrow"));
  const open = modules.length > 0 || archived !== "exclude";
  return {
    element: h("details", { open }, summary, views.element, where.element),
    wish: () => ({
      archived: views.text(),
      ...(where.text() !== "" && { modules: JSON.parse(where.text()) }),
    }),
  };
}

/**
 * A page may be empty before the last one.
 *
 * @param {any} wish
 * @param {string | null} cursor
 */
async function readPage(wish, cursor) {
  while (true) {
    const body = { ...wish, ...(cursor !== null && { cursor }) };
    const { data } = await send("POST", "/api/v2/search", { body });
    if (data.items.length > 0 || data.nextCursor === null) return data;
    cursor = data.nextCursor;
  }
}

/**
 * @param {Search} found
 * @param {(wish: any, before: Search) => Promise<void>} ask
 */
function shown(found, ask) {
  const { wish, items, nextCursor } = found;
  const more = async () => {
    await ask(wish, found);
    focusLine(items.length);
  };
  return [
    items.length === 0
      ? h("p", { class: "quiet" }, t("nothingFound"))
      : h("ul", { class: "lines entries" }, items.map((item) => line(item, wish.q))),
    nextCursor !== null && h("button", { type: "button", onclick: more }, t("older")),
  ];
}

/** @param {number} index Among the results. */
function focusLine(index) {
  const line = document.querySelectorAll("main .entries > li")[index];
  line?.querySelector("a")?.focus();
}

/**
 * @param {any} found
 * @param {string} sought
 */
function line({ moduleCode, recordId, title, snippet }, sought) {
  // Records of module identity were imported; the profile does not have them.
  const href = moduleCode === "identity"
    ? generalPath(moduleCode, recordId)
    : recordPath(moduleCode, recordId);
  const marked = (/** @type {string} */ text) =>
    markedParts(text, sought).map(({ text, isMarked }) => isMarked ? h("mark", {}, text) : text);
  return h(
    "li",
    {},
    h("a", { href, class: "words" }, h("span", {}, marked(title))),
    snippet !== title && h("p", { class: "words" }, marked(snippet)),
    h("span", { class: "quiet small" }, label(moduleCode)),
  );
}
