/** CSV (RFC 4180) whose texts spreadsheets do not interpret as formulas. */

/** The content of a cell: a text, a number, or nothing. */
export type Cell = string | number | null;

/** The first characters of a formula in a spreadsheet; and the apostrophe, which marks a text. */
const FORMULA = /^[=+\-@'\t\r]/;

/** Writes a document. Every line ends with CRLF; of the first one the cells name the others'. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("");
}

/**
 * A cell is empty for nothing, and `""` for an empty text. An apostrophe is added before a text that could
 * be a formula, or that begins with an apostrophe: to read it back, remove one apostrophe from every text
 * that begins with one. Numbers stay as they are.
 */
function toCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
