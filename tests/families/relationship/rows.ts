/** Relationship rows written past the application. */

import { ulid } from "@std/ulid";
import { sha256Hex } from "../../../src/core/digest.ts";
import { type RootKind, stepRow } from "../../storage/family_rows.ts";
import { AT, insertInto, nextRoot, type Row } from "../../storage/rows.ts";

export const PEOPLE: RootKind = {
  root: "people",
  ledger: "person_revisions",
  id: "person_id",
  module: "relationship",
  projected: ({ person_name = null, relationship_type = null, archived_at = null }) => ({
    title: person_name,
    summary: relationship_type,
    payload: "{}",
    archived_at,
  }),
  fixed: [],
  restricted: [
    "archived_at",
    "last_contact_at",
    "status",
    "status_before",
    "current_evaluation_revision",
    "clocks",
  ],
  sample: () => ({
    archived_at: null,
    person_name: "Lena",
    relationship_type: "FRIEND",
    importance: 3,
    last_contact_at: null,
    desired_contact_interval_days: 30,
    opinion: "Kind.",
    evidence: null,
    counter_evidence: null,
    status: "ACTIVE",
    status_before: null,
    current_evaluation_revision: null,
    clocks: null,
  }),
  others: {
    person_name: "Helena",
    relationship_type: "FAMILY",
    importance: 5,
    desired_contact_interval_days: 7,
    opinion: "Kind and quick.",
    evidence: "Came at once.",
    counter_evidence: "Late.",
  },
};

export interface Step {
  readonly script: string;
  readonly person: Row;
}

/** Appends a revision; `forged` changes its ledger row. */
export function revise(person: Row, change: string, columns: Row = {}, forged: Row = {}): Step {
  const next = nextRoot(person, columns);
  return { script: stepRow({ ...PEOPLE, change }, person, next, forged), person: next };
}

export function lineOf({ owner_id, person_id }: Row, kind: string, source: Row): Row {
  const own = { owner_id, person_id, entry_id: ulid(), kind } as Row;
  return { ...own, source_id: null, occurred_at: null, recorded_at: AT, ...source };
}

export function insertLine(line: Row): string {
  return insertInto("person_timeline_entries", line);
}

/** The event of a move that led to this revision. */
export function eventOf({ owner_id, person_id, revision }: Row, columns: Row = {}): Row {
  const own = { owner_id, person_id, event_id: ulid(), person_revision: revision } as Row;
  return {
    ...own,
    from_status: "ACTIVE",
    to_status: "PAUSED",
    reason: null,
    recorded_at: AT,
    ...columns,
  };
}

/** Moves the status, with event and line. */
export function moveTo(person: Row, status: string, change = "STATUS_CHANGED"): Step {
  const archives = status === "ARCHIVED";
  const { script, person: next } = revise(person, change, {
    status,
    status_before: archives ? person.status ?? null : null,
    ...(archives ? { archived_at: AT } : status === "SEALED" ? {} : { archived_at: null }),
  });
  const event = eventOf(next, { from_status: person.status ?? null, to_status: status });
  const line = lineOf(next, "STATUS_CHANGED", { source_id: event.event_id ?? null });
  const events = insertInto("person_status_events", event);
  return { script: script + events + insertLine(line), person: next };
}

/** Appended this revision. */
export function contactOf({ owner_id, person_id, revision }: Row, columns: Row = {}): Row {
  const note = columns.note === undefined ? "By the lake" : columns.note;
  return {
    ...{ owner_id, person_id, contact_id: ulid(), person_revision: revision } as Row,
    contacted_at: "2026-06-01T00:00:00.000Z",
    channel: "CALL",
    direction: "MUTUAL",
    note,
    privacy: "NORMAL",
    content_hash: typeof note === "string" ? sha256Hex(note) : null,
    recorded_at: AT,
    ...columns,
  };
}

/** Inserts the contact and its timeline line. */
export function insertContact(contact: Row): string {
  const { contact_id = null, contacted_at = null } = contact;
  const line = { source_id: contact_id, occurred_at: contacted_at };
  return insertInto("person_contacts", contact) +
    insertLine(lineOf(contact, "CONTACT_RECORDED", line));
}

/** Accepted by the database as the newest. */
export function recordContact(person: Row, columns: Row = {}): Step & { readonly contact: Row } {
  const contacted_at = columns.contacted_at ?? "2026-06-01T00:00:00.000Z";
  const { script, person: next } = revise(person, "CONTACT_RECORDED", {
    last_contact_at: contacted_at,
  });
  const contact = contactOf(next, { contacted_at, ...columns });
  return { script: script + insertContact(contact), person: next, contact };
}

/** A retraction for the revision that it appended. */
export function retractionOf({ revision }: Row, contact: Row, columns: Row = {}): Row {
  const { owner_id, person_id, contact_id } = contact;
  const own = { owner_id, person_id, contact_id, control_id: ulid() } as Row;
  return {
    ...own,
    person_revision: revision ?? null,
    kind: "RETRACTED",
    recorded_at: AT,
    ...columns,
  };
}

/** Inserts the retraction and its timeline line. */
export function insertRetraction(control: Row): string {
  const line = lineOf(control, "CONTACT_RETRACTED", { source_id: control.contact_id ?? null });
  return insertInto("person_contact_controls", control) + insertLine(line);
}

export function experienceOf({ owner_id, person_id }: Row, columns: Row = {}): Row {
  const { narrative = "We talked." } = columns;
  return {
    ...{ owner_id, person_id, experience_id: ulid(), title: "The night train", narrative } as Row,
    occurred_at: "2019-08-02T20:00:00.000Z",
    time_precision: "DAY",
    time_text: null,
    privacy: "NORMAL",
    content_hash: typeof narrative === "string" ? sha256Hex(narrative) : null,
    recorded_at: AT,
    ...columns,
  };
}

export function insertExperience(experience: Row): string {
  const { experience_id = null, occurred_at = null } = experience;
  const line = lineOf(experience, "EXPERIENCE_RECORDED", { source_id: experience_id, occurred_at });
  return insertInto("person_experiences", experience) + insertLine(line);
}

export function evidenceOf({ owner_id, person_id }: Row, columns: Row = {}): Row {
  const { content = "Came at once." } = columns;
  return {
    ...{ owner_id, person_id, evidence_id: ulid(), stance: "SUPPORTING", content } as Row,
    source_kind: "OBSERVATION",
    source_ref: null,
    privacy: "NORMAL",
    provider_consent: false,
    content_hash: sha256Hex(String(content)),
    recorded_at: AT,
    ...columns,
  };
}

export function insertEvidence(evidence: Row): string {
  return insertInto("person_evidence", evidence);
}

/** A control, by default the first about its person. */
export function evidenceControlOf(evidence: Row, columns: Row = {}): Row {
  const { owner_id, person_id, evidence_id } = evidence;
  const own = { owner_id, person_id, evidence_id, control_id: ulid() } as Row;
  const parts = { kind: "RETRACTED", superseded_by: null, privacy: null };
  return { ...own, control_number: 1, ...parts, recorded_at: AT, ...columns };
}

export function insertEvidenceControl(control: Row): string {
  return insertInto("person_evidence_controls", control);
}

export function detailOf({ owner_id, person_id, revision }: Row, columns: Row = {}): Row {
  const { value = '{"value":"+49 30 1"}' } = columns;
  return {
    ...{ owner_id, person_id, detail_id: ulid(), person_revision: revision } as Row,
    kind: "PHONE",
    value,
    label: null,
    preferred: false,
    note: null,
    privacy: "NORMAL",
    content_hash: sha256Hex(String(value)),
    recorded_at: AT,
    ...columns,
  };
}

export function insertDetail(detail: Row): string {
  return insertInto("person_details", detail);
}

/** Includes its revision. */
export function recordDetail(person: Row, columns: Row = {}): Step & { readonly detail: Row } {
  const { script, person: next } = revise(person, "DETAIL_RECORDED");
  const detail = detailOf(next, columns);
  return { script: script + insertDetail(detail), person: next, detail };
}

/** Its retraction by default. */
export function detailControlOf({ revision }: Row, detail: Row, columns: Row = {}): Row {
  const { owner_id, person_id, detail_id } = detail;
  return {
    ...{ owner_id, person_id, detail_id, control_id: ulid(), person_revision: revision } as Row,
    kind: "RETRACTED",
    superseded_by: null,
    privacy: null,
    recorded_at: AT,
    ...columns,
  };
}

export function insertDetailControl(control: Row): string {
  return insertInto("person_detail_controls", control);
}

/** Includes its revision. */
export function controlDetail(person: Row, detail: Row, columns: Row = {}): Step {
  const { script, person: next } = revise(person, "DETAIL_CONTROLLED");
  const control = insertDetailControl(detailControlOf(next, detail, columns));
  return { script: script + control, person: next };
}
