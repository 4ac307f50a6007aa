/** The lines below the text of a Day One entry, and the names of members that are not converted. */

import { isJsonObject, type JsonObject, type JsonValue, objectOf } from "../../core/json.ts";
import { FILE_LISTS } from "./day_one_files.ts";

type Reads = (value: JsonValue) => boolean;

const isText: Reads = (value) => typeof value === "string";
const isBoolean: Reads = (value) => typeof value === "boolean";
/** JSON has larger numbers than this service. */
const isNumber: Reads = (value) => Number.isFinite(value);
const areTexts: Reads = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
/** For members of which rules report bad values, or that the file itself states. */
const isAny: Reads = () => true;

/** Members of an entry that are converted, by the values that are. All others are unmapped. */
const READ: ReadonlyMap<string, Reads> = new Map([
  ["uuid", isAny],
  ["creationDate", isAny],
  ["modifiedDate", isAny],
  ["timeZone", isAny],
  ["isAllDay", isBoolean],
  ["text", isText],
  ["tags", areTexts],
  ["starred", isBoolean],
  ["creationDevice", isText],
]);

const READ_FILE: ReadonlyMap<string, Reads> = new Map([
  ["identifier", isText],
  ["md5", isText],
  ["pdfName", isText],
  ["filename", isText],
  ["title", isText],
  ["type", isAny],
  ["fileSize", isAny],
  ["width", isAny],
  ["height", isAny],
  ["orderInEntry", isAny],
]);

/** Converted members of members. */
const READ_WITHIN: ReadonlyMap<string, ReadonlyMap<string, Reads>> = new Map([
  [
    "location",
    new Map([
      ["userLabel", isText],
      ["placeName", isText],
      ["localityName", isText],
      ["administrativeArea", isText],
      ["country", isText],
      ["latitude", isNumber],
      ["longitude", isNumber],
    ]),
  ],
  ["weather", new Map([["conditionsDescription", isText], ["temperatureCelsius", isNumber]])],
  ...[...FILE_LISTS].map((list) => [list, READ_FILE] as const),
]);

/** @param isRichText True if the words of the entry are those of its rich text. */
export function unmappedOf(entry: JsonObject, isRichText: boolean): string[] {
  const names = Object.entries(entry).flatMap(([name, member]) => {
    const isRead = READ.get(name)?.(member) ?? (isRichText && name === "richText");
    if (isEmpty(member) || isRead) return [];
    const read = READ_WITHIN.get(name);
    return read === undefined ? [name] : unreadWithin(name, member, read);
  });
  return [...new Set(names)];
}

function unreadWithin(name: string, member: JsonValue, read: ReadonlyMap<string, Reads>): string[] {
  const values = FILE_LISTS.has(name) && Array.isArray(member) ? member : [member];
  return values.flatMap((value) => {
    if (!isJsonObject(value)) return isEmpty(value) ? [] : [name];
    return Object.entries(value)
      .filter(([inner, each]) => !isEmpty(each) && !read.get(inner)?.(each))
      .map(([inner]) => `${name}.${inner}`);
  });
}

function isEmpty(value: JsonValue | undefined): boolean {
  return !value || (typeof value === "object" && Object.keys(value).length === 0);
}

/** The block `Details`; empty if the entry states nothing for it. */
export function detailsOf(
  { location, weather, starred, creationDevice }: JsonObject,
  journal: string | null,
): string {
  const place = objectOf(location);
  const { userLabel, placeName, localityName, administrativeArea, country } = place;
  const { conditionsDescription, temperatureCelsius: celsius } = objectOf(weather);
  const lines = {
    Place: [userLabel, placeName, localityName, administrativeArea, country],
    Coordinates: coordinatesOf(place),
    Weather: [
      conditionsDescription,
      typeof celsius === "number" && Number.isFinite(celsius) ? `${Math.round(celsius)} °C` : null,
    ],
    Starred: [starred === true ? "yes" : null],
    Device: [creationDevice],
    Journal: [journal === "Journal" ? null : journal],
  };
  const written = Object.entries(lines).flatMap(([name, parts]) => {
    const texts = parts.filter((part) => typeof part === "string" && part.trim() !== "");
    return texts.length === 0 ? [] : [`${name}: ${texts.join(", ")}`];
  });
  return written.length === 0 ? "" : ["Details", ...written].join("\n");
}

function coordinatesOf({ latitude, longitude }: JsonObject): string[] {
  const areNumbers = Number.isFinite(latitude) && Number.isFinite(longitude);
  return areNumbers ? [`${latitude}, ${longitude}`] : [];
}
