/** Writes a person as a vCard. Equal data gives equal bytes. No SQL, no HTTP. */

import { Buffer } from "node:buffer";
import { escapeText, foldLine } from "../../core/folded_line.ts";
import type { SmallFile } from "../../attachments/port.ts";
import { type DetailRow, valueOf } from "./detail.ts";
import { dateLines } from "./vcard_dates.ts";
import {
  type CardDetail,
  groupOf,
  isContentLineOf,
  preference,
  toContentLine,
  type VcardLine,
  type VcardVersion,
} from "./vcard_text.ts";

export const CARD_PRODUCT = "-//Personal Records Service//vCard//EN";

export interface CardSource {
  readonly personId: string;
  readonly personName: string;
  readonly updatedAt: Date;
  /** Oldest first. */
  readonly details: readonly DetailRow[];
  /** By name. */
  readonly tags: readonly string[];
  /** Names of linked people by id. */
  readonly names: ReadonlyMap<string, string>;
  /** Pictures by attachment id. */
  readonly pictures: ReadonlyMap<string, SmallFile>;
}

/** Written by the service, so an `OTHER` detail cannot write them. */
const OWN_PROPERTIES: ReadonlySet<string> = new Set((
  "BEGIN VERSION PRODID UID FN N NICKNAME TEL EMAIL ADR ORG TITLE URL IMPP BDAY ANNIVERSARY " +
  "RELATED CATEGORIES REV END NOTE"
).split(" "));

/** An `OTHER` detail can name an attachment in them. */
export const PICTURE_PROPERTIES: readonly string[] = ["PHOTO", "LOGO"];

/** Defined by RFC 6350. */
const RELATIONS: ReadonlySet<string> = new Set((
  "contact acquaintance friend met co-worker colleague co-resident neighbor child parent " +
  "sibling spouse kin muse crush date sweetheart me agent emergency"
).split(" "));

/** Folds each line and ends it with CRLF. */
export function writeCard(source: CardSource, version: VcardVersion): string {
  const of = (kind: DetailRow["kind"]): CardDetail[] =>
    source.details.filter((detail) => detail.kind === kind).map((detail) => ({
      ...detail,
      value: valueOf(detail),
    }));
  const own = (name: string, value: string): VcardLine => ({ name, value, label: null });
  const lines: VcardLine[] = [
    own("BEGIN", "VCARD"),
    own("VERSION", version),
    own("PRODID", CARD_PRODUCT),
    own("UID", `urn:prs:${source.personId}`),
    own("FN", escapeText(source.personName)),
    ...nameLines(of("NAME"), source.personName, version),
    ...of("PHONE").map((detail) => reached("TEL", detail, version)),
    ...of("EMAIL").map((detail) => reached("EMAIL", detail, version)),
    ...of("ADDRESS").map((detail) => addressLine(detail, version)),
    ...of("ORGANIZATION").flatMap((detail) => organizationLine(detail, version)),
    ...of("ORGANIZATION").flatMap((detail) => titleLine(detail, version)),
    ...of("URL").map((detail) => reached("URL", detail, version)),
    ...of("HANDLE").map((detail) => handleLine(detail, version)),
    ...dateLines(of("DATE"), version),
    ...of("LINK").map((detail) => linkLine(detail, source.names, version)),
    ...(source.tags.length === 0 ? [] : [own("CATEGORIES", source.tags.map(escapeText).join(","))]),
  ];
  const others = otherLines(of("OTHER"), source.pictures, version);
  const taken = new Set(others.map((line) => typeof line === "string" ? groupOf(line) : null));
  const last = [own("REV", revisionTime(source.updatedAt, version)), own("END", "VCARD")];
  return writeLines([...lines, ...others, ...last], taken);
}

/** Numbers groups of labelled lines, skipping the numbers that whole lines use. */
function writeLines(
  lines: readonly (VcardLine | string)[],
  taken: ReadonlySet<string | null>,
): string {
  let number = 0;
  return lines.flatMap((line) => {
    if (typeof line === "string") return [line];
    const content = toContentLine(line);
    if (line.label === null) return [content];
    do number++; while (taken.has(`item${number}`));
    const group = `item${number}.`;
    return [group + content, `${group}X-ABLabel:${escapeText(line.label)}`];
  }).map(foldLine).join("");
}

const NAME_PARTS = ["family", "given", "additional", "prefix", "suffix"] as const;

/** Writes the preferred structured name, else the newest, and the nicknames of all. */
function nameLines(
  details: readonly CardDetail[],
  personName: string,
  version: VcardVersion,
): VcardLine[] {
  const structured = details.filter(({ value }) => NAME_PARTS.some((part) => part in value));
  const chosen = structured.findLast(({ preferred }) => preferred) ?? structured.at(-1);
  const alone = version === "3.0" ? `${escapeText(personName)};;;;` : null;
  const n = chosen === undefined ? alone : components(chosen.value, NAME_PARTS);
  return [
    ...(n === null ? [] : [{ name: "N", value: n, label: chosen?.label ?? null }]),
    ...details.filter(({ value }) => "phonetic" in value).map(({ value }) => ({
      name: "X-PHONETIC-NAME",
      value: escapeText(String(value.phonetic)),
      label: null,
    })),
    ...details.filter(({ value }) => "nickname" in value).map(({ value }) => ({
      name: "NICKNAME",
      value: escapeText(String(value.nickname)),
      label: null,
    })),
  ];
}

function reached(
  name: string,
  detail: CardDetail,
  version: VcardVersion,
): VcardLine {
  const value = escapeText(String(detail.value.value));
  return { name, parameters: parametersOf(detail, version), value, label: detail.label };
}

function handleLine(detail: CardDetail, version: VcardVersion): VcardLine {
  const { value, service } = detail.value;
  const address = service === undefined ? String(value) : `${service}:${value}`;
  return {
    name: "IMPP",
    parameters: parametersOf(detail, version),
    value: escapeText(address),
    label: detail.label,
  };
}

function addressLine(detail: CardDetail, version: VcardVersion): VcardLine {
  const value = components(detail.value, [
    "box",
    "extra",
    "street",
    "locality",
    "region",
    "postalCode",
    "country",
  ]);
  return { name: "ADR", parameters: parametersOf(detail, version), value, label: detail.label };
}

function organizationLine(detail: CardDetail, version: VcardVersion): VcardLine[] {
  const { name, department } = detail.value;
  if (name === undefined && department === undefined) return [];
  const parts = department === undefined ? ["name"] : ["name", "department"];
  return [{
    name: "ORG",
    parameters: parametersOf(detail, version),
    value: components(detail.value, parts),
    label: detail.label,
  }];
}

function titleLine(detail: CardDetail, version: VcardVersion): VcardLine[] {
  const { title } = detail.value;
  if (title === undefined) return [];
  const value = escapeText(String(title));
  return [{
    name: "TITLE",
    parameters: parametersOf(detail, version),
    value,
    label: detail.label,
  }];
}

function linkLine(
  detail: CardDetail,
  names: ReadonlyMap<string, string>,
  version: VcardVersion,
): VcardLine {
  const { personId, name, relation } = detail.value;
  const words = String(relation).toLowerCase();
  if (version === "3.0") {
    const shown = name ?? names.get(String(personId)) ?? "";
    const value = escapeText(String(shown));
    const parameters = parametersOf(detail, version);
    return { name: "X-ABRELATEDNAMES", parameters, value, label: String(relation) };
  }
  const isKnown = words.split(",").every((word) => RELATIONS.has(word));
  return {
    name: "RELATED",
    parameters: [
      ...(personId === undefined ? [["VALUE", "text"] as const] : []),
      ...(isKnown ? [["TYPE", words] as const] : []),
      ...parametersOf(detail, version),
    ],
    value: personId === undefined ? escapeText(String(name)) : `urn:prs:${personId}`,
    label: isKnown ? detail.label : String(relation),
  };
}

/** Writes pictures, then other lines. */
function otherLines(
  details: readonly CardDetail[],
  pictures: CardSource["pictures"],
  version: VcardVersion,
): (VcardLine | string)[] {
  const shown = details.filter((detail) => !OWN_PROPERTIES.has(propertyOf(detail)));
  return [
    ...shown.filter(isPicture).flatMap((detail) => pictureLines(detail, pictures, version)),
    ...shown.filter((detail) => !isPicture(detail)).map(otherLine),
  ];
}

function propertyOf({ value }: CardDetail): string {
  return String(value.property).toUpperCase();
}

function isPicture(detail: CardDetail): boolean {
  return PICTURE_PROPERTIES.includes(propertyOf(detail));
}

/** Keeps a whole line of the property; otherwise writes the value as text. */
function otherLine({ value, label }: CardDetail): VcardLine | string {
  const [property, text] = [String(value.property), String(value.value)];
  if (!isContentLineOf(property, text)) return { name: property, value: escapeText(text), label };
  if (label === null || groupOf(text) !== null) return text;
  const end = text.indexOf(":");
  return { name: text.slice(0, end), value: text.slice(end + 1), label };
}

/** Writes an attachment inline, or the address of a picture; nothing without the file. */
function pictureLines(
  detail: CardDetail,
  pictures: CardSource["pictures"],
  version: VcardVersion,
): (VcardLine | string)[] {
  const [, attachmentId] = /^attachment:(.*)$/.exec(String(detail.value.value)) ?? [];
  if (attachmentId === undefined) return [otherLine(detail)];
  const [name, file, { label }] = [propertyOf(detail), pictures.get(attachmentId), detail];
  if (file === undefined) return [];
  const { mediaType, bytes } = file;
  const base64 = Buffer.from(bytes).toString("base64");
  if (version === "4.0") return [{ name, value: `data:${mediaType};base64,${base64}`, label }];
  const [type] = /^image\/([a-z]+)$/i.exec(mediaType)?.slice(1) ?? [];
  const parameters = [
    ["ENCODING", "b"] as const,
    ...(type === undefined ? [] : [["TYPE", type.toUpperCase()] as const]),
  ];
  return [{ name, parameters, value: base64, label }];
}

function parametersOf(
  { value, preferred }: CardDetail,
  version: VcardVersion,
): readonly (readonly [string, string])[] {
  const types = Array.isArray(value.types) ? value.types : [];
  return [
    ...(types.length === 0 ? [] : [["TYPE", types.join(",")] as const]),
    ...preference(preferred, version),
  ];
}

function components(value: CardDetail["value"], names: readonly string[]): string {
  return names.map((name) => escapeText(String(value[name] ?? ""))).join(";");
}

/** Whole seconds. */
function revisionTime(time: Date, version: VcardVersion): string {
  const text = `${time.toISOString().slice(0, 19)}Z`;
  return version === "4.0" ? text.replaceAll(/[-:]/g, "") : text;
}
