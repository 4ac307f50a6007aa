import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sharedWorld } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  atRevision,
  COMMITMENT,
  COMMITMENTS,
  HEALTH,
  pathOf,
} from "./kernel.ts";

const world = sharedWorld();

Deno.test("GET record returns the current record", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const patched = await caller.call("PATCH", pathOf(made), { body: { title: "New" } });
  const response = await caller.call("GET", pathOf(made));
  assertEquals(response.status, 200);
  assertEquals(response.body.data, patched.body.data);
  assertEquals(response.body.data.revision, 2);
});

Deno.test("GET record reads every revision back exactly", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const answers = [
    made,
    (await caller.call("PATCH", pathOf(made), {
      body: { summary: "Later", payload: { notes: "x" } },
    })).body.data,
    (await caller.call("POST", `${pathOf(made)}/archive`)).body.data,
    (await caller.call("POST", `${pathOf(made)}/restore`)).body.data,
  ];
  for (const [index, state] of answers.entries()) {
    const response = await caller.call("GET", `${pathOf(made)}?revision=${index + 1}`);
    assertEquals(response.body.data, atRevision(state));
    assertEquals(response.headers.get("ETag"), `"${index + 1}"`);
  }
});

Deno.test("GET record answers 404 for a missing revision", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  for (const revision of [2, 2147483647]) {
    assertFailure(
      await caller.call("GET", `${pathOf(made)}?revision=${revision}`),
      "RECORD_NOT_FOUND",
    );
  }
});

Deno.test("GET record rejects a revision that is not a positive whole number", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  for (const text of ["", "1.0", "01", "+1", "-1", "1e0", " 1", "one", "99999999999"]) {
    const response = await caller.call(
      "GET",
      `${pathOf(made)}?revision=${encodeURIComponent(text)}`,
    );
    assertInvalid(response, ["field.type"], ["revision"], text);
  }
  for (const number of ["0", "2147483648"]) {
    const response = await caller.call("GET", `${pathOf(made)}?revision=${number}`);
    assertInvalid(response, ["field.range"], ["revision"], number);
  }
});

Deno.test("GET record answers 304 for the current entity tag", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  for (const tags of ['"1"', 'W/"1"', '"7", "1"', "*"]) {
    const response = await caller.call("GET", pathOf(made), { headers: { "If-None-Match": tags } });
    assertEquals([response.status, response.text], [304, ""], tags);
    assertEquals(response.headers.get("ETag"), '"1"');
    assertEquals(response.headers.get("Cache-Control"), "no-store");
  }
  for (const tags of ['"2"', '"11"', "1", ""]) {
    const response = await caller.call("GET", pathOf(made), { headers: { "If-None-Match": tags } });
    assertEquals([response.status, response.headers.get("ETag")], [200, '"1"'], tags);
  }
});

Deno.test("GET record answers 200 to an old entity tag after a change", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  await caller.call("POST", `${pathOf(made)}/archive`);
  const headers = { "If-None-Match": '"1"' };
  assertEquals((await caller.call("GET", pathOf(made), { headers })).status, 200);
  assertEquals((await caller.call("GET", `${pathOf(made)}?revision=1`, { headers })).status, 304);
});

Deno.test("HEAD record answers as GET does, with the body's length", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const sent = { headers: { "X-Request-Id": "the-same-request" } };
  for (const path of [pathOf(made), COMMITMENTS, `${pathOf(made)}/revisions`, `${pathOf(made)}x`]) {
    const get = await caller.call("GET", path, sent);
    const head = await caller.call("HEAD", path, sent);
    assertEquals([head.status, head.text], [get.status, ""], path);
    const length = String(new TextEncoder().encode(get.text).length);
    const headers = new Headers([...get.headers, ["Content-Length", length]]);
    assertEquals([...head.headers], [...headers], path);
  }
});

Deno.test("GET record answers 404 for other owners' records", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const made = await caller.create("commitment", COMMITMENT);
  const headers = { "X-Request-Id": "one-request-id" };
  for (const suffix of ["", "?revision=1", "/revisions", "/executions"]) {
    const foreign = await stranger.call("GET", `${pathOf(made)}${suffix}`, { headers });
    const absent = await stranger.call("GET", `${COMMITMENTS}/${ulid()}${suffix}`, { headers });
    assertFailure(foreign, "RECORD_NOT_FOUND");
    assertEquals(foreign.text, absent.text);
    assertEquals([...foreign.headers], [...absent.headers]);
  }
});

Deno.test("PATCH, archive and restore do not change another owner's record", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const made = await caller.create("commitment", COMMITMENT);
  const headers = { "X-Request-Id": "one-request-id" };
  const body = { expectedRevision: 7 };
  for (const [method, suffix] of [["PATCH", ""], ["POST", "/archive"], ["POST", "/restore"]]) {
    const options = { headers, body: method === "PATCH" ? { ...body, title: "Mine" } : body };
    const foreign = await stranger.call(method ?? "", `${pathOf(made)}${suffix}`, options);
    const absent = await stranger.call(method ?? "", `${COMMITMENTS}/${ulid()}${suffix}`, options);
    assertFailure(foreign, "RECORD_NOT_FOUND");
    assertEquals(foreign.text, absent.text);
  }
  assertEquals((await caller.call("GET", pathOf(made))).body.data, made);
});

Deno.test("GET record answers 404 for a record of another module", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("health", HEALTH);
  const path = `${COMMITMENTS}/${made.recordId}`;
  for (const suffix of ["", "?revision=1", "/revisions", "/executions"]) {
    assertFailure(await caller.call("GET", `${path}${suffix}`), "RECORD_NOT_FOUND");
  }
  assertFailure(await caller.call("PATCH", path, { body: { title: "B" } }), "RECORD_NOT_FOUND");
  for (const move of ["archive", "restore"]) {
    assertFailure(await caller.call("POST", `${path}/${move}`), "RECORD_NOT_FOUND");
  }
  assertEquals((await caller.call("GET", pathOf(made))).body.data, made);
});

Deno.test("GET record answers 500 for a stored record whose module has drifted", async () => {
  const caller = await world().createCaller();
  const recordId = ulid();
  const columns = `'${caller.accountId}', '${recordId}', 'bygone', 1, '${ulid()}'`;
  await world().raw(`
    insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                         recorded_at, created_at, updated_at, title, summary, payload)
      values (${columns}, 'SYSTEM', now(), now(), now(), 'Old', '', '{}');
    insert into record_revisions (owner_id, record_id, module_code, revision, revision_id, change,
                                  title, summary, payload, created_at)
      select owner_id, record_id, module_code, revision, revision_id, 'CREATED', title, summary,
             payload, updated_at from records where record_id = '${recordId}'`);
  const path = `${COMMITMENTS}/${recordId}`;
  for (const suffix of ["", "?revision=1", "/revisions", "/executions"]) {
    assertFailure(await caller.call("GET", `${path}${suffix}`), "INTERNAL_ERROR");
  }
  assertFailure(await caller.call("PATCH", path, { body: { title: "B" } }), "INTERNAL_ERROR");
  assertFailure(await caller.call("POST", `${path}/archive`), "INTERNAL_ERROR");
  const bygone = await caller.call("GET", `/api/v2/records/bygone/${recordId}`);
  assertFailure(bygone, "RECORD_MODULE_NOT_FOUND");
});

Deno.test("GET record accepts only canonical identifiers", async () => {
  const caller = await world().createCaller();
  const made = await caller.create("commitment", COMMITMENT);
  const { recordId } = made;
  const wrong = [
    recordId.toLowerCase(),
    recordId.slice(1),
    `${recordId}0`,
    `8${recordId.slice(1)}`,
    `${recordId.slice(0, 25)}U`,
    "%30" + recordId.slice(1),
    "null",
  ];
  for (const id of wrong) {
    for (const suffix of ["", "/revisions", "/executions"]) {
      const response = await caller.call("GET", `${COMMITMENTS}/${id}${suffix}`);
      assertInvalid(response, ["record_id.format"], [], id);
    }
    const patch = await caller.call("PATCH", `${COMMITMENTS}/${id}`, { body: { title: "B" } });
    assertInvalid(patch, ["record_id.format"]);
  }
});
