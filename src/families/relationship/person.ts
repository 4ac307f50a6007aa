/** People (specification, Module fields; REL-001). */

import type { Caller } from "../../access/identity.ts";
import { RELATIONSHIP } from "../../catalog/modules/relationship.ts";
import type { FieldSet } from "../../catalog/module.ts";
import { orNull } from "../../kit/columns.ts";
import {
  ARCHIVED,
  keptFields,
  type RootDeclaration,
  rootMembers,
  rootParts,
  type RootRowOf,
  type ShownRootOf,
} from "../../kit/declaration.ts";
import {
  choice,
  clocks,
  id,
  integer,
  longText,
  numeric,
  revision,
  shortText,
  time,
} from "../../kit/kinds.ts";
import { revisionSchema } from "../../kit/list_routes.ts";
import { ATTACHMENT_IDS, attachmentIds } from "../../validate/attachment_ids.ts";
import { component, type JsonSchema } from "../../validate/json_schema.ts";
import { linkedFiles } from "./detail_value.ts";

export const STATUSES = ["ACTIVE", "PAUSED", "ARCHIVED", "SEALED"] as const;

export type Status = (typeof STATUSES)[number];

const PERSON_CHANGES = [
  "CREATED",
  "MODIFIED",
  "STATUS_CHANGED",
  "ARCHIVED",
  "RESTORED",
  "CONTACT_RECORDED",
  "CONTACT_RETRACTED",
  "EVALUATION_CONFIRMED",
  "DETAIL_RECORDED",
  "DETAIL_CONTROLLED",
] as const;

export type PersonChange = (typeof PERSON_CHANGES)[number];

export const PERSON = {
  table: "people",
  ledger: "person_revisions",
  fixed: { person_id: id },
  fields: {
    person_name: longText,
    relationship_type: shortText(),
    importance: integer(1, 5),
    desired_contact_interval_days: orNull(numeric("integer", { type: "integer", minimum: 1 })),
    opinion: orNull(longText),
    evidence: orNull(longText),
    counter_evidence: orNull(longText),
  },
  state: {
    /** Time of the newest contact that is not retracted. */
    last_contact_at: orNull(time),
    clocks,
    status: choice(STATUSES),
    /** Status before the archival; null unless archived. */
    status_before: orNull(choice(STATUSES)),
    /** Number of the newest confirmed evaluation; null without one. */
    current_evaluation_revision: orNull(revision),
    ...ARCHIVED,
  },
} satisfies RootDeclaration;

export interface PersonRow extends RootRowOf<typeof PERSON> {
  /** Values of details that link to files, in JSON; null or absent if there are none. */
  readonly file_details?: string | null;
}

export interface Person extends Omit<ShownRootOf<typeof PERSON>, "statusBefore"> {
  /** Absent in a revision. */
  readonly attachmentIds?: readonly string[];
}

const { statusBefore: _, ...PERSON_MEMBERS } = rootMembers(PERSON);

export const PERSON_SCHEMA: JsonSchema = component<Person>("Person", {
  ...PERSON_MEMBERS,
  attachmentIds: ATTACHMENT_IDS,
}, ["attachmentIds"]);

export const PERSON_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "PersonRevision",
  PERSON_MEMBERS,
  PERSON_CHANGES,
);

export const PERSON_PARTS = rootParts(PERSON);

/** Links in details count only for a reader who may list details. */
export function showPerson(row: PersonRow, { permissions }: Pick<Caller, "permissions">): Person {
  const details = permissions.has("relationship.ledger.read") ? row.file_details ?? "[]" : "[]";
  const texts = [row.opinion, row.evidence, row.counter_evidence];
  const ids = attachmentIds(linkedFiles(JSON.parse(details)), texts);
  return { ...showPersonRevision(row), attachmentIds: ids };
}

export function showPersonRevision(row: PersonRow): Person {
  const { statusBefore: _, ...shown } = PERSON_PARTS.show(row);
  return shown;
}

/** Fields of a patch. Only contacts change the time of the last one. */
const CHANGEABLE: FieldSet = {
  fields: RELATIONSHIP.fields.filter(({ name }) => name !== "lastContactAt"),
  rules: RELATIONSHIP.rules.filter(({ fields }) => !fields.includes("lastContactAt")),
};

export const PERSON_FIELDS = keptFields(PERSON.fields, CHANGEABLE);

export const NEW_PERSON_FIELDS = keptFields(
  { ...PERSON.fields, last_contact_at: PERSON.state.last_contact_at, clocks },
  RELATIONSHIP,
);
