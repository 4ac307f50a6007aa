/** RES-007: overload analyses. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { insertResources } from "../families/resource/crowd.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { patch } from "../families/decision/api.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  tableCounts,
  walkPages,
} from "./kernel.ts";
import { done, post, read, withPermissions } from "../families/memory/api.ts";
import { keep, measure, OVERLOAD_ANALYSES, resourcePath } from "../families/resource/api.ts";

const world = sharedWorld();

/** Figures and expected results. */
const JUDGED: readonly (readonly [JsonObject, number | null, string])[] = [
  [{ capacity: 4, available: -4 }, 2, "OVERLOADED"],
  [{ capacity: 10, available: 0 }, 1, "OVERLOADED"],
  // Rounded before comparison.
  [{ capacity: 10_000_000, available: 4 }, 1, "OVERLOADED"],
  [{ capacity: 10_000_000, available: 6 }, 0.999999, "WARNING"],
  [{ capacity: 10, available: 2 }, 0.8, "WARNING"],
  [{ capacity: 10_000_000, available: 2_000_004 }, 0.8, "WARNING"],
  [{ capacity: 10_000_000, available: 2_000_006 }, 0.799999, "NORMAL"],
  [{ capacity: 3, available: 1 }, 0.666667, "NORMAL"],
  [{ capacity: 7, available: 7 }, 0, "NORMAL"],
  [{ capacity: 0, available: 0 }, null, "UNKNOWN"],
  [{ capacity: 5 }, null, "UNKNOWN"],
  [{ available: 5 }, null, "UNKNOWN"],
  [{}, null, "UNKNOWN"],
];

interface Judgement {
  readonly resourceId: string;
  readonly resourceRevision: number;
  readonly utilisation: number | null;
  readonly state: string;
}

/** Creates in another order than the answer's. */
async function keepJudged(caller: Caller): Promise<Judgement[]> {
  const judgements: Judgement[] = [];
  for (const [figures, utilisation, state] of JUDGED.toReversed()) {
    world().advance(1);
    const { resourceId } = await keep(caller, figures);
    judgements.push({ resourceId, resourceRevision: 1, utilisation, state });
  }
  return judgements.sort((one, other) =>
    (other.utilisation ?? -1) - (one.utilisation ?? -1) ||
    (one.resourceId < other.resourceId ? -1 : 1)
  );
}

Deno.test("An analysis rates every live resource by its capacity, fullest first", async () => {
  const caller = await world().createCaller();
  const items = await keepJudged(caller);
  const archived = await keep(caller, { capacity: 1, available: 0 });
  await done(caller, resourcePath(archived, "/archive"), {});
  await keep(await world().createCaller(), { capacity: 1, available: 0 });
  const before = await tableCounts(world());
  const response = await post(caller, OVERLOAD_ANALYSES, {});
  assertEquals(response.status, 201, response.text);
  const analysis = response.body.data;
  const { executionId } = analysis;
  assertEquals(response.headers.get("Location"), `${OVERLOAD_ANALYSES}/${executionId}`);
  const expected = {
    executionId,
    warningFrom: 0.8,
    overloadedFrom: 1,
    counts: { overloaded: 3, warning: 3, normal: 3, unknown: 4 },
    items,
    createdAt: world().now().toISOString(),
  };
  assertEquals(analysis, expected);
  assertEquals(Object.keys(analysis), Object.keys(expected));
  assertEquals(Object.keys(analysis.items[0]), Object.keys(items[0] ?? {}));
  const after = await tableCounts(world());
  const added = Object.keys(after).filter((table) => after[table] !== before[table]);
  assertEquals(added, ["audit_entries", "executions", "idempotency_envelopes"]);
  assertEquals(await read(caller, `${OVERLOAD_ANALYSES}/${executionId}`), analysis);
  assertEquals((await read(caller, OVERLOAD_ANALYSES)).items, [analysis]);
});

Deno.test("An analysis is an execution of its feature, without a record", async () => {
  const caller = await world().createCaller();
  await keepJudged(caller);
  const { executionId, createdAt: _, ...output } = await done(caller, OVERLOAD_ANALYSES, {});
  const [row] = await world().rows(`
    select record_id, revision, module_code, feature_id, strategy, status, output::text as output
      from executions where execution_id = '${executionId}'`);
  assertEquals(row, {
    record_id: null,
    revision: null,
    module_code: "resource",
    feature_id: "RES-007",
    strategy: "analyze",
    status: "SUCCEEDED",
    output: JSON.stringify(output),
  });
});

Deno.test("An analysis uses current resources, not their snapshots", async () => {
  const caller = await world().createCaller();
  const resource = await keep(caller, { capacity: 10, available: 10 });
  await measure(caller, resource, { capacity: 10, available: 0 });
  const body = { expectedRevision: 1, set: { available: 1 } };
  await patch(caller, resourcePath(resource), body);
  const { items } = await done(caller, OVERLOAD_ANALYSES, {});
  const { resourceId } = resource;
  assertEquals(items, [{ resourceId, resourceRevision: 2, utilisation: 0.9, state: "WARNING" }]);
});

Deno.test("Only named resources are rated, archived ones too", async () => {
  const caller = await world().createCaller();
  const [one, other] = [
    await keep(caller, { capacity: 2, available: 1 }),
    await keep(caller, { capacity: 2, available: 0 }),
  ];
  await keep(caller);
  await done(caller, resourcePath(one, "/archive"), {});
  const resourceIds = [one.resourceId, other.resourceId];
  const analysis = await done(caller, OVERLOAD_ANALYSES, { resourceIds });
  assertEquals(
    analysis.items.map(({ resourceId, utilisation }: Json) => [resourceId, utilisation]),
    [[other.resourceId, 1], [one.resourceId, 0.5]],
  );
  const strange = (await keep(await world().createCaller())).resourceId;
  await assertWritesNothing(world(), async () => {
    for (const unknown of [ulid(), strange]) {
      const body = { resourceIds: [one.resourceId, unknown] };
      assertFailure(await post(caller, OVERLOAD_ANALYSES, body), "RECORD_NOT_FOUND");
    }
  });
});

Deno.test("Thresholds determine the states, and may be equal", async () => {
  const caller = await world().createCaller();
  await keep(caller, { capacity: 4, available: 2 });
  const cases: [JsonObject, string][] = [
    [{ warningFrom: 0.5 }, "WARNING"],
    [{ warningFrom: 0.500001 }, "NORMAL"],
    [{ warningFrom: 0.5, overloadedFrom: 0.5 }, "OVERLOADED"],
    [{ warningFrom: 0, overloadedFrom: 10 }, "WARNING"],
    [{ warningFrom: 10, overloadedFrom: 10 }, "NORMAL"],
    [{ warningFrom: 0, overloadedFrom: 0 }, "OVERLOADED"],
  ];
  for (const [thresholds, state] of cases) {
    const { items, counts, executionId: _, createdAt: __, ...used } = await done(
      caller,
      OVERLOAD_ANALYSES,
      thresholds,
    );
    assertEquals(used, { warningFrom: 0.8, overloadedFrom: 1, ...thresholds });
    assertEquals([items[0].state, counts[state.toLowerCase()]], [state, 1]);
  }
});

Deno.test("Without resources an analysis is empty", async () => {
  const { items, counts } = await done(await world().createCaller(), OVERLOAD_ANALYSES, {});
  assertEquals([items, counts], [[], { overloaded: 0, warning: 0, normal: 0, unknown: 0 }]);
});

Deno.test("An invalid analysis is rejected and leaves nothing", async () => {
  const caller = await world().createCaller();
  const { resourceId } = await keep(caller);
  await assertWritesNothing(world(), async () => {
    const thresholds = ["warningFrom", "overloadedFrom"];
    const cases: [JsonObject, string[], string[]][] = [
      [{ resourceIds: [] }, ["field.length"], ["resourceIds"]],
      [{ resourceIds: [resourceId, resourceId] }, ["field.repeated"], ["resourceIds"]],
      [{ resourceIds: ["x"] }, ["field.identifier"], ["resourceIds"]],
      [{ resourceIds: resourceId }, ["field.type"], ["resourceIds"]],
      [
        { resourceIds: Array.from({ length: 501 }, () => ulid()) },
        ["field.length"],
        ["resourceIds"],
      ],
      [{ warningFrom: -0.001 }, ["field.range"], ["warningFrom"]],
      [{ overloadedFrom: 10.001 }, ["field.range"], ["overloadedFrom"]],
      [{ warningFrom: "1" }, ["field.type"], ["warningFrom"]],
      [
        { warningFrom: 0.6, overloadedFrom: 0.5 },
        ["overload_analysis.thresholds_ordered"],
        thresholds,
      ],
      // The other threshold has its default.
      [{ warningFrom: 1.1 }, ["overload_analysis.thresholds_ordered"], thresholds],
      [{ overloadedFrom: 0.7 }, ["overload_analysis.thresholds_ordered"], thresholds],
      [{ threshold: 1 }, ["undeclared_field"], []],
    ];
    for (const [body, rules, fields] of cases) {
      const label = JSON.stringify(body).slice(0, 80);
      assertInvalid(await post(caller, OVERLOAD_ANALYSES, body), rules, fields, label);
    }
    assertFailure(await caller.call("POST", OVERLOAD_ANALYSES, { key: ulid() }), "HTTP_415");
  });
});

Deno.test("An analysis of all resources is limited to five hundred; name others", async () => {
  const caller = await world().createCaller();
  // A third is not archived.
  await world().raw(insertResources(caller, 1_500, 0));
  const all = await done(caller, OVERLOAD_ANALYSES, {});
  assertEquals(all.items.length, 500);
  const last = await keep(caller);
  await assertWritesNothing(world(), async () => {
    const details = assertFailure(await post(caller, OVERLOAD_ANALYSES, {}), "PAYLOAD_INVALID");
    assertEquals(details, {
      rules: ["overload_analysis.resources"],
      fields: ["resourceIds"],
      limit: 500,
    });
  });
  const resourceIds = all.items.map(({ resourceId }: Json) => resourceId);
  const named = await done(caller, OVERLOAD_ANALYSES, { resourceIds });
  assertEquals(named.items, all.items);
  await done(caller, resourcePath(last, "/archive"), {});
  assertEquals((await done(caller, OVERLOAD_ANALYSES, {})).items, all.items);
});

Deno.test("A repeated analysis returns the first one, after any changes", async () => {
  const caller = await world().createCaller();
  const resource = await keep(caller, { capacity: 1, available: 1 });
  const key = ulid();
  const call = (body: JsonObject) => caller.call("POST", OVERLOAD_ANALYSES, { key, body });
  const first = await call({});
  await patch(caller, resourcePath(resource), { expectedRevision: 1, set: { available: 0 } });
  await assertWritesNothing(world(), async () => {
    const again = await call({});
    assertEquals([again.status, again.body.data], [201, first.body.data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
    assertEquals(again.headers.get("Location"), first.headers.get("Location"));
    assertFailure(await call({ warningFrom: 0.8 }), "IDEMPOTENCY_KEY_REUSED");
  });
});

Deno.test("Analyses are listed newest first, to their owner, without other executions", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) {
    world().advance(1);
    ids.unshift((await done(caller, OVERLOAD_ANALYSES, {})).executionId);
    await done(caller, "/api/v2/resource/exports", { format: "JSON" });
  }
  const listed = (await walkPages(caller, OVERLOAD_ANALYSES, { limit: "1" })).flat();
  assertEquals(listed.map((item) => item.executionId), ids);
  const { items: [exported] } = await read(caller, "/api/v2/resource/exports");
  for (const id of [ulid(), exported.executionId]) {
    const cursor = await caller.call("GET", `${OVERLOAD_ANALYSES}?cursor=${id}`);
    assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
    assertFailure(await caller.call("GET", `${OVERLOAD_ANALYSES}/${id}`), "RECORD_NOT_FOUND");
  }
  assertEquals((await read(other, OVERLOAD_ANALYSES)).items, []);
  assertFailure(await other.call("GET", `${OVERLOAD_ANALYSES}/${ids[0]}`), "RECORD_NOT_FOUND");
  const cursor = await other.call("GET", `${OVERLOAD_ANALYSES}?cursor=${ids[0]}`);
  assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
});

Deno.test("Analyses require the read permission; write permission is not enough", async () => {
  const caller = await world().createCaller();
  await keep(caller);
  const reader = await withPermissions(world(), caller, "resource.read");
  assertEquals((await done(reader, OVERLOAD_ANALYSES, {})).items.length, 1);
  const writer = await withPermissions(world(), caller, "resource.write");
  assertFailure(await post(writer, OVERLOAD_ANALYSES, {}), "FORBIDDEN");
});
