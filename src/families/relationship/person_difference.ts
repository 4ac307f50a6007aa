/** The difference between the item of an import and a stored person. */

import { sha256Hex } from "../../core/digest.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import type { LeftOut, PersonComparison } from "../../kit/import_target.ts";
import { canonicalJson } from "../../validate/canonical.ts";
import { shownBy } from "./card_forms.ts";
import { comparedDigits } from "./compared_number.ts";
import type { ContactColumns } from "./contact.ts";
import type { DetailBody } from "./detail.ts";
import { MAX_LIVE_DETAILS } from "./detail_value.ts";
import type { ExperienceColumns } from "./experience.ts";
import type { ImportedDetail, NewPerson } from "./imported_people.ts";
import { contactForm, type StoredDetail, type StoredEntries, textForm } from "./stored_entries.ts";

export interface PersonDifference extends LeftOut {
  /** The new name; null if it stays. */
  readonly name: string | null;
  readonly added: readonly ImportedDetail[];
  readonly gone: readonly StoredDetail[];
  readonly experiences: readonly ExperienceColumns[];
  readonly contacts: readonly ContactColumns[];
}

/** True if an item changes nothing. */
export function isNoDifference(difference: PersonDifference): boolean {
  const { name, added, gone, experiences, contacts } = difference;
  return name === null && [added, gone, experiences, contacts].every(({ length }) => length === 0);
}

/** Rule of an item whose name differs from the one that was given here. */
const NAME_STAYS = "import.edited_here";

/** Compares the content of an item with a stored person. */
export function personDifference(
  { row, details, experiences, contacts }: NewPerson,
  stored: StoredEntries,
  comparison: PersonComparison,
): PersonDifference {
  const { takes, isWhole, own } = comparison;
  const { name, name_revision } = stored.person;
  const isOtherName = isWhole && takes && row.person_name !== name;
  const isOwnName = own(name_revision);
  const wasMade = own(1);
  const fitting = fittingDetails(detailDifference(details, stored.details, comparison), stored);
  return {
    ...fitting,
    name: isOtherName && isOwnName ? row.person_name : null,
    experiences: isWhole ? newNotes(experiences, stored) : [],
    contacts: isWhole ? contacts.filter((each) => !stored.contacts.has(contactForm(each))) : [],
    rules: [...fitting.rules, ...isOtherName && !isOwnName && wasMade ? [NAME_STAYS] : []],
  };
}

/** Line ends of stored texts. Cards of this service have only the first. */
const LINE_ENDS = ["\n", "\r\n", "\r"];

/** Notes with new texts. Line ends do not count. */
function newNotes(notes: readonly ExperienceColumns[], { texts }: StoredEntries) {
  const known = new Set(texts);
  return notes.filter(({ title, narrative }) => {
    const form = (end: string) =>
      textForm(title, narrative === null ? null : sha256Hex(narrative.replaceAll("\n", end)));
    const isNew = !LINE_ENDS.some((end) => known.has(form(end)));
    if (isNew) known.add(form("\n"));
    return isNew;
  });
}

type DetailDifference = Pick<PersonDifference, "added" | "gone">;

/**
 * Details to add and to retract. Those that an import of the item wrote are compared in full, all
 * others in the form in which people are joined, or as a card of this service shows them.
 */
function detailDifference(
  wanted: readonly ImportedDetail[],
  stored: readonly StoredDetail[],
  { own, imported, takes, isOwnCard, part }: PersonComparison,
): DetailDifference {
  const isOwn = (row: StoredDetail) =>
    takes && own(row.person_revision) && (part === undefined || isLink(row) === (part === "links"));
  const live = stored.filter(({ ended_revision }) => ended_revision === null);
  const ownRows = live.filter(isOwn);
  const wantedForms = new Set(wanted.map(wholeForm));
  const gone = ownRows.filter((row) => !wantedForms.has(wholeForm(row)));
  const others = [
    ...live.filter((row) => !isOwn(row)),
    // A detail that ended here stays so.
    ...stored.filter(({ ended_revision }) =>
      ended_revision !== null && imported !== null && !imported(ended_revision)
    ),
  ];
  const present = new Set(others.flatMap(comparedDetailForms));
  const isShown = isOwnCard ? shownBy(others) : () => false;
  const known = new Set(ownRows.map(wholeForm));
  const secrets = new Set(stored.filter(({ is_secret }) => is_secret).map(factOf));
  const added = wanted.filter((body) => {
    const isNew = !known.has(wholeForm(body)) && !present.has(comparedDetail(body)) &&
      !isShown(body);
    known.add(wholeForm(body));
    if (!takes) present.add(comparedDetail(body));
    return isNew;
  }).map((body) => secrets.has(factOf(body)) ? { ...body, privacy: "SECRET" as const } : body);
  return { added, gone };
}

/** A link that the end of a run adds, or the line of one whose person is not known. */
export function isLink(
  { kind, value }: { readonly kind?: JsonValue; readonly value?: JsonValue },
): boolean {
  return kind === "LINK" ||
    kind === "OTHER" && isJsonObject(value) && value.property === "RELATED";
}

/** The first new details that fit; the others are counted by property. */
function fittingDetails(
  { added, gone }: DetailDifference,
  { details }: StoredEntries,
): DetailDifference & LeftOut {
  const live = details.filter(({ ended_revision }) => ended_revision === null).length;
  const room = Math.max(0, MAX_LIVE_DETAILS - live + gone.length);
  const unmapped = added.slice(room).map(propertyOf);
  const rules = unmapped.length === 0 ? [] : ["detail.count"];
  return { added: added.slice(0, room), gone, rules, unmapped };
}

const PROPERTIES: Readonly<Record<DetailBody["kind"], string>> = {
  NAME: "N",
  PHONE: "TEL",
  EMAIL: "EMAIL",
  URL: "URL",
  HANDLE: "IMPP",
  ADDRESS: "ADR",
  ORGANIZATION: "ORG",
  DATE: "DATE",
  LINK: "RELATED",
  OTHER: "OTHER",
};

function propertyOf({ kind, value, lines }: ImportedDetail): string {
  const [, property] = /^(?:[^.:;]*\.)?([^.:;]+)[:;]/.exec(lines?.lines[0] ?? "") ?? [];
  return property?.toUpperCase() ?? (kind === "OTHER" ? String(value.property) : PROPERTIES[kind]);
}

/** The form in which details of other items and of the owner are compared. */
function comparedDetail({ kind, value }: Pick<DetailBody, "kind" | "value">): string {
  return comparedDigits(kind, value) ?? canonicalJson({ kind, value });
}

/** A new detail is SECRET if one with the same fact was; types and a date itself may differ. */
function factOf(
  { kind, value, label }: Pick<DetailBody, "kind" | "value"> & { readonly label?: string | null },
): string {
  if (kind === "DATE") {
    return canonicalJson({ kind, what: value.what ?? null, label: label ?? null });
  }
  return comparedDigits(kind, value) ?? canonicalJson({ kind, value: { ...value, types: null } });
}

/** A link to a person is also one by that person's name. */
function comparedDetailForms({ kind, value, linked_name }: StoredDetail): string[] {
  const form = comparedDetail({ kind, value });
  if (linked_name === null) return [form];
  const byName = { name: value.name ?? linked_name, relation: value.relation ?? "" };
  return [form, comparedDetail({ kind, value: byName })];
}

function wholeForm(
  { kind, value, label, preferred = false, note }: {
    readonly kind: string;
    readonly value: JsonObject;
    readonly label?: string | null;
    readonly preferred?: boolean;
    readonly note?: string | null;
  },
): string {
  return canonicalJson({ kind, value, label: label ?? null, preferred, note: note ?? null });
}
