/** REL-003: experiences. */

import type { Caller } from "../../access/identity.ts";
import type { PlannedWrite } from "../../command/command.ts";
import { entryEndpoints, type LedgerEntry } from "../../kit/entry.ts";
import { fieldsBody, newColumns } from "../../kit/fields.ts";
import type { Endpoint } from "../../http/route.ts";
import {
  type Experience,
  EXPERIENCE_FIELDS,
  EXPERIENCE_SCHEMA,
  type ExperienceColumns,
  type ExperienceRow,
  newExperience,
  showExperience,
} from "./experience.ts";
import { experienceEntries, findExperience, readExperiences } from "./experience_store.ts";
import type { PersonRow } from "./person.ts";
import { assertOpen } from "./person_rules.ts";
import {
  entryStatement,
  PEOPLE,
  personOptions,
  type PersonTypes,
  type RelationshipServices,
} from "./person_store.ts";

export const EXPERIENCES: LedgerEntry<PersonTypes["key"], ExperienceRow, Experience> = {
  policy: "relationship-experience",
  idName: "experienceId",
  find: (sql, owner, { personId }, id) => findExperience(sql, owner, personId, id),
  cursor: (sql, owner, { personId }, id) => findExperience(sql, owner, personId, id),
  rows: (sql, reader, { personId }, page) => readExperiences(sql, reader, personId, page),
  cursorOf: (row) => row.experience_id,
  show: showExperience,
  schema: EXPERIENCE_SCHEMA,
};

export function createExperienceEndpoints(
  services: RelationshipServices,
): Readonly<Record<"append" | "list" | "detail", Endpoint>> {
  return entryEndpoints(services, PEOPLE, EXPERIENCES, {
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
      errors: ["RELATIONSHIP_STATUS_CONFLICT"],
      options: personOptions,
      check: (body, now) => void newColumns(EXPERIENCE_FIELDS, body, { now, recordId: "" }),
      decide: (person, body, { call: { caller, now } }) =>
        experienceWrite(
          person,
          newColumns(EXPERIENCE_FIELDS, body, { now, recordId: "" }),
          caller,
          now,
        ),
    },
    list: {
      summary: "List the experiences with a person, newest first",
      signedWith: services.serverSecret,
    },
    detail: { summary: "Read an experience" },
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
  return {
    subjectId: row.experience_id,
    revision: null,
    result: showExperience(row, writer),
    statement: (sql, ledger) =>
      entryStatement(sql, ledger, experienceEntries(sql, writer.account.accountId, row)),
  };
}
