/** Carries out the operator's commands, and says what became of them in lines for a person. */

import {
  AdminError,
  type AdministeredAccount,
  createAccount,
  disableAccount,
  enableAccount,
  endSessions,
  endToken,
  listAccounts,
  listAccountTokens,
  resetPassword,
} from "../access/administration.ts";
import { grantPermission, grantRole, revokePermission, revokeRole } from "../access/grants.ts";
import { hashPassword } from "../access/passwords.ts";
import type { Source } from "../access/revocation.ts";
import { issueSetupToken } from "../access/setup.ts";
import type { Token } from "../access/tokens.ts";
import type { Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { Database } from "../database/database.ts";
import type { AdminCommand, CommandName, CommandOf } from "./command.ts";
import { setupText } from "./setup_text.ts";

/** What commands stand on. */
export interface AdminServices {
  readonly database: Database;
  readonly clock: Clock;
  /** Where people reach the service, for the link of a set-up. */
  readonly origin: string;
}

/**
 * Carries out a command.
 *
 * @throws AdminError when it is refused.
 */
export async function runAdminCommand(
  services: AdminServices,
  command: AdminCommand,
): Promise<string[]> {
  const run = RUNNERS[command.command] as Runner<AdminCommand>;
  return await run(services, command, () => {
    const now = services.clock();
    return { requestId: newId(now), now };
  });
}

/** `source` reads the clock, after what a command may have to wait for. */
type Runner<Command> = (
  services: AdminServices,
  command: Command,
  source: () => Source,
) => Promise<string[]>;

const RUNNERS: { readonly [Name in CommandName]: Runner<CommandOf<Name>> } = {
  "account create": async ({ database }, { email, name, role, password }, source) => {
    const passwordHash = await hashPassword(password);
    const account = { email, displayName: name, passwordHash, ...role && { role } };
    const made = await createAccount(database, account, source());
    return [`The account ${made.accountId} was made with the role ${made.role}`];
  },
  "account list": async ({ database }) => {
    const accounts = await listAccounts(database);
    return accounts.length === 0 ? ["No account exists"] : columns(accounts.map(accountCells));
  },
  "account disable": async ({ database }, { email }, source) =>
    await disableAccount(database, email, source())
      ? ["The account is disabled; its sessions and tokens have ended for good"]
      : unchanged("the account is disabled already"),
  "account enable": async ({ database }, { email }, source) =>
    await enableAccount(database, email, source())
      ? ["The account is enabled; it can sign in again"]
      : unchanged("the account is not disabled"),
  "account reset-password": async ({ database }, { email, password }, source) => {
    const passwordHash = await hashPassword(password);
    await resetPassword(database, email, passwordHash, source());
    return ["The password was replaced; the account's sessions have ended, its tokens go on"];
  },
  "role grant": async ({ database }, { email, role }, source) =>
    await grantRole(database, email, role, source())
      ? [`The account has the role ${role} now, in place of any other`]
      : unchanged(`the account has the role ${role} already`),
  "role revoke": async ({ database }, { email, role }, source) =>
    await revokeRole(database, email, role, source())
      ? [`The account has no role any more; it may do nothing`]
      : unchanged(`the account does not have the role ${role}`),
  "permission grant": async ({ database }, { email, permission }, source) =>
    await grantPermission(database, email, permission, source())
      ? [`The account has the permission ${permission} now`]
      : unchanged(`the account has the permission ${permission} already`),
  "permission revoke": async ({ database }, { email, permission }, source) =>
    await revokePermission(database, email, permission, source())
      ? [`The account does not have the permission ${permission} any more`]
      : unchanged(`the account does not have the permission ${permission}`),
  "token list": async ({ database }, { email }) => {
    const tokens = await listAccountTokens(database, email);
    return tokens.length === 0 ? ["The account has no token"] : columns(tokens.map(tokenCells));
  },
  "token revoke": async ({ database }, { email, token }, source) =>
    await endToken(database, email, token, source())
      ? ["The token has ended"]
      : unchanged("the token has ended already"),
  "session revoke-all": async ({ database }, { email }, source) => {
    const ended = await endSessions(database, email, source());
    return ended === 0
      ? unchanged("the account has no session")
      : [`${ended} ${ended === 1 ? "session has" : "sessions have"} ended`];
  },
  "setup-link": async ({ database, clock, origin }) => {
    const token = await issueSetupToken(database, clock());
    if (token === null) throw new AdminError("An account exists, so set-up is closed");
    return setupText(origin, token);
  },
};

function unchanged(why: string): string[] {
  return [`Nothing was changed: ${why}`];
}

function accountCells(account: AdministeredAccount): string[] {
  const { accountId, email, displayName, role, createdAt, disabledAt, granted } = account;
  return [
    ...[accountId, email, role ?? "no role", disabledAt === null ? "enabled" : "disabled"],
    ...[`made ${createdAt}`, quote(displayName), granted.join(" ")],
  ];
}

function tokenCells(
  { tokenId, name, createdAt, expiresAt, lastUsedAt, ...token }: Token,
): string[] {
  const used = lastUsedAt === null ? "never used" : `used ${lastUsedAt}`;
  return [
    ...[tokenId, `made ${createdAt}`, `expires ${expiresAt}`, used],
    ...[quote(name), token.permissions.join(" ")],
  ];
}

/** A name may hold spaces and look like another column. */
function quote(name: string): string {
  return JSON.stringify(name);
}

/** Rows as lines whose cells stand below each other. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  return rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()
  );
}
