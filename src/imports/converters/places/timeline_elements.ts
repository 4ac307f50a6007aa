/**
 * Reads the lists of a timeline element by element. The points of tracks and the candidates for
 * places, which are most of a file, are skipped unparsed.
 */

import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { refuseFile } from "../../refusal.ts";
import {
  type Choice,
  type JsonKind,
  type JsonPart,
  type JsonPath,
  JsonTextError,
  type ParsedRule,
  walkJson,
} from "../json_walk.ts";
import type { TimelineFile } from "./timeline_files.ts";

/** A larger element is refused alone. */
const MAX_ELEMENT_BYTES = 16 * 1024 * 1024;

/** The list of a phone's segments; that of an iPhone is the whole file. */
const SEGMENTS = "semanticSegments";
/** The list of Takeout until 2024. */
const OBJECTS = "timelineObjects";
const PLACE_VISIT = "placeVisit";
const PROFILE = "userLocationProfile";

/** Lists whose elements are counted alone. */
const COUNTED: ReadonlyMap<string | number, string> = new Map([
  ["rawSignals", "raw_signal"],
  ["locations", "location"],
]);

/** The members of a segment, or of a visit of Takeout, that are parsed. */
const TAKEN: ReadonlySet<string | number> = new Set([
  "startTime",
  "endTime",
  "startTimeTimezoneUtcOffsetMinutes",
  "endTimeTimezoneUtcOffsetMinutes",
  "visit",
  "timelineMemory",
]);
const TAKEN_OF_VISIT: ReadonlySet<string | number> = new Set([
  "location",
  "duration",
  "childVisits",
]);

/** The names by which skipped members of elements are counted; others by their own. */
const SKIPPED: ReadonlyMap<string, string> = new Map([
  ["activity", "activity"],
  ["activitySegment", "activity"],
  ["timelinePath", "track"],
  ["rawPath", "track"],
]);

export type TimelinePart =
  | { readonly kind: "segment"; readonly members: JsonObject }
  /** The members of a visit of Takeout. */
  | { readonly kind: "placeVisit"; readonly members: JsonObject }
  | { readonly kind: "frequentPlace"; readonly members: JsonObject }
  | { readonly kind: "refused"; readonly rule: ParsedRule }
  | { readonly kind: "counted"; readonly name: string; readonly count?: number };

/** @throws FileRefusal `json.syntax` if the text does not parse, `text.utf8` if it is not UTF-8. */
export async function* timelineParts(
  chunks: AsyncIterable<Uint8Array>,
  { place, entry }: Pick<TimelineFile, "place" | "entry">,
): AsyncGenerator<TimelinePart> {
  const reader = new PartReader();
  try {
    for await (const part of walkJson(chunks, choose)) yield* reader.read(part);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    refuseFile(error.isEncoding ? "text.utf8" : "json.syntax", place, entry);
  }
}

/** The path that a value would have in a file of an Android phone. */
function commonPath(path: JsonPath): JsonPath {
  return typeof path[0] === "number" ? [SEGMENTS, ...path] : path;
}

function choose(written: JsonPath, kind: JsonKind): Choice {
  if (written.length === 0) return "enter";
  const [list = "", index, member, inner] = commonPath(written);
  if (list === PROFILE) return chooseOfProfile(written, kind);
  const isRead = list === SEGMENTS || list === OBJECTS;
  if (!isRead && !COUNTED.has(list)) return kind === "scalar" ? "take" : "skip";
  if (index === undefined) return kind === "array" ? "enter" : "skip";
  if (!isRead) return "skip";
  if (member === undefined) return kind === "object" ? "enter" : "skip";
  if (list === SEGMENTS) return TAKEN.has(member) ? "take" : "skip";
  if (inner !== undefined) return TAKEN_OF_VISIT.has(inner) ? "take" : "skip";
  return member === PLACE_VISIT && kind === "object" ? "enter" : "skip";
}

function chooseOfProfile([, member, index]: JsonPath, kind: JsonKind): Choice {
  if (member === undefined) return kind === "object" ? "enter" : "skip";
  if (member !== "frequentPlaces") return "skip";
  return index === undefined ? "enter" : "take";
}

/** Joins the values of an element. */
class PartReader {
  /** The members of a segment or of a visit of Takeout that were parsed. */
  #members: JsonObject = {};
  #hasVisit = false;
  #hasSkipped = false;
  #rule: ParsedRule | null = null;

  *read(part: JsonPart): Generator<TimelinePart> {
    const [list = "", index, ...inner] = commonPath(part.path);
    if (list === PROFILE) yield* partOfProfile(part);
    else if (index === undefined) yield* memberOfFile(part);
    else if (inner.length > 0) yield* this.#readMember(inner, part);
    else if (COUNTED.has(list)) return;
    else if (part.kind === "object") yield* this.#endElement(part);
    else yield { kind: "counted", name: "segment" };
  }

  /** @param path In the element. */
  *#readMember(
    [name = "", inner]: JsonPath,
    { value, rule, kind }: JsonPart,
  ): Generator<TimelinePart> {
    const member = String(inner ?? name);
    if (value !== undefined) this.#members[member] = value;
    else if (rule !== undefined) this.#rule = rule;
    else if (inner === "simplifiedRawPath") yield { kind: "counted", name: "track" };
    else if (name === PLACE_VISIT && kind === "object") this.#hasVisit ||= inner === undefined;
    else if (inner === undefined) {
      this.#hasSkipped = true;
      yield { kind: "counted", name: SKIPPED.get(member) ?? member };
    }
  }

  *#endElement({ start, end }: JsonPart): Generator<TimelinePart> {
    const members = this.#members;
    const [hasVisit, hasSkipped] = [this.#hasVisit, this.#hasSkipped];
    const rule = end - start > MAX_ELEMENT_BYTES ? "import.item_size" : this.#rule;
    [this.#members, this.#hasVisit, this.#hasSkipped, this.#rule] = [{}, false, false, null];
    const isSegment = isJsonObject(members.visit) || isJsonObject(members.timelineMemory);
    if (rule !== null) yield { kind: "refused", rule };
    else if (hasVisit) yield { kind: "placeVisit", members };
    else if (isSegment) yield { kind: "segment", members };
    else if (!hasSkipped) yield { kind: "counted", name: "segment" };
  }
}

function* partOfProfile({ path, value, length }: JsonPart): Generator<TimelinePart> {
  if (isJsonObject(value)) yield { kind: "frequentPlace", members: value };
  else if (path.length === 1 && length > 0) yield { kind: "counted", name: "profile" };
}

/** Counts the elements of a list that is not read, and any other member of the file. */
function* memberOfFile(
  { path: [name], kind, value, start, end, length }: JsonPart,
): Generator<TimelinePart> {
  if (name === undefined) return;
  const counted = kind === "array" ? COUNTED.get(name) : undefined;
  const isRead = kind === "array" && (name === SEGMENTS || name === OBJECTS);
  const isEmpty = kind === "scalar" ? !value : end - start <= "{}".length;
  if (counted !== undefined) yield { kind: "counted", name: counted, count: length };
  else if (!isRead && !isEmpty) yield { kind: "counted", name: String(name) };
}
