/** A snapshot of a resource, what was measured of it at a moment: its form and rules. No SQL, no HTTP. */

import { datetime, textarea } from "../../catalog/fields.ts";
import type { FieldSet } from "../../catalog/module.ts";
import { RESOURCE } from "../../catalog/modules/resource.ts";
import type { PayloadView } from "../../catalog/payload_view.ts";
import { notInTheFuture, rule } from "../../catalog/rules.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { newColumns, present } from "../kit/fields.ts";
import {
  component,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import { FIGURE, FIGURE_NAMES, type Figures, figuresOf } from "./figures.ts";
import type { ResourceRow } from "./resource.ts";

/** What a request says of a resource, as columns. */
interface Measurement extends Figures {
  readonly observed_at: Date;
  readonly note: string | null;
}

/** A snapshot as read from the database. */
export interface ResourceSnapshotRow extends Measurement {
  readonly snapshot_id: string;
  readonly resource_id: string;
  /** The revision that the resource had when the snapshot was recorded. */
  readonly resource_revision: number;
  /** The unit of that revision. */
  readonly unit: string | null;
  readonly created_at: Date;
}

/** A snapshot as a client sees it. */
export interface ResourceSnapshot extends Figures {
  readonly snapshotId: string;
  readonly resourceId: string;
  readonly resourceRevision: number;
  readonly observedAt: string;
  readonly unit: string | null;
  readonly note: string | null;
  readonly createdAt: string;
}

/** The schema of each member, in the order of `showSnapshot`. */
export const SNAPSHOT_MEMBERS = {
  snapshotId: ULID,
  resourceId: ULID,
  resourceRevision: REVISION,
  observedAt: TIME,
  amount: FIGURE,
  unit: nullable(TEXT),
  capacity: FIGURE,
  available: FIGURE,
  level: FIGURE,
  note: nullable(TEXT),
  createdAt: TIME,
} as const satisfies { readonly [Name in keyof ResourceSnapshot]: JsonSchema };

export const RESOURCE_SNAPSHOT_SCHEMA: JsonSchema = component<ResourceSnapshot>(
  "ResourceSnapshot",
  SNAPSHOT_MEMBERS,
);

/** The public form of a snapshot. */
export function showSnapshot(row: ResourceSnapshotRow): ResourceSnapshot {
  return {
    snapshotId: row.snapshot_id,
    resourceId: row.resource_id,
    resourceRevision: row.resource_revision,
    observedAt: row.observed_at.toISOString(),
    amount: row.amount,
    unit: row.unit,
    capacity: row.capacity,
    available: row.available,
    level: row.level,
    note: row.note,
    createdAt: row.created_at.toISOString(),
  };
}

/** The figures are those of a resource, under the same bounds and rules. */
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

/**
 * What a request has measured.
 *
 * @throws ServiceError `PAYLOAD_INVALID` as the fields and rules of a snapshot say.
 */
export function toMeasurement(body: JsonObject, now: Date): Measurement {
  return newColumns({ fields: SNAPSHOT_FIELDS, columns }, body, { now, recordId: "" });
}

function columns(fields: PayloadView): Measurement {
  return {
    observed_at: present(fields.date("observedAt")),
    ...figuresOf(fields),
    note: fields.text("note") ?? null,
  };
}

/** A snapshot of a resource as it now is. */
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
