/** RES-001, RES-002, RES-004, RES-005: resources, revisions, generic reads. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { patch } from "../families/decision/api.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { done, post, read, withPermissions } from "../families/memory/api.ts";
import { keep, RESOURCE, resourcePath, RESOURCES } from "../families/resource/api.ts";

const world = sharedWorld();

const WHOLE: JsonObject = {
  resourceType: "FINANCE",
  name: "  Savings 🏦",
  amount: -12.345678901234567,
  unit: "",
  capacity: 1_000_000_000_000,
  available: -1_000_000_000_000,
  level: 0.1,
  notes: "=1+1\n\tNot\u0007 a formula.",
};

Deno.test("A resource reads back exactly, in the order of the contract", async () => {
  const caller = await world().createCaller();
  const response = await post(caller, RESOURCES, WHOLE);
  assertEquals(response.status, 201, response.text);
  const resource = response.body.data;
  assertEquals(response.headers.get("Location"), resourcePath(resource));
  const at = world().now().toISOString();
  const expected = {
    resourceId: resource.resourceId,
    ...WHOLE,
    revision: 1,
    createdAt: at,
    updatedAt: at,
    archivedAt: null,
  };
  assertEquals(resource, expected);
  assertEquals(Object.keys(resource), Object.keys(expected));
  assertEquals(await read(caller, resourcePath(resource)), resource);
});

Deno.test("Omitted fields of a resource read as null", async () => {
  const { amount, unit, capacity, available, level, notes } = await keep(
    await world().createCaller(),
  );
  assertEquals([amount, unit, capacity, available, level, notes], Array(6).fill(null));
});

Deno.test("An invalid resource is rejected with every wrong field, and writes nothing", async () => {
  const caller = await world().createCaller();
  const range = (...fields: string[]) => [["field.range"], fields] as const;
  await assertWritesNothing(world(), async () => {
    const beyond = 1_000_000_000_000.01;
    const cases: [Json, readonly string[], readonly string[]][] = [
      [{ resourceType: "MONEY" }, ["field.option"], ["resourceType"]],
      [{ resourceType: 1 }, ["field.type"], ["resourceType"]],
      [{ name: " \u3000" }, ["field.blank"], ["name"]],
      [{ name: "x".repeat(501) }, ["field.length"], ["name"]],
      [{ name: "A\nB" }, ["field.control_character"], ["name"]],
      [{ unit: "🚀".repeat(501) }, ["field.length"], ["unit"]],
      [{ unit: "a\tb" }, ["field.control_character"], ["unit"]],
      [{ notes: "x".repeat(100_001) }, ["field.length"], ["notes"]],
      [{ notes: null }, ["field.null"], ["notes"]],
      [{ amount: "1" }, ["field.type"], ["amount"]],
      [{ amount: beyond }, ...range("amount")],
      [{ amount: -beyond }, ...range("amount")],
      [{ capacity: beyond }, ...range("capacity")],
      [{ capacity: -5e-324 }, ...range("capacity")],
      [{ available: -beyond }, ...range("available")],
      [
        { available: beyond },
        ["field.range"],
        ["available"],
      ],
      [
        { available: 2, capacity: 1.999 },
        ["resource.available_not_above_capacity"],
        ["available", "capacity"],
      ],
      [{ title: "A" }, ["undeclared_field"], []],
      [{ archivedAt: null }, ["undeclared_field"], []],
    ];
    for (const [wrong, rules, fields] of cases) {
      const response = await post(caller, RESOURCES, { ...RESOURCE, ...wrong });
      assertInvalid(response, rules, fields, JSON.stringify(wrong).slice(0, 80));
    }
    for (const level of [-0.001, 100.001]) {
      assertInvalid(
        await post(caller, RESOURCES, { ...RESOURCE, level }),
        ["field.range", "resource.level_is_a_percentage"],
        ["level"],
      );
    }
    const empty = await post(caller, RESOURCES, {});
    assertInvalid(empty, ["field.required"], ["resourceType", "name"]);
  });
  const most = { name: "🚀".repeat(500), unit: "🚀".repeat(500), notes: "🚀".repeat(100_000) };
  const resource = await keep(caller, { ...most, level: 100, available: 7, capacity: 7 });
  assertEquals(await read(caller, resourcePath(resource)), resource);
});

Deno.test("A patch sets and removes fields; without effect it writes nothing", async () => {
  const caller = await world().createCaller();
  const resource = await keep(caller, { capacity: 10, available: 4, notes: "Water it." });
  const path = resourcePath(resource);
  world().advance(10);
  const response = await patch(caller, path, {
    expectedRevision: 1,
    set: { resourceType: "SPACE", available: 5 },
    remove: ["notes", "unit"],
  });
  assertEquals(response.body.data, {
    ...resource,
    resourceType: "SPACE",
    available: 5,
    notes: null,
    revision: 2,
    updatedAt: world().now().toISOString(),
  });
  const nothing: JsonObject[] = [
    { set: { available: 5, name: "The garden" } },
    { remove: ["notes", "level"] },
    { set: { capacity: 10 }, remove: ["amount"] },
  ];
  for (const body of nothing) {
    const ledgers = ["resource_revisions", "audit_entries", "record_revisions"];
    const before = await countOf(ledgers);
    const same = await patch(caller, path, { expectedRevision: 2, ...body });
    assertEquals([same.status, same.body.data], [200, response.body.data]);
    assertEquals(await countOf(ledgers), before);
  }
});

async function countOf(tables: readonly string[]): Promise<Json> {
  return await Promise.all(
    tables.map((table) => world().rows(`select count(*)::integer as rows from ${table}`)),
  );
}

Deno.test("A patch is rejected in the order of the contract, and writes nothing", async () => {
  const caller = await world().createCaller();
  const resource = await keep(caller, { capacity: 10, available: 4 });
  const path = resourcePath(resource);
  const unknown = `${RESOURCES}/${ulid()}`;
  await assertWritesNothing(world(), async () => {
    const first = { expectedRevision: 1 };
    const wrongItself: [JsonObject, string[], string[]][] = [
      [first, ["change.required"], []],
      [{ ...first, set: {}, remove: [] }, ["change.required"], []],
      [{ ...first, set: { level: 1 }, remove: ["level"] }, ["payload.set_and_removed"], ["level"]],
      [{ ...first, remove: ["name"] }, ["field.required"], ["name"]],
      [{ ...first, remove: ["resourceType"] }, ["field.required"], ["resourceType"]],
      [{ ...first, set: { capacity: -1 } }, ["field.range"], ["capacity"]],
      [{ ...first, set: { notes: null } }, ["field.null"], ["notes"]],
      [{ ...first, remove: ["title"] }, ["undeclared_field"], []],
      [{ set: { level: 1 } }, ["field.required"], ["expectedRevision"]],
    ];
    for (const [body, rules, fields] of wrongItself) {
      // Validation precedes a missing resource.
      for (const target of [path, unknown]) {
        assertInvalid(await patch(caller, target, body), rules, fields, JSON.stringify(body));
      }
    }
    const wrongWithStored = { set: { available: 11 } };
    const stale = { ...wrongWithStored, expectedRevision: 9 };
    assertFailure(await patch(caller, unknown, stale), "RECORD_NOT_FOUND");
    assertFailure(await patch(caller, path, stale), "REVISION_CONFLICT");
    const merged = await patch(caller, path, { ...wrongWithStored, ...first });
    const rule = "resource.available_not_above_capacity";
    assertInvalid(merged, [rule], ["available", "capacity"]);
  });
});

Deno.test("Archive and restore append a revision each; an archived resource can be changed", async () => {
  const caller = await world().createCaller();
  const path = resourcePath(await keep(caller));
  const archived = await done(caller, `${path}/archive`, { expectedRevision: 1 });
  assertEquals([archived.revision, archived.archivedAt], [2, archived.updatedAt]);
  assertEquals(await done(caller, `${path}/archive`, {}), archived);
  const changed = await patch(caller, path, { expectedRevision: 2, set: { level: 3 } });
  assertEquals(
    [changed.body.data.revision, changed.body.data.archivedAt],
    [3, archived.archivedAt],
  );
  const noBody = await caller.call("POST", `${path}/restore`, { key: ulid() });
  assertEquals([noBody.body.data.revision, noBody.body.data.archivedAt], [4, null]);
  const late = await post(caller, `${path}/archive`, { expectedRevision: 3 });
  assertFailure(late, "REVISION_CONFLICT");
});

Deno.test("Each revision reads back exactly, with its entity tag and in the list", async () => {
  const caller = await world().createCaller();
  const states = [await keep(caller, WHOLE)];
  const path = resourcePath(states[0]);
  for (const [index, amount] of [0.1, 0.2, 0.30000000000000004].entries()) {
    world().advance(5);
    const changed = await patch(caller, path, { expectedRevision: index + 1, set: { amount } });
    states.push(changed.body.data);
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
  const revisions = (await walkPages(caller, `${path}/revisions`, { limit: "4" })).flat();
  const changes = ["CREATED", "MODIFIED", "MODIFIED", "MODIFIED", "ARCHIVED", "RESTORED"];
  assertEquals(revisions.toReversed().map(({ change }) => change), changes);
  for (const [index, revision] of revisions.toReversed().entries()) {
    const { revisionId: _, change: __, ...state } = revision;
    assertEquals(state, states[index]);
  }
});

const TYPES = ["TIME", "ENERGY", "NETWORK"];

/** Three types, every fourth archived; newest first. */
async function keepMany(caller: Caller, count: number): Promise<Json[]> {
  const kept: Json[] = [];
  for (let index = 0; index < count; index++) {
    world().advance(1);
    const resource = await keep(caller, { resourceType: TYPES[index % 3] ?? "" });
    const isArchived = index % 4 === 0;
    if (isArchived) await done(caller, resourcePath(resource, "/archive"), {});
    kept.unshift({ ...resource, isArchived });
  }
  return kept;
}

Deno.test("The list shows live, archived or all resources, of one type or all", async () => {
  const caller = await world().createCaller();
  const kept = await keepMany(caller, 14);
  const chosen = {
    exclude: ({ isArchived }: Json) => !isArchived,
    only: ({ isArchived }: Json) => isArchived,
    include: () => true,
  };
  const idsOf = (resources: readonly Json[]) => resources.map(({ resourceId }) => resourceId);
  for (const [archived, isChosen] of Object.entries(chosen)) {
    const expected = kept.filter(isChosen);
    const all = await walkPages(caller, RESOURCES, { archived, limit: "2" });
    assertEquals(idsOf(all.flat()), idsOf(expected), archived);
    for (const resourceType of TYPES) {
      const ofType = expected.filter((resource) => resource.resourceType === resourceType);
      const pages = await walkPages(caller, RESOURCES, { archived, resourceType, limit: "2" });
      assertEquals(idsOf(pages.flat()), idsOf(ofType), `${archived} ${resourceType}`);
      assert(pages.slice(0, -1).every((page) => page.length === 2));
    }
  }
  assertEquals(
    idsOf((await walkPages(caller, RESOURCES)).flat()),
    idsOf(kept.filter(chosen.exclude)),
  );
  const none = await walkPages(caller, RESOURCES, { resourceType: "SKILL" });
  assertEquals(none, [[]]);
});

Deno.test("The list rejects unknown types and cursors", async () => {
  const [owner, other] = [await world().createCaller(), await world().createCaller()];
  const { resourceId } = await keep(owner);
  const unknownType = await owner.call("GET", `${RESOURCES}?resourceType=MONEY`);
  assertInvalid(unknownType, ["field.option"], ["resourceType"]);
  for (const caller of [owner, other]) {
    const cursor = caller === owner ? ulid() : resourceId;
    const response = await caller.call("GET", `${RESOURCES}?cursor=${cursor}&resourceType=TIME`);
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
  assertEquals((await read(other, RESOURCES)).items, []);
});

Deno.test("No route shows or finds another owner's resource", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const path = resourcePath(await keep(caller));
  await assertWritesNothing(world(), async () => {
    for (const end of ["", "?revision=1", "/revisions", "/snapshots", `/snapshots/${ulid()}`]) {
      assertFailure(await other.call("GET", path + end), "RECORD_NOT_FOUND", end);
    }
    const change = { expectedRevision: 1, set: { name: "Forged" } };
    assertFailure(await patch(other, path, change), "RECORD_NOT_FOUND");
    for (const move of ["/archive", "/restore"]) {
      assertFailure(await post(other, path + move, {}), "RECORD_NOT_FOUND");
    }
  });
});

Deno.test("A repeated write returns the first response, also after a change", async () => {
  const caller = await world().createCaller();
  const [key, patchKey, archiveKey] = [ulid(), ulid(), ulid()];
  const created = await caller.call("POST", RESOURCES, { key, body: RESOURCE });
  const path = resourcePath(created.body.data);
  const body = { expectedRevision: 1, set: { level: 1 } };
  const changed = await caller.call("PATCH", path, { key: patchKey, body });
  const archived = await caller.call("POST", `${path}/archive`, { key: archiveKey, body: {} });
  await assertWritesNothing(world(), async () => {
    const again = [
      [created, await caller.call("POST", RESOURCES, { key, body: RESOURCE })],
      [changed, await caller.call("PATCH", path, { key: patchKey, body })],
      [archived, await caller.call("POST", `${path}/archive`, { key: archiveKey, body: {} })],
    ] as const;
    for (const [first, second] of again) {
      assertEquals([second.status, second.body.data], [first.status, first.body.data]);
      assertEquals(second.headers.get("Idempotency-Replayed"), "true");
      assertEquals(second.headers.get("Location"), first.headers.get("Location"));
    }
    const other = { ...RESOURCE, name: "Another" };
    const reused = await caller.call("POST", RESOURCES, { key, body: other });
    assertFailure(reused, "IDEMPOTENCY_KEY_REUSED");
  });
});

Deno.test("Generic reads show a resource to readers of resources", async () => {
  const caller = await world().createCaller();
  const resource = await keep(caller, WHOLE);
  const record = `/api/v2/records/resource/${resource.resourceId}`;
  const shown = await read(caller, record);
  assertEquals(
    [shown.title, shown.summary, shown.revision, shown.archivedAt],
    [WHOLE.name, WHOLE.resourceType, 1, null],
  );
  assertEquals(shown.payload, WHOLE);
  const path = resourcePath(resource);
  await patch(caller, path, { expectedRevision: 1, set: { level: 2 }, remove: ["notes"] });
  await done(caller, `${path}/archive`, {});
  const { notes: _, ...rest } = WHOLE;
  const archived = await read(caller, record);
  assertEquals(archived.payload, { ...rest, level: 2 });
  assert(archived.archivedAt !== null);
  const { items } = await read(caller, `${record}/revisions`);
  assertEquals(items.map(({ change }: Json) => change), ["ARCHIVED", "MODIFIED", "CREATED"]);
  const reader = await withPermissions(world(), caller, "record.read");
  assertFailure(await reader.call("GET", record), "FORBIDDEN");

  const long = await keep(caller, { name: "𝒳y".repeat(250) });
  const { title } = await read(caller, `/api/v2/records/resource/${long.resourceId}`);
  assertEquals(title, "𝒳y".repeat(100));
});

Deno.test("Generic writes of a resource answer 501", async () => {
  const caller = await world().createCaller();
  const { resourceId } = await keep(caller);
  await assertWritesNothing(world(), async () => {
    const body = { title: "A", payload: RESOURCE };
    const records = "/api/v2/records/resource";
    const writes = [
      await post(caller, records, body),
      await patch(caller, `${records}/${resourceId}`, { title: "A" }),
      await post(caller, `${records}/${resourceId}/archive`, {}),
      await post(caller, `${records}/${resourceId}/restore`, {}),
    ];
    for (const response of writes) {
      assertFailure(response, "RESOURCE_DEDICATED_ENDPOINT_REQUIRED");
      assertEquals(response.status, 501);
    }
  });
});

Deno.test("Each write leaves an audit entry of the object written", async () => {
  const caller = await world().createCaller();
  const { resourceId } = await keep(caller);
  const path = resourcePath({ resourceId });
  await patch(caller, path, { expectedRevision: 1, set: { level: 1 } });
  await done(caller, `${path}/archive`, {});
  await done(caller, `${path}/restore`, {});
  const { items } = await read(caller, "/api/v2/audit");
  const entries: Json[] = items.map((
    { revision, operation, moduleCode, subjectId }: Json,
  ) => [revision, operation, moduleCode, subjectId]);
  const operations = ["create", "modify", "archive", "restore"];
  assertEquals(
    entries.sort(([one], [other]) => one - other),
    operations.map((operation, index) => [
      index + 1,
      `resource.${operation}`,
      "resource",
      resourceId,
    ]),
  );
});
