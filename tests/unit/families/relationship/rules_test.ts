/** Rules for people; the storage enforces them too. */

import { assertEquals, assertThrows } from "@std/assert";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import type { ContactTime } from "../../../../src/families/relationship/contact.ts";
import type { PersonRow, Status } from "../../../../src/families/relationship/person.ts";
import {
  decideArchive,
  decideContact,
  decideCreate,
  decideRestore,
  decideRetraction,
  decideStatus,
  type NextPerson,
} from "../../../../src/families/relationship/person_rules.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const LATER = new Date("2026-11-20T12:00:01.000Z");

function newPerson(columns: Partial<PersonRow> = {}): PersonRow {
  const fields = { personName: "Lena", relationshipType: "FRIEND", importance: 3 };
  return { ...decideCreate(fields, NOW), ...columns };
}

/** For a person neither archived nor sealed, archived, or sealed. */
function statusAfter(person: PersonRow, move: (person: PersonRow) => NextPerson): string {
  try {
    const { row, change } = move(person);
    assertEquals([row.revision, row.updated_at], [person.revision + 1, LATER]);
    return `${row.status} by ${change}`;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

const ARCHIVED = { status: "ARCHIVED", status_before: "PAUSED", archived_at: NOW } as const;
const REFUSED = "RELATIONSHIP_STATUS_CONFLICT";

Deno.test("Each move leads where the contract says, and others are rejected", () => {
  const people = {
    ACTIVE: newPerson(),
    PAUSED: newPerson({ status: "PAUSED" }),
    ARCHIVED: newPerson(ARCHIVED),
    SEALED: newPerson({ status: "SEALED", archived_at: NOW }),
  };
  const to = (status: Status) => (person: PersonRow) => decideStatus(person, status, LATER);
  const moves: Record<string, (person: PersonRow) => NextPerson> = {
    ACTIVE: to("ACTIVE"),
    PAUSED: to("PAUSED"),
    ARCHIVED: to("ARCHIVED"),
    SEALED: to("SEALED"),
    archive: (person) => decideArchive(person, LATER),
    restore: (person) => decideRestore(person, LATER),
  };
  const expected: Record<Status, readonly string[]> = {
    ACTIVE: [
      REFUSED,
      "PAUSED by STATUS_CHANGED",
      REFUSED,
      "SEALED by STATUS_CHANGED",
      "ARCHIVED by ARCHIVED",
      REFUSED,
    ],
    PAUSED: [
      "ACTIVE by STATUS_CHANGED",
      REFUSED,
      REFUSED,
      "SEALED by STATUS_CHANGED",
      "ARCHIVED by ARCHIVED",
      REFUSED,
    ],
    ARCHIVED: [
      REFUSED,
      REFUSED,
      REFUSED,
      "SEALED by STATUS_CHANGED",
      REFUSED,
      "PAUSED by RESTORED",
    ],
    SEALED: [REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED],
  };
  for (const [status, person] of Object.entries(people)) {
    const reached = Object.values(moves).map((move) => statusAfter(person, move));
    assertEquals(reached, expected[status as Status], status);
  }
});

Deno.test("The archival time is its revision's, cleared by a restore, and kept by a seal", () => {
  const archived = decideArchive(newPerson(), LATER).row;
  assertEquals([archived.archived_at, archived.status_before], [LATER, "ACTIVE"]);
  const restored = decideRestore(archived, LATER).row;
  assertEquals([restored.archived_at, restored.status_before], [null, null]);
  const sealed = decideStatus(archived, "SEALED", LATER).row;
  assertEquals([sealed.archived_at, sealed.status_before], [LATER, null]);
});

function at(contacted_at: Date): ContactTime {
  return { contacted_at, clocks: null, privacy: "NORMAL" };
}

Deno.test("The newest contact is the last one, and every contact is a revision", () => {
  const person = newPerson({ last_contact_at: NOW });
  const before = new Date(NOW.getTime() - 1);
  const cases: [Date | null, Date, Date][] = [
    [null, before, before],
    [NOW, before, NOW],
    [NOW, NOW, NOW],
    [before, NOW, NOW],
  ];
  for (const [last_contact_at, contacted_at, expected] of cases) {
    const { row } = decideContact({ ...person, last_contact_at }, at(contacted_at), LATER);
    assertEquals([row.last_contact_at, row.revision], [expected, 2]);
  }
  for (const newest of [null, before]) {
    const { row } = decideRetraction(person, newest && at(newest), LATER);
    assertEquals(row.last_contact_at, newest);
  }
});

Deno.test("A person's time never goes back", () => {
  const { row } = decideContact(newPerson(), at(NOW), new Date(0));
  assertEquals(row.updated_at, NOW);
});

Deno.test("A creation is rejected by its module's policy", () => {
  assertThrows(() => decideCreate({ personName: " " }, NOW), ServiceError);
});
