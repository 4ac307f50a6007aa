/** Contacts with a person (REL-004). */

import type { Caller } from "../../access/identity.ts";
import { notInTheFuture, rule } from "../../catalog/rules.ts";
import { sha256Hex } from "../../core/digest.ts";
import { newId } from "../../core/ids.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import { fieldsOf, keptFields } from "../../kit/declaration.ts";
import { choice, clocks, id, longText, revision, shortText, stamp, time } from "../../kit/kinds.ts";
import { PRIVACY_LEVELS } from "../../kit/stored_ledger.ts";
import { component, enumOf, type JsonSchema, SHA256 } from "../../validate/json_schema.ts";
import type { PersonRow } from "./person.ts";
import { hides, shownClocks } from "./privacy.ts";

const CHANNELS = ["IN_PERSON", "CALL", "VIDEO", "MESSAGE", "EMAIL", "LETTER", "OTHER"] as const;

const DIRECTIONS = ["OUTGOING", "INCOMING", "MUTUAL"] as const;

const STATED = {
  contacted_at: time,
  clocks,
  channel: choice(CHANNELS),
  direction: choice(DIRECTIONS),
  note: orNull(longText),
  privacy: choice(PRIVACY_LEVELS),
};
export type ContactColumns = RowOf<typeof STATED>;

/** The columns that determine a person's last contact. */
export type ContactTime = Pick<ContactColumns, "contacted_at" | "clocks" | "privacy">;

export const CONTACT = {
  contact_id: id,
  person_id: id,
  ...STATED,
  /** SHA-256 of the note in hex; null without one. */
  content_hash: orNull(shortText(SHA256)),
  /** The revision that the contact appended to the person. */
  person_revision: revision,
  recorded_at: stamp,
};

export const CONTACT_CONTROL_COLUMNS = {
  control_id: id,
  contact_id: id,
  person_id: id,
  kind: choice(["RETRACTED"]),
  /** The revision that the retraction appended to the person. */
  person_revision: revision,
  recorded_at: stamp,
};

export interface ContactRow extends RowOf<typeof CONTACT> {
  readonly is_retracted: boolean;
}

export interface Contact extends ShownOf<typeof CONTACT> {
  readonly state: "LIVE" | "RETRACTED";
  /**
   * Present if the reader may not see the note; note and hash are then null, and there are no local
   * times.
   */
  readonly redacted?: true;
}

export const CONTACT_SCHEMA: JsonSchema = component<Contact>("PersonContact", {
  ...membersOf(CONTACT),
  state: enumOf(["LIVE", "RETRACTED"]),
  redacted: { const: true },
}, ["redacted"]);

export const CONTACT_FIELDS = keptFields(
  STATED,
  fieldsOf(STATED, [
    rule(
      "contact.contacted_at_not_in_the_future",
      "contactedAt is not in the future",
      notInTheFuture("contactedAt"),
    ),
  ]),
);

/** Creates a contact. `person` is at the revision that the contact appends. */
export function newContact(
  { person_id, revision, updated_at }: PersonRow,
  columns: ContactColumns,
): ContactRow {
  return {
    contact_id: newId(updated_at),
    person_id,
    person_revision: revision,
    ...columns,
    content_hash: columns.note === null ? null : sha256Hex(columns.note),
    recorded_at: updated_at,
    is_retracted: false,
  };
}

/** Returns the contact that a person's creation states; null if it states none. */
export function firstContact(person: PersonRow): ContactRow | null {
  const { last_contact_at: contacted_at, clocks } = person;
  if (contacted_at === null) return null;
  return newContact(person, {
    contacted_at,
    clocks: shownClocks("contactedAt", { privacy: "NORMAL", clocks }),
    channel: "OTHER",
    direction: "MUTUAL",
    note: null,
    privacy: "NORMAL",
  });
}

const HIDDEN = { localTimes: {}, note: null, contentHash: null, redacted: true } as const;

/** Without the note and the clock if the reader may not see them. */
export function showContact(row: ContactRow, reader: Caller): Contact {
  return {
    ...showColumns(CONTACT, row),
    state: row.is_retracted ? "RETRACTED" : "LIVE",
    ...(hides(row.privacy === "SECRET", reader, row.person_id) && HIDDEN),
  };
}
