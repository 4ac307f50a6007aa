/** The commands that change the role and the permissions of an account. */

import { grantPermission, grantRole, revokePermission, revokeRole } from "../../accounts/grants.ts";
import { type Runners, unchanged } from "./runner.ts";

export const GRANT_COMMANDS = {
  "role grant": async ({ database }, { email, role }, context) =>
    await grantRole(database, email, role, context())
      ? [`The account has the role ${role} now, in place of any other`]
      : unchanged(`the account has the role ${role} already`),
  "role revoke": async ({ database }, { email, role }, context) =>
    await revokeRole(database, email, role, context())
      ? [`The account has no role any more; it may do nothing`]
      : unchanged(`the account does not have the role ${role}`),
  "permission grant": async ({ database }, { email, permission }, context) =>
    await grantPermission(database, email, permission, context())
      ? [`The account has the permission ${permission} now`]
      : unchanged(`the account has the permission ${permission} already`),
  "permission revoke": async ({ database }, { email, permission }, context) =>
    await revokePermission(database, email, permission, context())
      ? [`The account does not have the permission ${permission} any more`]
      : unchanged(`the account does not have the permission ${permission}`),
} satisfies Partial<Runners>;
