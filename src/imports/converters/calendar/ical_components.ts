/** Splits calendars (RFC 5545) into components. A component is small: its files are stored. */

import { createHash } from "node:crypto";
import { splitLinesByChunk } from "../../../core/lines.ts";
import type { ConverterInput } from "../converter.ts";
import { PARSED_LIMITS } from "../json_walk.ts";
import { trimLine } from "../line_bytes.ts";
import { type ReadBytes, textFormOf, utf8Chunks } from "../lines.ts";
import { isProperty } from "../vcard_heads.ts";
import {
  type CalendarLine,
  hasValue,
  lineOf,
  nameOf,
  OpenLine,
  type OpenSink,
  PropertyNames,
} from "./ical_lines.ts";

/** Bytes of a line that are read at once. */
const PIECE_BYTES = 64 * 1024;
/** Bytes in memory of a line, in addition to its characters. */
const LINE_COST = 256;
/** Open components inside of one; deeper ones are not read. */
const MAX_DEPTH = 100;

/** Properties whose values are read, also if another rule counts them. */
const READ: ReadonlySet<string> = new Set([
  ..."UID RECURRENCE-ID SUMMARY DESCRIPTION URL LOCATION DTSTART DTEND DUE DURATION".split(" "),
  ..."COMPLETED CREATED CATEGORIES STATUS SEQUENCE CLASS PRIORITY RRULE ATTACH IMAGE".split(" "),
  ..."TZID X-LIC-LOCATION TZOFFSETTO".split(" "),
]);

/** Changes with each export. */
const STAMP = "DTSTAMP";
const LINE_END = "\n";
/** Characters of the name of a component. */
const MAX_NAME = 200;

/** Components that are never part of another one. */
const OUTER: readonly string[] = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"];

type ComponentRule = "ical.end" | "import.item_size" | "text.utf8";

export interface CalendarComponent {
  /** As `VEVENT`. */
  readonly name: string;
  /** A time zone also has the lines of its parts. */
  readonly lines: readonly CalendarLine[];
  /** Names of further properties that have a value, and of the components inside. */
  readonly others: ReadonlySet<string>;
  /** SHA-256 of its lines but `DTSTAMP`, in hex. */
  readonly digest: string;
  /** Null for a component that can be read. */
  readonly refused: ComponentRule | null;
}

export type CalendarPart =
  /** The beginning of a calendar. */
  | { readonly kind: "calendar" }
  /** A property of the calendar. */
  | { readonly kind: "property"; readonly line: CalendarLine }
  | { readonly kind: "component"; readonly component: CalendarComponent }
  /** A line that belongs to nothing. */
  | { readonly kind: "stray" }
  /** The last calendar does not end. */
  | { readonly kind: "cut" };

interface ComponentInput extends Pick<ConverterInput, "budget"> {
  readonly openSink: OpenSink;
}

/** Reads the components of a file in their order. */
export async function* readComponents(
  read: ReadBytes,
  { budget, openSink }: ComponentInput,
): AsyncGenerator<CalendarPart> {
  const { isUtf16, lineEnd } = await textFormOf(read());
  const chunks = isUtf16 ? utf8Chunks(read()) : read();
  const parts = new OpenParts();
  const line = new OpenLine(openSink);
  for await (const pieces of splitLinesByChunk(chunks, PIECE_BYTES, lineEnd)) {
    for (const { bytes, isFirst, isLast } of pieces) {
      const piece = trimLine(bytes, isFirst, isLast);
      const isFolded = isFirst && isSpace(piece[0]);
      if (isFirst && !isFolded) {
        const file = line.end();
        yield* parts.add(line, file && await file);
        line.begin(parts.mayHaveFile);
      }
      const storing = line.add(
        isFolded ? piece.subarray(line.isBlank ? indentOf(piece) : 1) : piece,
      );
      if (storing !== null) await storing;
    }
    await budget.turn(0);
  }
  const file = line.end();
  yield* parts.add(line, file && await file);
  yield* parts.end();
}

/** The number of blanks at the beginning of a line that continues no other. */
function indentOf(piece: Uint8Array): number {
  const start = piece.findIndex((byte) => !isSpace(byte));
  return start === -1 ? piece.length : start;
}

function isSpace(byte?: number): boolean {
  return byte === 0x20 || byte === 0x09;
}

/** The calendar and the components that have not ended. */
class OpenParts {
  #isInCalendar = false;
  #component: OpenComponent | null = null;

  /** True if the next line may have a file that an item needs. */
  get mayHaveFile(): boolean {
    return this.#component?.isInside === false;
  }

  *add(line: OpenLine, file: CalendarLine["file"]): Generator<CalendarPart> {
    const { bytes } = line;
    if (line.isBlank) return;
    if (!isProperty(bytes)) return yield { kind: "stray" };
    const name = nameOf(bytes);
    const isBoundary = name === "BEGIN" || name === "END";
    if (!isBoundary && this.#component !== null) {
      if (line.isCut) this.#component.refuse("import.item_size");
      return this.#component.add(name, bytes, file);
    }
    const property = lineOf(name, bytes);
    if (property === null) return yield { kind: "stray" };
    if (isBoundary) yield* this.#bound(name, boundedName(property.value));
    else yield this.#isInCalendar ? { kind: "property", line: property } : { kind: "stray" };
  }

  *end(): Generator<CalendarPart> {
    const isCut = this.#component === null && this.#isInCalendar;
    yield* this.#endComponent("ical.end");
    if (isCut) yield { kind: "cut" };
  }

  *#bound(word: string, name: string): Generator<CalendarPart> {
    if (name === "VCALENDAR") {
      yield* this.#endComponent("ical.end");
      this.#isInCalendar = word === "BEGIN";
      if (this.#isInCalendar) yield { kind: "calendar" };
    } else if (word === "BEGIN") yield* this.#begin(name);
    else if (this.#component?.name === name) yield* this.#endComponent(null);
    else if (!this.#component?.endInside(name)) yield { kind: "stray" };
  }

  *#begin(name: string): Generator<CalendarPart> {
    if (this.#component !== null && OUTER.includes(name) && OUTER.includes(this.#component.name)) {
      yield* this.#endComponent("ical.end");
    }
    if (this.#component === null) this.#component = new OpenComponent(name);
    else this.#component.beginInside(name);
  }

  *#endComponent(rule: ComponentRule | null): Generator<CalendarPart> {
    const component = this.#component;
    if (component === null) return;
    if (rule !== null) component.refuse(rule);
    this.#component = null;
    yield { kind: "component", component: component.end() };
  }
}

function boundedName(value: string): string {
  return value.slice(0, MAX_NAME).trim().toUpperCase();
}

class OpenComponent {
  readonly name: string;
  readonly #lines: CalendarLine[] = [];
  readonly #others = new PropertyNames();
  readonly #inside: string[] = [];
  readonly #hash = createHash("sha256");
  #refused: ComponentRule | null = null;
  #size = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** True between the boundaries of a component inside. */
  get isInside(): boolean {
    return this.#inside.length > 0;
  }

  beginInside(name: string): void {
    this.#others.add(name);
    if (this.#inside.length < MAX_DEPTH) this.#inside.push(name);
  }

  /** False if no component of the name is open. */
  endInside(name: string): boolean {
    const at = this.#inside.lastIndexOf(name);
    if (at !== -1) this.#inside.length = at;
    return at !== -1;
  }

  add(name: string, bytes: Uint8Array, file: CalendarLine["file"]): void {
    if (this.isInside && this.name !== "VTIMEZONE" || this.#refused !== null) return;
    const isKept = READ.has(name);
    this.#size += bytes.length + (isKept ? LINE_COST : 0);
    if (this.#size > PARSED_LIMITS.bytes) return this.refuse("import.item_size");
    if (name !== STAMP) this.#hash.update(bytes).update(file?.sha256 ?? LINE_END);
    if (isKept) this.#keep(lineOf(name, bytes), file);
    else if (hasValue(bytes)) this.#others.add(name);
  }

  /** The first rule counts, except that a component without its END has that rule alone. */
  refuse(rule: ComponentRule): void {
    this.#refused = rule === "ical.end" ? rule : this.#refused ?? rule;
  }

  end(): CalendarComponent {
    return {
      name: this.name,
      lines: this.#lines,
      others: this.#others.names,
      digest: this.#hash.digest("hex"),
      refused: this.#refused,
    };
  }

  /** @param line Null if it is not UTF-8. */
  #keep(line: CalendarLine | null, file: CalendarLine["file"]): void {
    if (line === null) this.refuse("text.utf8");
    else this.#lines.push(file === undefined ? line : { ...line, file });
  }
}
