/** Records of any module: lists, pages, printing. */

import {
  ApiError,
  failureText,
  fill,
  h,
  may,
  numberText,
  readAll,
  send,
  t,
  timeTag,
} from "../core/base.js";
import { choicesOf, line, viewsOf } from "../fields/controls.js";
import { askedOf, conditionLabel, conditionsOf, filterForm, SORT } from "../fields/filters.js";
import {
  ago,
  counted,
  figureText,
  fileParts,
  keyValues,
  nearDayText,
  plainValue,
  sizeText,
  valuesList,
} from "../fields/shown.js";
import { label, labelled, modulePath, notFound, readModule } from "../core/names.js";
import {
  archiveButton,
  archivedNote,
  conditionsOfQuick,
  doneButton,
  isOpen,
  listPage,
  presentValues,
  quickFilters,
  rootFacts,
  tagsSection,
  viewOf,
} from "./parts.js";

/** @param {CatalogModule} module @param {string} page @param {URLSearchParams} query */
function recordFilters(module, page, query) {
  const conditions = conditionsOf(module);
  const asked = askedOf(conditions, query);
  const shown = [...query].filter(([name]) => name === SORT.name || asked.has(name));
  const words = { from: t("filterFrom"), to: t("filterTo"), exactly: t("filterExactly") };
  const orders = {
    createdAt: t("oldestFirst"),
    "-updatedAt": t("newestChangeFirst"),
    updatedAt: t("oldestChangeFirst"),
  };
  const order = {
    name: SORT.name,
    label: t("order"),
    none: t("newestFirst"),
    options: SORT.orders.map((value) => ({ value, label: orders[value] })),
  };
  const [single = [], ranges = []] = [true, false].map((isSingle) =>
    conditions.filter(({ comparison }) => (comparison === "equals") === isSingle)
      .map((condition) => ({
        name: condition.name,
        label: conditionLabel(condition, words),
        ...controlOf(condition),
      }))
  );
  // Two inputs share a row; a range's inputs stay together.
  const isOdd = single.length % 2 === 1;
  const filters = [...single, ...(isOdd ? [order] : []), ...ranges, ...(isOdd ? [] : [order])];
  return {
    asked: Object.fromEntries(asked),
    shown: Object.fromEntries(shown),
    form: filterForm(page, query, filters),
  };
}

/** @param {FilterCondition} condition */
function controlOf({ edit, options }) {
  switch (edit) {
    case "select":
      return { options: labelled(options) };
    case "boolean":
      return {
        options: choicesOf({ true: t("yes"), false: t("no") }),
      };
    case "datetime":
      return {};
    default:
      return { type: edit === "number" ? "number" : "text" };
  }
}

const QUICK = "show";
const UNTIL = "until";

/** @type {Page} */
export async function records({ params, query }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const page = `/console/records/${module.code}`;
  const view = viewOf(module.code);
  const isGeneric = module.entry === "GENERIC";
  const isNarrowed = [...query.keys()].some((name) =>
    name === "sort" || name.startsWith("filter[")
  );
  const pictures = module.code === "health" && await import("../core/charts.js");
  const { asked, shown, form } = isNarrowed
    ? recordFilters(module, page, query)
    : { asked: {}, shown: {}, form: narrowLink(page, query) };
  const quick = query.get(QUICK);
  const until = query.get(UNTIL) ?? "";
  const isAsked = Object.keys(asked).length > 0 || quick !== null || until !== "";
  const canWrite = isGeneric && may("record.write");
  const isArchived = query.get("archived") === "only";
  const sort = query.get("sort") ?? "-createdAt";
  return await listPage(query, {
    title: label(module.code),
    page,
    api: `/api/v2/records/${module.code}`,
    filter: {
      name: "archived",
      views: viewsOf({ exclude: t("currentItems"), only: t("archivedItems") }),
    },
    narrowed: { ...shown, ...(quick !== null && { [QUICK]: quick }) },
    alsoAsked: { ...(isGeneric && endOfDay(until)), ...asked },
    either: isGeneric ? conditionsOfQuick(view, quick, new Date()) : [{}],
    compare: orderOf(sort),
    ...(!query.has("sort") && !view.isDue && { arrange: latestFirst(view.time ?? "") }),
    none: t(isAsked ? "noMatches" : isArchived ? "noneArchived" : "noneYet"),
    beside: [
      canWrite && h("a.main", { href: `${page}/new` }, t("newRecord")),
      isGeneric && quickBar(page, view, quick),
    ],
    after: [
      ...isGeneric ? [jump(page, until)] : [],
      ...isNarrowed ? [] : [form],
      h("a", { href: `/console/print/${module.code}` }, t("printView")),
    ],
    above: (items) => h("div", isNarrowed && form, pictures && pictures.healthPictures(items)),
    line: (item) => {
      const { recordId, title, redacted, archivedAt, payload } = item;
      const canBeDone = view.isDue && !redacted && archivedAt === null && isOpen(view, payload);
      const record = { moduleCode: module.code, recordId, title };
      return recordLine(module, page, item, canBeDone && doneButton(record));
    },
  });
}

/** @param {string} sort */
function orderOf(sort) {
  const field = sort.replace("-", "");
  const sign = sort.startsWith("-") ? -1 : 1;
  const key = (/** @type {any} */ item) => `${item[field]} ${item.recordId}`;
  return (/** @type {any} */ one, /** @type {any} */ other) => key(one) < key(other) ? -sign : sign;
}

/** By the time of what happened. @param {string} time A field. */
function latestFirst(time) {
  const at = (/** @type {any} */ { payload, createdAt }) => payload?.[time] ?? createdAt;
  return (/** @type {any} */ one, /** @type {any} */ other) =>
    Date.parse(at(other)) - Date.parse(at(one));
}

/** Records made until the end of a day of this device. @param {string} day */
function endOfDay(day) {
  const [year = NaN, month = NaN, date = NaN] = day.split("-").map(Number);
  const end = new Date(year, month - 1, date + 1).getTime() - 1;
  return Number.isNaN(end) ? {} : { createdTo: new Date(end).toISOString() };
}

/** @param {string} page @param {ModuleView} view @param {string | null} chosen */
function quickBar(page, view, chosen) {
  const names = { open: t("openOnes"), overdue: t("overdue"), month: t("thisMonth") };
  const buttons = quickFilters(view).map((quick) => {
    const isOn = quick === chosen;
    // A second press shows all again.
    const onclick = () => location.assign(isOn ? page : `${page}?${QUICK}=${quick}`);
    return h(
      "button",
      { class: "chip", "aria-pressed": String(isOn), onclick },
      names[quick],
    );
  });
  return h("div.bar.chips", { role: "group", "aria-label": t("quickFilters") }, buttons);
}

/** @param {string} page @param {string} until */
function jump(page, until) {
  const input = h("input", { type: "date", value: until });
  // A year that is being typed has zeros first.
  const onchange = () => {
    if (!input.value.startsWith("0")) {
      location.assign(input.value === "" ? page : `${page}?${UNTIL}=${input.value}`);
    }
  };
  const onsubmit = (/** @type {Event} */ event) => event.preventDefault();
  return h("form.bar", { onchange, onsubmit }, h("label", t("jumpToDate"), input));
}

/** @param {string} page @param {URLSearchParams} query */
function narrowLink(page, query) {
  const same = new URLSearchParams([...query, ["sort", "-createdAt"]]);
  return h("a", { href: `${page}?${same}` }, t("narrowList"));
}

/**
 * @param {CatalogModule} module
 * @param {string} page
 * @param {StoredRecord} item
 * @param {Child} act
 */
function recordLine(module, page, item, act) {
  const { recordId, title, createdAt, redacted } = item;
  const payload = /** @type {any} */ (item).payload ?? {};
  const view = viewOf(module.code);
  const isLate = view.isDue && isOpen(view, payload) &&
    Date.parse(payload[view.time ?? ""]) < Date.now();
  const facts = redacted ? [] : view.facts.map((fact) => factOf(module, fact, payload, isLate));
  const hasTime = facts.some((fact) => fact instanceof HTMLTimeElement);
  return line(
    h("a.words", { href: `${page}/${recordId}` }, redacted ? t("hidden") : title),
    [...facts, !hasTime && ago(createdAt, nearDayText)],
    act,
  );
}

/**
 * @param {CatalogModule} module
 * @param {string} fact
 * @param {any} payload
 * @param {boolean} isLate True if it is overdue.
 */
function factOf({ fields }, fact, payload, isLate) {
  if (fact.includes("+")) {
    return fact.split("+").map((name) => shortText(payload[name])).join(" ").trim();
  }
  const value = payload[fact];
  const field = fields.find(({ name }) => name === fact);
  if (value === undefined || field === undefined || field.sensitive) return false;
  switch (field.edit) {
    case "datetime": {
      const time = ago(value, nearDayText);
      // "Due on" a date, but "due tomorrow".
      time.prepend(isLate ? t("overdue") : label(fact).replace(/ (on|am)$/, ""), " ");
      time.classList.toggle("late", isLate);
      return time;
    }
    case "number":
      return `${label(fact)} ${figureText(field, value)}`;
    case "select":
      return label(value);
    default:
      return h("span.words", shortText(value));
  }
}

/** @param {unknown} value */
function shortText(value) {
  return typeof value === "number" ? numberText(value) : value === undefined ? "" : String(value);
}

/** @type {Page} */
export async function recordPage({ params }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const path = `/console/records/${module.code}/${params.id}`;
  const api = `/api/v2/records/${module.code}/${params.id}`;
  /** @type {{ data: StoredRecord }} */
  const { data } = await send("GET", api);
  const title = data.redacted ? t("hidden") : data.title;
  // A module's own title repeats the record's.
  const fields = module.fields.filter(({ name, edit }) =>
    edit !== "text" || data.payload[name] !== data.title
  );
  const { line, rest } = keyValues(fields, data.payload);
  const head = h("div", line);
  const foot = h("div", rootFacts(data));
  const view = viewOf(module.code);
  const canBeDone = !data.redacted && data.archivedAt === null && isOpen(view, data.payload);
  const done = canBeDone && doneButton(
    { moduleCode: module.code, recordId: data.recordId, title },
    (changed) => {
      Object.assign(data, changed);
      fill(head, keyValues(fields, data.payload).line);
      fill(foot, rootFacts(data));
    },
  );
  return {
    title,
    body: [
      h("p.small.on-screen", h("a", { href: modulePath(module.code) }, label(module.code))),
      head,
      archivedNote(data),
      data.summary !== "" && h("p.words.lead", data.summary),
      valuesList(rest, data.payload),
      module.entry === "GENERIC" && h(
        "div.bar",
        done,
        h("a.main", { href: `${path}/edit` }, t("edit")),
        h("a", { href: `${path}/history` }, t("history")),
        archiveButton(data, { page: path, api }),
      ),
      tagsSection(module.code, data.recordId, path),
      foot,
      h("p.small.on-screen", h("a", { href: `${path}/executions` }, t("executions"))),
    ],
  };
}

/**
 * The generic list omits sensitive fields of modules with dedicated routes: their own lists, and title
 * fields.
 */
const OWN_LISTS = /** @type {Readonly<Record<string, { list: string, title: string }>>} */ ({
  memory: { list: "/api/v2/memory/texts", title: "title" },
  relationship: { list: "/api/v2/relationship/people", title: "personName" },
  decision: { list: "/api/v2/decision/decisions", title: "question" },
  resource: { list: "/api/v2/resource/resources", title: "name" },
});
/** Not printed: on the screen a model's text shows its origin. */
const OF_MODELS = new Set(["aiDraft"]);

/** @type {Page} */
export async function printPage({ params }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const secrets = h("input", { type: "checkbox" });
  const button = h("button.main", { onclick: () => globalThis.print() });
  const records = h("div");
  /** Only the last request is shown. */
  let asked = 0;
  const show = async () => {
    const own = ++asked;
    const withSecrets = secrets.checked;
    button.disabled = true;
    const shown = await readRecords(module, withSecrets).then((items) => [
      h("p.quiet", counted(items.length, "manyRecords")),
      ...items.map((item) => article(module, item, withSecrets)),
    ]).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      return [h("p", failureText(error.code))];
    });
    if (own !== asked) return;
    fill(records, shown);
    button.disabled = false;
  };
  secrets.addEventListener("change", show);
  fill(button, t("print"));
  await show();
  return {
    title: label(module.code),
    body: [h("div.bar", button, h("label.choice", secrets, t("includeSensitive"))), records],
  };
}

/** @param {CatalogModule} module @param {boolean} withSecrets */
async function readRecords({ code, fields }, withSecrets) {
  const own = OWN_LISTS[code];
  if (own === undefined || !withSecrets) return await readAll(`/api/v2/records/${code}?limit=100`);
  const items = await readAll(`${own.list}?limit=100`);
  const shown = fields.filter(({ name }) => !OF_MODELS.has(name) && name !== own.title);
  return items.map((item) => ({
    ...item,
    title: item[own.title],
    summary: item.summary ?? "",
    payload: presentValues(shown, item),
  }));
}

/** @param {CatalogModule} module @param {any} record @param {boolean} withSecrets */
function article({ fields }, record, withSecrets) {
  const { title, summary, payload, redacted } = record;
  return h(
    "article",
    h("h2.words", redacted ? t("hidden") : title),
    summary !== "" && h("p.words", summary),
    valuesList(
      fields,
      payload,
      ({ sensitive, ...field }, value) =>
        sensitive && !withSecrets ? h("span.quiet", t("notPrinted")) : plainValue(field, value),
    ),
    rootFacts(record),
  );
}

/** @type {Page} */
export function filesPage({ query }) {
  return listPage(query, {
    title: t("files"),
    page: "/console/files",
    api: "/api/v2/attachments",
    isLong: true,
    above: () => h("p", t("filesText")),
    line: (file) =>
      line(fileParts(file), [
        timeTag(file.createdAt),
        sizeText(file.size),
      ]),
  });
}
