/** Pictures, each with its table. */

import { dayText, timeText } from "../../fields/shown/times.js";
import { instantOf } from "../../logic/local_time.js";
import { h } from "../base/elements.js";
import { numberText, t } from "../base/language.js";
import { spreadLayout } from "./distributions.js";
import { lineLayout, rowLayout, timelineLayout } from "./layouts.js";

const ATTRIBUTES = new Set(
  [
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
    "d",
    "points",
    "fill",
    "opacity",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "text-anchor",
    "font-size",
    "shape-rendering",
  ],
);

/** The width of the first picture before that of the page is known. */
const FIRST_WIDTH = 320;

const SPACE = 8;

const MANY_ROWS = 100;

/**
 * A table below it repeats its data.
 * @param {string} title
 * @param {readonly string[]} columns
 * @param {readonly Cells[]} rows
 * @param {(width: number) => ChartLayout} draw Called again when the width changes.
 */
function picture(title, columns, rows, draw) {
  return h(
    "figure",
    { "aria-label": title },
    h("figcaption", title),
    drawingOf(title, draw),
    tableOf(title, columns, rows),
  );
}

/** The width of the picture before. */
let lastWidth = FIRST_WIDTH;

/** @param {string} title @param {(width: number) => FigureLayout} draw */
export function drawingOf(title, draw) {
  const drawing = svg("svg", { role: "img", "aria-label": title });
  let drawn = 0;
  const show = (/** @type {number} */ width) => {
    if (width === drawn || width <= 0) return;
    drawn = lastWidth = width;
    const { height, shapes, areas = [] } = draw(width);
    drawing.setAttribute("viewBox", `0 ${-SPACE} ${width} ${Math.ceil(height) + SPACE}`);
    drawing.replaceChildren(...shapes.map(elementOf));
    if (areas.length > 0) followPointer(drawing, areas);
  };
  show(lastWidth);
  const frame = h("div", drawing);
  new ResizeObserver(([entry]) => show(Math.floor(entry?.contentRect.width ?? 0))).observe(frame);
  return frame;
}

/**
 * Shows the tooltip of the area below the pointer, and follows its link when it is pressed. Its
 * table has the links for the keyboard.
 * @param {SVGElement} drawing @param {readonly FigureArea[]} areas
 */
function followPointer(drawing, areas) {
  const tooltip = svg("title", {});
  drawing.append(tooltip);
  const areaAt = (/** @type {MouseEvent} */ { clientX, clientY }) => {
    const { left, top } = drawing.getBoundingClientRect();
    const [px, py] = [clientX - left, clientY - top - SPACE];
    return areas.find(({ x, y, width, height }) =>
      px >= x && px < x + width && py >= y && py < y + height
    );
  };
  drawing.onpointermove = (event) => {
    const area = areaAt(event);
    tooltip.textContent = area?.text ?? "";
    drawing.classList.toggle("linked", area?.path !== undefined);
  };
  drawing.onclick = (event) => {
    const { path } = areaAt(event) ?? {};
    if (path !== undefined) location.assign(path);
  };
}

/**
 * Many rows follow after their picture is shown.
 * @param {string} title
 * @param {readonly string[]} columns
 * @param {readonly Cells[]} rows
 * @param {Cells} [last] A row about all others.
 */
export function tableOf(title, columns, rows, last) {
  const cell = (/** @type {Cells[number]} */ content) =>
    h("td", { class: /^[\p{N}\p{P}\p{S}]+$/u.test(String(content)) && "number" }, content);
  const body = h("tbody");
  const show = () => body.append(...rows.map((cells) => h("tr", cells.map(cell))));
  if (rows.length < MANY_ROWS) show();
  else requestAnimationFrame(() => setTimeout(show));
  return h(
    "details",
    h("summary", t("asTable")),
    h(
      "table",
      { "aria-label": title },
      h("thead", h("tr", columns.map((name) => h("th", { scope: "col" }, name)))),
      body,
      last !== undefined && h("tfoot", h("tr", last.map(cell))),
    ),
  );
}

/** @param {FigureLayout["shapes"][number]} shape */
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

/**
 * The label of an instant: the local dates of the first and the last time, the device's between.
 * @param {readonly string[]} times
 * @returns {NumberText}
 */
export function axisDay(times) {
  const inTime = times.toSorted((a, b) => instantOf(a) - instantOf(b));
  const ends = [...inTime.slice(0, 1), ...inTime.slice(-1)];
  const texts = new Map(ends.map((time) => [instantOf(time), dayText(time)]));
  return (instant) => texts.get(instant) ?? dayText(instant);
}

/** @param {string} title @param {readonly { at: string, value: number }[]} points At least one. */
export function linePicture(title, points) {
  const inTime = points.map((point) => ({ ...point, time: instantOf(point.at) }))
    .toSorted((a, b) => a.time - b.time);
  const rows = inTime.map(({ at, value }) => [timeText(at), numberText(value)]);
  const labelled = withTexts(inTime, rows.map((row) => row.join(": ")));
  const texts = { number: numberText, day: axisDay(points.map(({ at }) => at)) };
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
 * @param {readonly { lane: string, name: string, begin: string, end?: string }[]} events At least
 *   one; without an end for a moment.
 */
export function timelinePicture(title, events) {
  const inTime = events.map(({ begin, end, ...event }) => ({
    ...event,
    from: instantOf(begin),
    ...(end !== undefined && { to: instantOf(end) }),
    when: end === undefined ? timeText(begin) : `${timeText(begin)} – ${timeText(end)}`,
  })).toSorted((a, b) => a.from - b.from);
  const rows = inTime.map(({ when, lane, name }) => [when, lane, name]);
  const labelled = withTexts(inTime, rows.map(([when, , name]) => `${when}: ${name}`));
  const columns = [t("pictureTime"), t("pictureKind"), t("pictureWhat")];
  const day = axisDay(events.flatMap(({ begin, end = begin }) => [begin, end]));
  return picture(title, columns, rows, (width) => timelineLayout(labelled, width, day));
}
