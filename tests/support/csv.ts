/** Reads CSV byte for byte by RFC 4180. Shares no code with the writer. */

/** A cell with a flag for quotes. */
export interface CsvCell {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * @throws for a violation of RFC 4180, a missing CRLF at the end, or lines of different lengths.
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
