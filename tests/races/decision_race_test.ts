/** Concurrent requests about decisions, at two applications. */

import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import {
  COUNTERFACTUAL,
  decide,
  decisionPath,
  OUTCOME,
  patch,
  PREDICTION,
} from "../families/decision/api.ts";
import { assertFailure, assertInvalid } from "../http/kernel.ts";
import { done, post, read } from "../families/memory/api.ts";
import { type Caller, callerOf, sharedWorld } from "../support/world.ts";
import { type Ending, ENDINGS, race, type Request } from "./holding.ts";

const world = sharedWorld();

interface Scene {
  readonly caller: Caller;
  readonly decision: string;
  readonly prediction: string;
  readonly recordOutcome: Request;
  readonly changePrediction: Request;
}

async function setScene(): Promise<Scene> {
  const caller = await world().createCaller();
  const decision = decisionPath(await decide(caller));
  const { predictionId } = await done(caller, `${decision}/predictions`, PREDICTION);
  const prediction = `${decision}/predictions/${predictionId}`;
  const change = { expectedRevision: 1, set: { probability: 0.5 } };
  return {
    caller,
    decision,
    prediction,
    recordOutcome: (caller) => post(caller, `${decision}/outcomes`, { ...OUTCOME, predictionId }),
    changePrediction: (caller) => patch(caller, prediction, change),
  };
}

function changeDecision(path: string, set: JsonObject): Request {
  return (caller) => patch(caller, path, { expectedRevision: 1, set });
}

/** Outcomes name the current revision. */
async function assertFrozen({ accountId }: Caller): Promise<void> {
  const parted = await world().rows(`
    select 1 from decision_outcomes o join decision_predictions p using (owner_id, prediction_id)
     where owner_id = '${accountId}' and o.prediction_revision <> p.revision`);
  assertEquals(parted, []);
}

/** Defines a test per kind of ending. */
function testEndings(name: string, test: (ending: Ending) => Promise<void>): void {
  for (const ending of ENDINGS) {
    Deno.test(`${name}, if the first is ${ending}`, () => test(ending));
  }
}

testEndings("A change of a prediction waits for its outcome", async (ending) => {
  const { caller, prediction, recordOutcome, changePrediction } = await setScene();
  const [made, changed] = await race(world(), caller, [recordOutcome, changePrediction], ending);
  if (ending === "committed") {
    assertEquals([made.status, made.body.data.predictionRevision], [201, 1]);
    assertFailure(changed, "DECISION_STATE_CONFLICT");
  } else {
    assertEquals([changed.status, changed.body.data.revision], [200, 2], changed.text);
  }
  assertEquals((await read(caller, prediction)).revision, ending === "committed" ? 1 : 2);
  await assertFrozen(caller);
});

testEndings("An outcome waits for a change of its prediction", async (ending) => {
  const { caller, recordOutcome, changePrediction } = await setScene();
  const [changed, made] = await race(world(), caller, [changePrediction, recordOutcome], ending);
  if (ending === "committed") assertEquals(changed.status, 200, changed.text);
  const revision = ending === "committed" ? 2 : 1;
  assertEquals([made.status, made.body.data.predictionRevision], [201, revision], made.text);
  await assertFrozen(caller);
});

testEndings("A second outcome of a prediction waits for the first", async (ending) => {
  const { caller, decision, recordOutcome } = await setScene();
  const [first, second] = await race(world(), caller, [recordOutcome, recordOutcome], ending);
  if (ending === "committed") {
    assertEquals(first.status, 201, first.text);
    assertFailure(second, "DECISION_STATE_CONFLICT");
  } else {
    assertEquals(second.status, 201, second.text);
  }
  assertEquals((await read(caller, `${decision}/outcomes`)).items.length, 1);
});

testEndings("A change of a decision waits for another", async (ending) => {
  const { caller, decision } = await setScene();
  const change = (rationale: string) => changeDecision(decision, { rationale });
  const [first, second] = await race(world(), caller, [change("A"), change("B")], ending);
  if (ending === "committed") {
    assertEquals(first.status, 200, first.text);
    const details = assertFailure(second, "REVISION_CONFLICT");
    assertEquals(details, { expectedRevision: 1, currentRevision: 2 });
  } else {
    assertEquals(second.status, 200, second.text);
  }
  const { revision, rationale } = await read(caller, decision);
  assertEquals([revision, rationale], [2, ending === "committed" ? "A" : "B"]);
  assertEquals((await read(caller, `${decision}/revisions`)).items.length, 2);
});

testEndings("What is made below a decision waits for a change of it", async (ending) => {
  const { caller, decision } = await setScene();
  const dropOption = changeDecision(decision, { options: { items: ["By the river", "Neither"] } });
  const tell: Request = (caller) => post(caller, `${decision}/counterfactuals`, COUNTERFACTUAL);
  const [changed, told] = await race(world(), caller, [dropOption, tell], ending);
  if (ending === "committed") {
    assertEquals(changed.status, 200, changed.text);
    assertInvalid(told, ["option.unknown"], ["option"]);
  } else {
    assertEquals(told.status, 201, told.text);
  }
  const { items } = await read(caller, `${decision}/counterfactuals`);
  assertEquals(items.length, ending === "committed" ? 0 : 1);
});

testEndings("A change of a decision waits for what is made below it", async (ending) => {
  const { caller, decision } = await setScene();
  const dropOption = changeDecision(decision, { options: { items: ["By the river", "Neither"] } });
  const tell: Request = (caller) => post(caller, `${decision}/counterfactuals`, COUNTERFACTUAL);
  const [told, changed] = await race(world(), caller, [tell, dropOption], ending);
  if (ending === "committed") assertEquals(told.status, 201, told.text);
  assertEquals([changed.status, changed.body.data.revision], [200, 2], changed.text);
  const { items } = await read(caller, `${decision}/counterfactuals`);
  assertEquals(items.length, ending === "committed" ? 1 : 0);
});

Deno.test("Of concurrent outcomes and changes of one prediction the outcome is last", async () => {
  for (let round = 0; round < 5; round++) {
    const { caller, prediction, recordOutcome, changePrediction } = await setScene();
    const elsewhere = callerOf(world().again(), caller);
    const requests = [changePrediction, recordOutcome, recordOutcome, changePrediction];
    const sent = round % 2 === 0 ? requests : requests.toReversed();
    const responses = await Promise.all(
      sent.map((request, index) => request(index % 2 === 0 ? caller : elsewhere)),
    );
    const outcomes = responses.filter(({ status }) => status === 201);
    assertEquals(outcomes.length, 1, responses.map(({ text }) => text).join("\n"));
    for (const { status, body, text } of responses) {
      const conflicts = ["DECISION_STATE_CONFLICT", "REVISION_CONFLICT"];
      assert(status < 300 || conflicts.includes(body.error.code), text);
    }
    const { revision } = await read(caller, prediction);
    assertEquals(outcomes[0]?.body.data.predictionRevision, revision);
    await assertFrozen(caller);
  }
});
