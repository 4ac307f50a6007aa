/** The scope of an assistant: the modules lent to it, without guarded records and sealed people. */

import type { AssistantRights, Caller } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule } from "../catalog/module.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { isSealedPerson } from "../families/relationship/port.ts";
import {
  audienceOf,
  findRecord,
  findRecordAt,
  type LentAudience,
  type RecordRow,
  seesModule,
  withinModule,
} from "../records/port.ts";

/** An assistant, and the part of its owner's records that it may read. */
export interface LentScope {
  readonly owner: string;
  readonly assistantId: string;
  readonly rights: AssistantRights;
  /** In the order of the catalog, limited by the account's current permissions. */
  readonly modules: readonly CatalogModule[];
  /** The caller, limited to these modules. */
  readonly reader: Caller;
}

/** @throws Error if the caller is not an assistant. */
export function lentScope(catalog: Catalog, caller: Caller): LentScope {
  const { account, credential, permissions, assistant } = caller;
  if (assistant === undefined) throw new Error("The caller is not an assistant");
  const isOpen = permissions.has("platform.operate") && permissions.has("record.read");
  const modules = catalog.modules.filter((module) => isOpen && seesModule(caller, module));
  const reader = { ...caller, modules: new Set(modules.map(({ code }) => code)) };
  const { accountId: owner } = account;
  return { owner, assistantId: credential.id, rights: assistant, modules, reader };
}

/** @throws ServiceError `RECORD_MODULE_NOT_FOUND` if the module is unknown or not lent. */
export function lentModule({ modules }: LentScope, code: string): CatalogModule {
  const module = modules.find((lent) => lent.code === code);
  if (module === undefined) throw new ServiceError("RECORD_MODULE_NOT_FOUND");
  return module;
}

/** Returns the audiences to which an assistant belongs. */
export function audiencesOf({ showsSensitive }: AssistantRights): readonly LentAudience[] {
  return showsSensitive ? ["ALL", "SENSITIVE"] : ["ALL"];
}

/** Returns whether an assistant may see a field, or the title of a record. */
export function showsText(
  rights: AssistantRights,
  module: Pick<CatalogModule, "code" | "fields">,
  name: string,
): boolean {
  const audience = audienceOf(module, name);
  return audience !== "NONE" && audiencesOf(rights).includes(audience);
}

/** Condition, beginning with `and`: the record is not guarded, and not that of a sealed person. */
export function isVisible(sql: Sql, owner: string, recordId: Query<object>): Query<object> {
  return sql`and guard is null and not (module_code = 'relationship'
    and ${isSealedPerson(sql, sql`${owner}`, recordId)})`;
}

/**
 * Reads a record of a lent module, now or at a revision.
 *
 * @throws ServiceError `RECORD_NOT_FOUND` if it does not exist, or the assistant may not see it.
 */
export async function findVisible(
  sql: Sql,
  catalog: Catalog,
  { owner }: LentScope,
  module: CatalogModule,
  recordId: string,
  revision?: number,
): Promise<RecordRow> {
  const [rows, sealed] = await Promise.all([
    revision === undefined
      ? findRecord(sql, owner, recordId)
      : findRecordAt(sql, owner, recordId, revision),
    sql`select 1 where ${isSealedPerson(sql, sql`${owner}`, sql`${recordId}`)}`,
  ]);
  const row = withinModule(catalog, module, rows[0]);
  if (row.guard !== null || sealed.length > 0) throw new ServiceError("RECORD_NOT_FOUND");
  return row;
}
