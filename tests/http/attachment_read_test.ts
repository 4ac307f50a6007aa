import { assertEquals, assertNotEquals } from "@std/assert";
import { upload, uploaded } from "../support/attachments.ts";
import { seededRandom } from "../support/random.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";

const PATH = "/api/v2/attachments";

const world = sharedWorld();

async function uploadMany(caller: Caller, count: number): Promise<Json[]> {
  const made: Json[] = [];
  for (let index = 0; index < count; index++) {
    const response = await upload(caller, `file ${index}`);
    made.push(response.body.data);
    // For ascending identifiers.
    world().advance(1);
  }
  return made;
}

Deno.test("GET attachments pages through all of them, newest first", async () => {
  const caller = await world().createCaller();
  const made = (await uploadMany(caller, 7)).reverse();
  await uploadMany(await world().createCaller(), 2);
  const all = await caller.call("GET", PATH);
  assertEquals(all.body.data, { items: made, nextCursor: null });
  for (const limit of [1, 2, 3, 6, 7, 100]) {
    const items: Json[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? "" : `&cursor=${cursor}`;
      const page = await caller.call("GET", `${PATH}?limit=${limit}${after}`);
      assertEquals(page.status, 200, page.text);
      items.push(...page.body.data.items);
      cursor = page.body.data.nextCursor;
      assertEquals(cursor, items.length < 7 ? items.at(-1)?.attachmentId : null);
    } while (cursor !== null);
    assertEquals(items, made);
  }
});

Deno.test("GET attachments rejects an invalid page", async () => {
  const caller = await world().createCaller();
  const foreign = await uploaded(await world().createCaller(), "foreign");
  const wrong = [
    "limit=0",
    "limit=101",
    "limit=1.5",
    "limit=",
    "limit=1&limit=1",
    "page=2",
    "cursor=",
    `cursor=${foreign}`,
    `cursor=${foreign.toLowerCase()}`,
    "cursor=%00",
    "sort=createdAt",
  ];
  for (const query of wrong) {
    const response = await caller.call("GET", `${PATH}?${query}`);
    assertEquals([response.status, response.body.error.code], [400, "PAYLOAD_INVALID"], query);
  }
});

Deno.test("GET attachment answers alike for another owner's and a missing one", async () => {
  const caller = await world().createCaller();
  const other = await world().createCaller();
  const foreign = await uploaded(other, "theirs");
  const unknown = seededRandom(4).ulid();
  const requestId = { "X-Request-Id": "the-same-request" };
  for (const suffix of ["", "/content"]) {
    for (const method of ["GET", "HEAD"]) {
      const ask = (id: string, headers: Record<string, string> = {}) =>
        caller.call(method, `${PATH}/${id}${suffix}`, { headers: { ...requestId, ...headers } });
      const asked = await ask(foreign, { "If-None-Match": "*", Range: "bytes=0-0" });
      const absent = await ask(unknown);
      assertEquals(asked.status, 404);
      assertEquals([...asked.headers], [...absent.headers]);
      assertEquals(asked.text, absent.text);
      if (method === "GET") assertEquals(asked.body.error.code, "RECORD_NOT_FOUND");
    }
  }
  const list = await caller.call("GET", PATH);
  assertEquals(list.body.data.items, []);
});

Deno.test("GET attachment rejects invalid identifiers and any query", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, "mine");
  for (const suffix of ["", "/content"]) {
    for (const wrong of [id.toLowerCase(), id.slice(1), `8${id.slice(1)}`, "%00", "..%2f"]) {
      const response = await caller.call("GET", `${PATH}/${wrong}${suffix}`);
      assertEquals(response.body.error.details, { rules: ["attachment_id.format"] }, response.text);
    }
    const response = await caller.call("GET", `${PATH}/${id}${suffix}?download=1`);
    assertEquals(
      response.body.error.details,
      { fields: ["download"], rules: ["undeclared_field"] },
      response.text,
    );
  }
});

Deno.test("attachments cannot be changed or removed", async () => {
  const caller = await world().createCaller();
  const id = await uploaded(caller, "mine");
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    for (const [path, allow] of [[PATH, "GET, HEAD, POST"], [`${PATH}/${id}`, "GET, HEAD"]]) {
      const response = await caller.call(method, path ?? "");
      assertEquals([response.status, response.headers.get("Allow")], [405, allow ?? null]);
    }
  }
});

Deno.test("POST attachment gives equal content a new identifier each time", async () => {
  const caller = await world().createCaller();
  assertNotEquals(await uploaded(caller, "twice"), await uploaded(caller, "twice"));
});
