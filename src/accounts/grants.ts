/** An operator's grants: an account has one role, and a SERVICE account also single permissions. */

import type { EventContext } from "../access/event_context.ts";
import { type AccessRole, type Permission, PERMISSION_IDS } from "../access/permissions.ts";
import type { Database, Tx } from "../database/database.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { administerUnfrozen, type HeldAccount, insertOperatorEvent } from "./administration.ts";

/**
 * Sets an account's role.
 *
 * @returns false if the account already has this role.
 * @throws OperatorError for an account that is unknown or frozen, as every function below.
 */
export async function grantRole(
  database: Database,
  email: string,
  role: AccessRole,
  context: EventContext,
): Promise<boolean> {
  return await administerUnfrozen(database, email, async (tx, account) => {
    if (account.role === role) return false;
    await replaceRole(tx, account, role, context);
    await insertOperatorEvent(tx, "ROLE_GRANTED", account.account_id, context);
    return true;
  });
}

/**
 * Removes a role; the account then has no permissions. Returns false if it does not have that role.
 */
export async function revokeRole(
  database: Database,
  email: string,
  role: AccessRole,
  context: EventContext,
): Promise<boolean> {
  return await administerUnfrozen(database, email, async (tx, account) => {
    if (account.role !== role) return false;
    await replaceRole(tx, account, null, context);
    await insertOperatorEvent(tx, "ROLE_REVOKED", account.account_id, context);
    return true;
  });
}

/** Single permissions end with their role: a later SERVICE role starts with none. */
async function replaceRole(
  tx: Tx,
  { account_id: id }: HeldAccount,
  role: AccessRole | null,
  context: EventContext,
): Promise<void> {
  await tx.sql`update accounts set role = ${role} where account_id = ${id}`;
  const ended = await tx.sql`
    delete from account_permissions where account_id = ${id} returning permission_id`;
  for (const _permission of ended) await insertOperatorEvent(tx, "PERMISSION_REVOKED", id, context);
}

/**
 * Grants a single permission.
 *
 * @returns false if it was already granted.
 * @throws OperatorError also for a role other than SERVICE, because its permissions are fixed.
 */
export async function grantPermission(
  database: Database,
  email: string,
  permission: Permission,
  context: EventContext,
): Promise<boolean> {
  return await administerUnfrozen(database, email, async (tx, account) => {
    const id = assertService(account);
    const granted = await tx.sql`
      insert into account_permissions (account_id, permission_id)
      values (${id}, ${PERMISSION_IDS[permission]}) on conflict do nothing returning 1`;
    if (granted.length === 0) return false;
    await insertOperatorEvent(tx, "PERMISSION_GRANTED", id, context);
    return true;
  });
}

/**
 * Revokes a single permission.
 *
 * @returns false if it was not granted.
 * @throws OperatorError also for a role other than SERVICE.
 */
export async function revokePermission(
  database: Database,
  email: string,
  permission: Permission,
  context: EventContext,
): Promise<boolean> {
  return await administerUnfrozen(database, email, async (tx, account) => {
    const id = assertService(account);
    const revoked = await tx.sql`
      delete from account_permissions
       where account_id = ${id} and permission_id = ${PERMISSION_IDS[permission]} returning 1`;
    if (revoked.length === 0) return false;
    await insertOperatorEvent(tx, "PERMISSION_REVOKED", id, context);
    return true;
  });
}

function assertService({ account_id: id, role }: HeldAccount): string {
  if (role === "SERVICE") return id;
  throw new OperatorError("Single permissions are for accounts with the role SERVICE only");
}
