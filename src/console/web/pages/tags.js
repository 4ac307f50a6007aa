/** Tags and categories. */

import { actButton, askButton, repeatable, withSession } from "../core/acts.js";
import {
  announce,
  fill,
  get,
  h,
  hasCode,
  link,
  may,
  readOrNull,
  send,
  t,
  thisVisit,
  visit,
} from "../core/base.js";
import {
  choiceField,
  chosenField,
  field,
  form,
  line,
  lineField,
  newId,
  viewsOf,
} from "../fields/controls.js";
import { counted, dayText, optional, valuesList } from "../fields/shown.js";
import { label, labelled, labelOfOne, readCatalog, readFields, recordPath } from "../core/names.js";
import { draftForm } from "./draft_form.js";
import { thingHistory } from "./history.js";
import { editableThing, listPage, rootFacts } from "./parts.js";

const TAGS = "/console/tags";
const API = "/api/v2/taxonomy";
const TAGS_API = `${API}/tags`;
const CATEGORIES_API = `${API}/categories`;
const TREE_API = `${CATEGORIES_API}/tree`;
const ASSIGNMENTS_API = `${API}/assignments`;

/** Rename, move and merge are separate actions. */
const PATCHED = ["aliases", "description", "color", "sortOrder"];

/** @param {any} term */
function pathsOf({ kind, termId }) {
  const list = kind === "TAG" ? TAGS_API : CATEGORIES_API;
  return { page: `${TAGS}/${termId}`, api: `${list}/${termId}`, list };
}

/** The id does not show whether it is a tag or a category. @param {string | undefined} id */
function readTerm(id) {
  return get(`${TAGS_API}/${id}`).catch((error) => {
    if (!hasCode(error, "RECORD_NOT_FOUND")) throw error;
    return get(`${CATEGORIES_API}/${id}`);
  });
}

/** In the catalog's order. @param {readonly string[]} names */
async function fieldsNamed(names) {
  return (await readFields("taxonomy")).filter(({ name }) => names.includes(name));
}

/**
 * Active categories, each with its path from the top.
 * @param {string} [without] Omitted, with its descendants.
 */
async function categoryChoices(without) {
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
function termLink({ termId, name }) {
  return link(`${TAGS}/${termId}`, name, "words");
}

/** @param {any} term */
function termLine({ termId, kind, name, aliases, active, mergedInto }) {
  const facts = [
    kind === "CATEGORY" && label("category"),
    aliases.length > 0 && t("alsoCalled", { names: aliases.join(", ") }),
    mergedInto !== null ? t("isMerged") : !active && t("inactive"),
  ];
  const shown = h("span.quiet.small", facts.filter(Boolean).join(" · "));
  return h("li", termLink({ termId, name }), shown);
}

function searchBox() {
  const name = lineField({ name: "q", label: t("findTerm"), required: true, words: true });
  const found = h("div", { role: "status" });
  const submit = async () => {
    const { data } = await send("POST", `${API}/search`, { body: { q: name.text() } });
    const lines = data.items.map(termLine);
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
  const { items } = await get(`${TREE_API}?inactive=${inactive}`);
  const tree = items.length === 0 ? h("p.quiet", t("noneYet")) : h("ul.group", items.map(node));
  return listPage(query, {
    title: t("tagsTitle"),
    api: TAGS_API,
    filter: {
      name: "inactive",
      views: viewsOf({ exclude: label("ACTIVE"), include: t("activeAndNot") }),
    },
    beside: [link(`${TAGS}/new`, t("newTag"), "main")],
    after: [
      link(`${TAGS}/categories/new`, t("newCategory")),
      link(`${TAGS}/usage`, t("tagUsage")),
      ...may("import.write") ? [link("/console/imports/own/tags", t("imports"))] : [],
    ],
    above: () => h("div", searchBox(), h("h2", t("categories")), tree, h("h2", t("tags"))),
    line: termLine,
  });
}

/** @param {any} category */
function node({ termId, name, active, children }) {
  return h(
    "li",
    termLink({ termId, name }),
    !active && h("span.quiet.small", " ", t("inactive")),
    children.length > 0 && h("ul.group", children.map(node)),
  );
}

/** @type {Page} */
export function termForm({ params }) {
  return params.id === undefined ? newForm(false) : changeForm(params.id);
}

/** @type {Page} */
export function categoryForm({ query }) {
  return newForm(true, query.get("parent"));
}

/** @param {boolean} isCategory @param {string | null} [parent] */
async function newForm(isCategory, parent = null) {
  const fields = (await fieldsNamed(["name", ...PATCHED])).map(withHint);
  if (isCategory) {
    const more = { label: t("parentCategory"), choices: await categoryChoices() };
    fields.push(optional("parentId", "select", more));
  }
  const place = { list: isCategory ? CATEGORIES_API : TAGS_API, one: null, idName: "termId" };
  const first = isCategory ? { parentId: parent ?? "" } : {};
  return draftForm(editableThing(fields, place, first), {
    page: isCategory ? `${TAGS}/categories/new` : `${TAGS}/new`,
    kept: (id) => `${TAGS}/${id}`,
    left: TAGS,
    name: () => label(isCategory ? "category" : "tag"),
  });
}

/** @param {string} id */
async function changeForm(id) {
  const { page, api, list } = pathsOf(await readTerm(id));
  const fields = (await fieldsNamed(PATCHED)).map(withHint);
  const editable = editableThing(fields, { list, one: api, idName: "termId" });
  const earlier = (/** @type {number} */ revision) => get(`${api}/revisions/${revision}`);
  return draftForm({ ...editable, earlier }, {
    page: `${page}/edit`,
    kept: () => page,
    left: page,
    name: ({ name }) => name,
  });
}

/** @type {(field: CatalogField) => CatalogField} */
function withHint(field) {
  return field.name === "color" ? { ...field, hint: t("colourHint") } : field;
}

/** @type {Page} */
export function usage({ query }) {
  return listPage(query, {
    title: t("tagUsage"),
    api: `${API}/usage`,
    filter: {
      name: "kind",
      views: viewsOf({ "": t("anyOf"), TAG: t("tags"), CATEGORY: t("categories") }),
    },
    beside: [link(TAGS, t("tagsTitle"))],
    above: () => h("p", t("usageText")),
    line: usageLine,
  });
}

/** @param {TaxonomyUsage} used */
function usageLine({ termId, kind, name, active, direct, total, lastAssignedAt, modules }) {
  return line(termLink({ termId, name }), [
    kind === "CATEGORY" && label("category"),
    !active && t("inactive"),
    direct === 0 ? t("notUsed") : counted(direct, "manyRecords"),
    total > direct && t("usedBelow", { count: total - direct }),
    ...modules.map(({ moduleCode, count }) => `${label(moduleCode)}: ${count}`),
    lastAssignedAt !== null && t("lastUsed", { time: dayText(lastAssignedAt) }),
  ]);
}

const MAX_SHOWN = "20";
/** Only the newest records and tags can be chosen. */
const MAX_CHOICES = 100;

/** @param {any} term @param {string | null} cursor */
async function assignmentsPart({ termId, active }, cursor) {
  const asked = new URLSearchParams({ termId, limit: MAX_SHOWN, ...(cursor && { cursor }) });
  const { items, nextCursor } = await get(`${ASSIGNMENTS_API}?${asked}`);
  const lines = await Promise.all(items.map(lineOfAssignments));
  const older = new URLSearchParams({ cursor: nextCursor });
  return [
    h("h2", t("records")),
    lines.length === 0 ? h("p.quiet", t("noneYet")) : h("ul.lines", lines),
    nextCursor !== null && h("p", link(`${TAGS}/${termId}?${older}`, t("older"))),
    active && await assignForm(termId),
  ];
}

/** @param {any} assignment */
async function lineOfAssignments({ termId, moduleCode, recordId }) {
  const record = await readOrNull(`/api/v2/records/${moduleCode}/${recordId}`);
  const title = record === null || record.redacted ? t("hidden") : record.title;
  return h(
    "li",
    link(recordPath(moduleCode, recordId), title, "words"),
    h("span.quiet.small", labelOfOne(moduleCode)),
    actButton({
      path: `${ASSIGNMENTS_API}/remove`,
      body: { termId, moduleCode, recordId },
      name: t("removeIt"),
      label: t("removePasskey", { name: title }),
      done: label("REMOVED"),
    }),
  );
}

/** @param {string} termId */
async function assignForm(termId) {
  const modules = (await readCatalog()).filter(({ code }) => code !== "taxonomy");
  const module = choiceField(
    { name: "moduleCode", label: t("module"), required: true },
    labelled(modules.map(({ code }) => code)),
  );
  const select = h("select", { id: newId(), name: "recordId" });
  const record = field({ name: "recordId", label: t("record"), required: true }, {
    element: select,
    target: select,
    text: () => select.value,
    setText: (text) => {
      select.value = text;
    },
  });
  module.element.addEventListener("change", async () => {
    const code = module.text();
    fill(select);
    const data = await get(`/api/v2/records/${code}?limit=${MAX_CHOICES}`);
    if (code !== module.text()) return;
    const options = data.items.map(({ recordId, title, redacted }) =>
      h("option", { value: recordId }, redacted ? t("hidden") : title)
    );
    fill(select, h("option", { value: "" }, t("choose")), options);
  });
  const sendAssignment = repeatable();
  const submit = async () => {
    const [here, page] = [thisVisit(), location.pathname];
    const body = { termId, moduleCode: module.text(), recordId: record.text() };
    await withSession(() => sendAssignment("POST", ASSIGNMENTS_API, { body }));
    announce(t("assigned"));
    await visit(page, here);
  };
  return form([module, record], t("assign"), submit);
}

const TOP = "top";

/** @param {any} term */
function termActs(term) {
  const { active, kind, mergedInto } = term;
  if (mergedInto !== null) return [];
  const isCategory = kind === "CATEGORY";
  return [
    active && rename(term),
    active && isCategory && move(term),
    !isCategory && merge(term),
    activity(term),
  ];
}

/**
 * @param {any} term
 * @param {"rename" | "move" | "merge" | "deactivate" | "reactivate"} act
 * @param {Sentence} done
 */
function actOn(term, act, done) {
  const name = t(act);
  return { path: `${pathsOf(term).api}/${act}`, name, title: name, done: t(done) };
}

/** @param {any} term */
function rename(term) {
  const { name: initial, revision: expectedRevision } = term;
  return askButton(
    actOn(term, "rename", "renamed"),
    () => [
      lineField({ name: "name", label: t("newName"), required: true, words: true, initial }),
      chosenField("keepAlias", t("keepAlias"), { true: t("yes"), false: t("no") }),
    ],
    ({ name, keepAlias }) => ({ name, keepAlias: keepAlias === "true", expectedRevision }),
  );
}

/** @param {any} term */
function move(term) {
  const initial = term.parentId ?? TOP;
  return askButton(
    actOn(term, "move", "moved"),
    async () => {
      const choices = [{ value: TOP, label: t("top") }, ...await categoryChoices(term.termId)];
      const row = { name: "parentId", label: t("parentCategory"), required: true, initial };
      return [choiceField(row, choices)];
    },
    ({ parentId: chosen }) => {
      const parentId = chosen === TOP ? null : chosen;
      return { parentId, expectedRevision: term.revision };
    },
  );
}

/** @param {any} term */
function merge(term) {
  return askButton(
    { ...actOn(term, "merge", "merged"), text: t("mergeText"), isGrave: true },
    async () => {
      const { items } = await get(`${TAGS_API}?limit=${MAX_CHOICES}`);
      const choices = items.filter(({ termId }) => termId !== term.termId)
        .map(({ termId, name }) => ({ value: termId, label: name }));
      return [choiceField({ name: "intoId", label: t("mergeInto"), required: true }, choices)];
    },
    ({ intoId }) => ({ intoId, expectedRevision: term.revision }),
  );
}

/** @param {any} term */
function activity(term) {
  const act = term.active
    ? actOn(term, "deactivate", "deactivated")
    : actOn(term, "reactivate", "reactivated");
  return actButton({ ...act, body: { expectedRevision: term.revision } });
}

/** @type {Page} */
export async function termPage({ params, query }) {
  const term = await readTerm(params.id);
  const { page } = pathsOf(term);
  const isCategory = term.kind === "CATEGORY";
  const [fields, choices, assignments] = await Promise.all([
    fieldsNamed(PATCHED),
    isCategory ? categoryChoices() : [],
    assignmentsPart(term, query.get("cursor")),
  ]);
  const parent = choices.find(({ value }) => value === term.parentId);
  const values = { ...term, aliases: term.aliases.length > 0 ? term.aliases : null };
  const isActive = term.active;
  return {
    title: term.name,
    body: [
      rootFacts(term),
      term.mergedInto !== null
        ? h("p.note", link(`${TAGS}/${term.mergedInto}`, t("mergedHere")))
        : !isActive && h("p.note", t("inactiveText")),
      h(
        "p.quiet",
        link(TAGS, t("tagsTitle")),
        parent && [" › ", termLink({ termId: parent.value, name: parent.label })],
      ),
      valuesList(fields, values),
      h(
        "div.bar",
        isActive && link(`${page}/edit`, t("edit"), "main"),
        link(`${page}/history`, t("history")),
        isActive && isCategory &&
          link(`${TAGS}/categories/new?parent=${term.termId}`, t("newSubcategory")),
        termActs(term),
      ),
      ...assignments,
    ],
  };
}

/** @type {ChangeNames} */
const CHANGES = {
  RENAMED: "renamed",
  MOVED: "moved",
  DEACTIVATED: "deactivated",
  REACTIVATED: "reactivated",
  MERGED: "merged",
};

/** Name, place and use, and the fields of a patch. */
const COMPARED = ["name", "parentId", "active", ...PATCHED];

/** @type {Page} */
export async function termHistory(visit) {
  const term = await readTerm(visit.params.id);
  const { page, api } = pathsOf(term);
  const { items } = await get(`${CATEGORIES_API}?inactive=include&limit=100`);
  const names = new Map(items.map(({ termId, name }) => [termId, name]));
  const parent = {
    label: t("parentCategory"),
    text: (/** @type {any} */ { parentId }) => names.get(parentId) ?? parentId ?? "",
  };
  const fields = await fieldsNamed(COMPARED);
  return thingHistory(visit, {
    page,
    api,
    fields: fields.map((field) => field.name === "parentId" ? { ...field, ...parent } : field),
    isFixed: !term.active,
    fixed: COMPARED.filter((name) => !PATCHED.includes(name)),
    nameOf: ({ name }) => name,
    changes: CHANGES,
    earlier: (revision) => `${api}/revisions/${revision}`,
  });
}
