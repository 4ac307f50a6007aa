// engines: postgres
/** Raw SQL on people and ledgers, in any role. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { migrate } from "../../src/database/migrate.ts";
import { MIGRATIONS } from "../../src/database/migration_files.ts";
import { sharedWorld } from "../support/world.ts";
import { emptyDatabases } from "./empty_database.ts";
import { changeRow, insertOwned, insertRow, newRow, projectStep, stepRow } from "./family_rows.ts";
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
} from "../families/relationship/rows.ts";
import { assertRefusedToAll, AT, insertInto, nextRoot, refusal, type Row } from "./rows.ts";

const world = sharedWorld();
const openEmpty = emptyDatabases();

const STATUS = "PRS02 person_status_allows";

/** Stores a person with its own owner. */
async function storedPerson(): Promise<Row> {
  const person = newRow(PEOPLE, ulid());
  await world().raw(insertOwned(PEOPLE, person));
  return person;
}

async function movedPerson(...statuses: readonly string[]): Promise<Row> {
  let person = await storedPerson();
  for (const status of statuses) {
    const change = status === "ARCHIVED" ? status : "STATUS_CHANGED";
    const step = moveTo(person, status, change);
    await world().raw(step.script);
    person = step.person;
  }
  return person;
}

async function assertRefusal(script: string, expected: string | null): Promise<void> {
  assertEquals(await refusal(world(), script), expected, script);
}

Deno.test("A sealed person cannot change", async () => {
  for (const before of [[], ["PAUSED"], ["ARCHIVED"]]) {
    const sealed = await movedPerson(...before, "SEALED");
    const changes: Row[] = [
      {},
      { person_name: "Forged" },
      { status: "ACTIVE", archived_at: null },
      { last_contact_at: "2026-06-01T00:00:00.000Z" },
    ];
    for (const columns of changes) {
      const next = nextRoot(sealed, columns);
      await assertRefusedToAll(world(), changeRow(PEOPLE, sealed, next), STATUS);
      await assertRefusedToAll(world(), stepRow(PEOPLE, sealed, next), STATUS);
    }
    const upsert = `insert into people select * from people
       where person_id = '${sealed.person_id}'
      on conflict (owner_id, person_id) do update set opinion = 'Forged', revision = 99`;
    await assertRefusedToAll(world(), upsert, STATUS);
  }
});

Deno.test("An archived person can only be restored or sealed", async () => {
  const paused = await movedPerson("PAUSED");
  const wrong = { status: "ARCHIVED", status_before: "ACTIVE", archived_at: AT };
  const astray = changeRow(PEOPLE, paused, nextRoot(paused, wrong));
  await assertRefusedToAll(world(), astray, STATUS);
  const archived = await movedPerson("PAUSED", "ARCHIVED");
  const changes: Row[] = [
    { person_name: "Forged" },
    { status: "ACTIVE", status_before: null, archived_at: null },
    { status: "SEALED", status_before: null, archived_at: null },
    { archived_at: "2026-11-20T12:00:00.001Z" },
  ];
  for (const columns of changes) {
    const attack = changeRow(PEOPLE, archived, nextRoot(archived, columns));
    await assertRefusedToAll(world(), attack, STATUS);
  }
  await assertRefusal(moveTo(archived, "PAUSED", "RESTORED").script, null);
});

Deno.test("An archived or sealed person accepts no ledger entry", async () => {
  const open = await storedPerson();
  const [contact, evidence] = [recordContact(open), evidenceOf(open)];
  const detail = recordDetail(contact.person);
  await world().raw(contact.script + insertEvidence(evidence) + detail.script);
  let person = detail.person;
  for (const status of ["ARCHIVED", "SEALED"]) {
    const step = moveTo(person, status, status === "ARCHIVED" ? status : "STATUS_CHANGED");
    await world().raw(step.script);
    person = step.person;
    const entries = [
      insertContact(contactOf(person)),
      insertRetraction(retractionOf(person, contact.contact)),
      insertExperience(experienceOf(person)),
      insertEvidence(evidenceOf(person)),
      insertEvidenceControl(evidenceControlOf(evidence)),
      insertDetail(detailOf(person)),
      insertDetailControl(detailControlOf(person, detail.detail)),
    ];
    for (const entry of entries) await assertRefusedToAll(world(), entry, STATUS);
  }
});

Deno.test("A revision requires the entry that explains it", async () => {
  const person = await storedPerson();
  const wrong: readonly (() => string)[] = [
    // Moves without their event, or with another one's.
    () => revise(person, "STATUS_CHANGED", { status: "PAUSED" }).script,
    () => {
      const step = revise(person, "STATUS_CHANGED", { status: "PAUSED" });
      const event = eventOf(step.person, { to_status: "SEALED" });
      const line = lineOf(person, "STATUS_CHANGED", { source_id: event.event_id ?? null });
      return step.script + insertInto("person_status_events", event) + insertLine(line);
    },
    () => revise(person, "STATUS_CHANGED").script,
    () => revise(person, "MODIFIED", { status: "PAUSED" }).script,
    () => revise(person, "CONTACT_RECORDED", { status: "PAUSED" }).script,
    // Contacts without entry, entries without revision.
    () => revise(person, "CONTACT_RECORDED").script,
    () => revise(person, "CONTACT_RETRACTED").script,
    () => revise(person, "MODIFIED", { last_contact_at: AT }).script,
    () => insertContact(contactOf(person)),
    () => {
      const step = revise(person, "MODIFIED");
      return step.script + insertContact(contactOf(step.person));
    },
    () => {
      const step = revise(person, "MODIFIED");
      const event = eventOf(step.person);
      const line = lineOf(person, "STATUS_CHANGED", { source_id: event.event_id ?? null });
      return step.script + insertInto("person_status_events", event) + insertLine(line);
    },
    () => {
      const made = recordContact(person, { recorded_at: "2026-11-20T12:00:00.001Z" });
      return made.script;
    },
    // A first contact that the person does not show.
    () => {
      const another = newRow(PEOPLE, String(person.owner_id), { last_contact_at: AT });
      return insertRow(PEOPLE, another);
    },
  ];
  for (const script of wrong) await assertRefusedToAll(world(), script(), "PRS05");
});

Deno.test("The last contact of a person is the newest not retracted", async () => {
  const person = await storedPerson();
  const [may, june] = ["2026-05-01T00:00:00.000Z", "2026-06-01T00:00:00.000Z"];
  const wrong = (last_contact_at: string | null, contacted_at: string) => {
    const step = revise(person, "CONTACT_RECORDED", { last_contact_at });
    return step.script + insertContact(contactOf(step.person, { contacted_at }));
  };
  for (const script of [wrong(null, may), wrong(june, may), wrong(may, june)]) {
    await assertRefusedToAll(world(), script, "PRS05");
  }
  const first = recordContact(person, { contacted_at: june });
  await world().raw(first.script);
  const retract = (last_contact_at: string | null) => {
    const step = revise(first.person, "CONTACT_RETRACTED", { last_contact_at });
    return step.script + insertRetraction(retractionOf(step.person, first.contact));
  };
  for (const left of [june, may]) await assertRefusedToAll(world(), retract(left), "PRS05");
  const older = revise(first.person, "CONTACT_RECORDED", { last_contact_at: may });
  const back = older.script + insertContact(contactOf(older.person, { contacted_at: may }));
  await assertRefusedToAll(world(), back, "PRS05");
  await assertRefusal(retract(null), null);
});

Deno.test("The projection of a person has only name and kind", async () => {
  const wrong: Row[] = [
    { title: "Forged" },
    { summary: "FAMILY" },
    { payload: `{"opinion":"Kind."}` },
    { source_type: "SEED" },
    { recorded_at: "2026-11-20T12:00:00.001Z" },
    { archived_at: AT },
    { module_code: "memory" },
  ];
  for (const columns of wrong) {
    const kind = {
      ...PEOPLE,
      projected: (row: Row) => ({ ...PEOPLE.projected?.(row), ...columns }),
    };
    await assertRefusedToAll(world(), insertOwned(kind, newRow(kind, ulid())), "PRS05");
  }
  const person = await storedPerson();
  const next = nextRoot(person, { person_name: "Helena" });
  const { module: _, ...unprojected } = PEOPLE;
  const step = projectStep(PEOPLE, person, { ...next, person_name: "Lena" }) +
    stepRow(unprojected, person, next);
  await assertRefusedToAll(world(), step, "PRS05");
});

Deno.test("Nothing is in the future beyond the allowed clock skew", async () => {
  const person = await storedPerson();
  const [early, late] = ["2026-11-20T12:05:00.000Z", "2026-11-20T12:05:00.001Z"];
  const experience = (occurred_at: string) =>
    insertExperience(experienceOf(person, { occurred_at }));
  const contact = (contacted_at: string) => recordContact(person, { contacted_at }).script;
  for (const script of [experience(late), contact(late)]) {
    await assertRefusedToAll(world(), script, "PRS06");
  }
  for (const script of [experience(early), contact(early)]) await assertRefusal(script, null);
});

Deno.test("Evidence ends once, its privacy rises, and what supersedes it is live", async () => {
  const person = await storedPerson();
  const [one, two, three] = [evidenceOf(person), evidenceOf(person), evidenceOf(person)];
  await world().raw([one, two, three].map(insertEvidence).join(""));
  let last = 0;
  const send = async (evidence: Row, columns: Row, expected: string | null) => {
    const control = evidenceControlOf(evidence, { control_number: last + 1, ...columns });
    const script = insertEvidenceControl(control);
    if (expected !== null) return await assertRefusedToAll(world(), script, expected);
    await assertRefusal(script, null);
    last++;
  };
  const to = (privacy: string) => ({ kind: "PRIVACY_RECLASSIFIED", privacy });
  const by = ({ evidence_id = null }: Row) => ({ kind: "SUPERSEDED", superseded_by: evidence_id });
  await send(one, to("NORMAL"), "PRS05 evidence_privacy_rises");
  await send(one, to("PRIVATE"), null);
  await send(one, to("PRIVATE"), "PRS05 evidence_privacy_rises");
  await send(one, by(two), null);
  for (const columns of [{}, by(three)]) await send(one, columns, "23505 one_end_an_evidence");
  await send(two, by(one), "PRS05 evidence_superseded_by_live");
  await send(one, to("SECRET"), null);
  await send(one, to("PRIVATE"), "PRS05 evidence_privacy_rises");
  await send(two, {}, null);
  await send(three, by(two), "PRS05 evidence_superseded_by_live");
});

Deno.test("A timeline line equals its source, and each source has one", async () => {
  const person = await storedPerson();
  const another = newRow(PEOPLE, String(person.owner_id));
  const experience = experienceOf(person);
  const made = recordContact(person);
  await world().raw(insertRow(PEOPLE, another) + insertExperience(experience) + made.script);
  const { experience_id = null, occurred_at = null } = experience;
  const { contact_id = null } = made.contact;
  const unlisted = experienceOf(person);
  const itsLine = {
    source_id: unlisted.experience_id ?? null,
    occurred_at: unlisted.occurred_at ?? null,
  };
  const wrong: readonly string[] = [
    insertLine(lineOf(person, "EXPERIENCE_RECORDED", { source_id: ulid(), occurred_at })),
    insertLine(lineOf(person, "STATUS_CHANGED", { source_id: experience_id })),
    insertLine(lineOf(person, "CONTACT_RETRACTED", { source_id: contact_id })),
    insertInto("person_experiences", unlisted),
    ...[
      { ...itsLine, occurred_at: AT },
      { ...itsLine, occurred_at: null },
      { ...itsLine, recorded_at: "2026-11-20T12:00:00.001Z" },
      { ...itsLine, person_id: another.person_id ?? null },
    ].map((line) =>
      insertInto("person_experiences", unlisted) +
      insertLine(lineOf(person, "EXPERIENCE_RECORDED", line))
    ),
  ];
  for (const script of wrong) await assertRefusedToAll(world(), script, "PRS05");
  const moved = revise(made.person, "STATUS_CHANGED", { status: "PAUSED" });
  const unseen = moved.script + insertInto("person_status_events", eventOf(moved.person));
  await assertRefusedToAll(world(), unseen, "PRS05");
  const retracted = revise(made.person, "CONTACT_RETRACTED", { last_contact_at: null });
  const control = retractionOf(retracted.person, made.contact);
  const silent = retracted.script + insertInto("person_contact_controls", control);
  await assertRefusedToAll(world(), silent, "PRS05");
});

/** The text of a column of clocks. */
function clocksOf(name: string, clock: string | null): string | null {
  return clock === null ? null : `{"${name}":"${clock}"}`;
}

interface Clocked {
  readonly privacy: string;
  readonly clock: string | null;
  /** The clock of the timeline line. */
  readonly shown: string | null;
}

function clockedExperience(person: Row, { privacy, clock, shown }: Clocked): string {
  const row = experienceOf(person, { privacy, clocks: clocksOf("occurredAt", clock) });
  const { experience_id: source_id = null, occurred_at = null } = row;
  const line = { source_id, occurred_at, clocks: clocksOf("occurredAt", shown) };
  return insertInto("person_experiences", row) +
    insertLine(lineOf(person, "EXPERIENCE_RECORDED", line));
}

/** @param person At the revision that the contact appends. */
function clockedContact(person: Row, { privacy, clock, shown }: Clocked): string {
  const row = contactOf(person, { privacy, clocks: clocksOf("contactedAt", clock) });
  const { contact_id: source_id = null, contacted_at: occurred_at = null } = row;
  const line = { source_id, occurred_at, clocks: clocksOf("occurredAt", shown) };
  return insertInto("person_contacts", row) +
    insertLine(lineOf(person, "CONTACT_RECORDED", line));
}

const JUNE = "2026-06-01T00:00:00.000Z";
const [TOKYO, NINE] = ["+09:00[Asia/Tokyo]", "+09:00"];

Deno.test("A timeline line has the clock of its source, unless that is SECRET", async () => {
  const person = await storedPerson();
  const recorded = revise(person, "CONTACT_RECORDED", { last_contact_at: JUNE });
  const records = [
    (each: Clocked) => clockedExperience(person, each),
    (each: Clocked) => recorded.script + clockedContact(recorded.person, each),
  ];
  const wrong = [
    { privacy: "PRIVATE", clock: TOKYO, shown: null },
    { privacy: "PRIVATE", clock: TOKYO, shown: NINE },
    { privacy: "PRIVATE", clock: null, shown: TOKYO },
    { privacy: "SECRET", clock: TOKYO, shown: TOKYO },
  ];
  for (const record of records) {
    for (const each of wrong) await assertRefusedToAll(world(), record(each), "PRS05");
    await assertRefusal(record({ privacy: "SECRET", clock: TOKYO, shown: null }), null);
  }
});

Deno.test("The clock of a last contact is that of the person's newest revision", async () => {
  const { owner_id } = await storedPerson();
  const clocks = clocksOf("lastContactAt", TOKYO);
  const person = newRow(PEOPLE, String(owner_id), { last_contact_at: JUNE, clocks });
  const make = (forged: Row) =>
    insertRow(PEOPLE, person, forged) +
    clockedContact(person, { privacy: "NORMAL", clock: TOKYO, shown: TOKYO });
  for (const clock of [null, NINE]) {
    const forged = { clocks: clocksOf("lastContactAt", clock) };
    await assertRefusedToAll(world(), make(forged), "PRS05");
  }
  await assertRefusal(make({}), null);
  const forged = revise(person, "MODIFIED", { clocks: null }, { clocks });
  await assertRefusedToAll(world(), forged.script, "PRS05");
  const silent = `update people set clocks = null where person_id = '${person.person_id}'`;
  await assertRefusedToAll(world(), silent, "PRS03");
});

Deno.test("A detail comes with its revision, and a control with its own", async () => {
  const person = await storedPerson();
  const made = recordDetail(person);
  await world().raw(made.script);
  const later = made.person;
  const wrong = [
    revise(later, "DETAIL_RECORDED").script,
    revise(later, "DETAIL_CONTROLLED").script,
    // With a revision of another kind, or with another change.
    ((step) => step.script + insertDetail(detailOf(step.person)))(revise(later, "MODIFIED")),
    ((step) => step.script + insertDetailControl(detailControlOf(step.person, made.detail)))(
      revise(later, "MODIFIED"),
    ),
    ((step) => step.script + insertDetail(detailOf(step.person)))(
      revise(later, "DETAIL_RECORDED", { status: "PAUSED" }),
    ),
  ];
  for (const script of wrong) await assertRefusal(script, "PRS05");
  await assertRefusal(controlDetail(later, made.detail).script, null);
});

Deno.test("A detail ends once, by a live one of its person and kind, and its privacy rises", async () => {
  const person = await storedPerson();
  const [one, another] = [recordDetail(person), newRow(PEOPLE, String(person.owner_id))];
  const two = recordDetail(one.person);
  const email = recordDetail(two.person, { kind: "EMAIL" });
  const other = recordDetail(another);
  await world().raw(
    one.script + two.script + email.script + insertRow(PEOPLE, another) + other.script,
  );
  const ended = controlDetail(email.person, two.detail);
  await world().raw(ended.script);
  const by = (detail: Row): Row => ({
    kind: "SUPERSEDED",
    superseded_by: detail.detail_id ?? null,
  });
  const wrong: readonly (readonly [Row, Row, string])[] = [
    [two.detail, {}, "23505 one_end_a_detail"],
    [one.detail, by(two.detail), "PRS05 detail_superseded_by_live"],
    [one.detail, by(email.detail), "PRS05 detail_superseded_by_live"],
    [one.detail, by(other.detail), "PRS05 detail_superseded_by_live"],
    [
      one.detail,
      { kind: "PRIVACY_RECLASSIFIED", privacy: "NORMAL" },
      "PRS05 detail_privacy_rises",
    ],
    [other.detail, { person_id: person.person_id ?? null }, "PRS05 detail_control_of_person"],
  ];
  for (const [detail, columns, expected] of wrong) {
    await assertRefusal(controlDetail(ended.person, detail, columns).script, expected);
  }
});

Deno.test("A person has at most two hundred live details", async () => {
  const person = await storedPerson();
  const { script, person: next } = revise(person, "DETAIL_RECORDED");
  const details = Array.from({ length: 200 }, () => insertDetail(detailOf(next))).join("");
  await world().raw(script + details);
  const more = recordDetail(next);
  await assertRefusal(more.script, "PRS05 person_details_are_few");
});

Deno.test("The step of name_revision fills it for all who were renamed, and hides nobody", async () => {
  await using empty = await openEmpty();
  const { database, rows } = empty;
  const { version } = MIGRATIONS.find(({ name }) => name === "people_2") ?? { version: 0 };
  const upTo = (last: number) => MIGRATIONS.filter((step) => step.version <= last);
  await migrate(database, upTo(version - 1));
  const write = (script: string) => database.transaction((tx) => tx.script(script));
  for (const statuses of [[], ["ARCHIVED"], ["SEALED"]]) {
    const first = newRow(PEOPLE, ulid());
    await write(insertOwned(PEOPLE, first));
    const other = revise(first, "MODIFIED", { person_name: "Helena" });
    const last = revise(other.person, "MODIFIED", { importance: 5 });
    await write(other.script + last.script);
    for (const status of statuses) {
      const change = status === "ARCHIVED" ? status : "STATUS_CHANGED";
      await write(moveTo(last.person, status, change).script);
    }
  }
  await write(insertOwned(PEOPLE, newRow(PEOPLE, ulid())));
  const older = await empty.another().snapshot(async (sql) => {
    await sql`select 1 from accounts`;
    await migrate(database, upTo(version));
    return await sql`select 1 from people`;
  });
  assertEquals(older.length, 4);
  const filled = await rows(
    "select status, name_revision from people order by name_revision, status",
  );
  assertEquals(filled.map(({ status, name_revision }) => [status, name_revision]), [
    ["ACTIVE", 2],
    ["ARCHIVED", 2],
    ["SEALED", 2],
    ["ACTIVE", null],
  ]);
});
