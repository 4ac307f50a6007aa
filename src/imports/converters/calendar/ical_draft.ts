/** Reads the properties of a component. All others are counted by name. */

import { DAY_MS } from "../../../core/clock.ts";
import { unescapeText } from "../../../core/folded_line.ts";
import { isBlank } from "../../../validate/text.ts";
import { MAX_TAGS } from "../../fit_members.ts";
import { extensionOf } from "../../media_types.ts";
import { cleanLine, cleanText } from "../apps/clean_text.ts";
import type { Detail } from "../apps/item_details.ts";
import { NamedFiles } from "../apps/named_files.ts";
import { dataAddress } from "../base64.ts";
import { splitEscaped } from "../vcard_lines.ts";
import type { CalendarComponent } from "./ical_components.ts";
import { type CalendarLine, parameterOf } from "./ical_lines.ts";
import { type CalendarTime, type Duration, readDuration, readTime } from "./ical_times.ts";
import type { CalendarZones } from "./ical_zones.ts";

/** Properties that no item needs: with any value, or with one. */
const UNCOUNTED: ReadonlyMap<string, string | null> = new Map([
  ["DTSTAMP", null],
  ["LAST-MODIFIED", null],
  ["SEQUENCE", null],
  ["STATUS", null],
  ["TRANSP", null],
  ["UID", null],
  ["RECURRENCE-ID", null],
  ["CLASS", "PUBLIC"],
  ["PRIORITY", "0"],
]);

/** Parameters for the name of a file, of different programs. */
const FILE_NAMES = ["FILENAME", "X-FILENAME", "X-APPLE-FILENAME", "X-ORACLE-FILENAME", "X-LABEL"];

export class ComponentDraft {
  readonly rules = new Set<string>();
  readonly details: Detail[] = [];
  readonly files = new NamedFiles(null);
  readonly #component: CalendarComponent;
  readonly #zones: CalendarZones;
  readonly #read = new Set<CalendarLine>();

  constructor(component: CalendarComponent, zones: CalendarZones) {
    this.#component = component;
    this.#zones = zones;
  }

  get unmapped(): string[] {
    const { lines, others } = this.#component;
    const isLeft = (line: CalendarLine) => {
      const word = UNCOUNTED.get(line.name);
      const isUncounted = word === null || word === line.value.trim().toUpperCase();
      return !isUncounted && !this.#read.has(line) && !isBlank(line.value);
    };
    const left = lines.filter(isLeft).map(({ name }) => name);
    return [...new Set([...left, ...[...others].filter((name) => !UNCOUNTED.has(name))])];
  }

  has(name: string): boolean {
    return this.#component.lines.some((line) => line.name === name && !isBlank(line.value));
  }

  /** A text of one line; empty without one. */
  line(name: string): string {
    return cleanLine(this.text(name));
  }

  /** The first text of a property; empty without one. */
  text(name: string): string {
    const line = this.#take(name);
    return line === null ? "" : textOf(line.value);
  }

  texts(name: string): string[] {
    return this.#takeAll(name).map(({ value }) => textOf(value));
  }

  /** Null without one, and for one that cannot be read. */
  time(name: string): CalendarTime | null {
    const line = this.#take(name);
    if (line === null || isBlank(line.value)) return null;
    const time = readTime(line, this.#zones);
    if (time === null) this.rules.add("import.date");
    else if (time.unknown !== null) this.rules.add("import.zone");
    else if (time.isFloating && this.#zones.floating.isAssumed) this.rules.add("import.floating");
    return time;
  }

  /**
   * Null without one, and for one that cannot be read. That is counted, as are hours after a date.
   *
   * @param isAfterDate True if it begins with a date.
   */
  duration(isAfterDate = false): Duration | null {
    const line = this.#component.lines.find(({ name }) => name === "DURATION");
    const duration = line === undefined ? null : readDuration(line.value);
    const isWhole = duration !== null && (!isAfterDate || duration.milliseconds % DAY_MS === 0);
    if (line !== undefined && isWhole) this.#read.add(line);
    return duration;
  }

  /** Distinct names of categories: one more than an item may have, at most. */
  tags(): string[] {
    const tags = new Set<string>();
    for (const { value } of this.#takeAll("CATEGORIES")) {
      for (const part of splitEscaped(value, ",")) {
        const tag = cleanLine(unescapeText(part));
        if (tag !== "") tags.add(tag);
        if (tags.size > MAX_TAGS) return [...tags];
      }
    }
    return [...tags];
  }

  /** The rules of a series, which stay counted: the item is its first event. */
  repeats(): string[] {
    return this.#component.lines.filter(({ name }) => name === "RRULE")
      .map(({ value }) => cleanLine(value));
  }

  /** Adds the files inside to `files`. */
  takeFiles(): void {
    for (const line of this.#component.lines) {
      const { file, value } = line;
      if (file === undefined) continue;
      this.#read.add(line);
      const stated = parameterOf(line, "FMTTYPE") || dataAddress(value)?.stated;
      const mediaType = (stated || file?.detectedType || "").toLowerCase();
      const filename = parameterOf(line, ...FILE_NAMES) ?? `file.${extensionOf(mediaType)}`;
      if (file === null) this.#addMissing(filename);
      else this.files.addStored(file, { filename, mediaType });
    }
  }

  #addMissing(filename: string): void {
    this.files.addMissing(filename);
    this.rules.add("attachment.missing");
  }

  #take(name: string): CalendarLine | null {
    const line = this.#component.lines.find((each) => each.name === name);
    if (line === undefined) return null;
    this.#read.add(line);
    return line;
  }

  #takeAll(name: string): CalendarLine[] {
    const lines = this.#component.lines.filter((each) => each.name === name);
    for (const line of lines) this.#read.add(line);
    return lines;
  }
}

function textOf(value: string): string {
  return cleanText(unescapeText(value)).trim();
}
