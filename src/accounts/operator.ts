import { toAccount } from "../access/account_row.ts";
import type { Caller } from "../access/identity.ts";
import { PERMISSIONS } from "../access/permissions.ts";
import type { Database } from "../database/database.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { findAccountByEmail } from "./account_store.ts";

/**
 * Returns a caller for an operator's command, with all permissions of a separate role, for this run
 * only.
 *
 * @throws OperatorError for an unknown or disabled account.
 */
export async function asOperator(database: Database, email: string, now: Date): Promise<Caller> {
  const row = await database.read((sql) => findAccountByEmail(sql, email));
  if (row === null) throw new OperatorError("No account has this email");
  if (row.disabled_at !== null) throw new OperatorError("The account is disabled");
  const account = toAccount(row);
  const credential = {
    kind: "ADMIN",
    id: account.accountId,
    expiresAt: now.toISOString(),
  } as const;
  return { account, credential, permissions: new Set(PERMISSIONS) };
}
