/** When records were written. */

import { firstIdAt } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Permissions } from "./record.ts";

export interface WrittenRow {
  readonly record_id: string;
  readonly module_code: string;
  readonly created_at: Date;
  readonly is_hidden: boolean;
}

interface WrittenRange {
  readonly owner: string;
  readonly permissions: Permissions;
  readonly from: Date;
  /** Exclusive end. */
  readonly to: Date;
}

/**
 * Selects an owner's records of all modules by creation, with archived and hidden ones. Identifiers
 * begin with their time.
 *
 * @param last The row after which to begin; null at the beginning.
 */
export function writtenRecords(
  sql: Sql,
  { owner, permissions, from, to }: WrittenRange,
  last: WrittenRow | null,
  limit: number,
): Query<WrittenRow> {
  const held = [...permissions].join(" ");
  const begin = last === null
    ? sql`record_id >= ${firstIdAt(from)}`
    : sql`record_id > ${last.record_id}`;
  return sql<WrittenRow>`
    select record_id, module_code, created_at,
           guard is not null and not guard = any (string_to_array(${held}, ' ')) as is_hidden
      from records
     where owner_id = ${owner} and ${begin} and record_id < ${firstIdAt(to)}
     order by record_id limit ${limit}`;
}
