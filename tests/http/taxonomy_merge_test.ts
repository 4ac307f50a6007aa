/** TAX-005: a tag that goes over into another one. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Json, type Person, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, pathOf } from "./kernel.ts";
import { done, post, read } from "./memory.ts";
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
} from "./taxonomy.ts";

const world = sharedWorld();

function merge(person: Person, source: Json, target: Json) {
  const body = { expectedRevision: source.revision, intoId: target.termId };
  return post(person, termPath(source, "/merge"), body);
}

Deno.test("A merged tag keeps what it was called, and its target takes its names over", async () => {
  const person = await world().person();
  const source = await tag(person, "Yard", { aliases: ["Plot", "庭"], color: "#123456" });
  const target = await tag(person, "Garden", { aliases: ["Allotment"] });
  world().advance(1_000);
  const response = await merge(person, source, target);
  const updatedAt = world().now().toISOString();
  const mergedInto = target.termId;
  const merged = { ...source, active: false, mergedInto, revision: 2, updatedAt };
  assertEquals([response.status, response.body.data], [200, merged], response.text);
  await assertStored(person, merged);
  const aliases = ["Allotment", "Yard", "Plot", "庭"];
  await assertStored(person, { ...target, aliases, revision: 2, updatedAt });
  const changesOf = async (term: Json) =>
    (await read(person, termPath(term, "/revisions"))).items.map(({ change }: Json) => change);
  assertEquals(await changesOf(source), ["MERGED", "CREATED"]);
  assertEquals(await changesOf(target), ["CHANGED", "CREATED"]);
  const names = await world().rows(`
    select term_id, position, spelling from taxonomy_names
     where owner_id = '${person.accountId}' order by position`);
  assertEquals(
    names.map((name) => Object.values(name)),
    ["Garden", ...aliases].map((spelling, position) => [target.termId, position, spelling]),
  );
  assertFailure(await post(person, TAGS, { name: "yard" }), "TAXONOMY_TAG_NAME_CONFLICT");
  // Lists and generic reads tell of it as of an inactive one.
  assertEquals((await read(person, TAGS)).items.length, 1);
  assertEquals((await read(person, `${TAGS}?inactive=only`)).items, [merged]);
  const record = await read(person, pathOf({ moduleCode: "taxonomy", recordId: source.termId }));
  assertEquals([record.archivedAt, record.payload.active], [updatedAt, false]);
});

Deno.test("Assignments go over with the merge, each record once, under their own identifiers", async () => {
  const person = await world().person();
  const [source, target] = [await tag(person, "A"), await tag(person, "B")];
  const records = [];
  for (let index = 0; index < 3; index++) records.push(await makeRecord(person));
  const [one, two, three] = records;
  const first = await assign(person, source, one);
  world().advance(1);
  await assign(person, source, two);
  world().advance(1);
  const kept = await assign(person, target, two);
  world().advance(1);
  const last = await assign(person, target, three);
  assertEquals((await merge(person, source, target)).status, 200);
  const { items } = await read(person, `${ASSIGNMENTS}?termId=${target.termId}`);
  const over = { termId: target.termId, kind: "TAG", name: "B" };
  assertEquals(items, [last, kept, first].map((assignment) => ({ ...assignment, ...over })));
  assertEquals((await read(person, `${ASSIGNMENTS}?termId=${source.termId}`)).items, []);
  const { items: used } = await read(person, `${USAGE}?inactive=include`);
  assertEquals(used.map(({ termId, direct }: Json) => [termId, direct]), [[target.termId, 3]]);
  // Taken away, it may be given again.
  await done(person, `${ASSIGNMENTS}/remove`, carrying(target, one));
  const again = await assign(person, target, one);
  assertEquals(again.assignmentId === first.assignmentId, false);
});

Deno.test("A merged tag is merged for ever, also when its target is merged on", async () => {
  const person = await world().person();
  const [first, second, third] = [
    await tag(person, "One"),
    await tag(person, "Two"),
    await tag(person, "Three"),
  ];
  const { data: merged } = (await merge(person, first, second)).body;
  const next = await read(person, termPath(second));
  assertEquals((await merge(person, next, third)).status, 200);
  await assertStored(person, merged);
  assertEquals((await read(person, termPath(third))).aliases, ["Two", "One"]);
  const expectedRevision = 2;
  const writes = [
    patch(person, termPath(first), { expectedRevision, set: { color: "#000000" } }),
    post(person, termPath(first, "/rename"), { expectedRevision, name: "Uno" }),
    post(person, termPath(first, "/reactivate"), {}),
    merge(person, merged, third),
    post(person, ASSIGNMENTS, carrying(first, await makeRecord(person))),
  ];
  for (const response of writes) assertFailure(await response, "TAXONOMY_STATE_CONFLICT");
  const again = await assertKeepsKeyOnly(
    world(),
    () => post(person, termPath(first, "/deactivate"), { expectedRevision }),
  );
  assertEquals([again.status, again.body.data], [200, merged]);
  const { items } = await done(person, SEARCH, { q: "one", inactive: "include" });
  assertEquals(items.map(({ termId, matched }: Json) => [termId, matched]), [
    [third.termId, { field: "aliases", text: "One" }],
  ]);
});

Deno.test("An inactive tag may be merged; generic reads call it no second archival", async () => {
  const person = await world().person();
  const [source, target] = [await tag(person, "A"), await tag(person, "B")];
  const ended = await act(person, source, "deactivate");
  const { data: merged } = (await merge(person, ended, target)).body;
  assertEquals([merged.mergedInto, merged.revision], [target.termId, 3]);
  const path = `/api/v2/records/taxonomy/${source.termId}/revisions`;
  const { items } = await read(person, path);
  assertEquals(items.map(({ change }: Json) => change), ["MODIFIED", "ARCHIVED", "CREATED"]);
  const archivals = new Set(items.slice(0, 2).map(({ archivedAt }: Json) => archivedAt));
  assertEquals(archivals.size, 1);
});

Deno.test("What no merge can be is refused, in the order of the contract", async () => {
  const person = await world().person();
  const source = await tag(person, "Source", { aliases: ["a", "b"] });
  const path = termPath(source, "/merge");
  const ended = await tag(person, "Ended");
  await act(person, ended, "deactivate");
  const aliases = Array.from({ length: 48 }, (_, index) => `alias ${index}`);
  const full = await tag(person, "Full", { aliases });
  const room = await tag(person, "Room", { aliases: aliases.slice(1).map((alias) => `${alias}!`) });
  const foreign = await tag(await world().person(), "Foreign");
  const other = await category(person, "A category");
  const stale = { expectedRevision: 7 };
  await assertWritesNothing(world(), async () => {
    assertInvalid(await post(person, path, stale), ["field.required"], ["intoId"]);
    for (const intoId of [ulid(), foreign.termId, other.termId]) {
      assertFailure(await post(person, path, { ...stale, intoId }), "RECORD_NOT_FOUND");
    }
    const lost = `${TAGS}/${ulid()}/merge`;
    const intoId = full.termId;
    assertFailure(await post(person, lost, { ...stale, intoId }), "RECORD_NOT_FOUND");
    assertFailure(
      await post(person, `${TAGS}/${other.termId}/merge`, { ...stale, intoId }),
      "RECORD_NOT_FOUND",
    );
    for (const target of [source, ended, full]) {
      const body = { ...stale, intoId: target.termId };
      assertFailure(await post(person, path, body), "REVISION_CONFLICT");
      assertFailure(await merge(person, source, target), "TAXONOMY_STATE_CONFLICT");
    }
  });
  const merged = await merge(person, source, room);
  assertEquals(merged.status, 200, merged.text);
  assertEquals((await read(person, termPath(room))).aliases.length, 50);
});

Deno.test("A merge that is sent again under its key answers the merged tag of then", async () => {
  const person = await world().person();
  const [source, target] = [await tag(person, "A"), await tag(person, "B")];
  const [key, body] = [ulid(), { expectedRevision: 1, intoId: target.termId }];
  const first = await person.call("POST", termPath(source, "/merge"), { key, body });
  await actOn(person, await read(person, termPath(target)), "rename", { name: "C" });
  await assertWritesNothing(world(), async () => {
    const again = await person.call("POST", termPath(source, "/merge"), { key, body });
    assertEquals([again.status, again.body.data], [200, first.body.data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  });
  const audit = await read(person, "/api/v2/audit?operation=taxonomy.tag.merge");
  assertEquals(audit.items.map(({ subjectId, revision }: Json) => [subjectId, revision]), [
    [source.termId, 2],
  ]);
});
