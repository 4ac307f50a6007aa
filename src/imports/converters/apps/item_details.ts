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

/** Coordinates as the value of a place; empty for others than those of the earth. */
export function coordinates(latitude: number, longitude: number): string {
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace ? `${latitude}, ${longitude}` : "";
}
