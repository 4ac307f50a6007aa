/**
 * Reads CSV back as a stranger would who knows RFC 4180 alone, byte for byte. Nothing here is shared with
 * the code that writes.
 */

/** A cell: its text, and whether it was quoted. */
export interface CsvCell {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * The lines of a document, cell by cell.
 *
 * @throws SyntaxError if the document violates RFC 4180, does not end with CRLF, or has lines of different
 * lengths.
 */
export function readCsv(content: string): CsvCell[][] {
  const lines: CsvCell[][] = [];
  let at = 0;
  while (at < content.length) {
    const cells: CsvCell[] = [];
    for (let ended = false; !ended;) {
      const { cell, end } = readCell(content, at);
      cells.push(cell);
      ended = content.startsWith("\r\n", end);
      if (!ended && content[end] !== ",") throw new SyntaxError(`No end of a cell at ${end}`);
      at = end + (ended ? 2 : 1);
    }
    lines.push(cells);
  }
  if (new Set(lines.map((cells) => cells.length)).size > 1) throw new SyntaxError("Uneven lines");
  return lines;
}

function readCell(content: string, start: number): { cell: CsvCell; end: number } {
  if (content[start] !== '"') {
    let end = start;
    while (end < content.length && !',"\r\n'.includes(content[end] ?? "")) end++;
    return { cell: { text: content.slice(start, end), quoted: false }, end };
  }
  let text = "";
  for (let at = start + 1;; at++) {
    if (at >= content.length) throw new SyntaxError("A quoted cell without an end");
    if (content[at] !== '"') text += content[at];
    else if (content[at + 1] === '"') text += content[at++];
    else return { cell: { text, quoted: true }, end: at + 1 };
  }
}
