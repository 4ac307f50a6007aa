import { h, send, t } from "../../core/base.js";
import { listPage } from "../list_page.js";
import { searchBox } from "./search_box.js";
import { TAGS, TAGS_API, TREE_API } from "./tag_paths.js";
import { termLine } from "./term_line.js";

/** @type {Page} */
export default async function tags({ query }) {
  const inactive = query.get("inactive") === "include" ? "include" : "exclude";
  const { data } = await send("GET", `${TREE_API}?inactive=${inactive}`);
  const tree = data.items.length === 0 ? h("p.quiet", t("noneYet")) : h("ul", data.items.map(node));
  return await listPage(query, {
    title: t("tagsTitle"),
    page: TAGS,
    api: TAGS_API,
    filter: {
      name: "inactive",
      views: [
        { value: "exclude", text: t("activeOnes") },
        { value: "include", text: t("activeAndNot") },
      ],
    },
    none: t("noneYet"),
    beside: [
      h("a.main", { href: `${TAGS}/new` }, t("newTag")),
      h("a", { href: `${TAGS}/categories/new` }, t("newCategory")),
      h("a", { href: `${TAGS}/usage` }, t("tagUsage")),
      h("a", { href: "/console/imports/own/tags" }, t("imports")),
    ],
    above: () => h("div", searchBox(), h("h2", t("categories")), tree, h("h2", t("tagsAlone"))),
    line: termLine,
  });
}

/** @param {any} category */
function node({ termId, name, active, children }) {
  return h(
    "li",
    h("a.words", { href: `${TAGS}/${termId}` }, name),
    !active && h("span.quiet.small", " ", t("inactive")),
    children.length > 0 && h(
      "details",
      { open: true },
      h("summary.quiet.small", t("childCount", { name, count: children.length })),
      h("ul.group", children.map(node)),
    ),
  );
}
