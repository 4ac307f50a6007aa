import { DAY_MS } from "../core/clock.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Account } from "./identity.ts";
import { isPermission, type Permission, type RoleMatrix } from "./permissions.ts";

export interface AccountRow {
  readonly account_id: string;
  readonly email: string;
  readonly display_name: string;
  readonly role: string | null;
  readonly account_created_at: Date;
}

export interface GrantedRow {
  readonly role: string | null;
  /** Names of granted permissions, separated by spaces; null if there are none. */
  readonly granted: string | null;
}

export function accountColumns(sql: Sql): Query<object> {
  return sql`a.account_id, a.email, a.display_name, a.role, a.created_at as account_created_at`;
}

/** The column `granted`, from a table alias `a`. Only the role SERVICE has single grants. */
export function grantedColumn(sql: Sql): Query<object> {
  return sql`
    case when a.role = 'SERVICE' then (
      select string_agg(p.name, ' ') from account_permissions g join permissions p using (permission_id)
       where g.account_id = a.account_id
    ) end as granted`;
}

/** Selects `AccountRow`, `GrantedRow` and the move of accounts that are not disabled. */
export function enabledAccounts(sql: Sql): Query<object> {
  return sql`(
    select ${accountColumns(sql)}, ${grantedColumn(sql)}, a.moved_to, a.retired_at
      from accounts a where a.disabled_at is null)`;
}

/** For how long after a move the credentials that it ended are recognised. */
const RECOGNISED_MS = 400 * DAY_MS;

/**
 * A condition: a credential of the account `a` has not ended, or the account's move ended it within
 * the last 400 days. The caller refuses such a credential with `accountMoved`.
 *
 * @param revokedAt The end of the credential.
 */
export function isUnendedOrMoved(sql: Sql, revokedAt: Query<object>, now: Date): Query<object> {
  const since = new Date(now.getTime() - RECOGNISED_MS);
  return sql`(
    ${revokedAt} is null or (${revokedAt} = a.retired_at and a.retired_at > ${since}))`;
}

/** The time at which a credential of the account `a` must be valid: now, or when `a` moved. */
export function validAt(sql: Sql, now: Date): Query<object> {
  return sql`coalesce(a.retired_at, ${now}::timestamptz)`;
}

/** Selects the accounts' rows for account exports. */
export function movedAccounts(sql: Sql): Query<object> {
  return sql`(
    select a.account_id as owner_id, a.account_id, a.email, a.display_name, a.password_hash, a.role,
           array(select p.name from account_permissions g join permissions p using (permission_id)
                  where g.account_id = a.account_id order by p.name collate "C") as granted,
           a.created_at, a.disabled_at
      from accounts a)`;
}

export function findAccountRow(sql: Sql, accountId: string): Query<AccountRow> {
  return sql<AccountRow>`
    select ${accountColumns(sql)} from accounts a where a.account_id = ${accountId}`;
}

export function isEnabledAccount(sql: Sql, accountId: Query<object>): Query<object> {
  return sql`exists (
    select from accounts a
     where a.account_id = ${accountId} and a.disabled_at is null and a.moved_to is null)`;
}

export function isFrozenAccount(sql: Sql, accountId: Query<object>): Query<object> {
  // A scalar, so that no plan joins every account.
  return sql`coalesce((
    select a.frozen_at is not null from accounts a where a.account_id = ${accountId}), false)`;
}

/**
 * Returns the condition that the account's writes are not frozen. It locks the account's row, so
 * they cannot be frozen before the transaction ends. Use it for writes without `claim_command`.
 *
 * @param held The action if another transaction has locked the row.
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

export function toAccount(row: AccountRow): Account {
  return {
    accountId: row.account_id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
    createdAt: row.account_created_at.toISOString(),
  };
}

/** An unknown role has no permissions. */
export function permissionsOfAccount(
  { role, granted }: GrantedRow,
  roles: RoleMatrix,
): ReadonlySet<Permission> {
  const byRole = role === null ? NONE : roles.get(role) ?? NONE;
  return granted === null ? byRole : new Set([...byRole, ...readNames(granted)]);
}

/** Skips names that this release does not know. */
export function readNames(names: string): Permission[] {
  return names.split(" ").filter(isPermission);
}

const NONE: ReadonlySet<Permission> = new Set();
