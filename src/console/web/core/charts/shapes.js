/** Shapes of a picture. */

/** Font size and mean letter width. */
export const LETTER = { size: 13, width: 8.5 };

export const LINE = 18;

/** @type {(x: number, y: number, text: string, anchor?: Anchor) => ChartShape} */
export function words(x, y, text, anchor = "start") {
  const look = { class: "quiet", fill: "currentColor", "font-size": LETTER.size };
  return { tag: "text", attributes: { x, y, ...look, "text-anchor": anchor }, text };
}

/** @param {ChartShape} shape Words. @returns {ChartShape} */
export function strong(shape) {
  return { ...shape, attributes: { ...shape.attributes, class: "newest" } };
}

/**
 * May be faint: carries no information.
 * @type {(x1: number, y1: number, x2: number, y2: number, opacity?: number) => ChartShape}
 */
export function hairline(x1, y1, x2, y2, opacity = 0.3) {
  const look = { class: "quiet", stroke: "currentColor", "stroke-opacity": opacity };
  return { tag: "line", attributes: { x1, y1, x2, y2, ...look } };
}

/** @type {(cx: number, cy: number, r: number, text: string) => ChartShape} */
export function dot(cx, cy, r, text) {
  return { tag: "circle", attributes: { cx, cy, r, class: "accent", fill: "currentColor" }, text };
}

/** @type {(x: number, y: number, width: number, height: number, text: string) => ChartShape} */
export function block(x, y, width, height, text) {
  const place = { x, y, width, height };
  return { tag: "rect", attributes: { ...place, class: "accent", fill: "currentColor" }, text };
}

/** @type {(places: readonly Pair[], colour?: "accent" | "quiet") => ChartShape} */
export function path(places, colour = "accent") {
  const points = places.map((place) => place.map((at) => at.toFixed(1)).join(",")).join(" ");
  const stroke = { stroke: "currentColor", "stroke-width": 2, fill: "none" };
  return { tag: "polyline", attributes: { points, class: colour, ...stroke } };
}

/** Leaves the dots of a line in front of it. @param {ChartShape} shape @returns {ChartShape} */
export function faint(shape) {
  return { ...shape, attributes: { ...shape.attributes, "stroke-opacity": 0.45 } };
}

/** @type {(places: readonly Pair[], text: string) => ChartShape} */
export function area(places, text) {
  const { tag, attributes } = path(places);
  return { tag, attributes: { ...attributes, fill: "currentColor", "fill-opacity": 0.25 }, text };
}

/** @param {ChartShape} shape @returns {ChartShape} */
export function outlined({ attributes, ...shape }) {
  const look = { fill: "none", stroke: "currentColor", "stroke-width": 1.5 };
  return { ...shape, attributes: { ...attributes, ...look } };
}

/** The table has the whole text. @param {string} text @param {number} width */
export function cutTo(text, width) {
  const letters = [...text.replaceAll(/\s+/g, " ")];
  const most = Math.max(1, Math.floor(width / LETTER.width));
  return letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}…`;
}
