/** `prs-items`: the general form, one item per line, alone or in a zip with its attachments. */

import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { parseJson } from "../../validate/json_safety.ts";
import { refuseFile } from "../refusal.ts";
import type { Converted, Converter, ConverterInput, SourceInput, SourceItem } from "./converter.ts";
import { JsonTextError, walkJson } from "./json_walk.ts";
import { openText, type TextLine } from "./lines.ts";

const ITEMS = "items.jsonl";
const SOURCE = /^[A-Za-z0-9._-]{1,64}$/;

export const PRS_ITEMS: Converter = {
  format: "prs-items",
  title: { en: "Items in our own form", de: "Einträge in unserer eigenen Form" },
  isNamed: false,
  hasSign: ({ items }) => items.some(isItemsHead),
  statesSource: true,
  kinds: ["zip", "tar", "gzip", "text"],
  async sourceOf(input) {
    for await (const { text } of linesOf(input)) {
      return `items:${(await readHead(text)).source}`;
    }
    return refuseFile("import.format", 1);
  },
  async *convert(input: ConverterInput): AsyncGenerator<Converted> {
    let isHead = true;
    // The entry is refused alone.
    if (input.archive?.isRefused(ITEMS)) return;
    const entry = input.archive?.find(ITEMS)?.shownName ?? null;
    for await (const line of linesOf(input)) {
      if (isHead) {
        if ((await readHead(line.text)).version !== 1) refuseFile("import.version", line.place);
        isHead = false;
      } else {
        yield { kind: "item", item: { ...await readItem(line), entry } };
      }
    }
    if (isHead) refuseFile("import.format", 1);
  },
};

/** Lines that are not blank, and the last parts of lines that are too long. */
async function* linesOf(input: Pick<SourceInput, "file" | "archive">) {
  const { lines } = await openText(() => bytesOf(input));
  for await (const some of lines()) {
    yield* some.filter(({ isOpen, isLong, text }) => !isOpen && (isLong || text.trim() !== ""));
  }
}

function bytesOf({ file, archive }: Pick<SourceInput, "file" | "archive">) {
  if (archive === null) return file.stream();
  const entry = archive.find(ITEMS);
  if (entry !== undefined) return archive.read(entry);
  return refuseFile(archive.isRefused(ITEMS) ? "zip.crc" : "import.format", 0);
}

/** @throws FileRefusal `import.format` if the line is not the head of the format. */
async function readHead(
  text: string,
): Promise<{ readonly source: string; readonly version: unknown }> {
  const head = await membersOf(text, ["format", "version", "source"]);
  const { format, version, source } = head ?? {};
  const isHead = format === "prs-items" && typeof source === "string" && SOURCE.test(source);
  return isHead ? { source, version } : refuseFile("import.format", 1);
}

/** Refuses a line alone if it is not an item. */
async function readItem({ place, text, isLong, isBroken }: TextLine): Promise<SourceItem> {
  const refuse = (...refused: string[]) => ({ place, members: {}, refused });
  if (isLong) return refuse("import.item_size");
  if (isBroken) return refuse("text.utf8");
  try {
    const members = parseJson(text);
    if (!isJsonObject(members)) return refuse("items.line");
    // Only cards have lines.
    if (hasCardLines(members)) return { ...refuse("undeclared_field"), members };
    return { place, members: present(members) };
  } catch (error) {
    const rules = error instanceof ServiceError ? error.details.rules : undefined;
    if (!Array.isArray(rules)) throw error;
    const members = rules.includes("json.syntax") ? null : await membersOf(text, ["key", "target"]);
    if (members === null) return refuse("items.line");
    const { key = null, target = null } = members;
    return { place, members: { key, target }, refused: rules.map(String) };
  }
}

function hasCardLines({ target, payload }: JsonObject): boolean {
  const details = target === "person" && isJsonObject(payload) ? payload.details : null;
  return Array.isArray(details) &&
    details.some((detail) => isJsonObject(detail) && Object.hasOwn(detail, "lines"));
}

/** Without null members. A day without a time is its midnight in UTC. */
function present(members: JsonObject): JsonObject {
  const stated = Object.fromEntries(
    Object.entries(members).filter(([, member]) => member !== null),
  );
  const { recordedAt } = stated;
  const isDay = typeof recordedAt === "string" && /^\d{4}-\d{2}-\d{2}$/.test(recordedAt);
  return isDay ? { ...stated, recordedAt: `${recordedAt}T00:00:00.000Z` } : stated;
}

/** Reads named members of an object of any size or depth; null for other values. */
async function membersOf(text: string, names: readonly string[]): Promise<JsonObject | null> {
  const members: JsonObject = {};
  const parts = walkJson([new TextEncoder().encode(text)], ([name], kind) => {
    if (name === undefined) return kind === "object" ? "enter" : "skip";
    return names.includes(String(name)) ? "take" : "skip";
  });
  try {
    for await (const { path: [name], kind, value } of parts) {
      if (name === undefined) return kind === "object" ? members : null;
      if (value !== undefined) members[name] = value;
    }
    return null;
  } catch (error) {
    if (error instanceof JsonTextError) return null;
    throw error;
  }
}

function isItemsHead(text: string): boolean {
  const [line = ""] = text.trimStart().split("\n", 1);
  try {
    return JSON.parse(line)?.format === "prs-items";
  } catch {
    return false;
  }
}
