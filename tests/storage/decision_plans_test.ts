// engines: postgres
/** Plans of statements about decisions among very many rows. */

import { assert } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import {
  ANALYSIS,
  COUNTERFACTUAL,
  DECISION,
  DECISIONS as PATH,
  OUTCOME,
  patch,
  PREDICTION,
} from "../families/decision/api.ts";
import { post } from "../families/memory/api.ts";
import { type Caller, callerOf, createWorld, type TestResponse } from "../support/world.ts";
import {
  BELOW_DECISIONS,
  crowdedDecision,
  insertDecisionCrowd,
} from "../families/decision/crowd.ts";
import { DECISIONS, PREDICTIONS } from "../families/decision/rows.ts";
import { newRow } from "./family_rows.ts";
import { idOf, insertManyRevisions } from "./many_rows.ts";
import { assertSeeks, assertWalks, plansOf } from "./plans.ts";
import { createRecordingDatabase, type SentStatement } from "./recording.ts";

const COUNT = 500;
const CROWD = "01KA";
/** Changed very often. */
const BUSY = "01KB" + "0".repeat(22);

function busyOnes({ accountId }: Caller): string {
  const prediction = { prediction_id: BUSY, decision_id: BUSY };
  return insertManyRevisions(
    DECISIONS,
    newRow(DECISIONS, accountId, { decision_id: BUSY }),
    COUNT,
  ) +
    insertManyRevisions(PREDICTIONS, newRow(PREDICTIONS, accountId, prediction), COUNT);
}

/** Every read of the family. */
const READS = [
  ...["exclude", "only", "include"].flatMap((archived) => [
    `${PATH}?archived=${archived}`,
    `${PATH}?archived=${archived}&limit=100&cursor=${idOf(CROWD, 250)}`,
  ]),
  ...[`${PATH}/${BUSY}`, `${PATH}/${BUSY}/predictions/${BUSY}`].flatMap((busy) => [
    busy,
    `${busy}?revision=250`,
    `${busy}/revisions`,
    `${busy}/revisions?limit=100&cursor=${idOf(BUSY.slice(0, 10), 250)}`,
  ]),
  ...Object.keys(BELOW_DECISIONS).flatMap((kind) => {
    const list = `${PATH}/${crowdedDecision(CROWD)}/${kind}`;
    const one = `${list}/${idOf(CROWD, 250)}`;
    return [
      list,
      `${list}?limit=100&cursor=${idOf(CROWD, 250)}`,
      one,
      `${one}?revision=1`,
      `${one}/revisions`,
    ];
  }),
];

/** Every write, each succeeds once. */
function writesOf(caller: Caller): readonly (() => Promise<TestResponse>)[] {
  const busy = `${PATH}/${BUSY}`;
  const crowded = `${PATH}/${crowdedDecision(CROWD)}`;
  const one = idOf(CROWD, 250);
  const change = (path: string, expectedRevision: number, set: JsonObject) => () =>
    patch(caller, path, { expectedRevision, set });
  return [
    () => post(caller, PATH, DECISION),
    change(busy, COUNT, { rationale: "The light, still." }),
    () => post(caller, `${busy}/archive`, {}),
    () => post(caller, `${busy}/restore`, {}),
    () => post(caller, `${crowded}/predictions`, PREDICTION),
    change(`${busy}/predictions/${BUSY}`, COUNT, { probability: 0.25 }),
    () => post(caller, `${busy}/outcomes`, { ...OUTCOME, predictionId: BUSY }),
    change(`${crowded}/outcomes/${one}`, 1, { satisfaction: 5 }),
    () => post(caller, `${crowded}/counterfactuals`, COUNTERFACTUAL),
    change(`${crowded}/counterfactuals/${one}`, 1, { option: "Near work", confidence: 1 }),
    () =>
      post(caller, `${crowded}/analyses/${one}/revisions`, { ...ANALYSIS, expectedRevision: 1 }),
  ];
}

Deno.test("Each statement about decisions uses an index among very many rows", async () => {
  await using world = await createWorld();
  const [owner, other] = [await world.createCaller(), await world.createCaller()];
  const crowds = [owner, other].map((caller) => insertDecisionCrowd(caller, COUNT, CROWD));
  await world.raw(`${crowds.join("\n")} ${busyOnes(owner)} analyze`);
  const recording = createRecordingDatabase(world.database, "all");
  const caller = callerOf(world.again({ database: recording.database }), owner);
  /** Without the credential's statements. */
  const sentBy = async (call: () => Promise<TestResponse>): Promise<SentStatement[]> => {
    const sent = await recording.during(async () => {
      const response = await call();
      assert(response.status < 300, response.text);
    });
    const own = sent.filter(({ text }) => /\bdecision/.test(text));
    assert(own.length > 0, "Nothing was recorded");
    return own;
  };
  for (const path of READS) {
    for (const statement of await sentBy(() => caller.call("GET", path))) {
      for (const plan of await plansOf(world, statement)) assertWalks(plan, statement.text);
    }
  }
  // Calibration aggregates all of an owner's rows.
  const summing = await sentBy(() => caller.call("GET", "/api/v2/decision/calibration"));
  const writing: SentStatement[] = [];
  for (const write of writesOf(caller)) writing.push(...await sentBy(write));
  for (const statement of [...summing, ...writing]) {
    for (const plan of await plansOf(world, statement)) assertSeeks(plan, statement.text);
  }
});
