/** `markdown`: a note, a vault of Obsidian, an export of Notion, or this service's own Markdown export. */

import { sha256Hex } from "../../core/digest.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { isPublicReference } from "../../validate/public_reference.ts";
import { jsonObject, optional, readBody } from "../../validate/schema.ts";
import { payloadInvalid } from "../../errors/service_error.ts";
import { readWhole } from "../archive/archive.ts";
import type { Converted, Converter, SourceItem } from "./converter.ts";
import { TIME_ZONE } from "./csv_mapping.ts";
import { readDate, readDay } from "./dates.ts";
import { EmbeddedFiles } from "./embeds.ts";
import { readFrontMatter } from "./front_matter.ts";
import { decodeText, refuseNul } from "./lines.ts";
import { baseNameOf, isHiddenName } from "./names.ts";

const NOTE_TARGETS = ["knowledge", "memory", "capture"] as const;
type NoteTarget = (typeof NOTE_TARGETS)[number];

export const MARKDOWN_MAPPING = {
  folders: optional(jsonObject),
  timeZone: optional(TIME_ZONE),
};

/** The name of the only note of an import. */
const SINGLE_NOTE = "note.md";

export const MARKDOWN: Converter = {
  format: "markdown",
  isNamed: true,
  archives: ["zip", "tar"],
  acceptsText: true,
  hasParts: true,
  leftOut: (name) => /\.csv$/i.test(name) ? "file.csv" : null,
  readMapping: (mapping) => void readMarkdownMapping(mapping),
  async sourceOf({ name, file, archive }) {
    if (archive === null) await refuseNul(file);
    return `markdown:${name}`;
  },
  async *convert({ file, archive, source, mapping }): AsyncGenerator<Converted> {
    const notes = new Notes(source, readMarkdownMapping(mapping ?? {}), new EmbeddedFiles(archive));
    if (archive === null) {
      const text = decodeText(await file.read(0, file.size), 1);
      return yield { kind: "item", item: notes.convert(1, SINGLE_NOTE, text) };
    }
    let place = 0;
    for (const entry of archive.entries) {
      if (!/\.md$/i.test(entry.name) || isHiddenName(entry.name)) continue;
      const text = decodeText(await readWhole(archive, entry), entry.place);
      if (notes.isLeft(entry.name)) yield { kind: "left", name: "folder.left" };
      else yield { kind: "item", item: notes.convert(++place, entry.name, text) };
    }
  },
};

interface MarkdownMapping {
  /** By folder, the longest first. */
  readonly folders: readonly (readonly [folder: string, target: NoteTarget | "leave"])[];
  readonly timeZone: string;
}

function readMarkdownMapping(mapping: JsonObject): MarkdownMapping {
  const { folders = {}, timeZone = "UTC" } = readBody(MARKDOWN_MAPPING, mapping);
  const words: readonly JsonValue[] = [...NOTE_TARGETS, "leave"];
  if (!Object.values(folders).every((word) => words.includes(word))) {
    throw payloadInvalid(["mapping.folder"], ["folders"]);
  }
  const listed = Object.entries(folders).map(([folder, word]) => {
    const path = folder.replace(/^\/+|\/+$/g, "");
    return [path === "" ? "" : `${path}/`, word as NoteTarget | "leave"] as const;
  });
  return { folders: listed.toSorted(([one], [other]) => other.length - one.length), timeZone };
}

interface NoteFacts {
  readonly title: string | null;
  /** A day as a timestamp. */
  readonly date: string | null;
  readonly created: string | null;
  readonly tags: readonly string[];
  readonly url: string | null;
  readonly unread: readonly string[];
}

const NO_FACTS: NoteFacts = {
  ...{ title: null, date: null, created: null, tags: [], url: null, unread: [] },
};

/** The names of front matter that are read. */
const READ_NAMES: ReadonlySet<string> = new Set(
  ["title", "date", "created", "tags", "tag", "url"],
);

class Notes {
  readonly #source: string;
  readonly #mapping: MarkdownMapping;
  readonly #files: EmbeddedFiles;

  constructor(source: string, mapping: MarkdownMapping, files: EmbeddedFiles) {
    this.#source = source;
    this.#mapping = mapping;
    this.#files = files;
  }

  isLeft(path: string): boolean {
    return this.#wordOf(path) === "leave";
  }

  convert(place: number, path: string, text: string): SourceItem {
    const { name, id } = namesOf(path);
    const matter = readFrontMatter(text);
    const isUnread = matter !== null && matter.members === null;
    const members = matter?.members ?? {};
    const day = this.#dayOf(members.date) ?? readDay(name, this.#mapping.timeZone);
    const target = this.#targetOf(path, day);
    const facts = this.#factsOf(members, target);
    const isRead = matter !== null && !isUnread && facts.unread.length === 0;
    const kept = isRead ? matter.rest : text;
    const key = id ?? path;
    const title = facts.title ?? name;
    const item: JsonObject = {
      key,
      target,
      title,
      payload: this.#payloadOf(target, { key, title, text: kept, day, facts }),
      tags: [...facts.tags],
      attachments: this.#files.namesIn(text, path),
    };
    if (facts.created !== null) item.recordedAt = facts.created;
    return {
      place,
      members: item,
      rules: isUnread ? ["front_matter.unread"] : [],
      unmapped: facts.unread.map((name) => `front_matter.${name}`),
      ...(target === "capture" && facts.created === null && { runTimeField: "capturedAt" }),
    };
  }

  #wordOf(path: string): NoteTarget | "leave" | null {
    return this.#mapping.folders.find(([folder]) => path.startsWith(folder))?.[1] ?? null;
  }

  #targetOf(path: string, day: string | null): NoteTarget {
    const word = this.#wordOf(path);
    if (word !== null && word !== "leave") return word;
    return day === null ? "knowledge" : "memory";
  }

  #dayOf(value: JsonValue | undefined): string | null {
    return typeof value === "string" ? readDay(value, this.#mapping.timeZone) : null;
  }

  #factsOf(members: JsonObject, target: NoteTarget): NoteFacts {
    const facts = { ...NO_FACTS, tags: [] as string[], unread: [] as string[] };
    for (const [name, value] of Object.entries(members)) {
      const isAbsent = value === null && READ_NAMES.has(name);
      if (!isAbsent && !this.#readFact(facts, name, value, target)) facts.unread.push(name);
    }
    return facts;
  }

  /** False if the value has no place in the target. */
  #readFact(
    facts: { -readonly [Name in keyof NoteFacts]: NoteFacts[Name] } & { tags: string[] },
    name: string,
    value: JsonValue,
    target: NoteTarget,
  ): boolean {
    switch (name) {
      case "title":
        facts.title = scalarText(value);
        return facts.title !== null;
      case "date":
        facts.date = target === "memory" ? this.#dayOf(value) : null;
        return facts.date !== null;
      case "created":
        facts.created = typeof value === "string"
          ? readDate(value, "ISO", this.#mapping.timeZone)
          : null;
        return facts.created !== null;
      case "tags":
      case "tag": {
        const tags = tagsOf(value);
        facts.tags.push(...tags ?? []);
        return tags !== null;
      }
      case "url": {
        const isTaken = target === "knowledge" && typeof value === "string" &&
          isPublicReference(value);
        facts.url = isTaken ? value : null;
        return isTaken;
      }
      default:
        return false;
    }
  }

  #payloadOf(
    target: NoteTarget,
    { key, title, text, day, facts }: {
      readonly key: string;
      readonly title: string;
      readonly text: string;
      readonly day: string | null;
      readonly facts: NoteFacts;
    },
  ): JsonObject {
    switch (target) {
      case "memory":
        return {
          memoryType: "EVENT",
          originalContent: text,
          ...(day === null
            ? { timePrecision: "UNKNOWN" }
            : { occurredAt: day, timePrecision: "DAY" }),
        };
      case "capture":
        return {
          contentType: "TEXT",
          originalContent: text,
          targetModule: "knowledge",
          sourceApp: "OTHER",
          routeStatus: "INBOX",
          ...(facts.created !== null && { capturedAt: facts.created }),
        };
      case "knowledge":
        return {
          sourceType: "NOTE",
          url: facts.url ?? this.#urnOf(key),
          sourceTitle: title,
          snapshot: text,
          readingStatus: "REFERENCE",
        };
    }
  }

  #urnOf(key: string): string {
    return `urn:prs:import:${sha256Hex(`${this.#source}\n${key}`).slice(0, 32)}`;
  }
}

/** The name of a note, and the identifier that Notion adds to it. */
function namesOf(path: string): { readonly name: string; readonly id: string | null } {
  const base = baseNameOf(path).replace(/\.md$/i, "");
  const match = /^(.*?)[ -]?([0-9a-f]{32})$/i.exec(base);
  if (match === null) return { name: base, id: null };
  const [, name = "", id = ""] = match;
  return { name: name === "" ? id : name, id: id.toLowerCase() };
}

function scalarText(value: JsonValue): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** A list, or one text parted by commas; null for anything else. */
function tagsOf(value: JsonValue): string[] | null {
  if (!Array.isArray(value)) {
    const text = scalarText(value);
    return text === null ? null : text.split(",").map((tag) => tag.trim()).filter(Boolean);
  }
  const tags = value.filter((tag) => tag !== null).map(scalarText);
  return tags.every((tag) => tag !== null) ? tags : null;
}
