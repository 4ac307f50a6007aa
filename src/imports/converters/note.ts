/** One note of Markdown: its front matter, its text and its files become an item. */

import { sha256Hex } from "../../core/digest.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { isPublicReference } from "../../validate/public_reference.ts";
import type { SourceItem } from "./converter.ts";
import { inUtc, readDate, readDayName } from "./dates.ts";
import type { EmbeddedFiles } from "./embeds.ts";
import { readFrontMatter } from "./front_matter.ts";
import { titleOf } from "./note_title.ts";

export const NOTE_TARGETS = ["knowledge", "memory", "capture"] as const;
export type NoteTarget = (typeof NOTE_TARGETS)[number];
/** A target in the mapping; notes of a folder to "leave" are not imported. */
export type FolderTarget = NoteTarget | "leave";

export interface MarkdownMapping {
  /** Targets by path, which ends with `/`. */
  readonly folders: ReadonlyMap<string, FolderTarget>;
  readonly timeZone: string;
}

/** Facts that all notes of an import share. */
export interface Notes {
  readonly source: string;
  readonly mapping: MarkdownMapping;
  readonly files: EmbeddedFiles;
}

export interface NoteNames {
  readonly path: string;
  readonly key: string;
  /** A day becomes the date of the note. Null if unknown. */
  readonly name: string | null;
}

/** @param chosen The target of the note's folder; null if the mapping names none. */
export function convertNote(
  notes: Notes,
  { path, key, name }: NoteNames,
  text: string,
  chosen: NoteTarget | null,
): SourceItem {
  const { source, mapping: { timeZone }, files } = notes;
  const matter = readFrontMatter(text);
  const members = matter?.members ?? {};
  const dayOf = (value: JsonValue) =>
    typeof value === "string" ? readDayName(value, "ISO", timeZone) : null;
  const day = dayOf(members.date ?? null) ?? dayOf(name);
  const target = chosen ?? (day === null ? "knowledge" : "memory");
  const { facts, unread } = readFacts(members, {
    title: scalarText,
    date: (value) => target === "memory" ? dayOf(value) : null,
    created: (value) => typeof value === "string" ? readDate(value, "ISO", timeZone) : null,
    tags: tagsOf,
    tag: tagsOf,
    url: (value) => target === "knowledge" ? urlOf(value) : null,
  });
  const { created, url, tags = [], tag = [] } = facts;
  const title = facts.title ?? name ?? titleOf(matter?.rest ?? text) ??
    source.slice("markdown:".length);
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
