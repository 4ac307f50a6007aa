/** A year of memories as a calendar. */

import { iconButton } from "../../core/acts/buttons.js";
import { h, link } from "../../core/base/elements.js";
import { numberText, t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { notLoaded } from "../../core/base/visits.js";
import { newId } from "../../fields/controls/rows.js";
import { counted } from "../../fields/shown/figures.js";
import { rangeText } from "../../fields/shown/stated.js";
import { dateText } from "../../fields/shown/times.js";
import { DAY_MS, deviceZone, utcDate } from "../../logic/local_time.js";
import { LIST } from "./texts.js";

/** The counts at which a square is fuller. */
const STEPS = [1, 2, 3, 5, 10];

/** The service counts no days beyond the year 9999. */
const YEAR = /^(?!9999)[1-9]\d{3}$/;

/**
 * Narrows the list to the year of the address, unless it names a period.
 * @param {URLSearchParams} query
 */
export function withYear(query) {
  const year = query.get("year") ?? "";
  if (!YEAR.test(year) || query.has("from") || query.has("to")) return query;
  return new URLSearchParams([...query, ["from", `${year}-01-01`], ["to", `${year}-12-31`]]);
}

/**
 * The button that opens the calendar of the year, and the calendar. It is open if the address has
 * a year.
 * @param {URLSearchParams} query
 * @returns {[HTMLElement, HTMLElement]}
 */
export function yearCalendar(query) {
  const asked = [query.get("year") ?? "", (query.get("from") ?? "").slice(0, 4)];
  const year = Number(asked.find((text) => YEAR.test(text)) ?? new Date().getFullYear());
  /** @type {Promise<unknown> | undefined} */
  let made;
  const place = h("div", { id: newId(), hidden: true });
  const onclick = () => {
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", String(!place.hidden));
    made ??= yearFigure(year).then((figure) => place.append(figure)).catch(() => made = undefined);
  };
  const button = iconButton("calendar", t("yearAsCalendar"), onclick);
  button.setAttribute("aria-controls", place.id);
  button.setAttribute("aria-expanded", "false");
  if (query.has("year")) onclick();
  return [button, place];
}

/** @param {number} year */
async function yearFigure(year) {
  const [{ readFigure }, { drawingOf, tableOf }, { yearLayout }, texts] = await Promise.all([
    import("../../core/charts/figure.js"),
    import("../../core/charts/pictures.js"),
    import("../../core/figures/squares.js"),
    import("../../core/figures/year_texts.js"),
  ]).catch(notLoaded);
  const title = t("memoriesOf", { year });
  const { element, show } = readFigure({
    title,
    kind: "memory",
    read: () => readDays(year),
    content: (days) => {
      const { squares, bars } = shapesOf(days, year);
      const exact = sumOf(squares);
      const vague = sumOf(bars);
      if (exact + vague < 2) return [h("p.quiet", counted(exact + vague, "tooFewMemories"))];
      const shown = { year, firstDay: texts.firstDayOfWeek(), squares, bars };
      const rows = [...squares, ...bars].map(({ path, when, count }) => [link(path, when), count]);
      return [
        drawingOf(title, (width) => yearLayout(shown, width, texts.yearTexts())),
        h("p", t("memoriesText", { exact: numberText(exact), vague: numberText(vague) })),
        h("p.small.quiet", t("memorySquaresText")),
        tableOf(title, [t("pictureTime"), t("memories")], rows),
      ];
    },
  });
  void show(undefined);
  return element;
}

/** @param {number} year @returns {Promise<DayCounts>} */
function readDays(year) {
  const sent = {
    module: "memory",
    from: `${year}-01-01`,
    until: `${year + 1}-01-01`,
    zone: deviceZone() ?? "UTC",
  };
  return get(`/api/v2/insight/days?${new URLSearchParams(sent)}`);
}

/**
 * Days with memories as squares, and longer units of the calendar as bars; each leads to its list.
 * @param {Pick<DayCounts, "days" | "ranges">} counts
 * @param {number} year
 */
export function shapesOf({ days, ranges }, year) {
  const pathOf = (/** @type {string} */ from, /** @type {string} */ to) =>
    `${LIST}?year=${year}&from=${from}&to=${to}`;
  const squares = days.map(({ day, total }) => {
    const when = dateText(new Date(`${day}T00:00`));
    const level = STEPS.filter((step) => step <= total).length;
    return { day, level, when, count: total, text: `${when}: ${total}`, path: pathOf(day, day) };
  });
  const bars = ranges.map(({ precision, from, until, count }) => {
    const when = rangeText(precision, new Date(from));
    const text = `${when}: ${count}`;
    const path = pathOf(from, utcDate(Date.parse(until) - DAY_MS));
    return { from, until, lane: precision, name: text, short: `${count}`, when, count, text, path };
  });
  return { squares, bars };
}

/** @param {readonly { count: number }[]} shapes */
function sumOf(shapes) {
  return shapes.reduce((sum, { count }) => sum + count, 0);
}
