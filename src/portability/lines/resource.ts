import { lineType, projectedAs, rootType } from "../description.ts";
import { id, integer, number, optional, stamp, text, time } from "../kinds.ts";
import { ARCHIVED } from "./shared.ts";

export const RESOURCE_LINES = rootType("resource", {
  table: "resources",
  ledger: "resource_revisions",
  projection: projectedAs("resource"),
  fixed: { resource_id: id },
  changing: {
    ...ARCHIVED,
    resource_type: text,
    name: text,
    amount: optional(number),
    unit: optional(text),
    capacity: optional(number),
    available: optional(number),
    level: optional(number),
    notes: optional(text),
  },
});

export const RESOURCE_SNAPSHOT_LINES = lineType("resourceSnapshot", {
  table: "resource_snapshots",
  columns: {
    snapshot_id: id,
    resource_id: id,
    resource_revision: integer,
    observed_at: time,
    amount: optional(number),
    capacity: optional(number),
    available: optional(number),
    level: optional(number),
    note: optional(text),
    created_at: stamp,
  },
});
