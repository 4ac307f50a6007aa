/** Opening tags of HTML, and the addresses in them. */

import { matchAt } from "./next_match.ts";

/** Elements whose addresses may be those of files. */
const ELEMENTS = ["img", "a", "audio", "video", "source", "embed", "object", "iframe"];
/** Attributes with an address; true for those whose content the page shows. */
const ATTRIBUTES: ReadonlyMap<string, boolean> = new Map([
  ["src", true],
  ["data", true],
  ["href", false],
]);
/** More attributes than any tag has: another `<` would begin to read them again. */
const MAX_ATTRIBUTES = 100;

const NAME = /<([a-z][a-z0-9-]*)/iy;
const ATTRIBUTE =
  /[\s/]*([^\s"'<>/=[\]()`]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]*[^\s"'=<>`/])))?/y;
const END = /[\s/]*>/y;

export interface TagAddress {
  readonly start: number;
  readonly end: number;
  readonly isEmbed: boolean;
}

/** The end of the tag at a position and the addresses in it; null if there is no tag. */
export function readTag(
  text: string,
  position: number,
): { readonly end: number; readonly addresses: readonly TagAddress[] } | null {
  const name = matchAt(NAME, text, position);
  if (name === null) return null;
  const isRead = ELEMENTS.includes((name[1] ?? "").toLowerCase());
  const addresses: TagAddress[] = [];
  let at = position + name[0].length;
  for (let count = 0; count <= MAX_ATTRIBUTES; count++) {
    const end = matchAt(END, text, at);
    if (end !== null) return { end: at + end[0].length, addresses };
    const attribute = matchAt(ATTRIBUTE, text, at);
    if (attribute === null) return null;
    at += attribute[0].length;
    const [, attributeName = "", double, single, bare] = attribute;
    const isEmbed = ATTRIBUTES.get(attributeName.toLowerCase());
    const value = double ?? single ?? bare;
    if (!isRead || isEmbed === undefined || value === undefined) continue;
    const last = at - (bare === undefined ? 1 : 0);
    addresses.push({ start: last - value.length, end: last, isEmbed });
  }
  return null;
}
