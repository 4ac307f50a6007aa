/** Pictures and kept lines in a vCard. No SQL, no HTTP. */

import { Buffer } from "node:buffer";
import { escapeText } from "../../core/folded_line.ts";
import type { SmallFile } from "../../attachments/port.ts";
import {
  type CardDetail,
  groupOf,
  keptLine,
  otherLineOf,
  SERVICE_PROPERTIES,
} from "./vcard_detail.ts";
import type { CardLine } from "./vcard_groups.ts";
import { withOwnName } from "./vcard_names.ts";
import { type ContentLine, parameterOf, toContentLine, type VcardVersion } from "./vcard_text.ts";

/** An `OTHER` detail that no card brought cannot write them. */
const DETAIL_PROPERTIES: ReadonlySet<string> = new Set((
  "FN N NICKNAME TEL EMAIL ADR ORG TITLE URL IMPP BDAY ANNIVERSARY RELATED CATEGORIES"
).split(" "));

/** An `OTHER` detail can name an attachment in them. */
export const PICTURE_PROPERTIES: readonly string[] = ["PHOTO", "LOGO"];

/** Kinds of dates by property. */
const DATES: Readonly<Record<string, string>> = {
  BDAY: "BIRTHDAY",
  ANNIVERSARY: "ANNIVERSARY",
  DEATHDATE: "DEATH",
};

/** With this line the card would be read as a group instead of a person. */
const GROUP = /^(?:X-ADDRESSBOOKSERVER-)?KIND(?:;.*)?:\s*group\s*$/i;

/** A `date-and-or-time` of RFC 6350. */
const DATE_OR_TIME = (() => {
  const date = String.raw`\d{4}(?:\d{4}|-\d{2})?|--\d{2}(?:\d{2})?|---\d{2}`;
  const whole = String.raw`\d{8}|--\d{4}|---\d{2}`;
  const time = String
    .raw`(?:\d{2}(?:\d{2}(?:\d{2})?)?|-\d{2}(?:\d{2})?|--\d{2})(?:Z|[+-]\d{2}(?:\d{2})?)?`;
  return new RegExp(`^(?:${date}|(?:${whole})?T${time})$`);
})();

function propertyOf({ value }: CardDetail): string {
  return String(value.property).toUpperCase();
}

/** False for properties that only the service, or a detail of another kind, writes. */
export function canLeave(detail: CardDetail): boolean {
  const property = propertyOf(detail);
  return !SERVICE_PROPERTIES.has(property) &&
    (detail.version !== null || !DETAIL_PROPERTIES.has(property));
}

interface OtherContext {
  readonly version: VcardVersion;
  /** Pictures by attachment id. */
  readonly pictures: ReadonlyMap<string, SmallFile>;
  /** Kinds of the dates that are written. */
  readonly dates: ReadonlySet<unknown>;
}

/** Writes pictures, then other lines. */
export function otherLines(details: readonly CardDetail[], context: OtherContext): CardLine[] {
  const isPicture = (detail: CardDetail) => PICTURE_PROPERTIES.includes(propertyOf(detail));
  return [
    ...details.filter(isPicture).flatMap((detail) => pictureLines(detail, context)),
    ...details.filter((detail) => !isPicture(detail))
      .flatMap((detail) => wholeLines(detail, context))
      .map((line) => GROUP.test(line.content) ? withOwnName(line) : line),
  ];
}

/** Writes whole lines of the property as they are; otherwise the value as text. */
function wholeLines(detail: CardDetail, context: OtherContext): CardLine[] {
  const { value, label, lines } = detail;
  const line = otherLineOf(detail);
  if (line === null) {
    return [{ content: `${value.property}:${escapeText(String(value.value))}`, label }];
  }
  const named = (line: ContentLine, written: CardLine) =>
    hasOwnName(line, context) ? withOwnName(written) : written;
  if (lines.length > 0) return lines.map((each) => named(each, keptLine(detail, each)));
  const { group, content } = line;
  if (group === null) return [named(line, { content, label })];
  return [named(line, { content, group: { key: `fixed ${group}`, name: group, isFixed: true } })];
}

/** True for a line that the version cannot have under its name. */
function hasOwnName(line: ContentLine, { version, dates }: OtherContext): boolean {
  if (version === "3.0" && line.name === "FN") return true;
  const what = DATES[line.name];
  if (what === undefined) return false;
  const isText = parameterOf(line, "VALUE")?.toLowerCase() === "text";
  return version === "3.0" || dates.has(what) || !isText && !DATE_OR_TIME.test(line.value);
}

/** Writes an attachment inline, or the address of a picture; nothing without the file. */
function pictureLines(detail: CardDetail, context: OtherContext): CardLine[] {
  const { pictures, version } = context;
  const [, attachmentId] = /^attachment:(.*)$/.exec(String(detail.value.value)) ?? [];
  if (attachmentId === undefined) return wholeLines(detail, context);
  const file = pictures.get(attachmentId);
  if (file === undefined) return [];
  const content = toContentLine({ name: propertyOf(detail), ...inlinePicture(file, version) });
  const group = groupOf(detail, detail.lines[0]);
  return [{ content, label: detail.label, group, isMade: true }];
}

function inlinePicture({ mediaType, bytes }: SmallFile, version: VcardVersion) {
  const base64 = Buffer.from(bytes).toString("base64");
  if (version === "4.0") return { value: `data:${mediaType};base64,${base64}` };
  const [, type] = /^image\/([a-z]+)$/i.exec(mediaType) ?? [];
  const parameters = [
    ["ENCODING", "b"] as const,
    ...(type === undefined ? [] : [["TYPE", type.toUpperCase()] as const]),
  ];
  return { parameters, value: base64 };
}
