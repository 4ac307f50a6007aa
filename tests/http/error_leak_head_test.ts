/**
 * Request headers are not sent back or logged. The database stores only Idempotency-Key, and
 * X-Request-Id, which is echoed in header, body, log and audit.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonValue } from "../../src/core/json.ts";
import { Markers } from "../support/markers.ts";
import { type Caller, fileWorld, type TestResponse } from "../support/world.ts";
import { COMMITMENT, COMMITMENTS, pathOf } from "./kernel.ts";

const world = fileWorld();

function markedHeaders(markers: Markers): Record<string, string> {
  const marked = (name: string) => markers.make(name);
  return {
    Accept: `text/${marked("Accept")}`,
    "Accept-Language": marked("Accept-Language"),
    Cookie: `${marked("a cookie's name")}=${marked("a cookie's value")}`,
    Forwarded: `for=${marked("Forwarded")}`,
    "If-None-Match": `"${marked("If-None-Match")}"`,
    Origin: `https://${marked("Origin")}.example`,
    Range: `bytes=${marked("Range")}`,
    Referer: `https://records.example/${marked("Referer")}`,
    "Step-Up-Proof": `prs_x_${marked("Step-Up-Proof")}`,
    "User-Agent": marked("User-Agent"),
    "X-Forwarded-For": marked("X-Forwarded-For"),
    "X-Filename": `${marked("X-Filename")}%zz`,
    [`X-${marked("a header's name")}`]: marked("an unknown header"),
    // Invalid because of the space, so not echoed.
    "X-Request-Id": `${marked("X-Request-Id")} id`,
  };
}

async function assertLogTellsNothing(markers: Markers): Promise<void> {
  await markers.assertLedgersTellNothing(world());
}

Deno.test("Neither success nor failure reveals request headers", async () => {
  const owner = await world().createCaller();
  const record = await owner.create("commitment", COMMITMENT);
  const calls: [string, string, JsonValue?][] = [
    ["GET", COMMITMENTS],
    ["GET", pathOf(record)],
    ["HEAD", pathOf(record)],
    ["GET", "/api/v2/catalog"],
    ["GET", "/api/v2/auth/session"],
    ["PATCH", pathOf(record), { title: "Another title" }],
    ["PATCH", pathOf(record), { title: "" }],
    ["POST", COMMITMENTS, { title: "A title", payload: COMMITMENT }],
    ["POST", "/api/v2/attachments"],
    ["GET", "/nowhere"],
    ["DELETE", pathOf(record)],
  ];
  const markers = new Markers();
  for (const [method, path, body] of calls) {
    const headers = markedHeaders(markers);
    const options = { headers, ...(body !== undefined && { body }) };
    for (const caller of [owner, world()]) {
      const response = await caller.call(method, path, options);
      assertEquals(markers.inResponse(response), [], `${method} ${path}: ${response.text}`);
    }
  }
  await assertLogTellsNothing(markers);
  assertEquals(await markers.inDatabase(world()), {});
});

Deno.test("No response reveals a rejected credential", async () => {
  const markers = new Markers();
  const secret = () => `${markers.make("a credential")}${"A".repeat(43)}`.slice(0, 43);
  const credentials = (): Record<string, string>[] => [
    { Authorization: `Bearer prs_s_${secret()}` },
    { Authorization: `Bearer prs_p_${secret()}` },
    { Authorization: `Bearer ${markers.make("a credential")}` },
    { Authorization: `Basic ${btoa(`me:${markers.make("a credential")}`)}` },
    { Authorization: markers.make("a credential") },
    { Cookie: `__Host-prs_session=prs_s_${secret()}` },
    { Cookie: `__Host-prs_session=${markers.make("a credential")}` },
  ];
  for (const method of ["GET", "POST"]) {
    for (const headers of credentials()) {
      const response = await world().call(method, COMMITMENTS, { headers, key: ulid() });
      markers.assertTellsNothing(response, `${method} ${JSON.stringify(headers)}`);
      assertEquals(response.status, 401);
    }
  }
  await assertLogTellsNothing(markers);
  assertEquals(await markers.inDatabase(world()), {});
});

Deno.test("No response, log line or table reveals an accepted credential", async () => {
  const caller = await world().createCaller();
  const calls: [string, string][] = [
    ["GET", COMMITMENTS],
    ["GET", "/api/v2/auth/session"],
    ["POST", COMMITMENTS],
    ["GET", "/nowhere"],
    ["POST", "/api/v2/auth/logout"],
  ];
  for (const [method, path] of calls) {
    const response = await caller.call(method, path);
    assert(!told(response).includes(caller.secret), `${method} ${path}`);
  }
  assert(!JSON.stringify(world().log).includes(caller.secret));
  const rows = await world().rows("select row_to_json(s)::text as text from sessions s");
  assert(!JSON.stringify(rows).includes(caller.secret));
});

Deno.test("No response reveals parts of an address", async () => {
  const caller = await world().createCaller();
  const record = await caller.create("commitment", COMMITMENT);
  const markers = new Markers();
  const marker = () => markers.make("an address");
  const paths = [
    `/${marker()}`,
    `/api/v2/${marker()}`,
    `/api/v2/records/${marker()}`,
    `${COMMITMENTS}/${marker()}`,
    `${COMMITMENTS}/${marker()}/revisions`,
    `${pathOf(record)}/${marker()}`,
    `${COMMITMENTS}?${marker()}=${marker()}`,
    `${COMMITMENTS}?cursor=${marker()}`,
    `${COMMITMENTS}?limit=${marker()}`,
    `${COMMITMENTS}?filter[${marker()}]=1`,
    `${COMMITMENTS}?filter[dueAt]=${marker()}`,
    `${COMMITMENTS}?createdFrom=${marker()}`,
    `${pathOf(record)}?revision=${marker()}`,
    `${pathOf(record)}/revisions?cursor=${marker()}`,
    `/api/v2/attachments/${marker()}`,
    `/api/v2/attachments?cursor=${marker()}`,
    `/api/v2/attachments?ids=${marker()},${marker()}`,
    `/api/v2/attachments/${marker()}/content`,
    `/api/v2/attachments/${marker()}/thumbnail`,
  ];
  for (const path of paths) {
    for (const method of ["GET", "POST", "DELETE", marker()]) {
      const response = await caller.call(method, path);
      markers.assertTellsNothing(response, `${method} ${path}`);
    }
  }
  const found = await caller.call("GET", `${COMMITMENTS}?filter[counterparty]=${marker()}`);
  assertEquals([found.status, markers.inResponse(found)], [200, []]);
  await assertLogTellsNothing(markers);
});

Deno.test("An Idempotency-Key is stored in its column only", async () => {
  const caller = await world().createCaller();
  const markers = new Markers();
  const key = markers.make("a key");
  const post = (title: string, sent = key) =>
    caller.call("POST", COMMITMENTS, { key: sent, body: { title, payload: COMMITMENT } });
  const answers: TestResponse[] = [
    await post("A title"),
    await post("A title"),
    await post("Another title"),
    await post("A title", `${markers.make("a wrong key")} with a space`),
    await post("A title", markers.make("a wrong key").repeat(20)),
    await post("", markers.make("a refused body's key")),
  ];
  assertEquals(answers.map(({ status }) => status), [201, 201, 409, 400, 400, 400]);
  for (const response of answers) assertEquals(markers.inResponse(response), [], response.text);
  await assertLogTellsNothing(markers);
  const columns = await markers.inDatabase(world());
  assertEquals(columns, { "idempotency_envelopes.idempotency_key": ["a key"] });
});

Deno.test("A client's X-Request-Id is returned only in its header and meta", async () => {
  const caller = await world().createCaller();
  const markers = new Markers();
  const headers = { "X-Request-Id": markers.make("the request's id") };
  const response = await post(caller, headers, "A title");
  assertEquals(response.body.meta.requestId, headers["X-Request-Id"]);
  assertEquals(response.headers.get("X-Request-Id"), headers["X-Request-Id"]);
  const refused = await post(caller, headers, "");
  assertEquals(refused.body.error.requestId, headers["X-Request-Id"]);
  const columns = await markers.inDatabase(world());
  assertEquals(columns, { "audit_entries.request_id": ["the request's id"] });
});

function post(
  caller: Caller,
  headers: Record<string, string>,
  title: string,
): Promise<TestResponse> {
  const body = { title, payload: COMMITMENT };
  return caller.call("POST", COMMITMENTS, { key: ulid(), headers, body });
}

function told({ text, headers }: TestResponse): string {
  return text + JSON.stringify([...headers]);
}
