import type { Query, Sql } from "../../database/sql.ts";

export function findIdentityIds(
  sql: Sql,
  owner: string,
  ids: readonly string[],
): Query<{ readonly id: string }> {
  const isNamed = sql`any (string_to_array(${ids.join(" ")}, ' '))`;
  return sql`
    select profile_id as id from identity_profiles
     where owner_id = ${owner} and profile_id = ${isNamed}
    union all
    select stage_id from identity_stages where owner_id = ${owner} and stage_id = ${isNamed}
    union all
    select role_id from identity_roles where owner_id = ${owner} and role_id = ${isNamed}
    union all
    select snapshot_id from identity_snapshots
     where owner_id = ${owner} and snapshot_id = ${isNamed}`;
}
