/** Deprecation and successor in every version 1 response. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { openPostgres } from "../../src/database/postgres.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { insertRecord, newRoot } from "../storage/rows.ts";
import {
  callerOf,
  createWorld,
  type Json,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";
import { COOKIE } from "./access.ts";
import { assertFailure, setMaintenance } from "./kernel.ts";
import { assertDeprecated, keepRecords, LEGACY_CODES, readsOf, rootOf } from "./legacy.ts";

const LISTED = "https://app.example";

const world = sharedWorld({ corsOrigins: [LISTED] });

Deno.test("Every version 1 response has its deprecation and its successor", async () => {
  const caller = await world().createCaller();
  for (const code of LEGACY_CODES) {
    const [record] = await keepRecords(world(), caller, code, 1);
    const id = record?.recordId ?? "";
    const powerless = await world().createCaller("SERVICE");
    const root = rootOf(code);
    const cookie = { Cookie: `${COOKIE}=${caller.secret}`, Origin: "https://evil.example" };
    const bygone = newRoot(caller.accountId, { module_code: "bygone" });
    await world().raw(insertRecord(bygone));
    const tag = { "If-None-Match": "*" };
    const answers: readonly (readonly [number, TestResponse])[] = [
      ...await Promise.all(
        readsOf(code, id).map(async (path) => [200, await caller.call("GET", path)] as const),
      ),
      [200, await caller.call("HEAD", root)],
      [304, await caller.call("GET", `${root}/${id}`, { headers: tag })],
      [400, await caller.call("GET", `${root}?unknown=1`)],
      [400, await caller.call("GET", `${root}/not-an-id`)],
      [401, await world().call("GET", root)],
      [401, await world().call("DELETE", `${root}/${id}`)],
      [403, await powerless.call("GET", `${root}/export`)],
      [403, await powerless.call("POST", root)],
      [403, await world().call("POST", root, { headers: cookie })],
      [404, await caller.call("GET", `${root}/${ulid()}`)],
      [410, await caller.call("PUT", `${root}/${id}`)],
      [500, await caller.call("GET", `${root}/${bygone.record_id}`)],
    ];
    for (const [status, response] of answers) {
      assertEquals(response.status, status, response.text);
      assertDeprecated(response, code, `${code} ${status}`);
    }
  }
});

Deno.test("Version 1 errors of maintenance, rate limit and database have the deprecation too", async () => {
  await using own = await createWorld({
    limits: { perCredential: 2, perAddress: 1, inFlight: 10_000 },
  });
  const caller = await own.createCaller();
  await setMaintenance(own, true);
  const paused = await caller.call("POST", rootOf("identity"));
  const details = assertFailure(paused, "SYSTEM_MAINTENANCE");
  assertEquals(details, { scope: "ORDINARY_WRITES", entryPoint: "legacy.identity.create" });
  assertDeprecated(paused, "identity", "maintenance");
  assertEquals((await caller.call("GET", rootOf("identity"))).status, 200);
  const many: [ErrorCode, TestResponse][] = [
    ["HTTP_429", await caller.call("GET", rootOf("resource"))],
    ["AUTH_REQUIRED", await own.call("GET", rootOf("resource"), { peer: "192.0.2.1" })],
    ["HTTP_429", await own.call("POST", rootOf("resource"), { peer: "192.0.2.1" })],
  ];
  // Nothing listens here.
  const database = openPostgres("postgres://prs@127.0.0.1:1/nothing", 2);
  const away = callerOf(own.again({ database }), caller);
  many.push(["HTTP_503", await away.call("GET", `${rootOf("resource")}/export`)]);
  await database.close();
  const none = callerOf(
    own.again({ limits: { perCredential: 0, perAddress: 0, inFlight: 0 } }),
    caller,
  );
  many.push(["HTTP_503", await none.call("DELETE", `${rootOf("resource")}/any`)]);
  for (const [code, response] of many) {
    assertFailure(response, code);
    assertDeprecated(response, "resource", code);
  }
});

Deno.test("Responses outside version 1's routes have no deprecation", async () => {
  const caller = await world().createCaller();
  const headers = { Origin: LISTED, "Access-Control-Request-Method": "GET" };
  const root = rootOf("identity");
  const answers: readonly (readonly [number, TestResponse])[] = [
    [405, await caller.call("PATCH", `${root}/${ulid()}`)],
    [405, await caller.call("PUT", root)],
    [405, await caller.call("POST", `${root}/export`)],
    [405, await caller.call("GET", `${root}/${ulid()}/archive`)],
    [404, await caller.call("GET", "/api/v1")],
    [404, await caller.call("GET", rootOf("memory"))],
    [404, await caller.call("GET", `${root}/${ulid()}/executions`)],
    [204, await world().call("OPTIONS", root, { headers })],
  ];
  for (const [status, response] of answers) {
    assertEquals(response.status, status, response.text);
    for (const name of ["Deprecation", "Link"]) assertEquals(response.headers.get(name), null);
  }
});

Deno.test("A page of a listed origin may read the deprecation headers", async () => {
  const caller = await world().createCaller();
  const headers = { Origin: LISTED };
  for (const [status, method] of [[200, "GET"], [410, "POST"]] as const) {
    const response = await caller.call(method, rootOf("identity"), { headers });
    assertEquals(response.status, status);
    assertDeprecated(response, "identity", method);
    const readable = response.headers.get("Access-Control-Expose-Headers")?.split(", ") ?? [];
    for (const name of ["Deprecation", "Link"]) assert(readable.includes(name), name);
  }
});

Deno.test("The document describes version 1 as deprecated, and nothing else", async () => {
  const { body } = await world().call("GET", "/api/v2/openapi.json");
  for (const [path, methods] of Object.entries<Json>(body.paths)) {
    for (const [method, operation] of Object.entries<Json>(methods)) {
      const isOld = path.startsWith("/api/v1/");
      const label = `${method} ${path}`;
      assertEquals([operation.deprecated ?? false, operation.tags[0] === "v1"], [isOld, isOld]);
      for (const [status, { headers }] of Object.entries<Json>(operation.responses)) {
        const names = Object.keys(headers);
        // Another host name never reaches the route.
        const tells = isOld && status !== "421";
        assertEquals(
          [names.includes("Deprecation"), names.includes("Link")],
          [tells, tells],
          label,
        );
      }
      const isWrite = isOld && method !== "get";
      if (isWrite) assert("410" in operation.responses, label);
      if (isWrite) {
        assertEquals([operation.requestBody, "415" in operation.responses], [undefined, false]);
      }
    }
  }
});
