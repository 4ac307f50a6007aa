/** Measurements of a resource at one time. */

import { datetime, textarea } from "../../catalog/fields.ts";
import type { FieldSet } from "../../catalog/module.ts";
import { RESOURCE } from "../../catalog/modules/resource.ts";
import { notInTheFuture, rule } from "../../catalog/rules.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import { keptFields } from "../../kit/declaration.ts";
import { newColumns } from "../../kit/fields.ts";
import { clocks, id, longText, revision, shortText, stamp, time } from "../../kit/kinds.ts";
import { component, type JsonSchema } from "../../validate/json_schema.ts";
import { figure, FIGURE_NAMES, FIGURES } from "./figures.ts";
import type { ResourceRow } from "./resource.ts";

/** Columns in the order of an export. */
const SNAPSHOT = {
  snapshot_id: id,
  resource_id: id,
  /** The resource's revision when the snapshot was recorded. */
  resource_revision: revision,
  observed_at: time,
  amount: figure,
  /** Stored with that revision, not with the snapshot. */
  unit: orNull(shortText()),
  capacity: figure,
  available: figure,
  level: figure,
  note: orNull(longText),
  created_at: stamp,
  clocks,
};

const { unit: _, ...KEPT } = SNAPSHOT;

export const SNAPSHOT_COLUMNS = KEPT;

export type ResourceSnapshotRow = RowOf<typeof SNAPSHOT>;

export type ResourceSnapshot = ShownOf<typeof SNAPSHOT>;

export const SNAPSHOT_MEMBERS = membersOf(SNAPSHOT);

export const RESOURCE_SNAPSHOT_SCHEMA: JsonSchema = component("ResourceSnapshot", SNAPSHOT_MEMBERS);

export function showSnapshot(row: ResourceSnapshotRow): ResourceSnapshot {
  return showColumns(SNAPSHOT, row);
}

const MEASURED = { observed_at: time, ...FIGURES, note: orNull(longText), clocks };
type Measurement = RowOf<typeof MEASURED>;

/** Figures have the bounds and rules of a resource's. */
export const SNAPSHOT_FIELDS: FieldSet = {
  fields: [
    datetime("observedAt", { required: true }),
    ...RESOURCE.fields.filter(({ name }) => FIGURE_NAMES.includes(name)),
    textarea("note"),
  ],
  rules: [
    ...RESOURCE.rules,
    rule(
      "snapshot.observed_at_not_in_the_future",
      "observedAt is not in the future",
      notInTheFuture("observedAt"),
    ),
    rule("snapshot.has_a_figure", "a snapshot has at least one figure", {
      fields: FIGURE_NAMES,
      holds: (fields) => FIGURE_NAMES.some((name) => fields.has(name)),
    }),
  ],
};

export function toMeasurement(body: JsonObject, now: Date): Measurement {
  return newColumns(keptFields(MEASURED, SNAPSHOT_FIELDS), body, { now, recordId: "" });
}

export function takeSnapshot(
  { resource_id, revision, unit }: ResourceRow,
  measurement: Measurement,
  now: Date,
): ResourceSnapshotRow {
  return {
    snapshot_id: newId(now),
    resource_id,
    resource_revision: revision,
    unit,
    ...measurement,
    created_at: now,
  };
}
