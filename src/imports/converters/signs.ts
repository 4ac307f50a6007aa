/** The signs by which formats are recognized, also those of formats that no converter reads yet. */

import { Buffer } from "node:buffer";
import { type Archive, baseNameOf, type Entry, isHiddenName } from "../archive/archive.ts";
import type { ByteSource } from "../archive/file_source.ts";
import { FileRefusal } from "../refusal.ts";
import { hasJoplinName, isJoplinItem } from "./joplin_item.ts";
import { type JsonShape, shapeOf } from "./json_shape.ts";
import { utf16Of } from "./text_encoding.ts";

/** Bytes of a text, or of an entry, that are examined. */
const HEAD_BYTES = 64 * 1024;
/** Entries of a kind that are examined. */
const MAX_ENTRIES = 20;

export interface SignSource {
  readonly file: Pick<ByteSource, "read">;
  /** Null if the file is not an archive. */
  readonly archive: Archive | null;
}

/** The beginning of a text, or of an entry of an archive. */
interface Head {
  /** Empty for a text alone. */
  readonly name: string;
  readonly text: string;
}

/** The kinds of entries whose beginnings are examined. */
const KINDS = {
  items: /^items\.jsonl$/i,
  xml: /\.xml$/i,
  enex: /\.enex$/i,
  json: /\.json$/i,
  ics: /\.ics$/i,
  vcf: /\.vcf$/i,
} as const;

function belowTop(path: string, { top }: { readonly top: string }): string {
  return path.startsWith(top) ? path.slice(top.length) : path;
}

/** The examined parts of a file. A text alone is of every kind. */
interface Seen extends Readonly<Record<keyof typeof KINDS, readonly Head[]>> {
  readonly isArchive: boolean;
  /** As in `Archive`. */
  readonly top: string;
  readonly names: readonly string[];
  readonly joplinItems: readonly Head[];
  readonly shapes: readonly JsonShape[];
}

/** In this order a file is of the first format that it has a sign of. */
const SIGNS: readonly (readonly [format: string, (seen: Seen) => boolean])[] = [
  ["prs-items", ({ items }) => items.some(({ text }) => isItemsHead(text))],
  ["textbundle", (seen) => seen.names.some(isOfBundle) || hasTopBundle(seen)],
  ["apple-health", ({ xml }) => xml.some(({ text }) => /<HealthData[\s>]/.test(text))],
  ["enex", ({ enex }) => enex.some(({ text }) => text.includes("<en-export"))],
  ["joplin", ({ joplinItems }) => joplinItems.length > 0],
  [
    "journey",
    ({ isArchive, shapes }) => isArchive && shapes.some((each) => each.has("date_journal")),
  ],
  ["google-keep", ({ isArchive, shapes }) => isArchive && shapes.some(isKeepNote)],
  ["day-one", ({ shapes }) => shapes.some(isJournal)],
  ["google-timeline", ({ shapes }) => shapes.some(isTimeline)],
  ["monica-4", ({ isArchive, json }) => !isArchive && json.some(({ text }) => isMonica(text))],
  ["ical", ({ ics }) => ics.some(({ text }) => /^\s*BEGIN:VCALENDAR/i.test(text))],
  ["vcard", ({ vcf }) => vcf.some(({ text }) => /^\s*BEGIN:VCARD/i.test(text))],
  ["markdown", hasNotes],
];

/** The formats that a file has a sign of, in the order of their table. */
export async function signsOf(source: SignSource): Promise<readonly string[]> {
  const { archive } = source;
  const seen = archive === null ? await seeText(source) : await seeArchive(archive);
  return SIGNS.filter(([, hasSign]) => hasSign(seen)).map(([format]) => format);
}

async function seeText({ file }: SignSource): Promise<Seen> {
  const text = decode(await file.read(0, HEAD_BYTES));
  const heads = text.includes("\0") ? [] : [{ name: "", text }];
  return {
    isArchive: false,
    top: "",
    names: [],
    joplinItems: [],
    ...ofEachKind(() => heads),
    shapes: await shapesOf(heads),
  };
}

async function seeArchive(archive: Archive): Promise<Seen> {
  const entries = archive.entries.filter(({ name }) => !isHiddenName(name));
  const kinds = ofEachKind<Head[]>(() => []);
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    kinds[kind] = await headsOf(
      entries.filter((entry) => KINDS[kind].test(belowTop(entry.name, archive))),
    );
  }
  const items = await headsOf(entries.filter(({ name }) => hasJoplinName(name)));
  return {
    isArchive: true,
    top: archive.top,
    names: entries.map(({ name }) => name),
    joplinItems: items.filter(({ text }) => isJoplinItem(text)),
    ...kinds,
    shapes: await shapesOf(kinds.json),
  };
}

function ofEachKind<T>(make: () => T): Record<keyof typeof KINDS, T> {
  return { items: make(), xml: make(), enex: make(), json: make(), ics: make(), vcf: make() };
}

async function headsOf(entries: readonly Entry[]): Promise<Head[]> {
  const heads: Head[] = [];
  for (const entry of entries.slice(0, MAX_ENTRIES)) {
    heads.push({ name: entry.name, text: decode(await beginningOf(entry)) });
  }
  return heads;
}

/** The bytes before a fault of the entry, if it has one. */
async function beginningOf({ bytes }: Entry): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of bytes()) {
      chunks.push(chunk.slice(0, HEAD_BYTES - size));
      size += chunk.length;
      if (size >= HEAD_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
  }
  return Buffer.concat(chunks);
}

/** Without a byte order mark. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder(utf16Of(bytes) ?? "utf-8").decode(bytes);
}

async function shapesOf(heads: readonly Head[]): Promise<readonly JsonShape[]> {
  const shapes: JsonShape[] = [];
  for (const { text } of heads) shapes.push(await shapeOf(text));
  return shapes;
}

function isItemsHead(text: string): boolean {
  const [line = ""] = text.trimStart().split("\n", 1);
  try {
    return JSON.parse(line)?.format === "prs-items";
  } catch {
    return false;
  }
}

const BUNDLE = /\.(?:textbundle\/(?:info\.json|text\.[^/]*)|textpack(?:\/.*)?)$/i;

function isOfBundle(path: string): boolean {
  return BUNDLE.test(path);
}

/** The text of a bundle that is the archive itself. */
const TOP_TEXT = /^text\.[^/]*$/i;

/** True if the top of the archive is a bundle. */
function hasTopBundle(seen: Pick<Seen, "names" | "top">): boolean {
  return seen.names.includes(`${seen.top}info.json`) &&
    seen.names.some((name) => TOP_TEXT.test(belowTop(name, seen)));
}

function isKeepNote(shape: JsonShape): boolean {
  return shape.has("userEditedTimestampUsec") || shape.has("createdTimestampUsec");
}

function isJournal(shape: JsonShape): boolean {
  if (shape.get("entries") !== "array") return false;
  const isEntry = shape.has("entries 0 uuid") && shape.has("entries 0 creationDate");
  return shape.has("metadata") || isEntry;
}

function isTimeline(shape: JsonShape): boolean {
  const has = (...paths: readonly string[]) => paths.some((path) => shape.has(path));
  return has("timelineObjects", "semanticSegments", "rawSignals") ||
    has("locations 0 latitudeE7", "locations 0 timestampMs") ||
    has("0 startTime") && has("0 visit", "0 activity", "0 timelinePath", "0 timelineMemory");
}

function isMonica(text: string): boolean {
  return /"version"\s*:\s*"1\.0-preview/.test(text) && text.includes('"account"');
}

/** True for notes that belong to no other format. */
function hasNotes(seen: Seen): boolean {
  const { isArchive, names, joplinItems, json } = seen;
  if (!isArchive) return json.some(({ text }) => /^(?:# |---[ \t]*(?:[\r\n]|$))/.test(text));
  const isTopBundle = hasTopBundle(seen);
  const items = new Set(joplinItems.map(({ name }) => baseNameOf(name)));
  const hasMoreItems = items.size === MAX_ENTRIES;
  return names.some((name) => {
    if (!/\.md$/i.test(name) || isOfBundle(name)) return false;
    if (isTopBundle && TOP_TEXT.test(belowTop(name, seen))) return false;
    return !hasJoplinName(name) || !(hasMoreItems || items.has(baseNameOf(name)));
  });
}
