/** The visits of an element of a timeline. */

import { isJsonObject, type JsonObject, type JsonValue, objectOf } from "../../../core/json.ts";
import { cleanLine } from "../apps/clean_text.ts";
import { type Moment, type Point, pointText, readMoment, readPoint } from "./timeline_values.ts";

export type PlaceType = "HOME" | "WORK" | "OTHER";

export interface Visit {
  /** The key of its place. */
  readonly key: string;
  readonly start: Moment;
  /** Null if there is none, or one that cannot be read or is before the start. */
  readonly end: Moment | null;
  /** True if an end is stated and left out. */
  readonly hasBadEnd: boolean;
  readonly name: string | null;
  /** Its lines. */
  readonly address: string | null;
  readonly point: Point | null;
  readonly type: PlaceType;
}

/** The count of a visit without a place, or without a time. */
export type VisitFault = "visit.no_place" | "visit.no_time";

/** A visit of a phone's export. @param segment The members of its segment. */
export function segmentVisit(segment: JsonObject): Visit | VisitFault {
  const { startTime, endTime } = segment;
  const { startTimeTimezoneUtcOffsetMinutes: startOffset } = segment;
  const { endTimeTimezoneUtcOffsetMinutes: endOffset } = segment;
  const candidate = objectOf(objectOf(segment.visit).topCandidate);
  return visitOf(
    { ...objectOf(candidate.placeLocation), ...candidate },
    readPoint(candidate.placeLocation),
    readMoment(startTime, startOffset),
    { stated: endTime, moment: readMoment(endTime, endOffset) },
  );
}

/** A visit of Takeout and the visits in it. */
export function* placeVisits(visit: JsonObject): Generator<Visit | VisitFault> {
  const location = objectOf(visit.location);
  const { startTimestamp, startTimestampMs, endTimestamp, endTimestampMs } = objectOf(
    visit.duration,
  );
  yield visitOf(
    location,
    readPoint(location),
    readMoment(startTimestamp) ?? readMoment(startTimestampMs),
    {
      stated: endTimestamp ?? endTimestampMs,
      moment: readMoment(endTimestamp) ?? readMoment(endTimestampMs),
    },
  );
  const { childVisits } = visit;
  for (const child of Array.isArray(childVisits) ? childVisits : []) {
    if (isJsonObject(child)) yield* placeVisits(child);
  }
}

interface StatedEnd {
  readonly stated: JsonValue | undefined;
  readonly moment: Moment | null;
}

function visitOf(
  place: JsonObject,
  point: Point | null,
  start: Moment | null,
  { stated = null, moment }: StatedEnd,
): Visit | VisitFault {
  const key = placeKey(place, point);
  if (key === null) return "visit.no_place";
  if (start === null) return "visit.no_time";
  const end = moment !== null && moment.time >= start.time ? moment : null;
  return {
    key,
    start,
    end,
    hasBadEnd: stated !== null && end === null,
    name: line(place.name),
    address: lines(place.address),
    point,
    type: placeType(place.semanticType),
  };
}

/** The key of a frequent place of the profile, and its type. */
export function frequentPlace(place: JsonObject): { key: string | null; type: PlaceType } {
  return { key: placeKey(place, readPoint(place.placeLocation)), type: placeType(place.label) };
}

function placeKey({ placeId, placeID }: JsonObject, point: Point | null): string | null {
  const id = line(placeId) ?? line(placeID);
  return id ?? (point === null ? null : `geo:${pointText(point, ",")}`);
}

/** `TYPE_HOME`, `INFERRED_HOME` and `Home` have the word. */
const HOME = /(?<![a-z])home(?![a-z])/i;
const WORK = /(?<![a-z])work(?![a-z])/i;

function placeType(words: JsonValue | undefined): PlaceType {
  if (typeof words !== "string") return "OTHER";
  if (HOME.test(words)) return "HOME";
  return WORK.test(words) ? "WORK" : "OTHER";
}

/** A text on one line; null for a blank one. */
function line(value: JsonValue | undefined): string | null {
  if (typeof value !== "string") return null;
  const text = cleanLine(value);
  return text === "" ? null : text;
}

/** The lines of a text that are not blank; null without any. */
function lines(value: JsonValue | undefined): string | null {
  if (typeof value !== "string") return null;
  const written = value.split(/[\r\n]+/).flatMap((each) => line(each) ?? []);
  return written.length === 0 ? null : written.join("\n");
}
