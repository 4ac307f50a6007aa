// engines: postgres
/** Plans of statements about people among very many rows. */

import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { leaseProposals } from "../../src/families/relationship/evaluation_work.ts";
import { patch } from "../families/decision/api.ts";
import { post } from "../families/memory/api.ts";
import {
  CONTACT,
  EVIDENCE,
  EXPERIENCE,
  PEOPLE as PATH,
  PERSON,
  withoutSecrets,
} from "../families/relationship/api.ts";
import { type Caller, callerOf, createWorld, type TestResponse } from "../support/world.ts";
import { assertSeeks, assertWalks, plansOf } from "./plans.ts";
import { createRecordingDatabase, type SentStatement } from "./recording.ts";
import { crowdedPerson, entryId, insertRelationshipCrowd } from "../families/relationship/crowd.ts";

const COUNT = 600;
const CROWD = "01KA";
const CROWDED = `${PATH}/${crowdedPerson(CROWD)}`;
const ONE = entryId(CROWD, 250);

/** First and second pages are read. */
const LISTS = [
  `${PATH}?`,
  `${PATH}?status=ACTIVE&`,
  `${PATH}?status=SEALED&relationshipType=FAMILY&`,
  ...["name", "-name", "lastContact", "-lastContact"].flatMap((sort) => [
    `${PATH}?sort=${sort}&`,
    `${PATH}?sort=${sort}&archived=exclude&`,
    `${PATH}?sort=${sort}&archived=only&`,
  ]),
  ...["revisions", "status/history", "contacts", "experiences", "evidence", "timeline"].map((
    list,
  ) => `${CROWDED}/${list}?`),
  ...["proposals", `proposals/${ONE}/events`, "evaluations"].map((list) => `${CROWDED}/${list}?`),
];

const DETAILS = [
  CROWDED,
  `${CROWDED}?revision=250`,
  ...["contacts", "experiences", "evidence", "proposals", "timeline"].map((list) =>
    `${CROWDED}/${list}/${ONE}`
  ),
];

/** As the build of the order writes them. */
const ORDER = `
  insert into record_order (owner_id, record_id, module_code, rule, is_archived, guard, order_form)
    select owner_id, record_id, module_code, 3, false, '', right(record_id, 10) from records;`;

/** Every write, each succeeds once. */
function writesOf(caller: Caller): readonly (() => Promise<TestResponse>)[] {
  const revision = 2 * COUNT + 1;
  const move = (end: string, expectedRevision: number, body: JsonObject = {}) => () =>
    post(caller, `${CROWDED}/${end}`, { expectedRevision, ...body });
  return [
    () => post(caller, PATH, { ...PERSON, lastContactAt: "2026-01-01T00:00:00Z" }),
    () => patch(caller, CROWDED, { expectedRevision: revision, set: { importance: 1 } }),
    move("status", revision + 1, { status: "PAUSED" }),
    move("archive", revision + 2),
    move("restore", revision + 3),
    () => post(caller, `${CROWDED}/experiences`, EXPERIENCE),
    () => post(caller, `${CROWDED}/contacts`, CONTACT),
    () => post(caller, `${CROWDED}/contacts/${ONE}/control`, { kind: "RETRACTED" }),
    () => post(caller, `${CROWDED}/evidence`, EVIDENCE),
    () => post(caller, `${CROWDED}/proposals`, { providerConsent: true }),
    () =>
      post(caller, `${CROWDED}/evidence/${entryId(CROWD, 251)}/control`, {
        kind: "SUPERSEDED",
        supersededBy: entryId(CROWD, 253),
      }),
  ];
}

Deno.test("Each statement about people uses an index among very many rows", async () => {
  await using world = await createWorld();
  const [owner, other] = [await world.createCaller(), await world.createCaller()];
  const crowds = [owner, other].map((caller) => insertRelationshipCrowd(caller, COUNT, CROWD));
  await world.raw(`${crowds.join("\n")} ${ORDER} analyze`);
  const recording = createRecordingDatabase(world.database, "all");
  const app = world.again({ database: recording.database });
  const secretReader = callerOf(app, owner);
  const reader = callerOf(app, await withoutSecrets(world, owner));
  const responses: TestResponse[] = [];
  /** Without the credential's statements. */
  const sentBy = async (call: () => Promise<TestResponse>): Promise<SentStatement[]> => {
    const sent = await recording.during(async () => {
      const response = await call();
      assert(response.status < 300, response.text);
      responses.push(response);
    });
    const own = sent.filter(({ text }) => /\b(people|person_)/.test(text));
    assert(own.length > 0, "Nothing was recorded");
    return own;
  };
  for (const caller of [secretReader, reader]) {
    for (const list of LISTS) {
      const statements = await sentBy(() => caller.call("GET", list));
      const cursor = responses.at(-1)?.body.data.nextCursor;
      if (cursor !== null) {
        const page = `${list}limit=100&cursor=${encodeURIComponent(cursor)}`;
        statements.push(...await sentBy(() => caller.call("GET", page)));
      }
      for (const statement of statements) {
        for (const plan of await plansOf(world, statement)) assertWalks(plan, statement.text);
      }
    }
  }
  const seeking: SentStatement[] = [];
  for (const path of DETAILS) seeking.push(...await sentBy(() => secretReader.call("GET", path)));
  for (const body of [{ q: "le" }, { q: "le", sort: "-lastContact", archived: "exclude" }]) {
    seeking.push(...await sentBy(() => secretReader.call("POST", `${PATH}/find`, { body })));
  }
  for (const write of writesOf(secretReader)) seeking.push(...await sentBy(write));
  // The new proposal among stale ones.
  seeking.push(
    ...await recording.during(async () => {
      assertEquals((await leaseProposals(recording.database, world.now())).length, 1);
    }),
  );
  for (const statement of seeking) {
    for (const plan of await plansOf(world, statement)) assertSeeks(plan, statement.text);
  }
});
