/**
 * Positions of categories. For writes, call these only after the tree lock, in a later statement.
 */

import type { Query, Sql } from "../../database/sql.ts";
import type { Root } from "../../kit/write.ts";
import {
  type Ancestor,
  assertCategoryCount,
  assertFits,
  MAX_CATEGORIES,
  MAX_LEVELS,
  type TreePosition,
} from "./term_rules.ts";
import { CATEGORIES, type CategoryTypes } from "./term_store.ts";
import type { TermRow } from "./term.ts";

/** Locks the owner's categories until the transaction ends. */
function lockTree(sql: Sql, owner: string): Query<object> {
  return sql`select pg_advisory_xact_lock(taxonomy_tree_lock(${owner}))`;
}

/** Categories that are locked by the tree lock, then the row's. */
export const PLACED_CATEGORIES: Root<CategoryTypes> = {
  ...CATEGORIES,
  // This statement may wait for the tree lock, because locking a row reads its newest version.
  lock: (sql, owner, key) =>
    sql<TermRow>`
      select category.*
        from (select pg_advisory_xact_lock(taxonomy_tree_lock(${owner})) is not null as is_locked
              offset 0) tree
             cross join lateral (
               select * from (${CATEGORIES.lock(sql, owner, key)}) locked_row
                where tree.is_locked offset 0) category`,
};

/** Locks the tree, then checks the new category's position. Throws as the checks do. */
export async function verifyNewCategory(sql: Sql, owner: string, row: TermRow): Promise<void> {
  await lockTree(sql, owner);
  const [count, above] = await Promise.all([
    countCategories(sql, owner),
    readAbove(sql, owner, row.parent_id),
  ]);
  assertCategoryCount(count + 1);
  assertFits(row, { above, height: 1 });
}

/** Counts categories, up to the limit. */
async function countCategories(sql: Sql, owner: string): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select 1 from taxonomy_terms where owner_id = ${owner} and kind = 'CATEGORY'
       limit ${MAX_CATEGORIES}) categories`;
  return row?.count ?? 0;
}

/** Position below another category, or at the top. */
export async function readPlace(
  sql: Sql,
  owner: string,
  { term_id }: TermRow,
  parentId: string | null,
): Promise<TreePosition> {
  const [above, height] = await Promise.all([
    readAbove(sql, owner, parentId),
    readHeight(sql, owner, term_id),
  ]);
  return { above, height };
}

/** A category and its ancestors up to the top. */
export async function readAbove(
  sql: Sql,
  owner: string,
  categoryId: string | null,
): Promise<readonly Ancestor[]> {
  if (categoryId === null) return [];
  return await sql<Ancestor>`
    with recursive above as (
      select term_id, parent_id, deactivated_at, 1 as level from taxonomy_terms
       where owner_id = ${owner} and kind = 'CATEGORY' and term_id = ${categoryId}
      union all
      select parent.term_id, parent.parent_id, parent.deactivated_at, level + 1
        from above cross join lateral (
          select * from taxonomy_terms
           where owner_id = ${owner} and term_id = above.parent_id offset 0) parent
       where level < ${MAX_LEVELS}::integer
    )
    select term_id, deactivated_at from above order by level`;
}

/** Levels of a category and everything below it. */
async function readHeight(sql: Sql, owner: string, categoryId: string): Promise<number> {
  const [row] = await sql<{ height: number }>`
    with recursive below as (
      select ${categoryId}::ulid as term_id, 1 as level
      union all
      select child.term_id, level + 1
        from below cross join lateral (${childIds(sql, owner)}) child
       where level < ${MAX_LEVELS}::integer
    )
    select max(level) as height from below`;
  return row?.height ?? 1;
}

/** Children of a row of the recursive CTE `below`, for a lateral join. */
export function childIds(sql: Sql, owner: string): Query<object> {
  return sql`
    select term_id from taxonomy_terms
     where owner_id = ${owner} and parent_id = below.term_id offset 0`;
}

export async function hasActiveChild(
  sql: Sql,
  owner: string,
  { term_id }: TermRow,
): Promise<boolean> {
  const children = await sql`
    select 1
      from (select deactivated_at from taxonomy_terms
             where owner_id = ${owner} and parent_id = ${term_id} offset 0) child
     where deactivated_at is null limit 1`;
  return children.length > 0;
}
