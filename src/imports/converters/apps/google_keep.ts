/** `google-keep`: the notes of a Takeout, each a JSON in a folder with its page and its files. */

import { isJsonObject } from "../../../core/json.ts";
import { type Archive, baseNameOf, type Entry, folderOf } from "../../archive/archive.ts";
import { entryBytes, type ReadingBudget } from "../../reading_budget.ts";
import type { Converted, Converter, ConverterInput } from "../converter.ts";
import { noteConverted } from "./app_note.ts";
import { itemTime } from "./item_time.ts";
import { readJsonEntry } from "./json_entry.ts";
import { isKeepNote, type KeepNote, readKeepNote } from "./keep_note.ts";
import { NamedFiles } from "./named_files.ts";
import { NOTES_MAPPING, readNotesMapping, targetOf } from "./notes_mapping.ts";

const NOTE = /\.json$/i;
const ENDING = /\.[^./]*$/;

export const GOOGLE_KEEP: Converter = {
  format: "google-keep",
  title: { en: "Google Keep", de: "Google Notizen" },
  isNamed: false,
  hasSign: ({ isArchive, shapes }) => isArchive && shapes.some(isKeepNote),
  kinds: ["zip", "tar", "gzip"],
  mapping: NOTES_MAPPING,
  async *convert(input: ConverterInput): AsyncGenerator<Converted> {
    const { archive, budget, source } = input;
    if (archive === null) return;
    const mapping = readNotesMapping(input.mapping);
    const files = new FilesOfNotes(archive, budget);
    for (const entry of archive.matching(NOTE)) {
      await budget.turn(entry.place);
      const members = await readJsonEntry(entry, budget);
      if (members === undefined) yield* counted(archive, entry.name, "file.broken");
      if (!isJsonObject(members) || !isKeepNote(new Set(Object.keys(members)))) continue;
      archive.used.add(entry.name);
      const copy = archive.find(entry.name.replace(NOTE, ".html"));
      if (copy !== undefined) yield* counted(archive, copy.name, "file.copy");
      const note = await readKeepNote(members, { turn: () => budget.turn(entry.place) });
      const { labels, createdUsec, isPinned } = note;
      const time = createdUsec ?? note.editedUsec;
      const createdAt = itemTime(time === null ? null : Math.floor(time / 1_000), mapping.timeZone);
      const { shownName, name } = entry;
      yield* noteConverted({
        ...note,
        key: createdUsec === null
          ? `file:${baseNameOf(name).replace(NOTE, "")}`
          : `created:${createdUsec}`,
        entry: shownName,
        createdAt,
        // Elsewhere the text has it.
        url: targetOf(mapping, labels) === "knowledge" ? note.url : null,
        tags: labels,
        groups: labels,
        details: isPinned ? [["Pinned", "yes"]] : [],
        files: await namedFiles(note, entry, files),
        rules: createdAt === null ? ["import.date"] : [],
      }, { source, mapping });
    }
  },
};

function* counted(archive: Archive, path: string, name: string): Generator<Converted> {
  archive.used.add(path);
  yield { kind: "unmapped", name };
}

async function namedFiles(
  { files: listed }: KeepNote,
  { name, place }: Entry,
  files: FilesOfNotes,
): Promise<NamedFiles> {
  const named = new NamedFiles(files.archive);
  for (const { path, mediaType } of listed) {
    const found = await files.find(folderOf(name) + path, place);
    if (found === null) named.addMissing(path);
    else named.addEntry(found, { mediaType });
  }
  return named;
}

/** The files of notes. Takeout names a file `.jpeg` in a note, and stores it as `.jpg`. */
class FilesOfNotes {
  readonly archive: Archive;
  readonly #budget: ReadingBudget;
  /** By their paths without endings; null before the first file that is not found. */
  #byStem: Map<string, string> | null = null;

  constructor(archive: Archive, budget: ReadingBudget) {
    this.archive = archive;
    this.#budget = budget;
  }

  async find(path: string, place: number): Promise<string | null> {
    await this.#budget.turn(place);
    if (this.archive.find(path) !== undefined) return path;
    this.#byStem ??= this.#index();
    return this.#byStem.get(path.replace(ENDING, "")) ?? null;
  }

  #index(): Map<string, string> {
    const byStem = new Map<string, string>();
    for (const { name, place } of this.archive.entries) {
      const stem = name.replace(ENDING, "");
      if (/\.(?:json|html)$/i.test(name) || byStem.has(stem)) continue;
      this.#budget.hold(entryBytes(stem), place);
      byStem.set(stem, name);
    }
    return byStem;
  }
}
