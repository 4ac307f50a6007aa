/**
 * Promises of every route, checked over the route table. New protected routes need an example of a
 * successful call.
 */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Permission, PERMISSION_IDS, PERMISSIONS } from "../../src/access/permissions.ts";
import type { ProtectedRoute } from "../../src/http/route.ts";
import { assertAllNamed, assertAllSeek } from "../storage/plans.ts";
import { createRecordingDatabase, type SentStatement } from "../storage/recording.ts";
import { assertIndexed } from "../storage/search_rows.ts";
import { makeToken } from "../support/tokens.ts";
import { callApp, type Caller, callerOf, ORIGIN, sharedWorld } from "../support/world.ts";
import { COOKIE, PASSWORD } from "./access.ts";
import {
  assertPassed,
  callRoute,
  type Example,
  EXAMPLE_SERVICES,
  makeExample,
  permissionsFor,
  proofFor,
  purposeOf,
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

/** For calls that are refused before their body is read, or have no effect. */
async function sharedExampleOf(route: ProtectedRoute, example: Example): Promise<ExampleCall> {
  if (isHarmless(route)) return await exampleOf(route, example);
  return { route, caller: example.caller, path: await example.pathOf(route), parts: {} };
}

function isHarmless(route: ProtectedRoute): boolean {
  return route.method === "GET" || isClosed(route);
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

/** One route of each kind; the other routes of the kind have the same check. */
const OF_EACH_KIND = ["record.list", "record.detail", "record.create", "token.create"];

Deno.test("Every protected route answers 401 without a credential, and one of each kind to any that is invalid", async () => {
  const example = await makeExample(world());
  const { secret } = example.caller;
  const { secret: token } = await tokenOf(example.caller, PERMISSIONS);
  const proof = await example.caller.call("POST", "/api/v2/auth/step-up", {
    body: { password: PASSWORD, purpose: "IDENTITY_PUBLISH" },
  });
  const wrong = [
    { Authorization: `Bearer ${secret.slice(0, -1)}` },
    { Authorization: `Bearer ${secret.slice(0, -1)}${secret.endsWith("A") ? "B" : "A"}` },
    { Authorization: `Basic ${secret}` },
    { Authorization: "Bearer" },
    { Cookie: "__Host-prs_session=nothing" },
    // A token in the cookie, a proof, and a set-up token.
    { Cookie: `${COOKIE}=${token}`, Origin: ORIGIN },
    { Authorization: `Bearer ${proof.body.data.proof}` },
    { Authorization: `Bearer ${token.replace("prs_p_", "prs_i_")}` },
    { Authorization: `Bearer ${token.replace("prs_p_", "prs_s_")}` },
  ];
  const routes = protectedRoutes();
  const examined = routes.filter(({ operation }) => OF_EACH_KIND.includes(operation));
  assertEquals(examined.length, OF_EACH_KIND.length);
  for (const route of routes) {
    const path = await example.pathOf(route);
    for (const headers of examined.includes(route) ? [{}, ...wrong] : [{}]) {
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

/** All headers for one route of each kind, one of them for each other route. */
async function assertForeignRefused(
  { route, caller, path, parts }: ExampleCall,
  place: number,
): Promise<void> {
  const first = place % FOREIGN.length;
  const isExamined = OF_EACH_KIND.includes(route.operation);
  for (const headers of isExamined ? FOREIGN : FOREIGN.slice(first, first + 1)) {
    const sent = { ...parts, headers: { Cookie: `${COOKIE}=${caller.secret}`, ...headers } };
    const response = await callRoute(world(), route, path, sent);
    const label = `${route.method} ${route.path} ${JSON.stringify(headers)}`;
    assertFailure(response, "FORBIDDEN", label);
  }
}

let walked: Promise<SentStatement[]> | undefined;

/** Returns the statements of the calls that succeed. */
async function walkRoutes(): Promise<SentStatement[]> {
  const recording = createRecordingDatabase(world().database, "all");
  const app = world().again({ database: recording.database });
  const anyone: Pick<Caller, "call"> = {
    call: (method, path, options) => callApp(app, method, path, options),
  };
  const statements = new Map<string, SentStatement>();
  const reader = await makeExample(world());
  const routes = protectedRoutes();
  const shared: ExampleCall[] = [];
  // First, because permissions are removed.
  for (const route of routes) shared.push(await sharedExampleOf(route, reader));
  for (const [place, example] of shared.entries()) {
    const { route, caller } = example;
    const label = `${route.method} ${route.path}`;
    const isSafe = route.method === "GET";
    const hasNoBody = !isSafe && route.endpoint.body === "none";
    await grant(caller, PERMISSIONS);
    if (hasNoBody) await assertBodyRefused(example);
    if (!isSafe) await assertForeignRefused(example, place);
    // A separate example for routes with effects.
    const done = isHarmless(route) ? example : await exampleOf(route, await makeExample(world()));
    const own = route.permission === null ? [] : permissionsFor(route);
    const needed = new Set(own.length === 0 ? [] : [...own, "platform.operate"] as const);
    for (const missing of needed) {
      await grant(done.caller, PERMISSIONS.filter((name) => name !== missing));
      const response = await callRoute(done.caller, route, done.path, done.parts);
      assertFailure(response, "FORBIDDEN", `${label} ${missing}`);
    }
    await grant(done.caller, [...needed]);
    const proof = await proofFor(world(), route, done.caller);
    const cookie = { Cookie: `${COOKIE}=${done.caller.secret}`, Origin: ORIGIN };
    // An empty text does not count as a body.
    const empty = { headers: { "Content-Type": "application/json" }, raw: "" };
    const sent = { ...done.parts, ...(hasNoBody && empty) };
    const headers = { ...sent.headers, ...proof, ...(!isSafe && cookie) };
    const by = isSafe ? callerOf(app, done.caller) : anyone;
    const recorded = await recording.during(async () => {
      assertPassed(route, await callRoute(by, route, done.path, { ...sent, headers }), label);
    });
    for (const statement of recorded) statements.set(statement.text, statement);
  }
  const published = await makeExample(world());
  for (const route of app.routes) {
    if (route.access !== "public" || !route.path.includes(":")) continue;
    const path = await published.pathOf(route);
    const recorded = await recording.during(async () => {
      assertPassed(route, await callRoute(anyone, route, path), route.path);
    });
    for (const statement of recorded) statements.set(statement.text, statement);
  }
  return [...statements.values()];
}

Deno.test("Every route works with its own permission and no other, and an unsafe one with a cookie from its own page only", async () => {
  await (walked ??= walkRoutes());
});

Deno.test("Every route accepts a token with its permission and refuses one without, except session routes", async () => {
  const example = await makeExample(world());
  const tokens = new Map<string, Promise<Caller>>();
  const tokenWith = (permissions: readonly Permission[]) => {
    const found = tokens.get(permissions.join());
    const made = found ?? tokenOf(example.caller, permissions);
    tokens.set(permissions.join(), made);
    return made;
  };
  for (const route of protectedRoutes()) {
    const { path, parts } = await sharedExampleOf(route, example);
    const { access, operation, permission, method } = route;
    const label = `${method} ${route.path}`;
    const needsOther = permission !== null && permission !== "platform.operate";
    if (access === "session" || needsOther) {
      const without = await tokenWith(
        PERMISSIONS.filter((name) => name !== permission && name !== "platform.operate"),
      );
      assertFailure(await callRoute(without, route, path, parts), "FORBIDDEN", label);
    }
    const only = await tokenWith(permissionsFor(route));
    if (access === "session" || purposeOf(world(), operation) !== undefined) {
      const code = access === "session" ? "FORBIDDEN" : "STEP_UP_REQUIRED";
      assertFailure(await callRoute(only, route, path, parts), code, label);
    } else if (isHarmless(route)) {
      assertPassed(route, await callRoute(only, route, path, parts), label);
    } else {
      // Checked after the permission, so that the example remains.
      const response = await callRoute(only, route, `${path}?undeclared`);
      assertFailure(response, "PAYLOAD_INVALID", label);
    }
  }
});

Deno.test("A session without a proof is told the purpose of the one that is needed", async () => {
  let count = 0;
  for (const route of protectedRoutes()) {
    const purpose = purposeOf(world(), route.operation);
    if (purpose === undefined) continue;
    const { caller, path, parts } = await exampleOf(route, await makeExample(world()));
    const label = `${route.method} ${route.path}`;
    for (const headers of [{}, { "Step-Up-Proof": "prs_x_forged" }]) {
      const response = await callRoute(caller, route, path, { ...parts, headers });
      assertEquals(assertFailure(response, "STEP_UP_REQUIRED", label), { purpose }, label);
    }
    count++;
  }
  assert(count >= 14, `${count} routes`);
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

Deno.test("Every path answers 405 with its methods to other methods, also to strangers", async () => {
  const example = await makeExample(world());
  const { routes } = world().app;
  for (const route of routes) {
    // Its other methods are those of another path.
    if ("yields" in route) continue;
    const methods = new Set<string>(
      routes.filter(({ path }) => path === route.path).map(({ method }) => method),
    );
    if (methods.has("GET")) methods.add("HEAD");
    const allow = [...methods].sort().join(", ");
    const path = await example.pathOf(route);
    for (const [index, method] of METHODS.filter((each) => !methods.has(each)).entries()) {
      for (const caller of index === 0 ? [example.caller, world()] : [world()]) {
        const response = await caller.call(method, path);
        assertEquals([response.status, response.headers.get("Allow")], [405, allow], route.path);
        if (method !== "HEAD") assertFailure(response, "HTTP_405");
      }
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
  for (const [index, path] of [...others, ...paths].entries()) {
    // Each form on some paths, one form on all.
    const [taken, replaced] = others.includes(path)
      ? [REQUEST_IDS.taken, REQUEST_IDS.replaced]
      : index % 2 === 0
      ? [REQUEST_IDS.taken.slice(0, 1), []]
      : [[], REQUEST_IDS.replaced.slice(0, 1)];
    for (const sent of taken) {
      const response = await caller.call("GET", path, { headers: { "X-Request-Id": sent } });
      assertEquals(response.headers.get("X-Request-Id"), sent, path);
      // Documents have no envelope.
      if (response.body === null || /^\/\.well-known\/|\/openapi\.json$/.test(path)) continue;
      assertEquals(response.body.meta?.requestId ?? response.body.error.requestId, sent, path);
    }
    for (const sent of replaced) {
      const response = await caller.call("GET", path, { headers: { "X-Request-Id": sent } });
      const given = response.headers.get("X-Request-Id") ?? "";
      assertMatch(given, ULID, sent);
      assertNotEquals(given, sent);
    }
  }
});

/**
 * Headers of every response, except attachment files (sandboxed), their thumbnails (which never
 * change), and the public view and catalog (revalidated).
 */
const PROTECTION = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
};

Deno.test("Every response forbids caching (except revalidation), sniffing, framing, other sites and plain HTTP", async () => {
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
  const thumbnailTags = new Set(
    answers.filter(({ headers }) => headers.get("Content-Type") === "image/png")
      .map(({ headers }) => headers.get("ETag")),
  );
  assertEquals(thumbnailTags.size, 1);
  for (const { headers, status, text } of answers) {
    const isFile = headers.get("Content-Security-Policy") === "sandbox";
    const expected = {
      ...PROTECTION,
      ...(isFile && { "Content-Security-Policy": "sandbox" }),
      ...(headers.has("X-Robots-Tag") && { "Cache-Control": "no-cache" }),
      ...(calendarTags.has(headers.get("ETag")) && { "Cache-Control": "private, max-age=900" }),
      ...(thumbnailTags.has(headers.get("ETag")) && {
        "Cache-Control": "private, max-age=31536000, immutable",
      }),
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

Deno.test("Each statement of every route finds its rows by index", async () => {
  await assertAllSeek(world(), await (walked ??= walkRoutes()));
});

Deno.test("No statement of a route returns columns that it does not name", async () => {
  // Last, because it changes the schema.
  await assertAllNamed(world(), await (walked ??= walkRoutes()));
});
