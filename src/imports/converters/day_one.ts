/** `day-one`: a zip archive of journals in JSON, with folders of photos, videos, audios and documents. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { firstCodePoints } from "../../validate/text.ts";
import { parseTimestamp } from "../../validate/timestamp.ts";
import type { Archive } from "../archive/archive.ts";
import { refuseFile } from "../refusal.ts";
import type { Converted, Converter, SourceItem } from "./converter.ts";
import { jsonEntries } from "./json_entries.ts";
import { isHiddenName } from "./names.ts";
import { isTimeZone, zonedTimestamp } from "./zones.ts";

export const DAY_ONE: Converter = {
  format: "day-one",
  isNamed: false,
  archives: ["zip"],
  acceptsText: false,
  sourceOf: () => Promise.resolve("day-one"),
  async *convert({ archive }): AsyncGenerator<Converted> {
    const journals =
      archive?.entries.filter(({ name }) => /\.json$/i.test(name) && !isHiddenName(name)) ?? [];
    if (archive === null || journals.length === 0) return refuseFile("day_one.json", 0);
    const files = new JournalFiles(archive);
    let place = 0;
    for (const journal of journals) {
      const folder = journal.name.slice(0, journal.name.lastIndexOf("/") + 1);
      for await (const entry of jsonEntries(archive.read(journal), journal.place)) {
        place++;
        yield { kind: "item", item: toItem(place, entry, files.of(folder)) };
      }
    }
  },
};

const FOLDERS = {
  photos: "photos",
  videos: "videos",
  audios: "audios",
  pdfAttachments: "pdfs",
} as const;

/** The members that are read. The others are counted as unmapped. */
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

/** Finds a file by its folder and digest, whatever its ending. */
class JournalFiles {
  readonly #names = new Map<string, string>();

  constructor({ entries }: Archive) {
    for (const { name } of entries) {
      const plain = name.replace(/\.[^./]*$/, "");
      if (!this.#names.has(plain)) this.#names.set(plain, name);
    }
  }

  of(folder: string): (folderName: string, md5: string) => string | undefined {
    return (folderName, md5) => this.#names.get(`${folder}${folderName}/${md5}`);
  }
}

interface EntryFile {
  readonly identifier: string;
  /** Its path in the archive, also if it is missing there. */
  readonly name: string;
  readonly isThere: boolean;
}

function toItem(
  place: number,
  entry: JsonObject,
  find: (folderName: string, md5: string) => string | undefined,
): SourceItem {
  const time = timeOf(entry);
  const files = filesOf(entry, find);
  const written = textOf(entry);
  const { text, hasUnknown } = withFiles(written, files);
  const missing = hasUnknown && files.every(({ isThere }) => isThere);
  const members: JsonObject = {
    target: "memory",
    title: titleOf(written) ?? time.day ?? String(entry.uuid),
    payload: { memoryType: "EVENT", originalContent: withDetails(text, entry), ...time.payload },
    tags: textsOf(entry.tags),
    attachments: files.map(({ name }) => name),
  };
  if (typeof entry.uuid === "string") members.key = entry.uuid;
  if (time.recordedAt !== null) members.recordedAt = time.recordedAt;
  return {
    place,
    members,
    rules: [...time.rules, ...missing ? ["attachment.missing"] : []],
    unmapped: Object.keys(entry).filter((name) => !READ.has(name) && !isEmpty(entry[name])),
  };
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === "" || value === 0) {
    return true;
  }
  return typeof value === "object" && Object.keys(value).length === 0;
}

function textOf({ text }: JsonObject): string {
  return typeof text === "string" ? text : "";
}

function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The first line with words; null without one. */
function titleOf(text: string): string | null {
  for (const line of text.split(/[\r\n]+/)) {
    const title = line.trim().replace(/^#+/, "").replaceAll(/\p{Cc}/gu, " ").trim();
    if (title !== "") return firstCodePoints(title, 200).trim();
  }
  return null;
}

interface EntryTime {
  readonly payload: JsonObject;
  readonly recordedAt: string | null;
  /** The date in the entry's zone. */
  readonly day: string | null;
  readonly rules: readonly string[];
}

function timeOf({ creationDate, timeZone = "UTC", isAllDay }: JsonObject): EntryTime {
  const moment = typeof creationDate === "string" ? parseTimestamp(creationDate) : null;
  const recordedAt = moment === null ? null : new Date(moment).toISOString();
  const isZone = typeof timeZone === "string" && isTimeZone(timeZone);
  const occurredAt = moment !== null && isZone ? zonedTimestamp(timeZone, moment) : null;
  if (occurredAt === null) {
    const day = recordedAt?.slice(0, 10) ?? null;
    return { payload: { timePrecision: "UNKNOWN" }, recordedAt, day, rules: ["import.date"] };
  }
  const timePrecision = isAllDay === true ? "DAY" : "EXACT";
  return {
    payload: { occurredAt, timePrecision },
    recordedAt,
    day: occurredAt.slice(0, 10),
    rules: [],
  };
}

function filesOf(
  entry: JsonObject,
  find: (folderName: string, md5: string) => string | undefined,
): EntryFile[] {
  return Object.entries(FOLDERS).flatMap(([member, folderName]) => {
    const list = entry[member];
    return (Array.isArray(list) ? list : []).flatMap((file): EntryFile[] => {
      if (!isJsonObject(file) || typeof file.identifier !== "string") return [];
      const md5 = String(file.md5 ?? file.identifier);
      const name = find(folderName, md5);
      return [{
        identifier: file.identifier,
        name: name ?? `${folderName}/${md5}`,
        isThere: name !== undefined,
      }];
    });
  });
}

const MOMENT = /dayone-moment:\/(?:\/|(?:photo|video|audio|pdfAttachment)\/)([0-9A-Za-z-]+)/g;

/** The text with names of files in place of Day One's. Without a text, a line for each file. */
function withFiles(
  text: string,
  files: readonly EntryFile[],
): { readonly text: string; readonly hasUnknown: boolean } {
  const present = files.filter(({ isThere }) => isThere);
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
  const place = isJsonObject(location)
    ? [location.placeName, location.localityName, location.country]
    : [];
  const sky = isJsonObject(weather)
    ? [weather.conditionsDescription, temperatureOf(weather.temperatureCelsius)]
    : [];
  const lines: [name: string, parts: (JsonValue | undefined)[]][] = [
    ["Place", place],
    ["Weather", sky],
    ["Starred", starred === true ? ["yes"] : []],
    ["Device", [creationDevice]],
  ];
  return lines.flatMap(([name, parts]) => {
    const texts = parts.filter((part) => typeof part === "string" && part.trim() !== "");
    return texts.length === 0 ? [] : [`${name}: ${texts.join(", ")}`];
  });
}

function temperatureOf(celsius: JsonValue | undefined): string | null {
  return typeof celsius === "number" ? `${Math.round(celsius)} °C` : null;
}
