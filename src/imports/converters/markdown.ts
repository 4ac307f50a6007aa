/** `markdown`: a note, an Obsidian vault, a Notion export, or this service's own export. */

import { sha256Hex } from "../../core/digest.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { jsonObject, optional, readBody } from "../../validate/schema.ts";
import { type Archive, baseNameOf, folderOf } from "../archive/archive.ts";
import type { ReadingBudget } from "../reading_budget.ts";
import type { Converted, Converter, SourceItem } from "./converter.ts";
import { DEFAULT_ZONE, TIME_ZONE } from "./dates.ts";
import { NoteFiles } from "./note_files.ts";
import {
  convertNote,
  type FolderTarget,
  type MarkdownMapping,
  NOTE_TARGETS,
  type NoteNames,
  type Notes,
} from "./note.ts";
import { decodeText } from "./text_encoding.ts";

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
    { file, archive, filename, source, mapping, budget, openFile },
  ): AsyncGenerator<Converted> {
    const files = await NoteFiles.of(archive, budget, openFile);
    const notes = { source, mapping: readMarkdownMapping(mapping ?? {}), files };
    if (archive === null) {
      const text = file.size > NOTE_BYTES ? null : decodeText(await file.read(0, file.size), null);
      return yield { kind: "item", item: await singleNote(notes, filename, text) };
    }
    for (const entry of archive.matching(/\.md$/i)) {
      archive.used.add(entry.name);
      const isLong = entry.size > NOTE_BYTES;
      const text = isLong ? null : decodeText(await archive.readWhole(entry), null);
      if (folderTargetOf(notes, entry.name) === "leave") {
        yield { kind: "unmapped", name: "folder.left" };
      } else if (text === null && !isLong) {
        yield { kind: "fault", entry, rule: "text.utf8" };
      } else {
        const item = await toItem(notes, namesOf(entry.name), text);
        yield { kind: "item", item: { ...item, entry: entry.name } };
      }
    }
  },
};

/** @throws ServiceError `PAYLOAD_INVALID`. */
function readMarkdownMapping(mapping: JsonObject): MarkdownMapping {
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

/** The only note of an import. Its key is the file's name, or a digest if that is unknown. */
async function singleNote(
  notes: Notes,
  filename: string | null,
  text: string | null,
): Promise<SourceItem> {
  const key = text === null ? "place:1" : `digest:${sha256Hex(text)}`;
  const names = filename === null ? { path: "", key, name: null } : namesOf(filename);
  const item = await toItem(notes, names, text);
  if (text === null) return item;
  return { ...item, former: (await toItem(notes, namesOf(FORMER_NOTE), text)).members };
}

/** @param text Null if it is too long. */
async function toItem(
  notes: Notes,
  names: NoteNames,
  text: string | null,
): Promise<SourceItem> {
  const folder = folderTargetOf(notes, names.path);
  const item = await convertNote(notes, names, text ?? "", folder === "leave" ? null : folder);
  return text === null ? { ...item, refused: ["field.length"] } : item;
}

/** The target of the innermost folder of a note that the mapping lists; null without one. */
function folderTargetOf({ mapping: { folders } }: Notes, path: string): FolderTarget | null {
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder.slice(0, -1))) {
    const word = folders.get(folder);
    if (word !== undefined) return word;
  }
  return folders.get("") ?? null;
}

/** Names a note by its path. An identifier that Notion added becomes the key. */
function namesOf(path: string): NoteNames {
  const base = baseNameOf(path).replace(/\.(?:md|markdown|txt)$/i, "");
  const match = /^(.*?)[ -]?([0-9a-f]{32})$/i.exec(base);
  if (match === null) return { path, key: path, name: base };
  const [, name = "", id = ""] = match;
  return { path, key: id.toLowerCase(), name: name === "" ? id : name };
}
