import { assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import {
  type Caller,
  createWorld,
  type JsonRecord,
  sharedWorld,
  type World,
} from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  COMMITMENT,
  COMMITMENTS,
  HEALTH,
  pathOf,
  readPage,
  walkPages,
} from "./kernel.ts";

const world = sharedWorld();

async function recordOf(caller: Caller, count: number): Promise<JsonRecord> {
  const made = await caller.create("commitment", COMMITMENT, "1");
  for (let revision = 2; revision <= count; revision++) {
    await caller.call("PATCH", pathOf(made), { body: { title: String(revision) } });
  }
  return made;
}

/** Adds executions as features would; newest first. */
async function addExecutions(own: World, record: JsonRecord, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => ulid());
  const [{ owner_id: owner }] = await own.rows(
    `select owner_id from records where record_id = '${record.recordId}'`,
  );
  await own.raw(
    ids.map((id) => `
    insert into executions (owner_id, execution_id, record_id, module_code, feature_id, strategy,
                            revision, status, output, created_at)
      values ('${owner}', '${id}', '${record.recordId}', 'commitment', 'CMT-001', 'record', 1,
              'SUCCEEDED', '{"id":"${id}"}', '2026-11-20T12:00:00Z')`).join(";"),
  );
  return ids.sort().reverse();
}

Deno.test("GET revisions lists every state of a record, newest first", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const changes: JsonRecord[] = [made];
  own.advance(1_000);
  const patch = { summary: "S", payload: { notes: "x" } };
  changes.push((await caller.call("PATCH", pathOf(made), { body: patch })).body.data);
  own.advance(1_000);
  changes.push((await caller.call("POST", `${pathOf(made)}/archive`)).body.data);
  own.advance(1_000);
  changes.push((await caller.call("POST", `${pathOf(made)}/restore`)).body.data);
  const { items, nextCursor } = await readPage(caller, `${pathOf(made)}/revisions`);
  const names = ["CREATED", "MODIFIED", "ARCHIVED", "RESTORED"];
  const expected = changes.map((state, index) => ({
    recordId: state.recordId,
    revision: index + 1,
    change: names[index],
    title: state.title,
    summary: state.summary,
    payload: state.payload,
    archivedAt: state.archivedAt,
    localTimes: state.localTimes,
    createdAt: state.updatedAt,
  }));
  for (const { revisionId } of items) assertMatch(revisionId, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  assertEquals(items.map(({ revisionId: _, ...item }) => item), expected.reverse());
  assertEquals(nextCursor, null);
});

Deno.test("GET revisions pages without gaps or repetitions, whatever the limit", async () => {
  const caller = await world().createCaller();
  const made = await recordOf(caller, 7);
  for (const limit of [1, 2, 3, 6, 7, 8, 100]) {
    const pages = await walkPages(caller, `${pathOf(made)}/revisions`, { limit: String(limit) });
    const numbers = pages.flat().map((item) => item.revision);
    assertEquals(numbers, [7, 6, 5, 4, 3, 2, 1], `limit ${limit}`);
    // An exactly full last page is recognised as last.
    assertEquals(pages.length, Math.ceil(7 / limit), `limit ${limit}`);
  }
});

Deno.test("GET revisions returns 50 items by default", async () => {
  const caller = await world().createCaller();
  const made = await recordOf(caller, 51);
  const first = await readPage(caller, `${pathOf(made)}/revisions`);
  assertEquals([first.items.length, first.nextCursor], [50, first.items[49].revisionId]);
  const rest = await readPage(caller, `${pathOf(made)}/revisions`, {
    cursor: first.nextCursor ?? "",
  });
  assertEquals([rest.items.length, rest.nextCursor], [1, null]);
});

Deno.test("GET revisions keeps a cursor valid while the record changes", async () => {
  const caller = await world().createCaller();
  const made = await recordOf(caller, 4);
  const path = `${pathOf(made)}/revisions`;
  const { nextCursor } = await readPage(caller, path, { limit: "2" });
  await caller.call("PATCH", pathOf(made), { body: { title: "later" } });
  await caller.call("POST", `${pathOf(made)}/archive`);
  const rest = await readPage(caller, path, { cursor: nextCursor ?? "" });
  assertEquals(rest.items.map((item) => item.revision), [2, 1]);
});

Deno.test("GET executions pages without gaps or repetitions, whatever the limit", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const other = await caller.create("commitment", COMMITMENT);
  const ids = await addExecutions(world(), made, 6);
  await addExecutions(world(), other, 2);
  for (const limit of [1, 2, 5, 6, 7]) {
    const pages = await walkPages(caller, `${pathOf(made)}/executions`, { limit: String(limit) });
    assertEquals(pages.flat().map((item) => item.executionId), ids, `limit ${limit}`);
    assertEquals(pages.length, Math.ceil(6 / limit), `limit ${limit}`);
  }
  const [newest] = (await readPage(caller, `${pathOf(made)}/executions`)).items;
  assertEquals(newest, {
    executionId: ids[0],
    recordId: made.recordId,
    featureId: "CMT-001",
    strategy: "record",
    revision: 1,
    status: "SUCCEEDED",
    output: { id: ids[0] },
    createdAt: "2026-11-20T12:00:00.000Z",
  });
});

Deno.test("GET executions of a record without any is an empty page", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const page = await readPage(caller, `${pathOf(made)}/executions`);
  assertEquals(page, { items: [], nextCursor: null });
});

Deno.test("GET history rejects a cursor that is not one of this record's", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const made = await recordOf(caller, 2);
  const other = await caller.create("commitment", COMMITMENT);
  const foreign = await stranger.create("commitment", COMMITMENT);
  const revisionOf = async (owner: Caller, record: JsonRecord) =>
    (await readPage(owner, `${pathOf(record)}/revisions`)).items[0].revisionId;
  const [execution] = await addExecutions(world(), made, 1);
  const [otherExecution] = await addExecutions(world(), other, 1);
  const own = await revisionOf(caller, made);
  const wrong = [ulid(), made.recordId, await revisionOf(caller, other)];
  const cursors = {
    revisions: [...wrong, await revisionOf(stranger, foreign), execution],
    executions: [...wrong, own, otherExecution],
  };
  for (const [list, values] of Object.entries(cursors)) {
    for (const cursor of values) {
      const response = await caller.call("GET", `${pathOf(made)}/${list}?cursor=${cursor}`);
      assertInvalid(response, ["cursor.unknown"], ["cursor"], `${list} ${cursor}`);
    }
  }
});

Deno.test("GET history answers 404 before it checks a cursor", async () => {
  const caller = await world().createCaller();
  for (const list of ["revisions", "executions"]) {
    const path = `${COMMITMENTS}/${ulid()}/${list}?cursor=${ulid()}`;
    assertFailure(await caller.call("GET", path), "RECORD_NOT_FOUND");
  }
});

Deno.test("GET history rejects invalid limits and cursors", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("health", HEALTH);
  for (const list of ["revisions", "executions"]) {
    const path = `${pathOf(made)}/${list}`;
    const refused = [
      ["limit=0", "field.range", "limit"],
      ["limit=101", "field.range", "limit"],
      ["limit=-1", "field.type", "limit"],
      ["limit=1.5", "field.type", "limit"],
      ["limit=", "field.type", "limit"],
      ["cursor=", "field.identifier", "cursor"],
      [`cursor=${ulid().toLowerCase()}`, "field.identifier", "cursor"],
      [`cursor=8${ulid().slice(1)}`, "field.identifier", "cursor"],
    ] as const;
    for (const [query, rule, field] of refused) {
      assertInvalid(await caller.call("GET", `${path}?${query}`), [rule], [field], query);
    }
    for (const query of ["sort=createdAt", "archived=only", "filter[unit]=kg", "revision=1"]) {
      assertInvalid(await caller.call("GET", `${path}?${query}`), ["undeclared_field"], [
        query.split("=")[0] ?? "",
      ]);
    }
    assertInvalid(await caller.call("GET", `${path}?limit=1&limit=1`), ["query.repeated"], [
      "limit",
    ]);
  }
});
