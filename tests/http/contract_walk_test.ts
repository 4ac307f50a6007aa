/**
 * What holds for every route of the service, asked of each by walking the route table. A route that
 * is added is walked too; a protected one must be given an example of a call that succeeds.
 */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Permission, PERMISSION_IDS, PERMISSIONS } from "../../src/access/permissions.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { ProtectedRoute, Route } from "../../src/http/route.ts";
import { makeToken, proofOf } from "../support/tokens.ts";
import type { CallOptions, Person, TestResponse } from "../support/world.ts";
import { ORIGIN, personOf, sharedWorld } from "../support/world.ts";
import { COOKIE, givePassword, PASSWORD } from "./access.ts";
import { assertFailure, catalogWith, COMMITMENT } from "./kernel.ts";
import { DECISION_BODIES, DECISION_MAKERS } from "./decision.ts";
import { MEMORY_BODIES, MEMORY_MAKERS } from "./memory.ts";
import { TAXONOMY_BODIES, TAXONOMY_MAKERS, TAXONOMY_NAMED } from "./taxonomy.ts";

const world = sharedWorld({
  catalog: catalogWith({ "CMT-001": { status: "implemented_local", strategy: "analyze" } }),
  executors: { analyze: () => ({ said: "done" }) },
});

/** Makes a personal access token of a person, with the given permissions, and the caller it stands for. */
async function tokenOf(person: Person, permissions: readonly Permission[]): Promise<Person> {
  const { token } = await makeToken(world(), person, { permissions: [...permissions] });
  return personOf(world().app, { ...person, secret: token });
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Makes the thing that a path's parameter names, and returns its name. */
type Maker = (
  person: Person,
  valueOf: (parameter: string) => Promise<string>,
) => Promise<string>;

const MAKERS: Readonly<Record<string, Maker>> = {
  tokenId: async (person) => (await makeToken(world(), person)).tokenId,
  sessionId: ({ sessionId }) => Promise.resolve(sessionId),
  moduleCode: () => Promise.resolve("commitment"),
  recordId: async (person) => (await person.create("commitment", COMMITMENT)).recordId,
  featureId: () => Promise.resolve("CMT-001"),
  attachmentId: async (person) => {
    const headers = { "Content-Type": "text/plain", "X-Filename": "note.txt" };
    const uploaded = await person.call("POST", "/api/v2/attachments", { headers, raw: "a note" });
    return uploaded.body.data.attachmentId;
  },
  ...MEMORY_MAKERS,
  ...DECISION_MAKERS,
  ...TAXONOMY_MAKERS,
};

/** A person, and things of theirs that fill paths: each is made when a path first names it. */
class Example {
  readonly person: Person;
  readonly #values = new Map<string, Promise<string>>();

  constructor(person: Person) {
    this.person = person;
  }

  /** The path of a route with its parameters filled. */
  async pathOf({ path }: Pick<Route, "path">): Promise<string> {
    const parts = path.split("/").map((part) =>
      part.startsWith(":") ? this.#valueOf(part.slice(1)) : part
    );
    return (await Promise.all(parts)).join("/");
  }

  /** The path, and what else a call that succeeds must name. */
  async callOf(route: Route): Promise<Pick<ExampleCall, "path" | "options">> {
    const path = await this.pathOf(route);
    const named = await NAMED[`${route.method} ${route.path}`]?.(
      this.person,
      (other) => this.#valueOf(other),
    );
    if (named === undefined) return { path, options: {} };
    return route.method === "GET"
      ? { path: `${path}?${new URLSearchParams(named as Record<string, string>)}`, options: {} }
      : { path, options: { body: named } };
  }

  #valueOf(parameter: string): Promise<string> {
    const present = this.#values.get(parameter);
    if (present !== undefined) return present;
    const maker = MAKERS[parameter];
    assert(maker !== undefined, `Nothing makes a value of ":${parameter}"`);
    const value = maker(this.person, (other) => this.#valueOf(other));
    this.#values.set(parameter, value);
    return value;
  }
}

async function makeExample(): Promise<Example> {
  const person = await world().person();
  await givePassword(world(), person);
  return new Example(person);
}

/** A call of a route that succeeds. */
interface ExampleCall {
  readonly route: ProtectedRoute;
  readonly person: Person;
  readonly path: string;
  /** What it must carry besides the body of `BODIES`. */
  readonly options: CallOptions;
}

/** An example for each of some routes: one of its own for a write, one in common for all reads. */
async function* examplesOf(routes: readonly ProtectedRoute[]): AsyncGenerator<ExampleCall> {
  const reader = await makeExample();
  const calls = new Map<Route, Pick<ExampleCall, "path" | "options">>();
  const reads = routes.filter(({ method }) => method === "GET");
  // All at first, because a test may take the reader's rights away.
  for (const route of reads) calls.set(route, await reader.callOf(route));
  for (const route of routes) {
    const example = route.method === "GET" ? reader : await makeExample();
    const call = calls.get(route) ?? await example.callOf(route);
    yield { route, person: example.person, ...call };
  }
}

/** A call of each route with a body that succeeds. */
const BODIES: Readonly<Record<string, CallOptions>> = {
  "POST /api/v2/auth/password": {
    body: { currentPassword: PASSWORD, newPassword: `${PASSWORD}, new` },
  },
  "POST /api/v2/auth/step-up": { body: { password: PASSWORD, purpose: "IDENTITY_PUBLISH" } },
  "POST /api/v2/auth/tokens": { body: { name: "Another", permissions: ["record.read"] } },
  "POST /api/v2/records/:moduleCode": { body: { title: "A", payload: COMMITMENT } },
  "PATCH /api/v2/records/:moduleCode/:recordId": { body: { title: "B" } },
  "POST /api/v2/records/:moduleCode/:recordId/features/:featureId": { body: {} },
  "POST /api/v2/attachments": {
    headers: { "Content-Type": "text/plain", "X-Filename": "other.txt" },
    raw: "another note",
  },
  ...MEMORY_BODIES,
  ...DECISION_BODIES,
  ...TAXONOMY_BODIES,
};

/** What a call names in its body or its query that must be made for it. */
const NAMED: Readonly<
  Record<string, (person: Person, valueOf: Parameters<Maker>[1]) => Promise<JsonObject>>
> = TAXONOMY_NAMED;

/** What a call of a route needs besides the route's own permission. */
const ALSO_NEEDED: Readonly<Record<string, readonly Permission[]>> = {
  "taxonomy.assignment.create": ["record.read"],
  "taxonomy.assignment.remove": ["record.read"],
};

function call(
  caller: Pick<Person, "call">,
  route: Route,
  path: string,
  more: CallOptions = {},
): Promise<TestResponse> {
  const options = BODIES[`${route.method} ${route.path}`] ?? {};
  const headers = { ...options.headers, ...more.headers };
  return caller.call(route.method, path, { key: ulid(), ...options, ...more, headers });
}

/** The header that the making of a token needs besides its body. */
async function proofFor(
  { operation }: ProtectedRoute,
  person: Person,
): Promise<Record<string, string>> {
  return operation === "token.create" ? await proofOf(world(), person, "TOKEN_CREATE") : {};
}

function protectedRoutes(): readonly ProtectedRoute[] {
  return world().app.routes.filter((route) => route.access !== "public");
}

Deno.test("The Record Kernel has its nine routes and none that deletes", () => {
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

Deno.test("Every protected route answers 401 to a credential that is none", async () => {
  const example = await makeExample();
  const { secret } = example.person;
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
      const response = await call(world(), route, path, { headers });
      assertFailure(response, "AUTH_REQUIRED", `${route.method} ${route.path}`);
    }
  }
});

Deno.test("Every route without a permission opens to an account whose role allows nothing", async () => {
  const routes = protectedRoutes().filter(({ permission }) => permission === null);
  for await (const { route, person, path, options } of examplesOf(routes)) {
    await world().raw(
      `update accounts set role = 'SERVICE' where account_id = '${person.accountId}'`,
    );
    const response = await call(person, route, path, options);
    assertEquals(response.status, 200, `${route.method} ${route.path}: ${response.text}`);
  }
});

/** All that a call of a route needs. */
function neededFor({ permission, operation }: ProtectedRoute): readonly Permission[] {
  const others = ALSO_NEEDED[operation] ?? [];
  return [...new Set([permission ?? "record.read", "platform.operate", ...others] as const)];
}

/** Leaves an account no permissions but these. */
async function grant({ accountId }: Person, permissions: readonly Permission[]): Promise<void> {
  const list = permissions.map((name) => `'${PERMISSION_IDS[name]}'`).join(", ");
  await world().raw(`
    update accounts set role = 'SERVICE' where account_id = '${accountId}';
    delete from account_permissions where account_id = '${accountId}';
    insert into account_permissions select '${accountId}', permission_id from permissions
     where permission_id in (${list})`);
}

Deno.test("Every route opens to its own permission, and to no other", async () => {
  const routes = protectedRoutes().filter(({ permission }) => permission !== null);
  for await (const { route, person, path, options } of examplesOf(routes)) {
    const needed = neededFor(route);
    const label = `${route.method} ${route.path}`;
    for (const missing of needed) {
      await grant(person, PERMISSIONS.filter((name) => name !== missing));
      const response = await call(person, route, path, options);
      assertFailure(response, "FORBIDDEN", `${label} ${missing}`);
    }
    await grant(person, needed);
    const headers = await proofFor(route, person);
    const response = await call(person, route, path, { ...options, headers });
    assert(response.status === 200 || response.status === 201, `${label}: ${response.text}`);
  }
});

Deno.test("Every route opens to a token with its permission, but for those of sessions only", async () => {
  for await (const { route, person, path, options } of examplesOf(protectedRoutes())) {
    const { permission } = route;
    const label = `${route.method} ${route.path}`;
    const without = await tokenOf(
      person,
      PERMISSIONS.filter((name) => name !== permission && name !== "platform.operate"),
    );
    const only = await tokenOf(person, neededFor(route));
    const refused = await call(without, route, path, options);
    const response = await call(only, route, path, options);
    if (route.access === "session") {
      for (const each of [refused, response]) assertFailure(each, "FORBIDDEN", label);
      continue;
    }
    const needsOther = permission !== null && permission !== "platform.operate";
    if (needsOther) assertFailure(refused, "FORBIDDEN", label);
    else assertEquals(refused.status, 200, label);
    assert(response.status === 200 || response.status === 201, `${label}: ${response.text}`);
  }
});

Deno.test("Every unsafe route refuses a cookie from a foreign page, and takes one from its own", async () => {
  const unsafe = protectedRoutes().filter(({ method }) => method !== "GET");
  for await (const { route, person, path, options } of examplesOf(unsafe)) {
    const label = `${route.method} ${route.path}`;
    const Cookie = `${COOKIE}=${person.secret}`;
    const foreign: readonly Record<string, string>[] = [
      {},
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: `${ORIGIN}.evil.example` },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "none" },
    ];
    for (const headers of foreign) {
      const sent = { ...options, headers: { Cookie, ...headers } };
      const response = await call(world(), route, path, sent);
      assertFailure(response, "FORBIDDEN", `${label} ${JSON.stringify(headers)}`);
    }
    const headers = { Cookie, Origin: ORIGIN, ...await proofFor(route, person) };
    const response = await call(world(), route, path, { ...options, headers });
    assert(response.status === 200 || response.status === 201, `${label}: ${response.text}`);
  }
});

Deno.test("No protected route takes a token in the cookie, a proof or a set-up token", async () => {
  const example = await makeExample();
  const { secret } = await tokenOf(example.person, PERMISSIONS);
  const proof = await example.person.call("POST", "/api/v2/auth/step-up", {
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
      const response = await call(world(), route, path, { headers });
      assertFailure(response, "AUTH_REQUIRED", `${route.method} ${route.path}`);
    }
  }
});

Deno.test("Every path answers 405 with its methods to any other, also to a stranger", async () => {
  const example = await makeExample();
  const { routes } = world().app;
  for (const route of routes) {
    const methods = new Set<string>(
      routes.filter(({ path }) => path === route.path).map(({ method }) => method),
    );
    if (methods.has("GET")) methods.add("HEAD");
    const allow = [...methods].sort().join(", ");
    const path = await example.pathOf(route);
    for (const method of METHODS.filter((each) => !methods.has(each))) {
      for (const caller of [example.person, world()]) {
        const response = await caller.call(method, path);
        assertEquals([response.status, response.headers.get("Allow")], [405, allow], route.path);
        if (method !== "HEAD") assertFailure(response, "HTTP_405");
      }
    }
  }
});

Deno.test("Every route refuses an unknown and a repeated query parameter", async () => {
  const example = await makeExample();
  for (const route of world().app.routes) {
    const filled = await example.pathOf(route);
    for (const query of ["unknown=1", "unknown", "limit=1&limit=1&%6Cimit=2"]) {
      const path = `${filled}?${query}`;
      const isPublic = route.access === "public";
      const response = isPublic
        ? await world().call(route.method, path, route.method === "GET" ? {} : { body: {} })
        : await call(example.person, route, path);
      const { rules } = assertFailure(response, "PAYLOAD_INVALID", `${route.method} ${path}`);
      const expected = query.startsWith("unknown") ? "undeclared_field" : "query.repeated";
      assert(rules.includes(expected), `${route.method} ${path}: ${rules}`);
    }
  }
});

Deno.test("Every unsafe route without a body refuses one", async () => {
  const routes = protectedRoutes().filter(({ method, endpoint }) =>
    method !== "GET" && endpoint.body === "none"
  );
  for await (const { route, person, path } of examplesOf(routes)) {
    const label = `${route.method} ${route.path}`;
    const headers = { "Content-Type": "application/json" };
    const unknown = await call(person, route, path, { body: { unknown: 1 } });
    assertFailure(unknown, "PAYLOAD_INVALID", label);
    const broken = await call(person, route, path, { headers, raw: "{{{" });
    assertFailure(broken, "PAYLOAD_INVALID", label);
    assertFailure(await call(person, route, path, { raw: "text" }), "HTTP_415", label);
    const empty = await call(person, route, path, { headers, raw: "" });
    assertEquals(empty.status, 200, label);
  }
});

Deno.test("No request id that looks like a credential is taken", async () => {
  const { person } = await makeExample();
  for (
    const sent of [person.secret.replaceAll(/[^A-Za-z0-9_-]/g, ""), "prs_x_aaaaaaaa", "a-prs_p_b"]
  ) {
    const response = await person.call("GET", "/api/v2/catalog", {
      headers: { "X-Request-Id": sent },
    });
    assertMatch(response.headers.get("X-Request-Id") ?? "", ULID, sent);
  }
  assertEquals(JSON.stringify(world().log).includes("prs_"), false);
});

Deno.test("Every response carries the request id that the client sent, or a new one", async () => {
  const example = await makeExample();
  const { person } = example;
  const paths = await Promise.all(world().app.routes.map((route) => example.pathOf(route)));
  for (const path of [...paths, "/api/v2/nothing", "/", "//"]) {
    for (const sent of ["aZ09_-aZ", "x".repeat(64), ulid()]) {
      const response = await person.call("GET", path, { headers: { "X-Request-Id": sent } });
      assertEquals(response.headers.get("X-Request-Id"), sent, path);
      // The OpenAPI document alone is JSON without an envelope.
      if (response.body === null || path.endsWith("/openapi.json")) continue;
      assertEquals(response.body.meta?.requestId ?? response.body.error.requestId, sent, path);
    }
    for (const sent of ["short", "x".repeat(65), "with space", "semi;colon", "", "ä".repeat(8)]) {
      const response = await person.call("GET", path, { headers: { "X-Request-Id": sent } });
      const given = response.headers.get("X-Request-Id") ?? "";
      assertMatch(given, ULID, sent);
      assertNotEquals(given, sent);
    }
  }
});

/** What every response tells a browser, but for the files of attachments, which are in a sandbox. */
const PROTECTION = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

Deno.test("Every response forbids caching, sniffing, framing and use by other sites", async () => {
  const example = await makeExample();
  const routes = world().app.routes;
  const answers = [await world().call("GET", "/api/v2/nothing")];
  for (const route of routes) {
    const path = await example.pathOf(route);
    answers.push(await world().call(route.method, path));
    answers.push(await example.person.call("DELETE", path));
    if (route.method === "GET") {
      answers.push(await example.person.call("GET", path));
      answers.push(await example.person.call("HEAD", path));
      answers.push(await example.person.call("GET", path, { headers: { "If-None-Match": "*" } }));
    }
  }
  assert(new Set(answers.map(({ status }) => status)).has(304));
  for (const { headers, status, text } of answers) {
    const isFile = headers.get("Content-Security-Policy") === "sandbox";
    const expected = isFile ? { ...PROTECTION, "Content-Security-Policy": "sandbox" } : PROTECTION;
    const told = Object.keys(PROTECTION).map((name) => [name, headers.get(name)]);
    assertEquals(Object.fromEntries(told), expected, `${status} ${text}`);
    const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
    if (!isJson) continue;
    assertEquals(headers.get("Content-Disposition"), 'attachment; filename="api.json"', text);
  }
});

Deno.test("Addresses that are no route response 404 alike, with and without a credential", async () => {
  const person = await world().person();
  const made = await person.create("commitment", COMMITMENT);
  const paths = [
    "/",
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
    for (const caller of [person, world()]) {
      for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
        const response = await caller.call(method, path);
        assertEquals(assertFailure(response, "HTTP_404", path), undefined);
      }
    }
  }
});
