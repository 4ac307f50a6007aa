/**
 * The items of a Joplin export: entries `<id>.md` with a title, a blank line, a body, a blank line
 * and lines `name: value`.
 */

import { Buffer } from "node:buffer";
import { baseNameOf, type Entry } from "../../archive/archive.ts";
import { decodeUtf8 } from "../text_encoding.ts";
import { cleanText } from "./clean_text.ts";

/** Types of items that are read. */
export const ITEM_TYPES = { note: 1, notebook: 2, resource: 4, tag: 5, noteTag: 6 } as const;

/** Only the beginning and the end of a longer item are read. */
const MAX_BYTES = 4 * 1024 * 1024;
const PART_BYTES = 64 * 1024;
/** An item has about 30. */
const MAX_PROPERTIES = 1_000;

export interface JoplinItem {
  readonly id: string;
  readonly type: number;
  readonly title: string;
  readonly body: string;
  readonly properties: ReadonlyMap<string, string>;
  /** True if a part of the item was not read. */
  readonly isCut: boolean;
}

/** Reads an entry; null if it is not an item. */
export async function readJoplinItem(entry: Entry): Promise<JoplinItem | "text.utf8" | null> {
  const isCut = entry.size > MAX_BYTES;
  const bytes = await bytesOf(entry, isCut);
  const text = isCut ? bytes.toString() : decodeUtf8(bytes);
  return text === null ? "text.utf8" : parseItem(cleanText(text), entry.name, isCut);
}

async function bytesOf({ bytes, size }: Entry, isCut: boolean): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let at = 0;
  for await (const chunk of bytes()) {
    const isKept = !isCut || at < PART_BYTES || at + chunk.length > size - PART_BYTES;
    if (isKept) kept.push(chunk.slice());
    at += chunk.length;
  }
  return Buffer.concat(kept);
}

function parseItem(text: string, path: string, isCut: boolean): JoplinItem | null {
  const { properties, head } = splitItem(text.trimEnd());
  const type = properties.get("type_") ?? "";
  if (!/^\d{1,9}$/.test(type)) return null;
  const name = baseNameOf(path).slice(0, -".md".length);
  const id = idOf(properties.get("id") ?? "") ?? name.toLowerCase();
  return { id, type: Number(type), ...titleAndBody(head), properties, isCut };
}

/** Reads properties from the end up to a blank line. */
function splitItem(text: string): {
  readonly properties: ReadonlyMap<string, string>;
  /** The text before that line. */
  readonly head: string;
} {
  const properties = new Map<string, string>();
  for (let end = text.length; end > 0 && properties.size < MAX_PROPERTIES;) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end);
    end = start - 1;
    if (line.trim() === "") return { properties, head: text.slice(0, Math.max(0, end)) };
    const colon = line.indexOf(":");
    if (colon === -1) continue;
    properties.set(line.slice(0, colon).trim(), unescaped(line.slice(colon + 1).trim()));
  }
  return { properties, head: "" };
}

function titleAndBody(head: string): Pick<JoplinItem, "title" | "body"> {
  const [title = "", second = ""] = head.split("\n", 2);
  const rest = head.slice(title.length + 1);
  return { title, body: second.trim() === "" ? rest.slice(second.length + 1) : rest };
}

/** `\n` is a line end, and `\\n` a backslash before a letter. */
function unescaped(value: string): string {
  return value.replaceAll(
    /\\(\\?)[nr]/g,
    (written, backslash) => backslash === "" ? "\n" : written.slice(1),
  );
}

/** An identifier in lower case; null for any other text. */
export function idOf(text: string): string | null {
  return /^[0-9a-f]{32}$/i.test(text) ? text.toLowerCase() : null;
}
