/** Tags and categories. */

import { fill, h, link } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { send } from "../../core/base/sender.js";
import { may } from "../../core/base/session.js";
import { label, readFields, toneOf } from "../../core/names.js";
import { viewsOf } from "../../fields/controls/choices.js";
import { form, row } from "../../fields/controls/forms.js";
import { lineField } from "../../fields/controls/lines.js";
import { kindSymbol } from "../../fields/shown/anchors.js";
import { counted } from "../../fields/shown/figures.js";
import { listPage } from "../parts/lists.js";
import { sortedByOneOf } from "../parts/order.js";

export const TAGS = "/console/tags";

export const API = "/api/v2/taxonomy";

export const TAGS_API = `${API}/tags`;

export const CATEGORIES_API = `${API}/categories`;

const TREE_API = `${CATEGORIES_API}/tree`;

export const ASSIGNMENTS_API = `${API}/assignments`;

/** Rename, move and merge are separate actions. */
export const PATCHED = ["aliases", "description", "color", "sortOrder"];

/** @param {any} term */
export function pathsOf({ kind, termId }) {
  const list = kind === "TAG" ? TAGS_API : CATEGORIES_API;
  return { page: `${TAGS}/${termId}`, api: `${list}/${termId}`, list };
}

/** The record shows whether it is a tag or a category. @param {string | undefined} id */
export async function readTerm(id) {
  const { payload: { kind } } = await get(`/api/v2/records/taxonomy/${id}`);
  return await get(pathsOf({ kind, termId: id }).api);
}

/** In the catalog's order. @param {readonly string[]} names */
export async function fieldsNamed(names) {
  return (await readFields("taxonomy")).filter(({ name }) => names.includes(name));
}

/**
 * Active categories, each with its path from the top.
 * @param {string} [without] Omitted, with its descendants.
 */
export async function categoryChoices(without) {
  const { items } = await get(TREE_API);
  /** @type {(nodes: readonly any[], way: string) => Choices} */
  const choices = (nodes, way) =>
    nodes.filter(({ termId }) => termId !== without).flatMap(({ termId, name, children }) => [
      { value: termId, label: `${way}${name}` },
      ...choices(children, `${way}${name} › `),
    ]);
  return choices(items, "");
}

/** @param {{ termId: string, name: string }} term */
export function termLink({ termId, name }) {
  return link(`${TAGS}/${termId}`, name, "words");
}

/** @param {string} kind */
export function termSymbol(kind) {
  return kindSymbol("taxonomy", kind === "CATEGORY" ? "folder" : "tags");
}

/** @param {any} term @param {ReadonlyMap<string, string>} [counts] */
function termLine({ termId, kind, name, aliases, active, mergedInto }, counts) {
  return row({
    anchor: termSymbol(kind),
    name: termLink({ termId, name }),
    facts: [
      kind === "CATEGORY" && label("category"),
      counts?.get(termId),
      aliases.length > 0 && t("alsoCalled", { names: aliases.join(", ") }),
      mergedInto !== null ? t("isMerged") : !active && t("inactive"),
    ].filter(Boolean),
  });
}

/** Texts of how many records the newest terms are used by, without unused ones. */
async function readCounts() {
  const { items } = await get(`${API}/usage?limit=100`);
  return new Map(
    items.filter(({ direct }) => direct > 0)
      .map(({ termId, direct }) => [termId, counted(direct, "manyRecords")]),
  );
}

function searchBox() {
  const name = lineField({ name: "q", label: t("findTerm"), required: true, words: true });
  const found = h("div", { role: "status" });
  const submit = async () => {
    const { data } = await send("POST", `${API}/search`, { body: { q: name.text() } });
    const lines = data.items.map((/** @type {any} */ term) => termLine(term));
    fill(found, lines.length === 0 ? h("p.quiet", t("noTermFound")) : h("ul.lines", lines));
  };
  return h(
    "details",
    h("summary", t("findTermTitle")),
    h("div", { role: "search" }, form([name], t("find"), submit), found),
  );
}

/** @type {Page} */
export async function tags({ query }) {
  const inactive = query.get("inactive") === "include" ? "include" : "exclude";
  const [{ items }, counts] = await Promise.all([
    get(`${TREE_API}?inactive=${inactive}`),
    readCounts(),
  ]);
  const tree = items.length === 0 ? h("p.quiet", t("noneYet")) : treeOf(items, counts);
  return listPage(query, {
    title: t("tagsTitle"),
    api: TAGS_API,
    filter: {
      name: "inactive",
      views: viewsOf({ exclude: label("ACTIVE"), include: t("activeAndNot") }),
    },
    orders: sortedByOneOf({ name: t("nameOf"), "-use": t("byUse") }),
    add: { list: "taxonomy" },
    after: [
      link(`${TAGS}/categories/new`, t("newCategory")),
      link(`${TAGS}/usage`, t("tagUsage")),
      ...may("import.write") ? [link("/console/imports/own/tags", t("imports"))] : [],
    ],
    above: () => h("div", searchBox(), h("h2", t("categories")), tree, h("h2", t("tags"))),
    line: (term) => termLine(term, counts),
  });
}

/**
 * @param {readonly any[]} categories
 * @param {ReadonlyMap<string, string>} counts
 * @returns {Element}
 */
function treeOf(categories, counts) {
  const nodes = categories.map(({ termId, name, active, children }) =>
    h(
      "li",
      h(
        "div",
        icon("folder"),
        termLink({ termId, name }),
        h("span.quiet.small", counts.get(termId), !active && ` ${t("inactive")}`),
      ),
      children.length > 0 && treeOf(children, counts),
    )
  );
  return h("ul", { class: `group tone-${toneOf("taxonomy")}` }, nodes);
}
