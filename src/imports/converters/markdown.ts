/** `markdown`: a note, an Obsidian vault, a Notion export, or this service's own export. */

import { sha256Hex } from "../../core/digest.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { isPublicReference } from "../../validate/public_reference.ts";
import { jsonObject, optional, readBody } from "../../validate/schema.ts";
import { type Archive, baseNameOf, folderOf } from "../archive/archive.ts";
import type { ReadingBudget } from "../reading_budget.ts";
import type { Converted, Converter, SourceItem } from "./converter.ts";
import { DEFAULT_ZONE, inUtc, readDate, readDay, TIME_ZONE } from "./dates.ts";
import { EmbeddedFiles } from "./embeds.ts";
import { readFrontMatter } from "./front_matter.ts";
import { decodeText } from "./text_encoding.ts";
import { reportWord } from "../words.ts";

const NOTE_TARGETS = ["knowledge", "memory", "capture"] as const;
type NoteTarget = (typeof NOTE_TARGETS)[number];
/** A target in the mapping; notes of a folder to "leave" are not imported. */
type FolderTarget = NoteTarget | "leave";

const MAPPING = {
  folders: optional(jsonObject),
  timeZone: optional(TIME_ZONE),
};

/** Larger than any record: a longer note is refused without being read. */
const NOTE_BYTES = 1024 * 1024;
/** Earlier releases gave this name to the only note of an import. */
const FORMER_NOTE = "note.md";

export const MARKDOWN: Converter = {
  format: "markdown",
  title: {
    en: "Markdown: Obsidian, Notion, or our own export",
    de: "Markdown: Obsidian, Notion oder unser eigener Export",
  },
  extensions: [".md", ".tar"],
  isNamed: true,
  kinds: ["zip", "tar", "text"],
  hasParts: true,
  leftOut: (name) => /\.csv$/i.test(name) ? "file.csv" : null,
  mapping: {
    kind: "FOLDERS",
    schema: MAPPING,
    example: { folders: { Journal: "memory", Templates: "leave" }, timeZone: "Europe/Berlin" },
    check: (mapping) => void readMarkdownMapping(mapping),
  },
  async *convert(
    { file, archive, filename, source, mapping, budget },
  ): AsyncGenerator<Converted> {
    const files = await embeddedFiles(archive, budget);
    const notes = { source, mapping: readMarkdownMapping(mapping ?? {}), files };
    if (archive === null) {
      const text = file.size > NOTE_BYTES ? null : decodeText(await file.read(0, file.size), null);
      return yield { kind: "item", item: singleNote(notes, filename, text) };
    }
    for (const entry of archive.matching(/\.md$/i)) {
      archive.used.add(entry.name);
      const text = entry.size > NOTE_BYTES
        ? null
        : decodeText(await archive.readWhole(entry), null);
      if (folderTargetOf(notes, entry.name) === "leave") {
        yield { kind: "unmapped", name: "folder.left" };
      } else yield { kind: "item", item: toItem(notes, namesOf(entry.name), text) };
    }
  },
};

/** Bytes in memory of the two names of a file, which share most of their text with the archive. */
const FILE_BYTES = 250;

async function embeddedFiles(archive: Archive | null, budget: ReadingBudget) {
  const files = new EmbeddedFiles(null);
  for (const { name, place } of archive?.entries ?? []) {
    await budget.turn(place);
    budget.hold(FILE_BYTES, place);
    files.add(name);
  }
  return files;
}

type MarkdownMapping = ReturnType<typeof readMarkdownMapping>;

/** Reads the targets of folders by path, which ends with `/`, and the time zone. */
function readMarkdownMapping(mapping: JsonObject) {
  const { folders = {}, timeZone = DEFAULT_ZONE } = readBody(MAPPING, mapping);
  const words: readonly JsonValue[] = [...NOTE_TARGETS, "leave"];
  if (!Object.values(folders).every((word) => words.includes(word))) {
    throw payloadInvalid(["mapping.folder"], ["folders"]);
  }
  const listed = new Map<string, FolderTarget>();
  for (const [folder, word] of Object.entries(folders)) {
    const path = withoutSlashes(folder);
    const name = path === "" ? "" : `${path}/`;
    if (!listed.has(name)) listed.set(name, word as FolderTarget);
  }
  return { folders: listed, timeZone };
}

function withoutSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end);
}

interface Notes {
  readonly source: string;
  readonly mapping: MarkdownMapping;
  readonly files: EmbeddedFiles;
}

/** The target of the innermost folder of a note that the mapping lists; null without one. */
function folderTargetOf({ mapping: { folders } }: Notes, path: string): FolderTarget | null {
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder.slice(0, -1))) {
    const word = folders.get(folder);
    if (word !== undefined) return word;
  }
  return folders.get("") ?? null;
}

interface NoteNames {
  readonly path: string;
  readonly key: string;
  /** A day becomes the date of the note. Null if unknown. */
  readonly name: string | null;
}

/** The only note of an import. Its key is the file's name, or a digest if that is unknown. */
function singleNote(notes: Notes, filename: string | null, text: string | null): SourceItem {
  const key = text === null ? "place:1" : `digest:${sha256Hex(text)}`;
  const names = filename === null ? { path: "", key, name: null } : namesOf(filename);
  const item = toItem(notes, names, text);
  if (text === null) return item;
  return { ...item, former: convertNote(notes, namesOf(FORMER_NOTE), text).members };
}

/** @param text Null if it is too long. */
function toItem(notes: Notes, names: NoteNames, text: string | null): SourceItem {
  const item = convertNote(notes, names, text ?? "");
  return text === null ? { ...item, refused: ["field.length"] } : item;
}

/** The first heading, else the first line with words, else the name of the import. */
function titleOf(text: string, { source }: Notes): string {
  let isCode = false;
  const lines = text.split(/\r\n|[\r\n]/).map((line) => line.trim()).filter((line) => {
    const isFence = /^(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return !isCode && !isFence;
  });
  const heading = lines.find((line) => /^#{1,6}[ \t]/.test(line) && wordsOf(line) !== "");
  const title = heading ?? lines.find((line) => wordsOf(line) !== "");
  return reportWord(title === undefined ? source.slice("markdown:".length) : wordsOf(title)).trim();
}

/** A line without Markdown's marks. */
function wordsOf(line: string): string {
  const words = line.replace(/^[-*_=#>`\s]+/, "");
  const marks = /^#/.test(line) ? words.split(/\s/).at(-1) ?? "" : "";
  const isClosing = marks !== "" && marks.replaceAll("#", "") === "";
  return (isClosing ? words.slice(0, -marks.length) : words).trim();
}

function convertNote(notes: Notes, { path, key, name }: NoteNames, text: string): SourceItem {
  const { source, mapping: { timeZone }, files } = notes;
  const matter = readFrontMatter(text);
  const members = matter?.members ?? {};
  const dayOf = (value: JsonValue) => typeof value === "string" ? readDay(value, timeZone) : null;
  const day = dayOf(members.date ?? null) ?? dayOf(name);
  const chosen = folderTargetOf(notes, path);
  const own = chosen === null || chosen === "leave" ? null : chosen;
  const target = own ?? (day === null ? "knowledge" : "memory");
  const { facts, unread } = readFacts(members, {
    title: scalarText,
    date: (value) => target === "memory" ? dayOf(value) : null,
    created: (value) => typeof value === "string" ? readDate(value, "ISO", timeZone) : null,
    tags: tagsOf,
    tag: tagsOf,
    url: (value) => target === "knowledge" ? urlOf(value) : null,
  });
  const { created, url, tags = [], tag = [] } = facts;
  const title = facts.title ?? name ?? titleOf(matter?.rest ?? text, notes);
  const isUnread = matter !== null && matter.members === null;
  const kept = matter === null || isUnread || unread.length > 0 ? text : matter.rest;
  const urn = `urn:prs:import:${sha256Hex(`${source}\n${key}`).slice(0, 32)}`;
  const payload = payloadOf(target, { text: kept, day, created, url: url ?? urn, title });
  return {
    members: {
      key,
      target,
      title,
      payload,
      tags: [...tags, ...tag],
      attachments: files.namesIn(text, path),
      ...(created !== undefined && { recordedAt: inUtc(created) }),
    },
    rules: isUnread ? ["front_matter.unread"] : [],
    unmapped: unread.map((each) => `front_matter.${each}`),
    writtenTimes: ["occurredAt", "capturedAt"],
    ...(target === "capture" && created === undefined && { runTimeField: "capturedAt" }),
  };
}

function urlOf(value: JsonValue): string | null {
  return typeof value === "string" && isPublicReference(value) ? value : null;
}

interface NoteContent {
  readonly text: string;
  /** The midnight of a day. */
  readonly day: string | null;
  readonly created: string | undefined;
  readonly url: string;
  readonly title: string;
}

function payloadOf(
  target: NoteTarget,
  { text, day, created, url, title }: NoteContent,
): JsonObject {
  switch (target) {
    case "memory": {
      const time = day === null
        ? { timePrecision: "UNKNOWN" }
        : { occurredAt: day, timePrecision: "DAY" };
      return { memoryType: "EVENT", originalContent: text, ...time };
    }
    case "capture":
      return {
        contentType: "TEXT",
        originalContent: text,
        targetModule: "knowledge",
        sourceApp: "OTHER",
        routeStatus: "INBOX",
        ...(created !== undefined && { capturedAt: created }),
      };
    case "knowledge":
      return {
        sourceType: "NOTE",
        url,
        sourceTitle: title,
        snapshot: text,
        readingStatus: "REFERENCE",
      };
  }
}

type Readers = Readonly<Record<string, (value: JsonValue) => JsonValue>>;
type Facts<R extends Readers> = { readonly [Name in keyof R]?: NonNullable<ReturnType<R[Name]>> };

/**
 * Returns the accepted values of front matter, and the names of all others. A null member with a
 * reader is ignored.
 */
function readFacts<R extends Readers>(
  members: JsonObject,
  readers: R,
): { readonly facts: Facts<R>; readonly unread: readonly string[] } {
  const facts: JsonObject = {};
  const unread: string[] = [];
  for (const [name, value] of Object.entries(members)) {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (value === null && read !== undefined) continue;
    const fact = read?.(value) ?? null;
    if (fact === null) unread.push(name);
    else facts[name] = fact;
  }
  return { facts: facts as Facts<R>, unread };
}

/** Names a note by its path. An identifier that Notion added becomes the key. */
function namesOf(path: string): NoteNames {
  const base = baseNameOf(path).replace(/\.(?:md|markdown|txt)$/i, "");
  const match = /^(.*?)[ -]?([0-9a-f]{32})$/i.exec(base);
  if (match === null) return { path, key: path, name: base };
  const [, name = "", id = ""] = match;
  return { path, key: id.toLowerCase(), name: name === "" ? id : name };
}

function scalarText(value: JsonValue): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** A list, or a text separated by commas; null for anything else. */
function tagsOf(value: JsonValue): string[] | null {
  if (!Array.isArray(value)) {
    const text = scalarText(value);
    return text === null ? null : text.split(",").map((tag) => tag.trim()).filter(Boolean);
  }
  const tags = value.filter((tag) => tag !== null).map(scalarText);
  return tags.every((tag) => tag !== null) ? tags : null;
}
