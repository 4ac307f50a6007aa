/** `prs-items`: the general form, one item a line, alone or in a zip archive with its attachments. */

import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { parseJson } from "../../validate/json_safety.ts";
import { refuseFile } from "../refusal.ts";
import type { Converted, Converter, ConverterInput, SourceInput, SourceItem } from "./converter.ts";
import { textLines } from "./lines.ts";

const ITEMS = "items.jsonl";
const SOURCE = /^[A-Za-z0-9._-]{1,64}$/;

export const PRS_ITEMS: Converter = {
  format: "prs-items",
  isNamed: false,
  kinds: ["zip", "text"],
  async sourceOf(input) {
    for await (const { text } of linesOf(input)) return `items:${readHead(text).source}`;
    return refuseFile("import.format", 1);
  },
  async *convert(input: ConverterInput): AsyncGenerator<Converted> {
    let isHead = true;
    for await (const { place, text } of linesOf(input)) {
      if (isHead) {
        if (readHead(text).version !== 1) refuseFile("import.version", place);
        isHead = false;
      } else {
        yield { kind: "item", item: readItem(text, place) };
      }
    }
    if (isHead) refuseFile("import.format", 1);
  },
};

/** The lines that are not blank. */
async function* linesOf(input: Pick<SourceInput, "file" | "archive">) {
  for await (const line of textLines(bytesOf(input), "items.line")) {
    if (line.text.trim() !== "") yield line;
  }
}

function bytesOf({ file, archive }: Pick<SourceInput, "file" | "archive">) {
  if (archive === null) return file.stream();
  const entry = archive.find(ITEMS);
  return entry === undefined ? refuseFile("import.format", 0) : archive.read(entry);
}

/** @throws FileRefusal `import.format` if the line is not the first of such a file. */
function readHead(text: string): { readonly source: string; readonly version: unknown } {
  const head = parseLoosely(text);
  const { format, version, source } = head ?? {};
  const isHead = format === "prs-items" && typeof source === "string" && SOURCE.test(source);
  return isHead ? { source, version } : refuseFile("import.format", 1);
}

/** An object that breaks the limits of public JSON refuses its item alone. */
function readItem(text: string, place: number): SourceItem {
  try {
    const members = parseJson(text);
    return isJsonObject(members) ? { place, members } : refuseFile("items.line", place);
  } catch (error) {
    const rules = error instanceof ServiceError ? error.details.rules : undefined;
    if (!Array.isArray(rules)) throw error;
    const members = rules.includes("json.syntax") ? null : parseLoosely(text);
    if (members === null) return refuseFile("items.line", place);
    const { key = null, target = null } = members;
    return { place, members: { key, target }, refused: rules.map(String) };
  }
}

/** Null for anything but an object. */
function parseLoosely(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
