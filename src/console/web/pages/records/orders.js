/** Orders of lists of records. */

import { t } from "../../core/base/language.js";
import { notLoaded } from "../../core/base/visits.js";
import { boundOfDay } from "../../fields/filters.js";
import { monthHeading } from "../../fields/shown/stated.js";
import { instantOf } from "../../logic/local_time.js";
import { sortedBy } from "../parts/order.js";

/** Orders by the records' own time; all others are newest first. @type {Texts} */
export const OWN_ORDERS = {
  action: "time",
  commitment: "time",
  routine: "time",
  timeline: "-time",
  health: "-time",
  review: "-time",
  media: "-time",
};

/** Lists with months as headings. */
const MONTHLY = ["timeline", "health", "review", "media"];

/** The first own time that is set. @type {(module: CatalogModule, item: any) => string | null} */
function ownTimeOf({ times }, { payload }) {
  return times.map((name) => payload?.[name]).find((time) => time !== undefined) ?? null;
}

/** Increases along an order by time; those without one are last. */
const placeIn = (/** @type {string} */ sort, /** @type {string | null} */ time) =>
  time === null ? Infinity : instantOf(time) * (sort.startsWith("-") ? -1 : 1);

/**
 * The orders of a module's records, the first of the list first.
 * @param {CatalogModule} module @param {string} until The day to which the list jumps.
 * @param {boolean} isMerged True if several lists are read as one.
 * @returns {Promise<readonly ListOrder[]>}
 */
export async function recordOrders(module, until, isMerged) {
  const { code, times } = module;
  const { orderForm = String } = isMerged
    ? await import("../../logic/word_forms.js").catch(notLoaded)
    : {};
  const headings = MONTHLY.includes(code) ? monthsOf(module) : undefined;
  const texts = {
    ...(times.length > 0 && { "-time": t("latestFirst"), time: t("earliestFirst") }),
    title: t("title"),
    "-title": t("titleFromZ"),
    "-createdAt": t("newestFirst"),
    createdAt: t("oldestFirst"),
    "-updatedAt": t("newestChangeFirst"),
    updatedAt: t("oldestChangeFirst"),
  };
  const orders = Object.entries(texts).map(([sort, text]) => ({
    ...sortedBy(sort, text),
    asked: { sort, ...boundOf(sort, until) },
    compare: orderOf(sort, (item) => ownTimeOf(module, item), orderForm),
    ...(headings && sort.endsWith("time") && { headings: headings(sort) }),
  }));
  const first = OWN_ORDERS[code] ?? "-createdAt";
  return orders.toSorted((one, other) =>
    Number(other.value === first) - Number(one.value === first)
  );
}

/**
 * By date: open records first, then finished ones, the latest first.
 * @type {(order: ListOrder, module: CatalogModule, view: ModuleView, open: readonly Texts[]) =>
 *   ListOrder}
 */
export function openFirst(order, module, view, open) {
  const { field = "", values = [] } = view.open ?? {};
  const options = module.fields.find(({ name }) => name === field)?.options ?? [];
  const finished = options.filter((value) => !values.includes(value));
  const heading = t("finishedOnes");
  return {
    ...order,
    first: { either: open },
    rest: {
      either: finished.map((value) => ({ [`filter[${field}]`]: value })),
      asked: { sort: "-time" },
      compare: orderOf("-time", (item) => ownTimeOf(module, item), String),
      text: t("showFinished"),
    },
    headings: {
      headingOf: ({ payload }) => finished.includes(payload?.[field]) ? heading : undefined,
    },
  };
}

/** @param {CatalogModule} module @returns {(sort: string) => Headings} */
function monthsOf(module) {
  return (sort) => ({
    headingOf: (item) =>
      monthHeading({
        occurredAt: ownTimeOf(module, item),
        timePrecision: item.payload?.timePrecision ?? null,
        timeRange: null,
      }),
    placeOf: (item) => placeIn(sort, ownTimeOf(module, item)),
  });
}

/**
 * The order of lists that are read as one. Those without a time, and hidden ones, are last, newest
 * first.
 * @type {(sort: string, timeOf: (item: any) => string | null, orderForm: (title: string) => string)
 *   => Order}
 */
export function orderOf(sort, timeOf, orderForm) {
  const field = sort.replace("-", "");
  const sign = sort.startsWith("-") ? -1 : 1;
  const keyOf = (/** @type {any} */ item) => {
    if (field === "time") {
      const time = timeOf(item);
      return time === null ? null : instantOf(time);
    }
    return field === "title" ? item.redacted ? null : orderForm(item.title) : item[field];
  };
  return (one, other) => {
    const [first, second] = [keyOf(one), keyOf(other)];
    if (first === null || second === null) {
      if (first !== second) return first === null ? 1 : -1;
      return one.recordId < other.recordId ? 1 : -1;
    }
    if (first !== second) return first < second ? -sign : sign;
    return one.recordId < other.recordId ? -sign : sign;
  };
}

/** The conditions for a day in a list of this order. @param {string} sort @param {string} day */
export function boundOf(sort, day) {
  const [first, last] = [boundOfDay(day, false), boundOfDay(day, true)];
  if (first === null || last === null) return {};
  if (sort === "time") return { "time[from]": first };
  return sort === "-time" ? { "time[to]": last } : { createdTo: last };
}
