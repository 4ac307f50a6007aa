/** Requests about decisions that arrive together, through two applications over one database. */

import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import {
  COUNTERFACTUAL,
  decide,
  decisionPath,
  OUTCOME,
  patch,
  PREDICTION,
} from "../http/decision.ts";
import { assertFailure, assertInvalid } from "../http/kernel.ts";
import { done, post, read } from "../http/memory.ts";
import { type Person, personOf, sharedWorld } from "../support/world.ts";
import { type Ending, ENDINGS, race, type Request } from "./holding.ts";

const world = sharedWorld();

/** A decision with one prediction, and requests about both. */
interface Scene {
  readonly person: Person;
  readonly decision: string;
  readonly prediction: string;
  readonly recordOutcome: Request;
  readonly changePrediction: Request;
}

async function setScene(): Promise<Scene> {
  const person = await world().person();
  const decision = decisionPath(await decide(person));
  const { predictionId } = await done(person, `${decision}/predictions`, PREDICTION);
  const prediction = `${decision}/predictions/${predictionId}`;
  const change = { expectedRevision: 1, set: { probability: 0.5 } };
  return {
    person,
    decision,
    prediction,
    recordOutcome: (person) => post(person, `${decision}/outcomes`, { ...OUTCOME, predictionId }),
    changePrediction: (person) => patch(person, prediction, change),
  };
}

function changeDecision(path: string, set: JsonObject): Request {
  return (person) => patch(person, path, { expectedRevision: 1, set });
}

/** Asserts that every outcome names the revision that its prediction has. */
async function assertFrozen({ accountId }: Person): Promise<void> {
  const parted = await world().rows(`
    select 1 from decision_outcomes o join decision_predictions p using (owner_id, prediction_id)
     where owner_id = '${accountId}' and o.prediction_revision <> p.revision`);
  assertEquals(parted, []);
}

/** One test of each way that a first request can end. */
function testEndings(name: string, test: (ending: Ending) => Promise<void>): void {
  for (const ending of ENDINGS) {
    Deno.test(`${name}, where the first is ${ending}`, () => test(ending));
  }
}

testEndings("A change of a prediction waits for its outcome", async (ending) => {
  const { person, prediction, recordOutcome, changePrediction } = await setScene();
  const [made, changed] = await race(world(), person, [recordOutcome, changePrediction], ending);
  if (ending === "committed") {
    assertEquals([made.status, made.body.data.predictionRevision], [201, 1]);
    assertFailure(changed, "DECISION_STATE_CONFLICT");
  } else {
    assertEquals([changed.status, changed.body.data.revision], [200, 2], changed.text);
  }
  assertEquals((await read(person, prediction)).revision, ending === "committed" ? 1 : 2);
  await assertFrozen(person);
});

testEndings("An outcome waits for a change of its prediction", async (ending) => {
  const { person, recordOutcome, changePrediction } = await setScene();
  const [changed, made] = await race(world(), person, [changePrediction, recordOutcome], ending);
  if (ending === "committed") assertEquals(changed.status, 200, changed.text);
  const revision = ending === "committed" ? 2 : 1;
  assertEquals([made.status, made.body.data.predictionRevision], [201, revision], made.text);
  await assertFrozen(person);
});

testEndings("A second outcome of a prediction waits for the first", async (ending) => {
  const { person, decision, recordOutcome } = await setScene();
  const [first, second] = await race(world(), person, [recordOutcome, recordOutcome], ending);
  if (ending === "committed") {
    assertEquals(first.status, 201, first.text);
    assertFailure(second, "DECISION_STATE_CONFLICT");
  } else {
    assertEquals(second.status, 201, second.text);
  }
  assertEquals((await read(person, `${decision}/outcomes`)).items.length, 1);
});

testEndings("A change of a decision waits for another", async (ending) => {
  const { person, decision } = await setScene();
  const change = (rationale: string) => changeDecision(decision, { rationale });
  const [first, second] = await race(world(), person, [change("A"), change("B")], ending);
  if (ending === "committed") {
    assertEquals(first.status, 200, first.text);
    const details = assertFailure(second, "REVISION_CONFLICT");
    assertEquals(details, { expectedRevision: 1, currentRevision: 2 });
  } else {
    assertEquals(second.status, 200, second.text);
  }
  const { revision, rationale } = await read(person, decision);
  assertEquals([revision, rationale], [2, ending === "committed" ? "A" : "B"]);
  assertEquals((await read(person, `${decision}/revisions`)).items.length, 2);
});

testEndings("What is made below a decision waits for a change of it", async (ending) => {
  const { person, decision } = await setScene();
  const dropOption = changeDecision(decision, { options: { items: ["By the river", "Neither"] } });
  const tell: Request = (person) => post(person, `${decision}/counterfactuals`, COUNTERFACTUAL);
  const [changed, told] = await race(world(), person, [dropOption, tell], ending);
  if (ending === "committed") {
    assertEquals(changed.status, 200, changed.text);
    assertInvalid(told, ["option.unknown"], ["option"]);
  } else {
    assertEquals(told.status, 201, told.text);
  }
  const { items } = await read(person, `${decision}/counterfactuals`);
  assertEquals(items.length, ending === "committed" ? 0 : 1);
});

testEndings("A change of a decision waits for what is made below it", async (ending) => {
  const { person, decision } = await setScene();
  const dropOption = changeDecision(decision, { options: { items: ["By the river", "Neither"] } });
  const tell: Request = (person) => post(person, `${decision}/counterfactuals`, COUNTERFACTUAL);
  const [told, changed] = await race(world(), person, [tell, dropOption], ending);
  if (ending === "committed") assertEquals(told.status, 201, told.text);
  assertEquals([changed.status, changed.body.data.revision], [200, 2], changed.text);
  const { items } = await read(person, `${decision}/counterfactuals`);
  assertEquals(items.length, ending === "committed" ? 1 : 0);
});

Deno.test("Of outcomes and changes of one prediction that come at once the outcome is the last", async () => {
  for (let round = 0; round < 5; round++) {
    const { person, prediction, recordOutcome, changePrediction } = await setScene();
    const elsewhere = personOf(world().again(), person);
    const requests = [changePrediction, recordOutcome, recordOutcome, changePrediction];
    const sent = round % 2 === 0 ? requests : requests.toReversed();
    const responses = await Promise.all(
      sent.map((request, index) => request(index % 2 === 0 ? person : elsewhere)),
    );
    const outcomes = responses.filter(({ status }) => status === 201);
    assertEquals(outcomes.length, 1, responses.map(({ text }) => text).join("\n"));
    for (const { status, body, text } of responses) {
      const conflicts = ["DECISION_STATE_CONFLICT", "REVISION_CONFLICT"];
      assert(status < 300 || conflicts.includes(body.error.code), text);
    }
    const { revision } = await read(person, prediction);
    assertEquals(outcomes[0]?.body.data.predictionRevision, revision);
    await assertFrozen(person);
  }
});
