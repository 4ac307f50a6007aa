/** `day-one`: a zip archive of journals in JSON, with folders of media files. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { firstCodePoints } from "../../validate/text.ts";
import { parseTimestamp } from "../../validate/timestamp.ts";
import { folderOf } from "../archive/archive.ts";
import { refuseFile } from "../refusal.ts";
import type { Converted, Converter, SourceItem } from "./converter.ts";
import { entryBytes } from "../reading_budget.ts";
import { jsonEntries, RefusedEntry } from "./json_entries.ts";
import { zonedTime } from "./dates.ts";

export const DAY_ONE: Converter = {
  format: "day-one",
  title: { en: "Day One (zip)", de: "Day One (zip)" },
  isNamed: false,
  kinds: ["zip"],
  async *convert({ archive, budget }): AsyncGenerator<Converted> {
    const journals = archive?.matching(/\.json$/i) ?? [];
    if (archive === null || journals.length === 0) return refuseFile("day_one.json", 0);
    // A journal names its files by folder and digest, without endings.
    const paths = new Map<string, string>();
    for (const { name, place } of archive.entries) {
      const path = withoutEnding(name);
      if (paths.has(path)) continue;
      budget.hold(entryBytes(path), place);
      paths.set(path, name);
    }
    for (const journal of journals) {
      const folder = folderOf(journal.name);
      for await (const entry of jsonEntries(archive.read(journal), journal.place)) {
        const item = entry instanceof RefusedEntry
          ? { members: { target: "memory" }, refused: [entry.rule] }
          : toItem(entry, (path) => paths.get(folder + path));
        yield { kind: "item", item };
      }
    }
  },
};

function withoutEnding(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") ? path.slice(0, dot) : path;
}

const FOLDERS = {
  photos: "photos",
  videos: "videos",
  audios: "audios",
  pdfAttachments: "pdfs",
} as const;

/** Members that are converted. All others are counted as unmapped. */
const READ: ReadonlySet<string> = new Set([
  ...Object.keys(FOLDERS),
  "uuid",
  "creationDate",
  "modifiedDate",
  "timeZone",
  "isAllDay",
  "text",
  "tags",
  "location",
  "weather",
  "starred",
  "creationDevice",
]);

interface EntryFile {
  readonly identifier: string;
  /** The path in the archive, also of a missing file. */
  readonly name: string;
  readonly isPresent: boolean;
}

/** Finds the path of a file by its path without the ending. */
type FindFile = (path: string) => string | undefined;

function toItem(entry: JsonObject, find: FindFile): SourceItem {
  const { day, recordedAt, payload } = timeOf(entry);
  const files = filesOf(entry, find);
  const written = typeof entry.text === "string" ? entry.text : "";
  const { text, hasUnknown } = replaceLinks(written, files);
  const tags = Array.isArray(entry.tags) ? entry.tags : [];
  return {
    members: {
      target: "memory",
      title: titleOf(written) ?? day ?? String(entry.uuid),
      payload: { memoryType: "EVENT", originalContent: withDetails(text, entry), ...payload },
      tags: tags.filter((tag) => typeof tag === "string"),
      attachments: files.map(({ name }) => name),
      ...(typeof entry.uuid === "string" && { key: entry.uuid }),
      ...(recordedAt !== null && { recordedAt }),
    },
    rules: [
      ...payload.occurredAt === undefined ? ["import.date"] : [],
      ...hasUnknown && files.every(({ isPresent }) => isPresent) ? ["attachment.missing"] : [],
    ],
    unmapped: Object.keys(entry).filter((name) => !READ.has(name) && !isEmpty(entry[name])),
    writtenTimes: ["occurredAt"],
  };
}

function isEmpty(value: JsonValue | undefined): boolean {
  return !value || (typeof value === "object" && Object.keys(value).length === 0);
}

/** The first line with words, shortened; null without one. */
function titleOf(text: string): string | null {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const title = line.trim().replace(/^#+/, "").replaceAll(/\p{Cc}/gu, " ").trim();
    if (title !== "") return firstCodePoints(title, 200).trim();
  }
  return null;
}

interface EntryTime {
  readonly payload: JsonObject;
  readonly recordedAt: string | null;
  /** The date in the entry's zone. */
  readonly day: string | undefined;
}

function timeOf({ creationDate, timeZone, isAllDay }: JsonObject): EntryTime {
  const moment = typeof creationDate === "string" ? parseTimestamp(creationDate) : null;
  const recordedAt = moment === null ? null : new Date(moment).toISOString();
  const zoned = moment !== null && typeof timeZone === "string"
    ? zonedTime(timeZone, moment)
    : null;
  const occurredAt = timeZone === undefined ? recordedAt : zoned;
  const payload = occurredAt === null
    ? { timePrecision: "UNKNOWN" }
    : { occurredAt, timePrecision: isAllDay === true ? "DAY" : "EXACT" };
  return { payload, recordedAt, day: (occurredAt ?? recordedAt)?.slice(0, 10) };
}

function filesOf(entry: JsonObject, find: FindFile): EntryFile[] {
  return Object.entries(FOLDERS).flatMap(([member, folder]) => {
    const list = entry[member];
    return (Array.isArray(list) ? list : []).filter(isJsonObject).flatMap(({ identifier, md5 }) => {
      if (typeof identifier !== "string") return [];
      const path = `${folder}/${md5 ?? identifier}`;
      const name = find(path);
      return [{ identifier, name: name ?? path, isPresent: name !== undefined }];
    });
  });
}

const MOMENT = /dayone-moment:\/(?:\/|(?:photo|video|audio|pdfAttachment)\/)([0-9A-Za-z-]+)/g;

/** Replaces Day One's links by names of files. Adds a line for each file to a blank text. */
function replaceLinks(
  text: string,
  files: readonly EntryFile[],
): { readonly text: string; readonly hasUnknown: boolean } {
  const present = files.filter(({ isPresent }) => isPresent);
  if (text.trim() === "" && files.length > 0) {
    const lines = present.map(({ name }) => `![](attachment:${name})`);
    return { text: lines.join("\n"), hasUnknown: false };
  }
  const names = new Map(present.map(({ identifier, name }) => [identifier, name]));
  let hasUnknown = false;
  const replaced = text.replaceAll(MOMENT, (link, identifier: string) => {
    const name = names.get(identifier);
    if (name === undefined) hasUnknown = true;
    return name === undefined ? link : `attachment:${name}`;
  });
  return { text: replaced, hasUnknown };
}

function withDetails(text: string, entry: JsonObject): string {
  const details = detailsOf(entry);
  if (details.length === 0) return text;
  const before = text === "" ? "" : text.endsWith("\n") ? `${text}\n` : `${text}\n\n`;
  return before + ["Details", ...details].join("\n");
}

function detailsOf({ location, weather, starred, creationDevice }: JsonObject): string[] {
  const { placeName, localityName, country } = objectOf(location);
  const { conditionsDescription, temperatureCelsius: celsius } = objectOf(weather);
  const temperature = typeof celsius === "number" ? `${Math.round(celsius)} °C` : null;
  const lines = {
    Place: [placeName, localityName, country],
    Weather: [conditionsDescription, temperature],
    Starred: [starred === true ? "yes" : null],
    Device: [creationDevice],
  };
  return Object.entries(lines).flatMap(([name, parts]) => {
    const texts = parts.filter((part) => typeof part === "string" && part.trim() !== "");
    return texts.length === 0 ? [] : [`${name}: ${texts.join(", ")}`];
  });
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
