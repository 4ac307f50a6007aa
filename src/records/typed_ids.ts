/** A family's objects without a record: the Record Kernel knows only their identifiers. */

import type { Caller } from "../access/identity.ts";
import type { CatalogModule } from "../catalog/module.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";

/** Selects which of some identifiers are typed objects of an owner. */
type FindTypedIds = (
  sql: Sql,
  owner: string,
  ids: readonly string[],
) => Query<{ readonly id: string }>;

/** The reads by module code. */
export type TypedIds = Readonly<Partial<Record<string, FindTypedIds>>>;

/** By module code: selects one row, with the number of an owner's objects that have no record. */
export type TypedCounts = Readonly<
  Partial<Record<string, (sql: Sql, owner: string) => Query<{ readonly count: number }>>>
>;

interface UnrecordedRead {
  readonly module: CatalogModule;
  readonly recordId: string;
  readonly operation: string;
  readonly caller: Caller;
}

/** @throws ServiceError the module's `typedCode` if the identifier names a typed object. */
export async function refuseTyped(
  sql: Sql,
  typedIds: TypedIds,
  { module: { code: moduleCode, access: entry }, recordId, operation, caller }: UnrecordedRead,
): Promise<void> {
  const find = typedIds[moduleCode];
  const typedCode = entry === "GENERIC" ? undefined : entry.typedCode;
  if (find === undefined || typedCode === undefined) return;
  const found = await find(sql, caller.account.accountId, [recordId]);
  if (found.length > 0) throw new ServiceError(typedCode, { details: { moduleCode, operation } });
}
