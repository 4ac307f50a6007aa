/** `markdown`: a note, an Obsidian vault, a Notion export, or this service's own export. */

import type { JsonObject, JsonValue } from "../../core/json.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { boolean, jsonObject, oneOf, optional, readBody } from "../../validate/schema.ts";
import type { Converter } from "./converter.ts";
import { DEFAULT_ZONE, TIME_ZONE } from "./dates.ts";
import { type FolderTarget, type MarkdownMapping, NOTE_TARGETS } from "./note.ts";
import { NoteFiles } from "./note_files.ts";
import { composed } from "./note_finder.ts";
import { archiveNotes, singleNote } from "./note_reader.ts";
import { ENCODINGS } from "./text_encoding.ts";

const MAPPING = {
  folders: optional(jsonObject),
  timeZone: optional(TIME_ZONE),
  dates: optional(oneOf("DMY", "MDY")),
  encoding: optional(oneOf(...ENCODINGS)),
  inlineTags: optional(boolean),
};

export const MARKDOWN: Converter = {
  format: "markdown",
  title: {
    en: "Markdown: Obsidian, Notion, or our own export",
    de: "Markdown: Obsidian, Notion oder unser eigener Export",
  },
  isNamed: true,
  hasSign: ({ hasNote }) => hasNote,
  mayBe: ({ text }) => text !== null,
  kinds: ["zip", "tar", "gzip", "text"],
  hasParts: true,
  leftOut: (name) => /\.csv$/i.test(name) ? "file.csv" : null,
  mapping: {
    kind: "FOLDERS",
    schema: MAPPING,
    example: { folders: { Journal: "memory", Templates: "leave" }, timeZone: "Europe/Berlin" },
    check: (mapping) => void readMarkdownMapping(mapping),
  },
  async *convert(input) {
    const { archive, source, budget, openFile } = input;
    const mapping = readMarkdownMapping(input.mapping ?? {});
    const notes = { source, mapping, files: await NoteFiles.of(archive, budget, openFile) };
    if (archive === null) yield* singleNote(notes, input);
    else yield* archiveNotes({ notes, archive, budget });
  },
};

/** @throws ServiceError `PAYLOAD_INVALID`. */
function readMarkdownMapping(mapping: JsonObject): MarkdownMapping {
  const { folders = {}, timeZone = DEFAULT_ZONE, ...options } = readBody(MAPPING, mapping);
  const words: readonly JsonValue[] = [...NOTE_TARGETS, "leave"];
  if (!Object.values(folders).every((word) => words.includes(word))) {
    throw payloadInvalid(["mapping.folder"], ["folders"]);
  }
  const listed = new Map<string, FolderTarget>();
  for (const [folder, word] of Object.entries(folders)) {
    const path = withoutSlashes(composed(folder));
    const name = path === "" ? "" : `${path}/`;
    if (!listed.has(name)) listed.set(name, word as FolderTarget);
  }
  return { ...options, folders: listed, timeZone };
}

function withoutSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end);
}
