/** `journey`: an archive with a JSON for each entry of a journal, and the photos of the entries. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../../core/json.ts";
import { boolean, type InferObject, optional, readBody } from "../../../validate/schema.ts";
import { isTimestamp } from "../../../validate/timestamp.ts";
import { type Archive, type Entry, folderOf } from "../../archive/archive.ts";
import type { Converted, Converter, ConverterInput, SourceItem } from "../converter.ts";
import { TIME_ZONE, zonedTime } from "../dates.ts";
import { healthMembers } from "../health/health_record.ts";
import { htmlToMarkdown } from "../markup/html_markdown.ts";
import { entryShape } from "../seen_file.ts";
import { noteConverted } from "./app_note.ts";
import { itemTime } from "./item_time.ts";
import { detailsOf, moodOf, unmappedOf } from "./journey_entry.ts";
import { readJsonEntry } from "./json_entry.ts";
import { NamedFiles } from "./named_files.ts";
import { type NotesMapping, readNotesMapping } from "./notes_mapping.ts";

const MAPPING = {
  timeZone: optional(TIME_ZONE),
  moods: optional(boolean),
};

const ENTRY = /\.json$/i;
/** A text that begins with HTML, and not with `<3`. */
const BEGINS_WITH_TAG = /^\s*<[a-z!/]/i;
/** The member that no other export has. */
const SIGN = "date_journal";

export const JOURNEY: Converter = {
  format: "journey",
  title: { en: "Journey", de: "Journey" },
  isNamed: false,
  hasSign: ({ isArchive, shapes }) => isArchive && shapes.some((shape) => shape.has(SIGN)),
  kinds: ["zip", "tar", "gzip"],
  mapping: {
    kind: "FORM",
    schema: MAPPING,
    example: { timeZone: "Europe/Berlin", moods: true },
    check: (mapping) => void readBody(MAPPING, mapping),
  },
  async *convert(input) {
    const { archive, budget } = input;
    if (archive === null) return;
    const reader = new JourneyReader(input, archive);
    for (const entry of archive.matching(ENTRY)) {
      await budget.turn(entry.place);
      const members = await readJsonEntry(entry, budget);
      if (isJsonObject(members)) yield* reader.read(members, entry);
      // The text is too large to be parsed, or is not JSON.
      else if (members === undefined || members === null) yield* refused(archive, entry, members);
    }
  },
};

async function* refused(
  { used }: Archive,
  entry: Entry,
  members: null | undefined,
): AsyncGenerator<Converted> {
  if (!(await entryShape(entry)).has(SIGN)) return;
  used.add(entry.name);
  const rule = members === null ? "import.item_size" : "json.syntax";
  const item = { entry: entry.shownName, members: { target: "memory" }, refused: [rule] };
  yield { kind: "item", item };
}

class JourneyReader {
  readonly #input: ConverterInput;
  readonly #archive: Archive;
  readonly #options: InferObject<typeof MAPPING>;
  readonly #mapping: NotesMapping;

  constructor(input: ConverterInput, archive: Archive) {
    this.#input = input;
    this.#archive = archive;
    this.#options = readBody(MAPPING, input.mapping ?? {});
    this.#mapping = { ...readNotesMapping(null), target: "memory" };
  }

  /** Converts the members of an entry; nothing from other JSON. */
  async *read(members: JsonObject, entry: Entry): AsyncGenerator<Converted> {
    const { id } = members;
    if (typeof id !== "string" || id === "" || !Object.hasOwn(members, SIGN)) return;
    this.#archive.used.add(entry.name);
    const time = this.#timeOf(members);
    const files = new NamedFiles(this.#archive);
    yield* noteConverted({
      key: id,
      entry: entry.shownName,
      title: "",
      text: await this.#textOf(members, entry, files),
      createdAt: time.text,
      tags: textsOf(members.tags),
      details: detailsOf(members),
      files: this.#withPhotos(members, entry, files),
      rules: time.rules,
      unmapped: [...unmappedOf(members), ...time.unmapped],
    }, { source: this.#input.source, mapping: this.#mapping });
    const mood = this.#options.moods === true ? moodOf(members) : null;
    if (mood === null || time.text === null) return;
    yield { kind: "item", item: moodItem(id, entry, mood, time.text) };
  }

  #timeOf({ date_journal: written, timezone }: JsonObject): EntryTime {
    const { timeZone = null } = this.#options;
    const moment = momentOf(written);
    const zone = typeof timezone === "string" ? timezone.trim().replace(PREFIX, "") : "";
    const text = moment === null ? null : zonedTime(zone, moment) ?? itemTime(moment, timeZone);
    const isUnknown = moment !== null && zone !== "" && zonedTime(zone, moment) === null;
    return {
      text,
      rules: isUnknown && timeZone === null ? ["import.zone"] : [],
      unmapped: isUnknown ? ["timezone"] : [],
    };
  }

  async #textOf(
    { text = "", type }: JsonObject,
    entry: Entry,
    files: NamedFiles,
  ): Promise<string> {
    if (typeof text !== "string") return "";
    if (type !== "html" && !BEGINS_WITH_TAG.test(text)) return text;
    const { budget } = this.#input;
    const converted = await htmlToMarkdown(text, {
      turn: () => budget.turn(entry.place),
      media: (address) => this.#showFile(address, entry, files),
    });
    return converted.text;
  }

  async #showFile(address: string, entry: Entry, files: NamedFiles): Promise<string | null> {
    return DATA.test(address)
      ? await files.addData(address, this.#input)
      : this.#addBeside(address, entry, files);
  }

  #withPhotos({ photos }: JsonObject, entry: Entry, files: NamedFiles): NamedFiles {
    for (const photo of textsOf(photos)) this.#addBeside(photo, entry, files);
    return files;
  }

  /** Adds a file of the folder of the entry; returns the line that shows it, or null. */
  #addBeside(name: string, entry: Entry, files: NamedFiles): string | null {
    const path = folderOf(entry.name) + name;
    if (this.#archive.find(path) !== undefined) return files.addEntry(path);
    files.addMissing(name);
    return null;
  }
}

const DATA = /^data:/i;

interface EntryTime {
  /** As its clock shows it; null if it cannot be read. */
  readonly text: string | null;
  readonly rules: readonly string[];
  readonly unmapped: readonly string[];
}

/** Before an offset that is a zone. */
const PREFIX = /^(?:gmt|utc)(?=[+-])/i;

/** Null for a number that is not a moment. */
function momentOf(written: JsonValue | undefined): number | null {
  const isDigits = typeof written === "string" && /^\d{1,15}$/.test(written);
  const time = isDigits ? Number(written) : written;
  return typeof time === "number" && isTimestamp(time) ? time : null;
}

function textsOf(values: JsonValue | undefined): readonly string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}

function moodItem(id: string, entry: Entry, value: number, measuredAt: string): SourceItem {
  const members = healthMembers({
    key: `${id}#mood`,
    title: "Mood",
    metricType: "MOOD",
    value,
    unit: "of 5",
    measuredAt,
    quality: "SELF_REPORTED",
  });
  return { entry: entry.shownName, members, futureRule: "import.date" };
}
