import { RESOURCE } from "../../catalog/modules/resource.ts";
import { rootParts } from "../../kit/declaration.ts";
import { type StoredRoot, storedRoot } from "../../kit/tables.ts";
import {
  type Projection,
  projectionEntries,
  type SourceType,
  TITLE_LENGTH,
} from "../../records/port.ts";
import { firstCodePoints } from "../../validate/text.ts";
import {
  type Resource,
  RESOURCE_FIELDS,
  RESOURCE_ROOT,
  RESOURCE_SCHEMA,
  type ResourceRow,
} from "./resource.ts";

export interface ResourceTypes {
  readonly key: { readonly resourceId: string };
  readonly row: ResourceRow;
  readonly change: "MODIFIED";
  readonly shown: Resource;
}

export function resourcesFrom(sourceType: SourceType): StoredRoot<ResourceTypes> {
  return storedRoot<ResourceTypes>({
    module: "resource",
    policy: "resource",
    keyNames: ["resourceId"],
    ...rootParts(RESOURCE_ROOT),
    schema: RESOURCE_SCHEMA,
    isNamed: (sql, { resourceId }) => sql`resource_id = ${resourceId}`,
    entries: (sql, owner, row, change) =>
      projectionEntries(sql, owner, toProjection(row, change, sourceType)),
  });
}

export const STORED_RESOURCES = resourcesFrom("USER_INPUT");
export const RESOURCES = STORED_RESOURCES.root;

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
