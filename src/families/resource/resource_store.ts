/** The stored resources: a root, the ledger of its revisions, and the projection of both. */

import { RESOURCE } from "../../catalog/modules/resource.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { type StoredRoot, storedRoot } from "../kit/tables.ts";
import {
  type Projection,
  projectionEntries,
  type SourceType,
  TITLE_LENGTH,
} from "../../records/port.ts";
import { firstCodePoints } from "../../validate/text.ts";
import { figureColumns, figureValues } from "./figures.ts";
import {
  type Resource,
  RESOURCE_FIELDS,
  RESOURCE_SCHEMA,
  type ResourceRow,
  showResource,
} from "./resource.ts";

/** The types of the family's root. */
export interface ResourceTypes {
  readonly key: { readonly resourceId: string };
  readonly row: ResourceRow;
  readonly change: "MODIFIED";
  readonly shown: Resource;
}

/** Resources; new ones come from `sourceType`. */
export function resourcesFrom(sourceType: SourceType): StoredRoot<ResourceTypes> {
  return storedRoot<ResourceTypes>({
    module: "resource",
    policy: "resource",
    keyNames: ["resourceId"],
    idOf: (row) => row.resource_id,
    show: showResource,
    schema: RESOURCE_SCHEMA,
    tables: (sql) => ({
      root: sql`resources`,
      ledger: sql`resource_revisions`,
      id: sql`resource_id`,
      fixed: sql`resource_id`,
      changing: sql`archived_at, resource_type, ${figureColumns(sql)}, unit, name, notes`,
      short: sql`archived_at, resource_type, ${figureColumns(sql)}, unit`,
      // A name is short, and never null, as the first of these columns must be.
      long: { kind: "text", columns: { name: sql`name`, notes: sql`notes` }, hidden: null },
    }),
    isNamed: (sql, { resourceId }) => sql`resource_id = ${resourceId}`,
    fixedValues: (sql, row) => sql`${row.resource_id}`,
    changingValues: (sql, row) =>
      sql`${row.archived_at}::timestamptz, ${row.resource_type}, ${figureValues(sql, row)},
        ${row.unit}, ${row.name}, ${row.notes}`,
    entries: (sql, owner, row, change) =>
      projectionEntries(sql, owner, toProjection(row, change, sourceType)),
  });
}

/** The columns of `ResourceRow`. */
export function resourceColumns(sql: Sql): Query<object> {
  return sql`${shortResourceColumns(sql)}, name, notes`;
}

/** The same but name and notes. */
export function shortResourceColumns(sql: Sql): Query<object> {
  return sql`resource_id, revision, revision_id, created_at, updated_at, archived_at, resource_type,
    ${figureColumns(sql)}, unit`;
}

/** Resources as requests write them. */
export const STORED_RESOURCES = resourcesFrom("USER_INPUT");
export const RESOURCES = STORED_RESOURCES.root;

/** What generic reads show of a resource. */
function toProjection(
  row: ResourceRow,
  change: Projection["change"],
  sourceType: SourceType,
): Projection {
  return {
    recordId: row.resource_id,
    module: RESOURCE,
    sourceType,
    change,
    revision: row.revision,
    revisionId: row.revision_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    title: firstCodePoints(row.name, TITLE_LENGTH),
    summary: row.resource_type,
    payload: RESOURCE_FIELDS.read(row),
    unshown: {},
    guard: null,
  };
}
