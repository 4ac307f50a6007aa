/** Mood, as a year of squares. */

import { counted } from "../../fields/shown/figures.js";
import { h } from "../base/elements.js";
import { numberText, t } from "../base/language.js";
import { drawingOf } from "../charts/pictures.js";
import {
  countOf,
  newestValue,
  seriesSentence,
  seriesTable,
  spanOf,
  unitsNote,
} from "./series_content.js";
import { levelOfShare, yearLayout } from "./squares.js";
import { firstDayOfWeek, yearTexts } from "./year_texts.js";

const MOST = 10;

/** @param {string} title @param {Series} series @param {number} year @returns {readonly Child[]} */
export function moodContent(title, { points, by, unit, otherUnits }, year) {
  const count = countOf(points);
  const note = unitsNote(otherUnits);
  if (count < 2) return [h("p.quiet", counted(count, "tooFew")), note];
  const most = Number(/^of (\d+)$/.exec(unit ?? "")?.[1]) || MOST;
  const spans = points.map((point) => spanOf(point, by));
  const squares = spans.map(({ start, value, text }) => ({
    day: start,
    level: levelOfShare(value / most),
    text,
  }));
  const shown = { year, firstDay: firstDayOfWeek(), squares };
  const last = spans.at(-1);
  return [
    newestValue(numberText(last?.value ?? NaN), unit, last?.when ?? ""),
    drawingOf(title, (width) => yearLayout(shown, width, yearTexts())),
    h("p", seriesSentence(spans, count)),
    h("p.small.quiet", t("squaresText")),
    note,
    seriesTable(title, spans),
  ];
}
