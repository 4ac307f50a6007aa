// engines: postgres
/** Raw SQL on predictions and outcomes, in any role. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sharedWorld } from "../support/world.ts";
import { OUTCOMES, PREDICTIONS, UNPREDICTED } from "../families/decision/rows.ts";
import { changeRow, insertOwned, insertRow, newRow, stepRow } from "./family_rows.ts";
import { assertRefusedToAll, insertInto, nextRoot, refusal, type Row } from "./rows.ts";

const world = sharedWorld();

/** Stores a prediction with its own owner. */
async function storedPrediction(): Promise<Row> {
  const prediction = newRow(PREDICTIONS, ulid());
  await world().raw(insertOwned(PREDICTIONS, prediction));
  return prediction;
}

/** An outcome at the prediction's current revision. */
function outcomeOf(prediction: Row, columns: Row = {}): Row {
  const { owner_id, decision_id, prediction_id, revision } = prediction;
  const named = { decision_id, prediction_id, prediction_revision: revision, ...columns } as Row;
  return newRow(OUTCOMES, String(owner_id), named);
}

/** References exist already. */
function insertOutcome(outcome: Row): string {
  return insertRow({ ...OUTCOMES, parents: () => "" }, outcome);
}

Deno.test("A prediction with an outcome cannot change", async () => {
  const prediction = await storedPrediction();
  const outcome = outcomeOf(prediction);
  const next = nextRoot(prediction, PREDICTIONS.others);
  const change = stepRow(PREDICTIONS, prediction, next);
  await assertRefusedToAll(world(), insertOutcome(outcome) + change, "PRS04");
  await world().raw(insertOutcome(outcome));
  await assertRefusedToAll(world(), change, "PRS04");
  await assertRefusedToAll(world(), changeRow(PREDICTIONS, prediction, next), "PRS04");
  const upsert = `insert into decision_predictions select * from decision_predictions
     where prediction_id = '${prediction.prediction_id}'
    on conflict (owner_id, prediction_id) do update set probability = 0, revision = 2`;
  await assertRefusedToAll(world(), upsert, "PRS04");
  // Nor can its outcome be moved.
  const freed = changeRow(OUTCOMES, outcome, nextRoot(outcome, UNPREDICTED.sample()));
  await assertRefusedToAll(world(), freed, "PRS04");
});

Deno.test("Outcomes of other predictions, or of none, freeze nothing", async () => {
  const prediction = await storedPrediction();
  const { owner_id, decision_id = null } = prediction;
  const other = newRow(PREDICTIONS, String(owner_id), { decision_id });
  const outcomes = [
    outcomeOf(other),
    newRow(UNPREDICTED, String(owner_id), { decision_id }),
    newRow(UNPREDICTED, String(owner_id), { decision_id }),
  ];
  await world().raw(insertRow({ ...PREDICTIONS, parents: () => "" }, other));
  for (const outcome of outcomes) await world().raw(insertOutcome(outcome));
  const step = stepRow(PREDICTIONS, prediction, nextRoot(prediction, PREDICTIONS.others));
  assertEquals(await refusal(world(), step), null);
});

Deno.test("An outcome names the current revision of its prediction", async () => {
  const first = await storedPrediction();
  const second = nextRoot(first, PREDICTIONS.others);
  await world().raw(stepRow(PREDICTIONS, first, second));
  for (const prediction_revision of [0, 1, 3, null]) {
    const outcome = insertOutcome(outcomeOf(second, { prediction_revision }));
    await assertRefusedToAll(world(), outcome, "PRS05");
  }
  const third = nextRoot(second);
  const late = stepRow(PREDICTIONS, second, third) + insertOutcome(outcomeOf(second));
  await assertRefusedToAll(world(), late, "PRS05");
  assertEquals(await refusal(world(), insertOutcome(outcomeOf(second))), null);
});

Deno.test("An outcome's prediction has the same decision and owner", async () => {
  const [mine, other] = [await storedPrediction(), await storedPrediction()];
  const strange = { prediction_id: other.prediction_id ?? null };
  const { decision_id = null } = other;
  for (const columns of [strange, { ...strange, decision_id }, { prediction_id: ulid() }]) {
    await assertRefusedToAll(world(), insertOutcome(outcomeOf(mine, columns)), "PRS05");
  }
  const owner = String(mine.owner_id);
  const elsewhere = newRow(UNPREDICTED, owner);
  const moved = outcomeOf(mine, { decision_id: elsewhere.decision_id ?? null });
  const misplaced = insertRow(UNPREDICTED, elsewhere) + insertOutcome(moved);
  assertEquals(await refusal(world(), misplaced), "23503 outcome_prediction_of_decision");
});

Deno.test("A prediction has one outcome", async () => {
  const prediction = await storedPrediction();
  await world().raw(insertOutcome(outcomeOf(prediction)));
  const second = insertOutcome(outcomeOf(prediction));
  await assertRefusedToAll(world(), second, "23505 one_outcome_a_prediction");
});

Deno.test("A caller's temporary table cannot replace predictions or outcomes", async () => {
  const prediction = await storedPrediction();
  const next = nextRoot(prediction);
  const later = `create temporary table decision_predictions (like public.decision_predictions);
    ${insertInto("pg_temp.decision_predictions", next)}
    ${insertInto("public.decision_outcomes", outcomeOf(next))}`;
  assertEquals(await refusal(world(), later), "PRS05");
  await world().raw(insertOutcome(outcomeOf(prediction)));
  const none = `create temporary table decision_outcomes (like public.decision_outcomes);
    ${changeRow(PREDICTIONS, prediction, next)}`;
  assertEquals(await refusal(world(), none), "PRS04");
});
