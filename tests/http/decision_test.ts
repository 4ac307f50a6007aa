/** DEC-001, DEC-003, DEC-005: decisions, revisions, generic reads. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Json, sharedWorld } from "../support/world.ts";
import { decide, DECISION, decisionPath, DECISIONS, patch } from "../families/decision/api.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { done, post, read, withPermissions } from "../families/memory/api.ts";

const world = sharedWorld();

const WHOLE: JsonObject = {
  question: "Which flat\n\tdo   we take?",
  options: { items: ["By the river", " near work ", "Café"] },
  chosenOption: "Near work ".replace("N", "n"),
  rationale: "The light.",
  prediction: "We stay.",
  actualOutcome: "",
  decidedAt: "2026-01-02T03:04:05.678+02:00",
  reviewAt: "2027-01-02T03:04:05Z",
};

Deno.test("A decision reads back exactly, with distinct options and its choice spelt as the option", async () => {
  const caller = await world().createCaller();
  const sent = {
    ...WHOLE,
    options: { items: ["By the river", " near work ", "near work", "Café"] },
  };
  const response = await post(caller, DECISIONS, sent);
  assertEquals(response.status, 201, response.text);
  const decision = response.body.data;
  assertEquals(response.headers.get("Location"), decisionPath(decision));
  const at = world().now().toISOString();
  assertEquals(decision, {
    decisionId: decision.decisionId,
    ...WHOLE,
    chosenOption: " near work ",
    decidedAt: "2026-01-02T01:04:05.678Z",
    reviewAt: "2027-01-02T03:04:05.000Z",
    localTimes: { decidedAt: "2026-01-02T03:04:05.678+02:00" },
    revision: 1,
    createdAt: at,
    updatedAt: at,
    archivedAt: null,
  });
  assertEquals(await read(caller, decisionPath(decision)), decision);
});

Deno.test("Omitted fields of a decision read as null", async () => {
  const decision = await decide(await world().createCaller());
  const { chosenOption, rationale, prediction, actualOutcome, decidedAt, reviewAt } = decision;
  const absent = [chosenOption, rationale, prediction, actualOutcome, decidedAt, reviewAt];
  assertEquals(absent, [null, null, null, null, null, null]);
});

Deno.test("An invalid decision is rejected with every wrong field, and writes nothing", async () => {
  const caller = await world().createCaller();
  await assertWritesNothing(world(), async () => {
    const rules = "decision.options_are_distinct_texts";
    const cases: [Record<string, unknown>, string[], string[]][] = [
      [{ question: " " }, ["field.blank"], ["question"]],
      [{ options: { items: ["One"] } }, [rules], ["options"]],
      [{ options: { items: ["One", " One"] } }, [rules], ["options"]],
      [{ options: ["One", "Two"] }, [rules], ["options"]],
      [{ options: { items: ["One", "Two"], more: 1 } }, [rules], ["options"]],
      [{ chosenOption: "None" }, ["decision.chosen_option_is_an_option"], [
        "chosenOption",
        "options",
      ]],
      [{ decidedAt: "2026-01-01T00:00:00Z" }, ["decision.decided_at_requires_chosen_option"], [
        "decidedAt",
        "chosenOption",
      ]],
      [{ chosenOption: "Neither", decidedAt: "2999-01-01T00:00:00Z" }, [
        "decision.decided_at_not_in_the_future",
      ], ["decidedAt"]],
      [{ title: "A" }, ["undeclared_field"], []],
      [{ rationale: null }, ["field.null"], ["rationale"]],
      [{ rationale: "x".repeat(100_001) }, ["field.length"], ["rationale"]],
    ];
    for (const [wrong, broken, fields] of cases) {
      const response = await post(caller, DECISIONS, { ...DECISION, ...wrong } as JsonObject);
      assertInvalid(response, broken, fields, JSON.stringify(wrong).slice(0, 80));
    }
    assertInvalid(await post(caller, DECISIONS, {}), ["field.required"], ["question", "options"]);
    const large = "ä".repeat(100_000);
    const tooLarge = { ...DECISION, rationale: large, prediction: large, actualOutcome: large };
    assertInvalid(await post(caller, DECISIONS, tooLarge), ["payload.bytes"]);
  });
});

Deno.test("A patch sets and removes fields; without effect it writes nothing", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller, { rationale: "The light." });
  const path = decisionPath(decision);
  const chosen = { chosenOption: "Neither", decidedAt: "2026-01-01T00:00:00Z" };
  world().advance(10);
  const response = await patch(caller, path, {
    expectedRevision: 1,
    set: chosen,
    remove: ["rationale", "reviewAt"],
  });
  assertEquals(response.body.data, {
    ...decision,
    ...chosen,
    decidedAt: "2026-01-01T00:00:00.000Z",
    rationale: null,
    revision: 2,
    updatedAt: world().now().toISOString(),
  });
  const nothing: JsonObject[] = [
    { expectedRevision: 2, set: { chosenOption: " Neither" } },
    { expectedRevision: 2, remove: ["rationale"] },
    { expectedRevision: 2, set: { decidedAt: "2026-01-01T00:00:00-00:00" } },
  ];
  for (const body of nothing) {
    const before = await tableRows("decision_revisions", "audit_entries");
    const same = await patch(caller, path, body);
    assertEquals([same.status, same.body.data], [200, response.body.data]);
    assertEquals(await tableRows("decision_revisions", "audit_entries"), before);
  }
});

async function tableRows(...tables: readonly string[]): Promise<Json> {
  return await Promise.all(
    tables.map((table) => world().rows(`select count(*)::integer as rows from ${table}`)),
  );
}

Deno.test("A patch is rejected in the order of the contract, and writes nothing", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller, { chosenOption: "Neither" });
  const path = decisionPath(decision);
  const unknown = `${DECISIONS}/${ulid()}`;
  await assertWritesNothing(world(), async () => {
    const first = { expectedRevision: 1 };
    const wrongItself: [JsonObject, string[], string[]][] = [
      [first, ["change.required"], []],
      [{ ...first, set: { options: { items: ["Neither"] } } }, [
        "decision.options_are_distinct_texts",
      ], ["options"]],
      [{ ...first, set: { decidedAt: "2027-01-01T00:00:00Z" } }, [
        "decision.decided_at_not_in_the_future",
      ], ["decidedAt"]],
      [{ ...first, set: {}, remove: [] }, ["change.required"], []],
      [{ ...first, set: { rationale: "a" }, remove: ["rationale"] }, [
        "payload.set_and_removed",
      ], ["rationale"]],
      [{ ...first, remove: ["question"] }, ["field.required"], ["question"]],
      [{ ...first, remove: ["reviewAt", "reviewAt"] }, ["field.repeated"], ["remove"]],
      [{ ...first, set: { rationale: null } }, ["field.null"], ["rationale"]],
      [{ ...first, remove: ["title"] }, ["undeclared_field"], []],
      [{ set: { rationale: "a" } }, ["field.required"], ["expectedRevision"]],
    ];
    for (const [body, rules, fields] of wrongItself) {
      // Validation precedes a missing decision.
      for (const target of [path, unknown]) {
        assertInvalid(await patch(caller, target, body), rules, fields, JSON.stringify(body));
      }
    }
    const wrongWithStored = { set: { options: { items: ["A", "B"] } } };
    assertFailure(
      await patch(caller, unknown, { ...wrongWithStored, expectedRevision: 9 }),
      "RECORD_NOT_FOUND",
    );
    assertFailure(
      await patch(caller, path, { ...wrongWithStored, expectedRevision: 9 }),
      "REVISION_CONFLICT",
    );
    const merged = await patch(caller, path, { ...wrongWithStored, ...first });
    const rule = "decision.chosen_option_is_an_option";
    assertInvalid(merged, [rule], ["chosenOption", "options"]);
  });
});

Deno.test("Archive and restore append a revision each; an archived decision can be changed", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const path = decisionPath(decision);
  const archived = await done(caller, `${path}/archive`, { expectedRevision: 1 });
  assertEquals([archived.revision, archived.archivedAt], [2, archived.updatedAt]);
  assertEquals(await done(caller, `${path}/archive`, {}), archived);
  const changed = await patch(caller, path, { expectedRevision: 2, set: { rationale: "Late." } });
  assertEquals([changed.body.data.revision, changed.body.data.archivedAt], [
    3,
    archived.archivedAt,
  ]);
  const noBody = await caller.call("POST", `${path}/restore`, { key: ulid() });
  assertEquals([noBody.body.data.revision, noBody.body.data.archivedAt], [4, null]);
  assertFailure(
    await post(caller, `${path}/archive`, { expectedRevision: 3 }),
    "REVISION_CONFLICT",
  );
  const { items } = await read(caller, `/api/v2/audit?subjectId=${decision.decisionId}`);
  const entries = items.map((entry: Json) => [entry.revision, entry.operation, entry.moduleCode]);
  assertEquals(entries.sort(), [
    [1, "decision.create", "decision"],
    [2, "decision.archive", "decision"],
    [3, "decision.modify", "decision"],
    [4, "decision.restore", "decision"],
  ]);
});

Deno.test("Each revision reads back exactly, with its entity tag and in the list", async () => {
  const caller = await world().createCaller();
  const states = [await decide(caller)];
  const path = decisionPath(states[0]);
  for (const [revision, rationale] of ["a", "b", "c"].entries()) {
    world().advance(5);
    const set = { rationale };
    states.push(
      (await patch(caller, path, { expectedRevision: revision + 1, set })).body.data,
    );
  }
  states.push(await done(caller, `${path}/archive`, {}), await done(caller, `${path}/restore`, {}));
  for (const [index, state] of states.entries()) {
    const response = await caller.call("GET", `${path}?revision=${index + 1}`);
    assertEquals(response.body.data, state);
    assertEquals(response.headers.get("ETag"), `"${index + 1}"`);
  }
  const headers = { "If-None-Match": `"${states.length}"` };
  assertEquals((await caller.call("GET", path, { headers })).status, 304);
  assertFailure(await caller.call("GET", `${path}?revision=7`), "RECORD_NOT_FOUND");
  const pages = await walkPages(caller, `${path}/revisions`, { limit: "4" });
  const revisions = pages.flat().toReversed();
  const changes = ["CREATED", "MODIFIED", "MODIFIED", "MODIFIED", "ARCHIVED", "RESTORED"];
  assertEquals(revisions.map(({ change }) => change), changes);
  for (const [index, { revisionId: _, change: __, ...state }] of revisions.entries()) {
    assertEquals(state, states[index]);
  }
});

Deno.test("The list shows live, archived or all decisions, newest first", async () => {
  const caller = await world().createCaller();
  const ids: string[] = [];
  for (let index = 0; index < 7; index++) {
    world().advance(1);
    const decision = await decide(caller);
    if (index % 3 === 0) await done(caller, decisionPath(decision, "/archive"), {});
    ids.unshift(decision.decisionId);
  }
  const isArchived = (_: string, index: number) => (6 - index) % 3 === 0;
  const cases: [string, string[]][] = [
    ["exclude", ids.filter((id, index) => !isArchived(id, index))],
    ["only", ids.filter(isArchived)],
    ["include", ids],
  ];
  for (const [archived, expected] of cases) {
    const items = (await walkPages(caller, DECISIONS, { archived, limit: "2" })).flat();
    assertEquals(items.map(({ decisionId }) => decisionId), expected);
  }
  const other = await world().createCaller();
  assertEquals((await read(other, DECISIONS)).items, []);
  assertInvalid(
    await other.call("GET", `${DECISIONS}?cursor=${ids[0]}`),
    ["cursor.unknown"],
    ["cursor"],
  );
});

Deno.test("A page of long decisions ends before its limit", async () => {
  const caller = await world().createCaller();
  const long = "x".repeat(100_000);
  for (let index = 0; index < 22; index++) {
    await decide(caller, {
      rationale: long,
      prediction: long,
      actualOutcome: long,
      question: long,
    });
  }
  const pages = await walkPages(caller, DECISIONS, { limit: "100" });
  assertEquals(pages.length > 1, true);
  assertEquals(pages.flat().length, 22);
});

Deno.test("No route shows or finds another owner's decision", async () => {
  const caller = await world().createCaller();
  const path = decisionPath(await decide(caller));
  const other = await world().createCaller();
  for (const end of ["", "/revisions", "/predictions", "/outcomes", "/counterfactuals"]) {
    assertFailure(await other.call("GET", path + end), "RECORD_NOT_FOUND", end);
  }
  const change = { expectedRevision: 1, set: { rationale: "Forged" } };
  assertFailure(await patch(other, path, change), "RECORD_NOT_FOUND");
  assertFailure(await post(other, `${path}/archive`, {}), "RECORD_NOT_FOUND");
});

Deno.test("A repeated creation returns the first decision, also after a change", async () => {
  const caller = await world().createCaller();
  const key = ulid();
  const first = await caller.call("POST", DECISIONS, { key, body: DECISION });
  await done(caller, decisionPath(first.body.data, "/archive"), {});
  const again = await caller.call("POST", DECISIONS, { key, body: DECISION });
  assertEquals([again.status, again.body.data], [201, first.body.data]);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
});

Deno.test("Generic reads show a decision to readers of decisions", async () => {
  const caller = await world().createCaller();
  const states = [await decide(caller, WHOLE)];
  const path = decisionPath(states[0]);
  const record = `/api/v2/records/decision/${states[0].decisionId}`;
  const payload = { ...WHOLE, chosenOption: " near work ", decidedAt: states[0].decidedAt };
  const shown = await read(caller, record);
  assertEquals([shown.title, shown.summary, shown.revision, shown.archivedAt], [
    "Which flat do we take?",
    " near work ",
    1,
    null,
  ]);
  assertEquals(shown.payload, { ...payload, reviewAt: states[0].reviewAt });
  await done(caller, `${path}/archive`, {});
  assertEquals((await read(caller, record)).archivedAt !== null, true);
  const reader = await withPermissions(world(), caller, "record.read");
  assertFailure(await reader.call("GET", record), "FORBIDDEN");
  const { title } = await read(
    caller,
    `/api/v2/records/decision/${
      (await decide(caller, { question: "\u0007 𝒳".repeat(150) })).decisionId
    }`,
  );
  assertEquals([...title].length, 200);
});
