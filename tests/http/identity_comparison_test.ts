import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import {
  changed,
  COMPARISONS,
  identityAudit,
  introduce,
  PROFILE,
  SNAPSHOTS,
  WHOLE_PROFILE,
} from "../families/identity/api.ts";
import { done, post, read } from "../families/memory/api.ts";

const world = sharedWorld();

async function someone(body?: JsonObject): Promise<Caller> {
  const caller = await world().createCaller();
  await introduce(caller, body);
  return caller;
}

function at(revision: number): JsonObject {
  return { kind: "PROFILE_REVISION", revision };
}

function of({ snapshotId }: Json): JsonObject {
  return { kind: "SNAPSHOT", snapshotId };
}

Deno.test("A comparison lists all eight fields, in catalog order", async () => {
  const caller = await someone(WHOLE_PROFILE);
  await changed(caller, PROFILE, {
    expectedRevision: 1,
    set: { displayName: "Eda", tags: ["bread", "rowing"] },
    remove: ["endedAt"],
  });
  const fields = { displayName: "Eda", currentRole: "", tags: [] };
  const past = await done(caller, SNAPSHOTS, { label: "A", fields });
  const response = await post(caller, COMPARISONS, { left: at(1), right: at(2) });
  assertEquals(response.status, 201, response.text);
  const comparison = response.body.data;
  assertEquals(response.headers.get("Location"), `${COMPARISONS}/${comparison.comparisonId}`);
  assertEquals(comparison, {
    comparisonId: comparison.comparisonId,
    left: at(1),
    right: at(2),
    fields: [
      { field: "displayName", left: "Ada of the lake", right: "Eda", change: "CHANGED" },
      { field: "currentRole", left: "Engineer", right: "Engineer", change: "SAME" },
      { field: "lifeStage", left: "ADULTHOOD", right: "ADULTHOOD", change: "SAME" },
      {
        field: "startedAt",
        left: WHOLE_PROFILE.startedAt,
        right: WHOLE_PROFILE.startedAt,
        change: "SAME",
      },
      { field: "endedAt", left: WHOLE_PROFILE.endedAt, right: null, change: "REMOVED" },
      {
        field: "biography",
        left: WHOLE_PROFILE.biography,
        right: WHOLE_PROFILE.biography,
        change: "SAME",
      },
      {
        field: "publicSummary",
        left: "Rows before work.",
        right: "Rows before work.",
        change: "SAME",
      },
      { field: "tags", left: ["rowing", "bread"], right: ["bread", "rowing"], change: "CHANGED" },
    ],
    createdAt: world().now().toISOString(),
  });
  assertEquals(await read(caller, `${COMPARISONS}/${comparison.comparisonId}`), comparison);
  const changes = async (left: JsonObject, right: JsonObject) =>
    (await done(caller, COMPARISONS, { left, right })).fields
      .filter(({ change }: Json) => change !== "SAME")
      .map(({ field, change }: Json) => `${field} ${change}`);
  assertEquals(await changes(of(past), at(2)), [
    "currentRole CHANGED",
    "lifeStage ADDED",
    "startedAt ADDED",
    "biography ADDED",
    "publicSummary ADDED",
    "tags CHANGED",
  ]);
  assertEquals(await changes(of(past), of(past)), []);
  const frozen = await done(caller, SNAPSHOTS, { label: "B" });
  assertEquals(await changes(of(frozen), at(2)), []);
});

Deno.test("A comparison is an execution with references and field names only", async () => {
  const caller = await someone(WHOLE_PROFILE);
  await changed(caller, PROFILE, { expectedRevision: 1, set: { displayName: "Eda" } });
  const { comparisonId } = await done(caller, COMPARISONS, { left: at(1), right: at(2) });
  const rows = await world().rows(
    `select record_id, module_code, feature_id, strategy, revision, status, output::text
       from executions where execution_id = '${comparisonId}'`,
  );
  const output = { left: at(1), right: at(2), differing: ["displayName"] };
  assertEquals([...rows].map((row) => ({ ...row, output: JSON.parse(row.output) })), [{
    record_id: null,
    module_code: "identity",
    feature_id: "IDN-005",
    strategy: "compare",
    revision: null,
    status: "SUCCEEDED",
    output,
  }]);
  const [entry] = await identityAudit(caller);
  assertEquals(entry, `identity.comparison.create null ${comparisonId}`);
});

Deno.test("An invalid comparison is rejected and writes nothing", async () => {
  const caller = await someone();
  const [other, nobody] = [await someone(), await world().createCaller()];
  const foreign = of(await done(other, SNAPSHOTS, { label: "A" }));
  await changed(other, PROFILE, { expectedRevision: 1, set: { displayName: "Eda" } });
  const wrong: [JsonObject, string[], string[]][] = [
    [{ right: at(1) }, ["field.required"], ["left"]],
    [{ left: "x", right: at(1) }, ["field.type"], ["left"]],
    [{ left: { kind: "MEMORY" }, right: at(1) }, ["field.option"], ["kind"]],
    [{ left: {}, right: at(1) }, ["field.option"], ["kind"]],
    [{ left: { ...at(1), snapshotId: ulid() }, right: at(1) }, ["undeclared_field"], []],
    [{ left: at(1), right: { ...foreign, revision: 1 } }, ["undeclared_field"], []],
    [{ left: at(0), right: at(1) }, ["field.range"], ["revision"]],
    [{ left: at(1), right: { kind: "SNAPSHOT" } }, ["field.required"], ["snapshotId"]],
    [{ left: at(1), right: of({ snapshotId: "x" }) }, ["field.identifier"], ["snapshotId"]],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [body, rules, fields] of wrong) {
      const response = await post(caller, COMPARISONS, body);
      assertInvalid(response, rules, fields, JSON.stringify(body));
    }
    const unknown = [at(2), foreign, of({ snapshotId: ulid() })];
    for (const side of unknown) {
      for (const body of [{ left: side, right: at(1) }, { left: at(1), right: side }]) {
        const response = await post(caller, COMPARISONS, body);
        assertFailure(response, "RECORD_NOT_FOUND", JSON.stringify(body));
      }
    }
    const response = await post(nobody, COMPARISONS, { left: at(1), right: at(1) });
    assertFailure(response, "RECORD_NOT_FOUND");
  });
  assertEquals(await read(nobody, COMPARISONS), { items: [], nextCursor: null });
  const cursor = await nobody.call("GET", `${COMPARISONS}?cursor=${ulid()}`);
  assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
});

Deno.test("Comparisons are listed newest first, the largest on pages of their own", async () => {
  const long = "\u0001".repeat(100_000);
  const caller = await someone({ displayName: "Ada", biography: long, publicSummary: long });
  await changed(caller, PROFILE, { expectedRevision: 1, remove: ["biography", "publicSummary"] });
  const made: Json[] = [];
  for (const right of [1, 2, 1, 1, 1]) {
    world().advance(1000);
    made.unshift(await done(caller, COMPARISONS, { left: at(1), right: at(right) }));
  }
  const pages = await walkPages(caller, COMPARISONS);
  assertEquals(pages.flat(), made);
  assertEquals(pages.length > 1, true);
  const other = await someone();
  const path = `${COMPARISONS}/${made[0].comparisonId}`;
  assertFailure(await other.call("GET", path), "RECORD_NOT_FOUND");
  const foreign = await other.call("GET", `${COMPARISONS}?cursor=${made[0].comparisonId}`);
  assertInvalid(foreign, ["cursor.unknown"], ["cursor"]);
});

Deno.test("A repeated comparison returns the first one", async () => {
  const caller = await someone(WHOLE_PROFILE);
  const key = ulid();
  const compare = () =>
    caller.call("POST", COMPARISONS, { key, body: { left: at(1), right: at(1) } });
  const first = await compare();
  await changed(caller, PROFILE, { expectedRevision: 1, set: { displayName: "Eda" } });
  const again = await compare();
  assertEquals([again.status, again.body.data], [201, first.body.data]);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  assertEquals((await read(caller, COMPARISONS)).items.length, 1);
});
