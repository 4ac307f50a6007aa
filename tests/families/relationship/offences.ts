/** Relationship rows that the tables must reject. */

import { ulid } from "@std/ulid";
import { sha256Hex } from "../../../src/core/digest.ts";
import {
  insertRow,
  newRow,
  unprojected,
  wrongFirsts,
  wrongRows,
  wrongSteps,
} from "../../storage/family_rows.ts";
import { AT, insertInto, type Offences, type Row } from "../../storage/rows.ts";
import {
  contactOf,
  controlDetail,
  detailControlOf,
  detailOf,
  eventOf,
  evidenceControlOf,
  evidenceOf,
  experienceOf,
  insertContact,
  insertDetail,
  insertDetailControl,
  insertEvidence,
  insertEvidenceControl,
  insertExperience,
  insertLine,
  insertRetraction,
  lineOf,
  moveTo,
  PEOPLE,
  recordContact,
  recordDetail,
  retractionOf,
  revise,
} from "./rows.ts";

const LONG = "x".repeat(100_001);

/** Offences about an existing person. */
export function about(...offend: readonly ((person: Row) => string)[]): Offences {
  return ({ accountId }) =>
    offend.map((each) => {
      const person = newRow(PEOPLE, accountId);
      return insertRow(PEOPLE, person) + each(person);
    });
}

function wrongContacts(...columns: readonly Row[]): Offences {
  return about(...columns.map((wrong) => (person: Row) => recordContact(person, wrong).script));
}

function wrongExperiences(...columns: readonly Row[]): Offences {
  return about(
    ...columns.map((wrong) => (person: Row) => insertExperience(experienceOf(person, wrong))),
  );
}

function wrongEvidence(...columns: readonly Row[]): Offences {
  return about(
    ...columns.map((wrong) => (person: Row) => insertEvidence(evidenceOf(person, wrong))),
  );
}

/** Offences in the first control of existing evidence. */
function wrongControls(...columns: readonly ((evidence: Row) => Row)[]): Offences {
  return about(...columns.map((wrong) => (person: Row) => {
    const evidence = evidenceOf(person);
    const control = evidenceControlOf(evidence, wrong(evidence));
    return insertEvidence(evidence) + insertEvidenceControl(control);
  }));
}

function wrongDetails(...columns: readonly Row[]): Offences {
  return about(...columns.map((wrong) => (person: Row) => recordDetail(person, wrong).script));
}

/** Invalid controls of an existing detail. */
function wrongDetailControls(...columns: readonly ((detail: Row) => Row)[]): Offences {
  return about(...columns.map((wrong) => (person: Row) => {
    const made = recordDetail(person);
    return made.script + controlDetail(made.person, made.detail, wrong(made.detail)).script;
  }));
}

/** In canonical form. */
function linkTo(person_id: string): Row {
  return { kind: "LINK", value: `{"personId":"${person_id}","relation":"kin"}` };
}

/** Invalid retractions of an existing contact. */
function wrongRetractions(...columns: readonly Row[]): Offences {
  return about(...columns.map((wrong) => (person: Row) => {
    const made = recordContact(person);
    const { script, person: next } = revise(made.person, "CONTACT_RETRACTED", {
      last_contact_at: null,
    });
    return made.script + script + insertRetraction(retractionOf(next, made.contact, wrong));
  }));
}

function wrongEvents(...columns: readonly Row[]): Offences {
  return about(...columns.map((wrong) => (person: Row) => {
    const { script, person: next } = revise(person, "STATUS_CHANGED", { status: "PAUSED" });
    return script + insertInto("person_status_events", eventOf(next, wrong));
  }));
}

/** An independent projection does not reject longer names. */
const { projected: _, ...PEOPLE_ALONE } = PEOPLE;

/** By constraint, except those of `make_revisions`. */
export const RELATIONSHIP_OFFENCES: Readonly<Record<string, Offences>> = {
  person_owner_exists: () => [insertInto("people", newRow(PEOPLE, ulid()))],
  person_name_revision_range: wrongRows(PEOPLE_ALONE, { name_revision: 1 }, { name_revision: 9 }),
  person_name_length: wrongRows(PEOPLE_ALONE, { person_name: "" }, {
    person_name: "x".repeat(201),
  }),
  person_contacts_clocks: wrongContacts({ clocks: `{"contactedAt":"+1:00"}` }),
  person_experiences_clocks: wrongExperiences({ clocks: `{"contactedAt":"+01:00"}` }),
  person_timeline_entries_clocks: about((person) =>
    insertLine(
      lineOf(person, "STATUS_CHANGED", { source_id: ulid(), clocks: `{"occurredAt":"+01:00"}` }),
    )
  ),
  person_importance_range: wrongRows(PEOPLE, { importance: 0 }, { importance: 6 }),
  person_contact_interval_range: wrongRows(
    PEOPLE,
    { desired_contact_interval_days: 0 },
    { desired_contact_interval_days: 3651 },
  ),
  person_opinion_length: wrongRows(PEOPLE, { opinion: LONG }),
  person_evidence_length: wrongRows(PEOPLE, { evidence: LONG }),
  person_counter_evidence_length: wrongRows(PEOPLE, { counter_evidence: LONG }),
  person_status_known: wrongRows(PEOPLE, { status: "active" }, { status: "" }),
  person_status_before_known: wrongRows(PEOPLE, {
    status: "ARCHIVED",
    status_before: "SEALED",
    archived_at: AT,
  }),
  person_archival_fits: wrongRows(
    PEOPLE,
    { status: "ARCHIVED", archived_at: AT },
    { status: "ARCHIVED", status_before: "ACTIVE" },
    { status_before: "PAUSED" },
    { archived_at: AT },
    { status: "SEALED", status_before: "ACTIVE", archived_at: AT },
  ),
  person_revision_is_projected: unprojected(PEOPLE),
  person_change_known: wrongSteps(PEOPLE, { change: "modified" }, { change: "EVALUATED" }),
  person_change_fits: (caller, root) => [
    ...wrongFirsts(PEOPLE, { change: "MODIFIED" }, { status: "PAUSED" })(caller, root),
    ...wrongSteps(
      PEOPLE,
      { change: "CREATED" },
      { change: "ARCHIVED" },
      { status: "ARCHIVED" },
      { status: "SEALED" },
      { status: "SEALED", change: "RESTORED" },
    )(caller, root),
  ],
  status_event_reason_length: wrongEvents({ reason: "x".repeat(501) }),
  status_event_of_revision: wrongEvents({ person_revision: 3 }, { person_id: ulid() }),
  status_event_moves: wrongEvents(
    { to_status: "ACTIVE" },
    { from_status: "SEALED" },
    { from_status: "ARCHIVED", to_status: "ARCHIVED" },
    { to_status: "GONE" },
  ),
  one_status_event_a_revision: about((person) => {
    const { script, person: next } = moveTo(person, "PAUSED");
    return script + insertInto("person_status_events", eventOf(next));
  }),
  contact_channel_known: wrongContacts({ channel: "PIGEON" }),
  contact_direction_known: wrongContacts({ direction: "AWAY" }),
  contact_note_length: wrongContacts({ note: LONG }),
  contact_privacy_known: wrongContacts({ privacy: "secret" }),
  contact_hash_fits: wrongContacts(
    { content_hash: null },
    { content_hash: sha256Hex("Forged") },
    { content_hash: sha256Hex("By the lake").toUpperCase() },
    { note: null, content_hash: sha256Hex("") },
  ),
  contact_of_revision: about(
    (person) => insertContact(contactOf({ ...person, revision: 3 })),
    (person) => insertContact(contactOf({ ...person, person_id: ulid() })),
  ),
  one_contact_a_revision: about((person) => {
    const { script, person: next } = recordContact(person);
    return script + insertContact(contactOf(next));
  }),
  contact_control_known: wrongRetractions({ kind: "SUPERSEDED" }),
  contact_control_of_contact: wrongRetractions({ contact_id: ulid() }, { person_id: ulid() }),
  contact_control_of_revision: about((person) => {
    // Older, so that the last contact stays.
    const first = recordContact(person, { contacted_at: "2026-05-01T00:00:00.000Z" });
    const second = recordContact(first.person);
    const control = retractionOf({ ...person, revision: 9 }, first.contact);
    return first.script + second.script + insertRetraction(control);
  }),
  one_contact_control_a_revision: about((person) => {
    const first = recordContact(person, { contacted_at: "2026-05-01T00:00:00.000Z" });
    const second = recordContact(first.person);
    const { script, person: next } = revise(second.person, "CONTACT_RETRACTED", {
      last_contact_at: null,
    });
    const retractions = [first, second].map(({ contact }) =>
      insertRetraction(retractionOf(next, contact))
    );
    return first.script + second.script + script + retractions.join("");
  }),
  one_control_a_contact: about((person) => {
    const made = recordContact(person);
    const first = revise(made.person, "CONTACT_RETRACTED", { last_contact_at: null });
    const second = revise(first.person, "CONTACT_RETRACTED");
    const retractions = [first, second].map(({ person: next }) =>
      insertRetraction(retractionOf(next, made.contact))
    );
    return made.script + first.script + second.script + retractions.join("");
  }),
  experience_title_length: wrongExperiences({ title: "" }, { title: "x".repeat(201) }),
  experience_narrative_length: wrongExperiences({ narrative: LONG }),
  experience_time_precision_known: wrongExperiences({ time_precision: "WEEK" }),
  experience_time_text_length: wrongExperiences({ time_text: "x".repeat(501) }),
  experience_privacy_known: wrongExperiences({ privacy: "" }),
  experience_hash_fits: wrongExperiences(
    { content_hash: null },
    { content_hash: sha256Hex("Forged") },
    { narrative: null, content_hash: sha256Hex("") },
  ),
  experience_of_person: wrongExperiences({ person_id: ulid() }, { owner_id: ulid() }),
  experience_time_fits: wrongExperiences(
    { occurred_at: null },
    { occurred_at: null, time_precision: "EXACT" },
    { time_precision: "UNKNOWN" },
    { time_precision: "LIFE_PERIOD" },
  ),
  detail_kind_known: wrongDetails({ kind: "FAX" }),
  detail_value_is_object: wrongDetails({ value: "[]" }),
  detail_lines_length: wrongDetails({ lines: JSON.stringify({ lines: "x".repeat(32_768) }) }),
  detail_lines_object: wrongDetails({ lines: "[]" }),
  detail_label_length: wrongDetails({ label: "" }, { label: "x".repeat(65) }),
  detail_note_length: wrongDetails({ note: "x".repeat(2_001) }),
  detail_privacy_known: wrongDetails({ privacy: "OPEN" }),
  detail_hash_fits: wrongDetails({ content_hash: sha256Hex("Forged") }),
  detail_of_revision: about((person) => insertDetail(detailOf({ ...person, revision: 9 }))),
  detail_links_person: wrongDetails(linkTo(ulid())),
  detail_links_another: about((person) =>
    recordDetail(person, linkTo(String(person.person_id))).script
  ),
  detail_control_known: wrongDetailControls(() => ({ kind: "LIVE" })),
  detail_control_privacy_known: wrongDetailControls(() => ({
    kind: "PRIVACY_RECLASSIFIED",
    privacy: "OPEN",
  })),
  detail_control_of_detail: about((person) => {
    const next = revise(person, "DETAIL_CONTROLLED");
    return next.script + insertDetailControl(detailControlOf(next.person, detailOf(person)));
  }),
  detail_superseded_by_detail: wrongDetailControls(() => ({
    kind: "SUPERSEDED",
    superseded_by: ulid(),
  })),
  detail_not_superseded_by_itself: wrongDetailControls(({ detail_id = null }) => ({
    kind: "SUPERSEDED",
    superseded_by: detail_id,
  })),
  detail_control_of_revision: about((person) => {
    const made = recordDetail(person);
    const control = detailControlOf({ ...made.person, revision: 9 }, made.detail);
    return made.script + insertDetailControl(control);
  }),
  detail_control_parts: wrongDetailControls(
    () => ({ kind: "SUPERSEDED" }),
    () => ({ privacy: "SECRET" }),
  ),
  one_detail_control_a_revision: about((person) => {
    const made = recordDetail(person);
    const { script, person: next } = controlDetail(made.person, made.detail, {
      kind: "PRIVACY_RECLASSIFIED",
      privacy: "SECRET",
    });
    return made.script + script + insertDetailControl(detailControlOf(next, made.detail));
  }),
  evidence_stance_known: wrongEvidence({ stance: "NEUTRAL" }),
  evidence_content_length: wrongEvidence({ content: "" }, { content: LONG }),
  evidence_source_known: wrongEvidence({ source_kind: "DREAM" }),
  evidence_privacy_known: wrongEvidence({ privacy: "OPEN" }),
  evidence_hash_fits: wrongEvidence({ content_hash: sha256Hex("Forged") }),
  evidence_of_person: wrongEvidence({ person_id: ulid() }, { owner_id: ulid() }),
  evidence_source_fits: wrongEvidence({ source_kind: "RECORD" }, { source_ref: ulid() }),
  evidence_id_unique: about((person) => {
    const another = newRow(PEOPLE, String(person.owner_id));
    const evidence = evidenceOf(person);
    const { evidence_id = null } = evidence;
    return insertRow(PEOPLE, another) + insertEvidence(evidence) +
      insertEvidence(evidenceOf(another, { evidence_id }));
  }),
  evidence_control_number_positive: wrongControls(() => ({ control_number: 0 })),
  evidence_control_known: wrongControls(() => ({ kind: "LIVE" })),
  evidence_control_privacy_known: wrongControls(() => ({
    kind: "PRIVACY_RECLASSIFIED",
    privacy: "OPEN",
  })),
  evidence_control_of_evidence: wrongControls(
    () => ({ evidence_id: ulid() }),
    () => ({ person_id: ulid() }),
  ),
  evidence_superseded_by_evidence: (caller, root) => [
    ...wrongControls(() => ({ kind: "SUPERSEDED", superseded_by: ulid() }))(caller, root),
    // About another person.
    ...about((known) => {
      const another = newRow(PEOPLE, caller.accountId);
      const [one, other] = [evidenceOf(known), evidenceOf(another)];
      const parts = { kind: "SUPERSEDED", superseded_by: other.evidence_id ?? null };
      return insertRow(PEOPLE, another) + insertEvidence(one) + insertEvidence(other) +
        insertEvidenceControl(evidenceControlOf(one, parts));
    })(caller, root),
  ],
  evidence_not_superseded_by_itself: wrongControls(({ evidence_id = null }) => ({
    kind: "SUPERSEDED",
    superseded_by: evidence_id,
  })),
  evidence_control_parts: wrongControls(
    () => ({ kind: "SUPERSEDED" }),
    () => ({ kind: "PRIVACY_RECLASSIFIED" }),
    () => ({ privacy: "SECRET" }),
    () => ({ superseded_by: ulid() }),
    () => ({ kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET", superseded_by: ulid() }),
  ),
  evidence_control_number_unique: about((person) => {
    const entries = [evidenceOf(person), evidenceOf(person)];
    return entries.map(insertEvidence).join("") +
      entries.map((entry) => insertEvidenceControl(evidenceControlOf(entry))).join("");
  }),
  evidence_control_follows: wrongControls(() => ({ control_number: 2 })),
  timeline_kind_known: about((person) =>
    insertLine(lineOf(person, "EVIDENCE", { source_id: ulid() }))
  ),
  one_timeline_entry_a_source: about((person) => {
    const experience = experienceOf(person);
    const { experience_id = null, occurred_at = null } = experience;
    const line = { source_id: experience_id, occurred_at };
    return insertExperience(experience) +
      insertLine(lineOf(person, "EXPERIENCE_RECORDED", line));
  }),
};
