/** Parts of the search page that ask. */

import { h } from "../core/base/elements.js";
import { newKey } from "../core/base/keys.js";
import { t } from "../core/base/language.js";
import { visit } from "../core/base/visits.js";
import { keepDraft, readDraft } from "../core/browser_outbox/drafts.js";
import { generalPath, label, labelled, labelOfOne } from "../core/names.js";
import { choiceField, choicesOf } from "../fields/controls/choices.js";
import { form, severalField } from "../fields/controls/forms.js";

const MAX_TITLE = 200;
const MAX_KINDS = 5;

/** @param {readonly CatalogModule[]} all @param {Partial<SearchQuery>} query */
export function filterOf(all, { modules = [], archived = "exclude" }) {
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
 * Offers to create a record with the words.
 * @param {readonly CatalogModule[]} modules
 * @param {SearchQuery} query
 */
export function creation(modules, query) {
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
  return form([kind], t("createThis", { words }), create, { isQuiet: true });
}

/** @type {(items: FoundRecords["items"], query: SearchQuery, only: SearchActs["only"]) => Child} */
export function kinds(items, query, only) {
  const isNarrow = query.modules !== undefined;
  const counts = Map.groupBy(items, ({ moduleCode }) => moduleCode);
  if (counts.size === 1 && !isNarrow) return null;
  const most = [...counts].sort(([, one], [, other]) => other.length - one.length);
  /** @type {(text: string, codes: readonly string[], name?: string) => Element} */
  const button = (text, codes, name = text) =>
    h("button.chip", { "aria-label": name, onclick: () => only(codes) }, text);
  return h(
    "div.bar.controls",
    h(
      "div.bar.chips",
      { role: "group", "aria-label": t("searchIn") },
      isNarrow
        ? button(t("everyKind"), [])
        : most.slice(0, MAX_KINDS).map(([code]) =>
          button(label(code), [code], t("onlyKind", { name: label(code) }))
        ),
    ),
  );
}
