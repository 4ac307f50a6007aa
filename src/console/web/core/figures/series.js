/** Figures of measurements, each over a range that the person chooses. */

import { isSilent } from "../../fields/shown/anchors.js";
import { followChanges } from "../base/changes.js";
import { fill, h } from "../base/elements.js";
import { loadArea, t } from "../base/language.js";
import { get } from "../base/reads.js";
import { choiceBar, readFigure } from "../charts/figure.js";
import { label } from "../names.js";
import { deviceZone, localOf } from "../../logic/local_time.js";
import { moodContent } from "./mood.js";
import { askedDays, daysOf, RANGES, rangeWith } from "./ranges.js";
import { pairContent, seriesContent } from "./series_content.js";

const MAX_FIGURES = 6;

/** Measured together, and drawn together. */
const PRESSURES = ["BLOOD_PRESSURE_SYSTOLIC", "BLOOD_PRESSURE_DIASTOLIC"];

const RANGE_NAMES = /** @type {const} */ ({
  week: "rangeWeek",
  month: "rangeMonth",
  year: "rangeYear",
  all: "rangeAll",
});

/** Returns a section with a figure of each kind of some records; later calls add kinds. */
export async function healthPictures() {
  await loadArea("figures");
  const section = h("section.measures");
  /** @type {Set<string>} */
  const kinds = new Set();
  /** The service counts few series of an account at once. @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @type {(read: () => Promise<Series>) => Promise<Series>} */
  const inTurn = (read) => {
    const answer = last.then(read);
    last = answer.catch(() => {});
    return answer;
  };
  return (/** @type {readonly any[]} */ items) => {
    const measured = items.filter(({ redacted }) => !redacted).map(({ payload }) => payload);
    const isPressure = (/** @type {string} */ kind) => PRESSURES.includes(kind);
    const groups = Map.groupBy(
      measured,
      ({ metricType }) => isPressure(metricType) ? PRESSURES.join() : metricType,
    );
    for (const [name, payloads] of groups) {
      if (kinds.has(name) || kinds.size === MAX_FIGURES) continue;
      kinds.add(name);
      section.append(seriesFigure(name.split(","), payloads, inTurn));
    }
    return kinds.size > 0 && section;
  };
}

/**
 * A year of moods is a year of the calendar, as squares.
 * @param {readonly string[]} kinds Both of blood pressure, otherwise one.
 * @param {readonly any[]} payloads
 * @param {(read: () => Promise<Series>) => Promise<Series>} inTurn
 */
function seriesFigure(kinds, payloads, inTurn) {
  const [{ unit }] = payloads;
  const days = payloads.map(({ measuredAt }) => localOf(measuredAt).slice(0, 10)).sort();
  const isMood = kinds.includes("MOOD");
  const ranges = choiceBar(
    t("range"),
    RANGES.map((range) => [range, t(RANGE_NAMES[range])]),
    (range) => void choose({ range, year }),
  );
  const years = h("div.choices");
  const { element, show, rename } = readFigure({
    title: titleOf(kinds, unit),
    kind: "health",
    controls: [ranges.element, years],
    read: (/** @type {SeriesChoice} */ choice) =>
      Promise.all(kinds.map((kind) => inTurn(() => readSeries(kind, choice)))),
    content: (read, { range, year }) => {
      const [series] = read;
      if (series === undefined) return [];
      const name = titleOf(kinds, series.unit ?? unit);
      rename(name);
      if (isMood && range === "year") return moodContent(name, series, year);
      const { from } = range === "all" ? series : daysOf(range, new Date(), "");
      if (read.length === 1) return seriesContent(name, series, from);
      const both = read.map((series, index) => ({ name: label(kinds[index] ?? ""), series }));
      return pairContent(name, both, from);
    },
  });
  let year = Number(days.at(-1)?.slice(0, 4));
  /** @type {SeriesChoice} */
  let chosen;
  const choose = (/** @type {SeriesChoice} */ choice) => {
    chosen = choice;
    year = choice.year;
    ranges.press(choice.range);
    const hasYears = isMood && choice.range === "year";
    years.hidden = !hasYears;
    fill(years, ...hasYears ? yearButtons(choice.year, choose) : []);
    return show(choice);
  };
  followChanges("/api/v2/records/health", element, () => show(chosen));
  void choose({ range: isMood ? "year" : rangeWith(days[0] ?? "", new Date()), year });
  return element;
}

/** @param {number} year @param {(choice: SeriesChoice) => Promise<void>} choose */
function yearButtons(year, choose) {
  const button = (/** @type {string} */ text, /** @type {number} */ year) =>
    h("button", { onclick: () => choose({ range: "year", year }) }, text);
  const isPast = year < new Date().getFullYear();
  return [
    button(`‹ ${year - 1}`, year - 1),
    h("strong", String(year)),
    isPast && button(`${year + 1} ›`, year + 1),
  ];
}

/** A scale such as "of 10" is not a unit. @param {readonly string[]} kinds @param {string} unit */
function titleOf([kind = "", other], unit) {
  const name = other === undefined ? label(kind) : t("pressure");
  return isSilent(unit) ? name : t("measuredIn", { name, unit });
}

/** @param {string} kind @param {SeriesChoice} choice @returns {Promise<Series>} */
async function readSeries(kind, { range, year }) {
  const filter = { "filter[metricType]": kind };
  const first = range === "all" ? await readFirstDay(filter) : "";
  const sent = {
    module: "health",
    field: "value",
    ...filter,
    ...kind === "MOOD" && range === "year"
      ? { from: `${year}-01-01`, until: `${year + 1}-01-01`, by: "day" }
      : askedDays(range, new Date(), first),
    zone: deviceZone() ?? "UTC",
  };
  return await get(`/api/v2/insight/series?${new URLSearchParams(sent)}`);
}

/** @param {Record<string, string>} filter */
async function readFirstDay(filter) {
  const sent = new URLSearchParams({ sort: "time", limit: "1", ...filter });
  const { items: [first] } = await get(`/api/v2/records/health?${sent}`);
  return String(first?.payload?.measuredAt ?? new Date().toISOString()).slice(0, 10);
}
