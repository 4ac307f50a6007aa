/** An element whose content is read as it is written: code, a cipher text, a group of tasks. */

import { fileOf, LINES, type MarkupFile } from "./markup_elements.ts";
import type { StartPart } from "./markup_parts.ts";

export class MarkupRegion {
  readonly kind: "code" | "encrypted" | "tasks";
  /** The language of code; the hint of a cipher text. */
  readonly label: string;
  /** Files in the region, which the text cannot show. */
  readonly files: MarkupFile[] = [];
  readonly #name: string;
  /** Open elements of that name. */
  #depth = 1;
  #text = "";
  /** True if the text has an open line. */
  #hasLine = false;
  /** True after the begin or end of a line element. */
  #isAtLine = false;

  constructor(kind: MarkupRegion["kind"], name: string, label: string) {
    this.kind = kind;
    this.#name = name;
    this.label = label;
  }

  get text(): string {
    return this.#text;
  }

  /** Adds text as it is written, without the blanks between elements that are lines. */
  read(text: string): void {
    const isBetween = this.#isAtLine && text.trim() === "" && text.includes("\n");
    if (!isBetween) this.#add(text);
  }

  start(part: StartPart): void {
    const { name } = part;
    if (name === this.#name) this.#depth++;
    const file = fileOf(part);
    if (file !== null) this.files.push(file);
    else if (name === "br") this.#add("\n");
    else if (isLine(name)) this.#endLine();
  }

  /** Reads an end tag; true for that of the region. */
  end(name: string): boolean {
    if (name === this.#name && --this.#depth === 0) return true;
    if (isLine(name)) this.#endLine();
    return false;
  }

  #add(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#hasLine = !text.endsWith("\n");
    this.#isAtLine = false;
  }

  #endLine(): void {
    if (this.#hasLine) this.#add("\n");
    this.#isAtLine = true;
  }
}

function isLine(name: string): boolean {
  return name === "p" || name === "li" || LINES.has(name);
}
