/** Records of a module. */

import { h, link } from "../../core/base/elements.js";
import { numberText, t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { ADDED_KINDS, generalPath, label, notFound, readModule } from "../../core/names.js";
import { line } from "../../fields/controls/forms.js";
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
import { recordFilters } from "./filters.js";
import { OWN_ORDERS, recordOrders } from "./orders.js";
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
  return await listPage(query, {
    title: label(code),
    api: `/api/v2/records/${code}`,
    filter: archivedViews(),
    narrowed: { ...shown, ...(quick !== null && { [QUICK]: quick }) },
    alsoAsked: asked,
    orders: await recordOrders(module, isGeneric ? until : "", either.length > 1),
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
    above: (items) => h("div", active, pictures && pictures(items)),
    line: (item) => {
      const { recordId, title, redacted, archivedAt, payload } = item;
      const canBeDone = view.isDue && !redacted && archivedAt === null && isOpen(view, payload);
      if (!canBeDone) return recordLine(module, page, item, []);
      const record = { moduleCode: code, recordId, title };
      const isDueNow = instantOf(payload[view.time ?? ""]) < startOfDay(new Date(), 1).getTime();
      const acts = [doneButton(record), ...isDueNow ? snoozeButtons(record) : []];
      return recordLine(module, page, item, acts);
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

/** @type {(module: CatalogModule, page: string, item: any, acts: readonly Child[]) => Element} */
function recordLine(module, page, item, acts) {
  const { recordId, title, createdAt, redacted, payload = {}, attachmentIds } = item;
  const view = viewOf(module.code);
  const isLate = view.isDue && isOpen(view, payload) &&
    instantOf(payload[view.time ?? ""]) < Date.now();
  const facts = redacted ? [] : view.facts.map((fact) => factOf(module, fact, payload, isLate));
  // In an order by own time, the time of writing would be mistaken for it.
  const hasTime = module.code in OWN_ORDERS ||
    facts.some((fact) => fact instanceof HTMLTimeElement);
  return line(
    link(`${page}/${recordId}`, redacted ? t("hidden") : title, "words"),
    [...facts, !hasTime && ago(createdAt, nearDayText)],
    smallPicture(attachmentIds, title),
    ...acts,
  );
}

/** Without a unit that no language translates. @param {number} value @param {string} unit */
function measureText(value, unit) {
  return ["of 10", "steps"].includes(unit) ? numberText(value) : `${numberText(value)} ${unit}`;
}

/** @type {(module: CatalogModule, fact: string, payload: any, isLate: boolean) => Child} */
function factOf({ fields, measure }, fact, payload, isLate) {
  if (measure?.field === fact) return measureText(payload[fact], payload[measure.unit]);
  const value = payload[fact];
  const field = fields.find(({ name }) => name === fact);
  if (value === undefined || field === undefined || field.sensitive) return false;
  switch (field.edit) {
    case "datetime": {
      const time = ago(value, nearDayText, statedText(payload));
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
