import { isCardLines } from "../../families/relationship/card_lines.ts";
import { CONTACT } from "../../families/relationship/contact.ts";
import { DETAIL } from "../../families/relationship/detail.ts";
import { type DetailKind, valueViolations } from "../../families/relationship/detail_value.ts";
import { EVALUATION } from "../../families/relationship/evaluation.ts";
import { EVIDENCE } from "../../families/relationship/evidence.ts";
import { EXPERIENCE } from "../../families/relationship/experience.ts";
import { PERSON } from "../../families/relationship/person.ts";
import { isJsonObject } from "../../core/json.ts";
import {
  type Columns,
  declaredColumns,
  declaredRoot,
  type LineType,
  lineType,
  projectedAs,
} from "../description.ts";
import {
  anyId,
  boolean,
  clocks,
  id,
  integer,
  object,
  optional,
  sparse,
  stamp,
  text,
  texts,
  time,
} from "../kinds.ts";

/** Entries about people, in the order of the people. */
function ofPerson(type: string, table: string, own: string, columns: Columns): LineType {
  return lineType(type, {
    table,
    key: ["person_id", own],
    columns: { person_id: id, [own]: id, ...columns },
  });
}

export const CONTACT_LINES = ofPerson(
  "contact",
  "person_contacts",
  "contact_id",
  declaredColumns(CONTACT),
);

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

export const EXPERIENCE_LINES = ofPerson(
  "experience",
  "person_experiences",
  "experience_id",
  declaredColumns(EXPERIENCE),
);

export const EVIDENCE_LINES = ofPerson("evidence", "person_evidence", "evidence_id", {
  ...declaredColumns(EVIDENCE),
  source_ref: optional(anyId),
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

/** Stored inside the lines of their details. */
const DETAIL_CONTROL_COLUMNS: Columns = {
  control_id: id,
  person_revision: integer,
  kind: text,
  superseded_by: optional(id),
  privacy: optional(text),
  recorded_at: stamp,
};

/** For reads of controls without their details. */
export const DETAIL_CONTROL_ROWS = {
  table: "person_detail_controls",
  key: ["control_id"],
  columns: { detail_id: id, ...DETAIL_CONTROL_COLUMNS },
} as const;

export const DETAIL_LINES = lineType("detail", {
  table: "person_details",
  columns: { ...declaredColumns(DETAIL), lines: sparse({ ...object, accepts: isCardLines }) },
  lists: [{
    member: "controls",
    table: "person_detail_controls",
    inherited: ["detail_id", "person_id"],
    columns: DETAIL_CONTROL_COLUMNS,
  }],
  accepts: ({ kind, value = null }) =>
    !isJsonObject(value) || valueViolations(kind as DetailKind, value).isEmpty,
});

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

export const EVALUATION_LINES = ofPerson(
  "evaluation",
  "person_evaluations",
  "evaluation_id",
  declaredColumns(EVALUATION),
);

const PEOPLE = declaredRoot("person", PERSON, { projection: projectedAs("relationship") });

export const PERSON_LINES: LineType = {
  ...PEOPLE,
  columns: { ...PEOPLE.columns, name_revision: sparse(integer) },
};

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
  clocks,
});
