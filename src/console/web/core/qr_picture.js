import { qrCode } from "../logic/qr_code.js";
import { svg } from "./charts.js";

/** The standard's margin, in modules. */
const MARGIN = 4;
const MODULE_PX = 4;

/**
 * @param {string} text
 * @param {string} title
 * @returns {SVGElement | null} null if the text is too long.
 */
export function qrPicture(text, title) {
  const rows = qrCode(text);
  if (rows === null) return null;
  const size = rows.length + 2 * MARGIN;
  const modules = rows.flatMap((row, y) =>
    row.map((module, x) => module === 1 ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : "")
  );
  const picture = svg("svg", {
    role: "img",
    "aria-label": title,
    viewBox: `0 0 ${size} ${size}`,
    width: size * MODULE_PX,
    "shape-rendering": "crispEdges",
  });
  // In every theme: few readers accept light on dark.
  picture.append(
    svg("rect", { width: size, height: size, fill: "white" }),
    svg("path", { d: modules.join(""), fill: "black" }),
  );
  return picture;
}
