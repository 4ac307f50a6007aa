/** CSV (RFC 4180) whose texts no spreadsheet takes for formulas. */

/** What a cell holds: a text, a number, or nothing. */
export type Cell = string | number | null;

/** What begins a formula in a spreadsheet; and the apostrophe, which says that a text begins none. */
const FORMULA = /^[=+\-@'\t\r]/;

/** Writes a document. Every line ends with CRLF; of the first one the cells name the others'. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("");
}

/**
 * A cell is empty for nothing, and `""` for an empty text. One apostrophe goes before a text that could
 * begin a formula, or that begins with one itself: who reads it back takes one away from every text that
 * begins with an apostrophe. Numbers stay as they are.
 */
function toCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
