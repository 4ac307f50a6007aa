// engines: postgres

import { assert, assertEquals } from "@std/assert";
import { readCommand } from "../../src/operator/admin/command.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { DEMO_RESOURCES as SAMPLES } from "../../src/operator/seed/demo/samples.ts";
import { lifeAt } from "../../src/operator/seed/sample.ts";
import { walkPages } from "../http/kernel.ts";
import { done, read } from "../families/memory/api.ts";
import { NETWORK, OVERLOAD_ANALYSES, resourcePath, RESOURCES } from "../families/resource/api.ts";
import { createWorld, type Json } from "../support/world.ts";
import { emailOf, servicesOf } from "./operator.ts";

Deno.test("Sample life has resources of many types, with snapshots and revisions", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const command = readCommand({ command: "seed demo", owner: emailOf(caller) });
  await runAdminCommand(servicesOf(world), command);
  const resources: Json[] = (await walkPages(caller, RESOURCES, { archived: "include" })).flat();
  assertEquals(resources.map(({ name }) => name).sort(), SAMPLES.map(({ name }) => name).sort());
  assert(resources.some(({ archivedAt }) => archivedAt !== null));
  assert(resources.some(({ revision, archivedAt }) => revision > 2 && archivedAt === null));
  assert(new Set(resources.map(({ resourceType }) => resourceType)).size >= 6);
  const records = (await walkPages(caller, "/api/v2/records/resource", { archived: "include" }))
    .flat();
  assertEquals(records.map(({ sourceType }) => sourceType), resources.map(() => "SEED"));

  const life = lifeAt(world.now(), new Map());
  for (const { name, resource, snapshots = [], changes = [] } of SAMPLES) {
    const stored = resources.find((each) => each.name === name);
    const kept = (await walkPages(caller, resourcePath(stored, "/snapshots"))).flat();
    assertEquals(
      kept.map(({ observedAt }) => observedAt).sort(),
      snapshots.map((snapshot) => life.fill(snapshot).observedAt).sort(),
    );
    // Accepted by current rules.
    const again = await done(caller, RESOURCES, { name, ...life.fill(resource) });
    const set = Object.assign({}, ...changes.map((change) => life.fill(change)));
    for (const [field, value] of Object.entries({ ...life.fill(resource), ...set })) {
      assertEquals(stored[field], value, `${name}, ${field}`);
    }
    for (const snapshot of snapshots) {
      await done(caller, resourcePath(again, "/snapshots"), life.fill(snapshot));
    }
  }
  const { items } = await read(caller, NETWORK);
  assert(items.some(({ latestSnapshot }: Json) => latestSnapshot !== null));
  const { counts } = await done(caller, OVERLOAD_ANALYSES, {});
  assert(counts.normal > 0 && counts.warning > 0 && counts.unknown > 0);
});
