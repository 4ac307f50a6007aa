/** The facts of an entry of Journey, and the names of members that are not converted. */

import { type JsonObject, type JsonValue, objectOf } from "../../../core/json.ts";
import { coordinates, type Detail } from "./item_details.ts";

/** Journey writes the largest number of its language for none. */
const NONE = 1e300;
const MOODS = 5;

type Reads = (value: JsonValue) => boolean;

const isText: Reads = (value) => typeof value === "string";
const isBoolean: Reads = (value) => typeof value === "boolean";
const isNumber: Reads = (value) => typeof value === "number";
const areTexts: Reads = (value) => Array.isArray(value) && value.every(isText);
/** For members that repeat others, or of which rules report bad values. */
const isAny: Reads = () => true;

/** Members that are converted, by the values that are. Others are unmapped. */
const READ: ReadonlyMap<string, Reads> = new Map([
  ["id", isAny],
  ["date_journal", isAny],
  ["date_modified", isAny],
  ["timezone", isText],
  ["text", isText],
  ["preview_text", isAny],
  ["type", isText],
  ["tags", areTexts],
  ["photos", areTexts],
  ["address", isText],
  ["lat", isNumber],
  ["lon", isNumber],
  ["favourite", isBoolean],
  ["mood", (value) => moodOf({ mood: value }) !== null],
  ["music_title", isText],
  ["music_artist", isText],
]);
const READ_OF_WEATHER: ReadonlyMap<string, Reads> = new Map([
  ["id", (value) => value === -1],
  ["description", isText],
  ["degree_c", isNumber],
]);

/** Members with a value that are not converted; those of the weather as `weather.NAME`. */
export function unmappedOf({ weather = null, ...entry }: JsonObject): readonly string[] {
  const isObject = typeof weather === "object" && !Array.isArray(weather);
  return [
    ...unreadOf(isObject ? entry : { ...entry, weather }, READ),
    ...unreadOf(objectOf(weather), READ_OF_WEATHER).map((name) => `weather.${name}`),
  ];
}

function unreadOf(members: JsonObject, read: ReadonlyMap<string, Reads>): readonly string[] {
  return Object.entries(members)
    .filter(([name, value]) => !isEmpty(value) && !read.get(name)?.(value))
    .map(([name]) => name);
}

function isEmpty(value: JsonValue): boolean {
  return !value || typeof value === "object" && Object.keys(value).length === 0;
}

/** The mood from 1 to 5; null without one. */
export function moodOf({ mood }: JsonObject): number | null {
  const isMood = typeof mood === "number" && Number.isInteger(mood) && mood >= 1 && mood <= MOODS;
  return isMood ? mood : null;
}

export function detailsOf(entry: JsonObject): readonly Detail[] {
  const { address, lat, lon, weather, favourite, music_title: title, music_artist: artist } = entry;
  const { description, degree_c: degrees } = objectOf(weather);
  const mood = moodOf(entry);
  const celsius = numberOf(degrees);
  return [
    ["Place", wordsOf(address) || coordinates(numberOf(lat) ?? NaN, numberOf(lon) ?? NaN)],
    [
      "Weather",
      joined([wordsOf(description), celsius === null ? "" : `${oneDecimal(celsius)} °C`]),
    ],
    ["Starred", favourite === true ? "yes" : ""],
    ["Mood", mood === null ? "" : `${mood} of ${MOODS}`],
    ["Music", joined([wordsOf(title), wordsOf(artist)])],
  ];
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === "number" && value < NONE ? value : null;
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}

function wordsOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}
