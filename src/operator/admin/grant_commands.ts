import { grantPermission, grantRole, revokePermission, revokeRole } from "../../accounts/grants.ts";
import { type Runners, unchanged } from "./runner.ts";

export const GRANT_COMMANDS = {
  "role grant": async ({ database }, { email, role }, context) =>
    await grantRole(database, email, role, context())
      ? [`The account now has the role ${role} instead of any other`]
      : unchanged(`the account already has the role ${role}`),
  "role revoke": async ({ database }, { email, role }, context) =>
    await revokeRole(database, email, role, context())
      ? [`The account no longer has a role; it may do nothing`]
      : unchanged(`the account does not have the role ${role}`),
  "permission grant": async ({ database }, { email, permission }, context) =>
    await grantPermission(database, email, permission, context())
      ? [`The account now has the permission ${permission}`]
      : unchanged(`the account already has the permission ${permission}`),
  "permission revoke": async ({ database }, { email, permission }, context) =>
    await revokePermission(database, email, permission, context())
      ? [`The account no longer has the permission ${permission}`]
      : unchanged(`the account does not have the permission ${permission}`),
} satisfies Partial<Runners>;
