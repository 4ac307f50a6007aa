/** Converts lines of a card to details of the kinds that one line makes. */

import type { JsonObject } from "../../core/json.ts";
import type { DetailKind } from "../../families/relationship/import_port.ts";
import { isBlank } from "../../validate/text.ts";
import { DATES, readCardDay } from "./vcard_dates.ts";
import { readTypes } from "./vcard_labels.ts";
import { type ContentLine, isPicture } from "./vcard_lines.ts";
import { plainText, readAddress } from "./vcard_names.ts";

/** A request body without privacy. */
export interface SourceDetail {
  readonly kind: DetailKind;
  readonly value: JsonObject;
  readonly label?: string;
  readonly preferred?: boolean;
  /** As `CARD_LINES`. */
  readonly lines?: JsonObject;
}

/** A detail of one line. Its label, preference and kept lines follow later. */
interface LineDetail extends Pick<SourceDetail, "kind" | "value"> {
  /** Possible UIDs of the card that a `LINK` refers to. */
  readonly keys?: readonly string[];
  /** Name of content that the detail lacks. */
  readonly unread?: string;
}

type Reader = (line: ContentLine, label: string | null) => LineDetail | null;

const READERS: Readonly<Record<string, Reader>> = {
  TEL: (line) => reached("PHONE", line, textOf(line).replace(/^tel:/i, "")),
  EMAIL: (line) => reached("EMAIL", line, textOf(line).replace(/^mailto:/i, "")),
  URL: (line) => reached("URL", line, textOf(line)),
  IMPP: readHandle,
  ADR(line) {
    const { value, isWhole } = readAddress(line);
    return {
      kind: "ADDRESS",
      value: withTypes(line, value),
      ...!isWhole && { unread: "ADR.parts" },
    };
  },
  RELATED: readRelated,
  "X-ABRELATEDNAMES": (line, relation) =>
    relation === null ? null : { kind: "LINK", value: { name: textOf(line), relation } },
  "X-SOCIALPROFILE": readProfile,
  "X-SOCIAL-PROFILE": readProfile,
};

const NAMES: readonly string[] = ["N", "NICKNAME", "X-PHONETIC-NAME", "ORG", "TITLE"];

/** True for a line that becomes a detail of a kind other than `OTHER`, or a picture. */
export function hasKind(line: ContentLine): boolean {
  if (NAMES.includes(line.name) || isPicture(line.name)) return true;
  if (DATES.has(line.name)) return readCardDay(line).date !== null;
  return readDetail(line, "") !== null;
}

/**
 * @param label The label of the line; of `X-ABRELATEDNAMES` the relation.
 * @returns Null if no kind takes the line.
 */
export function readDetail(line: ContentLine, label: string | null): LineDetail | null {
  return Object.hasOwn(READERS, line.name) ? READERS[line.name]?.(line, label) ?? null : null;
}

function textOf(line: ContentLine): string {
  return plainText(line.value);
}

function withTypes(line: ContentLine, value: JsonObject): JsonObject {
  const { types } = readTypes(line);
  return types.length === 0 ? value : { ...value, types: [...types] };
}

function reached(kind: DetailKind, line: ContentLine, value: string): LineDetail {
  return { kind, value: withTypes(line, { value }) };
}

/** A service is a parameter, else the scheme of the address. */
function readHandle(line: ContentLine): LineDetail {
  const { parameters } = line;
  const [stated = ""] = parameters.get("X-SERVICE-TYPE") ?? parameters.get("SERVICE-TYPE") ?? [];
  const whole = textOf(line);
  const [, scheme = "", rest = ""] = /^([^:]*):(?!\/\/)([^]+)$/.exec(whole) ?? [];
  const service = isBlank(stated) ? scheme : stated;
  const isScheme = isBlank(stated)
    ? !isBlank(scheme)
    : scheme === stated || /^[a-z][a-z0-9+.-]*$/i.test(scheme);
  const value = isScheme && !isBlank(rest) ? rest : whole;
  const isNamed = !isBlank(stated) || value !== whole;
  return { kind: "HANDLE", value: withTypes(line, { value, ...isNamed && { service } }) };
}

/** A profile without an address names its user in a parameter. */
function readProfile(line: ContentLine): LineDetail | null {
  const [user = ""] = line.parameters.get("X-USER") ?? [];
  if (!isBlank(line.value) || isBlank(user)) return null;
  const service = line.parameters.get("TYPE")?.find((type) => !/^(?:pref)?$/i.test(type.trim()));
  return { kind: "HANDLE", value: { value: user, ...service !== undefined && { service } } };
}

/** A name becomes a detail; an address becomes a link to the card with that UID. */
function readRelated(line: ContentLine, label: string | null): LineDetail {
  const { types } = readTypes(line);
  const relation = types.length > 0 ? types.join(",") : label ?? "contact";
  const name = textOf(line).trim();
  const isText = line.parameters.get("VALUE")?.[0]?.toLowerCase() === "text";
  return { kind: "LINK", value: { name, relation }, ...!isText && { keys: keysOf(name) } };
}

/** Possible UIDs of a card with this address. */
export function keysOf(uri: string): string[] {
  const [, bare] = /^urn:uuid:(.+)$/i.exec(uri) ?? [];
  return bare === undefined ? [uri, `urn:uuid:${uri}`] : [uri, bare];
}

/**
 * Names of parameters that neither the item shows nor a kept line has.
 *
 * @param isDetail True for a date or a picture, which are written from their values.
 */
export function unreadParameters({ name, parameters }: ContentLine, isDetail: boolean): string[] {
  const isDate = DATES.has(name);
  const words = (parameters.get("TYPE") ?? []).filter((type) => !/^(?:pref)?$/i.test(type));
  const isRead: Readonly<Record<string, boolean>> = {
    ENCODING: true,
    CHARSET: true,
    VALUE: true,
    TYPE: isDetail && (isPicture(name) || words.length === 0),
    PREF: isDate && parameters.get("PREF")?.[0] === "1",
    MEDIATYPE: isPicture(name),
    ALTID: isDate,
    "X-APPLE-OMIT-YEAR": isDate,
    CALSCALE: isDate,
  };
  return [...parameters.keys()].filter((each) => isRead[each] !== true);
}
