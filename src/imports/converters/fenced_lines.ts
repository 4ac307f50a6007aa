/** Lines of Markdown, and whether they are code between fences. */

import { LINE_PREFIX } from "./note_addresses.ts";

/** No backtick follows a fence of backticks. */
const FENCE = new RegExp(`^${LINE_PREFIX}(\`{3,}(?=[^\`]*$)|~{3,})`);
const FENCE_END = /^[ \t>]*(`{3,}|~{3,})$/;

export interface FencedLine {
  readonly start: number;
  /** The start of the next line. */
  readonly end: number;
  /** Without blanks at its end. */
  readonly text: string;
  readonly kind: "text" | "fence" | "code";
}

/** A fence closes one of the same mark that is not longer. */
export function* fencedLines(text: string): Generator<FencedLine> {
  let open: string | null = null;
  for (let start = 0; start < text.length;) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    const line = text.slice(start, end).trimEnd();
    const mark: string | undefined = (open === null ? FENCE : FENCE_END).exec(line)?.[1];
    const isFence = mark?.startsWith(open ?? mark) === true;
    yield { start, end, text: line, kind: isFence ? "fence" : open === null ? "text" : "code" };
    if (isFence) open = open === null ? mark : null;
    start = end;
  }
}
