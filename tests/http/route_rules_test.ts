/** The contract's rules by family, in addition to the route table. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Permission } from "../../src/access/permissions.ts";
import type {
  EndpointKind,
  IdempotencyRule,
  ModuleRule,
  ProtectedRoute,
} from "../../src/http/route.ts";
import { sharedWorld } from "../support/world.ts";

const world = sharedWorld();

/** The first pattern that matches method and path. */
type Rules<Name> = readonly (readonly [pattern: RegExp, asked: Name])[];

function readsAndWrites(read: Permission, write: Permission): Rules<Permission> {
  return [[/^GET /, read], [/^/, write]];
}

/** By path prefix; patterns match the rest. */
const PERMISSIONS: Readonly<Record<string, Rules<Permission>>> = {
  "/api/v2/decision": readsAndWrites("decision.read", "decision.write"),
  "/api/v2/identity": [
    [/^POST \/public\//, "identity.publish"],
    ...readsAndWrites("identity.read", "identity.write"),
  ],
  "/api/v2/relationship": [
    [/^GET \/people(\/:personId(\/revisions|\/status\/history)?)?$/, "relationship.person.read"],
    [/^POST \/people\/find$/, "relationship.person.read"],
    [/^(POST \/people|PATCH \/people\/:personId)$/, "relationship.person.write"],
    [/^POST \/people\/:personId\/(status|archive|restore)$/, "relationship.status.control"],
    [/^POST \/exports$/, "relationship.ledger.read"],
    [/^POST .*\/confirm$/, "relationship.evaluation.confirm"],
    [/^POST .*\/proposals(\/:proposalId\/reject)?$/, "relationship.evaluation.propose"],
    ...readsAndWrites("relationship.ledger.read", "relationship.ledger.write"),
  ],
  "/api/v1/identity": readsAndWrites("identity.read", "identity.write"),
  "/api/v1/relationship": readsAndWrites("relationship.person.read", "relationship.person.write"),
  "/api/v1/resource": readsAndWrites("resource.read", "resource.write"),
};

/** By path; sessions are limited to no module. */
const MODULES: Rules<ModuleRule> = [
  [/^\/api\/v2\/attachments/, "capture"],
  [/^\/api\/v2\/(decision\/|insight\/calibration$)/, "decision"],
  [/^\/api\/v[12]\/identity/, "identity"],
  [/^\/api\/v2\/memory\//, "memory"],
  [/^\/api\/v[12]\/relationship|^\/api\/v2\/insight\/contacts$/, "relationship"],
  [/^\/api\/v[12]\/resource/, "resource"],
  [/^\/api\/v2\/taxonomy\//, "taxonomy"],
  [/^\/api\/v2\/(audit|imports)/, "all"],
  [/^\/api\/v2\/(changes|due|insight|record-counts|records|search)/, "checks itself"],
  [/^\/api\/v2\/(auth\/session|catalog|operations\/backup)$/, null],
];

const KEYS: Rules<IdempotencyRule> = [
  [/^\w+ \/api\/v1\//, "none"],
  [
    /^\w+ \/api\/v2\/(auth\/|calendar\/|attachments$|search$|taxonomy\/search$|(account\/)?imports$)/,
    "none",
  ],
  [/^PUT \/api\/v2\/imports\/.*\/mapping$|^POST .*\/people\/find$/, "none"],
  [/^PUT \/api\/v2\/(memory\/drafts|attachments)\//, "none"],
  [/^POST \/api\/v2\/memory\/drafts\//, "honoured"],
  [/^PATCH \/api\/v2\/records\/|^POST \/api\/v2\/records\/.*\/(archive|restore)$/, "honoured"],
  [/^/, "required"],
];

const COMMANDS =
  "create|modify|archive|restore|rename|move|deactivate|reactivate|revise|keep|adopt|reject|set";

/** Requests that may run before the credential look-up: method, body, key, operation. */
const EARLY: Readonly<Record<EndpointKind, RegExp>> = {
  command: new RegExp(`^(POST|PATCH) (optional-)?json (required|honoured) .*\\.(${COMMANDS})$`),
  row: /^GET none none .*\.(detail|revision)$/,
  page: /^GET none none .*\.(list|revisions|executions|history|events)$/,
};

/** By method and path. */
type Asked = readonly (readonly [label: string, asked: string | null])[];

/** Each route follows the rules, and each rule has a route. */
function assertAsked(routes: Asked, rules: Rules<string | null>): void {
  const ruleOf = (label: string) => rules.find(([pattern]) => pattern.test(label));
  assertEquals(routes, routes.map(([label]) => [label, ruleOf(label)?.[1] ?? null]));
  assertEquals(new Set(routes.map(([label]) => ruleOf(label))).size, rules.length);
}

function protectedRoutes(): readonly ProtectedRoute[] {
  return world().app.routes.filter((route) => route.access !== "public");
}

for (const [beginning, rules] of Object.entries(PERMISSIONS)) {
  Deno.test(`Each route under ${beginning} requires the permission of its contract`, () => {
    const routes = protectedRoutes()
      .filter(({ path }) => `${path}/`.startsWith(`${beginning}/`))
      .map(({ method, path, permission }): Asked[number] => [
        `${method} ${path.slice(beginning.length)}`,
        permission,
      ]);
    assertAsked(routes, rules);
  });
}

Deno.test("Each write requires a key, except those that the contract exempts", () => {
  const writes = protectedRoutes()
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, idempotency }): Asked[number] => [`${method} ${path}`, idempotency]);
  assertAsked(writes, KEYS);
});

Deno.test("Each route of a module refuses tokens that are limited to others", () => {
  const routes = protectedRoutes()
    .filter(({ access }) => access === "credential")
    .map(({ path, module }): Asked[number] => [path, module]);
  assertAsked(routes, MODULES);
});

Deno.test("Only commands and reads of known operations may run before the credential look-up", () => {
  for (
    const { method, idempotency, operation, access, endpoint: { kind, body } } of protectedRoutes()
  ) {
    if (kind === undefined) continue;
    assertMatch(`${method} ${body} ${idempotency} ${operation}`, EARLY[kind]);
    assertEquals(access, "credential", operation);
  }
});

Deno.test("Version 1 has three modules, without decisions", () => {
  const modules = world().app.routes
    .filter(({ path }) => path.startsWith("/api/v1"))
    .map(({ path }) => path.split("/")[3]);
  assertEquals([...new Set(modules)].sort(), ["identity", "relationship", "resource"]);
});
