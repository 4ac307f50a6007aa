/**
 * The calendars of a file, and the newest versions of their components. Both are known only at its
 * end: a time zone may follow the events in it, and a newer version the older one.
 */

import { sha256Hex } from "../../../core/digest.ts";
import { unescapeText } from "../../../core/folded_line.ts";
import { DigestCounts } from "../../digest_counts.ts";
import { entryBytes, type ReadingBudget } from "../../reading_budget.ts";
import { reportWord } from "../../words.ts";
import { cleanLine } from "../apps/clean_text.ts";
import type { CalendarComponent, CalendarPart } from "./ical_components.ts";
import { type CalendarLine, PropertyNames } from "./ical_lines.ts";
import { CalendarZones, type FloatingZone, type ZoneFacts, zoneOf } from "./ical_zones.ts";

export interface Calendar {
  /** As reports show it: `X-WR-CALNAME`, else the file's name in the archive; null without one. */
  readonly group: string | null;
  /** True for an export of Emacs Org, whose UIDs differ in each export. */
  readonly isOrg: boolean;
  readonly zones: CalendarZones;
  /** Names of properties that are not read. */
  readonly unread: ReadonlySet<string>;
}

/** Components that become items. */
const ITEMS: readonly string[] = ["VEVENT", "VTODO", "VJOURNAL"];
/** Properties of a calendar that no item needs. */
const UNCOUNTED: readonly string[] = [
  "PRODID",
  "VERSION",
  "METHOD",
  "LAST-MODIFIED",
  "X-WR-CALNAME",
];
const ORG = "Emacs with Org mode";
/** Bytes in memory of a version, in addition to its key, and of a calendar without its zones. */
const VERSION_COST = 160;
const CALENDAR_COST = 2_048;

export function isItem({ name }: CalendarComponent): boolean {
  return ITEMS.includes(name);
}

/** The first value of a property, as written; empty without one. */
export function valueOf({ lines }: Pick<CalendarComponent, "lines">, name: string): string {
  return lines.find((line) => line.name === name)?.value.trim() ?? "";
}

interface Version {
  readonly number: number;
  readonly sequence: number;
  readonly digest: string;
}

export class CalendarIndex {
  readonly #budget: ReadingBudget;
  readonly #floating: FloatingZone;
  readonly #isLeft: (group: string | null) => boolean;
  readonly #calendars: OpenCalendar[] = [];
  readonly #newest = new Map<string, Version>();
  readonly #repeating: DigestCounts;
  #number = 0;

  /** @param isLeft True for a calendar whose components do not count. */
  constructor(
    budget: ReadingBudget,
    floating: FloatingZone,
    isLeft: (group: string | null) => boolean,
  ) {
    this.#budget = budget;
    this.#floating = floating;
    this.#isLeft = isLeft;
    this.#repeating = new DigestCounts(budget);
  }

  /**
   * Adds a part of the first reading. The properties of a calendar precede its components.
   *
   * @param fileName The name of the archive's entry without its ending; null for a bare file.
   */
  add(part: CalendarPart, fileName: string | null): void {
    if (part.kind === "calendar") this.#begin(fileName);
    const calendar = this.#calendars.at(-1);
    if (calendar === undefined) return;
    if (part.kind === "property") {
      this.#budget.hold(calendar.add(part.line), this.#calendars.length);
    }
    if (part.kind !== "component") return;
    const { component } = part;
    if (component.name === "VTIMEZONE") this.#addZone(calendar, component);
    else if (isItem(component)) this.#addItem(calendar, component);
  }

  /** The calendars in their order. */
  *calendars(): Generator<Calendar> {
    for (const calendar of this.#calendars) yield calendar.read(this.#floating);
  }

  /**
   * Null for a component to be imported, else the name under which it is counted.
   *
   * @param number The number of the component among those that become items, from 1.
   */
  countedAs(component: CalendarComponent, { isOrg }: Calendar, number: number): string | null {
    if (component.refused !== null) return null;
    if (isOrg && !isRepeating(component) && this.#repeating.has(occurrenceOf(component))) {
      return "ical.superseded";
    }
    const newest = this.#newest.get(identityOf(component, isOrg));
    if (newest === undefined || newest.number === number) return null;
    return newest.digest === component.digest ? "item.repeated" : "ical.superseded";
  }

  #begin(fileName: string | null): void {
    this.#budget.hold(CALENDAR_COST, this.#calendars.length + 1);
    this.#calendars.push(new OpenCalendar(fileName));
  }

  #addZone(calendar: OpenCalendar, component: CalendarComponent): void {
    const id = cleanLine(unescapeText(valueOf(component, "TZID")));
    const offsets = component.lines.filter(({ name }) => name === "TZOFFSETTO")
      .map(({ value }) => value.trim());
    const location = valueOf(component, "X-LIC-LOCATION") || null;
    const texts = [id, location ?? "", ...new Set(offsets)];
    this.#budget.hold(entryBytes(texts.join()), this.#calendars.length);
    calendar.zones.set(id, { location, offsets: [...new Set(offsets)] });
  }

  #addItem({ isOrg, group }: OpenCalendar, component: CalendarComponent): void {
    const number = ++this.#number;
    if (component.refused !== null || this.#isLeft(group)) return;
    if (isOrg && isRepeating(component)) this.#repeating.add(occurrenceOf(component), number);
    const identity = identityOf(component, isOrg);
    const sequence = Number(valueOf(component, "SEQUENCE")) || 0;
    const known = this.#newest.get(identity);
    if (known === undefined) this.#budget.hold(entryBytes(identity) + VERSION_COST, number);
    else if (known.sequence > sequence) return;
    this.#newest.set(identity, { number, sequence, digest: component.digest });
  }
}

class OpenCalendar {
  readonly zones = new Map<string, ZoneFacts>();
  isOrg = false;
  #group: string | null;
  #zone = "";
  readonly #unread = new PropertyNames();

  constructor(fileName: string | null) {
    this.#group = fileName === null ? null : reportWord(fileName);
  }

  get group(): string | null {
    return this.#group;
  }

  /** Reads a property. Returns the bytes that it adds in memory. */
  add({ name, value }: CalendarLine): number {
    const text = cleanLine(unescapeText(value));
    const isGregorian = name === "CALSCALE" && text.toUpperCase() === "GREGORIAN";
    if (name === "PRODID") this.isOrg = text.includes(ORG);
    if (name === "X-WR-CALNAME" && text !== "") this.#group = reportWord(text);
    if (name === "X-WR-TIMEZONE") {
      this.#zone = text;
      return entryBytes(text);
    }
    const isUncounted = text === "" || UNCOUNTED.includes(name) || isGregorian;
    return !isUncounted && this.#unread.add(name) ? entryBytes(name) : 0;
  }

  read(floating: FloatingZone): Calendar {
    const zone = this.#zone === "" ? null : zoneOf(this.#zone, this.zones.get(this.#zone));
    if (this.#zone !== "" && zone === null) this.#unread.add("X-WR-TIMEZONE");
    const own = zone === null ? floating : { zone, isAssumed: false };
    return {
      group: this.#group,
      isOrg: this.isOrg,
      zones: new CalendarZones(this.zones, own),
      unread: this.#unread.names,
    };
  }
}

function isRepeating(component: CalendarComponent): boolean {
  return valueOf(component, "RRULE") !== "";
}

/** Equal for a plain and a repeating component of Org with the same day and summary. */
function occurrenceOf(component: CalendarComponent): string {
  const day = valueOf(component, "DTSTART").slice(0, 8);
  return sha256Hex([component.name, day, valueOf(component, "SUMMARY")].join("\n"));
}

/** Half a digest of kind and key. */
function identityOf(component: CalendarComponent, isOrg: boolean): string {
  return sha256Hex(`${component.name}\n${keyOf(component, isOrg)}`).slice(0, 32);
}

/**
 * The key of an item: the UID, of a changed occurrence with the one that it replaces. Org writes
 * the time of the export as the DTSTART of its tasks.
 */
export function keyOf(component: CalendarComponent, isOrg: boolean): string {
  if (isOrg) {
    const task = ["VTODO", valueOf(component, "DUE")];
    const parts = component.name === "VTODO" ? task : [valueOf(component, "DTSTART")];
    const named = [...parts, valueOf(component, "RRULE"), valueOf(component, "SUMMARY")];
    return `org:${sha256Hex(named.join("\n"))}`;
  }
  const uid = cleanLine(unescapeText(valueOf(component, "UID")));
  if (uid === "") return `note:${component.digest}`;
  const replaced = cleanLine(valueOf(component, "RECURRENCE-ID"));
  return replaced === "" ? uid : `${uid};${replaced}`;
}
