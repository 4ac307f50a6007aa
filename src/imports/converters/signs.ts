/** The signs by which formats are recognized, also those of formats that no converter reads yet. */

import { Buffer } from "node:buffer";
import type { Archive, Entry } from "../archive/archive.ts";
import type { ByteSource } from "../archive/file_source.ts";
import { FileRefusal } from "../refusal.ts";
import { isJoplinItem, JOPLIN_NAME } from "./joplin_item.ts";
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

/** The kinds of entries whose beginnings are examined. */
const KINDS = {
  xml: /\.xml$/i,
  enex: /\.enex$/i,
  json: /\.json$/i,
  ics: /\.ics$/i,
  vcf: /\.(?:vcf|vcard)$/i,
} as const;

type Kind = keyof typeof KINDS;

/** The examined parts of a file: the beginnings of entries by kind. A text is of every kind. */
interface Seen extends Readonly<Record<Kind | "items", readonly string[]>> {
  readonly isArchive: boolean;
  readonly hasBundle: boolean;
  readonly hasJoplinItem: boolean;
  /** True for notes that belong to no other format. */
  readonly hasNote: boolean;
  readonly shapes: readonly JsonShape[];
}

/** In this order a file is of the first format that it has a sign of. */
const SIGNS: readonly (readonly [format: string, (seen: Seen) => boolean])[] = [
  ["prs-items", ({ items }) => items.some(isItemsHead)],
  ["textbundle", ({ hasBundle }) => hasBundle],
  ["apple-health", ({ xml }) => xml.some((text) => /<HealthData[\s>]/.test(text))],
  ["enex", ({ enex }) => enex.some((text) => text.includes("<en-export"))],
  ["joplin", ({ hasJoplinItem }) => hasJoplinItem],
  [
    "journey",
    ({ isArchive, shapes }) => isArchive && shapes.some((each) => each.has("date_journal")),
  ],
  ["google-keep", ({ isArchive, shapes }) => isArchive && shapes.some(isKeepNote)],
  ["day-one", ({ shapes }) => shapes.some(isJournal)],
  ["google-timeline", ({ shapes }) => shapes.some(isTimeline)],
  ["monica-4", ({ isArchive, json }) => !isArchive && json.some(isMonica)],
  ["ical", ({ ics }) => ics.some((text) => /^\s*BEGIN:VCALENDAR/i.test(text))],
  ["vcard", ({ vcf }) => vcf.some((text) => /^\s*BEGIN:VCARD/i.test(text))],
  ["markdown", ({ hasNote }) => hasNote],
];

/** The formats that a file has a sign of, in the order of their table. */
export async function signsOf(source: SignSource): Promise<readonly string[]> {
  const { archive } = source;
  const seen = archive === null ? await seeText(source) : await seeArchive(archive);
  return SIGNS.filter(([, hasSign]) => hasSign(seen)).map(([format]) => format);
}

async function seeText({ file }: SignSource): Promise<Seen> {
  const text = decode(await file.read(0, HEAD_BYTES));
  const heads = text.includes("\0") ? [] : [text];
  return {
    isArchive: false,
    hasBundle: false,
    hasJoplinItem: false,
    hasNote: heads.some((head) => /^(?:# |---[ \t]*(?:[\r\n]|$))/.test(head)),
    items: heads,
    xml: heads,
    enex: heads,
    json: heads,
    ics: heads,
    vcf: heads,
    shapes: await shapesOf(heads),
  };
}

async function seeArchive(archive: Archive): Promise<Seen> {
  const headsOf = (kind: Kind) => beginningsOf(archive.matching(KINDS[kind]));
  const items = archive.find("items.jsonl");
  const named = archive.matching(JOPLIN_NAME).slice(0, MAX_ENTRIES);
  const texts = await beginningsOf(named);
  const hasJoplinItem = texts.some(isJoplinItem);
  // The end of a longer one is not known.
  const others = named.filter(({ size }, index) =>
    size <= HEAD_BYTES && !isJoplinItem(texts[index] ?? "")
  );
  const json = await headsOf("json");
  return {
    isArchive: true,
    hasBundle: isBundle(archive) || archive.matching(BUNDLE).length > 0,
    hasJoplinItem,
    hasNote: hasNote(archive, hasJoplinItem ? others : null),
    items: items === undefined ? [] : await beginningsOf([items]),
    xml: await headsOf("xml"),
    enex: await headsOf("enex"),
    json,
    ics: await headsOf("ics"),
    vcf: await headsOf("vcf"),
    shapes: await shapesOf(json),
  };
}

async function beginningsOf(entries: readonly Entry[]): Promise<string[]> {
  const texts: string[] = [];
  for (const entry of entries.slice(0, MAX_ENTRIES)) texts.push(decode(await beginningOf(entry)));
  return texts;
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

async function shapesOf(texts: readonly string[]): Promise<readonly JsonShape[]> {
  const shapes: JsonShape[] = [];
  for (const text of texts) shapes.push(await shapeOf(text));
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

/** The text of a bundle that is the archive itself. */
const TOP_TEXT = /^text\.[^/]*$/i;

/** True if the top of the archive is a bundle. */
function isBundle(archive: Archive): boolean {
  return archive.find("info.json") !== undefined &&
    archive.matching(/(?:^|\/)text\.[^/]*$/i).some((entry) => isTopText(entry, archive));
}

function isTopText({ name }: Entry, { top }: Archive): boolean {
  return name.startsWith(top) && TOP_TEXT.test(name.slice(top.length));
}

/** @param others Other notes with the name of a Joplin item; null without any such item. */
function hasNote(archive: Archive, others: readonly Entry[] | null): boolean {
  const isTop = isBundle(archive);
  return archive.matching(/\.md$/i).some((entry) => {
    if (BUNDLE.test(entry.name) || (isTop && isTopText(entry, archive))) return false;
    return others === null || !JOPLIN_NAME.test(entry.name) || others.includes(entry);
  });
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
