/** `outlook-contacts`: contacts of Outlook and Outlook.com. */

import type { SourceItem } from "../converter.ts";
import { contactDay, contactItems, ContactLines, typed } from "./contact.ts";
import { type PresetContext, rowPreset } from "./preset.ts";
import type { PresetRow } from "./preset_row.ts";

export const OUTLOOK_CONTACTS = rowPreset({
  name: "outlook-contacts",
  knows: (head) => head.has("E-mail Address", "First Name", "Last Name"),
  target: "person",
  convertRow,
});

const RELATIONS = [
  ["Spouse", "spouse"],
  ["Manager's Name", "manager"],
  ["Assistant's Name", "assistant"],
] as const;

function convertRow(row: PresetRow, context: PresetContext): Promise<readonly SourceItem[]> {
  const card = new ContactLines();
  card.addParts("N", ";", [
    row.text("Last Name"),
    row.text("First Name"),
    row.text("Middle Name"),
    row.text("Title"),
    row.text("Suffix"),
  ]);
  card.add("NICKNAME", row.text("Nickname"));
  const phonetic = [row.text("Given Name Yomi"), row.text("Family Name Yomi")].join(" ").trim();
  card.add("X-PHONETIC-NAME", phonetic);
  for (const number of ["", "2 ", "3 "]) card.add("EMAIL", row.text(`E-mail ${number}Address`));
  addPhones(row, card);
  addAddresses(row, card);
  card.addParts("ORG", ";", [row.text("Company"), row.text("Department")]);
  card.add("TITLE", row.text("Job Title"));
  for (const name of ["Web Page", "Personal Web Page"]) card.add("URL", row.text(name));
  card.add("BDAY", contactDay(row.text("Birthday"), context));
  card.add("ANNIVERSARY", contactDay(row.text("Anniversary"), context));
  for (const [name, relation] of RELATIONS) {
    card.addLabelled("X-ABRELATEDNAMES", row.text(name), relation);
  }
  card.add("NOTE", row.text("Notes"));
  card.addParts("CATEGORIES", ",", row.list("Categories", ";"));
  return contactItems(row, card, context);
}

const PHONES = [
  "Primary Phone",
  "Business Phone",
  "Business Phone 2",
  "Home Phone",
  "Home Phone 2",
  "Mobile Phone",
  "Car Phone",
  "Company Main Phone",
  "Assistant's Phone",
  "Other Phone",
  "Business Fax",
  "Home Fax",
  "Other Fax",
  "Pager",
  "Callback",
  "ISDN",
  "Radio Phone",
  "TTY/TDD Phone",
  "Telex",
];

/** The types are the words of the column, without those that say that it has a number. */
function addPhones(row: PresetRow, card: ContactLines): void {
  for (const name of PHONES) {
    const words = name.toLowerCase().replace("'s", "").match(/[a-z]+/g) ?? [];
    card.add("TEL", row.text(name), typed(words.filter((word) => word !== "phone")));
  }
}

function addAddresses(row: PresetRow, card: ContactLines): void {
  for (const kind of ["Business", "Home", "Other"]) {
    const of = (name: string) => row.text(`${kind} ${name}`);
    const street = ["Street", "Street 2", "Street 3"].map(of).filter((line) => line !== "");
    const parts = [
      of("Address PO Box"),
      "",
      street.join("\n"),
      of("City"),
      of("State"),
      of("Postal Code"),
      row.firstText(`${kind} Country/Region`, `${kind} Country`),
    ];
    card.addParts("ADR", ";", parts, typed([kind.toLowerCase()]));
  }
}
