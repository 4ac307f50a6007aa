/** Records of a module. */

import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { ADDED_KINDS, generalPath, label, notFound, readModule } from "../../core/names.js";
import { row } from "../../fields/controls/forms.js";
import { figureText } from "../../fields/shown/figures.js";
import { ago } from "../../fields/shown/files.js";
import { smallPicture } from "../../fields/shown/pictures.js";
import { nearDayText, startOfDay, statedText } from "../../fields/shown/times.js";
import { instantOf } from "../../logic/local_time.js";
import { doneButton, isOpen } from "../parts/due.js";
import { listPage } from "../parts/lists.js";
import { archivedViews } from "../parts/objects.js";
import { snoozeButtons } from "../parts/snooze.js";
import { conditionsOfQuick, viewOf } from "../parts/views.js";
import { anchorOf } from "./anchors.js";
import { recordFilters } from "./filters.js";
import { openFirst, OWN_ORDERS, recordOrders } from "./orders.js";
import { picturesOf } from "./pictures.js";

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
  const pictures = query.get("archived") !== "only" && await picturesOf(code);
  const { asked, shown, form, active } = recordFilters(module, page, query);
  const quick = query.get(QUICK);
  const until = query.get(UNTIL) ?? "";
  const isAsked = Object.keys(asked).length > 0 || quick !== null || until !== "";
  const canWrite = isGeneric && may("record.write");
  const hasLine = canWrite && ADDED_KINDS.includes(code);
  const either = isGeneric ? conditionsOfQuick(view, quick, new Date()) : [{}];
  const orders = await recordOrders(module, isGeneric ? until : "", either.length > 1);
  // Nearly all routines are open.
  const isSplit = view.isDue && code !== "routine" && query.get("archived") !== "only";
  return await listPage(query, {
    title: label(code),
    api: `/api/v2/records/${code}`,
    filter: { ...archivedViews(), isInMenu: isGeneric },
    narrowed: { ...shown, ...(quick !== null && { [QUICK]: quick }) },
    alsoAsked: asked,
    orders: isAsked || !isSplit
      ? orders
      : orders.map((order) =>
        order.value === "time"
          ? openFirst(order, module, view, conditionsOfQuick(view, "open", new Date()))
          : order
      ),
    either,
    ...(isAsked && { none: t("noMatches") }),
    add: hasLine && { list: code, ...measureOf(query.get("filter[metricType]")) },
    beside: [
      canWrite && !hasLine && link(`${page}/new`, t("newRecord"), "main"),
      isGeneric && quickBar(page, view, quick),
    ],
    after: [
      ...isGeneric ? [jump(page, until)] : [],
      form,
      link(`/console/print/${code}`, t("printView")),
    ],
    above: (items) => h("div", active, code !== "routine" && pictures && pictures(items)),
    below: (items) => code === "routine" && pictures && pictures(items),
    line: (item) => {
      const { recordId, title, redacted, archivedAt, payload } = item;
      const canBeDone = view.isDue && !redacted && archivedAt === null && isOpen(view, payload);
      const record = { moduleCode: code, recordId, title };
      const box = canBeDone && doneButton(record);
      const isDueNow = instantOf(payload?.[view.time ?? ""]) < startOfDay(new Date(), 1).getTime();
      const acts = canBeDone && isDueNow ? snoozeButtons(record) : [];
      return recordLine(module, page, item, { anchor: box || anchorOf(module, item), acts });
    },
  });
}

/** The kind of a list of measurements, with its last unit. @param {string | null} kind */
function measureOf(kind) {
  if (kind === null) return {};
  return {
    measureOf: (/** @type {readonly any[]} */ items) => ({
      kind,
      unit: items.find(({ payload }) => payload?.metricType === kind)?.payload.unit,
    }),
  };
}

/** @param {string} page @param {ModuleView} view @param {string | null} chosen */
function quickBar(page, view, chosen) {
  const names = {
    ...(view.open !== undefined && { open: t("openOnes") }),
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

/**
 * @param {CatalogModule} module @param {string} page @param {any} item
 * @param {Required<Pick<Row, "anchor" | "acts">>} ends
 */
function recordLine(module, page, item, { anchor, acts }) {
  const { recordId, title, createdAt, redacted, payload = {}, attachmentIds } = item;
  const view = viewOf(module.code);
  const isLate = view.isDue && isOpen(view, payload) &&
    instantOf(payload[view.time ?? ""]) < Date.now();
  const facts = redacted
    ? []
    : view.facts.map((fact) => factOf(module, fact, item, isLate)).filter((fact) => fact !== title);
  // In an order by own time, the time of writing would be mistaken for it.
  const hasTime = module.code in OWN_ORDERS ||
    facts.some((fact) => fact instanceof HTMLTimeElement);
  return row({
    anchor,
    name: link(`${page}/${recordId}`, redacted ? t("hidden") : title, "words"),
    facts: [...facts, !hasTime && ago(createdAt, nearDayText)],
    more: [module.code !== "media" && smallPicture(attachmentIds, title)],
    acts,
  });
}

/** The usual values of tasks, which lines leave out. */
const USUAL = ["OPEN", "PLANNED", "TASK"];

/** @type {(module: CatalogModule, fact: string, item: any, isLate: boolean) => Child} */
function factOf({ code, fields, measure }, fact, { title, payload = {} }, isLate) {
  const { isDue } = viewOf(code);
  // The line begins with it.
  if (measure?.field === fact) return false;
  const value = payload[fact];
  const field = fields.find(({ name }) => name === fact);
  if (value === undefined || field === undefined || field.sensitive) return false;
  switch (field.edit) {
    case "datetime": {
      const time = ago(value, nearDayText, statedText(payload));
      const isAfterKind = measure !== null && label(payload.metricType) !== title;
      const when = isDue ? t("due") : label(fact).replace(/ (on|am)$/, "");
      if (!isAfterKind) time.prepend(isLate ? t("overdue") : when, " ");
      time.classList.toggle("late", isLate);
      return time;
    }
    case "number":
      return `${label(fact)} ${figureText(field, value)}`;
    case "select":
      return !(isDue && USUAL.includes(value)) && label(value);
    default:
      return h("span.words", String(value));
  }
}
