/** Reads the tags and texts of HTML, XHTML and ENML that may not be well-formed, in linear time. */

import { matchAt, NextMatch } from "../next_match.ts";
import { decodeReferences } from "./character_references.ts";

export interface StartPart {
  readonly kind: "start";
  /** In lower case. */
  readonly name: string;
  /** Decoded values by names in lower case; the first of equal names counts. */
  readonly attributes: ReadonlyMap<string, string>;
  /** True for `<name/>`. */
  readonly isEmpty: boolean;
  /** The position after the tag. */
  readonly end: number;
}

export type MarkupPart =
  | StartPart
  | { readonly kind: "end"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

/** Elements that are left out with their content. */
const DROPPED: readonly string[] = ["script", "style", "head"];
/** More attributes than any tag has: another `<` would begin to read them again. */
const MAX_ATTRIBUTES = 100;

const TAG_NAME = /<(\/?)([a-z][a-z0-9-]*(?::[a-z0-9-]+)?)(?=[\s/>])/iy;
const ATTRIBUTE_NAME = /[\s/]*([^\s/><][^\s/>=<]*)\s*(=?)\s*/y;
const UNQUOTED = /[^\s><]*/y;
const TAG_END = /[\s/]*>/y;
const CDATA = "<![CDATA[";

/** Comments, declarations, `script`, `style` and `head` are left out; an open one is text. */
export function* markupParts(html: string): Generator<MarkupPart> {
  const ends = new SectionEnds(html);
  let text = 0;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) {
    const read = readSection(html, at, ends) ?? readTag(html, at);
    if (read === null) {
      at++;
      continue;
    }
    if (at > text) yield { kind: "text", text: decodeReferences(html.slice(text, at)) };
    const { part, end } = read;
    const dropped = part?.kind === "start" && !part.isEmpty ? ends.ofElement(part.name, end) : null;
    if (part !== null && dropped === null) yield part;
    at = dropped ?? end;
    text = at;
  }
  if (text < html.length) yield { kind: "text", text: decodeReferences(html.slice(text)) };
}

interface ReadPart {
  /** Null for markup that is left out. */
  readonly part: MarkupPart | null;
  readonly end: number;
}

/** A comment, declaration, instruction or CDATA section; null for anything else. */
function readSection(html: string, start: number, ends: SectionEnds): ReadPart | null {
  const second = html[start + 1];
  if (second !== "!" && second !== "?") return null;
  if (html.startsWith(CDATA, start)) {
    const end = ends.of("]]>", start + CDATA.length);
    if (end === null) return null;
    return { part: { kind: "text", text: html.slice(start + CDATA.length, end - 3) }, end };
  }
  const end = html.startsWith("<!--", start) ? ends.of("-->", start + 2) : ends.of(">", start);
  return end === null ? null : { part: null, end };
}

/** Null for text that only looks like a tag. */
function readTag(html: string, start: number): ReadPart | null {
  const match = matchAt(TAG_NAME, html, start);
  if (match === null) return null;
  const [whole, slash, written = ""] = match;
  const name = written.toLowerCase();
  const attributes = new Map<string, string>();
  let at = start + whole.length;
  for (let count = 0; count <= MAX_ATTRIBUTES; count++) {
    const end = matchAt(TAG_END, html, at);
    if (end !== null) {
      const isEmpty = end[0].endsWith("/>");
      at += end[0].length;
      const part: MarkupPart = slash === "/"
        ? { kind: "end", name }
        : { kind: "start", name, attributes, isEmpty, end: at };
      return { part, end: at };
    }
    const attribute = readAttribute(html, at);
    if (attribute === null) return null;
    const key = attribute.name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decodeReferences(attribute.value));
    at = attribute.end;
  }
  return null;
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

/** Null at the end of the text, and for a value without its closing quote. */
function readAttribute(html: string, start: number): Attribute | null {
  const match = matchAt(ATTRIBUTE_NAME, html, start);
  if (match === null) return null;
  const [whole, name = "", equals] = match;
  const at = start + whole.length;
  if (equals === "") return { name, value: "", end: at };
  const quote = html[at] ?? "";
  if (quote !== '"' && quote !== "'") {
    const [value = ""] = matchAt(UNQUOTED, html, at) ?? [];
    return { name, value, end: at + value.length };
  }
  const end = html.indexOf(quote, at + 1);
  return end === -1 ? null : { name, value: html.slice(at + 1, end), end: end + 1 };
}

/** The ends of sections, which are looked up in the order of the text. */
class SectionEnds {
  readonly #html: string;
  readonly #next = new Map<string, NextMatch>();

  constructor(html: string) {
    this.#html = html;
  }

  /** The position after a mark that ends with `>`; null if it does not follow. */
  of(mark: string, from: number): number | null {
    const next = this.#next.getOrInsertComputed(
      mark,
      () => new NextMatch(this.#html, new RegExp(mark, "gi")),
    );
    const end = this.#html.indexOf(">", next.from(from));
    return end === -1 ? null : end + 1;
  }

  /** The position after a dropped element; null for another one, or without its end. */
  ofElement(name: string, from: number): number | null {
    return DROPPED.includes(name) ? this.of(`</${name}\\s*>`, from) : null;
  }
}
