/**
 * Promises of every route, checked over the route table. New protected routes need an example of a successful
 * call.
 */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Permission, PERMISSION_IDS, PERMISSIONS } from "../../src/access/permissions.ts";
import type { ProtectedRoute, Route } from "../../src/http/route.ts";
import { assertIndexed } from "../storage/search_rows.ts";
import { makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, ORIGIN, sharedWorld } from "../support/world.ts";
import { COOKIE, PASSWORD } from "./access.ts";
import {
  assertPassed,
  callRoute,
  type Example,
  EXAMPLE_SERVICES,
  makeExample,
  permissionsFor,
  proofFor,
  PROOFS,
} from "./examples.ts";
import { assertFailure, COMMITMENT } from "./kernel.ts";
import { isClosed } from "./legacy.ts";

const world = sharedWorld(EXAMPLE_SERVICES);

async function tokenOf(caller: Caller, permissions: readonly Permission[]): Promise<Caller> {
  const { token } = await makeToken(world(), caller, { permissions: [...permissions] });
  return callerOf(world().app, { ...caller, secret: token });
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A separate example for routes with effects; otherwise a shared one. */
async function* examplesOf(routes: readonly ProtectedRoute[]): AsyncGenerator<ExampleCall> {
  const reader = await makeExample(world());
  const calls = new Map<Route, ExampleCall>();
  const harmless = routes.filter((route) => route.method === "GET" || isClosed(route));
  // First, because a test may remove permissions.
  for (const route of harmless) calls.set(route, await exampleOf(route, reader));
  for (const route of routes) {
    yield calls.get(route) ?? await exampleOf(route, await makeExample(world()));
  }
}

interface ExampleCall {
  readonly route: ProtectedRoute;
  readonly caller: Caller;
  readonly path: string;
  /** Required in body or query. */
  readonly parts: Awaited<ReturnType<Example["partsOf"]>>;
}

async function exampleOf(route: ProtectedRoute, example: Example): Promise<ExampleCall> {
  const { caller } = example;
  const path = await example.pathOf(route);
  return { route, caller, path, parts: await example.partsOf(route) };
}

function protectedRoutes(): readonly ProtectedRoute[] {
  return world().app.routes.filter((route) => route.access !== "public");
}

Deno.test("The Record Kernel has nine routes, none of which deletes", () => {
  const kernel = world().app.routes.filter((route) => route.path.startsWith("/api/v2/records"));
  assertEquals(kernel.map(({ method, path }) => `${method} ${path.slice(15)}`).sort(), [
    "GET /:moduleCode",
    "GET /:moduleCode/:recordId",
    "GET /:moduleCode/:recordId/executions",
    "GET /:moduleCode/:recordId/revisions",
    "PATCH /:moduleCode/:recordId",
    "POST /:moduleCode",
    "POST /:moduleCode/:recordId/archive",
    "POST /:moduleCode/:recordId/features/:featureId",
    "POST /:moduleCode/:recordId/restore",
  ]);
});

Deno.test("Every protected route answers 401 to an invalid credential", async () => {
  const example = await makeExample(world());
  const { secret } = example.caller;
  const wrong = [
    {},
    { Authorization: `Bearer ${secret.slice(0, -1)}` },
    { Authorization: `Bearer ${secret.slice(0, -1)}${secret.endsWith("A") ? "B" : "A"}` },
    { Authorization: `Basic ${secret}` },
    { Authorization: "Bearer" },
    { Cookie: "__Host-prs_session=nothing" },
  ];
  for (const route of protectedRoutes()) {
    const path = await example.pathOf(route);
    for (const headers of wrong) {
      const response = await callRoute(world(), route, path, { headers });
      assertFailure(response, "AUTH_REQUIRED", `${route.method} ${route.path}`);
    }
  }
});

/** No other permissions. */
async function grant({ accountId }: Caller, permissions: readonly Permission[]): Promise<void> {
  const list = ["null", ...permissions.map((name) => `'${PERMISSION_IDS[name]}'`)].join(", ");
  await world().raw(`
    update accounts set role = 'SERVICE' where account_id = '${accountId}';
    delete from account_permissions where account_id = '${accountId}';
    insert into account_permissions select '${accountId}', permission_id from permissions
     where permission_id in (${list})`);
}

/** Headers of requests from a foreign page. */
const FOREIGN: readonly Record<string, string>[] = [
  {},
  { Origin: "https://evil.example" },
  { Origin: "null" },
  { Origin: `${ORIGIN}.evil.example` },
  { "Sec-Fetch-Site": "same-site" },
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "none" },
];

async function assertForeignRefused(
  { route, path, parts }: ExampleCall,
  Cookie: string,
): Promise<void> {
  for (const headers of FOREIGN) {
    const sent = { ...parts, headers: { Cookie, ...headers } };
    const response = await callRoute(world(), route, path, sent);
    const label = `${route.method} ${route.path} ${JSON.stringify(headers)}`;
    assertFailure(response, "FORBIDDEN", label);
  }
}

Deno.test("Every route works with its own permission and no other, and an unsafe one with a cookie from its own page only", async () => {
  for await (const example of examplesOf(protectedRoutes())) {
    const { route, caller, path, parts } = example;
    const label = `${route.method} ${route.path}`;
    const Cookie = `${COOKIE}=${caller.secret}`;
    const isSafe = route.method === "GET";
    if (!isSafe) await assertForeignRefused(example, Cookie);
    const own = route.permission === null ? [] : permissionsFor(route);
    const needed = new Set(own.length === 0 ? [] : [...own, "platform.operate"] as const);
    for (const missing of needed) {
      await grant(caller, PERMISSIONS.filter((name) => name !== missing));
      const response = await callRoute(caller, route, path, parts);
      assertFailure(response, "FORBIDDEN", `${label} ${missing}`);
    }
    await grant(caller, [...needed]);
    const proof = await proofFor(world(), route, caller);
    const [by, headers] = isSafe
      ? [caller, proof]
      : [world(), { ...proof, Cookie, Origin: ORIGIN }];
    assertPassed(route, await callRoute(by, route, path, { ...parts, headers }), label);
  }
});

Deno.test("Every route works with a token with its permission, except session routes", async () => {
  for await (const { route, caller, path, parts } of examplesOf(protectedRoutes())) {
    const { permission, endpoint, method } = route;
    const label = `${route.method} ${route.path}`;
    const hasNoBody = method !== "GET" && endpoint.body === "none";
    if (hasNoBody) await assertBodyRefused({ route, caller, path, parts });
    const without = await tokenOf(
      caller,
      PERMISSIONS.filter((name) => name !== permission && name !== "platform.operate"),
    );
    const only = await tokenOf(caller, permissionsFor(route));
    const refused = await callRoute(without, route, path, parts);
    // An empty text is no body.
    const headers = { "Content-Type": "application/json" };
    const sent = hasNoBody ? { ...parts, headers, raw: "" } : parts;
    const response = await callRoute(only, route, path, sent);
    if (route.access === "session") {
      for (const each of [refused, response]) assertFailure(each, "FORBIDDEN", label);
      continue;
    }
    const needsOther = permission !== null && permission !== "platform.operate";
    if (needsOther) assertFailure(refused, "FORBIDDEN", label);
    else assertEquals(refused.status, 200, label);
    if (Object.hasOwn(PROOFS, route.operation)) assertFailure(response, "STEP_UP_REQUIRED", label);
    else assertPassed(route, response, label);
  }
});

async function assertBodyRefused({ route, caller, path }: ExampleCall): Promise<void> {
  const label = `${route.method} ${route.path}`;
  const headers = { "Content-Type": "application/json" };
  const unknown = await callRoute(caller, route, path, { body: { unknown: 1 } });
  assertFailure(unknown, "PAYLOAD_INVALID", label);
  const broken = await callRoute(caller, route, path, { headers, raw: "{{{" });
  assertFailure(broken, "PAYLOAD_INVALID", label);
  assertFailure(await callRoute(caller, route, path, { raw: "text" }), "HTTP_415", label);
}

Deno.test("No protected route accepts a token in the cookie, a proof or a set-up token", async () => {
  const example = await makeExample(world());
  const { secret } = await tokenOf(example.caller, PERMISSIONS);
  const proof = await example.caller.call("POST", "/api/v2/auth/step-up", {
    body: { password: PASSWORD, purpose: "IDENTITY_PUBLISH" },
  });
  for (const route of protectedRoutes()) {
    const path = await example.pathOf(route);
    for (
      const headers of [
        { Cookie: `${COOKIE}=${secret}`, Origin: ORIGIN },
        { Authorization: `Bearer ${proof.body.data.proof}` },
        { Authorization: `Bearer ${secret.replace("prs_p_", "prs_i_")}` },
        { Authorization: `Bearer ${secret.replace("prs_p_", "prs_s_")}` },
      ]
    ) {
      const response = await callRoute(world(), route, path, { headers });
      assertFailure(response, "AUTH_REQUIRED", `${route.method} ${route.path}`);
    }
  }
});

Deno.test("Every path answers 405 with its methods to other methods, also to strangers", async () => {
  const example = await makeExample(world());
  const { routes } = world().app;
  for (const route of routes) {
    const methods = new Set<string>(
      routes.filter(({ path }) => path === route.path).map(({ method }) => method),
    );
    if (methods.has("GET")) methods.add("HEAD");
    const allow = [...methods].sort().join(", ");
    const path = await example.pathOf(route);
    for (const method of METHODS.filter((each) => !methods.has(each))) {
      for (const caller of [example.caller, world()]) {
        const response = await caller.call(method, path);
        assertEquals([response.status, response.headers.get("Allow")], [405, allow], route.path);
        if (method !== "HEAD") assertFailure(response, "HTTP_405");
      }
    }
  }
});

Deno.test("Every route rejects unknown and repeated query parameters", async () => {
  const example = await makeExample(world());
  for (const route of world().app.routes.filter((each) => !isClosed(each))) {
    const filled = await example.pathOf(route);
    const path = `${filled}?unknown&limit=1&limit=1&%6Cimit=2`;
    const isPublic = route.access === "public";
    const response = isPublic
      ? await world().call(route.method, path, route.method === "GET" ? {} : { body: {} })
      : await callRoute(example.caller, route, path);
    const { rules } = assertFailure(response, "PAYLOAD_INVALID", `${route.method} ${path}`);
    for (const rule of ["undeclared_field", "query.repeated"]) {
      assert(rules.includes(rule), `${route.method} ${path}: ${rules}`);
    }
  }
});

Deno.test("Request ids that look like credentials are not used", async () => {
  const { caller } = await makeExample(world());
  for (
    const sent of [caller.secret.replaceAll(/[^A-Za-z0-9_-]/g, ""), "prs_x_aaaaaaaa", "a-prs_p_b"]
  ) {
    const response = await caller.call("GET", "/api/v2/catalog", {
      headers: { "X-Request-Id": sent },
    });
    assertMatch(response.headers.get("X-Request-Id") ?? "", ULID, sent);
  }
  assertEquals(JSON.stringify(world().log).includes("prs_"), false);
});

/** Accepted ids, and ids that are replaced. */
const REQUEST_IDS = {
  taken: ["aZ09_-aZ", "x".repeat(64), ulid()],
  replaced: ["short", "x".repeat(65), "with space", "semi;colon", "", "ä".repeat(8)],
};

Deno.test("Every response carries the request id that the client sent, or a new one", async () => {
  const example = await makeExample(world());
  const { caller } = example;
  const paths = await Promise.all(world().app.routes.map((route) => example.pathOf(route)));
  const others = ["/api/v2/catalog", "/api/v2/nothing", "/", "//"];
  for (const path of [...others, ...paths]) {
    // Each form on some paths, one of each kind on all.
    const most = others.includes(path) ? Infinity : 1;
    for (const sent of REQUEST_IDS.taken.slice(0, most)) {
      const response = await caller.call("GET", path, { headers: { "X-Request-Id": sent } });
      assertEquals(response.headers.get("X-Request-Id"), sent, path);
      // Only the OpenAPI document has no envelope.
      if (response.body === null || path.endsWith("/openapi.json")) continue;
      assertEquals(response.body.meta?.requestId ?? response.body.error.requestId, sent, path);
    }
    for (const sent of REQUEST_IDS.replaced.slice(0, most)) {
      const response = await caller.call("GET", path, { headers: { "X-Request-Id": sent } });
      const given = response.headers.get("X-Request-Id") ?? "";
      assertMatch(given, ULID, sent);
      assertNotEquals(given, sent);
    }
  }
});

/**
 * Headers of every response, except attachment files (sandboxed) and the public view and catalog
 * (revalidated).
 */
const PROTECTION = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

Deno.test("Every response forbids caching (except revalidation), sniffing, framing and other sites", async () => {
  const example = await makeExample(world());
  const routes = world().app.routes;
  const answers = [await world().call("GET", "/api/v2/nothing")];
  const catalog = await example.caller.call("GET", "/api/v2/catalog");
  const catalogTag = catalog.headers.get("ETag");
  for (const route of routes) {
    const path = await example.pathOf(route);
    answers.push(await world().call(route.method, path));
    answers.push(await example.caller.call("DELETE", path));
    if (route.method === "GET") {
      answers.push(await example.caller.call("GET", path));
      answers.push(await example.caller.call("HEAD", path));
      answers.push(await example.caller.call("GET", path, { headers: { "If-None-Match": "*" } }));
    }
  }
  assert(new Set(answers.map(({ status }) => status)).has(304));
  const calendarTags = new Set(
    answers.filter(({ headers }) => headers.get("Content-Type")?.startsWith("text/calendar"))
      .map(({ headers }) => headers.get("ETag")),
  );
  for (const { headers, status, text } of answers) {
    const isFile = headers.get("Content-Security-Policy") === "sandbox";
    const expected = {
      ...PROTECTION,
      ...(isFile && { "Content-Security-Policy": "sandbox" }),
      ...(headers.has("X-Robots-Tag") && { "Cache-Control": "no-cache" }),
      ...(calendarTags.has(headers.get("ETag")) && { "Cache-Control": "private, max-age=900" }),
      ...(headers.get("ETag") === catalogTag && { "Cache-Control": "private, no-cache" }),
    };
    const told = Object.keys(PROTECTION).map((name) => [name, headers.get(name)]);
    assertEquals(Object.fromEntries(told), expected, `${status} ${text}`);
    const isJson = headers.get("Content-Type")?.startsWith("application/json;") ?? false;
    if (!isJson) continue;
    assertEquals(headers.get("Content-Disposition"), 'attachment; filename="api.json"', text);
  }
});

Deno.test("Unknown addresses answer 404 alike, with and without a credential", async () => {
  const owner = await world().createCaller();
  const made = await owner.create("commitment", COMMITMENT);
  const paths = [
    "/console",
    "/api",
    "/api/v2",
    "/api/v2/records",
    "/api/v2/records/",
    "/api/v2/records/commitment/",
    `/api/v2/records/commitment/${made.recordId}/`,
    `/api/v2/records/commitment/${made.recordId}/delete`,
    `/api/v2/records//${made.recordId}`,
    "/API/V2/catalog",
    "/api/v2/catalog/commitment",
  ];
  for (const path of paths) {
    for (const caller of [owner, world()]) {
      for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
        const response = await caller.call(method, path);
        assertEquals(assertFailure(response, "HTTP_404", path), undefined);
      }
    }
  }
});

Deno.test("After the walk the search index matches the stored rows", async () => {
  const modules = await world().rows("select distinct module_code from records order by 1");
  const families = ["commitment", "decision", "memory", "relationship", "resource", "taxonomy"];
  assertEquals(families.filter((code) => !modules.some((row) => row.module_code === code)), []);
  // Version 1 examples are inserted past the service.
  await assertIndexed(world(), "r.source_type <> 'IMPORT'");
});
