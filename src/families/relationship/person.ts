/** A person as it is stored, and as a client sees it (specification, Module fields; REL-001). */

import { RELATIONSHIP } from "../../catalog/modules/relationship.ts";
import type { FieldSet } from "../../catalog/module.ts";
import type { PayloadView } from "../../catalog/payload_view.ts";
import { type KeptFields, present, presentFields } from "../kit/fields.ts";
import { revisionSchema } from "../kit/list_routes.ts";
import { type ArchivableRow, ROOT_MEMBERS, type ShownRoot, showRoot } from "../kit/root.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";

export const STATUSES = ["ACTIVE", "PAUSED", "ARCHIVED", "SEALED"] as const;

export type Status = (typeof STATUSES)[number];

/** What a revision did to its person. */
export const PERSON_CHANGES = [
  "CREATED",
  "MODIFIED",
  "STATUS_CHANGED",
  "ARCHIVED",
  "RESTORED",
  "CONTACT_RECORDED",
  "CONTACT_RETRACTED",
  "EVALUATION_CONFIRMED",
] as const;

export type PersonChange = (typeof PERSON_CHANGES)[number];

/** The fields that a patch can change, as columns; null for each that has no value. */
interface PersonColumns {
  readonly person_name: string;
  readonly relationship_type: string;
  /** 1 to 5. */
  readonly importance: number;
  readonly desired_contact_interval_days: number | null;
  readonly opinion: string | null;
  readonly evidence: string | null;
  readonly counter_evidence: string | null;
}

/** A person, or one of its revisions, as read from the database. */
export interface PersonRow extends ArchivableRow, PersonColumns {
  readonly person_id: string;
  /** When the newest contact was that is not retracted. */
  readonly last_contact_at: Date | null;
  readonly status: Status;
  /** The status that a restoration leads back to; null unless the person is archived. */
  readonly status_before: Status | null;
  /** The newest evaluation that the owner has confirmed; null without any. */
  readonly current_evaluation_revision: number | null;
}

/** A person as a client sees it. */
export interface Person extends ShownRoot {
  readonly personId: string;
  readonly personName: string;
  readonly relationshipType: string;
  readonly importance: number;
  readonly lastContactAt: string | null;
  readonly desiredContactIntervalDays: number | null;
  readonly opinion: string | null;
  readonly evidence: string | null;
  readonly counterEvidence: string | null;
  readonly status: Status;
  readonly currentEvaluationRevision: number | null;
  readonly archivedAt: string | null;
}

/** The schema of each member. */
const PERSON_MEMBERS = {
  personId: ULID,
  personName: TEXT,
  relationshipType: TEXT,
  importance: { type: "integer", minimum: 1, maximum: 5 },
  lastContactAt: nullable(TIME),
  desiredContactIntervalDays: nullable({ type: "integer", minimum: 1 }),
  opinion: nullable(TEXT),
  evidence: nullable(TEXT),
  counterEvidence: nullable(TEXT),
  status: enumOf(STATUSES),
  currentEvaluationRevision: nullable(REVISION),
  ...ROOT_MEMBERS,
  archivedAt: nullable(TIME),
} as const satisfies { readonly [Name in keyof Person]: JsonSchema };

export const PERSON_SCHEMA: JsonSchema = component<Person>("Person", PERSON_MEMBERS);

export const PERSON_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "PersonRevision",
  PERSON_MEMBERS,
  PERSON_CHANGES,
);

/** The public form of a person. */
export function showPerson(row: PersonRow): Person {
  return {
    personId: row.person_id,
    personName: row.person_name,
    relationshipType: row.relationship_type,
    importance: row.importance,
    lastContactAt: row.last_contact_at?.toISOString() ?? null,
    desiredContactIntervalDays: row.desired_contact_interval_days,
    opinion: row.opinion,
    evidence: row.evidence,
    counterEvidence: row.counter_evidence,
    status: row.status,
    currentEvaluationRevision: row.current_evaluation_revision,
    ...showRoot(row),
    archivedAt: row.archived_at?.toISOString() ?? null,
  };
}

/** The fields that a patch may name: contacts alone change the time of the last one. */
const CHANGEABLE: FieldSet = {
  fields: RELATIONSHIP.fields.filter(({ name }) => name !== "lastContactAt"),
  rules: RELATIONSHIP.rules.filter(({ fields }) => !fields.includes("lastContactAt")),
};

/** The fields that a patch can change, each in a column of its own. */
export const PERSON_FIELDS: KeptFields<PersonRow, PersonColumns> = {
  fields: CHANGEABLE,
  read: (row) =>
    presentFields({
      personName: row.person_name,
      relationshipType: row.relationship_type,
      importance: row.importance,
      desiredContactIntervalDays: row.desired_contact_interval_days,
      opinion: row.opinion,
      evidence: row.evidence,
      counterEvidence: row.counter_evidence,
    }),
  columns: (fields) => ({
    person_name: present(fields.text("personName")),
    relationship_type: present(fields.text("relationshipType")),
    importance: present(fields.number("importance")),
    desired_contact_interval_days: fields.number("desiredContactIntervalDays") ?? null,
    opinion: fields.text("opinion") ?? null,
    evidence: fields.text("evidence") ?? null,
    counter_evidence: fields.text("counterEvidence") ?? null,
  }),
};

/** All eight fields, as a creation states them. */
export const NEW_PERSON_FIELDS = {
  fields: RELATIONSHIP,
  columns: (fields: PayloadView): PersonColumns & Pick<PersonRow, "last_contact_at"> => ({
    ...PERSON_FIELDS.columns(fields),
    last_contact_at: fields.date("lastContactAt") ?? null,
  }),
} as const;
