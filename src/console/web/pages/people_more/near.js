/** The figure of the people that one wants to be near. */

import { h, link } from "../../core/base/elements.js";
import { loadArea, numberText, t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { recordPath } from "../../core/names.js";
import { counted } from "../../fields/shown/figures.js";
import { deviceZone } from "../../logic/local_time.js";

/** On a phone the list of people stays in the first window. */
const FIRST = { narrow: 1, wide: 3 };

const NARROW = "(max-width: 39.99rem)";

const MAX_DRAWN = 20;

/** The most that the service counts in one answer. */
const MAX_READ = 100;

const loadCharts = () =>
  Promise.all([
    import("../../core/charts/figure.js"),
    import("../../core/charts/pictures.js"),
    import("../../core/life_charts/near.js"),
    loadArea("life"),
  ]);

/** Hidden until it is read, and if there is no wish. */
export function nearFigure() {
  const place = h("div");
  void fillIn(place);
  return place;
}

/** @param {Element} place */
async function fillIn(place) {
  // The list reports a lost connection.
  const charts = await loadCharts().catch(() => null);
  if (charts === null) return;
  const [{ readFigure }, { tableOf }] = charts;
  const asked = new URLSearchParams({ zone: deviceZone() ?? "UTC", limit: String(MAX_READ) });
  const title = t("nearTitle");
  const columns = [t("nameOf"), t("nearDays"), t("nearWish"), t("shown")];
  const { element, show, focus } = readFigure({
    title,
    kind: "relationship",
    read: () => get(`/api/v2/insight/contacts?${asked}`),
    /** @param {Data} page @returns {readonly Child[]} */
    content({ items, nextCursor }) {
      element.hidden = items.length === 0;
      if (element.hidden) return [];
      return [
        h("p.small.quiet", sentenceOf(items)),
        nextCursor !== null && h("p.small.quiet", t("nearFirst", { count: String(MAX_READ) })),
        ...pictureOf(title, items.map(barOf), focus, charts),
        tableOf(title, columns, rowsOf(items)),
      ];
    },
  });
  await show(undefined);
  place.append(element);
}

/**
 * The first people, and a button that shows more.
 * @param {string} title
 * @param {readonly NearBar[]} bars
 * @param {() => void} focus
 * @param {Awaited<ReturnType<typeof loadCharts>>} charts
 */
function pictureOf(title, bars, focus, [, { drawingOf }, { nearLayout }]) {
  const draw = (/** @type {number} */ count) =>
    drawingOf(title, (width) => nearLayout(bars.slice(0, count), width));
  const first = matchMedia(NARROW).matches ? FIRST.narrow : FIRST.wide;
  const drawing = h("div", draw(first));
  const onclick = () => {
    drawing.replaceChildren(draw(MAX_DRAWN));
    more.remove();
    focus();
  };
  const count = numberText(Math.min(bars.length, MAX_DRAWN));
  const more = h("p", h("button.plain", { onclick }, t("nearMore", { count })));
  return [drawing, bars.length > first && more];
}

/** @param {readonly ContactState[]} people */
function sentenceOf(people) {
  const late = people.filter(({ daysOver }) => daysOver > 0).length;
  return counted(people.length, "nearText", { late: numberText(late) });
}

/** @param {ContactState} person @returns {NearBar} */
function barOf({ personName, desiredContactIntervalDays, daysSince, daysOver }) {
  const state = `${counted(daysSince, "daysLong")} · ${stateOf(daysOver)}`;
  return {
    name: personName,
    state,
    days: daysSince,
    wish: desiredContactIntervalDays,
    text: `${personName}: ${state}`,
  };
}

/** @param {number} daysOver */
function stateOf(daysOver) {
  if (daysOver === 0) return t("nearToday");
  return t(daysOver > 0 ? "nearOver" : "nearLeft", { count: numberText(Math.abs(daysOver)) });
}

/** @param {readonly ContactState[]} people @returns {Cells[]} */
function rowsOf(people) {
  return people.map((person) => {
    const { personId, personName, desiredContactIntervalDays, lastContactAt, daysSince } = person;
    const state = stateOf(person.daysOver);
    return [
      link(recordPath("relationship", personId), personName, "words"),
      numberText(daysSince),
      numberText(desiredContactIntervalDays),
      lastContactAt === null ? `${state} (${t("noContactYet")})` : state,
    ];
  });
}
