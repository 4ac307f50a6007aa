/** Facts that a note states in its front matter, in its path, and in the lines of Notion. */

import type { JsonValue } from "../../core/json.ts";
import { isPublicReference } from "../../validate/public_reference.ts";
import { hasControlCharacter, isLongerThan } from "../../validate/text.ts";
import { baseNameOf } from "../archive/archive.ts";
import { type DateForm, readDated, readDayName, type WrittenDate } from "./dates.ts";
import { type FrontMatterMember, readFrontMatter } from "./front_matter.ts";
import { inlineTags } from "./inline_tags.ts";
import { tagNames } from "./tag_names.ts";
import { HEAD_LENGTH, headOf } from "./text_head.ts";

export type NoteTarget = "knowledge" | "memory" | "capture";

export interface FactsMapping {
  readonly timeZone: string;
  /** The form of dates with two numbers before the year; by default they are not read. */
  readonly dates?: "DMY" | "MDY";
  /** True if `#words` in texts are tags; default: false. */
  readonly inlineTags?: boolean;
}

export interface NotePath {
  readonly path: string;
  /** A day becomes the date of the note. Null if unknown. */
  readonly name: string | null;
}

/** Names of each fact in compared form, in order of preference. */
const NAMES = {
  title: ["title"],
  date: ["date"],
  created: [
    "created",
    "createdat",
    "datecreated",
    "creationdate",
    "createdtime",
    "creationtime",
  ],
  tags: ["tags", "tag", "keywords"],
  url: ["url", "source", "sourceurl", "link"],
  author: ["author", "authors"],
  published: ["published", "publishedat", "datepublished"],
} as const;

const KNOWN_NAMES: ReadonlySet<string> = new Set(Object.values(NAMES).flat());

/** Code points of the fields of knowledge. */
const MAX_URL = 2048;
const MAX_AUTHOR = 500;

export interface NoteFacts {
  readonly target: NoteTarget;
  /** From the front matter or Notion's lines. */
  readonly title: string | null;
  /** The time of a memory; null for other targets. */
  readonly time: WrittenDate | null;
  /** The time of recording, as its clock shows it. */
  readonly recorded: string | null;
  readonly tags: readonly string[];
  readonly url: string | null;
  readonly author: string | null;
  readonly publishedAt: string | null;
  /** The text after the front matter. */
  readonly rest: string;
  /** True if nothing but the members that were read would be lost with the front matter. */
  readonly isRead: boolean;
  /** Names of the front matter that were not read. */
  readonly unread: readonly string[];
  readonly rules: readonly string[];
}

/** @param chosen The target of the note's folder; null if the mapping names none. */
export function readNoteFacts(
  text: string,
  names: NotePath,
  mapping: FactsMapping,
  chosen: NoteTarget | null,
): NoteFacts {
  const { timeZone, dates = "ISO" } = mapping;
  const matter = readFrontMatter(text);
  const { members = [], isMap = true, rest = text } = matter ?? {};
  const values = new NamedValues([...members, ...notionLines(rest, names.path)]);
  const dateOf = (value: JsonValue) => readDateValue(value, dates, timeZone);
  const date = values.find(NAMES.date, dateOf);
  const day = namedDay(names, dates, timeZone);
  const target = chosen ?? (date === null && day === null ? "knowledge" : "memory");
  const created = values.take(NAMES.created, dateOf);
  const isUsed = target === "memory" || created === null;
  const dated = isUsed ? values.take(NAMES.date, dateOf) : null;
  const isKnowledge = target === "knowledge";
  const inline = mapping.inlineTags === true ? inlineTags(rest) : [];
  const facts = {
    target,
    title: values.take(NAMES.title, scalarText),
    time: target === "memory" ? dated ?? day ?? created : null,
    recorded: (created ?? (target === "memory" ? null : dated))?.text ?? null,
    tags: withInlineTags(values.takeAll(NAMES.tags, tagsOf).flat(), inline),
    url: isKnowledge ? values.take(NAMES.url, urlOf) : null,
    author: isKnowledge ? values.take(NAMES.author, authorOf) : null,
    publishedAt: isKnowledge ? values.take(NAMES.published, dateOf)?.text ?? null : null,
  };
  const unread = values.unused(members);
  const isRead = isMap && unread.length === 0;
  const rules = members.length === 0 && !isMap ? ["front_matter.unread"] : [];
  return { ...facts, rest, isRead, unread, rules };
}

type Read<T> = (value: JsonValue) => T | null;

/** Members by their names. Case, blanks, `-` and `_` do not count. */
class NamedValues {
  readonly #byName = new Map<string, FrontMatterMember[]>();
  readonly #used = new Set<FrontMatterMember>();

  constructor(members: readonly FrontMatterMember[]) {
    for (const member of members) {
      const name = comparedName(member.name);
      const list = this.#byName.get(name);
      if (list === undefined) this.#byName.set(name, [member]);
      else list.push(member);
    }
  }

  /** The first accepted value of any of the names; null without one. */
  find<T>(names: readonly string[], read: Read<T>): T | null {
    return this.#first(names, read)?.value ?? null;
  }

  /** As `find`; the member counts as read. */
  take<T>(names: readonly string[], read: Read<T>): T | null {
    const found = this.#first(names, read);
    if (found !== null) this.#used.add(found.member);
    return found?.value ?? null;
  }

  /** The first accepted value of each of the names. */
  takeAll<T>(names: readonly string[], read: Read<T>): T[] {
    return names.map((name) => this.take([name], read)).filter((value) => value !== null);
  }

  /** The names of members that do not count as read. An empty one with a known name does. */
  unused(members: readonly FrontMatterMember[]): string[] {
    const isRead = (member: FrontMatterMember) =>
      this.#used.has(member) ||
      (member.value === null && KNOWN_NAMES.has(comparedName(member.name)));
    return members.filter((member) => !isRead(member)).map(({ name }) => name);
  }

  #first<T>(names: readonly string[], read: Read<T>) {
    for (const name of names) {
      for (const member of this.#byName.get(name) ?? []) {
        const value = member.value === undefined ? null : read(member.value);
        if (value !== null) return { member, value };
      }
    }
    return null;
  }
}

function comparedName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}

/** The day of a daily note: of the last three parts of its path, or of its name. */
function namedDay({ path, name }: NotePath, dates: DateForm, timeZone: string) {
  const dayOf = (text: string | null) => {
    const midnight = text === null ? null : readDayName(text, dates, timeZone);
    return midnight === null ? null : { text: midnight, isDay: true };
  };
  const parts = /(?:^|\/)(\d{4}\/\d{2}\/\d{2})\.[^./]*$/.exec(path)?.[1];
  return dayOf(parts?.replaceAll("/", "-") ?? null) ?? dayOf(name);
}

const NOTION_NAME = /[0-9a-f]{32}\.[^.]*$/i;

/** The lines `Name: value` that Notion writes below the heading of a page. */
function notionLines(text: string, path: string): FrontMatterMember[] {
  if (!NOTION_NAME.test(baseNameOf(path))) return [];
  const [heading = "", blank = "", ...lines] = headOf(text).split(/\r?\n/);
  if (!/^\ufeff?#/.test(heading) || blank.trim() !== "") return [];
  const end = lines.findIndex((line) => line.trim() === "");
  // The last line may be cut by the limit.
  const isCut = end === -1 && text.length > HEAD_LENGTH;
  return lines.slice(0, isCut ? -1 : end === -1 ? lines.length : end).flatMap((line) => {
    const at = line.indexOf(": ");
    return at < 1 ? [] : [{ name: line.slice(0, at), value: line.slice(at + 2).trim() }];
  });
}

function scalarText(value: JsonValue): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** `[[name]]` and `[[name|words]]` mean the name. */
function linkedName(text: string): string {
  return /^\s*\[\[([^[\]|]*)(?:\|[^[\]]*)?\]\]\s*$/.exec(text)?.[1]?.trim() ?? text;
}

function readDateValue(value: JsonValue, dates: DateForm, timeZone: string): WrittenDate | null {
  const text = scalarText(value);
  return text === null ? null : readDated(linkedName(text), dates, timeZone);
}

function urlOf(value: JsonValue): string | null {
  const isUrl = typeof value === "string" && !isLongerThan(value, MAX_URL) &&
    isPublicReference(value);
  return isUrl ? value : null;
}

/** One or several names, separated by commas. */
function authorOf(value: JsonValue): string | null {
  const names = (Array.isArray(value) ? value : [value]).map(scalarText);
  const author = names.join(", ");
  const isLine = names.length > 0 && names.every((name) => name !== null) &&
    !hasControlCharacter(author) && !isLongerThan(author, MAX_AUTHOR);
  return isLine ? author : null;
}

/** A list, or a text separated by commas; null for anything else. */
function tagsOf(value: JsonValue): string[] | null {
  if (!Array.isArray(value)) {
    const text = scalarText(value);
    if (text === null) return null;
    const parts = linkedName(text) === text ? text.split(",") : [text];
    return parts.flatMap((part) => tagNames(linkedName(part)));
  }
  const tags = value.filter((tag) => tag !== null && tag !== "").map(scalarText);
  return tags.every((tag) => tag !== null)
    ? tags.flatMap((tag) => tagNames(linkedName(tag)))
    : null;
}

function withInlineTags(tags: readonly string[], inline: readonly string[]): string[] {
  const known = new Set(tags.map((tag) => tag.toLowerCase()));
  return [...tags, ...inline.filter((tag) => !known.has(tag.toLowerCase()))];
}
