/** Charts with their tables. */

import { h, numberText, t, timeText } from "./base.js";
import { label } from "./names.js";
import { dayText, shareText } from "../fields/shown.js";
import { lineLayout, reliabilityLayout, rowLayout, timelineLayout } from "../logic/pictures.js";
import { spreadLayout } from "../logic/pictures.js";

/**
 * Makes SVG from data, with few elements and attributes. A table below each picture
 * repeats its data.
 */

const SVG = "http://www.w3.org/2000/svg";
const ATTRIBUTES = new Set([
  "role",
  "aria-label",
  "viewBox",
  "class",
  "x",
  "y",
  "width",
  "height",
  "x1",
  "y1",
  "x2",
  "y2",
  "cx",
  "cy",
  "r",
  "points",
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "text-anchor",
  "font-size",
  "d",
  "shape-rendering",
]);
/** The width of a picture before that of the page is known. */
const FIRST_WIDTH = 320;
const SPACE = 8;

/**
 * @param {object} parts
 * @param {string} parts.title
 * @param {(width: number) => ChartLayout} parts.draw Called again when the width changes.
 * @param {readonly string[]} parts.columns
 * @param {readonly (readonly (string | number)[])[]} parts.rows
 */
export function picture({ title, draw, columns, rows }) {
  const drawing = svg("svg", { role: "img", "aria-label": title });
  let drawn = 0;
  const show = (/** @type {number} */ width) => {
    if (width === drawn || width <= 0) return;
    drawn = width;
    const { height, shapes } = draw(width);
    drawing.setAttribute("viewBox", `0 ${-SPACE} ${width} ${Math.ceil(height) + SPACE}`);
    drawing.replaceChildren(...shapes.map(elementOf));
  };
  show(FIRST_WIDTH);
  const figure = h(
    "figure",
    { "aria-label": title },
    h("figcaption", title),
    drawing,
    h(
      "details",
      h("summary", { "aria-label": `${t("asTable")}: ${title}` }, t("asTable")),
      table(title, columns, rows),
    ),
  );
  new ResizeObserver(([entry]) => show(Math.floor(entry?.contentRect.width ?? 0))).observe(figure);
  return figure;
}

/** @param {ChartShape} shape */
function elementOf({ tag, attributes, text }) {
  const element = svg(tag, attributes);
  if (text === undefined) return element;
  if (tag === "text") element.append(text);
  else {
    const title = svg("title", {});
    title.append(text);
    element.append(title);
  }
  return element;
}

/**
 * @param {"svg" | "title" | "path" | ChartShape["tag"]} tag
 * @param {Readonly<Record<string, string | number>>} attributes
 */
export function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (!ATTRIBUTES.has(name)) throw new Error(`Pictures have no ${name}`);
    element.setAttribute(
      name,
      typeof value === "number" ? String(Number(value.toFixed(1))) : value,
    );
  }
  return element;
}

/** @param {string | number} cell */
function cellOf(cell) {
  return h("td", { class: /^[\p{N}\p{P}\p{S}]+$/u.test(String(cell)) && "number" }, cell);
}

/**
 * @param {string} caption
 * @param {readonly string[]} columns
 * @param {readonly (readonly (string | number)[])[]} rows
 */
export function table(caption, columns, rows) {
  return h(
    "table",
    { "aria-label": caption },
    h("thead", h("tr", columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", rows.map((cells) => h("tr", cells.map(cellOf)))),
  );
}

/**
 * @param {string} title
 * @param {readonly { time: number, value: number }[]} points At least one; times in milliseconds.
 */
export function linePicture(title, points) {
  const labelled = points.map(({ time, value }) => ({
    time,
    value,
    text: `${timeText(time)}: ${numberText(value)}`,
  }));
  return picture({
    title,
    draw: (width) => lineLayout(labelled, width, { number: numberText, day: dayText }),
    columns: [t("pictureTime"), t("pictureValue")],
    rows: labelled.toSorted((a, b) => a.time - b.time)
      .map(({ time, value }) => [timeText(time), numberText(value)]),
  });
}

/**
 * @param {string} title
 * @param {readonly { name: string, value: number }[]} bars
 * @param {BarTexts} about
 */
export function barPicture(title, bars, { columns, valueText = numberText }) {
  const labelled = bars.map((bar) => ({ ...bar, text: `${bar.name}: ${valueText(bar.value)}` }));
  return picture({
    title,
    draw: (width) => rowLayout(labelled, width, valueText),
    columns,
    rows: bars.map(({ name, value }) => [name, valueText(value)]),
  });
}

/**
 * @param {string} title
 * @param {readonly { name: string, low: number, middle: number, high: number }[]} spans
 * @param {readonly [string, string, string, string]} columns
 */
export function spreadPicture(title, spans, columns) {
  const rows = spans.map((
    { name, low, middle, high },
  ) => /** @type {const} */ ([name, ...[low, middle, high].map(numberText)]));
  const labelled = spans.map((span, index) => ({
    ...span,
    text: `${span.name}: ${rows[index]?.slice(1).join(" – ")}`,
  }));
  return picture({
    title,
    draw: (width) => spreadLayout(labelled, width, numberText),
    columns,
    rows,
  });
}

/**
 * @param {string} title
 * @param {readonly { expected: number, observed: number, count: number }[]} groups
 * @param {readonly [string, string, string]} columns
 */
export function reliabilityPicture(title, groups, columns) {
  const rows = groups.map(({ expected, observed, count }) => [
    shareText(expected),
    shareText(observed),
    count,
  ]);
  const labelled = groups.map((group, index) => ({
    ...group,
    text: rows[index]?.join(" · ") ?? "",
  }));
  return picture({
    title,
    draw: (width) =>
      reliabilityLayout(labelled, width, shareText, { expected: columns[0], observed: columns[1] }),
    columns,
    rows,
  });
}

/**
 * @param {string} title
 * @param {readonly { lane: string, from: number, to?: number, name: string }[]} events At least
 * one; times in milliseconds; a moment has no `to`.
 */
export function timelinePicture(title, events) {
  const inTime = events.toSorted((a, b) => a.from - b.from);
  const whenText = (/** @type {typeof events[number]} */ { from, to }) =>
    to === undefined ? timeText(from) : `${timeText(from)} – ${timeText(to)}`;
  const labelled = inTime.map((event) => ({ ...event, text: `${whenText(event)}: ${event.name}` }));
  return picture({
    title,
    draw: (width) => timelineLayout(labelled, width, dayText),
    columns: [t("pictureTime"), t("pictureKind"), t("pictureWhat")],
    rows: inTime.map((event) => [whenText(event), event.lane, event.name]),
  });
}

/**
 * @param {readonly any[]} records
 * @returns {HTMLElement | false} false if no kind has two values to compare.
 */
export function healthPictures(records) {
  const measured = records.filter(({ redacted }) => !redacted).map(({ payload }) => ({
    kind: t("measuredIn", { name: label(payload.metricType), unit: payload.unit }),
    time: Date.parse(payload.measuredAt),
    value: payload.value,
  }));
  const kinds = [...Map.groupBy(measured, ({ kind }) => kind)];
  const compared = kinds.filter(([, points]) => points.length > 1);
  return compared.length > 0 &&
    h("section", compared.map(([kind, points]) => linePicture(kind, points)));
}
