import { RESOURCE } from "../../catalog/modules/resource.ts";
import { rootParts } from "../../kit/declaration.ts";
import { type StoredRoot, storedRoot } from "../../kit/tables.ts";
import {
  projectionEntries,
  type SourceType,
  TITLE_LENGTH,
  toProjection,
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
      projectionEntries(
        sql,
        owner,
        toProjection(row, change, {
          recordId: row.resource_id,
          module: RESOURCE,
          sourceType,
          title: firstCodePoints(row.name, TITLE_LENGTH),
          summary: row.resource_type,
          payload: RESOURCE_FIELDS.read(row),
        }),
      ),
  });
}

export const STORED_RESOURCES = resourcesFrom("USER_INPUT");
export const RESOURCES = STORED_RESOURCES.root;
