/** The live records of the module routine. */

import type { Query, Sql } from "../database/sql.ts";
import { readWalk, type Walked } from "../database/walk.ts";
import { orderWalk, parsePosition, positionColumn } from "./order_walk.ts";
import type { Permissions } from "./record.ts";
import { assertOrdered } from "./search_index/built.ts";

export interface RoutineRow {
  readonly record_id: string;
  readonly title: string;
  readonly interval_days: number;
  readonly active: boolean;
  /** In UTC. */
  readonly last_completed_at: string | null;
  readonly next_due_at: string | null;
  /** The text after which the next page begins. */
  readonly position: string;
}

interface RoutinePage {
  readonly owner: string;
  readonly permissions: Permissions;
  /** A position; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/**
 * Reads routines by title, as their list with `sort=title`.
 *
 * @throws ServiceError `HTTP_503` while the order is not built.
 */
export async function readRoutines(
  sql: Sql,
  { owner, permissions, after, limit }: RoutinePage,
): Promise<Walked<RoutineRow>> {
  const walk = orderWalk(
    sql,
    {
      owner,
      moduleCode: "routine",
      permissions,
      by: "title",
      isDescending: false,
      archived: "exclude",
      after: after === null ? null : parsePosition(after),
    },
    (recordId) =>
      sql`
        select record_id, title, payload from records
         where owner_id = ${owner} and record_id = ${recordId} offset 0`,
  );
  const [walked] = await Promise.all([
    readWalk<RoutineRow>(sql, walk, {
      columns:
        sql`record_id, title, (payload ->> 'intervalDays')::double precision as interval_days,
                   (payload ->> 'active')::boolean as active,
                   payload ->> 'lastCompletedAt' as last_completed_at,
                   payload ->> 'nextDueAt' as next_due_at, ${positionColumn(sql)} as position`,
      long: null,
      conditions: null,
      limit,
    }),
    assertOrdered(sql),
  ]);
  return walked;
}

/** Selects identifiers of routines after `last`, oldest first. */
export function routineIds(
  sql: Sql,
  owner: string,
  last: string | null,
  limit: number,
): Query<{ readonly record_id: string }> {
  // The module is part of the bounds, as in `list_store.ts`.
  return sql<{ readonly record_id: string }>`
    select record_id from records
     where owner_id = ${owner} and (module_code, record_id) > ('routine', ${last ?? ""})
       and module_code <= 'routine' and archived_at is null
     order by module_code, record_id limit ${limit}`;
}
