/** The block `Details` after the text of a note. */

import { cleanLine } from "./clean_text.ts";

/** Name and value; a value without words is left out. */
export type Detail = readonly [name: string, value: string];

export function withDetails(text: string, details: readonly Detail[]): string {
  const lines = details.flatMap(([name, value]) => {
    const line = cleanLine(value);
    return line === "" ? [] : [`${name}: ${line}`];
  });
  if (lines.length === 0) return text;
  const block = ["Details", ...lines].join("\n");
  if (text.trim() === "") return block;
  return `${text}${text.endsWith("\n") ? "" : "\n"}\n${block}`;
}
