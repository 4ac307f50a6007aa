/** Atomic writes about a resource. */

import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import {
  keep,
  OVERLOAD_ANALYSES,
  RESOURCE,
  RESOURCE_EXPORTS,
  resourcePath,
  RESOURCES,
  SNAPSHOT,
} from "../families/resource/api.ts";
import { assertWholeOrNothing, faultyDatabase } from "../support/faulty_database.ts";
import { callerOf, fileWorld } from "../support/world.ts";

const world = fileWorld();

const TABLES = [
  "resources",
  "resource_revisions",
  "resource_snapshots",
  "records",
  "record_revisions",
  "search_index",
  "executions",
  "audit_entries",
  "idempotency_envelopes",
];

Deno.test("Each write about a resource is atomic, wherever it breaks off", async () => {
  const faulty = faultyDatabase(world().database);
  const owner = await world().createCaller();
  const caller = callerOf(world().again({ database: faulty.database }), owner);
  const resource = await keep(owner);
  const at = (below: string) => resourcePath(resource, below);
  const writes: readonly [string, string, JsonObject][] = [
    ["POST", RESOURCES, RESOURCE],
    ["PATCH", at(""), { expectedRevision: 1, set: { notes: "Ask Ana." } }],
    ["POST", at("/snapshots"), SNAPSHOT],
    ["POST", at("/archive"), {}],
    ["POST", at("/restore"), {}],
    ["POST", OVERLOAD_ANALYSES, {}],
    ["POST", RESOURCE_EXPORTS, { format: "CSV" }],
  ];
  for (const [method, path, body] of writes) {
    const key = ulid();
    const send = () => caller.call(method, path, { key, body });
    await assertWholeOrNothing(world(), faulty, TABLES, send);
  }
});
