// engines: postgres
/** Plans of statements about terms among very many rows. */

import { assert } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { post } from "../families/memory/api.ts";
import {
  ASSIGNMENTS,
  CATEGORIES as PATH,
  EXPORTS,
  fileOf,
  fileTerm,
  IMPORTS,
  patch,
  SEARCH,
  TAGS as TAG_PATH,
  TREE,
  USAGE,
} from "../families/taxonomy/api.ts";
import { type Caller, callerOf, createWorld, type TestResponse } from "../support/world.ts";
import { newRow } from "./family_rows.ts";
import { idOf, insertManyRevisions } from "./many_rows.ts";
import { assertSeeks, assertWalks, plansOf } from "./plans.ts";
import { createRecordingDatabase, type SentStatement } from "./recording.ts";
import { crowdIds, insertTaxonomyCrowd } from "../families/taxonomy/crowd.ts";
import { namesOf, TAGS } from "../families/taxonomy/rows.ts";
import { insertInto } from "./rows.ts";

const COUNT = 900;
const IDS = crowdIds("01KA");
/** Changed very often. */
const BUSY = "01KB" + "0".repeat(22);

function busyOne({ accountId }: Caller): string {
  const row = newRow(TAGS, accountId, { term_id: BUSY });
  const names = namesOf(row).map((name) => insertInto("taxonomy_names", name)).join("");
  return insertManyRevisions(TAGS, row, COUNT) + names;
}

const SORTED = ["name", "-name"].flatMap((sort) => [
  `${TAG_PATH}?sort=${sort}`,
  `${PATH}?sort=${sort}&inactive=include`,
  `${USAGE}?sort=${sort}&inactive=only`,
]);

const LISTS = [
  ...["exclude", "only", "include"].flatMap((inactive) => [
    `${TAG_PATH}?inactive=${inactive}`,
    `${TAG_PATH}?inactive=${inactive}&limit=100&cursor=${idOf(IDS.tags, 250)}`,
    `${PATH}?inactive=${inactive}`,
    `${PATH}?inactive=${inactive}&limit=100&cursor=${idOf(IDS.categories, 250)}`,
    `${PATH}?inactive=${inactive}&parentId=root`,
    `${PATH}?inactive=${inactive}&parentId=${idOf(IDS.categories, 0)}`,
  ]),
  `${TAG_PATH}/${BUSY}`,
  `${TAG_PATH}/${BUSY}/revisions`,
  `${TAG_PATH}/${BUSY}/revisions?limit=100&cursor=${idOf(BUSY.slice(0, 10), 250)}`,
  `${TAG_PATH}/${BUSY}/revisions/250`,
  `${ASSIGNMENTS}?termId=${idOf(IDS.tags, 1)}`,
  `${ASSIGNMENTS}?termId=${idOf(IDS.tags, 1)}&cursor=${idOf(`${IDS.assignments}R`, 250)}`,
  `${ASSIGNMENTS}?moduleCode=commitment&recordId=${idOf(IDS.records, 1)}`,
];

/** They read or aggregate all of an owner's rows. */
const WHOLE = [
  TREE,
  EXPORTS,
  USAGE,
  `${USAGE}?kind=CATEGORY&inactive=include`,
  `${TAG_PATH}?sort=use`,
  `${PATH}?sort=-use&inactive=include`,
  `${USAGE}?sort=use`,
];

/** As the build of the order writes them. */
const ORDER = `
  insert into record_order (owner_id, record_id, module_code, rule, is_archived, guard, order_form)
    select owner_id, term_id, 'taxonomy', 3, deactivated_at is not null, '', right(term_id, 10)
      from taxonomy_terms;`;

/** Every write, each succeeds once. */
function writesOf(caller: Caller): readonly (() => Promise<TestResponse>)[] {
  const [one, other] = [`${TAG_PATH}/${idOf(IDS.tags, 1)}`, `${PATH}/${idOf(IDS.categories, 1)}`];
  const send = (path: string, body: JsonObject = {}) => () => post(caller, path, body);
  const carrier = { moduleCode: "commitment", recordId: idOf(IDS.records, 700) };
  return [
    send(TAG_PATH, { name: "New", aliases: ["Newer"] }),
    send(PATH, { name: "New", parentId: idOf(IDS.categories, 0) }),
    () => patch(caller, one, { expectedRevision: 1, set: { aliases: ["Alias"] } }),
    send(`${one}/rename`, { expectedRevision: 2, name: "Renamed" }),
    send(`${other}/move`, { expectedRevision: 1, parentId: idOf(IDS.categories, 2) }),
    send(`${other}/deactivate`),
    send(`${other}/reactivate`),
    send(ASSIGNMENTS, { ...carrier, termId: idOf(IDS.tags, 2) }),
    send(`${ASSIGNMENTS}/remove`, { ...carrier, termId: idOf(IDS.tags, 2) }),
    send(`${one}/merge`, { expectedRevision: 3, intoId: idOf(IDS.tags, 4) }),
    send(IMPORTS, fileOf([fileTerm("CATEGORY", "Imported"), fileTerm("TAG", "Imported")], "SKIP")),
    send(SEARCH, { q: "01" }),
  ];
}

Deno.test("Each statement about terms uses an index among very many rows", async () => {
  await using world = await createWorld();
  const [owner, other] = [await world.createCaller(), await world.createCaller()];
  const crowds = [owner, other].map((caller) => insertTaxonomyCrowd(caller, COUNT, "01KA"));
  await world.raw(`${crowds.join("\n")} ${busyOne(owner)} ${ORDER} analyze`);
  const recording = createRecordingDatabase(world.database, "all");
  const caller = callerOf(world.again({ database: recording.database }), owner);
  /** Without the credential's statements. */
  const sentBy = async (call: () => Promise<TestResponse>): Promise<SentStatement[]> => {
    const sent = await recording.during(async () => {
      const response = await call();
      assert(response.status < 300, response.text);
    });
    const own = sent.filter(({ text }) => /\btaxonomy/.test(text));
    assert(own.length > 0, "Nothing was recorded");
    return own;
  };
  for (const path of LISTS) {
    for (const statement of await sentBy(() => caller.call("GET", path))) {
      for (const plan of await plansOf(world, statement)) assertWalks(plan, statement.text);
    }
  }
  for (const path of SORTED) {
    const sent = await sentBy(async () => {
      const response = await caller.call("GET", path);
      return await caller.call("GET", `${path}&cursor=${response.body.data.nextCursor}`);
    });
    // The counts of a usage aggregate.
    for (const statement of sent.filter(({ text }) => /record_order/.test(text))) {
      for (const plan of await plansOf(world, statement)) assertWalks(plan, statement.text);
    }
  }
  const others: SentStatement[] = [];
  for (const path of WHOLE) others.push(...await sentBy(() => caller.call("GET", path)));
  for (const write of writesOf(caller)) others.push(...await sentBy(write));
  for (const statement of others) {
    for (const plan of await plansOf(world, statement)) assertSeeks(plan, statement.text);
  }
});
