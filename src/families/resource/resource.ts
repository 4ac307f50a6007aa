/** A resource as it is stored, and as a client sees it (specification, Module fields). */

import { textField } from "../../catalog/field_schema.ts";
import { RESOURCE } from "../../catalog/modules/resource.ts";
import { type KeptFields, present, presentFields } from "../kit/fields.ts";
import { revisionSchema } from "../kit/list_routes.ts";
import { type ArchivableRow, ROOT_MEMBERS, type ShownRoot, showRoot } from "../kit/root.ts";
import {
  component,
  type JsonSchema,
  nullable,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import { FIGURE, type Figures, figuresOf } from "./figures.ts";

/** The fields of a resource as columns; null for each that has no value. */
export interface ResourceColumns extends Figures {
  readonly resource_type: string;
  readonly name: string;
  /** What amount, capacity and available count. */
  readonly unit: string | null;
  readonly notes: string | null;
}

/** A resource, or one of its revisions, as read from the database. */
export interface ResourceRow extends ArchivableRow, ResourceColumns {
  readonly resource_id: string;
}

/** A resource as a client sees it. */
export interface Resource extends Figures, ShownRoot {
  readonly resourceId: string;
  readonly resourceType: string;
  readonly name: string;
  readonly unit: string | null;
  readonly notes: string | null;
  readonly archivedAt: string | null;
}

/** One of the module's types. */
export const RESOURCE_TYPE = textField(RESOURCE, "resourceType");

/** The schema of each member, in the order of `showResource`. */
export const RESOURCE_MEMBERS = {
  resourceId: ULID,
  resourceType: RESOURCE_TYPE.json,
  name: TEXT,
  amount: FIGURE,
  unit: nullable(TEXT),
  capacity: FIGURE,
  available: FIGURE,
  level: FIGURE,
  notes: nullable(TEXT),
  ...ROOT_MEMBERS,
  archivedAt: nullable(TIME),
} as const satisfies { readonly [Name in keyof Resource]: JsonSchema };

export const RESOURCE_SCHEMA: JsonSchema = component<Resource>("Resource", RESOURCE_MEMBERS);

export const RESOURCE_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "ResourceRevision",
  RESOURCE_MEMBERS,
  ["CREATED", "MODIFIED", "ARCHIVED", "RESTORED"],
);

/** The public form of a resource. */
export function showResource(row: ResourceRow): Resource {
  return {
    resourceId: row.resource_id,
    resourceType: row.resource_type,
    name: row.name,
    amount: row.amount,
    unit: row.unit,
    capacity: row.capacity,
    available: row.available,
    level: row.level,
    notes: row.notes,
    ...showRoot(row),
    archivedAt: row.archived_at?.toISOString() ?? null,
  };
}

/** The module's fields, each in a column of its own. */
export const RESOURCE_FIELDS: KeptFields<ResourceRow, ResourceColumns> = {
  fields: RESOURCE,
  read: ({ resource_type: resourceType, name, amount, unit, capacity, available, level, notes }) =>
    presentFields({ resourceType, name, amount, unit, capacity, available, level, notes }),
  columns: (fields) => ({
    resource_type: present(fields.text("resourceType")),
    name: present(fields.text("name")),
    ...figuresOf(fields),
    unit: fields.text("unit") ?? null,
    notes: fields.text("notes") ?? null,
  }),
};
