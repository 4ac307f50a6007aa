/** `vcard`: cards of versions 2.1, 3.0 and 4.0, as one file or a zip of files; groups become communities. */

import { sha256Hex } from "../../core/digest.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Archive } from "../archive/archive.ts";
import { refuseFile } from "../refusal.ts";
import type { Converted, Converter, SourceInput, SourceItem } from "./converter.ts";
import { isHiddenName } from "./names.ts";
import {
  comparedForms,
  ItemKeys,
  NO_PEOPLE_FACTS,
  readPeopleMapping,
  withCategories,
} from "./people.ts";
import { readCommunity } from "./vcard_community.ts";
import {
  CardError,
  type ContentLine,
  parseLines,
  type RawCard,
  splitCards,
  unescapeText,
  versionOf,
} from "./vcard_lines.ts";
import { readPerson } from "./vcard_person.ts";

export const VCARD: Converter = {
  format: "vcard",
  isNamed: false,
  archives: ["zip"],
  acceptsText: true,
  hasParts: false,
  leftOut: null,
  readMapping: readPeopleMapping,
  needsMapping: false,
  async sourceOf({ name, file, archive }: SourceInput) {
    if (archive === null) await splitCards(file.stream(0, file.size), () => {}).next();
    else if (cardFiles(archive).length === 0) refuseFile("import.format", 0);
    return name === null ? "vcard" : `vcard:${name}`;
  },
  async *convert({ file, archive, mapping }): AsyncGenerator<Converted> {
    const reader = new CardReader(mapping);
    if (archive === null) {
      yield* reader.read(file.stream(0, file.size));
      return;
    }
    for (const entry of cardFiles(archive)) yield* reader.read(archive.read(entry));
  },
};

function cardFiles({ entries }: Archive) {
  return entries.filter(({ name }) => /\.vcf$/i.test(name) && !isHiddenName(name));
}

/** Reads the files of one import; cards are numbered across all of them. */
class CardReader {
  readonly #mapping: JsonObject | null;
  readonly #keys = new ItemKeys();
  #place = 0;

  constructor(mapping: JsonObject | null) {
    this.#mapping = mapping;
  }

  /** @throws FileRefusal `import.format` if it does not begin with a card. */
  async *read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Converted> {
    let outside = 0;
    for await (const card of splitCards(chunks, () => outside++)) {
      yield { kind: "item", item: this.#toItem(card, ++this.#place) };
    }
    if (outside > 0) yield { kind: "left", name: "line", count: outside };
  }

  #toItem(card: RawCard, place: number): SourceItem {
    let lines: readonly ContentLine[] = [];
    try {
      const version = versionOf(card);
      lines = parseLines(card.lines, version ?? "3.0");
      if (card.rule !== null) throw new CardError(card.rule);
      if (version === null) throw new CardError("vcard.version");
      const { files, unmapped, links, members, ...content } = isGroup(lines)
        ? readCommunity(lines)
        : readPerson(lines);
      const { key: own, isIdentified } = keyOf(lines);
      const { key, isRefused } = this.#keys.take(own, place);
      if (isRefused) return refusedItem(place, key, "import.key");
      const details = (content.payload.details ?? []) as JsonObject[];
      const payload = content.target === "person"
        ? withCategories(content.payload, content.tags, this.#mapping)
        : content.payload;
      const { target, title, tags, attachments } = content;
      return {
        ...{ place, files, unmapped },
        members: { key, target, title, payload, tags: [...tags], attachments: [...attachments] },
        people: { compared: comparedForms(details), isIdentified, links, members },
      };
    } catch (error) {
      if (!(error instanceof CardError)) throw error;
      const { key } = this.#keys.take(keyOf(lines).key, place);
      return refusedItem(place, key, card.rule ?? error.rule);
    }
  }
}

function refusedItem(place: number, key: string, rule: string): SourceItem {
  return { place, members: { key, target: "person" }, refused: [rule], people: NO_PEOPLE_FACTS };
}

/** The UID, or a digest of name, emails and numbers. */
function keyOf(
  lines: readonly ContentLine[],
): { readonly key: string; readonly isIdentified: boolean } {
  const valuesOf = (name: string) =>
    lines.filter((line) => line.name === name).map(({ value }) => value);
  const uid = unescapeText(valuesOf("UID")[0] ?? "").trim();
  if (uid !== "") return { key: uid, isIdentified: true };
  const told = ["N", "FN", "TEL", "EMAIL"].flatMap((name) =>
    valuesOf(name).map((value) => `${name}:${value}`)
  );
  return { key: `digest:${sha256Hex(told.join("\n"))}`, isIdentified: false };
}

function isGroup(lines: readonly ContentLine[]): boolean {
  return lines.some(({ name, value }) =>
    (name === "KIND" || name === "X-ADDRESSBOOKSERVER-KIND") &&
    value.trim().toLowerCase() === "group"
  );
}
