import type { Query, Sql } from "../database/sql.ts";
import { isPermission, type Permission, type RoleMatrix } from "./permissions.ts";

/** What a look-up of a credential reads of its account's rights. */
export interface GrantedRow {
  readonly role: string | null;
  /** Names of single grants, with a space between; null where there are none. */
  readonly granted: string | null;
}

/** The column `granted` of an account `a`: only the role SERVICE lives by single grants. */
export function grantedColumn(sql: Sql): Query<object> {
  return sql`
    case when a.role = 'SERVICE' then (
      select string_agg(p.name, ' ') from account_permissions g join permissions p using (permission_id)
       where g.account_id = a.account_id
    ) end as granted`;
}

/** What an account may do: what its role allows and what it was granted; nothing for an unknown one. */
export function permissionsOfAccount(
  { role, granted }: GrantedRow,
  roles: RoleMatrix,
): ReadonlySet<Permission> {
  const byRole = role === null ? NONE : roles.get(role) ?? NONE;
  return granted === null ? byRole : new Set([...byRole, ...readNames(granted)]);
}

/** The permissions of a list of names; a name that this release does not know is none. */
export function readNames(names: string): Permission[] {
  return names.split(" ").filter(isPermission);
}

const NONE: ReadonlySet<Permission> = new Set();
