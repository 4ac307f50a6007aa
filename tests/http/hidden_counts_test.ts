/** Counts do not depend on hidden records, nor on other accounts. */

import { assert, assertEquals } from "@std/assert";
import { decide, decisionPath, OUTCOME, PREDICTION } from "../families/decision/api.ts";
import { done, remember } from "../families/memory/api.ts";
import { contact, createPerson } from "../families/relationship/api.ts";
import { type Caller, fileWorld } from "../support/world.ts";
import { ACTION, ROUTINE } from "./calendar.ts";
import {
  answersTo,
  type Question,
  withoutSecretMemories,
  writeSecretMemory,
} from "./hidden_traces.ts";
import { HEALTH } from "./kernel.ts";

const world = fileWorld();

const INSIGHT = "/api/v2/insight";
const ZONE = "zone=Europe/Berlin";
const RANGE = `from=2026-01-01&until=2026-12-01&${ZONE}`;

const QUESTIONS: readonly Question[] = [
  [`${INSIGHT}/days?${RANGE}`],
  [`${INSIGHT}/days?${RANGE}&module=memory`],
  [`${INSIGHT}/series?module=health&by=week&${RANGE}`],
  [`${INSIGHT}/contacts?${ZONE}&limit=1`],
  [`${INSIGHT}/routines?${ZONE}&limit=1`],
  [`${INSIGHT}/calibration`],
  ...["2026-11-02", "2026-11-09", "2026-11-16"].map((start): Question => [
    `${INSIGHT}/week?start=${start}&${ZONE}`,
  ]),
];

const MONTH = { occurredAt: "2026-11-10T12:00:00Z", timePrecision: "MONTH" };

/** Something for each count. */
async function fill(caller: Caller): Promise<void> {
  await remember(caller, MONTH);
  await remember(caller, { ...MONTH, timePrecision: "DAY" });
  await caller.create("health", HEALTH);
  await caller.create("action", { ...ACTION, targetDate: "2026-11-17T08:00:00Z" });
  for (const lastCompletedAt of ["2026-11-16T08:00:00Z", "2026-11-17T23:30:00Z"]) {
    await caller.create("routine", { ...ROUTINE, lastCompletedAt });
    const person = await createPerson(caller, { desiredContactIntervalDays: 7 });
    await contact(caller, person, { contactedAt: lastCompletedAt });
  }
  const decision = await decide(caller, { chosenOption: "Neither", decidedAt: MONTH.occurredAt });
  const { predictionId } = await done(caller, decisionPath(decision, "/predictions"), PREDICTION);
  await done(caller, decisionPath(decision, "/outcomes"), { ...OUTCOME, predictionId });
}

Deno.test("A SECRET memory changes no count of a reader without memory.secret", async () => {
  const caller = await world().createCaller();
  await fill(caller);
  const blind = await withoutSecretMemories(world(), caller);
  const [before, own] = [await answersTo(blind, QUESTIONS), await answersTo(caller, QUESTIONS)];
  for (const timePrecision of ["DAY", "MONTH"]) {
    await writeSecretMemory(caller, { ...MONTH, timePrecision }, async (step) => {
      assertEquals(await answersTo(blind, QUESTIONS), before, step);
      const isCounted = JSON.stringify(await answersTo(caller, QUESTIONS)) !== JSON.stringify(own);
      assert(isCounted, `${timePrecision} ${step}`);
    });
  }
});

Deno.test("Another account changes no count", async () => {
  const caller = await world().createCaller();
  await fill(caller);
  const before = await answersTo(caller, QUESTIONS);
  await fill(await world().createCaller());
  assertEquals(await answersTo(caller, QUESTIONS), before);
});
