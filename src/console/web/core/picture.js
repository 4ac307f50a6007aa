/**
 * Makes SVG from data, with few elements and attributes. A table below each picture
 * repeats its data.
 */

import { h } from "./dom.js";
import { t } from "./text.js";

/** @typedef {import("../logic/shapes.js").Layout} Layout */

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
/** Below the title. */
const SPACE = 8;

/**
 * @param {object} parts
 * @param {string} parts.title
 * @param {(width: number) => Layout} parts.draw Called again when the width changes.
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
    h("figcaption", {}, title),
    drawing,
    h(
      "details",
      {},
      h("summary", { "aria-label": `${t("asTable")}: ${title}` }, t("asTable")),
      table(title, columns, rows),
    ),
  );
  new ResizeObserver(([entry]) => show(Math.floor(entry?.contentRect.width ?? 0))).observe(figure);
  return figure;
}

/** @param {import("../logic/shapes.js").Shape} shape */
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
 * @param {"svg" | "title" | "path" | import("../logic/shapes.js").Shape["tag"]} tag
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

/** @param {string | number} cell Numbers do not wrap. */
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
    h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map(cellOf)))),
  );
}
