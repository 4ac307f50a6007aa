/** Local times of decisions, predictions and outcomes. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import {
  decide,
  DECISION,
  decisionPath,
  DECISIONS,
  OUTCOME,
  PREDICTION,
} from "../families/decision/api.ts";
import { read } from "../families/memory/api.ts";
import { sharedWorld } from "../support/world.ts";
import { assertKeepsClocks, BOSTON, TOKYO } from "./local_times.ts";

const world = sharedWorld();

const CHOSEN: JsonObject = { ...DECISION, chosenOption: "Neither" };

Deno.test("Decisions, predictions and outcomes keep the clocks of their times", async () => {
  const caller = await world().createCaller();
  const below = decisionPath(await decide(caller));
  for (
    const root of [
      {
        collection: DECISIONS,
        body: CHOSEN,
        times: ["decidedAt", "reviewAt"],
        removable: "reviewAt",
        isArchivable: true,
      },
      { collection: `${below}/predictions`, body: PREDICTION, times: ["dueAt"] },
      { collection: `${below}/outcomes`, body: OUTCOME, times: ["observedAt"] },
    ]
  ) {
    await assertKeepsClocks(world(), caller, root);
  }
});

Deno.test("Generic reads show the local times of a decision", async () => {
  const caller = await world().createCaller();
  const { decisionId } = await decide(caller, {
    ...CHOSEN,
    decidedAt: TOKYO.sent,
    reviewAt: BOSTON.sent,
  });
  const localTimes = { decidedAt: TOKYO.local, reviewAt: BOSTON.local };
  const record = await read(caller, `/api/v2/records/decision/${decisionId}`);
  assertEquals([record.localTimes, record.payload.decidedAt], [localTimes, TOKYO.utc]);
  const { items } = await read(caller, `/api/v2/records/decision/${decisionId}/revisions`);
  assertEquals(items.map(({ localTimes }: JsonObject) => localTimes), [localTimes]);
});
