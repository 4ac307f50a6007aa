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

/** The rights of an account, as a look-up reads them. */
export interface GrantedRow {
  readonly role: string | null;
  /** Names of single grants, separated by spaces; null if there are none. */
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
  // A scalar, so that no plan reads every account to join them.
  return sql`coalesce((
    select a.frozen_at is not null from accounts a where a.account_id = ${accountId}), false)`;
}

/**
 * A condition: the writes of the account are not frozen, and will not be before the transaction ends,
 * because it locks the account's row against freezing. Use it for writes that do not call `claim_command`.
 *
 * @param held What to do if another transaction has locked the row.
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

/** The permissions of an account: those of its role and its grants; empty for an unknown one. */
export function permissionsOfAccount(
  { role, granted }: GrantedRow,
  roles: RoleMatrix,
): ReadonlySet<Permission> {
  const byRole = role === null ? NONE : roles.get(role) ?? NONE;
  return granted === null ? byRole : new Set([...byRole, ...readNames(granted)]);
}

/** Parses a list of permission names. Skips names that this release does not know. */
export function readNames(names: string): Permission[] {
  return names.split(" ").filter(isPermission);
}

const NONE: ReadonlySet<Permission> = new Set();
