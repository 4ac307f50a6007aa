/** Records of any module: lists, pages, printing. */

import {
  ApiError,
  failureText,
  fill,
  get,
  h,
  link,
  may,
  numberText,
  readAll,
  t,
} from "../core/base.js";
import { choicesOf, line } from "../fields/controls.js";
import {
  askedOf,
  boundOfDay,
  conditionLabel,
  conditionsOf,
  filterForm,
  SORT,
} from "../fields/filters.js";
import {
  ago,
  counted,
  figureText,
  fileParts,
  keyValues,
  nearDayText,
  plainValue,
  sizeText,
  timeTag,
  valuesList,
} from "../fields/shown.js";
import { generalPath, label, labelled, modulePath, notFound, readModule } from "../core/names.js";
import { instantOf } from "../logic/local_time.js";
import {
  archiveButton,
  archivedNote,
  archivedViews,
  conditionsOfQuick,
  doneButton,
  isOpen,
  listPage,
  presentValues,
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
  );
  /** @type {Filter[]} */
  const filters = [...single, ...ranges].map((condition) => ({
    name: condition.name,
    label: conditionLabel(condition, words),
    ...controlOf(condition),
  }));
  // Two inputs share a row; a range's inputs stay together.
  filters.splice(single.length % 2 === 1 ? single.length : filters.length, 0, order);
  return {
    asked: Object.fromEntries(asked),
    shown: Object.fromEntries(shown),
    form: filterForm(page, query, filters),
  };
}

/** @param {FilterCondition} condition */
function controlOf({ edit, options }) {
  if (edit === "select") return { options: labelled(options) };
  if (edit === "boolean") return { options: choicesOf({ true: t("yes"), false: t("no") }) };
  return edit === "datetime" ? {} : { type: edit === "number" ? edit : "text" };
}

const QUICK = "show";
const UNTIL = "until";

/** @type {Page} */
export async function records({ params, query }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const { code } = module;
  const page = generalPath(code);
  const view = viewOf(code);
  const isGeneric = module.entry === "GENERIC";
  const isNarrowed = [...query.keys()].some((name) =>
    name === SORT.name || name.startsWith("filter[")
  );
  const pictures = code === "health" && await import("../core/charts.js");
  const narrowing = new URLSearchParams([...query, [SORT.name, "-createdAt"]]);
  const { asked, shown, form } = isNarrowed
    ? recordFilters(module, page, query)
    : { asked: {}, shown: {}, form: link(`${page}?${narrowing}`, t("narrowList")) };
  const quick = query.get(QUICK);
  const until = query.get(UNTIL) ?? "";
  const createdTo = boundOfDay(until, true);
  const isAsked = Object.keys(asked).length > 0 || quick !== null || until !== "";
  const canWrite = isGeneric && may("record.write");
  const sort = query.get(SORT.name);
  return await listPage(query, {
    title: label(code),
    api: `/api/v2/records/${code}`,
    filter: archivedViews(),
    narrowed: { ...shown, ...(quick !== null && { [QUICK]: quick }) },
    alsoAsked: { ...(isGeneric && createdTo !== null && { createdTo }), ...asked },
    either: isGeneric ? conditionsOfQuick(view, quick, new Date()) : [{}],
    compare: orderOf(sort ?? "-createdAt"),
    ...(sort === null && !view.isDue && { arrange: latestFirst(view.time ?? "") }),
    ...(isAsked && { none: t("noMatches") }),
    beside: [
      canWrite && link(`${page}/new`, t("newRecord"), "main"),
      isGeneric && quickBar(page, view, quick),
    ],
    after: [
      ...isGeneric ? [jump(page, until)] : [],
      ...isNarrowed ? [] : [form],
      link(`/console/print/${code}`, t("printView")),
    ],
    above: (items) => h("div", isNarrowed && form, pictures && pictures.healthPictures(items)),
    line: (item) => {
      const { recordId, title, redacted, archivedAt, payload } = item;
      const canBeDone = view.isDue && !redacted && archivedAt === null && isOpen(view, payload);
      const record = { moduleCode: code, recordId, title };
      return recordLine(module, page, item, canBeDone && doneButton(record));
    },
  });
}

/** @type {(sort: string) => Order} */
function orderOf(sort) {
  const field = sort.replace("-", "");
  const sign = sort.startsWith("-") ? -1 : 1;
  const key = (/** @type {any} */ item) => `${item[field]} ${item.recordId}`;
  return (one, other) => key(one) < key(other) ? -sign : sign;
}

/** By the time of the event, a field. @type {(time: string) => Order} */
function latestFirst(time) {
  const at = (/** @type {any} */ { payload, createdAt }) => instantOf(payload?.[time] ?? createdAt);
  return (one, other) => at(other) - at(one);
}

/** @param {string} page @param {ModuleView} view @param {string | null} chosen */
function quickBar(page, view, chosen) {
  const names = {
    ...(view.open.length > 0 && { open: t("openOnes") }),
    ...(view.isDue && { overdue: t("overdue") }),
    month: t("thisMonth"),
  };
  const buttons = Object.entries(names).map(([quick, name]) => {
    const isOn = quick === chosen;
    // A second press shows all again.
    const onclick = () => location.assign(isOn ? page : `${page}?${QUICK}=${quick}`);
    return h("button.chip", { "aria-pressed": String(isOn), onclick }, name);
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

/** @type {(module: CatalogModule, page: string, item: any, act: Child) => Element} */
function recordLine(module, page, item, act) {
  const { recordId, title, createdAt, redacted, payload = {} } = item;
  const view = viewOf(module.code);
  const isLate = view.isDue && isOpen(view, payload) &&
    instantOf(payload[view.time ?? ""]) < Date.now();
  const facts = redacted ? [] : view.facts.map((fact) => factOf(module, fact, payload, isLate));
  const hasTime = facts.some((fact) => fact instanceof HTMLTimeElement);
  return line(
    link(`${page}/${recordId}`, redacted ? t("hidden") : title, "words"),
    [...facts, !hasTime && ago(createdAt, nearDayText)],
    act,
  );
}

/** @type {(module: CatalogModule, fact: string, payload: any, isLate: boolean) => Child} */
function factOf({ fields }, fact, payload, isLate) {
  if (fact.includes("+")) {
    const [amount = "", unit = ""] = fact.split("+");
    return `${numberText(payload[amount])} ${payload[unit]}`;
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
      return h("span.words", String(value));
  }
}

/** @type {Page} */
export async function recordPage({ params }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const { code, entry } = module;
  const path = generalPath(code, params.id);
  const api = `/api/v2/records/${code}/${params.id}`;
  const data = await get(api);
  const title = data.redacted ? t("hidden") : data.title;
  // A module's own title repeats the record's.
  const fields = module.fields.filter(({ name, edit }) =>
    edit !== "text" || data.payload[name] !== data.title
  );
  const { line, rest } = keyValues(fields, data.payload);
  const head = h("div", line);
  const foot = h("div", rootFacts(data));
  const { recordId, redacted, archivedAt } = data;
  const mayWrite = may("record.write");
  const canBeDone = !redacted && archivedAt === null && isOpen(viewOf(code), data.payload);
  const done = canBeDone && doneButton({ moduleCode: code, recordId, title }, (changed) => {
    Object.assign(data, changed);
    fill(head, keyValues(fields, data.payload).line);
    fill(foot, rootFacts(data));
  });
  return {
    title,
    body: [
      h("p.small.on-screen", link(modulePath(code), label(code))),
      head,
      archivedNote(data),
      data.summary !== "" && h("p.words.lead", data.summary),
      valuesList(rest, data.payload),
      entry === "GENERIC" && h(
        "div.bar",
        done,
        mayWrite && link(`${path}/edit`, t("edit"), "main"),
        link(`${path}/history`, t("history")),
        mayWrite && archiveButton(data, { api }),
      ),
      tagsSection(code, recordId),
      foot,
      h("p.small.on-screen", link(`${path}/executions`, t("executions"))),
    ],
  };
}

/** Modules with dedicated routes, whose sensitive fields the generic list omits. */
const OWN_LISTS = /** @type {Readonly<Record<string, { list: string, title: string }>>} */ ({
  memory: { list: "/api/v2/memory/texts", title: "title" },
  relationship: { list: "/api/v2/relationship/people", title: "personName" },
  decision: { list: "/api/v2/decision/decisions", title: "question" },
  resource: { list: "/api/v2/resource/resources", title: "name" },
});
/** Not printed: on the screen a model's text shows its origin. */
const OF_MODEL = "aiDraft";

/** @type {Page} */
export async function printPage({ params }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const secrets = h("input", { type: "checkbox" });
  const button = h("button.main", { onclick: () => globalThis.print() }, t("print"));
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
      // Replaces the earlier choice, which may be sensitive.
      if (!(error instanceof ApiError)) throw error;
      return [h("p", failureText(error.code))];
    });
    if (own !== asked) return;
    fill(records, shown);
    button.disabled = false;
  };
  secrets.addEventListener("change", show);
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
  const shown = fields.filter(({ name }) => name !== OF_MODEL && name !== own.title);
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
    api: "/api/v2/attachments",
    isLong: true,
    above: () => h("p", t("filesText")),
    line: (file) => line(fileParts(file), [timeTag(file.createdAt), sizeText(file.size)]),
  });
}
