/** The examined parts of a file, in which converters look for the signs of their formats. */

import { Buffer } from "node:buffer";
import type { Archive, Entry } from "../archive/archive.ts";
import type { ByteSource } from "../archive/file_source.ts";
import { NOTE_PART } from "../parts.ts";
import { FileRefusal } from "../refusal.ts";
import { isJoplinItem, JOPLIN_NAME } from "./joplin_item.ts";
import { type JsonShape, shapeOf } from "./json_shape.ts";
import { utf16Of } from "./text_encoding.ts";

/** Bytes of a text, or of an entry, that are examined. */
const HEAD_BYTES = 64 * 1024;
/** Entries of a kind that are examined. */
export const MAX_ENTRIES = 20;

export interface SignSource {
  /** The file's own name; null for an unknown one. */
  readonly filename?: string | null;
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
  csv: /\.csv$/i,
} as const;

type Kind = keyof typeof KINDS;

/** The beginnings of entries by kind. A text is of every kind. */
export interface SeenFile extends Readonly<Record<Kind | "items", readonly string[]>> {
  readonly filename: string | null;
  /** The beginning of a text without U+0000; null for any other file. */
  readonly text: string | null;
  readonly isArchive: boolean;
  readonly hasBundle: boolean;
  readonly hasJoplinItem: boolean;
  /** True for notes that belong to no other format. */
  readonly hasNote: boolean;
  readonly shapes: readonly JsonShape[];
}

type SeenContent = Omit<SeenFile, "filename">;

/** Examines a file; writes nothing. */
export async function seeFile(source: SignSource): Promise<SeenFile> {
  const { archive, filename = null } = source;
  const seen = archive === null ? await seeText(source) : await seeArchive(archive);
  return { filename, ...seen };
}

async function seeText({ file }: SignSource): Promise<SeenContent> {
  const text = decode(await file.read(0, HEAD_BYTES));
  const heads = text.includes("\0") ? [] : [text];
  return {
    text: heads[0] ?? null,
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
    csv: heads,
    shapes: await shapesOf(heads),
  };
}

async function seeArchive(archive: Archive): Promise<SeenContent> {
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
    text: null,
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
    csv: await headsOf("csv"),
    shapes: await shapesOf(json),
  };
}

async function beginningsOf(entries: readonly Entry[]): Promise<string[]> {
  const texts: string[] = [];
  for (const entry of entries.slice(0, MAX_ENTRIES)) texts.push(await beginningText(entry));
  return texts;
}

/** The first 64 KiB of an entry. */
export async function beginningText(entry: Entry): Promise<string> {
  return decode(await beginningOf(entry));
}

/** True for an archive, and for a text in UTF-8 whose beginning has a form. */
export async function beginsAs({ file, archive }: SignSource, form: RegExp): Promise<boolean> {
  return archive !== null || form.test(new TextDecoder().decode(await file.read(0, HEAD_BYTES)));
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

/** The shape of the beginning of an entry in JSON. */
export async function entryShape(entry: Entry): Promise<JsonShape> {
  return await shapeOf(decode(await beginningOf(entry)));
}

async function shapesOf(texts: readonly string[]): Promise<readonly JsonShape[]> {
  const shapes: JsonShape[] = [];
  for (const text of texts) shapes.push(await shapeOf(text));
  return shapes;
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

/**
 * Parts are not opened, so that their names count.
 *
 * @param others Other notes with the name of a Joplin item; null without any such item.
 */
function hasNote(archive: Archive, others: readonly Entry[] | null): boolean {
  if (archive.matching(NOTE_PART).length > 0) return true;
  const isTop = isBundle(archive);
  return archive.matching(/\.md$/i).some((entry) => {
    if (BUNDLE.test(entry.name) || (isTop && isTopText(entry, archive))) return false;
    return others === null || !JOPLIN_NAME.test(entry.name) || others.includes(entry);
  });
}
