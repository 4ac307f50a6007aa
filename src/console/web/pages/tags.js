/** Tags and categories. */

import { actButton, askButton, repeatable, withSession } from "../core/acts.js";
import {
  announce,
  ApiError,
  fill,
  get,
  h,
  hasCode,
  may,
  send,
  t,
  thisVisit,
  visit,
} from "../core/base.js";
import {
  choiceField,
  choicesOf,
  field,
  form,
  line,
  lineField,
  newId,
  viewsOf,
} from "../fields/controls.js";
import { counted, dayText, valuesList } from "../fields/shown.js";
import { label, labelOfOne, readCatalog, readModule, recordPath } from "../core/names.js";
import { draftForm } from "./draft_form.js";
import { thingHistory } from "./history.js";
import { editableThing, listPage, rootFacts } from "./parts.js";

const TAGS = "/console/tags";
const API = "/api/v2/taxonomy";
const TAGS_API = `${API}/tags`;
const CATEGORIES_API = `${API}/categories`;
const TREE_API = `${CATEGORIES_API}/tree`;
const SEARCH_API = `${API}/search`;
const ASSIGNMENTS_API = `${API}/assignments`;

/** Rename, move and merge are separate actions. */
const PATCHED = ["aliases", "description", "color", "sortOrder"];

/** @param {any} term */
function pathsOf({ kind, termId }) {
  const list = kind === "TAG" ? TAGS_API : CATEGORIES_API;
  return { page: `${TAGS}/${termId}`, api: `${list}/${termId}`, list };
}

/** The id does not show whether it is a tag or a category. @param {string | undefined} id */
async function readTerm(id) {
  try {
    return await get(`${TAGS_API}/${id}`);
  } catch (error) {
    if (!hasCode(error, "RECORD_NOT_FOUND")) throw error;
    return await get(`${CATEGORIES_API}/${id}`);
  }
}

/** Keeps the catalog's order. @param {readonly string[]} names */
async function fieldsNamed(names) {
  const fields = (await readModule("taxonomy"))?.fields ?? [];
  return fields.filter(({ name }) => names.includes(name));
}

/**
 * Active categories, each with its path from the top.
 * @param {string} [without] Omitted, with its descendants.
 */
async function categoryChoices(without) {
  const data = await get(TREE_API);
  /** @type {(nodes: readonly any[], way: string) => { value: string, label: string }[]} */
  const choices = (nodes, way) =>
    nodes.filter(({ termId }) => termId !== without).flatMap(({ termId, name, children }) => [
      { value: termId, label: `${way}${name}` },
      ...choices(children, `${way}${name} › `),
    ]);
  return choices(data.items, "");
}

/** @param {any} term */
function termLine({ termId, kind, name, aliases, active, mergedInto }) {
  const facts = [
    kind === "CATEGORY" && t("category"),
    aliases.length > 0 && t("alsoCalled", { names: aliases.join(", ") }),
    mergedInto !== null ? t("isMerged") : !active && t("inactive"),
  ];
  return h(
    "li",
    h("a.words", { href: `${TAGS}/${termId}` }, name),
    h("span.quiet.small", facts.filter(Boolean).join(" · ")),
  );
}

function searchBox() {
  const name = lineField({ name: "q", label: t("findTerm"), required: true, words: true });
  const found = h("div", { role: "status" });
  const submit = async () => {
    const { data } = await send("POST", SEARCH_API, { body: { q: name.text() } });
    fill(
      found,
      data.items.length === 0
        ? h("p.quiet", t("noTermFound"))
        : h("ul.lines", data.items.map(termLine)),
    );
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
  const data = await get(`${TREE_API}?inactive=${inactive}`);
  const tree = data.items.length === 0
    ? h("p.quiet", t("noneYet"))
    : h("ul.group", data.items.map(node));
  return await listPage(query, {
    title: t("tagsTitle"),
    page: TAGS,
    api: TAGS_API,
    filter: {
      name: "inactive",
      views: viewsOf({ exclude: t("activeOnes"), include: t("activeAndNot") }),
    },
    beside: [
      h("a.main", { href: `${TAGS}/new` }, t("newTag")),
    ],
    after: [
      h("a", { href: `${TAGS}/categories/new` }, t("newCategory")),
      h("a", { href: `${TAGS}/usage` }, t("tagUsage")),
      ...may("import.write") ? [h("a", { href: "/console/imports/own/tags" }, t("imports"))] : [],
    ],
    above: () => h("div", searchBox(), h("h2", t("categories")), tree, h("h2", t("tags"))),
    line: termLine,
  });
}

/** @param {any} category */
function node({ termId, name, active, children }) {
  return h(
    "li",
    h("a.words", { href: `${TAGS}/${termId}` }, name),
    !active && h("span.quiet.small", " ", t("inactive")),
    children.length > 0 && h("ul.group", children.map(node)),
  );
}

/** @type {Page} */
export async function termForm({ params }) {
  return params.id === undefined ? await newForm(false) : await changeForm(params.id);
}

/** @param {boolean} isCategory @param {string | null} [parent] */
async function newForm(isCategory, parent = null) {
  const fields = await fieldsNamed(["name", ...PATCHED]);
  const choices = isCategory ? await categoryChoices() : [];
  const place = { list: isCategory ? CATEGORIES_API : TAGS_API, one: null, idName: "termId" };
  /** @type {CatalogField} */
  const below = {
    name: "parentId",
    edit: "select",
    required: false,
    sensitive: false,
    label: t("parentCategory"),
    choices,
  };
  const hinted = fields.map(withHint);
  const editable = isCategory
    ? editableThing([...hinted, below], place, { parentId: parent ?? "" })
    : editableThing(hinted, place);
  return await draftForm(editable, {
    page: isCategory ? `${TAGS}/categories/new` : `${TAGS}/new`,
    kept: (id) => `${TAGS}/${id}`,
    left: TAGS,
    name: () => t(isCategory ? "category" : "tag"),
  });
}

/** @param {string} id */
async function changeForm(id) {
  const { page, api, list } = pathsOf(await readTerm(id));
  const fields = (await fieldsNamed(PATCHED)).map(withHint);
  const editable = editableThing(fields, { list, one: api, idName: "termId" });
  return await draftForm({
    ...editable,
    earlier: async (revision) => await get(`${api}/revisions/${revision}`),
  }, {
    page: `${page}/edit`,
    kept: () => page,
    left: page,
    name: ({ name }) => name,
  });
}

/** @param {CatalogField} field */
function withHint(field) {
  return field.name === "color" ? { ...field, hint: t("colourHint") } : field;
}

/** @type {Page} */
export async function categoryForm({ query }) {
  return await newForm(true, query.get("parent"));
}

/** @type {Page} */
export function usage({ query }) {
  return listPage(query, {
    title: t("tagUsage"),
    page: `${TAGS}/usage`,
    api: "/api/v2/taxonomy/usage",
    filter: {
      name: "kind",
      views: viewsOf({ "": t("anyOf"), TAG: t("tags"), CATEGORY: t("categories") }),
    },
    beside: [h("a", { href: TAGS }, t("tagsTitle"))],
    above: () => h("p", t("usageText")),
    line: usageLine,
  });
}

/** @param {TaxonomyUsage} used */
function usageLine({ termId, kind, name, active, direct, total, lastAssignedAt, modules }) {
  return line(h("a.words", { href: `${TAGS}/${termId}` }, name), [
    kind === "CATEGORY" && t("category"),
    !active && t("inactive"),
    direct === 0 ? t("notUsed") : counted(direct, "manyRecords"),
    total > direct && t("usedBelow", { count: total - direct }),
    ...modules.map(({ moduleCode, count }) => `${label(moduleCode)}: ${count}`),
    lastAssignedAt !== null && t("lastUsed", { time: dayText(lastAssignedAt) }),
  ]);
}

const MAX_SHOWN = 20;
/** Only the newest records can be chosen. */
const MAX_CHOICES = 100;

/** @param {any} term @param {{ page: string, cursor: string | null }} place */
async function assignmentsPart({ termId, active }, { page, cursor }) {
  const asked = new URLSearchParams({
    termId,
    limit: String(MAX_SHOWN),
    ...(cursor && { cursor }),
  });
  const data = await get(`${ASSIGNMENTS_API}?${asked}`);
  const lines = await Promise.all(data.items.map((item) => lineOfAssignments(item, page)));
  return [
    h("h2", t("records")),
    lines.length === 0 ? h("p.quiet", t("noneYet")) : h("ul.lines", lines),
    data.nextCursor !== null &&
    h(
      "p",
      h("a", { href: `${page}?${new URLSearchParams({ cursor: data.nextCursor })}` }, t("older")),
    ),
    active && await assignForm(termId, page),
  ];
}

/** @param {any} assignment @param {string} page */
async function lineOfAssignments({ termId, moduleCode, recordId }, page) {
  const title = await titleOf(moduleCode, recordId);
  return h(
    "li",
    h("a.words", { href: recordPath(moduleCode, recordId) }, title),
    h("span.quiet.small", labelOfOne(moduleCode)),
    actButton({
      path: `${ASSIGNMENTS_API}/remove`,
      page,
      body: { termId, moduleCode, recordId },
      name: t("removeIt"),
      label: t("removePasskey", { name: title }),
      done: t("unassigned"),
    }),
  );
}

/** @param {string} moduleCode @param {string} recordId */
async function titleOf(moduleCode, recordId) {
  try {
    const data = await get(`/api/v2/records/${moduleCode}/${recordId}`);
    return data.redacted ? t("hidden") : data.title;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return t("hidden");
  }
}

/** @param {string} termId @param {string} page */
async function assignForm(termId, page) {
  const modules = (await readCatalog()).filter(({ code }) => code !== "taxonomy");
  const module = choiceField(
    { name: "moduleCode", label: t("module"), required: true },
    modules.map(({ code }) => ({ value: code, label: label(code) })),
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
    const here = thisVisit();
    const body = { termId, moduleCode: module.text(), recordId: record.text() };
    const work = () => sendAssignment("POST", ASSIGNMENTS_API, { body });
    await withSession(work);
    announce(t("assigned"));
    await visit(page, here);
  };
  return form([module, record], t("assign"), submit);
}

/** Only the newest tags can be chosen. */
const TERM_ACTS_MAX_CHOICES = 100;
const TOP = "top";

/** @param {any} term */
function termActs(term) {
  if (term.mergedInto !== null) return [];
  const isCategory = term.kind === "CATEGORY";
  const place = term.active ? [rename(term), ...isCategory ? [move(term)] : []] : [];
  return [...place, ...isCategory ? [] : [merge(term)], activity(term)];
}

/** @param {any} term */
function rename(term) {
  const { page, api } = pathsOf(term);
  const name = t("rename");
  return askButton(
    { path: `${api}/rename`, page, name, title: name, done: t("renamed") },
    () => {
      const field = lineField({ name: "name", label: t("newName"), required: true, words: true });
      field.setText(term.name);
      const keep = choiceField(
        { name: "keepAlias", label: t("keepAlias"), required: true },
        choicesOf({ true: t("yes"), false: t("no") }),
      );
      keep.setText("true");
      return [field, keep];
    },
    ({ name, keepAlias }) => ({
      name,
      keepAlias: keepAlias === "true",
      expectedRevision: term.revision,
    }),
  );
}

/** @param {any} term */
function move(term) {
  const { page, api } = pathsOf(term);
  const name = t("move");
  return askButton(
    { path: `${api}/move`, page, name, title: name, done: t("moved") },
    async () => {
      const choices = [{ value: TOP, label: t("top") }, ...await categoryChoices(term.termId)];
      const field = choiceField(
        { name: "parentId", label: t("parentCategory"), required: true },
        choices,
      );
      field.setText(term.parentId ?? TOP);
      return [field];
    },
    ({ parentId }) => ({
      parentId: parentId === TOP ? null : parentId,
      expectedRevision: term.revision,
    }),
  );
}

/** @param {any} term */
function merge(term) {
  const { page, api } = pathsOf(term);
  const name = t("merge");
  return askButton(
    {
      path: `${api}/merge`,
      page,
      name,
      title: name,
      done: t("merged"),
      text: t("mergeText"),
      isGrave: true,
    },
    async () => {
      const data = await get(`${TAGS_API}?limit=${TERM_ACTS_MAX_CHOICES}`);
      const others = data.items.filter(({ termId }) => termId !== term.termId);
      const choices = others.map((tag) => ({
        value: tag.termId,
        label: tag.name,
      }));
      return [choiceField({ name: "intoId", label: t("mergeInto"), required: true }, choices)];
    },
    ({ intoId }) => ({ intoId, expectedRevision: term.revision }),
  );
}

/** @param {any} term */
function activity(term) {
  const { page, api } = pathsOf(term);
  return actButton({
    path: `${api}/${term.active ? "deactivate" : "reactivate"}`,
    name: t(term.active ? "deactivate" : "reactivate"),
    done: t(term.active ? "deactivated" : "reactivated"),
    body: { expectedRevision: term.revision },
    page,
  });
}

/** @type {Page} */
export async function termPage({ params, query }) {
  const term = await readTerm(params.id);
  const { page } = pathsOf(term);
  const isCategory = term.kind === "CATEGORY";
  const [fields, choices, assignments] = await Promise.all([
    fieldsNamed(PATCHED),
    isCategory ? categoryChoices() : [],
    assignmentsPart(term, { page, cursor: query.get("cursor") }),
  ]);
  const parent = choices.find(({ value }) => value === term.parentId);
  const values = { ...term, aliases: term.aliases.length > 0 ? term.aliases : null };
  return {
    title: term.name,
    body: [
      rootFacts(term),
      term.mergedInto !== null
        ? h("p.note", h("a", { href: `${TAGS}/${term.mergedInto}` }, t("mergedHere")))
        : !term.active && h("p.note", t("inactiveText")),
      h(
        "p.quiet",
        h("a", { href: TAGS }, t("tagsTitle")),
        parent !== undefined &&
          [" › ", h("a.words", { href: `${TAGS}/${parent.value}` }, parent.label)],
      ),
      valuesList(fields, values),
      h(
        "div.bar",
        term.active && h("a.main", { href: `${page}/edit` }, t("edit")),
        h("a", { href: `${page}/history` }, t("history")),
        term.active && isCategory && h(
          "a",
          { href: `${TAGS}/categories/new?parent=${term.termId}` },
          t("newSubcategory"),
        ),
        ...termActs(term),
      ),
      ...assignments,
    ],
  };
}

/** Name, place and use, and the fields of a patch. */
const COMPARED = ["name", "parentId", "active", ...PATCHED];

/** @type {Page} */
export async function termHistory(visit) {
  const term = await readTerm(visit.params.id);
  const { page, api } = pathsOf(term);
  const names = await categoryNames();
  const fields = (await fieldsNamed(COMPARED)).map((field) =>
    field.name === "parentId"
      ? {
        ...field,
        label: t("parentCategory"),
        text: (/** @type {any} */ { parentId }) => names.get(parentId) ?? parentId ?? "",
      }
      : field
  );
  return await thingHistory(visit, {
    page,
    api,
    fields,
    isFixed: !term.active,
    fixed: COMPARED.filter((name) => !PATCHED.includes(name)),
    nameOf: ({ name }) => name,
    nameOfChange: changeName,
    earlier: (revision) => `${api}/revisions/${revision}`,
  });
}

/** @returns {Promise<Map<string, string>>} the newest hundred names by id. */
async function categoryNames() {
  const data = await get(`${CATEGORIES_API}?inactive=include&limit=100`);
  return new Map(data.items.map(({ termId, name }) => [termId, name]));
}

/** @param {string} change */
function changeName(change) {
  const names = /** @type {const} */ ({
    CREATED: "created",
    CHANGED: "modified",
    RENAMED: "renamed",
    MOVED: "moved",
    DEACTIVATED: "deactivated",
    REACTIVATED: "reactivated",
    MERGED: "merged",
  });
  const name = names[/** @type {keyof typeof names} */ (change)];
  return name === undefined ? label(change) : t(name);
}
