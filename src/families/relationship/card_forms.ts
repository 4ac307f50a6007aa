/** Forms of details as cards of this service show them, to find them again. No SQL, no HTTP. */

import { escapeText } from "../../core/folded_line.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import type { DetailBody } from "./detail.ts";
import type { StoredDetail } from "./stored_entries.ts";
import { labelLines } from "./vcard_properties.ts";
import { isContentLineOf, parseLine } from "./vcard_text.ts";

interface ShownDetail extends Pick<DetailBody, "kind" | "value"> {
  readonly label?: string | null;
}

/**
 * Returns a test: true for a detail of a card of this service that shows these details. The card
 * has some of their members alone: a second birthday with a label is a date with that label, and
 * the parts of two names may be in one.
 */
export function shownBy(
  details: readonly StoredDetail[],
): (detail: ShownDetail) => boolean {
  const forms = new Set(details.flatMap(storedForms));
  const isShown = (form: string) => forms.has(form);
  return (detail) => {
    const own = cardForms(detail);
    return isInParts(detail) ? own.every(isShown) : own.some(isShown);
  };
}

function isInParts({ kind }: ShownDetail): boolean {
  return kind === "NAME" || kind === "ORGANIZATION";
}

function storedForms(detail: StoredDetail): string[] {
  const { kind, value, label, linked_name } = detail;
  if (kind === "LINK") {
    return cardForms({ kind, value: { ...value, name: value.name ?? linked_name ?? "" } });
  }
  const own = cardForms(detail);
  if (kind === "ADDRESS") return [...own, ...addressLabels(detail).map(lineForm)];
  return kind === "OTHER" && label !== null
    ? [
      ...own,
      ...[escapeText(label), `_$!<${label}>!$_`].map((text) => lineForm(`X-ABLabel:${text}`)),
    ]
    : own;
}

/** The lines LABEL that version 3.0 has for an address. */
function addressLabels({ lines, ...detail }: StoredDetail): string[] {
  if (lines === null) return [];
  const { lines: stated }: { readonly lines: readonly string[] } = JSON.parse(lines);
  const sources = stated.flatMap((line) => parseLine(line) ?? []);
  return labelLines({ ...detail, version: "4.0", lines: sources }).map(({ content }) => content);
}

function cardForms({ kind, value, label = null }: ShownDetail): string[] {
  const form = (...shown: (JsonValue | undefined)[]) =>
    canonicalJson([kind, ...shown.map((each) => each ?? null)]);
  if (isInParts({ kind, value })) return Object.entries(value).map((member) => form(...member));
  switch (kind) {
    case "DATE":
      return [
        form("what", value.what, value.date),
        ...label === null ? [] : [form("label", label, value.date)],
      ];
    case "HANDLE":
      return [form(value.service === undefined ? value.value : `${value.service}:${value.value}`)];
    case "LINK": {
      const relation = String(value.relation).toLowerCase();
      return ["personId", "name"].filter((own) => own in value).map((own) =>
        form(own, value[own], relation)
      );
    }
    case "OTHER":
      return [lineForm(lineOf(value))];
    case "PHONE":
    case "EMAIL":
      // Readers of cards take the scheme off.
      return [form(String(value.value).replace(/^(?:tel|mailto):/i, ""))];
    default: {
      const { types: _, service: __, ...shown } = value;
      return [form(shown)];
    }
  }
}

/** The line of an `OTHER`, without its group. */
function lineOf({ property, value }: JsonObject): string {
  const [name, text] = [String(property), String(value)];
  const line = isContentLineOf(name, text) ? parseLine(text) : null;
  return line?.content ?? `${name}:${escapeText(text)}`;
}

function lineForm(line: string): string {
  return canonicalJson(["OTHER", line]);
}
