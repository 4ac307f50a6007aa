/** Converts a card to a person. Details keep the order of the card. */

import type { JsonObject } from "../../core/json.ts";
import {
  type DetailKind,
  MAX_LIVE_DETAILS,
  MAX_UID_BYTES,
  MAX_UIDS,
  valueViolations,
} from "../../families/relationship/import_port.ts";
import { isLongerThan } from "../../validate/text.ts";
import type { ReadingBudget } from "../reading_budget.ts";
import type { SourceLink } from "./converter.ts";
import { DEFAULT_FIELDS, MAX_TEXT_LENGTH } from "./people.ts";
import { dateWord, readCardDay } from "./vcard_dates.ts";
import { hasKind, readDetail, type SourceDetail, unreadParameters } from "./vcard_details.ts";
import { cardLines } from "./vcard_kept_lines.ts";
import { labelLines, readLabel, readTypes, toLabel } from "./vcard_labels.ts";
import {
  type CardFile,
  type CardVersion,
  DROPPED,
  isOwnCard,
  isPicture,
  type ParsedCard,
  type ReadCard,
  splitEscaped,
  unescapeText,
} from "./vcard_lines.ts";
import {
  inOneLine,
  isAddress,
  isEmpty,
  isFamilyAlone,
  nicknamesOf,
  plainText,
  readName,
  readOrganization,
  titleOf,
} from "./vcard_names.ts";
import { readPicture } from "./vcard_pictures.ts";
import { type KnownLine, toKnownLine } from "./vcard_variants.ts";

const MAX_NOTES = 10_000;

type PersonCard = Pick<ParsedCard, "version" | "lines">;

export async function readPerson(card: PersonCard, budget: ReadingBudget): Promise<ReadCard> {
  const reader = new PersonReader(card);
  for (const line of reader.lines) {
    await budget.turn(0);
    reader.read(line);
  }
  return reader.end();
}

/** A detail while lines are joined to it. */
interface Draft {
  readonly kind: DetailKind;
  value: JsonObject;
  readonly label: string | null;
  readonly preferred: boolean;
  /** Possible UIDs of the card that a `LINK` refers to. */
  readonly keys?: readonly string[];
  readonly lines: KnownLine[];
  /** The `X-ABLabel` of each line that has one. */
  readonly labels: KnownLine[];
}

/** True for a date that this service writes after the newest one of its kind. */
function isOlderDate({ kind, value, lines }: Draft): boolean {
  const [line, ...more] = lines;
  return kind === "DATE" && value.what !== "OTHER" && line?.name === "X-ABDATE" &&
    more.length === 0;
}

class PersonReader {
  readonly lines: readonly KnownLine[];
  readonly #version: CardVersion;
  readonly #labels: ReadonlyMap<KnownLine, KnownLine>;
  readonly #usedLabels: ReadonlySet<KnownLine>;
  /** Labels by group, also for the lines that they do not label. */
  readonly #groups = new Map<string, string>();
  readonly #title: string;
  readonly #rules: Set<string>;
  readonly #isOwnCard: boolean;
  readonly #drafts: Draft[] = [];
  readonly #experiences: JsonObject[] = [];
  readonly #tags = new Set<string>();
  readonly #files: CardFile[] = [];
  readonly #unmapped = new Set<string>();
  readonly #uids: string[] = [];
  /** The structured name, to which nicknames and a phonetic name are added. */
  #name: Draft | null = null;
  /** True after the first full name; further ones are kept. */
  #hasFullName = false;
  /** Organizations without a title, and titles without an organization. */
  readonly #unpaired = new Map<string, Draft[]>();
  /** By word, date and label, and by property and ALTID. */
  readonly #dates = new Map<string, Draft>();

  constructor({ version, lines }: PersonCard) {
    this.#version = version;
    this.lines = lines.map(toKnownLine);
    this.#labels = labelLines(this.lines, (line) => !isEmpty(line) && hasKind(line));
    this.#usedLabels = new Set(this.#labels.values());
    for (const label of this.#usedLabels) {
      this.#groups.set(label.group ?? "", readLabel(label) ?? "");
    }
    const { title, rules } = titleOf(this.lines);
    [this.#title, this.#rules] = [title, new Set(rules)];
    this.#isOwnCard = isOwnCard(lines);
  }

  readonly #readers: Readonly<Record<string, (line: KnownLine) => void>> = {
    "FN": (line) => this.#readFullName(line),
    "UID": (line) => this.#readUid(line),
    "X-PRS-UID": (line) => this.#readUid(line),
    "N": (line) => this.#readName(line),
    "NICKNAME": (line) => this.#readNickname(line),
    "X-PHONETIC-NAME": (line) => this.#addToName(line, { phonetic: plainText(line.value) }),
    "ORG": (line) => this.#readOrganization(line, readOrganization(line)),
    "TITLE": (line) => this.#readOrganization(line, { title: plainText(line.value) }),
    "NOTE": (line) => this.#readNote(line),
    "CATEGORIES": (line) => this.#readCategories(line),
    "PHOTO": (line) => this.#readPicture(line),
    "LOGO": (line) => this.#readPicture(line),
  };

  read(line: KnownLine): void {
    const { name, property, picture } = line;
    if (picture === null) this.#unmapped.add(isPicture(name) ? "PHOTO" : property);
    else if (!DROPPED.includes(name) && !isEmpty(line) && !this.#usedLabels.has(line)) {
      const read = Object.hasOwn(this.#readers, name) ? this.#readers[name] : undefined;
      if (read === undefined) this.#readOther(line);
      else read(line);
    }
  }

  end(): ReadCard {
    // If one link refers to a card, all links are added later, in their order.
    const isWaiting = this.#drafts.some(({ keys }) => keys !== undefined);
    const isLater = ({ kind }: Draft) => isWaiting && kind === "LINK";
    const isOlder = (draft: Draft) => this.#isOwnCard && isOlderDate(draft);
    const stated = this.#drafts.filter((draft) => !isLater(draft));
    const details = [...stated.filter(isOlder), ...stated.filter((draft) => !isOlder(draft))];
    return {
      target: "person",
      title: this.#title,
      payload: {
        ...DEFAULT_FIELDS,
        details: details.map((draft) => ({ ...this.#toDetail(draft), privacy: "PRIVATE" })),
        experiences: this.#experiences,
      },
      tags: [...this.#tags],
      files: this.#files,
      rules: [...this.#rules],
      unmapped: [...this.#unmapped],
      links: this.#drafts.filter(isLater).map((draft) => this.#toLink(draft)),
      uids: this.#uids,
      isOwnCard: this.#isOwnCard,
    };
  }

  #toDetail({ kind, value, label, preferred, lines, labels }: Draft): SourceDetail {
    const all = lines.length === 0 ? [] : [...lines, ...labels];
    const kept = cardLines(all.map(({ text }) => text), this.#version);
    return {
      kind,
      value,
      ...label !== null && { label },
      ...preferred && { preferred },
      ...kept !== undefined && { lines: kept },
    };
  }

  #toLink(draft: Draft): SourceLink {
    const { kind: _, value: { name, relation }, ...detail } = this.#toDetail(draft);
    const { keys = [], lines: [line] } = draft;
    return {
      keys,
      name: String(name),
      relation: String(relation),
      detail,
      ...keys.length > 0 && line !== undefined && isAddress(String(name)) && { line: line.text },
    };
  }

  /** Keeps the first one only if the title is cut. */
  #readFullName(line: KnownLine): void {
    if (this.#hasFullName || this.#rules.has("title.cut")) this.#keepLine(line);
    else this.#countUnread(line, false);
    this.#hasFullName = true;
  }

  #readUid(line: KnownLine): void {
    const uid = unescapeText(line.value).trim();
    if (this.#uids.includes(uid)) return;
    const isStored = uid.length <= MAX_UID_BYTES && !uid.includes("\0");
    if (isStored && this.#uids.length < MAX_UIDS) this.#uids.push(uid);
    else this.#unmapped.add("UID");
    this.#countUnread(line, false);
  }

  #readName(line: KnownLine): void {
    if (this.#name !== null) return this.#keepLine(line);
    const value = readName(line, this.#version === "2.1");
    if (this.#isOwnCard && this.#version === "3.0" && isFamilyAlone(value, this.#title)) return;
    this.#name = this.#add(line, "NAME", value);
  }

  /** Adds the first nickname to the name; each other one becomes a separate name. */
  #readNickname(line: KnownLine): void {
    for (const nickname of nicknamesOf(line)) this.#addToName(line, { nickname });
  }

  #addToName(line: KnownLine, member: JsonObject): void {
    const [own = ""] = Object.keys(member);
    const name = this.#name;
    const isFree = name !== null && !(own in name.value) && this.#labelOf(line) === null;
    if (!isFree) return void this.#add(line, "NAME", member);
    this.#join(name, line, { ...name.value, ...member });
  }

  /** Joins an organization and a title with the same label and preference, first of one group. */
  #readOrganization(line: KnownLine, value: JsonObject): void {
    const isTitle = "title" in value;
    const label = this.#labelOf(line) ?? this.#groups.get(line.group ?? "") ?? null;
    const group = `${readTypes(line).preferred} ${label}`;
    const half = this.#takeHalf(line, this.#unpaired.get(`${!isTitle} ${group}`) ?? []);
    if (half !== undefined) return this.#join(half, line, { ...half.value, ...value });
    const draft = this.#add(line, "ORGANIZATION", value);
    const own = `${isTitle} ${group}`;
    if (draft !== null) this.#unpaired.set(own, [...this.#unpaired.get(own) ?? [], draft]);
  }

  #takeHalf({ group }: KnownLine, halves: Draft[]): Draft | undefined {
    const ofGroup = ({ lines: [first] }: Draft) => group !== null && first?.group === group;
    const last = this.#drafts.at(-1);
    // This service writes a title directly after its organization.
    const next = this.#isOwnCard && last?.kind === "ORGANIZATION" ? last : halves[0];
    const half = halves.find(ofGroup) ?? halves.find((each) => each === next);
    return half && halves.splice(halves.indexOf(half), 1)[0];
  }

  #readNote(line: KnownLine): void {
    const narrative = unescapeText(line.value);
    const isText = !isLongerThan(narrative, MAX_TEXT_LENGTH) && !narrative.includes("\0");
    if (!isText || this.#experiences.length === MAX_NOTES) {
      this.#unmapped.add(line.name);
      return;
    }
    const fixed = { title: "Note", timePrecision: "UNKNOWN", privacy: "PRIVATE" };
    this.#experiences.push({ ...fixed, narrative });
    this.#countUnread(line, false);
  }

  #readCategories(line: KnownLine): void {
    for (const part of splitEscaped(line.value, ",")) {
      const tag = unescapeText(part).trim();
      if (tag !== "") this.#tags.add(tag);
    }
    this.#countUnread(line, false);
  }

  #readPicture(line: KnownLine): void {
    const picture = readPicture(line);
    if (picture === null) return this.#keepLine(line);
    if (picture === undefined) {
      this.#unmapped.add("PHOTO");
      return;
    }
    const [, ending = "bin"] = /^image\/([a-z]+)$/.exec(picture.mediaType) ?? [];
    const filename = `${line.name.toLowerCase()}.${ending === "jpeg" ? "jpg" : ending}`;
    const name = `${this.#files.length + 1}-${filename}`;
    const value = { property: line.name, value: `attachment:${name}` };
    const own = { label: this.#labelOf(line), preferred: false, lines: [], labels: [] };
    if (this.#push(line, { kind: "OTHER", value, ...own }) === null) return;
    this.#files.push({ name, filename, ...picture });
    this.#countUnread(line, true);
  }

  #readOther(line: KnownLine): void {
    const label = this.#labelOf(line);
    const what = dateWord({ name: line.name, label, isOwnCard: this.#isOwnCard });
    if (what !== undefined) return this.#readDate(line, what);
    const read = readDetail(line, label);
    if (read === null) return this.#keepLine(line);
    const draft = this.#add(line, read.kind, read.value, read.keys);
    if (draft !== null && read.unread !== undefined) this.#unmapped.add(read.unread);
  }

  /** Equal dates of one kind, and the dates of one ALTID, are one detail. */
  #readDate(line: KnownLine, what: string): void {
    const { date, isWrong } = readCardDay(line);
    if (isWrong) this.#rules.add("vcard.date");
    if (date === null) return this.#keepLine(line);
    const altId = line.parameters.get("ALTID")?.[0];
    const keys = [
      JSON.stringify([what, date, what === "OTHER" ? this.#labelOf(line) : null]),
      ...altId === undefined ? [] : [JSON.stringify([line.name, altId])],
    ];
    const earlier = keys.map((key) => this.#dates.get(key)).find((found) => found !== undefined);
    if (earlier !== undefined && earlier.value.date !== date) this.#unmapped.add(line.property);
    if (earlier !== undefined) this.#join(earlier, line, earlier.value);
    const draft = earlier ?? this.#add(line, "DATE", { what, date });
    if (draft === null) return;
    for (const key of keys) this.#dates.set(key, draft);
    this.#countUnread(line, true);
  }

  /** Adds a detail; keeps the line if the value is invalid. Null if it is not a detail then. */
  #add(
    line: KnownLine,
    kind: DetailKind,
    value: JsonObject,
    keys?: readonly string[],
  ): Draft | null {
    if (!this.#hasRoom(line)) return null;
    if (!valueViolations(kind, value).isEmpty) {
      this.#keepLine(line);
      return null;
    }
    const label = this.#labelOf(line);
    const isShown = label !== null && [value.relation, value.what].includes(label);
    const { preferred, labels } = readTypes(line);
    const unshown = labels.map(toLabel).filter((type) => type !== null && type !== label);
    if (unshown.length > 0) this.#unmapped.add(`${line.property};TYPE`);
    return this.#push(line, {
      kind,
      value,
      label: isShown ? null : label,
      preferred,
      ...keys !== undefined && { keys },
      lines: [line],
      labels: this.#labelLinesOf(line),
    });
  }

  /** Joins a line to a detail; keeps it if the new value is invalid. */
  #join(draft: Draft, line: KnownLine, value: JsonObject): void {
    if (!valueViolations(draft.kind, value).isEmpty) return this.#keepLine(line);
    draft.value = value;
    draft.lines.push(line);
    draft.labels.push(...this.#labelLinesOf(line));
  }

  /**
   * Keeps the whole line with group and parameters; counts it if it is too long. Only its lines
   * have control characters.
   */
  #keepLine(line: KnownLine): void {
    // A property of a detail has no underscores.
    const property = line.property.replaceAll("_", "-").slice(0, 64);
    const value = { property, value: inOneLine(line.text) };
    if (!valueViolations("OTHER", value).isEmpty) {
      this.#unmapped.add(line.property);
      return;
    }
    const own = { label: null, preferred: false, lines: [line], labels: [] };
    this.#push(line, { kind: "OTHER", value, ...own });
    for (const label of this.#labelLinesOf(line)) this.#keepLine(label);
  }

  /** Null if there is no room. */
  #push(line: KnownLine, draft: Draft): Draft | null {
    if (!this.#hasRoom(line)) return null;
    this.#drafts.push(draft);
    return draft;
  }

  /** Counts the line if the card has as many details as a person may. */
  #hasRoom(line: KnownLine): boolean {
    if (this.#drafts.length < MAX_LIVE_DETAILS) return true;
    this.#rules.add("detail.count");
    this.#unmapped.add(line.property);
    return false;
  }

  #labelLinesOf(line: KnownLine): KnownLine[] {
    const label = this.#labels.get(line);
    return label === undefined ? [] : [label];
  }

  #labelOf(line: KnownLine): string | null {
    const label = this.#labels.get(line);
    const stated = line.ownLabel ?? (label === undefined ? null : readLabel(label));
    // The type of a picture is its format.
    const [type = ""] = isPicture(line.name) ? [] : readTypes(line).labels;
    return toLabel(stated ?? type);
  }

  #countUnread(line: KnownLine, isDetail: boolean): void {
    for (const name of unreadParameters(line, isDetail)) {
      this.#unmapped.add(`${line.property};${name}`);
    }
  }
}
