/**
 * `google-timeline`: the places of Google Maps Timeline, from a phone's export or from Takeout.
 * Tracks are counted and not stored.
 */

import { sha256Hex } from "../../../core/digest.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectOf } from "../../../core/json.ts";
import { canonicalJson } from "../../../validate/canonical.ts";
import { formatTimestamp } from "../../../validate/timestamp.ts";
import { type InferObject, integer, oneOf, optional, readBody } from "../../../validate/schema.ts";
import { DigestCounts } from "../../digest_counts.ts";
import { refuseFile } from "../../refusal.ts";
import { entryBytes } from "../../reading_budget.ts";
import type { Converted, Converter, ConverterInput, SourceItem } from "../converter.ts";
import { beginsAs } from "../seen_file.ts";
import { PlaceTable, type VisitedPlace } from "./place_table.ts";
import { isTimeline, timelineFiles } from "./timeline_files.ts";
import { type TimelinePart, timelineParts } from "./timeline_elements.ts";
import { momentText, pointText, readMoment } from "./timeline_values.ts";
import {
  frequentPlace,
  type PlaceType,
  placeVisits,
  segmentVisit,
  type Visit,
  type VisitFault,
} from "./timeline_visits.ts";

const MAPPING = {
  visits: optional(oneOf("leave", "timeline")),
  minVisits: optional(integer(1, 1_000)),
};

export const GOOGLE_TIMELINE: Converter = {
  format: "google-timeline",
  title: { en: "Google Maps Timeline", de: "Google-Maps-Zeitachse" },
  isNamed: false,
  hasSign: ({ shapes }) => shapes.some(isTimeline),
  kinds: ["zip", "tar", "gzip", "text"],
  async sourceOf(input) {
    const isJson = await beginsAs(input, /^\s*[[{]/);
    return isJson ? "google-timeline" : refuseFile("import.format", 1);
  },
  mapping: {
    kind: "FORM",
    schema: MAPPING,
    example: { visits: "timeline", minVisits: 2 },
    check: (mapping) => void readBody(MAPPING, mapping),
  },
  async *convert(input) {
    const mapping = readBody(MAPPING, input.mapping ?? {});
    const reader = new TimelineReader(input, mapping);
    yield* reader.readPlaces();
    yield* reader.places();
    if (mapping.visits === "timeline") yield* reader.visits();
  },
};

class TimelineReader {
  readonly #input: ConverterInput;
  readonly #mapping: InferObject<typeof MAPPING>;
  readonly #table: PlaceTable;
  /** Types of places by the labels of the profile, by key. */
  readonly #labels = new Map<string, PlaceType>();

  constructor(input: ConverterInput, mapping: InferObject<typeof MAPPING>) {
    this.#input = input;
    this.#mapping = mapping;
    this.#table = new PlaceTable(input.budget);
  }

  /** The first walk: collects the places, and converts everything else. */
  async *readPlaces(): AsyncGenerator<Converted> {
    const seen = new DigestCounts(this.#input.budget);
    let visits = 0;
    for await (const { part, place, entry } of this.#parts()) {
      if (part.kind === "counted") yield { ...part, kind: "unmapped" };
      else if (part.kind === "refused") {
        const item = { entry, members: { target: "place" }, refused: [part.rule] };
        yield { kind: "item", item };
      } else if (part.kind === "frequentPlace") this.#addLabel(part.members, place);
      else {
        for (const visit of visitsOf(part)) {
          if (typeof visit === "string") yield { kind: "unmapped", name: visit };
          else if (isNew(visit, seen, place)) {
            this.#table.add(visit, place);
            visits++;
          }
        }
        const trip = part.kind === "segment" ? tripOf(part.members) : null;
        if (trip !== null) yield { kind: "item", item: { ...trip, entry } };
      }
    }
    seen.release();
    if (this.#mapping.visits === "timeline") return;
    yield { kind: "unmapped", name: "visit", count: visits - this.#table.size };
  }

  *places(): Generator<Converted> {
    const { minVisits = 1 } = this.#mapping;
    for (const place of this.#table) {
      const type = this.#typeOf(place);
      yield place.visits < minVisits
        ? { kind: "unmapped", name: "place.few_visits" }
        : { kind: "item", item: placeItem(place, type) };
    }
  }

  /** The second walk: the visits as events with the titles of their places. */
  async *visits(): AsyncGenerator<Converted> {
    const seen = new DigestCounts(this.#input.budget);
    for await (const { part, place, entry } of this.#parts()) {
      for (const visit of visitsOf(part)) {
        if (typeof visit === "string" || !isNew(visit, seen, place)) continue;
        const visited = this.#table.get(visit.key, place);
        const title = titleOf(visited, this.#typeOf(visited));
        yield { kind: "item", item: { ...eventOf(visit, title, visited), entry } };
      }
    }
  }

  async *#parts() {
    for await (const file of timelineFiles(this.#input)) {
      const { place, entry } = file;
      for await (const part of timelineParts(file.bytes(), file)) yield { part, place, entry };
    }
  }

  #addLabel(members: JsonObject, place: number): void {
    const { key, type } = frequentPlace(members);
    if (key === null || type === "OTHER" || this.#labels.has(key)) return;
    this.#input.budget.hold(entryBytes(key), place);
    this.#labels.set(key, type);
  }

  #typeOf({ key, type }: VisitedPlace): PlaceType {
    return type === "OTHER" ? this.#labels.get(key) ?? "OTHER" : type;
  }
}

function* visitsOf(part: TimelinePart): Generator<Visit | VisitFault> {
  if (part.kind === "placeVisit") yield* placeVisits(part.members);
  else if (part.kind === "segment" && isJsonObject(part.members.visit)) {
    yield segmentVisit(part.members);
  }
}

/** False for a visit of a known place and start. */
function isNew({ key, start }: Visit, seen: DigestCounts, place: number): boolean {
  return seen.add(sha256Hex(`${start.time} ${key}`), place) === 1;
}

function titleOf({ key, name, address, point }: VisitedPlace, type: PlaceType): string {
  const [line] = address?.split("\n", 1) ?? [];
  const word = { HOME: "Home", WORK: "Work", OTHER: null }[type];
  return name ?? line ?? word ?? (point === null ? key : pointText(point));
}

function placeItem(place: VisitedPlace, type: PlaceType): SourceItem {
  const { key, address, point, first, last, visits, hasBadEnd } = place;
  const title = titleOf(place, type);
  return {
    members: {
      key,
      target: "place",
      title,
      payload: {
        placeName: title,
        placeType: type,
        ...address !== null && { address: oneLine(address) },
        ...point,
        firstVisitedAt: momentText(first),
        ...last !== null && { lastVisitedAt: momentText(last) },
        notes: `Visits: ${visits}`,
      },
    },
    rules: hasBadEnd ? ["import.date"] : [],
    optionalTimes: ["firstVisitedAt", "lastVisitedAt"],
    futureRule: "import.date",
    isTitleInText: true,
  };
}

function eventOf(
  { key, start, end, hasBadEnd }: Visit,
  title: string,
  { address, point }: VisitedPlace,
): SourceItem {
  const location = address !== null ? oneLine(address) : point === null ? null : pointText(point);
  return {
    members: {
      key: `visit:${formatTimestamp(start.time)}:${key}`,
      target: "timeline",
      title,
      payload: {
        eventType: "OTHER",
        eventTitle: title,
        eventDescription: title,
        startAt: momentText(start),
        ...end !== null && { endAt: momentText(end) },
        timePrecision: "EXACT",
        ...location !== null && { location },
      },
    },
    rules: hasBadEnd ? ["import.date"] : [],
    isTitleInText: true,
  };
}

function oneLine(address: string): string {
  return address.replaceAll("\n", ", ");
}

const TRIP = "Trip";

/** The journey of a segment; null without one. */
function tripOf(segment: JsonObject): SourceItem | null {
  const { timelineMemory, startTime, endTime } = segment;
  if (!isJsonObject(timelineMemory)) return null;
  const trip = { ...timelineMemory, ...objectOf(timelineMemory.trip) };
  const { distanceFromOriginKms, destinations } = trip;
  const start = readMoment(startTime, segment.startTimeTimezoneUtcOffsetMinutes);
  const stated = readMoment(endTime, segment.endTimeTimezoneUtcOffsetMinutes);
  const end = start !== null && stated !== null && stated.time >= start.time ? stated : null;
  const lines = [
    ...distanceLine(distanceFromOriginKms),
    ...Array.isArray(destinations) ? [`Destinations: ${destinations.length}`] : [],
  ];
  return {
    members: {
      key: start === null
        ? `trip:${sha256Hex(canonicalJson(segment))}`
        : `trip:${formatTimestamp(start.time)}`,
      target: "timeline",
      title: TRIP,
      payload: {
        eventType: "TRAVEL",
        eventTitle: TRIP,
        eventDescription: lines.length === 0 ? TRIP : lines.join("\n"),
        ...start !== null && { startAt: momentText(start) },
        ...end !== null && { endAt: momentText(end) },
        timePrecision: start === null ? "UNKNOWN" : "DAY",
      },
    },
    rules: start === null || (endTime ?? null) !== null && end === null ? ["import.date"] : [],
  };
}

/** A phone writes digits, another one a number. */
function distanceLine(kilometres: JsonValue | undefined): readonly string[] {
  const isStated = typeof kilometres === "number"
    ? Number.isFinite(kilometres)
    : typeof kilometres === "string" && /^\d{1,9}(?:\.\d{1,9})?$/.test(kilometres);
  return isStated ? [`Distance: ${kilometres} km`] : [];
}
