/** DEC-004, DEC-005, DEC-007: predictions, outcomes and counterfactuals. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Caller, callerOf, type Json, sharedWorld } from "../support/world.ts";
import {
  COUNTERFACTUAL,
  decide,
  decisionPath,
  OUTCOME,
  patch,
  PREDICTION,
} from "../families/decision/api.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { done, post, read } from "../families/memory/api.ts";

const world = sharedWorld();

/** Common to the three kinds. */
interface Kind {
  readonly path: string;
  readonly id: string;
  /** The smallest valid body. */
  readonly body: JsonObject;
  /** Members of a new object not in its body. */
  readonly absent: Json;
  readonly change: JsonObject;
  /** Cannot be removed. */
  readonly required: string;
}

const KINDS: readonly Kind[] = [
  {
    path: "/predictions",
    id: "predictionId",
    body: PREDICTION,
    absent: { localTimes: {} },
    change: { probability: 0.1, statement: "We move out." },
    required: "statement",
  },
  {
    path: "/outcomes",
    id: "outcomeId",
    body: OUTCOME,
    absent: { predictionId: null, predictionRevision: null, satisfaction: null, localTimes: {} },
    change: { occurred: false, satisfaction: 2 },
    required: "observedAt",
  },
  {
    path: "/counterfactuals",
    id: "counterfactualId",
    body: COUNTERFACTUAL,
    absent: { expectedValue: null },
    change: { expectedValue: -12.5, narrative: "Another story." },
    required: "option",
  },
];

for (const kind of KINDS) {
  Deno.test(`${kind.path}: an object is created, changed and read back at each revision`, async () => {
    const caller = await world().createCaller();
    const decision = await decide(caller);
    const list = decisionPath(decision, kind.path);
    const response = await post(caller, list, kind.body);
    assertEquals(response.status, 201, response.text);
    const made = response.body.data;
    const path = `${list}/${made[kind.id]}`;
    assertEquals(response.headers.get("Location"), path);
    const at = world().now().toISOString();
    assertEquals(made, {
      [kind.id]: made[kind.id],
      decisionId: decision.decisionId,
      ...kind.absent,
      ...kind.body,
      revision: 1,
      createdAt: at,
      updatedAt: at,
    });
    world().advance(7);
    const changed = await patch(caller, path, { expectedRevision: 1, set: kind.change });
    const second = { ...made, ...kind.change, revision: 2, updatedAt: world().now().toISOString() };
    assertEquals([changed.status, changed.body.data], [200, second]);
    const same = await patch(caller, path, { expectedRevision: 2, set: kind.change });
    assertEquals([same.status, same.body.data], [200, second]);
    assertEquals(await read(caller, path), second);
    assertEquals(await read(caller, `${path}?revision=1`), made);
    assertFailure(await caller.call("GET", `${path}?revision=3`), "RECORD_NOT_FOUND");
    const [newer, older] = (await walkPages(caller, `${path}/revisions`, { limit: "1" })).flat();
    const { revisionId: _, change: newest, ...shown } = newer;
    assertEquals([newest, shown, older.change], ["MODIFIED", second, "CREATED"]);
    assertEquals((await read(caller, decisionPath(decision))).revision, 1);
    // Audited under their own ids, and not computed.
    const { items } = await read(caller, `/api/v2/audit?subjectId=${made[kind.id]}`);
    const operation = `decision.${kind.id.slice(0, -2)}`;
    assertEquals(items.map((entry: Json) => [entry.operation, entry.moduleCode, entry.revision]), [
      [`${operation}.modify`, "decision", 2],
      [`${operation}.create`, "decision", 1],
    ]);
    const record = `/api/v2/records/decision/${decision.decisionId}`;
    assertEquals((await read(caller, `${record}/executions`)).items, []);
  });

  Deno.test(`${kind.path}: an archived decision accepts objects and their changes`, async () => {
    const caller = await world().createCaller();
    const decision = await decide(caller);
    await done(caller, decisionPath(decision, "/archive"), {});
    const list = decisionPath(decision, kind.path);
    const made = await done(caller, list, kind.body);
    const change = { expectedRevision: 1, set: kind.change };
    assertEquals((await patch(caller, `${list}/${made[kind.id]}`, change)).status, 200);
  });

  Deno.test(`${kind.path}: the list is newest first, for its decision only`, async () => {
    const caller = await world().createCaller();
    const decision = await decide(caller);
    const other = await decide(caller);
    const list = decisionPath(decision, kind.path);
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      world().advance(1);
      ids.unshift((await done(caller, list, kind.body))[kind.id]);
    }
    const elsewhere = await done(caller, decisionPath(other, kind.path), kind.body);
    const items = (await walkPages(caller, list, { limit: "2" })).flat();
    assertEquals(items.map((item) => item[kind.id]), ids);
    const cursor = await caller.call("GET", `${list}?cursor=${elsewhere[kind.id]}`);
    assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
  });

  Deno.test(`${kind.path}: an unknown, foreign or misplaced object is not found`, async () => {
    const caller = await world().createCaller();
    const stranger = await world().createCaller();
    const decision = await decide(caller);
    const made = await done(caller, decisionPath(decision, kind.path), kind.body);
    const change = { expectedRevision: 1, set: kind.change };
    const misplaced = decisionPath(await decide(caller), `${kind.path}/${made[kind.id]}`);
    const own = decisionPath(decision, `${kind.path}/${made[kind.id]}`);
    const unknown = decisionPath(decision, `${kind.path}/${ulid()}`);
    await assertWritesNothing(world(), async () => {
      const cases: [Caller, string][] = [[caller, misplaced], [caller, unknown], [stranger, own]];
      for (const [caller, path] of cases) {
        assertFailure(await caller.call("GET", path), "RECORD_NOT_FOUND");
        assertFailure(await caller.call("GET", `${path}?revision=1`), "RECORD_NOT_FOUND");
        assertFailure(await caller.call("GET", `${path}/revisions`), "RECORD_NOT_FOUND");
        assertFailure(await patch(caller, path, change), "RECORD_NOT_FOUND");
      }
      const below = decisionPath({ decisionId: ulid() }, kind.path);
      assertFailure(await post(caller, below, kind.body), "RECORD_NOT_FOUND");
      assertFailure(await caller.call("GET", below), "RECORD_NOT_FOUND");
      const foreign = await post(stranger, decisionPath(decision, kind.path), kind.body);
      assertFailure(foreign, "RECORD_NOT_FOUND");
    });
  });

  Deno.test(`${kind.path}: invalid bodies are rejected first, then absence, then revision`, async () => {
    const caller = await world().createCaller();
    const decision = await decide(caller);
    const list = decisionPath(decision, kind.path);
    const path = `${list}/${(await done(caller, list, kind.body))[kind.id]}`;
    const unknown = `${list}/${ulid()}`;
    await assertWritesNothing(world(), async () => {
      for (const target of [list, decisionPath({ decisionId: ulid() }, kind.path)]) {
        const { [kind.required]: _, ...incomplete } = kind.body;
        assertInvalid(await post(caller, target, incomplete), ["field.required"], [kind.required]);
        const long = { ...kind.body, [textOf(kind)]: "x".repeat(100_001) };
        assertInvalid(await post(caller, target, long), ["field.length"], [textOf(kind)]);
      }
      for (const target of [path, unknown]) {
        const removal = { expectedRevision: 9, remove: [kind.required] };
        assertInvalid(await patch(caller, target, removal), ["field.required"], [kind.required]);
      }
      const stale = { expectedRevision: 9, set: kind.change };
      assertFailure(await patch(caller, unknown, stale), "RECORD_NOT_FOUND");
      assertFailure(await patch(caller, path, stale), "REVISION_CONFLICT");
    });
  });

  Deno.test(`${kind.path}: a repeated creation returns the first response, also after a change`, async () => {
    const caller = await world().createCaller();
    const list = decisionPath(await decide(caller), kind.path);
    const key = ulid();
    const first = await caller.call("POST", list, { key, body: kind.body });
    const path = `${list}/${first.body.data[kind.id]}`;
    await patch(caller, path, { expectedRevision: 1, set: kind.change });
    const again = await caller.call("POST", list, { key, body: kind.body });
    assertEquals([again.status, again.body.data], [201, first.body.data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
    const elsewhere = decisionPath(await decide(caller), kind.path);
    const reused = await caller.call("POST", elsewhere, { key, body: kind.body });
    // Another decision is another target of the key.
    assertEquals(reused.status, 201, reused.text);
  });
}

/** Holds a long text. */
function textOf({ body }: Kind): string {
  return ["statement", "description", "narrative"].find((name) => name in body) ?? "";
}

Deno.test("Numbers out of range and times in the wrong form are rejected", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const cases: [string, JsonObject, string[], string[]][] = [
    ["/predictions", { ...PREDICTION, probability: 1.01 }, ["field.range"], ["probability"]],
    ["/predictions", { ...PREDICTION, probability: "0.5" }, ["field.type"], ["probability"]],
    ["/predictions", { ...PREDICTION, dueAt: "2027-06-01" }, ["field.datetime"], ["dueAt"]],
    ["/outcomes", { ...OUTCOME, satisfaction: 6 }, ["field.range"], ["satisfaction"]],
    ["/outcomes", { ...OUTCOME, satisfaction: 1.5 }, ["field.integer"], ["satisfaction"]],
    ["/outcomes", { ...OUTCOME, occurred: "yes" }, ["field.type"], ["occurred"]],
    ["/outcomes", { ...OUTCOME, observedAt: "2999-01-01T00:00:00Z" }, [
      "outcome.observed_at_not_in_the_future",
    ], ["observedAt"]],
    ["/outcomes", { ...OUTCOME, predictionId: "none" }, ["field.identifier"], ["predictionId"]],
    ["/counterfactuals", { ...COUNTERFACTUAL, confidence: -0.1 }, ["field.range"], ["confidence"]],
    ["/counterfactuals", { ...COUNTERFACTUAL, expectedValue: 1e13 }, ["field.range"], [
      "expectedValue",
    ]],
    ["/counterfactuals", { ...COUNTERFACTUAL, option: "None" }, ["option.unknown"], ["option"]],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [path, body, rules, fields] of cases) {
      const response = await post(caller, decisionPath(decision, path), body);
      assertInvalid(response, rules, fields, JSON.stringify(body));
    }
  });
});

Deno.test("An outcome freezes its prediction's revision, and there is one outcome", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const predictions = decisionPath(decision, "/predictions");
  const outcomes = decisionPath(decision, "/outcomes");
  const elsewhere = decisionPath(await decide(caller), "/outcomes");
  const { predictionId } = await done(caller, predictions, PREDICTION);
  const path = `${predictions}/${predictionId}`;
  await patch(caller, path, { expectedRevision: 1, set: { probability: 0.25 } });
  const outcome = await done(caller, outcomes, { ...OUTCOME, predictionId });
  assertEquals([outcome.predictionId, outcome.predictionRevision], [predictionId, 2]);
  await assertWritesNothing(world(), async () => {
    const change = { expectedRevision: 2, set: { probability: 0.5 } };
    assertFailure(await patch(caller, path, change), "DECISION_STATE_CONFLICT");
    const stale = { ...change, expectedRevision: 1 };
    assertFailure(await patch(caller, path, stale), "REVISION_CONFLICT");
    const second = await post(caller, outcomes, { ...OUTCOME, predictionId });
    assertFailure(second, "DECISION_STATE_CONFLICT");
    const named = { expectedRevision: 1, set: { predictionId: ulid() } };
    const renamed = await patch(caller, `${outcomes}/${outcome.outcomeId}`, named);
    assertInvalid(renamed, ["undeclared_field"]);
    const later = { expectedRevision: 9, set: { observedAt: "2999-01-01T00:00:00Z" } };
    assertInvalid(
      await patch(caller, `${outcomes}/${ulid()}`, later),
      ["outcome.observed_at_not_in_the_future"],
      ["observedAt"],
    );
    const misplaced = await post(caller, elsewhere, { ...OUTCOME, predictionId });
    assertFailure(misplaced, "RECORD_NOT_FOUND");
    const unknown = await post(caller, outcomes, { ...OUTCOME, predictionId: ulid() });
    assertFailure(unknown, "RECORD_NOT_FOUND");
  });
  // Outcomes without a prediction are unlimited.
  await done(caller, outcomes, OUTCOME);
  await done(caller, outcomes, OUTCOME);
  const corrected = await patch(caller, `${outcomes}/${outcome.outcomeId}`, {
    expectedRevision: 1,
    set: { occurred: false },
  });
  assertEquals([corrected.body.data.occurred, corrected.body.data.predictionRevision], [false, 2]);
});

Deno.test("A counterfactual's option is spelt as in the decision, and checked when it is set", async () => {
  const caller = await world().createCaller();
  const options = { items: ["Café", " Sea ", "Neither"] };
  const decision = await decide(caller, { options });
  const list = decisionPath(decision, "/counterfactuals");
  const made = await done(caller, list, { ...COUNTERFACTUAL, option: "Cafe\u0301 " });
  assertEquals(made.option, "Café");
  const path = `${list}/${made.counterfactualId}`;
  const sea = await patch(caller, path, { expectedRevision: 1, set: { option: "Sea" } });
  assertEquals(sea.body.data.option, " Sea ");
  const fewer = { expectedRevision: 1, set: { options: { items: ["Café", "Neither"] } } };
  assertEquals((await patch(caller, decisionPath(decision), fewer)).status, 200);
  // The text about a removed option may still change.
  const told = { expectedRevision: 2, set: { narrative: "The sea was far." } };
  const kept = await patch(caller, path, told);
  assertEquals([kept.status, kept.body.data.option], [200, " Sea "], kept.text);
  const again = { expectedRevision: 3, set: { option: "Sea" } };
  assertInvalid(await patch(caller, path, again), ["option.unknown"], ["option"]);
  const stale = { ...again, expectedRevision: 1 };
  assertFailure(await patch(caller, path, stale), "REVISION_CONFLICT");
});

Deno.test("A key that changed one object rejects others, also under another server secret", async () => {
  const owner = await world().createCaller();
  const decision = await decide(owner);
  const { predictionId } = await done(owner, decisionPath(decision, "/predictions"), PREDICTION);
  const body = { expectedRevision: 1, set: { probability: 0.5 } };
  const key = ulid();
  const path = decisionPath(decision, `/predictions/${predictionId}`);
  assertEquals((await owner.call("PATCH", path, { key, body })).status, 200);
  const misplaced = decisionPath(await decide(owner), `/predictions/${predictionId}`);
  const serverSecret = new TextEncoder().encode("the secret of another year");
  const later = callerOf(world().again({ serverSecret }), owner);
  for (const caller of [owner, later]) {
    const response = await caller.call("PATCH", misplaced, { key, body });
    assertFailure(response, "IDEMPOTENCY_KEY_REUSED");
  }
});
