/** Pictures of measurements, each over a range that the person chooses. */

import { counted } from "../../fields/shown/figures.js";
import { dayText, formatTime } from "../../fields/shown/times.js";
import { h } from "../base/elements.js";
import { numberText, t } from "../base/language.js";
import { get } from "../base/reads.js";
import { label } from "../names.js";
import { deviceZone } from "../../logic/local_time.js";
import { readFigure } from "./figure.js";
import { seriesLayout } from "./layouts.js";
import { drawingOf, tableOf } from "./pictures.js";
import { daysOf, RANGES, rangeWith, runsOf } from "./ranges.js";

const MAX_FIGURES = 6;

const RANGE_NAMES = /** @type {const} */ ({
  week: "rangeWeek",
  month: "rangeMonth",
  year: "rangeYear",
  all: "rangeAll",
});

/** Returns a section with a figure of each kind of some records; later calls add kinds. */
export function healthPictures() {
  const section = h("section");
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
    const measured = items.filter(({ redacted }) => !redacted);
    for (const [kind, records] of Map.groupBy(measured, ({ payload }) => payload.metricType)) {
      if (kinds.has(kind) || kinds.size === MAX_FIGURES) continue;
      kinds.add(kind);
      section.append(seriesFigure(kind, records.map(({ payload }) => payload), inTurn));
    }
    return kinds.size > 0 && section;
  };
}

/**
 * @param {string} kind
 * @param {readonly any[]} payloads
 * @param {(read: () => Promise<Series>) => Promise<Series>} inTurn
 */
function seriesFigure(kind, payloads, inTurn) {
  const [{ unit }] = payloads;
  const [first = ""] = payloads.map(({ measuredAt }) => measuredAt.slice(0, 10)).sort();
  /** @type {Element[]} */
  const buttons = RANGES.map((range) =>
    h("button.chip", { onclick: () => choose(range) }, t(RANGE_NAMES[range]))
  );
  const { element, show, rename } = readFigure({
    title: titleOf(kind, unit),
    controls: [h("div.bar", { role: "group", "aria-label": t("range") }, buttons)],
    read: (/** @type {SeriesRange} */ range) => inTurn(() => readSeries(kind, range)),
    content: (series) => {
      const name = titleOf(kind, series.unit ?? unit);
      rename(name);
      return seriesContent(name, series);
    },
  });
  const choose = (/** @type {SeriesRange} */ range) => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute("aria-pressed", String(RANGES[index] === range));
    }
    return show(range);
  };
  void choose(rangeWith(first, new Date()));
  return element;
}

/** A scale such as "of 10" is not a unit. @param {string} kind @param {string} unit */
function titleOf(kind, unit) {
  return unit.startsWith("of ") ? label(kind) : t("measuredIn", { name: label(kind), unit });
}

/** @param {string} kind @param {SeriesRange} range @returns {Promise<Series>} */
async function readSeries(kind, range) {
  const filter = { "filter[metricType]": kind };
  const first = range === "all" ? await readFirstDay(filter) : "";
  const days = daysOf(range, new Date(), first);
  const sent = {
    module: "health",
    field: "value",
    ...filter,
    ...days,
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

/** @param {string} title @param {Series} series @returns {readonly Child[]} */
function seriesContent(title, { points, by, from, until, otherUnits }) {
  const count = points.reduce((sum, point) => sum + point.count, 0);
  const others = otherUnits.map(({ unit, count }) => t("otherUnit", { count, unit }));
  const note = others.length > 0 && h("p.small.quiet", others.join(" "));
  if (count < 2) return [h("p.quiet", counted(count, "tooFew")), note];
  const spans = points.map((point) => spanOf(point, by));
  const runs = runsOf(spans, by);
  const texts = { number: numberText, day: dayText };
  const ends = /** @type {const} */ ([
    Math.min(localDay(from), spans[0]?.time ?? Infinity),
    Math.max(localDay(until, -1), spans.at(-1)?.time ?? 0),
  ]);
  return [
    drawingOf(title, (width) => seriesLayout(ends, runs, width, texts)),
    h("p", sentenceOf(spans, count)),
    note,
    seriesTable(title, spans),
  ];
}

/** @param {Series["points"][number]} point @param {SeriesUnit} by */
function spanOf({ start, count, minimum, median, maximum }, by) {
  const [low, value, high] = [Number(minimum), Number(median), Number(maximum)];
  const when = bucketText(start, by);
  const text = `${when}: ${numberText(value)}`;
  return { start, time: localDay(start), when, low, value, high, count, text };
}

/** @param {readonly ReturnType<typeof spanOf>[]} spans @param {number} count */
function sentenceOf(spans, count) {
  const last = spans.at(-1);
  return t("seriesText", {
    count: numberText(count),
    low: numberText(Math.min(...spans.map(({ low }) => low))),
    high: numberText(Math.max(...spans.map(({ high }) => high))),
    latest: numberText(last?.value ?? NaN),
    when: last?.when ?? "",
  });
}

/** @param {string} title @param {readonly ReturnType<typeof spanOf>[]} spans */
function seriesTable(title, spans) {
  if (spans.every(({ count }) => count === 1)) {
    const rows = spans.map(({ when, value }) => [when, numberText(value)]);
    return tableOf(title, [t("pictureTime"), t("pictureValue")], rows);
  }
  const columns = [t("pictureTime"), t("median"), t("lowest"), t("highest"), t("valueCount")];
  const rows = spans.map(({ when, value, low, high, count }) => [
    when,
    ...[value, low, high, count].map(numberText),
  ]);
  return tableOf(title, columns, rows);
}

/** Midnight of this device. @param {string} day */
function localDay(day, later = 0) {
  const [year = NaN, month = NaN, date = NaN] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).getTime();
}

/** @param {string} start @param {SeriesUnit} by */
function bucketText(start, by) {
  const time = localDay(start);
  if (by === "year") return formatTime(time, { year: "numeric" });
  if (by === "month") return formatTime(time, { month: "long", year: "numeric" });
  return by === "day" ? dayText(time) : t("weekOf", { day: dayText(time) });
}
