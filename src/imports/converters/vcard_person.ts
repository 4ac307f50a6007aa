/** Converts a card to a person. Details keep the order of the card. */

import { Buffer } from "node:buffer";
import type { JsonObject } from "../../core/json.ts";
import { MAX_LIVE_DETAILS, valueViolations } from "../../families/relationship/import_port.ts";
import { hasControlCharacter, isBlank, isLongerThan } from "../../validate/text.ts";
import type { ReadingBudget } from "../reading_budget.ts";
import type { SourceLink } from "./converter.ts";
import { DEFAULT_FIELDS, MAX_TAGS, MAX_TEXT_LENGTH } from "./people.ts";
import {
  isLabel,
  isLabelled,
  isPreferred,
  readDetail,
  type SourceDetail,
  structured,
  unreadParameters,
} from "./vcard_details.ts";
import { Base64Decoder, dataAddress } from "./base64.ts";
import {
  CardError,
  type CardFile,
  type ContentLine,
  DROPPED,
  isBase64,
  isPicture,
  type ReadCard,
  splitEscaped,
  unescapeText,
} from "./vcard_lines.ts";

const NAME_PARTS = ["family", "given", "additional", "prefix", "suffix"];

/** @throws CardError `vcard.name`, `vcard.date` or `detail.count`. */
export async function readPerson(
  lines: readonly ContentLine[],
  budget: ReadingBudget,
): Promise<ReadCard> {
  const reader = new PersonReader(lines);
  for (const line of lines) {
    await budget.turn(0);
    reader.read(line);
  }
  return reader.end();
}

class PersonReader {
  readonly #labels: ReadonlyMap<string, string>;
  readonly #title: string;
  readonly #details: SourceDetail[] = [];
  /** All links in the card's order, including those to names. */
  readonly #links: SourceLink[] = [];
  readonly #experiences: JsonObject[] = [];
  readonly #tags = new Set<string>();
  readonly #files: CardFile[] = [];
  readonly #unmapped = new Set<string>();
  /** Position of the structured name in the details. */
  #name: number | null = null;
  /** Positions of organizations without a title, and of titles without an organization. */
  readonly #unpaired = new Map<string, number[]>();
  /** True after the first full name. Further ones become details. */
  #hasFullName = false;

  constructor(lines: readonly ContentLine[]) {
    this.#labels = labelsOf(lines);
    this.#title = titleOf(lines);
  }

  read(line: ContentLine): void {
    const { name, value, picture } = line;
    this.#assertCount();
    if (picture === null) {
      this.#unmapped.add(name);
      return;
    }
    if (DROPPED.includes(name) || isEmpty(line)) return;
    if (name === "X-ABLABEL" && this.#labels.has(line.group ?? "")) return;
    if (name === "UID" || name === "FN" && !this.#hasFullName) {
      this.#hasFullName ||= name === "FN";
      return this.#countUnread(line);
    }
    switch (name) {
      case "N":
        return this.#readName(line);
      case "NICKNAME":
        return this.#readNickname(line);
      case "X-PHONETIC-NAME":
        return this.#addToName(line, { phonetic: unescapeText(value) });
      case "ORG":
        return this.#readOrganization(line, structured(line, ["name", "department"]));
      case "TITLE":
        return this.#readOrganization(line, { title: unescapeText(value) });
      case "NOTE":
        return this.#readNote(line);
      case "CATEGORIES":
        return this.#readCategories(line);
      default:
        return isPicture(name) ? this.#readPicture(line) : this.#readOther(line);
    }
  }

  /** @throws CardError `detail.count`. */
  end(): ReadCard {
    // If one link refers to a card, all links are added later, in their order.
    const isWaiting = this.#links.some(({ keys }) => keys.length > 0);
    const links = isWaiting ? this.#links : [];
    const details = this.#details.filter(({ kind }) => !isWaiting || kind !== "LINK");
    if (details.length + links.length > MAX_LIVE_DETAILS) throw new CardError("detail.count");
    return {
      target: "person",
      title: this.#title,
      payload: {
        ...DEFAULT_FIELDS,
        details: details.map((detail) => ({ ...detail, privacy: "PRIVATE" })),
        experiences: this.#experiences,
      },
      tags: [...this.#tags],
      files: this.#files,
      unmapped: [...this.#unmapped],
      links,
    };
  }

  /**
   * Refuses a card early: with more than twice the allowed details, either its links or its other
   * details are too many.
   *
   * @throws CardError `detail.count`.
   */
  #assertCount(): void {
    const count = Math.max(this.#details.length, this.#links.length);
    if (count > 2 * MAX_LIVE_DETAILS) throw new CardError("detail.count");
  }

  #readName(line: ContentLine): void {
    const value = structured(line, NAME_PARTS);
    if (this.#add(line, { kind: "NAME", value })) this.#name ??= this.#details.length - 1;
  }

  /** Adds the first nickname to the name; each other one becomes a separate name. */
  #readNickname(line: ContentLine): void {
    for (const part of splitEscaped(line.value, ",")) {
      const nickname = unescapeText(part);
      if (!isBlank(nickname)) this.#addToName(line, { nickname: nickname.trim() });
      this.#assertCount();
    }
  }

  #addToName(line: ContentLine, member: JsonObject): void {
    const [own = ""] = Object.keys(member);
    const name = this.#name === null ? undefined : this.#details[this.#name];
    const isFree = name !== undefined && !(own in name.value) && this.#labelOf(line) === null;
    if (!isFree || this.#name === null) {
      this.#add(line, { kind: "NAME", value: member });
      return;
    }
    const value = { ...name.value, ...member };
    if (!valueViolations("NAME", value).isEmpty) return this.#keepLine(line);
    this.#details[this.#name] = { ...name, value };
    this.#countUnread(line, true);
  }

  /** Joins an organization and a title with the same label and preference. */
  #readOrganization(line: ContentLine, value: JsonObject): void {
    const isTitle = "title" in value;
    const group = `${isPreferred(line)} ${this.#labelOf(line)}`;
    const waiting = this.#unpaired.get(`${!isTitle} ${group}`) ?? [];
    const place = waiting.shift();
    const half = place === undefined ? undefined : this.#details[place];
    const whole = { ...half?.value, ...value };
    if (
      place !== undefined && half !== undefined && valueViolations("ORGANIZATION", whole).isEmpty
    ) {
      this.#details[place] = { ...half, value: whole };
      return this.#countUnread(line);
    }
    if (!this.#add(line, { kind: "ORGANIZATION", value })) return;
    const own = `${isTitle} ${group}`;
    const others = this.#unpaired.get(own) ?? [];
    others.push(this.#details.length - 1);
    this.#unpaired.set(own, others);
  }

  #readNote(line: ContentLine): void {
    const narrative = unescapeText(line.value);
    if (isLongerThan(narrative, MAX_TEXT_LENGTH) || narrative.includes("\0")) {
      this.#unmapped.add(line.name);
      return;
    }
    const fixed = { title: "Note", timePrecision: "UNKNOWN", privacy: "PRIVATE" };
    this.#experiences.push({ ...fixed, narrative });
    this.#countUnread(line);
  }

  #readCategories(line: ContentLine): void {
    for (const part of splitEscaped(line.value, ",")) {
      const tag = unescapeText(part).trim();
      if (tag === "") continue;
      if (this.#tags.size < MAX_TAGS) this.#tags.add(tag);
      else this.#unmapped.add(line.name);
    }
    this.#countUnread(line);
  }

  #readPicture(line: ContentLine): void {
    const picture = readPicture(line);
    if (picture === null) return this.#keepLine(line);
    const [, ending = "bin"] = /^image\/([a-z]+)$/.exec(picture.mediaType) ?? [];
    const filename = `${line.name.toLowerCase()}.${ending === "jpeg" ? "jpg" : ending}`;
    const name = `${this.#files.length + 1}-${filename}`;
    const value = { property: line.name, value: `attachment:${name}` };
    this.#files.push({ name, filename, ...picture });
    this.#details.push({ kind: "OTHER", value, ...this.#labelled(line) });
    this.#countUnread(line);
  }

  #readOther(line: ContentLine): void {
    const converted = readDetail(line, this.#labelOf(line));
    if (converted === null) return this.#keepLine(line);
    const isLink = line.name === "X-ABRELATEDNAMES" || line.name === "RELATED";
    for (const detail of converted.details) {
      const label = this.#labelOf(line);
      const isOwn = label !== null &&
        (isLink ? detail.value.relation === label : detail.value.what === label);
      const whole = { ...detail, ...(!isOwn && this.#labelled(line)) };
      this.#details.push(whole);
      if (detail.kind === "LINK") this.#links.push(toLink(whole));
    }
    this.#links.push(...converted.links ?? []);
    this.#countUnread(line);
  }

  /** Adds a detail of a kind without types; keeps the line if the value is invalid. */
  #add(line: ContentLine, detail: SourceDetail): boolean {
    if (!valueViolations(detail.kind, detail.value).isEmpty) {
      this.#keepLine(line);
      return false;
    }
    const preference = isPreferred(line) ? { preferred: true } : {};
    this.#details.push({ ...detail, ...this.#labelled(line), ...preference });
    this.#countUnread(line);
    return true;
  }

  /** Keeps the whole line with group and parameters; counts it if it is too long. */
  #keepLine(line: ContentLine): void {
    const value = { property: line.name.slice(0, 64), value: line.text };
    if (valueViolations("OTHER", value).isEmpty) this.#details.push({ kind: "OTHER", value });
    else this.#unmapped.add(line.name);
  }

  #labelOf(line: ContentLine): string | null {
    return this.#labels.get(line.group ?? "") ?? null;
  }

  #labelled(line: ContentLine): { readonly label?: string } {
    const label = this.#labelOf(line);
    return label === null ? {} : { label };
  }

  #countUnread(line: ContentLine, isJoined = false): void {
    for (const name of unreadParameters(line, isJoined)) this.#unmapped.add(name);
  }
}

/** A link to a name, which no card has as its key. */
function toLink({ value: { name, relation }, label, preferred }: SourceDetail): SourceLink {
  const detail = {
    ...(label !== undefined && { label }),
    ...(preferred !== undefined && { preferred }),
  };
  return { keys: [], name: String(name), relation: String(relation), detail };
}

const LISTS: readonly string[] = ["N", "ADR", "ORG", "NICKNAME", "CATEGORIES"];

/** True for an empty value, or only separators. */
export function isEmpty({ name, value, picture }: ContentLine): boolean {
  if (picture !== undefined) return false;
  return LISTS.includes(name) ? !/[^;,\s]/.test(value) : isBlank(value);
}

/** By group in lower case; a group with other properties keeps its label as a line. */
function labelsOf(lines: readonly ContentLine[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const groups = Map.groupBy(lines, (line) => line.group ?? "");
  groups.delete("");
  for (const [group, members] of groups) {
    const [label] = members.filter(({ name }) => name === "X-ABLABEL");
    if (label === undefined) continue;
    const text = unescapeText(label.value).replace(/^_\$!<([^]*)>!\$_$/, "$1");
    const others = members.filter((member) => member !== label && !isEmpty(member));
    const isShown = others.length > 0 && others.every(({ name }) => isLabelled(name));
    if (isShown && isLabel(text)) labels.set(group, text);
  }
  return labels;
}

/** @throws CardError `vcard.name` without a name, or for one that is too long. */
export function titleOf(lines: readonly ContentLine[]): string {
  const first = (name: string) => lines.find((line) => line.name === name && !isEmpty(line));
  const [n, org] = [first("N"), first("ORG")];
  const { given = "", family = "" } = n === undefined ? {} : structured(n, NAME_PARTS);
  const organization = org === undefined ? {} : structured(org, ["name", "department"]);
  const candidates = [
    unescapeText(first("FN")?.value ?? ""),
    [given, family].filter((part) => part !== "").join(" "),
    String(organization.name ?? ""),
    unescapeText(first("EMAIL")?.value ?? "").replace(/^mailto:/i, ""),
    unescapeText(first("TEL")?.value ?? "").replace(/^tel:/i, ""),
  ];
  const title = candidates.find((candidate) => !isBlank(candidate)) ?? "";
  const line = hasControlCharacter(title) ? title.replaceAll(/\p{Cc}+/gu, " ").trim() : title;
  if (isBlank(line) || isLongerThan(line, 200)) throw new CardError("vcard.name");
  return line;
}

/** Null for an address and for invalid base64. */
function readPicture(
  { parameters, value, picture }: ContentLine,
): Pick<CardFile, "mediaType" | "content"> | null {
  if (picture) {
    const { stated, firstBytes, sha256, size } = picture;
    return { mediaType: mediaTypeOf(stated, firstBytes), content: { sha256, size } };
  }
  const text = value.trim();
  const data = dataAddress(text);
  if (data === null && !isBase64(parameters)) return null;
  const decoder = new Base64Decoder();
  const content = decoder.decode(new TextEncoder().encode(text.slice(data?.start ?? 0)));
  if (!decoder.isWhole) return null;
  const stated = data?.stated ?? parameters.get("TYPE")?.[0] ?? "";
  return { mediaType: mediaTypeOf(stated, content), content };
}

/** The stated type, else the type detected from the first bytes. */
function mediaTypeOf(stated: string, bytes: Uint8Array): string {
  const word = stated.toLowerCase();
  if (/^[a-z]+\/[a-z0-9.+-]+$/.test(word)) return word;
  if (/^[a-z]{3,5}$/.test(word)) return `image/${word === "jpg" ? "jpeg" : word}`;
  const first = Buffer.from(bytes.subarray(0, 4)).toString("hex");
  if (first.startsWith("ffd8")) return "image/jpeg";
  if (first === "89504e47") return "image/png";
  return first === "47494638" ? "image/gif" : "application/octet-stream";
}
