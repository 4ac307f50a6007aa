/** An account as the look-up of a credential reads it. */

import type { Query, Sql } from "../database/sql.ts";
import type { Account } from "./identity.ts";
import { isPermission, type Permission, type RoleMatrix } from "./permissions.ts";

/** The columns of the public account. */
export interface AccountRow {
  readonly account_id: string;
  readonly email: string;
  readonly display_name: string;
  readonly role: string | null;
  readonly account_created_at: Date;
}

/** What else a look-up reads of an account: its rights. */
export interface GrantedRow {
  readonly role: string | null;
  /** Names of single grants, with a space between; null where there are none. */
  readonly granted: string | null;
}

/** The columns of the public account, of an account `a`. */
export function accountColumns(sql: Sql): Query<object> {
  return sql`a.account_id, a.email, a.display_name, a.role, a.created_at as account_created_at`;
}

/** The column `granted` of an account `a`: only the role SERVICE has single grants. */
export function grantedColumn(sql: Sql): Query<object> {
  return sql`
    case when a.role = 'SERVICE' then (
      select string_agg(p.name, ' ') from account_permissions g join permissions p using (permission_id)
       where g.account_id = a.account_id
    ) end as granted`;
}

/** The accounts as the file of one that moves shows them. */
export function movedAccounts(sql: Sql): Query<object> {
  return sql`(
    select a.account_id as owner_id, a.account_id, a.email, a.display_name, a.password_hash, a.role,
           array(select p.name from account_permissions g join permissions p using (permission_id)
                  where g.account_id = a.account_id order by p.name collate "C") as granted,
           a.created_at, a.disabled_at
      from accounts a)`;
}

/** An account by its identifier. */
export function findAccountRow(sql: Sql, accountId: string): Query<AccountRow> {
  return sql<AccountRow>`
    select ${accountColumns(sql)} from accounts a where a.account_id = ${accountId}`;
}

/** The condition that the account of an identifier is enabled, and has not moved. */
export function isEnabledAccount(sql: Sql, accountId: Query<object>): Query<object> {
  return sql`exists (
    select from accounts a
     where a.account_id = ${accountId} and a.disabled_at is null and a.moved_to is null)`;
}

/** The condition that the writes of the account of an identifier are frozen; looked up by its key. */
export function isFrozenAccount(sql: Sql, accountId: Query<object>): Query<object> {
  // As a value, so that no plan reads every account to join them.
  return sql`coalesce((
    select a.frozen_at is not null from accounts a where a.account_id = ${accountId}), false)`;
}

/**
 * The condition that the writes of the account of an identifier are not frozen, and will not be before
 * the transaction ends: it shares the account's row, which a freezing changes. For what is written past
 * `claim_command`.
 *
 * @param held What happens where another transaction has the row.
 */
export function keepsUnfrozen(
  sql: Sql,
  accountId: Query<object>,
  held: "wait" | "skip",
): Query<object> {
  return sql`exists (
    select from accounts a where a.account_id = ${accountId} and a.frozen_at is null
       for share ${held === "skip" ? sql`skip locked` : sql``})`;
}

/** The public form of an account row. */
export function toAccount(row: AccountRow): Account {
  return {
    accountId: row.account_id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
    createdAt: row.account_created_at.toISOString(),
  };
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
