/** Elements of HTML and ENML by their meaning for Markdown. */

import { CODE, EMPHASIS, STRONG, STRUCK } from "./inline_text.ts";
import type { StartPart } from "./markup_parts.ts";

export const EMPHASES: ReadonlyMap<string, number> = new Map([
  ["strong", STRONG],
  ["b", STRONG],
  ["em", EMPHASIS],
  ["i", EMPHASIS],
  ["s", STRUCK],
  ["strike", STRUCK],
  ["del", STRUCK],
  ["code", CODE],
]);

/** Elements that are lines of their own. */
export const LINES: ReadonlySet<string> = new Set([
  ..."address article aside body caption center dd details div dl dt en-note fieldset".split(" "),
  ..."figcaption figure footer form header html legend main nav option section".split(" "),
  ..."summary tbody td tfoot th thead tr".split(" "),
]);

/** Elements without content. */
export const VOID: ReadonlySet<string> = new Set([
  "br",
  "en-media",
  "en-todo",
  "hr",
  "img",
  "input",
]);

/** Attributes with the addresses of files. */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ["img", "src"],
  ["en-media", "hash"],
  ["audio", "src"],
  ["video", "src"],
  ["source", "src"],
  ["embed", "src"],
  ["iframe", "src"],
  ["object", "data"],
]);
const PICTURES: readonly string[] = ["img", "en-media"];

/** A file that an element shows. */
export interface MarkupFile {
  /** Empty without one. */
  readonly address: string;
  /** On one line. */
  readonly alt: string;
  readonly isPicture: boolean;
}

/** Null for an element that shows no file. */
export function fileOf({ name, attributes }: StartPart): MarkupFile | null {
  const attribute = ADDRESSES.get(name);
  if (attribute === undefined) return null;
  return {
    address: (attributes.get(attribute) ?? "").trim(),
    alt: (attributes.get("alt") ?? "").replaceAll(/\s+/g, " ").trim(),
    isPicture: PICTURES.includes(name),
  };
}
