/** `ical`: calendars (RFC 5545) in a file, or in an archive of files. */

import { createHash } from "node:crypto";
import { baseNameOf, type Entry } from "../../archive/archive.ts";
import { refuseFile } from "../../refusal.ts";
import type { Converted, Converter, ConverterInput, FileSink, SourceInput } from "../converter.ts";
import { mayHaveEntry } from "../examined_entries.ts";
import { headOf, type ReadBytes, utf8Chunks } from "../lines.ts";
import { utf16Of } from "../text_encoding.ts";
import { type CalendarComponent, readComponents } from "./ical_components.ts";
import { type Calendar, CalendarIndex, isItem, keyOf, valueOf } from "./ical_index.ts";
import { itemOf } from "./ical_item.ts";
import { CALENDAR_MAPPING, type EventTarget, readCalendarMapping } from "./ical_mapping.ts";

const CALENDAR_FILE = /\.ics$/i;
const SIGN = /^\s*BEGIN:VCALENDAR/i;
/** The UIDs of the service's own calendars (`src/due/calendar.ts`). */
const OWN_UID = /^[0-9A-HJKMNP-TV-Z]{26}-[A-Z_]+(?:-\d{4})?@prs$/;

export const ICAL: Converter = {
  format: "ical",
  title: { en: "Calendar (iCalendar)", de: "Kalender (iCalendar)" },
  isNamed: false,
  hasSign: ({ ics }) => ics.some((text) => SIGN.test(text)),
  kinds: ["zip", "tar", "gzip", "text"],
  mapping: CALENDAR_MAPPING,
  async sourceOf({ file, archive }: SourceInput) {
    const isCalendar = archive === null
      ? await beginsCalendar(() => file.stream())
      : await mayHaveEntry(archive, CALENDAR_FILE, beginsCalendar);
    return isCalendar ? "ical" : refuseFile("import.format", archive === null ? 1 : 0);
  },
  async *convert(input) {
    const files: CalendarFile[] = [];
    const { archive, file } = input;
    if (archive === null) files.push({ read: () => file.stream(), entry: null });
    for (const entry of archive?.matching(CALENDAR_FILE) ?? []) {
      const read = () => archive?.read(entry) ?? file.stream();
      if (await beginsCalendar(read)) files.push({ read, entry });
      else yield { kind: "fault", entry, rule: "import.format" };
    }
    yield* new CalendarFiles(files, input).convert();
  },
};

interface CalendarFile {
  readonly read: ReadBytes;
  /** Null for a bare file. */
  readonly entry: Entry | null;
}

async function beginsCalendar(read: ReadBytes): Promise<boolean> {
  const head = await headOf(read());
  const text = utf16Of(head) === null ? head : await headOf(utf8Chunks([head]));
  return SIGN.test(new TextDecoder().decode(text));
}

/** Reads the files twice: zones and newest versions are known only at their end. */
class CalendarFiles {
  readonly #files: readonly CalendarFile[];
  readonly #input: ConverterInput;
  readonly #mapping: ReturnType<typeof readCalendarMapping>;
  readonly #index: CalendarIndex;
  /** The number of the item that was read last. */
  #item = 0;

  constructor(files: readonly CalendarFile[], input: ConverterInput) {
    this.#files = files;
    this.#input = input;
    this.#mapping = readCalendarMapping(input.mapping);
    const isLeft = (group: string | null) => this.#isLeft(group);
    this.#index = new CalendarIndex(input.budget, this.#mapping.floating, isLeft);
  }

  async *convert(): AsyncGenerator<Converted> {
    const { budget, openFile } = this.#input;
    for (const { read, entry } of this.#files) {
      const name = entry === null ? null : baseNameOf(entry.name).replace(CALENDAR_FILE, "");
      for await (const part of readComponents(read, { budget, openSink: digestOnly })) {
        this.#index.add(part, name);
      }
    }
    const calendars = this.#index.calendars();
    let calendar: Calendar | undefined;
    for (const { read, entry } of this.#files) {
      for await (const part of readComponents(read, { budget, openSink: openFile })) {
        if (part.kind === "stray") yield { kind: "unmapped", name: "ical.line" };
        if (part.kind === "cut") yield { kind: "unmapped", name: "ical.end" };
        if (part.kind === "calendar") {
          calendar = calendars.next().value ?? undefined;
          for (const name of calendar?.unread ?? []) yield { kind: "unmapped", name };
        }
        if (part.kind !== "component" || calendar === undefined) continue;
        yield* this.#convert(part.component, calendar, entry);
      }
    }
  }

  *#convert(
    component: CalendarComponent,
    calendar: Calendar,
    entry: Entry | null,
  ): Generator<Converted> {
    const { name } = component;
    if (!isItem(component)) return yield { kind: "unmapped", name };
    const number = ++this.#item;
    const { group, isOrg, zones } = calendar;
    if (group !== null) yield { kind: "group", name: group };
    if (this.#isLeft(group)) return yield { kind: "unmapped", name: "group.left" };
    const counted = this.#index.countedAs(component, calendar, number);
    if (counted !== null) return yield { kind: "unmapped", name: counted };
    const events = this.#targetOf(group);
    if (name === "VEVENT" && events === "leave") return yield { kind: "unmapped", name };
    const uid = valueOf(component, "UID");
    const rule = component.refused ?? (OWN_UID.test(uid) ? "import.own" : null);
    const key = keyOf(component, isOrg);
    const shownName = entry?.shownName ?? null;
    if (rule !== null) {
      const members = uid === "" ? {} : { key };
      yield { kind: "item", item: { entry: shownName, members, refused: [rule] } };
    } else {
      const target = events === "memory" ? "memory" : "timeline";
      const item = itemOf(component, { key, entry: shownName, zones, events: target });
      yield { kind: "item", item };
    }
  }

  /** A calendar that the mapping leaves out, with its tasks. */
  #isLeft(group: string | null): boolean {
    return group !== null && this.#mapping.groups.get(group) === "leave";
  }

  #targetOf(group: string | null): EventTarget {
    const { groups, events } = this.#mapping;
    return (group === null ? undefined : groups.get(group)) ?? events;
  }
}

/** For the first reading: a file counts by its digest. */
function digestOnly(): Promise<FileSink> {
  const hash = createHash("sha256");
  let size = 0;
  return Promise.resolve({
    write(bytes) {
      hash.update(bytes);
      size += bytes.length;
      return Promise.resolve();
    },
    end: () => Promise.resolve({ sha256: hash.digest("hex"), size }),
  });
}
