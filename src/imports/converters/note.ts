/** One note of Markdown: its front matter, its text and its files become an item. */

import type { JsonObject } from "../../core/json.ts";
import { isLongerThan } from "../../validate/text.ts";
import { fitTitle, MAX_TITLE } from "../fit_members.ts";
import type { SourceItem } from "./converter.ts";
import { inUtc } from "./dates.ts";
import { importUrn } from "./import_urn.ts";
import {
  type FactsMapping,
  type NoteFacts,
  type NotePath,
  type NoteTarget,
  readNoteFacts,
} from "./note_facts.ts";
import type { NoteFiles } from "./note_files.ts";
import { isPlainDay } from "./note_names.ts";
import type { Encoding } from "./text_encoding.ts";

export const NOTE_TARGETS: readonly NoteTarget[] = ["knowledge", "memory", "capture"];
/** A target in the mapping; notes of a folder to "leave" are not imported. */
export type FolderTarget = NoteTarget | "leave";

export interface MarkdownMapping extends FactsMapping {
  /** Targets by path, which ends with `/`. */
  readonly folders: ReadonlyMap<string, FolderTarget>;
  /** Applies to notes that are not UTF-8; by default they are refused. */
  readonly encoding?: Encoding;
}

/** Facts that all notes of an import share. */
export interface Notes {
  readonly source: string;
  readonly mapping: MarkdownMapping;
  readonly files: NoteFiles;
}

export interface NoteNames extends NotePath {
  readonly key: string;
  /** Returns the title of a text after its front matter, if that states none. */
  readonly titleIn: (text: string) => string;
}

export interface NoteItem extends SourceItem {
  /** True if its text was left out, because it is too long with its files. */
  readonly isTooLong: boolean;
}

/** @param chosen The target of the note's folder; null if the mapping names none. */
export async function convertNote(
  notes: Notes,
  names: NoteNames,
  text: string,
  chosen: NoteTarget | null,
): Promise<NoteItem> {
  const item = await convertTo(notes, names, text, chosen);
  const isFormerDay = names.name !== null && isPlainDay(names.name);
  if (chosen !== null || item.members.target === "knowledge" || isFormerDay) return item;
  // Earlier releases read fewer forms of days, and imported the notes of all others as knowledge.
  const { members, rules = [], unmapped = [] } = await convertTo(notes, names, text, "knowledge");
  return { ...item, earlier: { members, rules, unmapped } };
}

async function convertTo(
  { source, mapping, files }: Notes,
  names: NoteNames,
  text: string,
  chosen: NoteTarget | null,
): Promise<NoteItem> {
  const { path, key } = names;
  const facts = readNoteFacts(text, names, mapping, chosen);
  const { target, rest, recorded } = facts;
  const title = facts.title ?? names.titleIn(rest);
  // A title that is cut stays in the front matter.
  const isWhole = facts.title === null || !isLongerThan(facts.title, MAX_TITLE);
  const kept = facts.isRead && isWhole ? rest : text;
  const linked = await files.link(kept, path);
  const url = facts.url ?? importUrn(source, key);
  return {
    members: {
      key,
      target,
      title,
      payload: payloadOf(facts, { text: linked.text, title, url }),
      tags: [...facts.tags],
      attachments: linked.attachments,
      ...(recorded !== null && { recordedAt: inUtc(recorded) }),
    },
    files: linked.files,
    paths: linked.paths,
    isTooLong: linked.isTooLong,
    equalPaths: linked.equalPaths,
    rules: facts.rules,
    unmapped: facts.unread.map((each) => `front_matter.${each}`),
    writtenTimes: ["occurredAt", "capturedAt"],
    // The front matter or the name of the entry has the rest of a title.
    isTitleInText: true,
    optionalTimes: ["publishedAt"],
    ...(target === "capture" && { runTimeField: "capturedAt" }),
  };
}

interface NoteContent {
  readonly text: string;
  readonly title: string;
  readonly url: string;
}

function payloadOf(
  { target, time, recorded, author, publishedAt }: NoteFacts,
  { text, title, url }: NoteContent,
): JsonObject {
  switch (target) {
    case "memory": {
      const occurred = time === null
        ? { timePrecision: "UNKNOWN" }
        : { occurredAt: time.text, timePrecision: time.isDay ? "DAY" : "EXACT" };
      return { memoryType: "EVENT", originalContent: text, ...occurred };
    }
    case "capture":
      return {
        contentType: "TEXT",
        originalContent: text,
        targetModule: "knowledge",
        sourceApp: "OTHER",
        routeStatus: "INBOX",
        ...(recorded !== null && { capturedAt: recorded }),
      };
    case "knowledge":
      return {
        sourceType: "NOTE",
        url,
        sourceTitle: fitTitle(title).title,
        snapshot: text,
        readingStatus: "REFERENCE",
        ...(author !== null && { author }),
        ...(publishedAt !== null && { publishedAt }),
      };
  }
}
