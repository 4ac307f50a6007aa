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
  return await listPage(query, {
    title: label(module.code),
    page,
    api: `/api/v2/records/${module.code}`,
    filter: { name: "archived", views },
    none: t(query.get("archived") === "only" ? "noneArchived" : "noneYet"),
    beside: [
      module.entry === "GENERIC" && h("a", { class: "main", href: `${page}/new` }, t("newRecord")),
    ],
    ...(pictures && { above: pictures.healthPictures }),
    line: (item) => line(page, item),
  });
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
