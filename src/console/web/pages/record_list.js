import { readModule } from "../core/catalog.js";
import { h } from "../core/dom.js";
import { t, timeText } from "../core/text.js";
import { label } from "../logic/labels.js";
import { listPage } from "./list_page.js";
import { notFound } from "./not_found.js";

/** @type {import("../pages.js").Page} */
export default async function records({ params, query }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const page = `/console/records/${module.code}`;
  const views = [
    { value: "exclude", text: t("currentItems") },
    { value: "only", text: t("archivedItems") },
  ];
  const pictures = module.code === "health" && await import("./health_pictures.js");
  const isNarrowed = [...query.keys()].some((name) =>
    name === "sort" || name.startsWith("filter[")
  );
  // Most lists have no filter.
  const filters = isNarrowed && await import("./record_filters.js");
  const { asked, shown, form } = filters
    ? await filters.recordFilters(module, page, query)
    : { asked: {}, shown: {}, form: narrowLink(page, query) };
  return await listPage(query, {
    title: label(module.code),
    page,
    api: `/api/v2/records/${module.code}`,
    filter: { name: "archived", views },
    narrowed: shown,
    alsoAsked: asked,
    none: t(noneOf(query.get("archived") === "only", Object.keys(asked).length > 0)),
    beside: [
      module.entry === "GENERIC" && h("a", { class: "main", href: `${page}/new` }, t("newRecord")),
      h("a", { href: `/console/print/${module.code}` }, t("printView")),
    ],
    above: (items) => h("div", {}, form, pictures && pictures.healthPictures(items)),
    line: (item) => line(page, item),
  });
}

/**
 * @param {string} page
 * @param {URLSearchParams} query
 */
function narrowLink(page, query) {
  const same = new URLSearchParams([...query, ["sort", "-createdAt"]]);
  return h("p", {}, h("a", { href: `${page}?${same}` }, t("narrowList")));
}

/**
 * @param {boolean} isArchived
 * @param {boolean} isNarrowed
 */
function noneOf(isArchived, isNarrowed) {
  if (isNarrowed) return "noMatches";
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
