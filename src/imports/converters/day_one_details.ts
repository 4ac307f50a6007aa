/** The lines below the text of a Day One entry, and the names of members that are not converted. */

import { isJsonObject, type JsonObject, type JsonValue, objectOf } from "../../core/json.ts";
import { FILE_LISTS } from "./day_one_files.ts";

/** Members of an entry that are converted. All others are counted as unmapped. */
const READ: ReadonlySet<string> = new Set([
  "uuid",
  "creationDate",
  "modifiedDate",
  "timeZone",
  "isAllDay",
  "text",
  "tags",
  "starred",
  "creationDevice",
]);

const READ_FILE: ReadonlySet<string> = new Set([
  "identifier",
  "md5",
  "pdfName",
  "filename",
  "title",
  // Known from the file itself.
  "type",
  "fileSize",
  "width",
  "height",
  "orderInEntry",
]);

/** Converted members of members. */
const READ_WITHIN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "location",
    new Set([
      "userLabel",
      "placeName",
      "localityName",
      "administrativeArea",
      "country",
      "latitude",
      "longitude",
    ]),
  ],
  ["weather", new Set(["conditionsDescription", "temperatureCelsius"])],
  ...[...FILE_LISTS].map((list) => [list, READ_FILE] as const),
]);

/** @param isRichText True if the words of the entry are those of its rich text. */
export function unmappedOf(entry: JsonObject, isRichText: boolean): string[] {
  const names = Object.entries(entry).flatMap(([name, member]) => {
    if (isEmpty(member) || READ.has(name) || (isRichText && name === "richText")) return [];
    const read = READ_WITHIN.get(name);
    return read === undefined ? [name] : unreadWithin(name, member, read);
  });
  return [...new Set(names)];
}

function unreadWithin(name: string, member: JsonValue, read: ReadonlySet<string>): string[] {
  const values = FILE_LISTS.has(name) && Array.isArray(member) ? member : [member];
  return values.flatMap((value) => {
    if (!isJsonObject(value)) return isEmpty(value) ? [] : [name];
    return Object.entries(value).filter(([inner, each]) => !read.has(inner) && !isEmpty(each))
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
      typeof celsius === "number" ? `${Math.round(celsius)} °C` : null,
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
  const areNumbers = typeof latitude === "number" && typeof longitude === "number";
  return areNumbers ? [`${latitude}, ${longitude}`] : [];
}
