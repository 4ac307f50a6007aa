/** `enex`: notes of Evernote, a file for each notebook or an archive of such files. */

import { sha256Hex } from "../../../core/digest.ts";
import { baseNameOf } from "../../archive/archive.ts";
import { refuseFile } from "../../refusal.ts";
import type { Converted, Converter, ConverterInput, SourceInput } from "../converter.ts";
import { titleOf } from "../note_title.ts";
import { seeFile } from "../seen_file.ts";
import { type AppNote, type NoteContext, noteConverted, reasonToLeave } from "./app_note.ts";
import { cleanLine } from "./clean_text.ts";
import { type EnexNote, enexNotes, type EnexPart, enexTitles } from "./enex_reader.ts";
import { enexTime, noteTasks } from "./enex_tasks.ts";
import { noteText } from "./enex_text.ts";
import { coordinates } from "./item_details.ts";
import { NoteTitles } from "./note_titles.ts";
import { NOTES_MAPPING, type NotesMapping, readNotesMapping } from "./notes_mapping.ts";
import { taskItem } from "./task_item.ts";

const ENDING = /\.enex$/i;
const KEY_DIGITS = 32;

export const ENEX: Converter = {
  format: "enex",
  title: { en: "Evernote", de: "Evernote" },
  isNamed: false,
  kinds: ["zip", "tar", "gzip", "text"],
  hasSign: ({ enex }) => enex.some(hasRoot),
  async sourceOf(input: SourceInput) {
    const { enex } = await seeFile(input);
    const isEnex = input.archive !== null || enex.some(hasRoot);
    return isEnex ? "enex" : refuseFile("import.format", 1);
  },
  mapping: NOTES_MAPPING,
  async *convert(input: ConverterInput): AsyncGenerator<Converted> {
    const context = { source: input.source, mapping: readNotesMapping(input.mapping) };
    const titles = await titlesOf(input);
    for (const notebook of notebooksOf(input)) {
      yield* notebookConverted(notebook, { ...context, input, titles });
    }
  },
};

function hasRoot(text: string): boolean {
  return text.includes("<en-export");
}

interface Notebook {
  /** The path of the archive's entry; null for a bare file. */
  readonly entry: string | null;
  readonly groups: readonly string[];
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

function notebooksOf({ file, archive }: ConverterInput): readonly Notebook[] {
  if (archive === null) return [{ entry: null, groups: [], bytes: () => file.stream() }];
  return archive.matching(ENDING).map((entry) => {
    const name = cleanLine(baseNameOf(entry.name).replace(ENDING, ""));
    return {
      entry: entry.shownName,
      groups: name === "" ? [] : [name],
      bytes: () => archive.read(entry),
    };
  });
}

async function titlesOf(input: ConverterInput): Promise<NoteTitles> {
  const titles = new NoteTitles(input.budget);
  let place = 0;
  for (const { entry, bytes } of notebooksOf(input)) {
    for await (const title of enexTitles(bytes(), entry)) {
      const line = cleanLine(title);
      if (line !== "") titles.add(null, line, ++place);
    }
  }
  return titles;
}

interface Shared extends NoteContext {
  readonly input: ConverterInput;
  readonly titles: NoteTitles;
}

async function* notebookConverted(
  { entry, groups, bytes }: Notebook,
  shared: Shared,
): AsyncGenerator<Converted> {
  const { input: { openFile }, mapping } = shared;
  const isLeft = reasonToLeave({ groups }, mapping) !== null;
  for await (const note of enexNotes(bytes(), { openFile, entry, hasFiles: !isLeft })) {
    const facts = { ...factsOf(note, mapping), entry, groups };
    const refused = [
      ...note.isTooLong ? ["field.length"] : [],
      ...note.isBroken ? ["text.utf8"] : [],
    ];
    const isRead = !isLeft && refused.length === 0;
    const app = isRead ? await withText(facts, note, shared) : { ...facts, refused };
    yield* noteConverted(app, shared);
    if (isLeft || mapping.tasks === "text") continue;
    const { key, createdAt } = app;
    const title = app.title || titleOf(app.text) || createdAt?.slice(0, 10) || key;
    const context = { key, entry, title, createdAt, zone: mapping.timeZone };
    for (const task of noteTasks(note, context)) yield { kind: "item", item: taskItem(task) };
  }
}

/** The note without its text and files. */
function factsOf(
  { fields, tags, unmapped }: EnexNote,
  { timeZone }: NotesMapping,
): Omit<AppNote, "entry"> {
  const fieldOf = (name: string) => fields.get(name) ?? "";
  const title = cleanLine(fieldOf("title"));
  const created = fieldOf("created");
  const createdAt = enexTime(created, timeZone);
  const written = [fieldOf("latitude"), fieldOf("longitude")];
  const hasPoint = written.every((value) => value !== "");
  const point = hasPoint ? coordinates(Number(written[0]), Number(written[1])) : "";
  const place = [fieldOf("place-name"), point].filter((part) => part !== "").join(", ");
  return {
    key: `note:${sha256Hex(`${created}\n${title}`).slice(0, KEY_DIGITS)}`,
    title,
    text: "",
    createdAt,
    url: fieldOf("source-url"),
    author: fieldOf("author"),
    tags,
    details: [["Place", place]],
    rules: created !== "" && createdAt === null ? ["import.date"] : [],
    unmapped: [
      ...unmapped,
      ...point === "" ? ["latitude", "longitude"].filter((name) => fieldOf(name) !== "") : [],
    ],
  };
}

async function withText(
  facts: AppNote,
  note: EnexNote,
  { input, titles, mapping }: Shared,
): Promise<AppNote> {
  const isText = mapping.tasks === "text";
  const { text, files, rules } = await noteText(note, titles, isText, input);
  return {
    ...facts,
    text,
    files,
    tags: [...facts.tags ?? [], ...mapping.groupTags ? facts.groups ?? [] : []],
    rules: [...facts.rules ?? [], ...rules],
    unmapped: [
      ...facts.unmapped ?? [],
      ...isText ? note.tasks.flatMap(unmappedOfTask) : [],
      ...isText && note.fields.has("reminder-time") ? ["reminder-time"] : [],
    ],
  };
}

/** Names of content of a task that its line in the text does not show. */
function unmappedOfTask({ fields, unmapped }: EnexPart): readonly string[] {
  return [...unmapped, ...fields.has("dueDate") ? ["task.dueDate"] : []];
}
