/** The item of a note from another app. */

import type { JsonObject } from "../../../core/json.ts";
import { isPublicReference } from "../../../validate/public_reference.ts";
import { isBlank, isLongerThan } from "../../../validate/text.ts";
import { fitTitle } from "../../fit_members.ts";
import type { Converted, SourceItem } from "../converter.ts";
import { inUtc } from "../dates.ts";
import { importUrn } from "../import_urn.ts";
import { MAX_MARKDOWN } from "../markup/markdown_lines.ts";
import { titleOf } from "../note_title.ts";
import { itemParts } from "../text_parts.ts";
import { cleanLine, cleanLines, cleanText, withLongTitle } from "./clean_text.ts";
import { type Detail, withDetails } from "./item_details.ts";
import { NamedFiles } from "./named_files.ts";
import { type NotesMapping, targetOf } from "./notes_mapping.ts";
import { taskPayload, type TaskState } from "./task_item.ts";

/** Code points of the fields of knowledge. */
const MAX_URL = 2048;
const MAX_AUTHOR = 500;
const WEB_ADDRESS = /^https?:/i;

/** A note as its app states it. Absent members are empty. */
export interface AppNote {
  readonly key: string;
  /** The path in the archive, as reports show it; null for a bare file. */
  readonly entry: string | null;
  /** Empty for the first line of the text, else the day, else the key. */
  readonly title: string;
  /** In Markdown, with the lines of the files that it shows. */
  readonly text: string;
  /** As a clock states it; null if it is not known. */
  readonly createdAt: string | null;
  readonly url?: string | null | undefined;
  readonly author?: string | null | undefined;
  readonly tags?: readonly string[];
  readonly groups?: readonly string[];
  readonly isArchived?: boolean;
  readonly isTrashed?: boolean;
  readonly details?: readonly Detail[];
  readonly files?: NamedFiles;
  readonly rules?: readonly string[];
  readonly unmapped?: readonly string[];
  /** Present for a note that is a task. */
  readonly task?: TaskState;
  /** Rules that refuse it alone. */
  readonly refused?: readonly string[];
}

/** Facts that all notes of an import share. */
export interface NoteContext {
  readonly source: string;
  readonly mapping: NotesMapping;
}

/** The groups of a note, and its items or the reason why it is left out. */
export function* noteConverted(note: AppNote, context: NoteContext): Generator<Converted> {
  for (const name of note.groups ?? []) yield { kind: "group", name };
  const left = reasonToLeave(note, context.mapping);
  if (left !== null) return yield { kind: "unmapped", name: left };
  const item = noteItem(note, context);
  const field = item.members.target === "knowledge" ? "snapshot" : "originalContent";
  for (const part of itemParts(item, field)) yield { kind: "item", item: part };
}

/** The count of a note that is left out; null for one that comes in. */
export function reasonToLeave(
  { isTrashed = false, groups = [] }: Pick<AppNote, "isTrashed" | "groups">,
  mapping: NotesMapping,
): "note.trashed" | "group.left" | null {
  if (isTrashed && mapping.trashed === "leave") return "note.trashed";
  return targetOf(mapping, groups) === "leave" ? "group.left" : null;
}

function noteItem(note: AppNote, { source, mapping }: NoteContext): SourceItem {
  const { key, entry, createdAt, task, rules = [], unmapped = [] } = note;
  const { refused = note.text.length < MAX_MARKDOWN ? [] : ["field.length"] } = note;
  const { files = new NamedFiles(null), tags = [], groups = [], details = [] } = note;
  const chosen = task === undefined ? targetOf(mapping, groups) : "commitment";
  const target = chosen === "leave" ? mapping.target : chosen;
  if (refused.length > 0) return { entry, members: { key, target }, refused };
  const { title, text: shown } = titledText(note);
  const text = withDetails(files.withLines(shown), details);
  const [url, author] = [webAddress(note.url), authorName(note.author)];
  const content = { title, text, createdAt, url, author, urn: importUrn(source, key) };
  const { attachments = [], ...fileMembers } = files.members;
  const isKnowledge = target === "knowledge";
  return {
    entry,
    members: {
      key,
      target,
      title,
      payload: task === undefined
        ? notePayload(target, content)
        : taskPayload(isBlank(text) ? title : text, task),
      tags: cleanLines(tags),
      attachments,
      ...(createdAt !== null && { recordedAt: inUtc(createdAt) }),
      ...((note.isArchived || note.isTrashed) && { archived: true }),
    },
    ...fileMembers,
    rules: [...rules, ...(target === "memory" && createdAt === null ? ["import.date"] : [])],
    unmapped: [
      ...unmapped,
      ...(note.url && !(isKnowledge && url !== null) ? ["url"] : []),
      ...(note.author && !(isKnowledge && author !== null) ? ["author"] : []),
    ],
    futureRule: "import.date",
    isTitleInText: true,
    optionalTimes: ["completedAt"],
    ...(target === "capture" && { runTimeField: "capturedAt" }),
  };
}

/** The text begins with a title that is too long for the record. */
function titledText(note: AppNote): { readonly title: string; readonly text: string } {
  const stated = cleanLine(note.title);
  const text = cleanText(note.text);
  if (stated !== "") return { title: stated, text: withLongTitle(text, stated) };
  return { title: titleOf(text) ?? note.createdAt?.slice(0, 10) ?? note.key, text };
}

interface NoteContent extends Pick<AppNote, "title" | "text" | "createdAt"> {
  readonly url: string | null;
  readonly author: string | null;
  /** The address of a note without one of its own. */
  readonly urn: string;
}

function notePayload(target: string, note: NoteContent): JsonObject {
  const { title, text, createdAt, url, author, urn } = note;
  const words = isBlank(text) ? title : text;
  switch (target) {
    case "memory": {
      const occurred = createdAt === null
        ? { timePrecision: "UNKNOWN" }
        : { occurredAt: createdAt, timePrecision: "EXACT" };
      return { memoryType: "EVENT", originalContent: words, ...occurred };
    }
    case "capture":
      return {
        contentType: "TEXT",
        originalContent: words,
        targetModule: "knowledge",
        sourceApp: "OTHER",
        routeStatus: "INBOX",
        ...(createdAt !== null && { capturedAt: createdAt }),
      };
    default:
      return {
        sourceType: url === null ? "NOTE" : "WEBPAGE",
        url: url ?? urn,
        sourceTitle: fitTitle(title).title,
        ...(!isBlank(text) && { snapshot: text }),
        readingStatus: "REFERENCE",
        ...(author !== null && { author }),
      };
  }
}

/** Null for anything but a web address that a record may have. */
function webAddress(url: string | null | undefined): string | null {
  const isWeb = typeof url === "string" && WEB_ADDRESS.test(url) && isPublicReference(url) &&
    !isLongerThan(url, MAX_URL);
  return isWeb ? url : null;
}

function authorName(author: string | null | undefined): string | null {
  const name = cleanLine(author ?? "");
  return name === "" || isLongerThan(name, MAX_AUTHOR) ? null : name;
}
