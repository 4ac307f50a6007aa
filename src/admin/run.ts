/** Carries out the operator's commands, and says what became of them in lines for a person. */

import type { EventContext } from "../access/event_context.ts";
import type { Token } from "../access/tokens.ts";
import { passphraseRecipient } from "../age/passphrase.ts";
import type { Recipient } from "../age/stanza.ts";
import { isRecipient, parseRecipient } from "../age/x25519.ts";
import {
  type AdministeredAccount,
  createAccount,
  disableAccount,
  enableAccount,
  endAccountSessions,
  endAccountToken,
  listAccounts,
  listAccountTokens,
  resetPassword,
  resetSecondFactor,
} from "../accounts/administration.ts";
import { freezeAccount, retireAccount, unfreezeAccount } from "../accounts/moving.ts";
import { grantPermission, grantRole, revokePermission, revokeRole } from "../accounts/grants.ts";
import { operateFor } from "../accounts/operator.ts";
import type { PasswordHasher } from "../accounts/password_hasher.ts";
import { issueSetupToken } from "../accounts/setup.ts";
import { findAccountByEmail } from "../accounts/store.ts";
import type { ObjectStore } from "../attachments/object_store.ts";
import { verifyTrails } from "../audit/verify.ts";
import { BackupError } from "../backup/backup_error.ts";
import { backUp, type BackupSettings, tellBackup } from "../backup/installation.ts";
import { CommandRunner } from "../command/runner.ts";
import { isMaintenance, setMaintenance } from "../command/maintenance.ts";
import type { Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { Report } from "../core/report.ts";
import type { Database } from "../database/database.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { ServiceError } from "../errors/service_error.ts";
import { type Imported, importLegacyRecords } from "../legacy/import.ts";
import {
  exportMovingAccount,
  importMovingAccount,
  type MoveServices,
} from "../portability/moves.ts";
import { SpoolFolder } from "../portability/spool.ts";
import { seedCatalog } from "../seed/catalog.ts";
import { seedDemo } from "../seed/demo.ts";
import type { Seeded } from "../seed/seeding.ts";
import { isPasswordOfEmail, PASSWORD_RULES, type PasswordRule } from "../validate/new_password.ts";
import { anchorsOf, tellVerification } from "./audit_text.ts";
import type { AdminCommand, CommandName, CommandOf } from "./command.ts";
import { placeInDataDir, placeOfNewFile } from "./data_file.ts";
import { setupText } from "./setup_text.ts";

/** What the commands depend on. */
export interface AdminServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly passwords: PasswordHasher;
  /** Opens the object store of attachments. The caller closes it. */
  readonly openObjects: () => Promise<ObjectStore>;
  /** Seals the audit trail. */
  readonly seal: () => Promise<unknown>;
  /** Says where a backup goes, and holds the secret that may travel in it. */
  readonly config: BackupSettings;
  /** Where people reach the service, for the link of a set-up. */
  readonly origin: string;
}

/**
 * Carries out a command.
 *
 * @throws OperatorError when it is refused.
 */
export async function runAdminCommand(
  services: AdminServices,
  command: AdminCommand,
  report: Report = () => {},
): Promise<string[]> {
  const run = RUNNERS[command.command] as Runner<AdminCommand>;
  const context = () => {
    const now = services.clock();
    return { requestId: newId(now), now, client: null };
  };
  return await run(services, command, context, report);
}

/** `context` reads the clock, after what a command may have to wait for. */
type Runner<Command> = (
  services: AdminServices,
  command: Command,
  context: () => EventContext,
  report: Report,
) => Promise<string[]>;

const RUNNERS: { readonly [Name in CommandName]: Runner<CommandOf<Name>> } = {
  "account create": async ({ database, passwords }, { email, name, role, password }, context) => {
    if (isPasswordOfEmail(password, email)) refusePassword("account.password_is_email");
    const passwordHash = await passwords.hash(password, "known");
    const account = { email, displayName: name, passwordHash, ...role && { role } };
    const made = await createAccount(database, account, context());
    return [`The account ${made.accountId} was made with the role ${made.role}`];
  },
  "account list": async ({ database }) => {
    const accounts = await listAccounts(database);
    return accounts.length === 0 ? ["No account exists"] : columns(accounts.map(accountCells));
  },
  "account disable": async ({ database }, { email }, context) =>
    await disableAccount(database, email, context())
      ? ["The account is disabled; its sessions and tokens have ended for good"]
      : unchanged("the account is disabled already"),
  "account enable": async ({ database }, { email }, context) =>
    await enableAccount(database, email, context())
      ? ["The account is enabled; it can sign in again"]
      : unchanged("the account is not disabled"),
  "account reset-password": async ({ database, passwords }, { email, password }, context) => {
    if (isPasswordOfEmail(password, email)) refusePassword("account.password_is_email");
    const account = await database.read((sql) => findAccountByEmail(sql, email));
    const present = account?.password_hash ?? null;
    if (present !== null && (await passwords.check(password, present, "known")).matches) {
      refusePassword("account.password_unchanged");
    }
    const passwordHash = await passwords.hash(password, "known");
    await resetPassword(database, email, passwordHash, context());
    return ["The password was replaced; the account's sessions have ended, its tokens go on"];
  },
  "account reset-second-factor": async ({ database }, { email }, context) =>
    await resetSecondFactor(database, email, context())
      ? ["The second factor is off; the account signs in with its password alone"]
      : unchanged("the account has no second factor"),
  "account freeze": async ({ database }, { email }, context) =>
    await freezeAccount(database, email, context)
      ? ["The account is frozen; its writes are refused until it is unfrozen, its reads go on"]
      : unchanged("the account is frozen already"),
  "account unfreeze": async ({ database }, { email }, context) =>
    await unfreezeAccount(database, email, context())
      ? ["The account is not frozen any more; its writes go on"]
      : unchanged("the account is not frozen"),
  "account export": async (services, { email, file }, context) =>
    await copying(services, async (copied) => {
      const { dataDir } = services.config;
      const path = `${dataDir}/${await placeOfNewFile(dataDir, `${dataDir}/${file}`)}`;
      const { size, sha256 } = await exportMovingAccount(copied, email, path, context);
      return [`The file has ${size} bytes with the SHA-256 ${sha256}`];
    }),
  "account import": async (services, { email, file }, context, report) =>
    await copying(services, async (copied) => {
      const { dataDir } = services.config;
      const path = `${dataDir}/${await placeInDataDir(dataDir, `${dataDir}/${file}`)}`;
      const { isNew, size, sha256 } = await importMovingAccount(
        copied,
        email,
        path,
        context,
        report,
      ).catch(refuseWriting);
      const whole = `all ${size} bytes of the file, with the SHA-256 ${sha256}`;
      return isNew
        ? [`The account is here and frozen: ${whole}`]
        : unchanged(`the account is here already: ${whole}`);
    }),
  "account retire": async ({ database }, { email, "moved-to": movedTo }, context) =>
    await retireAccount(database, email, movedTo, context())
      ? [`The account has moved to ${movedTo}; its sessions and tokens here have ended for good`]
      : unchanged("the account has moved there already"),
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
  "token list": async ({ database }, { email }) => {
    const tokens = await listAccountTokens(database, email);
    return tokens.length === 0 ? ["The account has no token"] : columns(tokens.map(tokenCells));
  },
  "token revoke": async ({ database }, { email, token }, context) =>
    await endAccountToken(database, email, token, context())
      ? ["The token has ended"]
      : unchanged("the token has ended already"),
  "session revoke-all": async ({ database }, { email }, context) => {
    const ended = await endAccountSessions(database, email, context());
    return ended === 0
      ? unchanged("the account has no session")
      : [`${ended} ${ended === 1 ? "session has" : "sessions have"} ended`];
  },
  "setup-link": async ({ database, clock, origin }) => {
    const token = await issueSetupToken(database, clock());
    if (token === null) throw new OperatorError("An account exists, so set-up is closed");
    return setupText(origin, token);
  },
  "maintenance on": async ({ database }) =>
    await setMaintenance(database, true)
      ? ["Maintenance is on; ordinary writes are refused until it is off"]
      : unchanged("maintenance is on already"),
  "maintenance off": async ({ database }) =>
    await setMaintenance(database, false)
      ? ["Maintenance is off; ordinary writes go on"]
      : unchanged("maintenance is off already"),
  "maintenance status": async ({ database }) => [
    await isMaintenance(database)
      ? "Maintenance is on: ordinary writes are refused"
      : "Maintenance is off: ordinary writes go on",
  ],
  "seed catalog": async (services, { owner }) => await tellSeeded(seedCatalog(services, owner)),
  "seed demo": async (services, { owner }) => await tellSeeded(seedDemo(services, owner)),
  "legacy import": async (services, { owner, file }, _context, report) => {
    const { database, config: { dataDir } } = services;
    const path = `${dataDir}/${await placeInDataDir(dataDir, `${dataDir}/${file}`)}`;
    const operator = await operateFor(database, owner, services.clock());
    return await tellImported(importLegacyRecords(services, operator, path, report));
  },
  "backup": async (services, command, _context, report) => {
    const withSecret = command.secret === "include";
    const choices = { withSecret, recipient: recipientOf(command) };
    const backup = await backUp(services.config, services, choices, report)
      .catch(refuseBackup);
    return tellBackup(backup);
  },
  "audit verify": async ({ database }, { anchor }, _context, report) =>
    tellVerification(await verifyTrails(database, anchorsOf(anchor), report)),
};

/** Runs what copies an account, with the folders that it needs. */
async function copying<T>(
  { database, clock, openObjects, config: { dataDir } }: AdminServices,
  use: (services: MoveServices) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const objects = opened.adopt(await openObjects(), (store) => store.close());
  const spool = opened.adopt(
    await SpoolFolder.open(`${dataDir}/spool`, clock),
    (folder) => folder.close(),
  );
  return await use({ database, objects, spool, commands: new CommandRunner(database) });
}

function refusePassword(rule: PasswordRule): never {
  throw new OperatorError(PASSWORD_RULES[rule]);
}

/** Null where the backup shall not be encrypted. */
function recipientOf(
  { recipient, passphrase }: Pick<CommandOf<"backup">, "recipient" | "passphrase">,
): Recipient | null {
  if (passphrase !== undefined) return passphraseRecipient(passphrase);
  if (recipient === undefined) return null;
  if (!isRecipient(recipient)) throw new OperatorError("--recipient: must be a public key, age1…");
  return parseRecipient(recipient);
}

function refuseBackup(error: unknown): never {
  throw error instanceof BackupError ? new OperatorError(error.message) : error;
}

async function tellSeeded(seeding: Promise<Seeded>): Promise<string[]> {
  const { made, present } = await seeding.catch(refuseWriting);
  if (made === 0) return unchanged(`all ${present} things were there before`);
  return [`The account was given ${made} ${made === 1 ? "thing" : "things"}`];
}

async function tellImported(importing: Promise<Imported>): Promise<string[]> {
  const { made, present } = await importing.catch(refuseWriting);
  const count = (records: number) => `${records} ${records === 1 ? "record" : "records"}`;
  if (made + present === 0) return unchanged("the file holds no record");
  if (made === 0) return unchanged(`the account has all of the file's ${count(present)} already`);
  return [`Imported ${count(made)}; ${count(present)} of the file were there already`];
}

/** What a write may be refused for at any time is no failure of the command. */
function refuseWriting(error: unknown): never {
  const passing = ["SYSTEM_MAINTENANCE", "IDEMPOTENCY_IN_PROGRESS"];
  const isRefusal = error instanceof ServiceError && passing.includes(error.code);
  throw isRefusal ? new OperatorError(error.message) : error;
}

function unchanged(why: string): string[] {
  return [`Nothing was changed: ${why}`];
}

function accountCells(account: AdministeredAccount): string[] {
  const { accountId, email, displayName, role, createdAt, granted } = account;
  return [
    ...[accountId, email, role ?? "no role", stateOf(account)],
    ...[`made ${createdAt}`, quote(displayName), granted.join(" ")],
  ];
}

function stateOf({ disabledAt, frozenAt, movedTo }: AdministeredAccount): string {
  if (disabledAt !== null) return "disabled";
  if (movedTo !== null) return `moved to ${movedTo}`;
  return frozenAt === null ? "enabled" : "frozen";
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
