/** The content of a figure of a series: a picture, a sentence and a table. */

import { counted } from "../../fields/shown/figures.js";
import { dayText, formatTime } from "../../fields/shown/times.js";
import { h } from "../base/elements.js";
import { numberText, t } from "../base/language.js";
import { drawingOf, tableOf } from "../charts/pictures.js";
import { runsOf, usualRange } from "./ranges.js";
import { seriesLayout } from "./series_layout.js";

/** @type {Partial<Record<SeriesUnit, Sentence>>} */
const USUAL = { day: "usualDays", week: "usualWeeks", month: "usualMonths" };

/**
 * @param {string} title
 * @param {Series} series
 * @param {string} from Days before it only count for the usual range.
 * @returns {readonly Child[]}
 */
export function seriesContent(title, { points, by, until, otherUnits }, from) {
  const shown = points.filter(({ start }) => by !== "day" || start >= from);
  const count = countOf(shown);
  const note = unitsNote(otherUnits);
  if (count < 2) return [h("p.quiet", counted(count, "tooFew")), note];
  const spans = shown.map((point) => spanOf(point, by));
  const runs = runsOf(spans, by);
  const texts = { number: numberText, day: dayText };
  const ends = /** @type {const} */ ([
    Math.min(localDay(from), spans[0]?.time ?? Infinity),
    Math.max(localDay(until, -1), spans.at(-1)?.time ?? 0),
  ]);
  const found = usualRange(points, until);
  const usual = found && { ...found, text: usualText(found, by) };
  return [
    drawingOf(title, (width) => seriesLayout(ends, runs, width, texts, usual)),
    h("p", seriesSentence(spans, count), " ", usual?.text),
    note,
    seriesTable(title, spans, usual),
  ];
}

/** @param {Series["points"]} points */
export function countOf(points) {
  return points.reduce((sum, { count }) => sum + count, 0);
}

/** @param {Series["otherUnits"]} others */
export function unitsNote(others) {
  const texts = others.map(({ unit, count }) => t("otherUnit", { count, unit }));
  return texts.length > 0 && h("p.small.quiet", texts.join(" "));
}

/** @param {Series["points"][number]} point @param {SeriesUnit} by */
export function spanOf({ start, count, minimum, median, maximum }, by) {
  const [low, value, high] = [Number(minimum), Number(median), Number(maximum)];
  const when = bucketText(start, by);
  const text = `${when}: ${numberText(value)}`;
  return { start, time: localDay(start), when, low, value, high, count, text };
}

/** @param {UsualRange} usual @param {SeriesUnit} by */
function usualText({ low, high }, by) {
  return t(USUAL[by] ?? "usualMonths", { low: numberText(low), high: numberText(high) });
}

/** @param {readonly ReturnType<typeof spanOf>[]} spans @param {number} count */
export function seriesSentence(spans, count) {
  const last = spans.at(-1);
  return t("seriesText", {
    count: numberText(count),
    low: numberText(Math.min(...spans.map(({ low }) => low))),
    high: numberText(Math.max(...spans.map(({ high }) => high))),
    latest: numberText(last?.value ?? NaN),
    when: last?.when ?? "",
  });
}

/**
 * @param {string} title
 * @param {readonly ReturnType<typeof spanOf>[]} spans
 * @param {UsualRange | null} usual
 */
export function seriesTable(title, spans, usual = null) {
  if (spans.every(({ count }) => count === 1)) {
    const rows = spans.map(({ when, value }) => [when, numberText(value)]);
    const last = usual && [t("usualRange"), `${numberText(usual.low)} – ${numberText(usual.high)}`];
    return tableOf(title, [t("pictureTime"), t("pictureValue")], rows, last ?? undefined);
  }
  const columns = [t("pictureTime"), t("median"), t("lowest"), t("highest"), t("valueCount")];
  const rows = spans.map(({ when, value, low, high, count }) => [
    when,
    ...[value, low, high, count].map(numberText),
  ]);
  const last = usual && [
    t("usualRange"),
    "–",
    ...[usual.low, usual.high, usual.count].map(numberText),
  ];
  return tableOf(title, columns, rows, last ?? undefined);
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
