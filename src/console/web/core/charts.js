/** Charts with their tables. */

import { h, numberText, t, timeText } from "./base.js";
import { label } from "./names.js";
import { dayText, shareText } from "../fields/shown.js";
import {
  lineLayout,
  reliabilityLayout,
  rowLayout,
  spreadLayout,
  timelineLayout,
} from "../logic/pictures.js";

const ATTRIBUTES = new Set([
  ...[
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
  ],
  ...["cx", "cy", "r", "d", "points", "fill", "fill-opacity", "stroke", "stroke-width"],
  ...["stroke-opacity", "text-anchor", "font-size", "shape-rendering"],
]);
/** The width of a picture before that of the page is known. */
const FIRST_WIDTH = 320;
const SPACE = 8;

/**
 * A table below it repeats its data.
 * @param {string} title
 * @param {readonly string[]} columns
 * @param {readonly (readonly (string | number)[])[]} rows
 * @param {(width: number) => ChartLayout} draw Called again when the width changes.
 */
function picture(title, columns, rows, draw) {
  const cell = (/** @type {string | number} */ content) =>
    h("td", { class: /^[\p{N}\p{P}\p{S}]+$/u.test(String(content)) && "number" }, content);
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
      h(
        "table",
        { "aria-label": title },
        h("thead", h("tr", columns.map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", rows.map((cells) => h("tr", cells.map(cell)))),
      ),
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

/** @param {ChartShape["tag"] | "svg" | "title" | "path"} tag @param {Attributes} attributes */
export function svg(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (!ATTRIBUTES.has(name)) throw new Error(`Pictures have no ${name}`);
    element.setAttribute(name, typeof value === "number" ? `${Number(value.toFixed(1))}` : value);
  }
  return element;
}

/** @param {string} title @param {readonly Omit<ChartPoint, "text">[]} points At least one. */
export function linePicture(title, points) {
  const inTime = points.toSorted((a, b) => a.time - b.time);
  const rows = inTime.map(({ time, value }) => [timeText(time), numberText(value)]);
  const labelled = withTexts(inTime, rows.map((row) => row.join(": ")));
  const texts = { number: numberText, day: dayText };
  const columns = [t("pictureTime"), t("pictureValue")];
  return picture(title, columns, rows, (width) => lineLayout(labelled, width, texts));
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {readonly string[]} texts
 */
function withTexts(items, texts) {
  return items.map((item, index) => ({ ...item, text: texts[index] ?? "" }));
}

/** @param {string} title @param {readonly Omit<ChartBar, "text">[]} bars @param {BarTexts} about */
export function barPicture(title, bars, { columns, valueText = numberText }) {
  const rows = bars.map(({ name, value }) => [name, valueText(value)]);
  const labelled = withTexts(bars, rows.map((row) => row.join(": ")));
  return picture(title, columns, rows, (width) => rowLayout(labelled, width, valueText));
}

/**
 * @param {string} title
 * @param {readonly Omit<SpreadBar, "text">[]} spans
 * @param {readonly [string, string, string, string]} columns
 */
export function spreadPicture(title, spans, columns) {
  const rows = spans.map(({ name, low, middle, high }) => [
    name,
    ...[low, middle, high].map(numberText),
  ]);
  const texts = rows.map(([name, ...values]) => `${name}: ${values.join(" – ")}`);
  const labelled = withTexts(spans, texts);
  return picture(title, columns, rows, (width) => spreadLayout(labelled, width, numberText));
}

/**
 * @param {string} title
 * @param {readonly Omit<ReliabilityGroup, "text">[]} groups
 * @param {readonly [string, string, string]} columns
 */
export function reliabilityPicture(title, groups, columns) {
  const rows = groups.map(({ expected, observed, count }) => [
    shareText(expected),
    shareText(observed),
    count,
  ]);
  const labelled = withTexts(groups, rows.map((row) => row.join(" · ")));
  const [expected, observed] = columns;
  const draw = (/** @type {number} */ width) =>
    reliabilityLayout(labelled, width, shareText, { expected, observed });
  return picture(title, columns, rows, draw);
}

/**
 * @param {string} title
 * @param {readonly (Omit<TimelineEvent, "text"> & { name: string })[]} events At least one.
 */
export function timelinePicture(title, events) {
  const inTime = events.toSorted((a, b) => a.from - b.from);
  const rows = inTime.map(({ from, to, lane, name }) => [
    to === undefined ? timeText(from) : `${timeText(from)} – ${timeText(to)}`,
    lane,
    name,
  ]);
  const labelled = withTexts(inTime, rows.map(([when, , name]) => `${when}: ${name}`));
  const columns = [t("pictureTime"), t("pictureKind"), t("pictureWhat")];
  return picture(title, columns, rows, (width) => timelineLayout(labelled, width, dayText));
}

/** False if no kind has two values to compare. @param {readonly any[]} records */
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
