/** Local times of people, contacts, experiences and timelines. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Json, sharedWorld } from "../support/world.ts";
import { patch } from "../families/decision/api.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  atRevision,
  walkPages,
} from "./kernel.ts";
import { post, read } from "../families/memory/api.ts";
import {
  CONTACT,
  contact,
  control,
  createPerson,
  current,
  EXPERIENCE,
  experience,
  move,
  PEOPLE,
  PERSON,
  personPath,
  RETRACTED,
} from "../families/relationship/api.ts";

const world = sharedWorld();

const TOKYO = "2026-06-01T12:00:00.000+09:00[Asia/Tokyo]";
const BERLIN = "2026-06-01T05:00:00.000+02:00[Europe/Berlin]";
const IN_MAY = "2026-05-01T12:00:00.000-03:00";
const JUNE = "2026-06-01T03:00:00.000Z";
const LATER = "2026-06-02T03:00:00.000Z";

Deno.test("The last contact has the clock of the newest live contact", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, {
    lastContactAt: "2026-06-01T12:00:00+09:00[!asia/tokyo]",
  });
  const states = [atRevision(known)];
  const assertShown = async (lastContactAt: string | null, local: string | null) => {
    const person = await current(caller, known);
    const localTimes = local === null ? {} : { lastContactAt: local };
    assertEquals([person.lastContactAt, person.localTimes], [lastContactAt, localTimes]);
    states.push(atRevision(person));
  };
  const [tokyo] = (await read(caller, personPath(known, "/contacts"))).items;
  assertEquals([known.localTimes, tokyo.localTimes], [
    { lastContactAt: TOKYO },
    { contactedAt: TOKYO },
  ]);
  const recorded: [JsonObject, string, string | null][] = [
    [{ contactedAt: IN_MAY }, JUNE, TOKYO],
    // The last one recorded counts.
    [{ contactedAt: BERLIN }, JUNE, BERLIN],
    [{ contactedAt: TOKYO, privacy: "SECRET" }, JUNE, null],
    [{ contactedAt: LATER }, LATER, null],
  ];
  const contacts: Json[] = [];
  for (const [body, ...expected] of recorded) {
    world().advance(5);
    contacts.push(await contact(caller, known, body));
    await assertShown(...expected);
  }
  const [may, berlin, secret, last] = contacts;
  const retracted: [Json, string | null, string | null][] = [
    [last, JUNE, null],
    [secret, JUNE, BERLIN],
    [berlin, JUNE, TOKYO],
    [tokyo, "2026-05-01T15:00:00.000Z", IN_MAY],
    [may, null, null],
  ];
  for (const [entry, ...expected] of retracted) {
    world().advance(5);
    const response = await control(caller, entry, RETRACTED);
    assertEquals(response.body.data, { ...entry, state: "RETRACTED" });
    await assertShown(...expected);
  }
  const revisions = (await walkPages(caller, personPath(known, "/revisions"))).flat().toReversed();
  assertEquals(revisions.map(({ revisionId: _, change: __, ...state }) => state), states);
  assertEquals(await read(caller, personPath(known, "?revision=3")), states[2]);
  const lines = (await walkPages(caller, personPath(known, "/timeline"))).flat()
    .filter(({ kind }) => kind === "CONTACT_RECORDED");
  assertEquals(Object.fromEntries(lines.map((line) => [line.sourceId, line.localTimes])), {
    [tokyo.contactId]: { occurredAt: TOKYO },
    [may.contactId]: { occurredAt: IN_MAY },
    [berlin.contactId]: { occurredAt: BERLIN },
    [secret.contactId]: {},
    [last.contactId]: {},
  });
});

Deno.test("Other changes of a person keep the clock of the last contact", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { lastContactAt: TOKYO });
  await patch(caller, personPath(known), { expectedRevision: 1, set: { importance: 5 } });
  for (const to of ["PAUSED", "archive", "restore", "SEALED"] as const) {
    await move(caller, known, to);
    assertEquals((await current(caller, known)).localTimes, { lastContactAt: TOKYO }, to);
  }
});

Deno.test("An experience gives its clock to the timeline unless it is SECRET", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const cases: [JsonObject, Json, Json][] = [
    [{ occurredAt: TOKYO }, { occurredAt: TOKYO }, { occurredAt: TOKYO }],
    [{ occurredAt: TOKYO, privacy: "SECRET" }, { occurredAt: TOKYO }, {}],
    [{ occurredAt: JUNE }, {}, {}],
  ];
  for (const [body, own, shown] of cases) {
    const made = await experience(caller, known, body);
    assertEquals(made.localTimes, own);
    const path = personPath(known, `/experiences/${made.experienceId}`);
    assertEquals(await read(caller, path), made);
    const { items } = await read(caller, personPath(known, "/timeline"));
    const line = items.find(({ sourceId }: Json) => sourceId === made.experienceId);
    assertEquals(line.localTimes, shown);
    assertEquals(await read(caller, personPath(known, `/timeline/${line.entryId}`)), line);
  }
});

Deno.test("A replay shows the clock, and a key with another clock is another request", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller);
  const routes = [
    [PEOPLE, PERSON, "lastContactAt"],
    [personPath(known, "/contacts"), CONTACT, "contactedAt"],
    [personPath(known, "/experiences"), EXPERIENCE, "occurredAt"],
  ] as const;
  for (const [path, body, name] of routes) {
    const key = ulid();
    const send = (time: string) =>
      caller.call("POST", path, { key, body: { ...body, [name]: time } });
    const made = await send(TOKYO);
    assertEquals(made.body.data.localTimes, { [name]: TOKYO });
    await assertWritesNothing(world(), async () => {
      assertEquals((await send(TOKYO)).body.data, made.body.data);
      assertFailure(await send(BERLIN), "IDEMPOTENCY_KEY_REUSED", name);
    });
    const refused: [JsonObject, string, string[]][] = [
      [{ [name]: "2026-06-01T12:00:00+09:00[Asia/Tokyo" }, "field.datetime", [name]],
      [{ [name]: "2026-06-01T12:00:00+09:00[Mars/Olympus]" }, "field.time_zone", [name]],
      [{ [name]: "2026-06-01T12:00:00+08:00[Asia/Tokyo]" }, "field.time_offset", [name]],
      [{ localTimes: { [name]: TOKYO } }, "undeclared_field", []],
    ];
    await assertWritesNothing(world(), async () => {
      for (const [wrong, rule, fields] of refused) {
        const response = await post(caller, path, { ...body, ...wrong });
        assertInvalid(response, [rule], fields, JSON.stringify(wrong));
      }
    });
  }
});
