/** Shapes as plain data for `core/picture.js`, in CSS pixels. */

/**
 * @typedef {object} Shape
 * @property {"line" | "rect" | "circle" | "polyline" | "text"} tag
 * @property {Readonly<Record<string, string | number>>} attributes
 * @property {string} [text] A text's content; other shapes' tooltip.
 */

/** @typedef {{ height: number, shapes: readonly Shape[] }} Layout */

/** Font size and mean letter width. */
export const LETTER = { size: 13, width: 8.5 };
export const LINE = 18;

/**
 * @param {number} x
 * @param {number} y Baseline.
 * @param {string} text
 * @param {"start" | "middle" | "end"} [anchor]
 * @returns {Shape}
 */
export function words(x, y, text, anchor = "start") {
  const attributes = {
    x,
    y,
    "text-anchor": anchor,
    "font-size": LETTER.size,
    fill: "currentColor",
  };
  return { tag: "text", attributes: { ...attributes, class: "quiet" }, text };
}

/**
 * May be faint: carries no information.
 *
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @returns {Shape}
 */
export function hairline(x1, y1, x2, y2) {
  return {
    tag: "line",
    attributes: { x1, y1, x2, y2, class: "quiet", stroke: "currentColor", "stroke-opacity": 0.3 },
  };
}

/**
 * @param {number} cx
 * @param {number} cy
 * @param {number} r
 * @param {string} text
 * @returns {Shape}
 */
export function dot(cx, cy, r, text) {
  return { tag: "circle", attributes: { cx, cy, r, class: "accent", fill: "currentColor" }, text };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} text
 * @returns {Shape}
 */
export function block(x, y, width, height, text) {
  const place = { x, y, width, height };
  return { tag: "rect", attributes: { ...place, class: "accent", fill: "currentColor" }, text };
}

/**
 * @param {readonly (readonly [number, number])[]} places
 * @param {"accent" | "quiet"} [colour]
 * @returns {Shape}
 */
export function path(places, colour = "accent") {
  const points = places.map((place) => place.map((at) => at.toFixed(1)).join(",")).join(" ");
  const stroke = { stroke: "currentColor", "stroke-width": 1.5, fill: "none" };
  return { tag: "polyline", attributes: { points, class: colour, ...stroke } };
}

/**
 * A filled path.
 *
 * @param {readonly (readonly [number, number])[]} places
 * @param {string} text
 * @returns {Shape}
 */
export function area(places, text) {
  const { tag, attributes } = path(places);
  return { tag, attributes: { ...attributes, fill: "currentColor", "fill-opacity": 0.25 }, text };
}

/**
 * Truncated next to its shape; the table has the whole text.
 *
 * @param {string} text
 * @param {number} width
 */
export function cutTo(text, width) {
  const letters = [...text.replaceAll(/\s+/g, " ")];
  const most = Math.max(1, Math.floor(width / LETTER.width));
  return letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}…`;
}
