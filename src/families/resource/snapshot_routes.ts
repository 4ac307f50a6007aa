/** RES-003: snapshots of measured amounts. They do not change the resource. */

import { entryEndpoints } from "../../kit/entry.ts";
import { fieldsBody } from "../../kit/fields.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { SNAPSHOT_FIELDS, takeSnapshot, toMeasurement } from "./snapshot.ts";
import { RESOURCE_SNAPSHOTS, writeSnapshot } from "./snapshot_store.ts";
import { RESOURCES } from "./resource_store.ts";

export function createSnapshotEndpoints(
  services: FamilyServices,
): Readonly<Record<"append" | "list" | "detail", Endpoint>> {
  return entryEndpoints(services, RESOURCES, RESOURCE_SNAPSHOTS, {
    append: {
      summary: "Record measured amounts of a resource",
      body: fieldsBody(SNAPSHOT_FIELDS),
      example: { observedAt: "2026-06-01T12:00:00Z", available: 12.5, note: "After the holidays" },
      check: (body, now) => void toMeasurement(body, now),
      decide(resource, body, { call: { caller, now } }) {
        const row = takeSnapshot(resource, toMeasurement(body, now), now);
        return writeSnapshot(caller.account.accountId, row);
      },
    },
    list: { summary: "List the snapshots of a resource, newest first" },
    detail: { summary: "Read a snapshot" },
  });
}
