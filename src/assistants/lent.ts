/** The view of an assistant: the modules lent to it, and of their records those that are not hidden from all. */

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

/** An assistant, and the part of its owner's records that it reads. */
export interface LentScope {
  readonly owner: string;
  readonly assistantId: string;
  readonly rights: AssistantRights;
  /** In the order of the catalog: those that the account's permissions of today open. */
  readonly modules: readonly CatalogModule[];
  /** The caller, limited to these modules. */
  readonly reader: Caller;
}

/** The part that is lent to a caller. */
export function lentScope(catalog: Catalog, caller: Caller): LentScope {
  const { account, credential, permissions, assistant } = caller;
  if (assistant === undefined) throw new Error("The caller is not an assistant");
  const isOpen = permissions.has("platform.operate") && permissions.has("record.read");
  const modules = catalog.modules.filter((module) => isOpen && seesModule(caller, module));
  const reader = { ...caller, modules: new Set(modules.map(({ code }) => code)) };
  const { accountId: owner } = account;
  return { owner, assistantId: credential.id, rights: assistant, modules, reader };
}

/** @throws ServiceError `RECORD_MODULE_NOT_FOUND`, also for a module that exists and is not lent. */
export function lentModule({ modules }: LentScope, code: string): CatalogModule {
  const module = modules.find((lent) => lent.code === code);
  if (module === undefined) throw new ServiceError("RECORD_MODULE_NOT_FOUND");
  return module;
}

/** The audiences that an assistant is of. */
export function audiencesOf({ showsSensitive }: AssistantRights): readonly LentAudience[] {
  return showsSensitive ? ["ALL", "SENSITIVE"] : ["ALL"];
}

/** Whether an assistant sees a field, or the title of a record. */
export function showsText(
  rights: AssistantRights,
  module: Pick<CatalogModule, "code" | "fields">,
  name: string,
): boolean {
  const audience = audienceOf(module, name);
  return audience !== "NONE" && audiencesOf(rights).includes(audience);
}

/** A condition on records, which begins with `and`: they are neither guarded nor those of sealed people. */
export function isVisible(sql: Sql, owner: string, recordId: Query<object>): Query<object> {
  return sql`and guard is null and not (module_code = 'relationship'
    and ${isSealedPerson(sql, sql`${owner}`, recordId)})`;
}

/**
 * Reads a record of a lent module, now or at a revision.
 *
 * @throws ServiceError `RECORD_NOT_FOUND` for an absent one, and for each that the assistant may not see.
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
