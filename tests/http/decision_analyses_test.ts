/** DEC-002: analyses of options. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { ANALYSIS, decide, decisionPath, patch } from "../families/decision/api.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  readPage,
  tableCounts,
  walkPages,
} from "./kernel.ts";
import { done, post, read } from "../families/memory/api.ts";

const world = sharedWorld();

const CRITERIA = [{ name: "Light", weight: 2 }, { name: "Rent", weight: 1 }];

function analyse(caller: Caller, decision: Json, body: JsonObject = {}): Promise<Json> {
  return done(caller, decisionPath(decision, "/analyses"), { ...ANALYSIS, ...body });
}

function analysisPath(analysis: Json, end = ""): string {
  return decisionPath(analysis, `/analyses/${analysis.analysisId}${end}`);
}

async function change(caller: Caller, decision: Json, set: JsonObject): Promise<Json> {
  const { revision: expectedRevision } = decision;
  return (await patch(caller, decisionPath(decision), { expectedRevision, set })).body.data;
}

Deno.test("An analysis returns its input and its result", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const path = decisionPath(decision, "/analyses");
  const response = await post(caller, path, ANALYSIS);
  assertEquals(response.status, 201, response.text);
  const { data: made } = response.body;
  assertEquals(response.headers.get("Location"), analysisPath(made));
  const at = world().now().toISOString();
  assertEquals(made, {
    analysisId: made.analysisId,
    decisionId: decision.decisionId,
    decisionRevision: 1,
    criteria: [
      { name: "Light", weight: 2, normalisedWeight: 0.666667 },
      { name: "Rent", weight: 1, normalisedWeight: 0.333333 },
    ],
    scores: ANALYSIS.scores,
    totals: [
      { option: "By the river", total: 7.333333 },
      { option: "Near work", total: 5.666667 },
    ],
    ranking: [
      { rank: 1, option: "By the river", total: 7.333333 },
      { rank: 2, option: "Near work", total: 5.666667 },
    ],
    sensitivity: {
      criterion: "Light",
      weight: 2,
      criticalWeight: 0.75,
      change: -1.25,
      challenger: "Near work",
    },
    revision: 1,
    createdAt: at,
    updatedAt: at,
  });
  const detail = await caller.call("GET", analysisPath(made));
  assertEquals([detail.body.data, detail.headers.get("ETag")], [made, '"1"']);
  assertEquals(await read(caller, analysisPath(made, "?revision=1")), made);
  assertEquals((await read(caller, path)).items, [made]);
  assertEquals(await read(caller, decisionPath(decision)), decision);
});

Deno.test("Each revision of an analysis is an audited execution on the decision's revision", async () => {
  const caller = await world().createCaller();
  const decision = await change(caller, await decide(caller), { rationale: "Because" });
  const made = await analyse(caller, decision);
  world().advance(1);
  await done(caller, analysisPath(made, "/revisions"), {
    expectedRevision: 1,
    criteria: [{ name: "Light", weight: 1 }, { name: "Rent", weight: 1 }],
  });
  const record = `/api/v2/records/decision/${decision.decisionId}`;
  const { items } = await read(caller, `${record}/executions`);
  const { analysisId } = made;
  const common = { recordId: decision.decisionId, featureId: "DEC-002", strategy: "analyze" };
  assertEquals(
    items.map(({ executionId: _, createdAt: __, ...execution }: Json) => execution),
    [2, 1].map((analysisRevision) => ({
      ...common,
      revision: 2,
      status: "SUCCEEDED",
      output: { analysisId, analysisRevision },
    })),
  );
  const audit = await world().rows(`
    select operation, module_code, subject_id, revision from audit_entries
     where owner_id = '${caller.accountId}' and operation like 'decision.analysis%'
     order by audit_id`);
  assertEquals(audit, [
    {
      operation: "decision.analysis.create",
      module_code: "decision",
      subject_id: analysisId,
      revision: 1,
    },
    {
      operation: "decision.analysis.revise",
      module_code: "decision",
      subject_id: analysisId,
      revision: 2,
    },
  ]);
});

Deno.test("A further revision keeps what it does not name, and every revision reads back", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const first = await analyse(caller, decision);
  const path = analysisPath(first, "/revisions");
  world().advance(1_000);
  const criteria = [{ name: "Rent", weight: 1.5 }, { name: "Light", weight: 0 }];
  const second = await done(caller, path, { expectedRevision: 1, criteria });
  assertEquals(second.scores, ANALYSIS.scores);
  assertEquals(second.ranking.map(({ option }: Json) => option), ["Near work", "By the river"]);
  const scores = { "Neither": { Light: 1, Rent: 2 }, "Near work": { Light: 1, Rent: 2 } };
  const third = await done(caller, path, { expectedRevision: 2, scores });
  assertEquals(third.criteria, second.criteria);
  assertEquals(third.sensitivity, null);
  assertEquals(third.totals, [{ option: "Near work", total: 2 }, { option: "Neither", total: 2 }]);
  const { revision, createdAt, updatedAt } = third;
  assertEquals([revision, createdAt, updatedAt], [3, first.createdAt, world().now().toISOString()]);
  for (const state of [first, second, third]) {
    assertEquals(await read(caller, analysisPath(first, `?revision=${state.revision}`)), state);
  }
  const unknown = await caller.call("GET", analysisPath(first, "?revision=4"));
  assertFailure(unknown, "RECORD_NOT_FOUND");
  const revisions = (await walkPages(caller, path, { limit: "2" })).flat();
  assertEquals(
    revisions.map(({ revisionId: _, ...state }) => state),
    [{ ...third, change: "MODIFIED" }, { ...second, change: "MODIFIED" }, {
      ...first,
      change: "CREATED",
    }],
  );
  const foreign = revisions[0].revisionId;
  const other = await analyse(caller, decision);
  const cursor = await caller.call("GET", analysisPath(other, `/revisions?cursor=${foreign}`));
  assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
});

Deno.test("A result equal to the current one writes only its key", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const made = await analyse(caller, decision, {
    criteria: [{ name: "Light", weight: 0.1234565 }, { name: "Rent", weight: 1 }],
  });
  const before = await tableCounts(world());
  const same: JsonObject[] = [
    {},
    { criteria: [{ name: "Light", weight: 0.1234574 }, { name: "Rent", weight: 1.0000001 }] },
    {
      scores: {
        " Near work": { Rent: 7, "Light ": 5 },
        "By the river": { Light: 9.0000004, Rent: 4 },
      },
    },
  ];
  for (const [index, body] of same.entries()) {
    const response = await post(caller, analysisPath(made, "/revisions"), {
      expectedRevision: 1,
      ...body,
    });
    assertEquals([response.status, response.body.data], [200, made]);
    const { idempotency_envelopes: envelopes = 0 } = before;
    assertEquals(await tableCounts(world()), {
      ...before,
      idempotency_envelopes: envelopes + index + 1,
    });
  }
});

Deno.test("A further revision is computed for the current options", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const made = await analyse(caller, decision);
  const path = analysisPath(made, "/revisions");
  const items = ["Near work", "By the river "];
  const today = await change(caller, decision, { options: { items } });
  const next = await done(caller, path, { expectedRevision: 1 });
  assertEquals(next.decisionRevision, 2);
  assertEquals(next.totals.map(({ option }: Json) => option), items);
  assertEquals(Object.keys(next.scores).sort(), ["By the river ", "Near work"]);
  await change(caller, today, { options: { items: ["Near work", "Far away"] } });
  const gone = await post(caller, path, { expectedRevision: 2, criteria: CRITERIA });
  assertInvalid(gone, ["option.unknown"], ["scores"]);
  assertEquals(await read(caller, analysisPath(made)), next);
});

Deno.test("Options and criteria are compared after trimming and NFC, and keep their spelling", async () => {
  const caller = await world().createCaller();
  const items = [" caf\u00e9", "10", "A ", "2"];
  const decision = await decide(caller, { options: { items } });
  const made = await analyse(caller, decision, {
    criteria: [{ name: " Gru\u0308n", weight: 1 }],
    scores: {
      "2": { "Gr\u00fcn": 1 },
      "A": { "Gr\u00fcn ": 2 },
      "cafe\u0301": { "Gru\u0308n": 3 },
    },
  });
  const criterion = " Gru\u0308n";
  assertEquals(made.criteria[0].name, criterion);
  assertEquals(made.scores, {
    " caf\u00e9": { [criterion]: 3 },
    "A ": { [criterion]: 2 },
    "2": { [criterion]: 1 },
  });
  assertEquals(made.totals.map(({ option }: Json) => option), [" caf\u00e9", "A ", "2"]);
  assertEquals([made.sensitivity], [null]);
});

Deno.test("Option names that cannot be keys are rejected, and the others can be analysed", async () => {
  const caller = await world().createCaller();
  const long = "x".repeat(129);
  const items = [
    "A",
    "toString",
    "__proto__",
    " constructor",
    long,
    `${"y".repeat(100)}${" ".repeat(40)}`,
  ];
  const decision = await decide(caller, { options: { items } });
  const path = decisionPath(decision, "/analyses");
  const criteria = [{ name: "valueOf", weight: 1 }];
  const row = { valueOf: 1 } as unknown as JsonObject;
  const scored = (option: string) => ({ criteria, scores: { A: row, [option]: row } });
  await assertWritesNothing(world(), async () => {
    // Rejected by the parser, as everywhere.
    for (
      const [option, rule] of [["__proto__", "key"], ["constructor", "key"], [long, "key_length"]]
    ) {
      const raw = `{"criteria":[],"scores":{"A":{},"${option}":{}}}`;
      const headers = { "Content-Type": "application/json" };
      const response = await caller.call("POST", path, { key: ulid(), raw, headers });
      assertInvalid(response, [`json.${rule}`]);
    }
    for (const option of ["__proto__ ", "y".repeat(100)]) {
      assertInvalid(await post(caller, path, scored(option)), ["option.not_a_key"], ["scores"]);
    }
    for (const name of ["__proto__", "prototype", "constructor"]) {
      const body = {
        criteria: [{ name, weight: 1 }],
        scores: { A: {}, toString: {} } as JsonObject,
      };
      const rules = ["analysis.scores_fit_criteria", "criterion.not_a_key"];
      assertInvalid(await post(caller, path, body), rules, ["criteria", "scores"]);
    }
  });
  const made = await done(caller, path, {
    criteria,
    scores: { toString: row, "constructor ": row } as JsonObject,
  });
  assertEquals(made.scores, { toString: row, " constructor": row } as JsonObject);
});

Deno.test("Invalid bodies are rejected first, then absence, revision and stored state", async () => {
  const [owner, stranger] = [await world().createCaller(), await world().createCaller()];
  const [decision, other] = [await decide(owner), await decide(owner)];
  const made = await analyse(owner, decision);
  const list = decisionPath(decision, "/analyses");
  const unknownOption = {
    scores: { Elsewhere: { Light: 1, Rent: 1 }, "Near work": { Light: 1, Rent: 1 } },
  };
  const wrong = { criteria: [{ name: "Light", weight: 0 }] };
  const elsewhere = analysisPath({ ...made, decisionId: other.decisionId });
  const nowhere = analysisPath({ ...made, decisionId: ulid() });
  const missing = analysisPath({ ...made, analysisId: ulid() });
  await assertWritesNothing(world(), async () => {
    for (const caller of [owner, stranger]) {
      for (
        const path of [
          elsewhere,
          nowhere,
          missing,
          ...caller === stranger ? [analysisPath(made)] : [],
        ]
      ) {
        assertFailure(await caller.call("GET", path), "RECORD_NOT_FOUND", path);
        assertFailure(await caller.call("GET", `${path}/revisions`), "RECORD_NOT_FOUND", path);
        const revise = (body: JsonObject) => post(caller, `${path}/revisions`, body);
        assertInvalid(await revise({ expectedRevision: 1, ...wrong }), [
          "analysis.without_weight",
        ], ["criteria"]);
        assertInvalid(await revise({ ...unknownOption }), ["field.required"], ["expectedRevision"]);
        assertFailure(
          await revise({ expectedRevision: 9, ...unknownOption }),
          "RECORD_NOT_FOUND",
          path,
        );
      }
    }
    const absent = decisionPath({ decisionId: ulid() }, "/analyses");
    for (const [caller, path] of [[owner, absent], [stranger, list]] as const) {
      const fault = { ...ANALYSIS, ...wrong };
      const rules = ["analysis.scores_fit_criteria", "analysis.without_weight"];
      assertInvalid(await post(caller, path, fault), rules, ["criteria", "scores"]);
      const unknown = { ...ANALYSIS, ...unknownOption };
      assertFailure(await post(caller, path, unknown), "RECORD_NOT_FOUND");
      assertFailure(await caller.call("GET", path), "RECORD_NOT_FOUND");
    }
    const revise = (body: JsonObject) => post(owner, analysisPath(made, "/revisions"), body);
    const conflict = await revise({ expectedRevision: 2, ...unknownOption });
    const details = assertFailure(conflict, "REVISION_CONFLICT");
    assertEquals(details, { expectedRevision: 2, currentRevision: 1 });
    assertInvalid(await revise({ expectedRevision: 1, ...unknownOption }), ["option.unknown"], [
      "scores",
    ]);
    // Both parts contradict each other; one part contradicts the stored one.
    const partial = { criteria: [{ name: "Light", weight: 1 }] };
    const together = { expectedRevision: 2, ...partial, ...unknownOption };
    assertInvalid(await revise(together), ["analysis.scores_fit_criteria"], ["scores"]);
    assertFailure(await revise({ expectedRevision: 2, ...partial }), "REVISION_CONFLICT");
    assertInvalid(await revise({ expectedRevision: 1, ...partial }), [
      "analysis.scores_fit_criteria",
    ], ["scores"]);
    assertInvalid(await post(owner, list, { ...ANALYSIS, ...unknownOption }), ["option.unknown"], [
      "scores",
    ]);
  });
});

Deno.test("An archived decision accepts analyses and their revisions", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const early = await analyse(caller, decision);
  await done(caller, decisionPath(decision, "/archive"), {});
  const late = await analyse(caller, decision);
  assertEquals(late.decisionRevision, 2);
  const next = await done(caller, analysisPath(early, "/revisions"), { expectedRevision: 1 });
  assertEquals([next.revision, next.decisionRevision], [2, 2]);
});

Deno.test("A replay returns the first response, and its key rejects other requests", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const list = decisionPath(decision, "/analyses");
  const create = (key: string, body: JsonObject = ANALYSIS) =>
    caller.call("POST", list, { key, body });
  const first = await create("first");
  const path = analysisPath(first.body.data, "/revisions");
  const revise = (key: string, body: JsonObject) => caller.call("POST", path, { key, body });
  const body = { expectedRevision: 1, criteria: [{ name: "Light", weight: 5 }, CRITERIA[1] ?? {}] };
  const revised = await revise("first", body);
  assertEquals([revised.status, revised.body.data.revision], [200, 2]);
  await change(caller, decision, { options: { items: ["X", "Y"] } });
  await assertWritesNothing(world(), async () => {
    for (
      const [again, before] of [[await create("first"), first], [
        await revise("first", body),
        revised,
      ]] as const
    ) {
      assertEquals([again.status, again.body.data], [before.status, before.body.data]);
      assertEquals(again.headers.get("Idempotency-Replayed"), "true");
      assertEquals(again.headers.get("Location"), before.headers.get("Location"));
    }
    assertFailure(await create("first", { ...ANALYSIS, criteria: [] }), "PAYLOAD_INVALID");
    const other = { ...ANALYSIS, criteria: CRITERIA.toReversed() };
    assertFailure(await create("first", other), "IDEMPOTENCY_KEY_REUSED");
    assertFailure(await revise("first", { expectedRevision: 2 }), "IDEMPOTENCY_KEY_REUSED");
    const keyless = await caller.call("POST", path, { body });
    assertFailure(keyless, "RECORD_IDEMPOTENCY_KEY_REQUIRED");
  });
});

Deno.test("The largest analyses of a decision are listed in pages", async () => {
  const caller = await world().createCaller();
  const items = Array.from(
    { length: 50 },
    (_, index) => "🚀".repeat(126) + String(index).padStart(2, "0"),
  );
  const names = Array.from(
    { length: 20 },
    (_, index) => "🪐".repeat(126) + String(index).padStart(2, "0"),
  );
  const decision = await decide(caller, { options: { items } });
  const row = (start: number) =>
    Object.fromEntries(names.map((name, index) => [name, ((start * 7 + index) % 1001) / 100]));
  const body = {
    criteria: names.map((name, index) => ({ name, weight: 1000 - index / 7 })),
    scores: Object.fromEntries(items.map((item, index) => [item, row(index * 13)])),
  };
  const ids: string[] = [];
  for (let count = 0; count < 17; count++) {
    world().advance(1);
    ids.unshift((await done(caller, decisionPath(decision, "/analyses"), body)).analysisId);
  }
  const path = decisionPath(decision, "/analyses");
  const pages = await walkPages(caller, path, { limit: "100" });
  assertEquals(pages.flat().map(({ analysisId }) => analysisId), ids);
  assertEquals(pages.length > 1, true);
  const { items: [only] } = await readPage(caller, path, { limit: "1" });
  assertEquals(await read(caller, analysisPath(only)), only);
});
