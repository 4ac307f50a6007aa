/** Resource texts in ledgers, log, errors, or for another owner. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { Markers } from "../support/markers.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import { patch } from "../families/decision/api.ts";
import { done, post } from "../families/memory/api.ts";
import {
  keep,
  measure,
  NETWORK,
  OVERLOAD_ANALYSES,
  RESOURCE,
  RESOURCE_EXPORTS,
  resourcePath,
  RESOURCES,
  SNAPSHOT,
} from "../families/resource/api.ts";

const shared = fileWorld();

/** Every text marked, with snapshot, analysis and exports. */
async function markedResource(
  caller: Caller,
  markers: Markers,
): Promise<{ readonly resource: Json; readonly snapshot: Json }> {
  const mark = (purpose: string) => ({ [purpose]: markers.make(purpose) });
  const words = () => ({ ...mark("name"), ...mark("unit"), ...mark("notes") });
  const resource = await keep(caller, { resourceType: "NETWORK", ...words() });
  const path = resourcePath(resource);
  await patch(caller, path, { expectedRevision: 1, set: words() });
  const snapshot = await measure(caller, resource, mark("note"));
  await done(caller, OVERLOAD_ANALYSES, {});
  await done(caller, RESOURCE_EXPORTS, { format: "CSV" });
  await done(caller, RESOURCE_EXPORTS, { format: "JSON", dataset: "SNAPSHOTS" });
  return { resource, snapshot };
}

Deno.test("No audit entry, envelope, execution or log line has text of a resource", async () => {
  const world = shared();
  const markers = new Markers();
  await markedResource(await world.createCaller(), markers);
  const columns = Object.keys(await markers.assertLedgersTellNothing(world));
  assertEquals(columns.sort(), [
    "record_order.order_form",
    "record_revisions.payload",
    "record_revisions.title",
    "records.payload",
    "records.title",
    "resource_revisions.name",
    "resource_revisions.notes",
    "resource_revisions.unit",
    "resource_snapshots.note",
    "resources.name",
    "resources.notes",
    "resources.unit",
    "search_index.lexemes",
  ]);
});

Deno.test("No route shows another owner text of a resource", async () => {
  const world = shared();
  const markers = new Markers();
  const { resource, snapshot } = await markedResource(await world.createCaller(), markers);
  const other = await world.createCaller();
  const path = resourcePath(resource);
  const snapshotPath = `${path}/snapshots/${snapshot.snapshotId}`;
  for (
    const read of [
      RESOURCES,
      path,
      `${path}?revision=1`,
      `${path}/revisions`,
      `${path}/snapshots`,
      snapshotPath,
      NETWORK,
      OVERLOAD_ANALYSES,
      RESOURCE_EXPORTS,
      "/api/v2/records/resource",
      `/api/v2/records/resource/${resource.resourceId}`,
    ]
  ) {
    assertEquals(markers.inResponse(await other.call("GET", read)), [], read);
  }
  for (const dataset of ["RESOURCES", "SNAPSHOTS"]) {
    const exported = await post(other, RESOURCE_EXPORTS, { format: "CSV", dataset });
    assertEquals([exported.body.data.count, markers.inResponse(exported)], [0, []]);
  }
});

Deno.test("No resource error repeats what was sent or stored", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const { resource } = await markedResource(caller, markers);
  const path = resourcePath(resource);
  const word = markers.make("sent");
  const refused: [string, JsonObject][] = [
    [RESOURCES, { ...RESOURCE, resourceType: word, name: word, amount: word, [word]: word }],
    [RESOURCES, { resourceType: "TIME", name: word.repeat(40), unit: `${word}\n` }],
    [`${path}/snapshots`, { ...SNAPSHOT, note: 1, observedAt: word, [word]: word }],
    [OVERLOAD_ANALYSES, { resourceIds: [word], warningFrom: word }],
    [RESOURCE_EXPORTS, { format: word, dataset: word, cursor: word }],
    [RESOURCE_EXPORTS, { format: "JSON", cursor: word }],
  ];
  for (const [target, body] of refused) {
    markers.assertTellsNothing(await post(caller, target, body), target);
  }
  const stale = { expectedRevision: 1, set: { name: word } };
  markers.assertTellsNothing(await patch(caller, path, stale), "a stale patch");
  const unknown = { expectedRevision: 2, set: { [word]: word }, remove: [word] };
  markers.assertTellsNothing(await patch(caller, path, unknown), "an undeclared field");
  const filtered = await caller.call("GET", `${RESOURCES}?resourceType=${word}`);
  markers.assertTellsNothing(filtered, "a filter");
  assertEquals(markers.in(JSON.stringify(world.log)), []);
});
