/** Tokens that are limited to modules: accepted and rejected requests. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { PERMISSIONS } from "../../src/access/permissions.ts";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { createPerson } from "../families/relationship/api.ts";
import { askForToken, makeToken } from "../support/tokens.ts";
import { type Caller, callerOf, type Json, sharedWorld } from "../support/world.ts";
import { assertRefused } from "./access.ts";
import { ACTION } from "./calendar.ts";
import { follow } from "./changes.ts";
import { assertInvalid, COMMITMENT, walkPages } from "./kernel.ts";

const world = sharedWorld();
const TOKENS = "/api/v2/auth/tokens";

async function limited(caller: Caller, modules: readonly string[]): Promise<Caller> {
  const { token } = await makeToken(world(), caller, { permissions: PERMISSIONS, modules });
  return callerOf(world().app, { ...caller, secret: token });
}

Deno.test("A token has its modules in the order of the catalog, wherever it is shown", async () => {
  const caller = await world().createCaller();
  const { token: _, ...made } = await makeToken(world(), caller, {
    modules: ["memory", "commitment", "relationship"],
  });
  assertEquals(made.modules, ["relationship", "commitment", "memory"]);
  assertEquals((await caller.call("GET", `${TOKENS}/${made.tokenId}`)).body.data, made);
  assertEquals((await caller.call("GET", TOKENS)).body.data.items, [made]);
});

Deno.test("POST tokens refuses modules by field and rule", async () => {
  const caller = await world().createCaller();
  const wrong: readonly [unknown, string][] = [
    [[], "field.length"],
    [["commitment", "commitment"], "field.repeated"],
    [["nothing"], "field.option"],
    ["commitment", "field.type"],
    [null, "field.type"],
    [[1], "field.type"],
  ];
  for (const [modules, rule] of wrong) {
    assertInvalid(await askForToken(world(), caller, { modules }), [rule], ["modules"]);
  }
});

Deno.test("Generic routes outside of the modules are FORBIDDEN before any other check", async () => {
  const caller = await world().createCaller();
  const reader = await limited(caller, ["commitment"]);
  for (const { code } of CATALOG.modules) {
    const path = `/api/v2/records/${code}`;
    const calls: readonly [string, string, Json?][] = [
      ["GET", path],
      ["GET", `${path}?unknown=1`],
      ["POST", path, {}],
      ["GET", `${path}/x`],
      ["PATCH", `${path}/x`, {}],
      ["POST", `${path}/x/archive`],
      ["POST", `${path}/x/restore`],
      ["GET", `${path}/x/revisions`],
      ["GET", `${path}/x/executions`],
      ["POST", `${path}/x/features/XXX-001`, {}],
    ];
    for (const [method, called, body] of calls) {
      const response = await reader.call(method, called, body === undefined ? {} : { body });
      assertEquals(response.status === 403, code !== "commitment", `${method} ${called}`);
    }
  }
  assertRefused(await reader.call("GET", "/api/v2/records/nothing"), "RECORD_MODULE_NOT_FOUND");
  const created = await reader.create("commitment", COMMITMENT, "Ladder");
  assertEquals((await reader.call("GET", `/api/v2/records/commitment`)).body.data.items, [created]);
});

Deno.test("Each route of a family, of version 1, of files, imports and the trail needs its module", async () => {
  const caller = await world().createCaller();
  const all = CATALOG.modules.map(({ code }) => code);
  const routes = world().app.routes.flatMap((route) => route.access === "credential" ? route : []);
  const words = new Set(routes.map(({ module }) => module));
  const modules = [...words].filter((word) => word !== null && word !== "checks itself").sort();
  const families = ["capture", "decision", "identity", "memory", "relationship", "resource"];
  assertEquals(modules, ["all", ...families, "taxonomy"]);
  for (const module of modules) {
    const inside = module === "all" ? null : await limited(caller, [module]);
    const outside = await limited(caller, all.filter((code) => code !== module));
    for (const route of routes) {
      if (route.module !== module) continue;
      const path = route.path.replace(/:\w+/g, "x");
      const { method } = route;
      assertRefused(await outside.call(method, path), "FORBIDDEN");
      const response = await inside?.call(method, path);
      assert(response?.body?.error?.code !== "FORBIDDEN", `${method} ${path}`);
    }
  }
});

Deno.test("Search, changes and due leave the other modules out, and pass on", async () => {
  const caller = await world().createCaller();
  const dueAt = world().now().toISOString();
  for (let count = 0; count < 2; count++) {
    await caller.create("commitment", { ...COMMITMENT, dueAt }, "Ladder");
    await caller.create("action", { ...ACTION, targetDate: dueAt }, "Ladder");
  }
  await createPerson(caller, { personName: "Ladder", desiredContactIntervalDays: 1 });
  const reader = await limited(caller, ["commitment"]);
  const { items } = (await reader.call("POST", "/api/v2/search", { body: { q: "ladder" } })).body
    .data;
  assertEquals(items.map(({ moduleCode }: Json) => moduleCode), ["commitment", "commitment"]);
  const named = { q: "ladder", modules: ["commitment", "action"] };
  assertRefused(await reader.call("POST", "/api/v2/search", { body: named }), "FORBIDDEN");
  const due = (await walkPages(reader, "/api/v2/due", { limit: "1" })).flat();
  assertEquals(due.map(({ moduleCode }) => moduleCode), ["commitment", "commitment"]);
  // All five are in the feed now.
  await follow(caller, 5);
  const changes = (await reader.call("GET", "/api/v2/changes?limit=1")).body.data;
  assertEquals(changes.items[0].moduleCode, "commitment");
  const rest = await reader.call(
    "GET",
    `/api/v2/changes?after=${encodeURIComponent(changes.nextCursor)}`,
  );
  assertEquals(rest.body.data.items.length, 1);
  assertEquals(rest.body.data.hasMore, false);
});

Deno.test("Assignments to records of other modules are not listed", async () => {
  const caller = await world().createCaller();
  const tag = (await caller.call("POST", "/api/v2/taxonomy/tags", {
    body: { name: "Garden" },
    key: ulid(),
  })).body.data;
  const assigned: Json[] = [];
  for (const [moduleCode, payload] of [["commitment", COMMITMENT], ["action", ACTION]] as const) {
    const { recordId } = await caller.create(moduleCode, payload, "Ladder");
    assigned.push({ termId: tag.termId ?? tag.tagId, moduleCode, recordId });
  }
  const path = "/api/v2/taxonomy/assignments";
  for (const body of assigned) await caller.call("POST", path, { body, key: ulid() });
  const reader = await limited(caller, ["taxonomy", "commitment"]);
  const [, outside = {}] = assigned;
  const listed = await reader.call("GET", `${path}?termId=${outside.termId}`);
  assertEquals(listed.body.data.items.map(({ moduleCode }: Json) => moduleCode), ["commitment"]);
  const query = `moduleCode=action&recordId=${outside.recordId}`;
  assertRefused(await reader.call("GET", `${path}?${query}`), "FORBIDDEN");
  assertRefused(await reader.call("POST", path, { body: outside, key: ulid() }), "FORBIDDEN");
});

Deno.test("Usage of terms counts only records of the modules that a token reaches", async () => {
  const caller = await world().createCaller();
  const make = async (kind: string, body: Json) =>
    (await caller.call("POST", `/api/v2/taxonomy/${kind}`, { body, key: ulid() })).body.data;
  const home = await make("categories", { name: "Home" });
  const garden = await make("categories", { name: "Garden", parentId: home.termId });
  const tag = await make("tags", { name: "Urgent" });
  for (const [moduleCode, payload] of [["commitment", COMMITMENT], ["action", ACTION]] as const) {
    const { recordId } = await caller.create(moduleCode, payload, "Ladder");
    for (const termId of [home.termId, garden.termId, tag.termId]) {
      const body = { termId, moduleCode, recordId };
      await caller.call("POST", "/api/v2/taxonomy/assignments", { body, key: ulid() });
    }
  }
  const usageOf = async (reader: Caller) => {
    const { items } = (await reader.call("GET", "/api/v2/taxonomy/usage")).body.data;
    const rows = items.map(({ name, direct, total, modules, lastAssignedAt }: Json) => [
      name,
      direct,
      total,
      lastAssignedAt !== null,
      ...modules.map(({ moduleCode, count }: Json) => `${moduleCode} ${count}`),
    ]);
    return rows.toSorted(([one]: Json, [other]: Json) => one < other ? -1 : 1);
  };
  const counts = (count: number, ...modules: string[]) =>
    ["Garden", "Home", "Urgent"].map((name) => [name, count, count, count > 0, ...modules]);
  assertEquals(await usageOf(caller), counts(2, "action 1", "commitment 1"));
  assertEquals(await usageOf(await limited(caller, ["taxonomy"])), counts(0));
  assertEquals(
    await usageOf(await limited(caller, ["taxonomy", "commitment"])),
    counts(1, "commitment 1"),
  );
});
