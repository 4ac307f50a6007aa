/** Day One's rich text: a list of texts with the style of their lines, and of embedded files. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { parseJson } from "../../validate/json_safety.ts";
import { FILE_LISTS } from "./day_one_files.ts";
import { PARSED_LIMITS } from "./json_walk.ts";

/** The words as Markdown with addresses of files; null if it cannot be read or has no words. */
export function richTextWords(richText: JsonValue | undefined): string | null {
  const document = typeof richText === "string" ? parsed(richText) : richText;
  if (!isJsonObject(document) || !Array.isArray(document.contents)) return null;
  const lines = new Lines();
  for (const content of document.contents) {
    if (!isJsonObject(content)) continue;
    const { text, attributes, embeddedObjects } = content;
    if (typeof text === "string") {
      const address = memberOf(attributes, "linkURL");
      lines.addText(linked(text, address), prefixOf(memberOf(attributes, "line")));
    }
    for (const embedded of Array.isArray(embeddedObjects) ? embeddedObjects : []) {
      const line = isJsonObject(embedded) ? embeddedLine(embedded) : null;
      if (line !== null) lines.addLine(line);
    }
  }
  return lines.text.trim() === "" ? null : lines.text;
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text, PARSED_LIMITS);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

/** The mark at the beginning of a line of a style. */
function prefixOf(style: JsonValue | undefined): string {
  const header = memberOf(style, "header");
  if (typeof header === "number" && header >= 1) return `${"#".repeat(Math.min(header, 6))} `;
  const list = memberOf(style, "listStyle");
  if (list === "checkbox") return memberOf(style, "checked") === true ? "- [x] " : "- [ ] ";
  return typeof list === "string" && list !== "" && list !== "none" ? "- " : "";
}

/** The words of a line, with the address to which they lead. */
function linked(text: string, address: JsonValue | undefined): string {
  if (typeof address !== "string" || address === "" || text.includes(address)) return text;
  return text.replace(/\S(?:.*\S)?/, (words) => `[${words}](${address})`);
}

/** An embedded file by its address, a web address, or a rule. Null for other objects. */
function embeddedLine({ type, identifier, url }: JsonObject): string | null {
  if (type === "horizontalRuleLine") return "---";
  if (typeof type === "string" && typeof identifier === "string" && FILE_LISTS.has(`${type}s`)) {
    const place = type === "photo" ? "/" : `${type}/`;
    return `![](dayone-moment:/${place}${identifier})`;
  }
  return typeof url === "string" && url !== "" ? url : null;
}

/** Texts that are joined to lines: a line may consist of several. */
class Lines {
  readonly #parts: string[] = [];
  #isStart = true;
  /** True after a line that nothing ends yet. */
  #isOpen = false;

  get text(): string {
    return this.#parts.join("");
  }

  addText(text: string, prefix: string): void {
    if (text === "") return;
    if (this.#isOpen && !/^[\r\n]/.test(text)) this.#add("\n");
    this.#isOpen = false;
    for (const line of text.split(/(?<=\n)/)) {
      this.#add(this.#isStart && line.trim() !== "" ? prefix + line : line);
    }
  }

  addLine(line: string): void {
    if (!this.#isStart) this.#add("\n");
    this.#add(line);
    this.#isOpen = true;
  }

  #add(text: string): void {
    this.#parts.push(text);
    this.#isStart = text.endsWith("\n");
  }
}
