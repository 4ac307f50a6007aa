// engines: postgres
/** The family kit's promises, for a family that exists only here. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { App } from "../../../src/app.ts";
import {
  type Caller,
  callerOf,
  fileWorld,
  type Json,
  type TestResponse,
} from "../../support/world.ts";
import { countStatements } from "../../storage/sent_statements.ts";
import { MAX_BEDS } from "./bed.ts";
import { GARDEN_TABLES, gardenApp } from "./garden_app.ts";
import { assertFailure, assertInvalid } from "../../http/kernel.ts";

const world = fileWorld();

const GARDENS = "/api/v2/gardens";
const BED = { crop: "Beans", plants: 3 };

let app: Promise<Pick<App, "fetch">> | undefined;

async function open(): Promise<Pick<App, "fetch">> {
  await world().raw(GARDEN_TABLES);
  return await gardenApp(world());
}

async function gardener(): Promise<Caller> {
  return callerOf(await (app ??= open()), await world().createCaller());
}

async function make(caller: Caller, path: string, body: Json): Promise<Json> {
  const answer = await caller.call("POST", path, { key: ulid(), body });
  assertEquals(answer.status, 201, answer.text);
  return answer.body.data;
}

async function gardenWithBed(caller: Caller) {
  const { gardenId } = await make(caller, GARDENS, { name: "A garden" });
  const { bedId } = await make(caller, `${GARDENS}/${gardenId}/beds`, BED);
  const garden = `${GARDENS}/${gardenId}`;
  return { gardenId, bedId, garden, bed: `${garden}/beds/${bedId}` };
}

async function read(caller: Caller, path: string): Promise<Json> {
  const answer = await caller.call("GET", path);
  assertEquals(answer.status, 200, answer.text);
  return answer.body.data;
}

async function replant(caller: Caller, bed: string, expectedRevision: number, patch: Json) {
  return await caller.call("PATCH", bed, { body: { expectedRevision, ...patch } });
}

Deno.test("A root below another one is found only under its own parent", async () => {
  const caller = await gardener();
  const { gardenId, bedId, garden, bed } = await gardenWithBed(caller);
  const time = world().now().toISOString();
  const times = { createdAt: time, updatedAt: time };
  assertEquals(await read(caller, bed), { gardenId, bedId, ...BED, revision: 1, ...times });
  const made = await caller.call("POST", `${garden}/beds`, { body: BED });
  const { bedId: second } = made.body.data;
  assertEquals(made.headers.get("Location"), `${garden}/beds/${second}`);

  const other = await gardenWithBed(caller);
  const astray = `${other.garden}/beds/${bedId}`;
  const wrong: [string, string, Json?][] = [
    ["GET", astray],
    ["GET", `${astray}?revision=1`],
    ["PATCH", astray, { expectedRevision: 1, plants: 4 }],
    ["GET", `${astray}/revisions`],
    ["POST", `${astray}/waterings`, { litres: 1 }],
    ["GET", `${astray}/waterings`],
    ["POST", `${GARDENS}/${ulid()}/beds`, BED],
  ];
  for (const [method, path, body] of wrong) {
    assertFailure(await caller.call(method, path, { body }), "RECORD_NOT_FOUND", path);
  }
  assertInvalid(await caller.call("GET", `${garden}/beds/x`), ["bed_id.format"]);
});

Deno.test("No route finds another owner's objects", async () => {
  const [owner, stranger] = [await gardener(), await gardener()];
  const { garden, bed } = await gardenWithBed(owner);
  const { wateringId } = await make(owner, `${bed}/waterings`, { litres: 2 });
  const foreign: [string, string, Json?][] = [
    ["GET", garden],
    ["PATCH", garden, { name: "Mine" }],
    ["POST", `${garden}/archive`],
    ["POST", `${garden}/restore`],
    ["POST", `${garden}/beds`, BED],
    ["GET", bed],
    ["GET", `${bed}?revision=1`],
    ["PATCH", bed, { expectedRevision: 1, plants: 4 }],
    ["GET", `${bed}/revisions`],
    ["POST", `${bed}/waterings`, { litres: 1 }],
    ["GET", `${bed}/waterings`],
    ["GET", `${bed}/waterings/${wateringId}`],
  ];
  for (const [method, path, body] of foreign) {
    assertFailure(await stranger.call(method, path, { body }), "RECORD_NOT_FOUND", path);
  }
  assertEquals((await read(owner, bed)).revision, 1);
});

Deno.test("Each revision of a root reads back with its own entity tag", async () => {
  const caller = await gardener();
  const { bed } = await gardenWithBed(caller);
  const states = [await read(caller, bed)];
  for (const plants of [4, 5]) {
    states.push((await replant(caller, bed, states.length, { plants })).body.data);
  }
  const tags = [];
  for (const [index, state] of states.entries()) {
    const answer = await caller.call("GET", `${bed}?revision=${index + 1}`);
    assertEquals(answer.body.data, state);
    tags.push(answer.headers.get("ETag") ?? "");
  }
  assertEquals(tags, [`"1"`, `"2"`, `"3"`]);
  const known = await caller.call("GET", bed, { headers: { "If-None-Match": `W/"9", "3"` } });
  assertEquals([known.status, known.text, known.headers.get("ETag")], [304, "", `"3"`]);
  const stale = await caller.call("GET", bed, { headers: { "If-None-Match": `"2"` } });
  assertEquals(stale.body.data, states[2]);
  assertFailure(await caller.call("GET", `${bed}?revision=4`), "RECORD_NOT_FOUND");
  assertInvalid(await caller.call("GET", `${bed}?revision=0`), ["field.range"], ["revision"]);
});

Deno.test("Revisions are listed newest first, in pages, each with its change", async () => {
  const caller = await gardener();
  const { bed } = await gardenWithBed(caller);
  for (const revision of [1, 2, 3]) await replant(caller, bed, revision, { plants: 3 + revision });
  const first = await read(caller, `${bed}/revisions?limit=3`);
  const rest = await read(caller, `${bed}/revisions?limit=3&cursor=${first.nextCursor}`);
  const items = [...first.items, ...rest.items];
  assertEquals(items.map((item) => item.revision), [4, 3, 2, 1]);
  assertEquals(items.map((item) => item.change), [...Array(3).fill("REPLANTED"), "CREATED"]);
  assertEquals([first.nextCursor, rest.nextCursor], [items[2].revisionId, null]);
  const other = await gardenWithBed(caller);
  const path = `${other.bed}/revisions?cursor=${first.nextCursor}`;
  assertInvalid(await caller.call("GET", path), ["cursor.unknown"], ["cursor"]);
});

Deno.test("Entries are appended to a root, listed and read back", async () => {
  const caller = await gardener();
  const { bedId, bed } = await gardenWithBed(caller);
  const path = `${bed}/waterings`;
  const made: Json[] = [];
  for (const litres of [1, 2, 3]) {
    made.unshift(await make(caller, path, { litres }));
    world().advance(1);
  }
  await replant(caller, bed, 1, { plants: 9 });
  made.unshift(await make(caller, path, { litres: 4 }));
  assertEquals(made.map((entry) => entry.bedRevision), [2, 1, 1, 1]);
  const first = await read(caller, `${path}?limit=2`);
  const rest = await read(caller, `${path}?limit=2&cursor=${first.nextCursor}`);
  assertEquals([...first.items, ...rest.items, rest.nextCursor], [...made, null]);
  const [{ wateringId }] = made;
  const createdAt = world().now().toISOString();
  const expected = { wateringId, bedId, bedRevision: 2, litres: 4, createdAt };
  assertEquals(await read(caller, `${path}/${wateringId}`), expected);
  assertFailure(await caller.call("GET", `${path}/${ulid()}`), "RECORD_NOT_FOUND");
  const other = await gardenWithBed(caller);
  const astray = `${other.bed}/waterings/${wateringId}`;
  assertFailure(await caller.call("GET", astray), "RECORD_NOT_FOUND");
});

Deno.test("A replayed write returns its first response", async () => {
  const caller = await gardener();
  const { garden, bed } = await gardenWithBed(caller);
  const writes: [string, string, Json, Json][] = [
    ["POST", GARDENS, { name: "Another" }, { name: "B" }],
    ["POST", `${garden}/beds`, BED, { ...BED, plants: 8 }],
    ["PATCH", bed, { expectedRevision: 1, plants: 4 }, { expectedRevision: 2, plants: 4 }],
    ["POST", `${bed}/waterings`, { litres: 1 }, { litres: 2 }],
    ["POST", `${garden}/archive`, {}, { expectedRevision: 2 }],
    ["POST", "/api/v2/almanac", { motto: "Sow late", year: 2026 }, {
      motto: "Sow early",
      year: 2026,
    }],
  ];
  const key = ulid();
  const send = ([method, path, body]: readonly [string, string, Json, Json]) =>
    caller.call(method, path, { key, body });
  const first: TestResponse[] = [];
  for (const write of writes) first.push(await send(write));
  await caller.call("PATCH", garden, { body: { name: "Renamed" } });
  await replant(caller, bed, 2, { crop: "Peas" });
  for (const [index, write] of writes.entries()) {
    const [before, repeated] = [first[index], await send(write)];
    assertEquals([repeated.status, repeated.body.data], [before?.status, before?.body.data]);
    assertEquals(repeated.headers.get("Location"), before?.headers.get("Location"));
    assertEquals(before?.headers.get("Idempotency-Replayed"), null);
    assertEquals(repeated.headers.get("Idempotency-Replayed"), "true");
    const [method, path, , other] = write;
    const reused = await caller.call(method, path, { key, body: other });
    assertFailure(reused, "IDEMPOTENCY_KEY_REUSED", path);
  }
  assertEquals((await read(caller, bed)).revision, 3);
});

Deno.test("Archive and restore are idempotent", async () => {
  const caller = await gardener();
  const { garden } = await gardenWithBed(caller);
  const move = async (kind: string, body?: Json) =>
    (await caller.call("POST", `${garden}/${kind}`, { body })).body;
  const { data: untouched } = await move("restore");
  assertEquals([untouched.revision, untouched.archivedAt], [1, null]);
  const { data: archived } = await move("archive", { expectedRevision: 1 });
  assertEquals([archived.revision, archived.archivedAt], [2, world().now().toISOString()]);
  assertEquals((await move("archive")).data, archived);
  assertFailure(
    await caller.call("POST", `${garden}/beds`, { body: BED }),
    "MEMORY_STATE_CONFLICT",
  );
  const { data: restored } = await move("restore");
  assertEquals([restored.revision, restored.archivedAt], [3, null]);
  const { error } = await move("archive", { expectedRevision: 2 });
  assertEquals(error.details, { expectedRevision: 2, currentRevision: 3 });
});

Deno.test("A change without effect writes neither a revision nor an audit entry", async () => {
  const caller = await gardener();
  const { bedId, bed } = await gardenWithBed(caller);
  const answer = await replant(caller, bed, 1, { ...BED });
  assertEquals([answer.status, answer.body.data.revision], [200, 1]);
  const audited = await world().rows(
    `select operation, module_code, revision from audit_entries where subject_id = '${bedId}'`,
  );
  assertEquals(audited, [{ operation: "bed.create", module_code: "garden", revision: 1 }]);
});

Deno.test("An owner's only root needs no identifier", async () => {
  const [caller, other] = [await gardener(), await gardener()];
  const path = "/api/v2/almanac";
  assertFailure(await caller.call("GET", path), "RECORD_NOT_FOUND");
  const made = await caller.call("POST", path, { body: { motto: "Sow late", year: 2026 } });
  assertEquals([made.status, made.headers.get("Location")], [201, path]);
  await make(other, path, { motto: "Sow early", year: 2026 });
  const second = await caller.call("POST", path, {
    key: ulid(),
    body: { motto: "Sow twice", year: 2026 },
  });
  assertFailure(second, "MEMORY_STATE_CONFLICT");
  assertEquals(await read(caller, `${path}?revision=1`), made.body.data);
});

Deno.test("A decision that reads other rows holds under concurrent writes", async () => {
  const caller = await gardener();
  const elsewhere = callerOf(await gardenApp(world()), caller);
  for (let round = 0; round < 3; round++) {
    const { garden } = await gardenWithBed(caller);
    const answers = await Promise.all(
      Array.from(
        { length: 6 },
        (_, index) =>
          (index % 2 === 0 ? caller : elsewhere).call("POST", `${garden}/beds`, { body: BED }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    assertEquals(made.length, MAX_BEDS - 1);
  }
});

Deno.test("A change of a root is one reading and one writing statement", async () => {
  const caller = await gardener();
  const { garden, bed } = await gardenWithBed(caller);
  const counting = countStatements(world().database);
  const counted = callerOf(await gardenApp(world(), counting.database), caller);
  // Caches the caller.
  await read(counted, bed);
  const changes: [string, string, Json][] = [
    ["PATCH", bed, { expectedRevision: 1, plants: 8 }],
    ["PATCH", garden, { name: "Renamed" }],
    ["POST", `${garden}/archive`, {}],
    ["POST", `${bed}/waterings`, { litres: 1 }],
  ];
  for (const [method, path, body] of changes) {
    const { reads, writes, transactions } = counting.sent;
    const answer = await counted.call(method, path, { key: ulid(), body });
    assert(answer.status < 300, answer.text);
    const { sent } = counting;
    assertEquals([sent.writes - writes, sent.transactions - transactions], [1, 0], path);
    // The root's. The writing statement's claim verifies the session.
    assertEquals(sent.reads - reads, 1, path);
  }
});

Deno.test("Of concurrent changes that expect one revision, one wins", async () => {
  const caller = await gardener();
  const elsewhere = callerOf(await gardenApp(world()), caller);
  for (let round = 0; round < 5; round++) {
    const { gardenId, garden, bed } = await gardenWithBed(caller);
    const answers = await Promise.all(
      [4, 5, 6, 7].map((plants) =>
        replant(plants % 2 === 0 ? caller : elsewhere, bed, 1, { plants })
      ),
    );
    assertEquals(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    assertEquals((await read(caller, `${bed}/revisions`)).items.length, 2);

    // Changes without an expected revision all succeed in sequence.
    const names = ["B", "C", "D"];
    const renamed = await Promise.all(
      names.map((name) =>
        (name === "B" ? caller : elsewhere).call("PATCH", garden, { body: { name } })
      ),
    );
    assertEquals(renamed.map(({ body }) => body.data.revision).sort(), [2, 3, 4]);
    const revisions = await world().rows(`
      select revision from garden_revisions where garden_id = '${gardenId}' order by revision`);
    assertEquals(revisions.map(({ revision }) => revision), [1, 2, 3, 4]);
  }
});
