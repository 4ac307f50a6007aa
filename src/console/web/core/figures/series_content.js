/** The content of a figure of a series: a picture, a sentence and a table. */

import { isSilent } from "../../fields/shown/anchors.js";
import { counted } from "../../fields/shown/figures.js";
import { dayText, formatTime } from "../../fields/shown/times.js";
import { DAY_MS } from "../../logic/local_time.js";
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
export function seriesContent(title, series, from) {
  const { unit, otherUnits } = series;
  const { spans, count, line, ends } = partsOf(series, from);
  const note = unitsNote(otherUnits);
  if (count < 2) return [h("p.quiet", counted(count, "tooFew")), note];
  return [
    newestValue(numberText(spans.at(-1)?.value ?? NaN), unit, spans.at(-1)?.when ?? ""),
    drawingOf(title, (width) => seriesLayout(ends, [line], width, axisTexts(ends))),
    h("p", seriesSentence(spans, count)),
    usualSentence(line.usual?.text),
    rangeSentence(spans),
    note,
    seriesTable(title, spans, line.usual),
  ];
}

/**
 * Two series of the same times in one picture, such as blood pressure.
 * @param {string} title
 * @param {readonly { name: string, series: Series }[]} both
 * @param {string} from
 * @returns {readonly Child[]}
 */
export function pairContent(title, both, from) {
  const all = both.map(({ name, series }) => ({ name, series, ...partsOf(series, from) }));
  const parts = all.filter(({ count }) => count > 1);
  const notes = both.map(({ series }) => unitsNote(series.otherUnits));
  if (parts.length === 0) {
    const count = Math.max(...all.map(({ count }) => count));
    return [h("p.quiet", counted(count, "tooFew")), ...notes];
  }
  const [first] = parts;
  const newest = parts.map(({ spans }) => numberText(spans.at(-1)?.value ?? NaN)).join("/");
  const ends = /** @type {const} */ ([
    Math.min(...parts.map(({ ends: [start] }) => start)),
    Math.max(...parts.map(({ ends: [, end] }) => end)),
  ]);
  const lines = parts.map(({ line }) => line);
  return [
    newestValue(newest, first?.series.unit ?? null, first?.spans.at(-1)?.when ?? ""),
    drawingOf(title, (width) => seriesLayout(ends, lines, width, axisTexts(ends))),
    ...parts.flatMap(({ name, spans, count, line }) => [
      h("p", `${name}: ${seriesSentence(spans, count)}`),
      usualSentence(line.usual?.text),
    ]),
    rangeSentence(parts.flatMap(({ spans }) => spans)),
    ...notes,
    pairTable(title, parts),
  ];
}

/** @param {Series} series @param {string} from */
function partsOf({ points, by, until }, from) {
  const shown = points.filter(({ start }) => by !== "day" || start >= from);
  const spans = shown.map((point) => spanOf(point, by));
  const found = usualRange(points, until);
  const usual = found && { ...found, text: usualText(found, by) };
  /** @type {Pair} */
  const ends = [
    Math.min(localDay(from), spans[0]?.time ?? Infinity),
    Math.max(localDay(until, -1), spans.at(-1)?.time ?? 0),
  ];
  return { spans, count: countOf(shown), line: { runs: runsOf(spans, by), usual }, ends };
}

/** Days of one year without it, and years without days. @param {Pair} ends @returns {ChartTexts} */
function axisTexts([start, end]) {
  const days = (end - start) / DAY_MS;
  /** @type {Intl.DateTimeFormatOptions} */
  const options = days < 200
    ? { day: "numeric", month: "short" }
    : { year: "numeric", ...days < 2_000 && { month: "short" } };
  return { number: numberText, day: (time) => formatTime(time, options) };
}

/** @param {string} value @param {string | null} unit @param {string} when */
export function newestValue(value, unit, when) {
  const shown = unit !== null && !isSilent(unit) && ` ${unit}`;
  return h("p.newest", h("b", value), shown, " ", h("span.quiet.small", when));
}

/** @param {string | undefined} text */
function usualSentence(text) {
  return text !== undefined && h("p.small.quiet.usual", text);
}

/** @param {readonly SeriesSpan[]} spans */
function rangeSentence(spans) {
  return spans.some(({ low, high }) => low < high) && h("p.small.quiet", t("rangeText"));
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

/** @param {readonly SeriesSpan[]} spans @param {number} count */
export function seriesSentence(spans, count) {
  return t("seriesText", {
    count: numberText(count),
    low: numberText(Math.min(...spans.map(({ low }) => low))),
    high: numberText(Math.max(...spans.map(({ high }) => high))),
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
    const last = usual && [t("usualRange"), lowToHigh(usual)];
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

/**
 * A row for each time, with the median and the range of each series.
 * @param {string} title
 * @param {readonly (ReturnType<typeof partsOf> & { name: string })[]} parts
 */
function pairTable(title, parts) {
  const starts = new Map(
    parts.flatMap(({ spans }) => spans.map(({ start, when }) => [start, when])),
  );
  const rows = [...starts].sort(([a], [b]) => a < b ? -1 : 1).map(([start, when]) => [
    when,
    ...parts.map(({ spans }) => {
      const found = spans.find((span) => span.start === start);
      if (found === undefined) return "–";
      const { value, low, high } = found;
      return numberText(value) + (low < high ? ` (${lowToHigh({ low, high })})` : "");
    }),
  ]);
  const usual = parts.map(({ line }) => line.usual === null ? "–" : lowToHigh(line.usual));
  const hasUsual = parts.some(({ line }) => line.usual !== null);
  const columns = [t("pictureTime"), ...parts.map(({ name }) => name)];
  return tableOf(title, columns, rows, hasUsual ? [t("usualRange"), ...usual] : undefined);
}

/** @param {{ low: number, high: number }} range */
function lowToHigh({ low, high }) {
  return `${numberText(low)} – ${numberText(high)}`;
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
