/** CSV (RFC 4180) whose texts spreadsheets do not read as formulas. */

/** Null makes an empty cell. */
export type Cell = string | number | null;

/** First characters of a formula, and the apostrophe that marks a text. */
const FORMULA = /^[=+\-@'\t\r]/;

/** Writes lines that end with CRLF; the first one is the header. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("");
}

/**
 * Null gives an empty cell, and an empty text `""`. An apostrophe is added before a text that could
 * be a formula, or begins with one; to read it back, remove one leading apostrophe. Numbers are
 * unchanged.
 */
function toCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
