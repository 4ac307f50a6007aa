/** The member `attachmentIds` of records. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { post, read } from "../families/memory/api.ts";
import { uploaded } from "../support/attachments.ts";
import { sharedWorld } from "../support/world.ts";
import { pictures, unusedIds } from "./attachment_ids.ts";
import { follow } from "./changes.ts";
import { assertInvalid } from "./kernel.ts";

const world = sharedWorld();
const RECORDS = "/api/v2/records/capture";
const [A = "", B = ""] = unusedIds(2);

Deno.test("Every answer with a record as it is has them, and no other answer", async () => {
  const caller = await world().createCaller();
  const file = await uploaded(caller, "picture");
  const payload = {
    contentType: "TEXT",
    originalContent: pictures(B, A),
    targetModule: "knowledge",
    capturedAt: world().now().toISOString(),
    attachmentIds: [file],
    routeStatus: "INBOX",
  };
  const made = await caller.create("capture", payload);
  assertEquals(made.attachmentIds, [file, B, A]);
  const stated = { title: "A", payload, attachmentIds: [A] };
  assertInvalid(await post(caller, RECORDS, stated), ["undeclared_field"]);
  const path = `${RECORDS}/${made.recordId}`;
  const body = { payload: { originalContent: pictures(A, B) }, expectedRevision: 1 };
  const key = ulid();
  const changed = (await caller.call("PATCH", path, { key, body })).body.data;
  assertEquals(changed.attachmentIds, [file, A, B]);
  for (const end of ["archive", "restore"]) {
    const { body } = await caller.call("POST", `${path}/${end}`, { key: ulid() });
    assertEquals(body.data.attachmentIds, [file, A, B]);
  }
  assertEquals((await read(caller, path)).attachmentIds, [file, A, B]);
  const [listed] = (await read(caller, RECORDS)).items;
  assertEquals(listed, await read(caller, path));
  const { body: { data: replayed } } = await caller.call("PATCH", path, { key, body });
  assertEquals(replayed, changed);
  const search = { body: { q: "attachment" } };
  const found = (await caller.call("POST", "/api/v2/search", search)).body.data.items;
  const others = [
    ...found,
    await read(caller, `${path}?revision=4`),
    ...(await read(caller, `${path}/revisions`)).items,
    ...(await follow(caller, 4)).items,
  ];
  assertEquals(others.length, 10);
  for (const other of others) assertEquals(Object.hasOwn(other, "attachmentIds"), false);
});
