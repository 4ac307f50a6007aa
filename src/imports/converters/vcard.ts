/** Converts vCard files (2.1, 3.0, 4.0) to people, and groups to communities. */

import { sha256Hex } from "../../core/digest.ts";
import type { JsonObject } from "../../core/json.ts";
import { isLongerThan } from "../../validate/text.ts";
import { comparedForms, type Converted, type UnmappedCounts } from "./converted.ts";
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

/** Code points. */
const MAX_KEY_LENGTH = 200;

/** Converts the files of one import; cards are numbered across all of them. */
export class VcardConverter {
  readonly #unmapped: UnmappedCounts;
  readonly #keys = new Set<string>();
  #place = 0;

  /** @param unmapped Counts content that no item shows, each name once per item. */
  constructor(unmapped: UnmappedCounts) {
    this.#unmapped = unmapped;
  }

  /**
   * @throws ConversionError `import.format` if it does not begin with a card.
   */
  async *convert(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Converted> {
    for await (const card of splitCards(chunks, () => this.#unmapped.add("line"))) {
      yield this.#read(card, ++this.#place);
    }
  }

  #read(card: RawCard, place: number): Converted {
    let lines: readonly ContentLine[] = [];
    try {
      const version = versionOf(card);
      lines = parseLines(card.lines, version ?? "3.0");
      if (card.rule !== null) throw new CardError(card.rule);
      if (version === null) throw new CardError("vcard.version");
      const { key, isIdentified } = keyOf(lines);
      const converted = isGroup(lines) ? readCommunity(lines) : readPerson(lines, place);
      if (this.#keys.has(key) || isLongerThan(key, MAX_KEY_LENGTH)) {
        throw new CardError("import.key");
      }
      this.#keys.add(key);
      for (const name of converted.unmapped) this.#unmapped.add(name);
      const details = (converted.payload.details ?? []) as JsonObject[];
      const compared = comparedForms(details);
      return { item: { ...converted, place, key, isIdentified, compared } };
    } catch (error) {
      if (!(error instanceof CardError)) throw error;
      const rule = card.rule ?? error.rule;
      return { refused: { place, key: keyOf(lines).key, rules: [rule] } };
    }
  }
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
