/** REL-004: contacts. The newest that is not retracted is the person's last contact. */

import type { Caller } from "../../access/identity.ts";
import type { PlannedWrite } from "../../command/command.ts";
import { newId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { entryEndpoints, type LedgerEntry } from "../../kit/entry.ts";
import { fieldsBody, newColumns } from "../../kit/fields.ts";
import type { Endpoint } from "../../http/route.ts";
import { oneOf } from "../../validate/schema.ts";
import {
  type Contact,
  CONTACT_FIELDS,
  CONTACT_SCHEMA,
  type ContactColumns,
  type ContactRow,
  newContact,
  showContact,
} from "./contact.ts";
import {
  contactEntries,
  findContact,
  findNewestContact,
  readContacts,
  retractionEntries,
} from "./contact_store.ts";
import { controlEndpoint, type ControlRoute } from "./control.ts";
import type { PersonRow } from "./person.ts";
import { isHidden } from "./privacy.ts";
import { assertOpen, decideContact, decideRetraction } from "./person_rules.ts";
import {
  entryStatement,
  PEOPLE,
  personOptions,
  type PersonTypes,
  type RelationshipServices,
  STORED_PEOPLE,
} from "./person_store.ts";

export const CONTACTS: LedgerEntry<PersonTypes["key"], ContactRow, Contact> = {
  policy: "relationship-contact",
  idName: "contactId",
  find: (sql, owner, { personId }, id) => findContact(sql, owner, personId, id),
  cursor: (sql, owner, { personId }, id) => findContact(sql, owner, personId, id),
  rows: (sql, reader, { personId }, page) => readContacts(sql, reader, personId, page),
  cursorOf: (row) => row.contact_id,
  show: showContact,
  showAsMade: (row, reader) => showContact({ ...row, is_retracted: false }, reader),
  schema: CONTACT_SCHEMA,
};

export function createContactEndpoints(
  services: RelationshipServices,
): Readonly<Record<"append" | "list" | "detail" | "control", Endpoint>> {
  return {
    ...entryEndpoints(services, PEOPLE, CONTACTS, {
      append: {
        summary: "Record a contact with a person",
        body: fieldsBody(CONTACT_FIELDS.fields),
        example: {
          contactedAt: "2026-06-01T18:30:00Z",
          channel: "CALL",
          direction: "OUTGOING",
          note: "The move went well.",
          privacy: "PRIVATE",
        },
        errors: ["RELATIONSHIP_STATUS_CONFLICT"],
        options: personOptions,
        check: (body, now) => void newColumns(CONTACT_FIELDS, body, { now, recordId: "" }),
        decide: (person, body, { call: { caller, now } }) =>
          contactWrite(
            person,
            newColumns(CONTACT_FIELDS, body, { now, recordId: "" }),
            caller,
            now,
          ),
      },
      list: {
        summary: "List the contacts with a person, newest first",
        signedWith: services.serverSecret,
      },
      detail: { summary: "Read a contact" },
    }),
    control: controlEndpoint(services, CONTACT_CONTROL),
  };
}

/**
 * Decides a contact and the person's revision that it appends.
 *
 * @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` for an archived person.
 */
export function contactWrite(
  person: PersonRow,
  columns: ContactColumns,
  writer: Caller,
  now: Date,
): PlannedWrite<Contact> {
  assertOpen(person);
  const owner = writer.account.accountId;
  const { row, change } = decideContact(person, columns.contacted_at, now);
  const contact = newContact(row, columns);
  return {
    subjectId: contact.contact_id,
    revision: row.revision,
    result: showContact(contact, writer),
    statement: (sql, ledger) =>
      entryStatement(
        sql,
        ledger,
        sql`
          ${STORED_PEOPLE.entries(sql, owner, row, change)},
          ${contactEntries(sql, owner, contact)}`,
      ),
  };
}

const CONTROL_BODY = { kind: oneOf("RETRACTED") };

interface ControlledContact {
  readonly contact: ContactRow | undefined;
  /** Time of the newest other contact that is not retracted. */
  readonly newest: Date | null;
}

export const CONTACT_CONTROL: ControlRoute<
  typeof CONTROL_BODY,
  ControlledContact,
  ContactRow,
  Contact
> = {
  summary: "Retract a contact permanently",
  body: CONTROL_BODY,
  example: { kind: "RETRACTED" },
  errors: ["RELATIONSHIP_ENTRY_CONFLICT"],
  idName: "contactId",
  policy: "relationship-contact-control",
  schema: CONTACT_SCHEMA,
  async related(sql, { owner, personId, entryId }) {
    const [[contact], newest] = await Promise.all([
      findContact(sql, owner, personId, entryId),
      findNewestContact(sql, owner, personId, entryId),
    ]);
    return { contact, newest };
  },
  decide(person, { contact, newest }, { caller, owner, now }) {
    if (contact === undefined) throw new ServiceError("RECORD_NOT_FOUND");
    if (isHidden(contact.privacy, caller)) throw new ServiceError("FORBIDDEN");
    if (contact.is_retracted) throw new ServiceError("RELATIONSHIP_ENTRY_CONFLICT");
    const { row, change } = decideRetraction(person, newest, now);
    const control = {
      control_id: newId(row.updated_at),
      contact_id: contact.contact_id,
      person_id: row.person_id,
      person_revision: row.revision,
      recorded_at: row.updated_at,
    };
    return {
      subjectId: control.control_id,
      revision: row.revision,
      result: showContact({ ...contact, is_retracted: true }, caller),
      statement: (sql, ledger) =>
        entryStatement(
          sql,
          ledger,
          sql`
            ${STORED_PEOPLE.entries(sql, owner, row, change)},
            ${retractionEntries(sql, owner, control)}`,
        ),
    };
  },
  // Nothing changes a contact after its retraction.
  findAfter: (sql, { owner, personId, entryId }) => findContact(sql, owner, personId, entryId),
  show: showContact,
};
