import { type Columns, type LineType, lineType, projectedAs, rootType } from "../description.ts";
import { anyId, boolean, id, integer, optional, stamp, text, texts, time } from "../kinds.ts";
import { ARCHIVED } from "./shared.ts";

/** What is kept about a person is in the order of the persons. */
function ofPerson(type: string, table: string, own: string, columns: Columns): LineType {
  return lineType(type, {
    table,
    key: ["person_id", own],
    columns: { person_id: id, [own]: id, ...columns },
  });
}

export const CONTACT_LINES = ofPerson("contact", "person_contacts", "contact_id", {
  person_revision: integer,
  contacted_at: time,
  channel: text,
  direction: text,
  note: optional(text),
  privacy: text,
  content_hash: optional(text),
  recorded_at: stamp,
});

export const CONTACT_CONTROL_LINES = ofPerson(
  "contactControl",
  "person_contact_controls",
  "control_id",
  {
    contact_id: id,
    person_revision: integer,
    kind: text,
    recorded_at: stamp,
  },
);

export const EXPERIENCE_LINES = ofPerson("experience", "person_experiences", "experience_id", {
  title: text,
  narrative: optional(text),
  occurred_at: optional(time),
  time_precision: text,
  time_text: optional(text),
  privacy: text,
  content_hash: optional(text),
  recorded_at: stamp,
});

export const EVIDENCE_LINES = ofPerson("evidence", "person_evidence", "evidence_id", {
  stance: text,
  content: text,
  source_kind: text,
  source_ref: optional(anyId),
  privacy: text,
  provider_consent: boolean,
  content_hash: text,
  recorded_at: stamp,
});

export const EVIDENCE_CONTROL_LINES = ofPerson(
  "evidenceControl",
  "person_evidence_controls",
  "control_id",
  {
    evidence_id: id,
    control_number: integer,
    kind: text,
    superseded_by: optional(id),
    privacy: optional(text),
    recorded_at: stamp,
  },
);

export const PROPOSAL_LINES = ofPerson("proposal", "person_proposals", "proposal_id", {
  created_at: stamp,
  provider_consent: boolean,
  source_digest: text,
  source_revision: integer,
  sources: texts,
  state: text,
  attempts: integer,
  lease_id: optional(id),
  claimable_at: time,
  candidate: optional(text),
  provider: optional(text),
  model: optional(text),
  ready_at: optional(stamp),
  expires_at: optional(time),
  decided_at: optional(stamp),
  evaluation_revision: optional(integer),
});

export const PROPOSAL_EVENT_LINES = lineType("proposalEvent", {
  table: "person_proposal_events",
  key: ["person_id", "proposal_id", "event_id"],
  columns: {
    person_id: id,
    proposal_id: id,
    event_id: id,
    from_state: optional(text),
    to_state: text,
    reason: optional(text),
    recorded_at: stamp,
  },
});

export const EVALUATION_LINES = ofPerson("evaluation", "person_evaluations", "evaluation_id", {
  evaluation_revision: integer,
  proposal_id: id,
  origin: text,
  text,
  provider: text,
  model: optional(text),
  source_digest: text,
  source_revision: integer,
  person_revision: integer,
  recorded_at: stamp,
});

export const PERSON_LINES = rootType("person", {
  table: "people",
  ledger: "person_revisions",
  projection: projectedAs("relationship"),
  fixed: { person_id: id },
  changing: {
    ...ARCHIVED,
    person_name: text,
    relationship_type: text,
    importance: integer,
    last_contact_at: optional(time),
    desired_contact_interval_days: optional(integer),
    opinion: optional(text),
    evidence: optional(text),
    counter_evidence: optional(text),
    status: text,
    status_before: optional(text),
    current_evaluation_revision: optional(integer),
  },
});

export const STATUS_EVENT_LINES = ofPerson("statusEvent", "person_status_events", "event_id", {
  person_revision: integer,
  from_status: text,
  to_status: text,
  reason: optional(text),
  recorded_at: stamp,
});

export const TIMELINE_LINES = ofPerson("timelineEntry", "person_timeline_entries", "entry_id", {
  kind: text,
  source_id: id,
  occurred_at: optional(time),
  recorded_at: stamp,
});
