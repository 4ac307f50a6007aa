/** A contact with a person as it is stored, and as a client sees it (REL-004). */

import type { Caller } from "../../access/identity.ts";
import { datetime, select, textarea } from "../../catalog/fields.ts";
import type { FieldSet } from "../../catalog/module.ts";
import type { PayloadView } from "../../catalog/payload_view.ts";
import { notInTheFuture, rule } from "../../catalog/rules.ts";
import { sha256Hex } from "../../core/digest.ts";
import { newId } from "../../core/ids.ts";
import { present } from "../kit/fields.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  REVISION,
  SHA256,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import type { PersonRow } from "./person.ts";
import { hides, PRIVACY_LEVELS, type PrivacyLevel } from "./privacy.ts";

const CHANNELS = ["IN_PERSON", "CALL", "VIDEO", "MESSAGE", "EMAIL", "LETTER", "OTHER"] as const;

const DIRECTIONS = ["OUTGOING", "INCOMING", "MUTUAL"] as const;

/** What a client states of a contact, as columns. */
export interface ContactColumns {
  readonly contacted_at: Date;
  readonly channel: string;
  readonly direction: string;
  readonly note: string | null;
  readonly privacy: PrivacyLevel;
}

/** A contact as read from the database. */
export interface ContactRow extends ContactColumns {
  readonly contact_id: string;
  readonly person_id: string;
  /** The revision of the person that it has appended. */
  readonly person_revision: number;
  /** SHA-256 of the note in hexadecimal digits; null without one. */
  readonly content_hash: string | null;
  readonly recorded_at: Date;
  readonly is_retracted: boolean;
}

/** A contact as a client sees it. */
export interface Contact {
  readonly contactId: string;
  readonly personId: string;
  readonly contactedAt: string;
  readonly channel: string;
  readonly direction: string;
  readonly note: string | null;
  readonly privacy: PrivacyLevel;
  readonly contentHash: string | null;
  readonly state: "LIVE" | "RETRACTED";
  readonly personRevision: number;
  readonly recordedAt: string;
  /** Where the reader may not see the note: note and hash are null then. */
  readonly redacted?: true;
}

export const CONTACT_SCHEMA: JsonSchema = component<Contact>("PersonContact", {
  contactId: ULID,
  personId: ULID,
  contactedAt: TIME,
  channel: enumOf(CHANNELS),
  direction: enumOf(DIRECTIONS),
  note: nullable(TEXT),
  privacy: enumOf(PRIVACY_LEVELS),
  contentHash: nullable(SHA256),
  state: enumOf(["LIVE", "RETRACTED"]),
  personRevision: REVISION,
  recordedAt: TIME,
  redacted: { const: true },
}, ["redacted"]);

const FIELDS: FieldSet = {
  fields: [
    datetime("contactedAt", { required: true }),
    select("channel", CHANNELS, { required: true }),
    select("direction", DIRECTIONS, { required: true }),
    textarea("note"),
    select("privacy", PRIVACY_LEVELS, { required: true }),
  ],
  rules: [
    rule(
      "contact.contacted_at_not_in_the_future",
      "contactedAt is not in the future",
      notInTheFuture("contactedAt"),
    ),
  ],
};

/** What a client states of a contact, and how it is kept. */
export const CONTACT_FIELDS = {
  fields: FIELDS,
  columns: (fields: PayloadView): ContactColumns => ({
    contacted_at: present(fields.date("contactedAt")),
    channel: present(fields.text("channel")),
    direction: present(fields.text("direction")),
    note: fields.text("note") ?? null,
    privacy: present(fields.text("privacy")) as PrivacyLevel,
  }),
} as const;

/** A new contact of a person, whose present revision is the one that the contact appends. */
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

/** The contact that a person begins with; null where its creation stated none. */
export function firstContact(person: PersonRow): ContactRow | null {
  const { last_contact_at: contacted_at } = person;
  if (contacted_at === null) return null;
  return newContact(person, {
    contacted_at,
    channel: "OTHER",
    direction: "MUTUAL",
    note: null,
    privacy: "NORMAL",
  });
}

const HIDDEN = { note: null, contentHash: null, redacted: true } as const;

/** A contact as far as its reader may see it. */
export function showContact(row: ContactRow, reader: Caller): Contact {
  return {
    contactId: row.contact_id,
    personId: row.person_id,
    contactedAt: row.contacted_at.toISOString(),
    channel: row.channel,
    direction: row.direction,
    note: row.note,
    privacy: row.privacy,
    contentHash: row.content_hash,
    state: row.is_retracted ? "RETRACTED" : "LIVE",
    personRevision: row.person_revision,
    recordedAt: row.recorded_at.toISOString(),
    ...(hides(row.privacy === "SECRET", reader, row.person_id) && HIDDEN),
  };
}
