/** `google-contacts`: Google Contacts, of the present form and of that until 2024. */

import type { SourceItem } from "../converter.ts";
import { contactDay, contactItems, ContactLines, typed } from "./contact.ts";
import { type PresetContext, rowPreset } from "./preset.ts";
import type { PresetRow } from "./preset_row.ts";

export const GOOGLE_CONTACTS = rowPreset({
  name: "google-contacts",
  knows: (head) =>
    head.has("E-mail 1 - Value") && (head.has("E-mail 1 - Label") || head.has("E-mail 1 - Type")),
  target: "person",
  convertRow,
});

function convertRow(row: PresetRow, context: PresetContext): Promise<readonly SourceItem[]> {
  const card = new ContactLines();
  addNames(row, card);
  for (const [number, name] of [["E-mail", "EMAIL"], ["Phone", "TEL"], ["Website", "URL"]]) {
    addValues(row, card, String(number), String(name));
  }
  addAddresses(row, card);
  addOrganizations(row, card);
  addHandles(row, card);
  for (const each of numbered(row, "Event")) {
    const label = labelOf(row, each);
    for (const text of valuesOf(row, each)) {
      card.addLabelled("X-ABDATE", contactDay(text, context), label);
    }
  }
  for (const each of numbered(row, "Relation")) {
    const label = labelOf(row, each) || "contact";
    for (const text of valuesOf(row, each)) card.addLabelled("X-ABRELATEDNAMES", text, label);
  }
  card.add("BDAY", contactDay(row.text("Birthday"), context));
  card.add("NOTE", row.text("Notes"));
  // Groups that Google itself made begin with a star.
  const labels = split(row.firstText("Labels", "Group Membership"))
    .filter((label) => !label.startsWith("*"));
  card.addParts("CATEGORIES", ",", labels);
  return contactItems(row, card, context);
}

function addNames(row: PresetRow, card: ContactLines): void {
  card.addParts("N", ";", [
    row.firstText("Last Name", "Family Name"),
    row.firstText("First Name", "Given Name"),
    row.firstText("Middle Name", "Additional Name"),
    row.text("Name Prefix"),
    row.text("Name Suffix"),
  ]);
  card.add("FN", row.text("Name"));
  card.add("NICKNAME", row.text("Nickname"));
  const parts = [
    row.firstText("Phonetic First Name", "Given Name Yomi"),
    row.firstText("Phonetic Middle Name", "Additional Name Yomi"),
    row.firstText("Phonetic Last Name", "Family Name Yomi"),
  ].filter((part) => part !== "");
  card.add("X-PHONETIC-NAME", row.text("Yomi Name") || parts.join(" "));
}

function addValues(row: PresetRow, card: ContactLines, kind: string, name: string): void {
  for (const each of numbered(row, kind)) {
    const types = typesOf(row, each);
    for (const [index, text] of valuesOf(row, each).entries()) {
      card.add(name, text, typed(index === 0 ? types : types.filter((type) => type !== "pref")));
    }
  }
}

const ADDRESS = [
  "PO Box",
  "Extended Address",
  "Street",
  "City",
  "Region",
  "Postal Code",
  "Country",
];
const STREET = ADDRESS.indexOf("Street");

/** Parts of several addresses can be told apart if each part has as many texts. */
function addAddresses(row: PresetRow, card: ContactLines): void {
  for (const each of addressesOf(row)) {
    const types = typed(typesOf(row, each));
    const formatted = split(row.text(`${each} - Formatted`));
    const parts = ADDRESS.map((name) => split(row.text(`${each} - ${name}`)));
    const counts = new Set(parts.map(({ length }) => length).filter((length) => length > 0));
    const [count = 0] = counts;
    if (counts.size === 1) {
      for (let index = 0; index < count; index++) {
        card.addParts("ADR", ";", parts.map((texts) => texts[index] ?? ""), types);
      }
    } else if (formatted.length > 0) {
      for (const text of formatted) card.addParts("ADR", ";", streetAlone(text), types);
    } else card.addParts("ADR", ";", parts.map((texts) => texts.join(", ")), types);
  }
}

/** Some tables have the whole address alone, others only its parts. */
function addressesOf(row: PresetRow): readonly string[] {
  const formatted = numbered(row, "Address", "Formatted");
  const streets = numbered(row, "Address", "Street");
  return formatted.length > streets.length ? formatted : streets;
}

function streetAlone(text: string): readonly string[] {
  return ADDRESS.map((_, index) => index === STREET ? text : "");
}

function addOrganizations(row: PresetRow, card: ContactLines): void {
  for (const each of ["Organization", ...numbered(row, "Organization", "Name")]) {
    const of = (name: string) =>
      row.text(each === "Organization" ? `${each} ${name}` : `${each} - ${name}`);
    card.addParts("ORG", ";", [of("Name"), of("Department")]);
    card.add("TITLE", of("Title"));
  }
}

function addHandles(row: PresetRow, card: ContactLines): void {
  for (const each of numbered(row, "IM")) {
    const services = split(row.text(`${each} - Service`));
    const types = typesOf(row, each);
    for (const [index, text] of valuesOf(row, each).entries()) {
      const service = services[index] ?? services[0];
      card.add(
        "IMPP",
        text,
        new Map([
          ...typed(types),
          ...service === undefined ? [] : [["X-SERVICE-TYPE", [service]] as const],
        ]),
      );
    }
  }
}

/** The numbered columns of a kind that the row reaches: `Phone 1`, `Phone 2`. */
function numbered(row: PresetRow, kind: string, part = "Value"): readonly string[] {
  const names: string[] = [];
  const next = () => `${kind} ${names.length + 1}`;
  while (row.reaches(`${next()} - ${part}`)) names.push(next());
  return names;
}

/** Several values of one column. */
function split(text: string): readonly string[] {
  return text.split(" ::: ").map((part) => part.trim()).filter((part) => part !== "");
}

function valuesOf(row: PresetRow, each: string): readonly string[] {
  return split(row.text(`${each} - Value`));
}

/** The label; a star before it marks the preferred value. */
function labelOf(row: PresetRow, each: string): string {
  return row.firstText(`${each} - Label`, `${each} - Type`).replace(/^\*\s*/, "");
}

function typesOf(row: PresetRow, each: string): readonly string[] {
  const isPreferred = row.firstText(`${each} - Label`, `${each} - Type`).startsWith("*");
  const label = labelOf(row, each);
  return [...label === "" ? [] : [label], ...isPreferred ? ["pref"] : []];
}
