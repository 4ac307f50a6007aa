// engines: postgres
/** Concurrent outcomes and predictions, past the application. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { OUTCOMES, PREDICTIONS } from "../families/decision/rows.ts";
import { insertLedgerRow, insertOwned, newRow, stepRow } from "./family_rows.ts";
import { begin, waitForBlocked } from "./held.ts";
import { insertInto, nextRoot, refusal } from "./rows.ts";
import { type ServerDatabase, serverTest } from "./server.ts";

/** Statements for a prediction's change and outcome. */
async function setScene(server: ServerDatabase) {
  const database = server.open(4);
  const raw = (script: string) => database.transaction((tx) => tx.script(script));
  const prediction = newRow(PREDICTIONS, ulid());
  await raw(insertOwned(PREDICTIONS, prediction));
  const { owner_id, decision_id = null, prediction_id = null } = prediction;
  const outcome = newRow(OUTCOMES, String(owner_id), { decision_id, prediction_id });
  const next = nextRoot(prediction, PREDICTIONS.others);
  return {
    change: stepRow(PREDICTIONS, prediction, next),
    outcome: insertInto(OUTCOMES.root, outcome) + insertLedgerRow(OUTCOMES, outcome),
    hold: (script: string) => begin(database, (tx) => tx.script(script)),
    send: (script: string) => refusal({ raw }, script),
  };
}

serverTest(
  "A change of a prediction waits for its outcome, and is rejected by it",
  async (server) => {
    const { change, outcome, hold, send } = await setScene(server);
    const holder = await hold(outcome);
    const changing = send(change);
    await waitForBlocked(server, 1);
    await holder.commit();
    assertEquals(await changing, "PRS04");
  },
);

serverTest(
  "An outcome waits for a change of its prediction, and names the new revision or fails",
  async (server) => {
    const { change, outcome, hold, send } = await setScene(server);
    const holder = await hold(change);
    const recording = send(outcome);
    await waitForBlocked(server, 1);
    await holder.commit();
    assertEquals(await recording, "PRS05");
  },
);

serverTest("A write that waited for a rolled-back transaction continues", async (server) => {
  const { change, outcome, hold, send } = await setScene(server);
  for (const [first, second] of [[outcome, change], [change, outcome]] as const) {
    const holder = await hold(first);
    const waiting = send(`${second} select 1 / 0`);
    await waitForBlocked(server, 1);
    await holder.rollBack();
    // Its last statement fails, to keep the scene.
    assertEquals(await waiting, "22012");
  }
});

serverTest("A change based on an older state is rejected by an outcome too", async (server) => {
  const { change, outcome, send } = await setScene(server);
  // The first statement fixes the snapshot, before the outcome.
  const late = `set transaction isolation level repeatable read; select 1;
    select pg_advisory_xact_lock(1); ${change}`;
  const database = server.open(2);
  const gate = await begin(database, (tx) => tx.script("select pg_advisory_xact_lock(1)"));
  const changing = send(late);
  await waitForBlocked(server, 1);
  assertEquals(await send(outcome), null);
  await gate.commit();
  assertEquals(await changing, "23503 outcome_of_prediction_revision");
});
