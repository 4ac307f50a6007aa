/** The notes of a Markdown import: their bytes, and the items that they become. */

import { sha256Hex } from "../../core/digest.ts";
import { isJsonObject } from "../../core/json.ts";
import { instantOfText } from "../../validate/local_time.ts";
import { isBlank } from "../../validate/text.ts";
import { type Archive, baseNameOf, type Entry, folderOf } from "../archive/archive.ts";
import { linkFiles } from "../file_lines.ts";
import { mediaTypeOf } from "../media_types.ts";
import type { ReadingBudget } from "../reading_budget.ts";
import type { Converted, ConverterInput, SourceFile, SourceItem } from "./converter.ts";
import { readDate } from "./dates.ts";
import { isJoplinItem, JOPLIN_NAME } from "./joplin_item.ts";
import { linkedTexts } from "./linked_texts.ts";
import {
  convertNote,
  type FolderTarget,
  type NoteItem,
  type NoteNames,
  type Notes,
} from "./note.ts";
import { NoteFiles } from "./note_files.ts";
import { composed } from "./note_finder.ts";
import { fileNameOf, noteKeys, noteTitle } from "./note_names.ts";
import { headingOf, titleOf } from "./note_title.ts";
import { bundleTitle, TextBundles, withBundle } from "./text_bundle.ts";
import { decodeText } from "./text_encoding.ts";
import { itemParts } from "./text_parts.ts";

const NOTE = /\.(?:md|markdown|txt)$/i;
/** A larger note is imported as a file. */
const NOTE_BYTES = 16 * 1024 * 1024;
/** The key that a single note without a name has if it is free. */
const SINGLE_NOTE = "note.md";

interface ArchiveContext {
  readonly notes: Notes;
  readonly archive: Archive;
  readonly budget: ReadingBudget;
}

/** The notes of an archive, one at a time. */
export async function* archiveNotes(context: ArchiveContext): AsyncGenerator<Converted> {
  const { notes, archive, budget } = context;
  const bundles = await TextBundles.of(archive, budget);
  const entries = archive.matching(NOTE).filter(({ name }) => !bundles.owns(name));
  const keyOf = await noteKeys(entries, budget);
  const files = await filesOf(entries, context);
  for (const entry of entries) {
    if (files.has(entry.name)) continue;
    const text = await readNote(entry, context);
    if (text !== null && typeof text !== "string") {
      yield text;
    } else {
      const note = { entry, key: keyOf(entry.name), text, top: archive.top };
      yield* partsOf(await entryItem(notes, bundles, note));
    }
  }
}

/** The texts that are files of other notes. */
async function filesOf(
  entries: readonly Entry[],
  context: ArchiveContext,
): Promise<ReadonlySet<string>> {
  async function* texts() {
    for (const entry of entries) {
      const text = await readNote(entry, context);
      if (typeof text === "string") yield { path: entry.name, text };
    }
  }
  const hasTexts = entries.some(({ name }) => /\.txt$/i.test(name));
  const { notes: { files }, budget } = context;
  return hasTexts ? await linkedTexts(texts(), files, budget) : new Set();
}

/** The text of a note; null if it is too long. One that is left out becomes a count or a fault. */
async function readNote(
  entry: Entry,
  { notes, archive, budget }: ArchiveContext,
): Promise<string | Converted | null> {
  if (folderTargetOf(notes, entry.name, archive.top) === "leave") {
    archive.used.add(entry.name);
    return { kind: "unmapped", name: "folder.left" };
  }
  if (entry.size > NOTE_BYTES) return null;
  const text = await textOf(notes, await archive.readWhole(entry), budget, entry.place);
  if (text === null) return { kind: "fault", entry, rule: "text.utf8" };
  const isJoplin = JOPLIN_NAME.test(entry.name) && isJoplinItem(text);
  return isJoplin ? { kind: "unmapped", name: "file.joplin" } : text;
}

function textOf({ mapping }: Notes, bytes: Uint8Array, budget: ReadingBudget, place: number) {
  return decodeText(bytes, mapping.encoding ?? null, () => budget.turn(place));
}

interface EntryNote {
  readonly entry: Entry;
  readonly key: string;
  /** Null if it is too long to be read. */
  readonly text: string | null;
  /** The only folder at the top of the archive. */
  readonly top: string;
}

async function entryItem(
  notes: Notes,
  bundles: TextBundles,
  { entry, key, text, top }: EntryNote,
): Promise<SourceItem> {
  const path = entry.name;
  const bundle = await bundles.read(path);
  const titleIn = (body: string) =>
    (bundle === null ? noteTitle(path, body) : bundleTitle(bundle, body)) ?? nameOf(notes);
  const names = { path, key, name: fileNameOf(path).name, titleIn };
  const read = await toItem(notes, names, text ?? "", top);
  const fileName = notes.files.nameOf(path);
  const note = text === null || read.isTooLong
    ? { ...asFile(read, fileName, path), paths: new Map([[fileName, path]]) }
    : read;
  const { timeZone } = notes.mapping;
  const item = bundle === null ? note : withBundle(note, bundle, notes);
  const modifiedAt = statesTime(item) ? null : modifiedTime(entry, timeZone);
  return { ...item, entry: entry.shownName, modifiedAt };
}

/** The only note of an import. Without a name its key is a digest of its text. */
export async function* singleNote(
  notes: Notes,
  input: ConverterInput,
): AsyncGenerator<Converted> {
  const { file, filename, budget } = input;
  if (file.size > NOTE_BYTES) return yield* longNote(notes, input);
  const text = await textOf(notes, await file.read(0, file.size), budget, 1);
  if (text === null) {
    const members = filename === null ? {} : { key: singleNames(notes, filename, "").key };
    return yield { kind: "item", item: { members, refused: ["text.utf8"] } };
  }
  const item = await toItem(notes, singleNames(notes, filename, `digest:${sha256Hex(text)}`), text);
  if (item.isTooLong) return yield* longNote(notes, input);
  // Earlier releases left pictures in the text.
  const formerNotes = { ...notes, files: await NoteFiles.of(null, budget, null) };
  const formerNames = { path: SINGLE_NOTE, key: SINGLE_NOTE, name: "note", titleIn: () => "note" };
  const { members: former } = await toItem(formerNotes, formerNames, text);
  yield* partsOf({ ...item, former, keepsFormerKey: filename === null });
}

/** A single note that is too long to be read. */
async function* longNote(
  notes: Notes,
  { file, filename, openFile }: ConverterInput,
): AsyncGenerator<Converted> {
  const stored = await storedFile(file, filename ?? SINGLE_NOTE, openFile);
  const names = singleNames(notes, filename, `digest:${stored.sha256}`);
  const item = asFile(await toItem(notes, names, ""), stored.name, stored.filename);
  yield* partsOf({ ...item, files: [stored] });
}

/** @param digest The key of a note without a name. */
function singleNames(notes: Notes, filename: string | null, digest: string): NoteNames {
  if (filename === null) {
    const titleIn = (text: string) => headingOf(text) ?? titleOf(text) ?? nameOf(notes);
    return { path: SINGLE_NOTE, key: digest, name: null, titleIn };
  }
  const { id, name } = fileNameOf(filename);
  const titleIn = (text: string) => noteTitle(filename, text) ?? nameOf(notes);
  return { path: filename, key: id ?? filename, name, titleIn };
}

/** @param top The only folder at the top of the archive. */
async function toItem(
  notes: Notes,
  names: NoteNames,
  text: string,
  top = "",
): Promise<NoteItem> {
  const target = folderTargetOf(notes, names.path, top);
  return await convertNote(notes, names, text, target === "leave" ? null : target);
}

/** Stores the import's file as a file of its note. */
async function storedFile(
  file: ConverterInput["file"],
  filename: string,
  openFile: ConverterInput["openFile"],
): Promise<SourceFile> {
  const sink = await openFile();
  for await (const chunk of file.stream(0, file.size)) await sink.write(chunk);
  return { ...await sink.end(), name: filename, filename, mediaType: mediaTypeOf(filename) };
}

function* partsOf(item: SourceItem): Generator<Converted> {
  const whole = withWords(item);
  for (const part of itemParts(whole, textFieldOf(item))) yield { kind: "item", item: part };
}

/** The item of a blank note has its title as text if its target needs one. */
function withWords(item: SourceItem): SourceItem {
  const { target, title = "", payload, attachments } = item.members;
  const text = isJsonObject(payload) ? payload.originalContent : null;
  // A blank memory gets lines for its files.
  const hasLines = target === "memory" && Array.isArray(attachments) && attachments.length > 0;
  if (!isJsonObject(payload) || typeof text !== "string" || !isBlank(text) || hasLines) return item;
  return { ...item, members: { ...item.members, payload: { ...payload, originalContent: title } } };
}

/**
 * The item of a note that is too long: its text is a link to its file.
 *
 * @param name As in `attachment:<name>`.
 */
function asFile(item: SourceItem, name: string, path: string): SourceItem {
  const { earlier: _earlier, ...own } = item;
  const { payload } = item.members;
  const text = linkFiles("", [{ name, filename: baseNameOf(path) }]);
  return {
    ...own,
    members: {
      ...item.members,
      payload: { ...isJsonObject(payload) && payload, [textFieldOf(item)]: text },
      attachments: [name],
    },
    rules: [...item.rules ?? [], "text.file"],
  };
}

function textFieldOf({ members }: SourceItem): string {
  return members.target === "knowledge" ? "snapshot" : "originalContent";
}

/** The name of the import. */
function nameOf({ source }: Notes): string {
  return source.slice("markdown:".length);
}

/**
 * The target of the innermost folder of a note that the mapping lists, with or without the only
 * folder at the top; null without one.
 */
function folderTargetOf(
  { mapping: { folders } }: Notes,
  path: string,
  top: string,
): FolderTarget | null {
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder.slice(0, -1))) {
    const below = folder.startsWith(top) ? folder.slice(top.length) : folder;
    const word = folders.get(composed(folder)) ?? folders.get(composed(below));
    if (word !== undefined) return word;
  }
  return folders.get("") ?? null;
}

function statesTime({ members: { recordedAt, payload } }: SourceItem): boolean {
  return recordedAt !== undefined || (isJsonObject(payload) && payload.occurredAt !== undefined);
}

/** Milliseconds since 1970; null if the archive states no time. */
function modifiedTime({ modified }: Entry, timeZone: string): number | null {
  if (modified === null) return null;
  if ("time" in modified) return modified.time;
  const local = readDate(modified.local, "ISO", timeZone);
  return local === null ? null : instantOfText(local);
}
