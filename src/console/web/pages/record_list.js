import { label, notFound, readModule } from "../core/names.js";
import { h, numberText, t } from "../core/base.js";
import { ago, nearDayText } from "../fields/shown.js";
import { line } from "../fields/controls.js";
import { conditionsOfQuick, isOpen, quickFilters, viewOf } from "../fields/module_values.js";
import { listPage } from "./list_page.js";

const QUICK = "show";
const UNTIL = "until";

/** @type {Page} */
export default async function records({ params, query, session }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const page = `/console/records/${module.code}`;
  const view = viewOf(module.code);
  const isGeneric = module.entry === "GENERIC";
  const isNarrowed = [...query.keys()].some((name) =>
    name === "sort" || name.startsWith("filter[")
  );
  const pictures = module.code === "health" && await import("./health_pictures.js");
  const buttons = view.isDue && await import("../fields/module_values.js");
  // Most lists have no filter.
  const filters = isNarrowed && await import("./record_filters.js");
  const { asked, shown, form } = filters
    ? await filters.recordFilters(module, page, query)
    : { asked: {}, shown: {}, form: narrowLink(page, query) };
  const quick = query.get(QUICK);
  const until = query.get(UNTIL) ?? "";
  const isAsked = Object.keys(asked).length > 0 || quick !== null || until !== "";
  const canWrite = isGeneric && session.permissions.includes("record.write");
  const isArchived = query.get("archived") === "only";
  const sort = query.get("sort") ?? "-createdAt";
  return await listPage(query, {
    title: label(module.code),
    page,
    api: `/api/v2/records/${module.code}`,
    filter: {
      name: "archived",
      views: [
        { value: "exclude", text: t("currentItems") },
        { value: "only", text: t("archivedItems") },
      ],
    },
    narrowed: { ...shown, ...(quick !== null && { [QUICK]: quick }) },
    alsoAsked: { ...(isGeneric && endOfDay(until)), ...asked },
    either: isGeneric ? conditionsOfQuick(view, quick, new Date()) : [{}],
    compare: orderOf(sort),
    none: t(isAsked ? "noMatches" : isArchived ? "noneArchived" : "noneYet"),
    beside: [
      canWrite && h("a.main", { href: `${page}/new` }, t("newRecord")),
      isGeneric && quickBar(page, view, quick),
    ],
    after: [h("a", { href: `/console/print/${module.code}` }, t("printView"))],
    above: (items) =>
      h(
        "div",
        isGeneric ? h("div.bar", jump(page, until), !filters && form) : form,
        filters && form,
        pictures && pictures.healthPictures(items),
      ),
    line: (item) => {
      const { recordId, title, redacted, archivedAt, payload } = item;
      const canBeDone = buttons && !redacted && archivedAt === null && isOpen(view, payload);
      const record = { moduleCode: module.code, recordId, title };
      return recordLine(module, page, item, canBeDone && buttons.doneButton(session, record));
    },
  });
}

/** @param {string} sort As the API's. */
function orderOf(sort) {
  const field = sort.replace("-", "");
  const sign = sort.startsWith("-") ? -1 : 1;
  const key = (/** @type {any} */ item) => `${item[field]} ${item.recordId}`;
  return (/** @type {any} */ one, /** @type {any} */ other) => key(one) < key(other) ? -sign : sign;
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
  const links = quickFilters(view).map((quick) => {
    const isOn = quick === chosen;
    // A second press shows all again.
    const href = isOn ? page : `${page}?${QUICK}=${quick}`;
    return h("a.chip", { href, "aria-current": isOn && "true" }, names[quick]);
  });
  return h("div.bar", { role: "group", "aria-label": t("quickFilters") }, links);
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
  const facts = redacted ? [] : view.facts.map((fact) => factOf(module, fact, payload));
  const hasTime = facts.some((fact) => fact instanceof HTMLTimeElement);
  return line(
    h("a.words", { href: `${page}/${recordId}` }, redacted ? t("hidden") : title),
    [...facts, !hasTime && ago(createdAt, nearDayText)],
    act,
  );
}

/** @param {CatalogModule} module @param {string} fact @param {any} payload */
function factOf({ fields }, fact, payload) {
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
      time.prepend(`${label(fact).replace(/ (on|am)$/, "")} `);
      return time;
    }
    case "number":
      return `${label(fact)} ${numberText(value)}`;
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
