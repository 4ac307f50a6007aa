/** People from the rows of address books. A row becomes the lines of a card. */

import { escapeText } from "../../../core/folded_line.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import type { SourceItem } from "../converter.ts";
import { readDated } from "../dates.ts";
import { keyOf } from "../vcard.ts";
import type { ContentLine } from "../vcard_lines.ts";
import { readPerson } from "../vcard_person.ts";
import type { PresetContext } from "./preset.ts";
import type { PresetRow } from "./preset_row.ts";

type Parameters = ReadonlyMap<string, readonly string[]>;

const NO_PARAMETERS: Parameters = new Map();

/** The parameter with the types of a line, as `Work`; without types none. */
export function typed(types: readonly string[]): Parameters {
  return types.length === 0 ? NO_PARAMETERS : new Map([["TYPE", types]]);
}

/** The lines of a card. Texts are not escaped, and empty ones add no line. */
export class ContactLines {
  readonly lines: ContentLine[] = [];
  #groups = 0;

  add(name: string, text: string, parameters = NO_PARAMETERS): void {
    if (text !== "") this.#push(name, escapeText(text), parameters, null);
  }

  /** @param separator Between the texts. */
  addParts(
    name: string,
    separator: "," | ";",
    texts: readonly string[],
    parameters = NO_PARAMETERS,
  ): void {
    const value = texts.map(escapeText).join(separator);
    if (texts.some((text) => text !== "")) this.#push(name, value, parameters, null);
  }

  /** Adds a line with a label of its own words. */
  addLabelled(name: string, text: string, label: string): void {
    if (text === "") return;
    const group = `item${++this.#groups}`;
    this.#push(name, escapeText(text), NO_PARAMETERS, group);
    if (label !== "") this.#push("X-ABLABEL", escapeText(label), NO_PARAMETERS, group);
  }

  #push(name: string, value: string, parameters: Parameters, group: string | null): void {
    const stated = Array.from(parameters, ([key, values]) => `;${key}=${values.join(",")}`);
    const start = group === null ? name : `${group}.${name}`;
    const text = `${start}${stated.join("")}:${value}`;
    this.lines.push({ group, name, parameters, value, text });
  }
}

/** The person of a row; none for a row without content. */
export async function contactItems(
  row: PresetRow,
  { lines }: ContactLines,
  { budget }: PresetContext,
): Promise<readonly SourceItem[]> {
  if (lines.every(({ name }) => name === "CATEGORIES")) {
    row.count("card.empty");
    return [];
  }
  const { target, title, payload, tags = [], rules = [], unmapped } = await readPerson(
    { version: "3.0", lines },
    budget,
  );
  const details = Array.isArray(payload.details) ? payload.details.filter(isJsonObject) : [];
  return [{
    members: {
      key: keyOf(lines).key,
      target,
      title,
      payload: { ...payload, details: details.map(withoutMadeLines) },
      tags: [...tags],
    },
    rules,
    unmapped,
    people: { isIdentified: false },
  }];
}

/** The lines are not those of the file, but a detail that no kind has leaves by its line only. */
function withoutMadeLines(detail: JsonObject): JsonObject {
  const { lines: _, ...others } = detail;
  return detail.kind === "OTHER" ? detail : others;
}

/** Outlook's text for a day that is not known. */
const NO_DAY = "0/0/00";

/** A day as a card has it. One that the mapping's form does not explain stays as written. */
export function contactDay(text: string, { mapping: { dates } }: PresetContext): string {
  if (text === NO_DAY) return "";
  const day = readDated(text, dates, "+00:00");
  return day === null ? text : day.text.slice(0, 10);
}
