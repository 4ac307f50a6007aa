/** The first rows of a chosen table. The service answers no rows, so the page reads the file. */

/** Bytes of a file that are read. */
export const READ_BYTES = 64 * 1024;
const MAX_ROWS = 3;
const DELIMITERS = [",", ";", "\t", "|"];

/**
 * The first rows below the row that names the columns; none if that row is not found, as in an
 * archive.
 * @param {Uint8Array} bytes The beginning of the file.
 * @param {readonly string[]} columns As the service names them.
 * @returns {readonly (readonly string[])[]}
 */
export function rowsBelow(bytes, columns) {
  const text = textOfBytes(bytes);
  for (const delimiter of DELIMITERS) {
    const rows = rowsOf(text, delimiter);
    // It may be cut.
    if (bytes.length >= READ_BYTES) rows.pop();
    const header = rows.findIndex((cells) => isHeader(cells, columns));
    if (header !== -1) return rows.slice(header + 1).filter(hasCell).slice(0, MAX_ROWS);
  }
  return [];
}

/** @param {readonly string[]} cells */
function hasCell(cells) {
  return cells.some((cell) => cell !== "");
}

/**
 * The service cuts long names, numbers repeated ones and names empty ones.
 * @param {readonly string[]} cells @param {readonly string[]} columns
 */
function isHeader(cells, columns) {
  const isAlike = columns.every((column, index) => {
    const cell = cells[index];
    return cell !== undefined && (column.startsWith(cell) || cell.startsWith(column));
  });
  return isAlike && columns.some((column, index) => column === cells[index]);
}

/** @param {Uint8Array} bytes */
function textOfBytes(bytes) {
  const mark = `${bytes[0]} ${bytes[1]}`;
  if (mark === "255 254") return new TextDecoder("utf-16le").decode(bytes);
  if (mark === "254 255") return new TextDecoder("utf-16be").decode(bytes);
  try {
    // The last character may be cut.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Cells without blanks at their ends. @param {string} text @param {string} delimiter */
function rowsOf(text, delimiter) {
  /** @type {string[][]} */
  const rows = [];
  /** @type {string[]} */
  let cells = [];
  let cell = "";
  let isQuoted = false;
  const endCell = () => {
    cells.push(cell.trim());
    cell = "";
  };
  const endRow = () => {
    endCell();
    rows.push(cells);
    cells = [];
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] !== '"') isQuoted = false;
      else {
        cell += '"';
        at++;
      }
    } else if (character === '"' && cell.trim() === "") isQuoted = true;
    else if (character === delimiter) endCell();
    else if (character === "\n" || (character === "\r" && text[at + 1] !== "\n")) endRow();
    else cell += character;
  }
  if (cell !== "" || cells.length > 0) endRow();
  return rows;
}
