/** Concurrent requests about one person, at two applications. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { patch } from "../families/decision/api.ts";
import { walkPages } from "../http/kernel.ts";
import { post, read } from "../families/memory/api.ts";
import {
  CONTACT,
  contact,
  control,
  createPerson,
  current,
  EVIDENCE,
  evidence,
  EXPERIENCE,
  personPath,
} from "../families/relationship/api.ts";
import { type Random, seededRandom } from "../support/random.ts";
import {
  type Caller,
  callerOf,
  ENGINE,
  type Json,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";

const world = sharedWorld();

const ROUNDS = ENGINE === "postgres" ? 8 : 4;
const ROUNDS_AT_ONCE = 8;

/** A person known to two processes, with its own randomness. */
interface Round {
  readonly here: Caller;
  readonly there: Caller;
  readonly known: Json;
  /** After random delays. */
  together(...calls: readonly (() => Promise<TestResponse>)[]): Promise<TestResponse[]>;
}

/** Runs some rounds concurrently. */
function raceTest(name: string, seed: number, play: (round: Round) => Promise<void>): void {
  Deno.test(name, async () => {
    const here = await world().createCaller();
    const there = callerOf(world().again(), here);
    const random = seededRandom(seed);
    for (let first = 0; first < ROUNDS; first += ROUNDS_AT_ONCE) {
      const rounds = Array.from(
        { length: Math.min(ROUNDS_AT_ONCE, ROUNDS - first) },
        async () => {
          const known = await createPerson(here);
          const together: Round["together"] = (...calls) =>
            Promise.all(calls.map((call) => delayed(random, call)));
          await play({ here, there, known, together });
        },
      );
      await Promise.all(rounds);
    }
  });
}

async function delayed<T>(random: Random, call: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, random.integer(0, 12)));
  return await call();
}

function codeOf({ status, body }: TestResponse): string {
  return status < 300 ? "done" : body.error.code;
}

raceTest("Of a concurrent patch, pause and seal one succeeds", 1, async (round) => {
  const { here, there, known, together } = round;
  const next = { expectedRevision: 1 };
  const path = personPath(known, "/status");
  const answers = await together(
    () => patch(here, personPath(known), { ...next, set: { opinion: "Kind." } }),
    () => post(there, path, { ...next, status: "SEALED" }),
    () => post(here, path, { ...next, status: "PAUSED" }),
    () => patch(there, personPath(known), { ...next, set: { opinion: "Quick." } }),
  );
  const codes = answers.map(codeOf);
  assertEquals(codes.filter((code) => code === "done").length, 1, codes.join());
  const sealed = codes[1] === "done";
  const refused = sealed ? "RELATIONSHIP_STATUS_CONFLICT" : "REVISION_CONFLICT";
  assertEquals(new Set(codes), new Set(["done", refused]));
  const { status, revision } = await current(here, known);
  assertEquals([status === "SEALED", revision], [sealed, 2]);
  assertEquals((await read(here, personPath(known, "/revisions"))).items.length, 2);
});

raceTest(
  "A patch under one key happens once, or is rejected, while its person is sealed",
  2,
  async (round) => {
    const { here, there, known, together } = round;
    const options = { key: ulid(), body: { expectedRevision: 1, set: { opinion: "Kind." } } };
    const send = (caller: Caller) => () => caller.call("PATCH", personPath(known), options);
    const seal = { expectedRevision: 1, status: "SEALED" };
    const answers = await together(
      send(here),
      send(there),
      () => post(here, personPath(known, "/status"), seal),
      send(here),
      send(there),
    );
    const sealed = answers.splice(2, 1).map(codeOf)[0] === "done";
    const allowed = sealed
      ? ["RELATIONSHIP_STATUS_CONFLICT", "IDEMPOTENCY_IN_PROGRESS"]
      : ["done", "IDEMPOTENCY_IN_PROGRESS"];
    for (const answer of answers) assert(allowed.includes(codeOf(answer)), answer.text);
    // Later responses agree.
    const later = await together(send(here), send(there), send(here), send(there));
    assertEquals(new Set(later.map(codeOf)), new Set([allowed[0]]));
    assertEquals((await current(here, known)).revision, 2);
  },
);

raceTest(
  "The last contact is the newest live one in every revision, under concurrency",
  3,
  async (round) => {
    const { here, there, known, together } = round;
    const at = (day: number) => `2026-06-0${day}T00:00:00.000Z`;
    const stored: Json[] = [];
    for (const day of [2, 5, 8]) stored.push(await contact(here, known, { contactedAt: at(day) }));
    const append = (caller: Caller, day: number) => () =>
      post(caller, personPath(known, "/contacts"), { ...CONTACT, contactedAt: at(day) });
    const retract = (caller: Caller, index: number) => () =>
      control(caller, stored[index], { kind: "RETRACTED" });
    const answers = await together(
      append(here, 9),
      retract(there, 2),
      append(there, 1),
      retract(here, 1),
      retract(there, 1),
      append(here, 6),
    );
    const codes = answers.map(codeOf);
    assertEquals(codes.toSpliced(3, 2), ["done", "done", "done", "done"]);
    assertEquals(codes.slice(3, 5).sort(), ["RELATIONSHIP_ENTRY_CONFLICT", "done"]);
    await assertLastContacts(here, known, 4 + 5);
  },
);

/** Each revision shows its newest live contact. */
async function assertLastContacts(caller: Caller, known: Json, revisions: number): Promise<void> {
  const contacts = (await walkPages(caller, personPath(known, "/contacts"))).flat();
  const retractions = await world().rows(`
    select contact_id, person_revision from person_contact_controls
     where person_id = '${known.personId}'`);
  const endOf = (contactId: string) =>
    retractions.find((each) => each.contact_id === contactId)?.person_revision ?? Infinity;
  const items = (await walkPages(caller, personPath(known, "/revisions"))).flat();
  assertEquals(items.length, revisions);
  for (const { revision, lastContactAt } of items) {
    const live = contacts.filter(({ contactId, personRevision }) =>
      personRevision <= revision && endOf(contactId) > revision
    );
    const newest = live.map(({ contactedAt }) => contactedAt).sort().at(-1) ?? null;
    assertEquals(lastContactAt, newest, `revision ${revision}`);
  }
}

raceTest(
  "Evidence ends once under concurrency, and its privacy only rises",
  4,
  async (round) => {
    const { here, there, known, together } = round;
    const [one, two, three] = [
      await evidence(here, known),
      await evidence(here, known),
      await evidence(here, known),
    ];
    const by = (entry: Json) => ({ kind: "SUPERSEDED", supersededBy: entry.evidenceId });
    const send = (caller: Caller, entry: Json, body: JsonObject) => () =>
      control(caller, entry, body);
    const to = (privacy: string) => ({ kind: "PRIVACY_RECLASSIFIED", privacy });
    const ends = await together(
      send(here, one, { kind: "RETRACTED" }),
      send(there, one, by(two)),
      send(here, one, by(three)),
      send(there, one, to("PRIVATE")),
      send(here, one, to("SECRET")),
    );
    const codes = ends.map(codeOf);
    assertEquals(codes.slice(0, 3).sort(), [
      "RELATIONSHIP_ENTRY_CONFLICT",
      "RELATIONSHIP_ENTRY_CONFLICT",
      "done",
    ]);
    assert(["done", "PRIVACY_DOWNGRADE_FORBIDDEN"].includes(codes[3] ?? ""), codes[3]);
    assertEquals(codes[4], "done");
    const path = personPath(known, `/evidence/${one.evidenceId}`);
    const { state, effectivePrivacy } = await read(here, path);
    assertEquals([state, effectivePrivacy], [
      codes[0] === "done" ? "RETRACTED" : "SUPERSEDED",
      "SECRET",
    ]);
  },
);

raceTest(
  "Of two pieces of evidence that supersede each other one succeeds",
  5,
  async (round) => {
    const { here, there, known, together } = round;
    const [one, two] = [await evidence(here, known), await evidence(here, known)];
    const by = (entry: Json) => ({ kind: "SUPERSEDED", supersededBy: entry.evidenceId });
    const answers = await together(
      () => control(here, one, by(two)),
      () => control(there, two, by(one)),
    );
    assertEquals(answers.map(codeOf).sort(), ["RELATIONSHIP_ENTRY_CONFLICT", "done"]);
    const { items } = await read(here, personPath(known, "/evidence"));
    assertEquals(items.map(({ state }: Json) => state).sort(), ["LIVE", "SUPERSEDED"]);
  },
);

raceTest("An entry about a person precedes its seal, or is rejected", 6, async (round) => {
  const { here, there, known, together } = round;
  const entries = [["/experiences", EXPERIENCE], ["/evidence", EVIDENCE]] as const;
  const appends = entries.flatMap(([below, body]) =>
    [here, there].map((caller) => () => post(caller, personPath(known, below), body))
  );
  const seal = { expectedRevision: 1, status: "SEALED" };
  const answers = await together(
    ...appends,
    () => post(there, personPath(known, "/status"), seal),
  );
  const codes = answers.map(codeOf);
  assertEquals(codes.at(-1), "done");
  const allowed = ["done", "RELATIONSHIP_STATUS_CONFLICT"];
  assert(codes.every((code) => allowed.includes(code)), codes.join());
  for (const [index, [below]] of entries.entries()) {
    const { items } = await read(here, personPath(known, below));
    const made = answers.slice(2 * index, 2 * index + 2).filter(({ status }) => status === 201);
    assertEquals(items.length, made.length);
  }
  const late = await together(...appends);
  assertEquals(new Set(late.map(codeOf)), new Set(["RELATIONSHIP_STATUS_CONFLICT"]));
});

raceTest(
  "A contact under one key is recorded once, and moves happen one by one",
  7,
  async (round) => {
    const { here, there, known, together } = round;
    const path = personPath(known, "/contacts");
    const options = { key: ulid(), body: CONTACT };
    const archive = { expectedRevision: 2 };
    const answers = await together(
      () => here.call("POST", path, options),
      () => there.call("POST", path, options),
      () => here.call("POST", path, options),
    );
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.data);
    assert(made.length > 0);
    for (const each of made) assertEquals(each, made[0]);
    assertEquals((await read(here, path)).items, [made[0]]);
    const moves = await together(
      () => post(here, personPath(known, "/archive"), archive),
      () => post(there, personPath(known, "/archive"), archive),
      () => post(there, personPath(known, "/status"), { ...archive, status: "PAUSED" }),
    );
    assertEquals(moves.map(codeOf).filter((code) => code === "done").length, 1);
    const { items } = await read(here, personPath(known, "/status/history"));
    assertEquals([items.length, items[0].revision], [1, 3]);
  },
);
