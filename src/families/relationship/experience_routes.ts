/** REL-003: experiences. */

import type { Caller } from "../../access/identity.ts";
import type { PlannedWrite } from "../../command/command.ts";
import { fieldsBody } from "../../kit/fields.ts";
import type { Endpoint } from "../../http/route.ts";
import {
  type Experience,
  EXPERIENCE_FIELDS,
  type ExperienceColumns,
  newExperience,
  showExperience,
} from "./experience.ts";
import { EXPERIENCE_LEDGER, experienceEntries } from "./experience_store.ts";
import { fieldEntryEndpoints } from "./ledger_routes.ts";
import type { PersonRow } from "./person.ts";
import { assertOpen } from "./person_rules.ts";
import { entryWrite, type RelationshipServices } from "./person_store.ts";

export function createExperienceEndpoints(
  services: RelationshipServices,
): Readonly<Record<"append" | "list" | "detail", Endpoint>> {
  return fieldEntryEndpoints(services, EXPERIENCE_LEDGER, {
    append: {
      summary: "Record an experience with a person",
      body: fieldsBody(EXPERIENCE_FIELDS.fields),
      example: {
        title: "The night train to the coast",
        narrative: "We talked until the lights went out.",
        occurredAt: "2019-08-02T20:00:00Z",
        timePrecision: "DAY",
        privacy: "PRIVATE",
      },
    },
    list: "List the experiences with a person, newest first",
    detail: "Read an experience",
    kept: EXPERIENCE_FIELDS,
    write: experienceWrite,
  });
}

/** @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` for an archived person. */
export function experienceWrite(
  person: PersonRow,
  columns: ExperienceColumns,
  writer: Caller,
  now: Date,
): PlannedWrite<Experience> {
  assertOpen(person);
  const row = newExperience(person.person_id, columns, now);
  return entryWrite(writer, null, {
    subjectId: row.experience_id,
    result: showExperience(row, writer),
    added: (sql, owner) => experienceEntries(sql, owner, [row]),
  });
}
