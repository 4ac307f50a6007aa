/** REL-004: contacts. The newest that is not retracted is the person's last contact. */

import type { Caller } from "../../access/identity.ts";
import type { PlannedWrite } from "../../command/command.ts";
import { newId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { fieldsBody } from "../../kit/fields.ts";
import type { Endpoint } from "../../http/route.ts";
import { oneOf } from "../../validate/schema.ts";
import {
  type Contact,
  CONTACT_FIELDS,
  CONTACT_SCHEMA,
  type ContactColumns,
  type ContactRow,
  type ContactTime,
  newContact,
  showContact,
} from "./contact.ts";
import {
  CONTACT_LEDGER,
  type ContactControl,
  contactEntries,
  findNewestContact,
  retractionEntries,
} from "./contact_store.ts";
import { controlEndpoint, type ControlRoute } from "./control.ts";
import { fieldEntryEndpoints } from "./ledger_routes.ts";
import type { PersonRow } from "./person.ts";
import { isHidden } from "./privacy.ts";
import { assertOpen, decideContact, decideRetraction } from "./person_rules.ts";
import { entryWrite, type RelationshipServices } from "./person_store.ts";

export function createContactEndpoints(
  services: RelationshipServices,
): Readonly<Record<"append" | "list" | "detail" | "control", Endpoint>> {
  return {
    ...fieldEntryEndpoints(services, CONTACT_LEDGER, {
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
      },
      list: "List the contacts with a person, newest first",
      detail: "Read a contact",
      kept: CONTACT_FIELDS,
      write: contactWrite,
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
  const next = decideContact(person, columns, now);
  const contact = newContact(next.row, columns);
  return entryWrite(writer, next, {
    subjectId: contact.contact_id,
    result: showContact(contact, writer),
    added: (sql, owner) => contactEntries(sql, owner, contact),
  });
}

const CONTROL_BODY = { kind: oneOf("RETRACTED") };

interface ControlledContact {
  readonly contact: ContactRow | undefined;
  /** The newest other contact that is not retracted. */
  readonly newest: ContactTime | null;
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
      CONTACT_LEDGER.find(sql, owner, { personId }, entryId),
      findNewestContact(sql, owner, personId, entryId),
    ]);
    return { contact, newest };
  },
  decide(person, { contact, newest }, { caller, now }) {
    if (contact === undefined) throw new ServiceError("RECORD_NOT_FOUND");
    if (isHidden(contact.privacy, caller)) throw new ServiceError("FORBIDDEN");
    if (contact.is_retracted) throw new ServiceError("RELATIONSHIP_ENTRY_CONFLICT");
    const next = decideRetraction(person, newest, now);
    const { person_id, revision, updated_at } = next.row;
    const control: ContactControl = {
      control_id: newId(updated_at),
      contact_id: contact.contact_id,
      person_id,
      kind: "RETRACTED",
      person_revision: revision,
      recorded_at: updated_at,
    };
    return entryWrite(caller, next, {
      subjectId: control.control_id,
      result: showContact({ ...contact, is_retracted: true }, caller),
      added: (sql, owner) => retractionEntries(sql, owner, control),
    });
  },
  // Nothing changes a contact after its retraction.
  findAfter: (sql, { owner, personId, entryId }) =>
    CONTACT_LEDGER.find(sql, owner, { personId }, entryId),
  show: showContact,
};
