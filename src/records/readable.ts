/** For other rooms: whether generic reads serve a record. */

import { type Caller, reachesModule } from "../access/identity.ts";
import type { Permission } from "../access/permissions.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule } from "../catalog/module.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { requireReadable, withinModule } from "./module_access.ts";
import { isHidden, type Permissions } from "./record.ts";

/**
 * Returns the module, if the reader may read its records through the generic routes.
 *
 * @throws ServiceError `RECORD_MODULE_NOT_FOUND`; `FORBIDDEN` without `record.read`, or without the
 *   further permission of the module's family.
 */
export function requireReadableModule(
  catalog: Catalog,
  code: string,
  reader: Caller,
): CatalogModule {
  const module = requireReadable(catalog, code, reader);
  if (!reader.permissions.has("record.read")) throw new ServiceError("FORBIDDEN");
  return module;
}

/**
 * The permission to see a module's records outside its own routes, as in the changes feed:
 * `record.read`, or a dedicated module's read permission.
 */
function readPermissionOf({ access: entry }: CatalogModule): Permission {
  return entry === "GENERIC" ? "record.read" : entry.readPermission;
}

/** Whether a reader sees a module's records outside of its own routes. */
export function seesModule(
  reader: Pick<Caller, "permissions" | "modules">,
  module: CatalogModule,
): boolean {
  return reader.permissions.has(readPermissionOf(module)) && reachesModule(reader, module.code);
}

export interface ServedRecords {
  readonly modules: readonly CatalogModule[];
  readonly archived: "exclude" | "only" | "include";
  readonly permissions: Permissions;
  /**
   * A further condition on `module_code` and the identifier, which begins with `and`; by default
   * none.
   */
  readonly condition?: (sql: Sql, recordId: Query<object>) => Query<object>;
}

/** A record by an identifier of the statement, for a lateral join; no row unless it is served. */
export function findServed(
  sql: Sql,
  owner: string,
  recordId: Query<object>,
  { modules, archived, permissions, condition }: ServedRecords,
): Query<object> {
  const codes = modules.map(({ code }) => code).join(" ");
  const held = [...permissions].join(" ");
  // Without `offset 0` an index of the owner's live records could look as good as the key.
  return sql`
    select module_code, title, summary, payload, guard, created_at
      from (select module_code, guard, archived_at, title, summary, payload, created_at from records
             where owner_id = ${owner} and record_id = ${recordId} offset 0) stored
     where module_code = any (string_to_array(${codes}, ' '))
       and (guard is null or guard = any (string_to_array(${held}, ' ')))
       and (${archived} = 'include' or (${archived} = 'only') = (archived_at is not null))
       ${condition?.(sql, recordId) ?? sql``}`;
}

/** The titles of those records of an owner that are not guarded and of these modules. */
export function findTitles(
  sql: Sql,
  owner: string,
  recordIds: readonly string[],
  modules: readonly CatalogModule[],
): Query<{ readonly record_id: string; readonly title: string }> {
  return sql<{ record_id: string; title: string }>`
    select record_id, title from records
     where owner_id = ${owner} and guard is null
       and record_id = any (string_to_array(${recordIds.join(" ")}, ' '))
       and module_code = any (string_to_array(${modules.map(({ code }) => code).join(" ")}, ' '))`;
}

export interface RecordHead {
  readonly module_code: string;
  readonly guard: Permission | null;
}

/** The caller must check the module. */
export function findRecordHead(sql: Sql, owner: string, recordId: string): Query<RecordHead> {
  return sql<RecordHead>`
    select module_code, guard from records
     where owner_id = ${owner} and record_id = ${recordId}`;
}

export function findInModule(
  sql: Sql,
  owner: string,
  { code }: CatalogModule,
  recordId: string,
): Query<object> {
  return sql`
    select 1 from records
     where owner_id = ${owner} and record_id = ${recordId} and module_code = ${code}`;
}

/**
 * Checks that generic reads serve a record that was found by owner and id, with its content.
 *
 * @throws ServiceError `RECORD_NOT_FOUND` if it is not in the module; `FORBIDDEN` for a guarded
 *   record without the guard's permission.
 */
export function assertReadable(
  catalog: Catalog,
  module: CatalogModule,
  head: RecordHead | undefined,
  { permissions }: Caller,
): void {
  const { guard } = withinModule(catalog, module, head);
  if (isHidden(guard, permissions)) throw new ServiceError("FORBIDDEN");
}

/** A condition: a record is live, not guarded, and still at a revision. */
export function isLiveAt(
  sql: Sql,
  owner: Query<object>,
  recordId: Query<object>,
  revision: Query<object>,
): Query<object> {
  return sql`exists (
    select from records r
     where r.owner_id = ${owner} and r.record_id = ${recordId} and r.revision = ${revision}
       and r.archived_at is null and r.guard is null)`;
}
