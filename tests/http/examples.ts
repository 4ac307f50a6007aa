/** Objects and successful calls for every route. */

import { assert } from "@std/assert";
import { ulid } from "@std/ulid";
import type { Permission } from "../../src/access/permissions.ts";
import type { StepUpPurpose } from "../../src/access/step_up.ts";
import type { AppServices } from "../../src/app.ts";
import { isJsonObject } from "../../src/core/json.ts";
import type { ProtectedRoute, Route } from "../../src/http/route.ts";
import { EMPTY_ACCOUNT } from "../support/account_file.ts";
import { putThumbnail } from "../support/attachments.ts";
import { png } from "../support/picture_headers.ts";
import { makeToken, proofOf } from "../support/tokens.ts";
import type { Caller, CallOptions, TestResponse, World } from "../support/world.ts";
import { givePassword, PASSWORD } from "./access.ts";
import { ACCOUNT_EXPORTS, ACCOUNT_IMPORTS, askForExport } from "./account.ts";
import { DECISION_BODIES, DECISION_MAKERS } from "../families/decision/api.ts";
import { FEED, FEEDS, makeFeed, pathOfFeed } from "./calendar.ts";
import { catalogWith, COMMITMENT } from "./kernel.ts";
import {
  CONFIRMED,
  IDENTITY_BODIES,
  IDENTITY_MAKERS,
  LEGACY_DRILLS,
  unnamedNeeds,
} from "../families/identity/api.ts";
import { EXPORTS, IMPORT_BODY, IMPORTS } from "../families/identity/import.ts";
import { newSlug, PUBLISH, published } from "../families/identity/public.ts";
import { IMPORT_BODIES, IMPORT_FIRST, IMPORT_QUERIES, makeImport } from "./imports.ts";
import { isClosed, LEGACY_MAKERS, legacyParameter } from "./legacy.ts";
import { done, MEMORY_BODIES, MEMORY_MAKERS } from "../families/memory/api.ts";
import { EVALUATION_BODIES, EVALUATION_MAKERS } from "../families/relationship/evaluation.ts";
import {
  personParameter,
  RELATIONSHIP_BODIES,
  RELATIONSHIP_MAKERS,
} from "../families/relationship/api.ts";
import { RESOURCE_BODIES, RESOURCE_MAKERS } from "../families/resource/api.ts";
import { addPasskey, PASSKEY_FIRST, PASSKEYS } from "./passkey.ts";
import { SECOND_FACTOR_FIRST } from "./second_factor.ts";
import { TAXONOMY_BODIES, TAXONOMY_MAKERS, TAXONOMY_NAMED } from "../families/taxonomy/api.ts";

/** One implemented feature, so that every route can succeed. */
export const EXAMPLE_SERVICES: Partial<AppServices> = {
  catalog: catalogWith({ "CMT-001": { status: "implemented_local", strategy: "analyze" } }),
  executors: { analyze: () => ({ said: "done" }) },
};

/** Creates the object that a parameter names; returns its id. */
type Maker = (
  caller: Caller,
  valueOf: (parameter: string) => Promise<string>,
  world: World,
) => Promise<string>;

/** By parameter; by the path up to it if another family uses the name. */
const MAKERS: Readonly<Record<string, Maker>> = {
  tokenId: async (caller, _valueOf, world) => (await makeToken(world, caller)).tokenId,
  sessionId: ({ sessionId }) => Promise.resolve(sessionId),
  moduleCode: () => Promise.resolve("commitment"),
  recordId: async (caller) => (await caller.create("commitment", COMMITMENT)).recordId,
  featureId: () => Promise.resolve("CMT-001"),
  attachmentId: async (caller) => {
    const headers = { "Content-Type": "text/plain", "X-Filename": "note.txt" };
    const uploaded = await caller.call("POST", "/api/v2/attachments", { headers, raw: "a note" });
    const { attachmentId } = uploaded.body.data;
    await putThumbnail(caller, attachmentId);
    return attachmentId;
  },
  auditId: async (caller) => {
    await caller.create("commitment", COMMITMENT);
    return (await caller.call("GET", "/api/v2/audit")).body.data.items[0].auditId;
  },
  ...MEMORY_MAKERS,
  ...DECISION_MAKERS,
  ...IDENTITY_MAKERS,
  slug: async (caller, valueOf, world) => {
    await valueOf("profile");
    return (await published(world, caller, { slug: newSlug(), fields: ["displayName"] })).slug;
  },
  drillId: async (caller, valueOf, world) => {
    await valueOf("legacyPlan");
    const proof = await proofOf(world, caller, "IDENTITY_LEGACY_DRILL");
    return (await done(caller, LEGACY_DRILLS, CONFIRMED, proof)).drillId;
  },
  ...LEGACY_MAKERS,
  ...RELATIONSHIP_MAKERS,
  ...EVALUATION_MAKERS,
  ...RESOURCE_MAKERS,
  ...TAXONOMY_MAKERS,
  importId: makeImport,
  passkeyId: async (caller, _valueOf, world) => (await addPasskey(world, caller)).passkey.passkeyId,
  feedId: async (caller, _valueOf, world) => (await makeFeed(world, caller)).feedId,
  secret: async (caller, _valueOf, world) =>
    pathOfFeed(await makeFeed(world, caller)).split("/")[2] ?? "",
  name: () => Promise.resolve("Mine.ics"),
  exportId: async (caller, _valueOf, world) =>
    (await askForExport(world, caller)).body.data.exportId,
};

/** A call's parts in addition to its path. */
interface CallParts extends CallOptions {
  readonly query?: string;
}

/** Objects are made when a path first names them. */
export class Example {
  readonly caller: Caller;
  readonly #world: World;
  readonly #values = new Map<string, Promise<string>>();

  constructor(world: World, caller: Caller) {
    this.#world = world;
    this.caller = caller;
  }

  async pathOf(route: Pick<Route, "method" | "path">): Promise<string> {
    for (const need of unnamedNeeds(route)) await this.#valueOf(need);
    const parts = route.path.split("/").map((part) =>
      part.startsWith(":") ? this.#valueOf(parameterOf(route.path, part.slice(1))) : part
    );
    return (await Promise.all(parts)).join("/") + endOf(route);
  }

  /** Objects that the body or query must name. */
  async partsOf({ method, path }: Pick<Route, "method" | "path">): Promise<CallParts> {
    const call = `${method} ${path}`;
    const first = SECOND_FACTOR_FIRST[call] ?? PASSKEY_FIRST[call] ?? IMPORT_FIRST[call];
    if (first !== undefined) return await first(this.#world, this.caller);
    const make = TAXONOMY_NAMED[`${method} ${path}`];
    if (make === undefined) return {};
    const named = await make(this.caller, (parameter) => this.#valueOf(parameter));
    if (method === "GET") return { query: `?${new URLSearchParams(named)}` };
    const { body } = BODIES[`${method} ${path}`] ?? {};
    return { body: isJsonObject(body) ? { ...body, ...named } : named };
  }

  #valueOf(parameter: string): Promise<string> {
    const present = this.#values.get(parameter);
    if (present !== undefined) return present;
    const maker = MAKERS[parameter];
    assert(maker !== undefined, `Nothing makes a value of ":${parameter}"`);
    const value = maker(this.caller, (other) => this.#valueOf(other), this.#world);
    this.#values.set(parameter, value);
    return value;
  }
}

/** The end of a path that no parameter has. */
export function endOf({ path }: Pick<Route, "path">): string {
  return path === "/calendar/:secret" ? ".ics" : "";
}

/** The parameter's meaning, by its name or path. */
function parameterOf(path: string, name: string): string {
  const upTo = path.slice(0, path.indexOf(`:${name}`)) + `:${name}`;
  return upTo in MAKERS ? upTo : personParameter(path, legacyParameter(path, name));
}

export async function makeExample(world: World): Promise<Example> {
  const caller = await world.createCaller();
  await givePassword(world, caller);
  return new Example(world, caller);
}

/** Keyed by route with a body. */
const BODIES: Readonly<Record<string, CallOptions>> = {
  "POST /api/v2/auth/password": {
    body: { currentPassword: PASSWORD, newPassword: `${PASSWORD}, new` },
  },
  "POST /api/v2/auth/step-up": { body: { password: PASSWORD, purpose: "IDENTITY_PUBLISH" } },
  [`PATCH ${PASSKEYS}/:passkeyId`]: { body: { name: "Another" } },
  "POST /api/v2/auth/tokens": { body: { name: "Another", permissions: ["record.read"] } },
  "POST /api/v2/records/:moduleCode": { body: { title: "A", payload: COMMITMENT } },
  "PATCH /api/v2/records/:moduleCode/:recordId": { body: { title: "B" } },
  "POST /api/v2/records/:moduleCode/:recordId/features/:featureId": { body: {} },
  "POST /api/v2/attachments": {
    headers: { "Content-Type": "text/plain", "X-Filename": "other.txt" },
    raw: "another note",
  },
  "PUT /api/v2/attachments/:attachmentId/thumbnail": {
    headers: { "Content-Type": "image/png" },
    raw: png(2, 2),
  },
  [`POST ${FEEDS}`]: { body: FEED },
  "POST /api/v2/search": { body: { q: "plants" } },
  ...MEMORY_BODIES,
  ...DECISION_BODIES,
  ...IDENTITY_BODIES,
  ...RELATIONSHIP_BODIES,
  ...EVALUATION_BODIES,
  ...RESOURCE_BODIES,
  ...TAXONOMY_BODIES,
  [`POST ${ACCOUNT_EXPORTS}`]: { body: {} },
  [`POST ${ACCOUNT_IMPORTS}`]: EMPTY_ACCOUNT,
  [`POST ${IMPORTS}`]: { body: IMPORT_BODY },
  ...IMPORT_BODIES,
  // Slugs are unique on the server.
  get [`POST ${PUBLISH}`]() {
    return { body: { slug: newSlug(), fields: ["tags"] } };
  },
};

/** Keyed by route that requires a query. */
const QUERIES: Readonly<Record<string, string>> = {
  [EXPORTS]: "?format=json",
  "/api/v2/relationship/dates": "?from=2026-01-01&to=2027-01-01",
  "/api/v2/insight/series":
    "?module=action&by=month&from=2026-01-01&until=2026-12-01&zone=Europe/Berlin",
  "/api/v2/insight/days": "?from=2026-11-01&until=2026-12-01&zone=Europe/Berlin",
  "/api/v2/insight/contacts": "?zone=Europe/Berlin",
  "/api/v2/insight/routines": "?zone=Europe/Berlin",
  "/api/v2/insight/week": "?start=2026-11-16&zone=Europe/Berlin",
  ...IMPORT_QUERIES,
};

function queryOf({ method, path }: Route): string {
  return path in IMPORT_QUERIES && method === "GET" ? "" : QUERIES[path] ?? "";
}

/** Succeeds unless `more` changes it; with a new key. */
export function callRoute(
  caller: Pick<Caller, "call">,
  route: Route,
  path: string,
  { query = queryOf(route), ...more }: CallParts = {},
): Promise<TestResponse> {
  const options = BODIES[`${route.method} ${route.path}`] ?? {};
  const headers = { ...options.headers, ...more.headers };
  const address = path.includes("?") ? path : `${path}${query}`;
  return caller.call(route.method, address, { key: ulid(), ...options, ...more, headers });
}

/** In addition to the route's permission. */
const FURTHER_PERMISSIONS: Readonly<Record<string, readonly Permission[]>> = {
  // The items of the example become knowledge.
  "import.run": ["record.write"],
  "taxonomy.assignment.create": ["record.read"],
  "taxonomy.assignment.remove": ["record.read"],
};

/** All permissions except `platform.operate`. */
export function permissionsFor(
  { permission, operation }: ProtectedRoute,
): readonly Permission[] {
  return [permission ?? "record.read", ...FURTHER_PERMISSIONS[operation] ?? []];
}

/** Operations that need a proof in some cases, which their examples are not. */
const SOMETIMES_PROVEN: readonly string[] = ["memory.privacy.set", "memory.export.create"];

/** The purpose of the proof that an operation always requires; undefined if none. */
export function purposeOf({ app }: World, operation: string): StepUpPurpose | undefined {
  if (SOMETIMES_PROVEN.includes(operation)) return undefined;
  const route = app.routes.find((each) => each.operation === operation);
  return route?.endpoint.contract.stepUp;
}

export async function proofFor(
  world: World,
  { operation }: Pick<ProtectedRoute, "operation">,
  caller: Caller,
): Promise<Record<string, string>> {
  const purpose = purposeOf(world, operation);
  return purpose === undefined ? {} : await proofOf(world, caller, purpose);
}

/** Only the oldest account may call it. */
export function isForOldest({ operation }: Pick<ProtectedRoute, "operation">): boolean {
  return operation === "operations.backup";
}

/**
 * Every check passed. Version 1 writes and calls of the oldest account are refused only afterwards.
 */
export function assertPassed(route: Route, { status, text }: TestResponse, label: string): void {
  const isOthers = route.access !== "public" && isForOldest(route);
  const passed = isClosed(route) ? [410] : isOthers ? [200, 403] : [200, 201, 202];
  assert(passed.includes(status), `${label}: ${text}`);
}
