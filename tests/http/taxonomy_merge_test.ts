/** TAX-005: merging tags. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, pathOf } from "./kernel.ts";
import { done, post, read } from "../families/memory/api.ts";
import {
  act,
  actOn,
  assertKeepsKeyOnly,
  assertStored,
  assign,
  ASSIGNMENTS,
  carrying,
  category,
  makeRecord,
  patch,
  SEARCH,
  tag,
  TAGS,
  termPath,
  USAGE,
} from "../families/taxonomy/api.ts";

const world = sharedWorld();

function merge(caller: Caller, source: Json, target: Json) {
  const body = { expectedRevision: source.revision, intoId: target.termId };
  return post(caller, termPath(source, "/merge"), body);
}

Deno.test("A merged tag keeps its name, and its target receives its names", async () => {
  const caller = await world().createCaller();
  const source = await tag(caller, "Yard", { aliases: ["Plot", "庭"], color: "#123456" });
  const target = await tag(caller, "Garden", { aliases: ["Allotment"] });
  world().advance(1_000);
  const response = await merge(caller, source, target);
  const updatedAt = world().now().toISOString();
  const mergedInto = target.termId;
  const merged = { ...source, active: false, mergedInto, revision: 2, updatedAt };
  assertEquals([response.status, response.body.data], [200, merged], response.text);
  await assertStored(caller, merged);
  const aliases = ["Allotment", "Yard", "Plot", "庭"];
  await assertStored(caller, { ...target, aliases, revision: 2, updatedAt });
  const changesOf = async (term: Json) =>
    (await read(caller, termPath(term, "/revisions"))).items.map(({ change }: Json) => change);
  assertEquals(await changesOf(source), ["MERGED", "CREATED"]);
  assertEquals(await changesOf(target), ["CHANGED", "CREATED"]);
  const names = await world().rows(`
    select term_id, position, spelling from taxonomy_names
     where owner_id = '${caller.accountId}' order by position`);
  assertEquals(
    names.map((name) => Object.values(name)),
    ["Garden", ...aliases].map((spelling, position) => [target.termId, position, spelling]),
  );
  assertFailure(await post(caller, TAGS, { name: "yard" }), "TAXONOMY_TAG_NAME_CONFLICT");
  // Shown as inactive.
  assertEquals((await read(caller, TAGS)).items.length, 1);
  assertEquals((await read(caller, `${TAGS}?inactive=only`)).items, [merged]);
  const record = await read(caller, pathOf({ moduleCode: "taxonomy", recordId: source.termId }));
  assertEquals([record.archivedAt, record.payload.active], [updatedAt, false]);
});

Deno.test("A merge moves assignments, each record once, under their identifiers", async () => {
  const caller = await world().createCaller();
  const [source, target] = [await tag(caller, "A"), await tag(caller, "B")];
  const records = [];
  for (let index = 0; index < 3; index++) records.push(await makeRecord(caller));
  const [one, two, three] = records;
  const first = await assign(caller, source, one);
  world().advance(1);
  await assign(caller, source, two);
  world().advance(1);
  const kept = await assign(caller, target, two);
  world().advance(1);
  const last = await assign(caller, target, three);
  assertEquals((await merge(caller, source, target)).status, 200);
  const { items } = await read(caller, `${ASSIGNMENTS}?termId=${target.termId}`);
  const over = { termId: target.termId, kind: "TAG", name: "B" };
  assertEquals(items, [last, kept, first].map((assignment) => ({ ...assignment, ...over })));
  assertEquals((await read(caller, `${ASSIGNMENTS}?termId=${source.termId}`)).items, []);
  const { items: used } = await read(caller, `${USAGE}?inactive=include`);
  assertEquals(used.map(({ termId, direct }: Json) => [termId, direct]), [[target.termId, 3]]);
  // A removed assignment can be made again.
  await done(caller, `${ASSIGNMENTS}/remove`, carrying(target, one));
  const again = await assign(caller, target, one);
  assertEquals(again.assignmentId === first.assignmentId, false);
});

Deno.test("A merged tag stays merged, also after its target is merged", async () => {
  const caller = await world().createCaller();
  const [first, second, third] = [
    await tag(caller, "One"),
    await tag(caller, "Two"),
    await tag(caller, "Three"),
  ];
  const { data: merged } = (await merge(caller, first, second)).body;
  const next = await read(caller, termPath(second));
  assertEquals((await merge(caller, next, third)).status, 200);
  await assertStored(caller, merged);
  assertEquals((await read(caller, termPath(third))).aliases, ["Two", "One"]);
  const expectedRevision = 2;
  const writes = [
    patch(caller, termPath(first), { expectedRevision, set: { color: "#000000" } }),
    post(caller, termPath(first, "/rename"), { expectedRevision, name: "Uno" }),
    post(caller, termPath(first, "/reactivate"), {}),
    merge(caller, merged, third),
    post(caller, ASSIGNMENTS, carrying(first, await makeRecord(caller))),
  ];
  for (const response of writes) assertFailure(await response, "TAXONOMY_STATE_CONFLICT");
  const again = await assertKeepsKeyOnly(
    world(),
    () => post(caller, termPath(first, "/deactivate"), { expectedRevision }),
  );
  assertEquals([again.status, again.body.data], [200, merged]);
  const { items } = await done(caller, SEARCH, { q: "one", inactive: "include" });
  assertEquals(items.map(({ termId, matched }: Json) => [termId, matched]), [
    [third.termId, { field: "aliases", text: "One" }],
  ]);
});

Deno.test("An inactive tag can be merged; generic reads show no second archival", async () => {
  const caller = await world().createCaller();
  const [source, target] = [await tag(caller, "A"), await tag(caller, "B")];
  const ended = await act(caller, source, "deactivate");
  const { data: merged } = (await merge(caller, ended, target)).body;
  assertEquals([merged.mergedInto, merged.revision], [target.termId, 3]);
  const path = `/api/v2/records/taxonomy/${source.termId}/revisions`;
  const { items } = await read(caller, path);
  assertEquals(items.map(({ change }: Json) => change), ["MODIFIED", "ARCHIVED", "CREATED"]);
  const archivals = new Set(items.slice(0, 2).map(({ archivedAt }: Json) => archivedAt));
  assertEquals(archivals.size, 1);
});

Deno.test("Impossible merges are rejected, in the order of the contract", async () => {
  const caller = await world().createCaller();
  const source = await tag(caller, "Source", { aliases: ["a", "b"] });
  const path = termPath(source, "/merge");
  const ended = await tag(caller, "Ended");
  await act(caller, ended, "deactivate");
  const aliases = Array.from({ length: 48 }, (_, index) => `alias ${index}`);
  const full = await tag(caller, "Full", { aliases });
  const room = await tag(caller, "Room", { aliases: aliases.slice(1).map((alias) => `${alias}!`) });
  const foreign = await tag(await world().createCaller(), "Foreign");
  const other = await category(caller, "A category");
  const stale = { expectedRevision: 7 };
  await assertWritesNothing(world(), async () => {
    assertInvalid(await post(caller, path, stale), ["field.required"], ["intoId"]);
    for (const intoId of [ulid(), foreign.termId, other.termId]) {
      assertFailure(await post(caller, path, { ...stale, intoId }), "RECORD_NOT_FOUND");
    }
    const lost = `${TAGS}/${ulid()}/merge`;
    const intoId = full.termId;
    assertFailure(await post(caller, lost, { ...stale, intoId }), "RECORD_NOT_FOUND");
    assertFailure(
      await post(caller, `${TAGS}/${other.termId}/merge`, { ...stale, intoId }),
      "RECORD_NOT_FOUND",
    );
    for (const target of [source, ended, full]) {
      const body = { ...stale, intoId: target.termId };
      assertFailure(await post(caller, path, body), "REVISION_CONFLICT");
      assertFailure(await merge(caller, source, target), "TAXONOMY_STATE_CONFLICT");
    }
  });
  const merged = await merge(caller, source, room);
  assertEquals(merged.status, 200, merged.text);
  assertEquals((await read(caller, termPath(room))).aliases.length, 50);
});

Deno.test("A repeated merge returns the merged tag of that time", async () => {
  const caller = await world().createCaller();
  const [source, target] = [await tag(caller, "A"), await tag(caller, "B")];
  const [key, body] = [ulid(), { expectedRevision: 1, intoId: target.termId }];
  const first = await caller.call("POST", termPath(source, "/merge"), { key, body });
  await actOn(caller, await read(caller, termPath(target)), "rename", { name: "C" });
  await assertWritesNothing(world(), async () => {
    const again = await caller.call("POST", termPath(source, "/merge"), { key, body });
    assertEquals([again.status, again.body.data], [200, first.body.data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  });
  const audit = await read(caller, "/api/v2/audit?operation=taxonomy.tag.merge");
  assertEquals(audit.items.map(({ subjectId, revision }: Json) => [subjectId, revision]), [
    [source.termId, 2],
  ]);
});
