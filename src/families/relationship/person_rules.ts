import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { newColumns } from "../../kit/fields.ts";
import { appendRevision, firstRevision } from "../../kit/root.ts";
import type { ContactTime } from "./contact.ts";
import { NEW_PERSON_FIELDS, type PersonChange, type PersonRow, type Status } from "./person.ts";
import { shownClocks } from "./privacy.ts";

export interface NextPerson {
  readonly row: PersonRow;
  readonly change: PersonChange;
}

/** @throws ServiceError `PAYLOAD_INVALID` by the module's policy. */
export function decideCreate(body: JsonObject, now: Date): PersonRow {
  const person_id = newId(now);
  return {
    person_id,
    ...firstRevision(now),
    ...newColumns(NEW_PERSON_FIELDS, body, { now, recordId: person_id }),
    archived_at: null,
    status: "ACTIVE",
    status_before: null,
    current_evaluation_revision: null,
  };
}

/** The moves that `/status` allows; archiving and restoring are separate commands. */
const MOVES: Readonly<Record<Status, readonly Status[]>> = {
  ACTIVE: ["PAUSED", "SEALED"],
  PAUSED: ["ACTIVE", "SEALED"],
  ARCHIVED: ["SEALED"],
  SEALED: [],
};

/**
 * @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` for any move not in `MOVES`, also to the
 *   present status.
 */
export function decideStatus(before: PersonRow, status: Status, now: Date): NextPerson {
  if (!MOVES[before.status].includes(status)) throw statusConflict();
  return appendRevision(before, "STATUS_CHANGED", now, { status, status_before: null });
}

/** @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` unless the person is active or paused. */
export function decideArchive(before: PersonRow, now: Date): NextPerson {
  assertOpen(before);
  const { row, change } = appendRevision(before, "ARCHIVED", now, {
    status: "ARCHIVED",
    status_before: before.status,
  });
  return { row: { ...row, archived_at: row.updated_at }, change };
}

/** @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` unless the person is archived. */
export function decideRestore(before: PersonRow, now: Date): NextPerson {
  if (before.status_before === null) throw statusConflict();
  const status = before.status_before;
  return appendRevision(before, "RESTORED", now, {
    status,
    status_before: null,
    archived_at: null,
  });
}

/** Effect of a new contact; an older one changes only the revision. */
export function decideContact(before: PersonRow, contact: ContactTime, now: Date): NextPerson {
  const { last_contact_at: last } = before;
  const isLast = last === null || contact.contacted_at >= last;
  return appendRevision(before, "CONTACT_RECORDED", now, isLast ? lastContact(contact) : {});
}

/** @param newest The newest remaining contact. */
export function decideRetraction(
  before: PersonRow,
  newest: ContactTime | null,
  now: Date,
): NextPerson {
  return appendRevision(before, "CONTACT_RETRACTED", now, lastContact(newest));
}

function lastContact(contact: ContactTime | null): Pick<PersonRow, "last_contact_at" | "clocks"> {
  if (contact === null) return { last_contact_at: null, clocks: null };
  return { last_contact_at: contact.contacted_at, clocks: shownClocks("lastContactAt", contact) };
}

/** Decides the effect of a confirmed evaluation, which changes only the revision. */
export function decideEvaluation(before: PersonRow, now: Date): NextPerson {
  const current_evaluation_revision = (before.current_evaluation_revision ?? 0) + 1;
  return appendRevision(before, "EVALUATION_CONFIRMED", now, { current_evaluation_revision });
}

/** A detail changes only the revision. */
export function decideDetail(
  before: PersonRow,
  change: "DETAIL_RECORDED" | "DETAIL_CONTROLLED",
  now: Date,
): NextPerson {
  return appendRevision(before, change, now, {});
}

/** @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` for an archived or sealed person. */
export function assertOpen(person: Pick<PersonRow, "status">): void {
  if (!isOpen(person)) throw statusConflict();
}

/** True if the person accepts entries: neither archived nor sealed. */
export function isOpen({ status }: Pick<PersonRow, "status">): boolean {
  return status !== "ARCHIVED" && status !== "SEALED";
}

/** @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` for a sealed person. */
export function assertUnsealed({ status }: Pick<PersonRow, "status">): void {
  if (status === "SEALED") throw statusConflict();
}

function statusConflict(): ServiceError {
  return new ServiceError("RELATIONSHIP_STATUS_CONFLICT");
}
