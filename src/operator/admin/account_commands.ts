import {
  type AdministeredAccount,
  createAccount,
  disableAccount,
  enableAccount,
  listAccounts,
  removeAccountPasskeys,
  resetPassword,
  resetSecondFactor,
} from "../../accounts/administration.ts";
import { freezeAccount, unfreezeAccount } from "../../accounts/moving.ts";
import { issueSetupToken } from "../../accounts/setup_routes.ts";
import { findAccountByEmail } from "../../accounts/account_store.ts";
import { OperatorError } from "../../errors/operator_error.ts";
import {
  isPasswordOfEmail,
  PASSWORD_RULES,
  type PasswordRule,
} from "../../validate/new_password.ts";
import { columns, quoteCell } from "./columns.ts";
import { type Runners, unchanged } from "./runner.ts";
import { setupText } from "./setup_text.ts";

export const ACCOUNT_COMMANDS = {
  "account create": async ({ database, passwords }, { email, name, role, password }, context) => {
    if (isPasswordOfEmail(password, email)) refusePassword("account.password_is_email");
    const passwordHash = await passwords.hash(password, "known");
    const account = { email, displayName: name, passwordHash, ...role && { role } };
    const made = await createAccount(database, account, context());
    return [`The account ${made.accountId} was created with the role ${made.role}`];
  },
  "account list": async ({ database }) => {
    const accounts = await listAccounts(database);
    return accounts.length === 0 ? ["No account exists"] : columns(accounts.map(accountCells));
  },
  "account disable": async ({ database }, { email }, context) =>
    await disableAccount(database, email, context())
      ? ["The account is disabled; its sessions and tokens have ended permanently"]
      : unchanged("the account is already disabled"),
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
    return [
      "The password was replaced; the account's sessions have ended, its tokens remain valid",
    ];
  },
  "account reset-second-factor": async ({ database }, { email }, context) =>
    await resetSecondFactor(database, email, context())
      ? ["The second factor is off; the account signs in with its password alone"]
      : unchanged("the account has no second factor"),
  "account remove-passkeys": async ({ database }, { email }, context) => {
    const removed = await removeAccountPasskeys(database, email, context());
    if (removed === 0) return unchanged("the account has no passkeys");
    return [
      `${removed} passkey${removed === 1 ? " was" : "s were"} removed; the password stays valid`,
    ];
  },
  "account freeze": async ({ database }, { email }, context) =>
    await freezeAccount(database, email, context)
      ? [
        "The account is frozen; its writes are rejected until it is unfrozen, its reads still work",
      ]
      : unchanged("the account is already frozen"),
  "account unfreeze": async ({ database }, { email }, context) =>
    await unfreezeAccount(database, email, context())
      ? ["The account is unfrozen; it accepts writes again"]
      : unchanged("the account is not frozen"),
  "setup-link": async ({ database, clock, origin }) => {
    const token = await issueSetupToken(database, clock());
    if (token === null) throw new OperatorError("An account exists, so set-up is closed");
    return setupText(origin, token);
  },
} satisfies Partial<Runners>;

function refusePassword(rule: PasswordRule): never {
  throw new OperatorError(PASSWORD_RULES[rule]);
}

function accountCells(account: AdministeredAccount): string[] {
  const { accountId, email, displayName, role, createdAt, granted } = account;
  return [
    accountId,
    email,
    role ?? "no role",
    stateOf(account),
    `made ${createdAt}`,
    quoteCell(displayName),
    granted.join(" "),
  ];
}

function stateOf({ disabledAt, frozenAt, movedTo }: AdministeredAccount): string {
  if (disabledAt !== null) return "disabled";
  if (movedTo !== null) return `moved to ${movedTo}`;
  return frozenAt === null ? "enabled" : "frozen";
}
