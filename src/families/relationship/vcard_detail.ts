/** Details of a person as their card needs them. No SQL, no HTTP. */

import type { JsonObject } from "../../core/json.ts";
import type { CardLines } from "./card_lines.ts";
import { type DetailRow, valueOf } from "./detail.ts";
import type { CardLine, LineGroup } from "./vcard_groups.ts";
import {
  type ContentLine,
  isContentLineOf,
  type Parameter,
  parseLine,
  toContentLine,
  type VcardLine,
  type VcardVersion,
} from "./vcard_text.ts";

export interface CardDetailRow extends DetailRow {
  /** `CardLines` as JSON; null if no card brought the detail. */
  readonly lines: string | null;
}

export interface CardDetail
  extends Pick<DetailRow, "kind" | "label" | "preferred" | "person_revision"> {
  readonly value: JsonObject;
  /** The version of the card that brought the detail; null without its lines. */
  readonly version: VcardVersion | null;
  readonly lines: readonly ContentLine[];
}

/** Only the service writes them. */
export const SERVICE_PROPERTIES: ReadonlySet<string> = new Set(
  "BEGIN VERSION PRODID UID X-PRS-UID REV END NOTE".split(" "),
);

export function toCardDetail(row: CardDetailRow): CardDetail {
  const { kind, label, preferred, person_revision } = row;
  const stored: CardLines | null = row.lines === null ? null : JSON.parse(row.lines);
  const lines = stored?.lines.flatMap((line) => parseLine(line) ?? []) ?? [];
  const isWhole = stored !== null && lines.length === stored.lines.length &&
    !lines.some(({ name }) => SERVICE_PROPERTIES.has(name));
  return {
    kind,
    label,
    preferred,
    person_revision,
    value: valueOf(row),
    version: isWhole ? stored.version : null,
    lines: isWhole ? lines : [],
  };
}

/** A line as it came. */
export function keptLine(detail: CardDetail, line: ContentLine): CardLine {
  const isLabelled = detail.lines.some(({ name }) => name === "X-ABLABEL");
  return { content: line.content, group: groupOf(detail, line), isLabelled };
}

/** All lines of the detail as they came. */
export function keptLines(detail: CardDetail): CardLine[] {
  return detail.lines.map((line) => keptLine(detail, line));
}

/** The line of an `OTHER` detail; null if its value is not a line of its property. */
export function otherLineOf({ value, lines: [line] }: CardDetail): ContentLine | null {
  const [property, text] = [String(value.property), String(value.value)];
  return line ?? (isContentLineOf(property, text) ? parseLine(text) : null);
}

export function groupOf(
  { person_revision }: CardDetail,
  line: ContentLine | undefined,
): LineGroup | null {
  const { group = null } = line ?? {};
  return group === null ? null : { key: `${person_revision} ${group.toLowerCase()}`, name: group };
}

/** The line of a property that the detail came from; undefined without one. */
export function sourceOf({ lines }: CardDetail, property: string): ContentLine | undefined {
  return lines.find(({ name }) => name === property) ?? lines[0];
}

/**
 * Makes a line from the value of a detail, in the group of its card. Parameters that both versions
 * know follow: LANGUAGE and those that begin with `X-`. TYPE is in the value, and the caller adds
 * VALUE if the new line needs it.
 */
export function madeLine(
  detail: CardDetail,
  { name, parameters = [], value }: VcardLine,
  label = detail.label,
): CardLine {
  const source = sourceOf(detail, name);
  const followed = source?.parameters.filter(([own]) => /^(?:LANGUAGE$|X-)/i.test(own)) ?? [];
  return {
    content: toContentLine({ name, parameters: [...parameters, ...followed], value }),
    group: groupOf(detail, source),
    label,
    isMade: true,
  };
}

/** TYPE, and the preference of the version. */
export function typeParameters(
  { value, preferred }: Pick<CardDetail, "value" | "preferred">,
  version: VcardVersion,
): Parameter[] {
  const isPreferred = preferred && version === "3.0";
  const types = [...Array.isArray(value.types) ? value.types : [], ...isPreferred ? ["pref"] : []];
  return [
    ...(types.length === 0 ? [] : [["TYPE", types.join(",")] as const]),
    ...(preferred && version === "4.0" ? [["PREF", "1"] as const] : []),
  ];
}
