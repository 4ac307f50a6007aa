/** `day-one`: an archive of journals in JSON, with folders of media files; or a journal alone. */

import { sha256Hex } from "../../core/digest.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import { isBlank, isLongerThan } from "../../validate/text.ts";
import { parseTimestamp } from "../../validate/timestamp.ts";
import { type Archive, baseNameOf, type Entry } from "../archive/archive.ts";
import { refuseFile } from "../refusal.ts";
import type { Converted, Converter, ConverterInput, SourceInput, SourceItem } from "./converter.ts";
import { zonedTime } from "./dates.ts";
import { detailsOf, unmappedOf } from "./day_one_details.ts";
import { JournalFiles, linkText } from "./day_one_files.ts";
import { richTextWords } from "./day_one_rich_text.ts";
import { JournalFault, jsonEntries, RefusedEntry } from "./json_entries.ts";
import type { JsonShape } from "./json_shape.ts";
import { titleOf } from "./note_title.ts";
import { beginsAs } from "./seen_file.ts";
import { itemParts } from "./text_parts.ts";

export const DAY_ONE: Converter = {
  format: "day-one",
  title: { en: "Day One", de: "Day One" },
  isNamed: false,
  hasSign: ({ shapes }) => shapes.some(isJournal),
  kinds: ["zip", "tar", "gzip", "text"],
  async sourceOf(input: SourceInput) {
    return await beginsAs(input, /^\s*\{/) ? "day-one" : refuseFile("import.format", 1);
  },
  async *convert({ file, archive, budget }: ConverterInput): AsyncGenerator<Converted> {
    const files = new JournalFiles(archive, budget);
    let hasJournal = false;
    for (const journal of journalsOf(archive, file)) {
      try {
        for await (const entry of jsonEntries(journal.bytes())) {
          for (const item of await itemsOf(entry, journal, files)) yield { kind: "item", item };
        }
      } catch (error) {
        if (!(error instanceof JournalFault)) throw error;
        // The file has other JSON.
        if (error.rule === null) continue;
        const { entry } = journal;
        yield entry === null
          ? { kind: "item", item: { members: {}, refused: [error.rule] } }
          : { kind: "fault", entry, rule: error.rule };
      }
      hasJournal = true;
      if (journal.entry !== null) archive?.used.add(journal.name);
    }
    const isRefused = archive?.faults.some(({ name }) => JOURNAL.test(name));
    if (!hasJournal && !isRefused) refuseFile("day_one.json", 0);
  },
};

function isJournal(shape: JsonShape): boolean {
  if (shape.get("entries") !== "array") return false;
  const isEntry = shape.has("entries 0 uuid") && shape.has("entries 0 creationDate");
  return shape.has("metadata") || isEntry;
}

const JOURNAL = /\.json$/i;

interface Journal extends Pick<Entry, "name" | "place" | "bytes"> {
  /** Null for a journal without an archive. */
  readonly entry: Entry | null;
}

/** The files that may be journals. */
function journalsOf(archive: Archive | null, file: ConverterInput["file"]): readonly Journal[] {
  if (archive === null) {
    return [{ name: "", place: 0, entry: null, bytes: () => file.stream() }];
  }
  return archive.matching(JOURNAL).map((entry) => ({ ...entry, entry }));
}

/** An entry, or the parts of a long one. */
async function itemsOf(
  entry: JsonObject | RefusedEntry,
  journal: Journal,
  files: JournalFiles,
): Promise<Iterable<SourceItem>> {
  const path = journal.entry?.name ?? null;
  if (entry instanceof RefusedEntry) {
    return [{ entry: path, members: { target: "memory" }, refused: [entry.rule] }];
  }
  const { day, recordedAt, payload, rules } = timeOf(entry);
  const { words, isRichText } = wordsOf(entry);
  const linked = await linkText(words, await files.filesOf(entry, journal), files);
  const content = sha256Hex(canonicalJson(entry));
  const uuid = uuidOf(entry);
  const key = uuid ?? `digest:${content}`;
  const name = path === null ? null : baseNameOf(path).replace(JOURNAL, "");
  const { text, after } = withDetails(linked.text, detailsOf(entry, name));
  const tags = Array.isArray(entry.tags) ? entry.tags : [];
  const title = firstTitle(words) ?? day ?? key;
  const item = {
    entry: path,
    members: {
      key,
      target: "memory",
      title,
      // A memory needs a text.
      payload: {
        memoryType: "EVENT",
        originalContent: isBlank(text + after) ? title : text,
        ...payload,
      },
      tags: tags.filter((tag) => typeof tag === "string"),
      attachments: [...linked.attachments],
      ...(recordedAt !== null && { recordedAt }),
    },
    rules: [
      ...rules,
      ...linked.hasUnknown ? ["attachment.missing"] : [],
      ...ENTRY_LINK.test(words) ? ["link.entry"] : [],
      ...uuid === null ? ["import.key_made"] : [],
    ],
    unmapped: unmappedOf(entry, isRichText),
    writtenTimes: ["occurredAt"],
    filenames: linked.filenames,
    isTitleInText: true,
    sameAs: content,
  };
  return itemParts(item, "originalContent", after);
}

function uuidOf({ uuid = null }: JsonObject): string | null {
  return typeof uuid === "string" && !isBlank(uuid) ? uuid : null;
}

/** The address of an entry, which stays in the text. */
const ENTRY_LINK = /\bdayone2?:\//i;

interface EntryWords {
  readonly words: string;
  readonly isRichText: boolean;
}

/** The text of an entry, or the words of its rich text if that is blank. */
function wordsOf({ text, richText }: JsonObject): EntryWords {
  const words = typeof text === "string" ? text : "";
  const rich = isBlank(words) ? richTextWords(richText) : null;
  return rich === null ? { words, isRichText: false } : { words: rich, isRichText: true };
}

/** The first line with words; null without one. */
function firstTitle(text: string): string | null {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const title = titleOf(line);
    if (title !== null) return title;
  }
  return null;
}

interface EntryTime {
  readonly payload: JsonObject;
  readonly recordedAt: string | null;
  /** The date in the entry's zone. */
  readonly day: string | undefined;
  readonly rules: readonly string[];
}

/** A stated zone that is not known means UTC. */
function timeOf({ creationDate, timeZone = null, isAllDay }: JsonObject): EntryTime {
  const moment = typeof creationDate === "string" ? parseTimestamp(creationDate) : null;
  if (moment === null) {
    const payload = { timePrecision: "UNKNOWN" };
    return { payload, recordedAt: null, day: undefined, rules: ["import.date"] };
  }
  const recordedAt = new Date(moment).toISOString();
  const zoned = timeZone === null ? null : timeIn(timeZone, moment);
  const occurredAt = zoned ?? recordedAt;
  return {
    payload: { occurredAt, timePrecision: isAllDay === true ? "DAY" : "EXACT" },
    recordedAt,
    day: occurredAt.slice(0, 10),
    rules: timeZone !== null && zoned === null ? ["import.zone"] : [],
  };
}

const OFFSET = /^(?:gmt|utc)?\s*([+-])(\d{1,2})(?::?(\d{2}))?$/i;

/** Null for an unknown zone. */
function timeIn(zone: JsonValue, moment: number): string | null {
  if (typeof zone !== "string") return null;
  const named = zonedTime(zone, moment);
  const [, sign, hours = "", minutes = "00"] = OFFSET.exec(zone.trim()) ?? [];
  if (named !== null || sign === undefined) return named;
  return zonedTime(`${sign}${hours.padStart(2, "0")}:${minutes}`, moment);
}

/** Code points of details that are added to the last part of a long text. */
const MAX_DETAILS = 10_000;

/** The text, and the block of details after a blank line. */
function withDetails(
  text: string,
  details: string,
): { readonly text: string; readonly after: string } {
  if (details === "") return { text, after: "" };
  const after = text === "" ? details : `${text.endsWith("\n") ? "\n" : "\n\n"}${details}`;
  return isLongerThan(after, MAX_DETAILS) ? { text: text + after, after: "" } : { text, after };
}
