/** The records of a module, newest first. */

import { readModule } from "../core/catalog.js";
import { h } from "../core/dom.js";
import { t, timeText } from "../core/text.js";
import { label } from "../logic/labels.js";
import { listPage } from "./list_page.js";

/** @type {import("../pages.js").Page} */
export default async function records({ params, query }) {
  const module = await readModule(params.module);
  if (module === null) return { title: t("notFound"), body: [h("p", {}, t("notFoundText"))] };
  const page = `/console/records/${module.code}`;
  const views = [
    { value: "exclude", text: t("presentOnes") },
    { value: "only", text: t("archivedOnes") },
  ];
  const pictures = module.code === "health" && await import("./health_pictures.js");
  const { asked, shown, form } = await narrowing(module, page, query);
  return await listPage(query, {
    title: label(module.code),
    page,
    api: `/api/v2/records/${module.code}`,
    filter: { name: "archived", views },
    narrowed: Object.fromEntries(shown),
    alsoAsked: Object.fromEntries(asked),
    none: t(noneOf(query.get("archived") === "only", asked.size > 0)),
    beside: [
      module.entry === "GENERIC" && h("a", { class: "main", href: `${page}/new` }, t("newRecord")),
      h("a", { href: `/console/print/${module.code}` }, t("onPaper")),
    ],
    above: (items) => h("div", {}, form, pictures && pictures.healthPictures(items)),
    line: (item) => line(page, item),
  });
}

/**
 * What the list is narrowed by. Most are not, so that what it takes is loaded when it is opened.
 *
 * @param {import("../core/catalog.js").CatalogModule} module
 * @param {string} page
 * @param {URLSearchParams} query
 */
async function narrowing(module, page, query) {
  const load = async () => (await import("./record_filters.js")).recordFilters(module, page, query);
  if ([...query.keys()].some((name) => name === "sort" || name.startsWith("filter["))) {
    return await load();
  }
  const open = async () => {
    const { form: opened } = await load();
    opened.open = true;
    form.replaceWith(opened);
    opened.querySelector("summary")?.focus();
  };
  /** @type {HTMLDetailsElement} */
  const form = h("details", { ontoggle: open }, h("summary", {}, t("narrowList")));
  return { asked: new URLSearchParams(), shown: new URLSearchParams(), form };
}

/**
 * @param {boolean} isArchived
 * @param {boolean} isNarrowed
 */
function noneOf(isArchived, isNarrowed) {
  if (isNarrowed) return "noneSuch";
  return isArchived ? "noneArchived" : "noneYet";
}

/**
 * @param {string} path
 * @param {import("../wire.d.ts").Record} item
 */
function line(path, { recordId, title, createdAt, redacted }) {
  return h(
    "li",
    {},
    h("a", { href: `${path}/${recordId}`, class: "words" }, redacted ? t("hidden") : title),
    h("time", { class: "quiet small", datetime: createdAt }, timeText(createdAt)),
  );
}
