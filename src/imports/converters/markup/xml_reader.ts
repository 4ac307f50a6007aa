/**
 * Reads XML of any size as a stream of tags and texts. No entity is resolved, and the document type
 * is not read. Memory is bounded by the longest tag.
 */

import { type FileRule, refuseFile } from "../../refusal.ts";
import { utf16Of } from "../text_encoding.ts";
import { attributesOf, isBlank } from "./xml_attributes.ts";
import { ReplacedBytes } from "./replaced_bytes.ts";
import { cleanXml, decodeReferences, MAX_REFERENCE } from "./xml_text.ts";

/** The texts are slices of the file's pieces: copy those that stay. */
export type XmlPart =
  | {
    readonly kind: "start";
    readonly name: string;
    readonly attributes: ReadonlyMap<string, string>;
  }
  /** A piece of the text between two tags. */
  | { readonly kind: "text"; readonly text: string }
  /** Also after the start of an element in a single tag. */
  | { readonly kind: "end"; readonly name: string };

export interface XmlOptions {
  /** Elements whose content is one text up to their end tag, as written; default: none. */
  readonly rawElements?: readonly string[];
  /** The path of the archive's entry, for refusals; default: none. */
  readonly entry?: string | null;
  /** Called before the parts of a piece in which bytes were not UTF-8; default: no one. */
  readonly onReplaced?: () => void;
}

/** Bytes that are read at a time. */
const PIECE_BYTES = 64 * 1024;
const MAX_DEPTH = 32;
/** Maximum characters of a tag, and of the text before the root. */
const MAX_LENGTH = 1024 * 1024;

/**
 * Reads the parts of each chunk. Bytes that are not UTF-8 become U+FFFD, control characters are
 * removed, and everything before the first start tag is skipped. Attributes may have blanks in
 * their names, as in exports of iOS 8, and values without quotes; of two with one name the first
 * counts.
 *
 * @throws FileRefusal with the line, from 1: `xml.entity` (an entity that is not predefined),
 * `xml.depth` (over 32 levels), `xml.length` (a tag over 1 MiB, no root in 1 MiB), `xml.end` (the
 * file ends early, a tag does not end, an end tag lacks its start, content after the root).
 */
export async function* readXml(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: XmlOptions = {},
): AsyncGenerator<readonly XmlPart[]> {
  const reader = new XmlReader(options);
  const replaced = new ReplacedBytes();
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    // The mark at the start is skipped. Else the runtime removes it at the start of any piece.
    decoder ??= new TextDecoder(utf16Of(chunk) ?? "utf-8", { ignoreBOM: true });
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      const text = decoder.decode(piece, { stream: true });
      if (decoder.encoding === "utf-8" && replaced.areIn(piece, text)) options.onReplaced?.();
      yield reader.read(text, false);
    }
  }
  yield reader.read(decoder?.decode() ?? "", true);
}

/** The content of an element, a tag, CDATA, an element of `rawElements`, or skipped markup. */
type State = "content" | "tag" | "cdata" | "raw" | "skipped";

const COMMENT = "<!--";
const CDATA = "<![CDATA[";
const CDATA_END = "]]>";
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

class XmlReader {
  readonly #raw: ReadonlySet<string>;
  readonly #entry: string | null;
  readonly #open: string[] = [];
  #state: State = "content";
  #hasRoot = false;
  #text = "";
  /** Characters before `#text`. */
  #passed = 0;
  #isLast = false;
  #parts: XmlPart[] = [];
  /** The characters that end skipped markup. */
  #skippedTo = "";
  /** Characters of the tag in which its end was not found. */
  #searched = 0;
  #line = 1;
  /** Position of the next line end that `#line` does not count; -1 if the text has none. */
  #nextBreak = -1;
  /** True if the last character of the chunk before was a carriage return. */
  #hasReturn = false;

  constructor({ rawElements = [], entry = null }: XmlOptions) {
    this.#raw = new Set(rawElements);
    this.#entry = entry;
  }

  read(chunk: string, isLast: boolean): readonly XmlPart[] {
    this.#text += this.#cleaned(chunk);
    this.#isLast = isLast;
    this.#parts = [];
    this.#nextBreak = this.#text.indexOf("\n");
    let at = 0;
    while (at < this.#text.length) {
      const next = this.#step(at);
      if (next === at) break;
      at = next;
    }
    this.#lineAt(at);
    this.#passed += at;
    this.#text = this.#text.slice(at);
    if (!this.#hasRoot && this.#passed > MAX_LENGTH) this.#refuse("xml.length", 0);
    if (isLast && !this.#isWhole) this.#refuse("xml.end", 0);
    return this.#parts;
  }

  get #isWhole(): boolean {
    return this.#hasRoot && this.#open.length === 0 && this.#state === "content" &&
      this.#text === "";
  }

  /** A carriage return at the end of a chunk waits for the next one. */
  #cleaned(chunk: string): string {
    const text = this.#hasReturn ? `\r${chunk}` : chunk;
    this.#hasReturn = text.endsWith("\r");
    return cleanXml(this.#hasReturn ? text.slice(0, -1) : text);
  }

  /** Returns the position after the part; the same one if the rest of the part is missing. */
  #step(at: number): number {
    switch (this.#state) {
      case "content":
        return this.#text.startsWith("<", at) ? this.#readMarkup(at) : this.#readText(at);
      case "tag":
        return this.#readTag(at);
      case "cdata":
        return this.#readCdata(at);
      case "raw":
        return this.#readRaw(at);
      case "skipped":
        return this.#skip(at);
    }
  }

  #readMarkup(at: number): number {
    const text = this.#text;
    if (text.length - at < CDATA.length && !this.#isLast) return at;
    if (text.startsWith(COMMENT, at)) return this.#skipTo("-->", at + COMMENT.length);
    if (text.startsWith("<?", at)) return this.#skipTo("?>", at + 2);
    if (this.#hasRoot && text.startsWith(CDATA, at)) {
      this.#state = "cdata";
      return at + CDATA.length;
    }
    // The document type of iOS 16 is broken, so its end is not looked for.
    if (this.#hasRoot && text.startsWith("<!", at)) return this.#skipTo(">", at + 2);
    const isEnd = this.#hasRoot && text.startsWith("/", at + 1);
    if (isEnd || isNameStart(text.charCodeAt(at + 1))) {
      this.#state = "tag";
      return this.#readTag(at);
    }
    this.#addText(at, "<");
    return at + 1;
  }

  #skipTo(end: string, at: number): number {
    this.#state = "skipped";
    this.#skippedTo = end;
    return at;
  }

  #skip(at: number): number {
    const end = this.#text.indexOf(this.#skippedTo, at);
    if (end === -1) return this.#beforeEnd(at, this.#skippedTo.length);
    this.#state = "content";
    return end + this.#skippedTo.length;
  }

  /** The position before characters that may begin the searched ones. */
  #beforeEnd(at: number, searched: number): number {
    const { length } = this.#text;
    return this.#isLast ? length : Math.max(at, length - searched + 1);
  }

  #readText(at: number): number {
    const open = this.#text.indexOf("<", at);
    const end = open === -1 ? this.#beforeReference(at) : open;
    const text = this.#text.slice(at, end);
    if (!this.#hasRoot || end === at) return end;
    this.#addText(at, text.includes("&") ? this.#decode(text, at) : text);
    return end;
  }

  /** The position before a reference that the text does not end. */
  #beforeReference(at: number): number {
    const { length } = this.#text;
    if (this.#isLast) return length;
    const from = Math.max(at, length - MAX_REFERENCE);
    const ampersand = this.#text.slice(from).lastIndexOf("&");
    const isWhole = ampersand === -1 || this.#text.includes(";", from + ampersand);
    return isWhole ? length : from + ampersand;
  }

  #readCdata(at: number): number {
    const found = this.#text.indexOf(CDATA_END, at);
    const end = found === -1 ? this.#beforeEnd(at, CDATA_END.length) : found;
    this.#addText(at, this.#text.slice(at, end));
    if (found === -1) return end;
    this.#state = "content";
    return found + CDATA_END.length;
  }

  #readRaw(at: number): number {
    const text = this.#text;
    const endTag = `</${this.#open.at(-1) ?? ""}`;
    const found = text.indexOf(endTag, at);
    let end = found === -1 ? this.#beforeEnd(at, endTag.length) : found;
    const after = end + endTag.length;
    if (found !== -1 && (after < text.length || this.#isLast)) {
      if (/[\s>]/.test(text.charAt(after))) this.#state = "content";
      else end = after;
    }
    this.#addText(at, text.slice(at, end));
    // An unchanged position would wait for the next chunk.
    return this.#state === "content" ? this.#readMarkup(end) : end;
  }

  #addText(at: number, text: string): void {
    if (text === "" || !this.#hasRoot) return;
    if (this.#open.length > 0) this.#parts.push({ kind: "text", text });
    else if (text.trim() !== "") {
      this.#refuse("xml.end", at + text.length - text.trimStart().length);
    }
  }

  #readTag(at: number): number {
    if (!this.#hasRoot && this.#passed + at > MAX_LENGTH) this.#refuse("xml.length", at);
    const end = this.#endOfTag(at);
    const length = (end === -1 ? this.#text.length : end + 1) - at;
    if (length > MAX_LENGTH) this.#refuse("xml.length", at);
    if (end === -1) return at;
    this.#state = "content";
    if (this.#text.startsWith("/", at + 1)) this.#readEndTag(at, end);
    else this.#readStartTag(at, end);
    return end + 1;
  }

  /** The position of the `>` that ends the tag; -1 if it is missing. */
  #endOfTag(at: number): number {
    const text = this.#text;
    let position = at + Math.max(1, this.#searched);
    for (; position < text.length; position++) {
      const code = text.charCodeAt(position);
      if (code === GREATER) {
        this.#searched = 0;
        return position;
      }
      if (code === LESS) this.#refuse("xml.end", at);
      if (code !== QUOTATION && code !== APOSTROPHE) continue;
      const closing = text.indexOf(text.charAt(position), position + 1);
      if (closing === -1) break;
      position = closing;
    }
    this.#searched = position - at;
    return -1;
  }

  #readStartTag(at: number, end: number): void {
    if (this.#hasRoot && this.#open.length === 0) this.#refuse("xml.end", at);
    if (this.#open.length === MAX_DEPTH) this.#refuse("xml.depth", at);
    this.#hasRoot = true;
    const text = this.#text;
    const isEmpty = text.charCodeAt(end - 1) === SLASH;
    const last = isEmpty ? end - 1 : end;
    let nameEnd = at + 1;
    while (nameEnd < last && !isBlank(text.charCodeAt(nameEnd))) nameEnd++;
    const name = text.slice(at + 1, nameEnd);
    const attributes = nameEnd === last
      ? NO_ATTRIBUTES
      : attributesOf(text.slice(nameEnd, last), (value) => this.#decode(value, at));
    this.#parts.push({ kind: "start", name, attributes });
    if (isEmpty) {
      this.#parts.push({ kind: "end", name });
      return;
    }
    this.#open.push(name);
    if (this.#raw.has(name)) this.#state = "raw";
  }

  #readEndTag(at: number, end: number): void {
    const name = this.#text.slice(at + 2, end).trimEnd();
    if (this.#open.pop() !== name) this.#refuse("xml.end", at);
    this.#parts.push({ kind: "end", name });
  }

  #decode(text: string, at: number): string {
    return decodeReferences(text, (offset) => this.#refuse("xml.entity", at + offset));
  }

  /** The line of a position, which must not be before the one of the last call. */
  #lineAt(at: number): number {
    while (this.#nextBreak !== -1 && this.#nextBreak < at) {
      this.#line++;
      this.#nextBreak = this.#text.indexOf("\n", this.#nextBreak + 1);
    }
    return this.#line;
  }

  #refuse(rule: FileRule, at: number): never {
    refuseFile(rule, this.#lineAt(at), this.#entry);
  }
}

const QUOTATION = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;

/** Letters, `_`, `:` and everything beyond ASCII. */
function isNameStart(code: number): boolean {
  return code >= 0x61 && code <= 0x7a || code >= 0x41 && code <= 0x5a || code >= 0x80 ||
    code === 0x5f || code === 0x3a;
}
