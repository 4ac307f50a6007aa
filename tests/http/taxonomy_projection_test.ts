/** Generic reads of terms; generic writes are rejected. */

import { assertEquals } from "@std/assert";
import { type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertWritesNothing, atRevision, walkPages } from "./kernel.ts";
import { post, read, withPermissions } from "../families/memory/api.ts";
import { act, actOn, category, patch, tag, termPath } from "../families/taxonomy/api.ts";

const world = sharedWorld();

const RECORDS = "/api/v2/records/taxonomy";

/** The record that generic reads must show. */
function projectionOf(term: Json): Json {
  const { termId: recordId, name, revision, createdAt, updatedAt, active } = term;
  const { kind, parentId, aliases, description, color, sortOrder } = term;
  const fields = { name, kind, parentId, description, color, sortOrder, active };
  return {
    recordId,
    moduleCode: "taxonomy",
    title: name,
    summary: "",
    payload: {
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
      ...(aliases.length > 0 && { aliases }),
    },
    revision,
    sourceType: "USER_INPUT",
    recordedAt: createdAt,
    createdAt,
    updatedAt,
    // An inactive term cannot change.
    archivedAt: active ? null : updatedAt,
    localTimes: {},
    attachmentIds: [],
  };
}

Deno.test("Generic reads show a term's fields that have a value, for each revision", async () => {
  const caller = await world().createCaller();
  const [home, house] = [await category(caller, "Home"), await category(caller, "House")];
  const states: Json[] = [await category(caller, "Garden", home, { sortOrder: 0 })];
  const newest = () => states.at(-1);
  const step = async (make: () => Promise<Json>) => {
    world().advance(10);
    states.push(await make());
  };
  const set = { aliases: ["Yard"], description: "With\nplums", color: "#2E7d32" };
  await step(async () =>
    (await patch(caller, termPath(newest()), { expectedRevision: 1, set })).body.data
  );
  await step(() => actOn(caller, newest(), "rename", { name: "Plot", keepAlias: true }));
  await step(() => actOn(caller, newest(), "move", { parentId: house.termId }));
  await step(() => act(caller, newest(), "deactivate"));
  await step(() => act(caller, newest(), "reactivate"));
  await step(() => actOn(caller, newest(), "move", { parentId: null }));
  const remove = ["aliases", "description", "color", "sortOrder"];
  await step(async () =>
    (await patch(caller, termPath(newest()), { expectedRevision: 7, remove })).body.data
  );
  const record = `${RECORDS}/${newest().termId}`;
  assertEquals(await read(caller, record), projectionOf(newest()));
  assertEquals(projectionOf(newest()).payload, { name: "Plot", kind: "CATEGORY", active: true });
  assertEquals((await read(caller, RECORDS)).items.length, 3);
  const revisions = (await walkPages(caller, `${record}/revisions`)).flat().toReversed();
  assertEquals(revisions.map(({ change }) => change), [
    "CREATED",
    "MODIFIED",
    "MODIFIED",
    "MODIFIED",
    "ARCHIVED",
    "RESTORED",
    "MODIFIED",
    "MODIFIED",
  ]);
  for (const [index, state] of states.entries()) {
    const projected = projectionOf(state);
    assertEquals(await read(caller, `${record}?revision=${index + 1}`), atRevision(projected));
    const { title, summary, payload, archivedAt } = revisions[index];
    assertEquals(
      [title, summary, payload, archivedAt],
      [projected.title, projected.summary, projected.payload, projected.archivedAt],
    );
  }
  assertEquals((await read(caller, `${record}/executions`)).items, []);
});

Deno.test("Generic reads show a merge as an archival, and a change of its target", async () => {
  const caller = await world().createCaller();
  const [source, target] = [await tag(caller, "Yard"), await tag(caller, "Garden")];
  world().advance(10);
  const merged = await actOn(caller, source, "merge", { intoId: target.termId });
  assertEquals(await read(caller, `${RECORDS}/${source.termId}`), projectionOf(merged));
  const grown = await read(caller, termPath(target));
  assertEquals(await read(caller, `${RECORDS}/${target.termId}`), projectionOf(grown));
  const changesOf = async ({ termId }: Json) =>
    (await read(caller, `${RECORDS}/${termId}/revisions`)).items
      .map(({ change }: Json) => change);
  assertEquals(await changesOf(source), ["ARCHIVED", "CREATED"]);
  assertEquals(await changesOf(target), ["MODIFIED", "CREATED"]);
  const archived = await read(caller, `${RECORDS}?archived=only`);
  assertEquals(archived.items.map(({ recordId }: Json) => recordId), [source.termId]);
});

Deno.test("Generic reads of taxonomy require taxonomy.read as well", async () => {
  const caller = await world().createCaller();
  const { termId } = await tag(caller, "Garden");
  const blind = await withPermissions(world(), caller, "record.read", "taxonomy.write");
  const reader = await withPermissions(world(), caller, "record.read", "taxonomy.read");
  for (const end of ["", `/${termId}`, `/${termId}/revisions`, `/${termId}/executions`]) {
    assertFailure(await blind.call("GET", RECORDS + end), "FORBIDDEN", end);
    assertEquals((await reader.call("GET", RECORDS + end)).status, 200, end);
  }
});

Deno.test("Generic writes and features of taxonomy name the dedicated routes and write nothing", async () => {
  const caller = await world().createCaller();
  const { termId } = await tag(caller, "Garden");
  const record = `${RECORDS}/${termId}`;
  const features = ["TAG", "CATEGORY", "ALIAS", ...Array(5).fill("GOVERNANCE")];
  await assertWritesNothing(world(), async () => {
    const payload = { name: "A", kind: "TAG", active: true };
    assertFailure(
      await post(caller, RECORDS, { title: "A", payload }),
      "TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED",
    );
    for (
      const [method, end] of [["PATCH", ""], ["POST", "/archive"], ["POST", "/restore"]] as const
    ) {
      const response = await caller.call(method, record + end, { body: { title: "B" } });
      assertFailure(response, "TAXONOMY_TAG_DEDICATED_ENDPOINT_REQUIRED");
    }
    for (const [index, name] of features.entries()) {
      const response = await post(caller, `${record}/features/TAX-00${index + 1}`, {});
      const code = `TAXONOMY_${name}_DEDICATED_ENDPOINT_REQUIRED`;
      assertEquals([response.status, response.body.error.code], [400, code]);
    }
  });
});
